"""`sayso ask pending`, `answer` and `cancel`: what programs ask, seen and answered by a person.

What the desk hands out whole counts as seen: so that is fetched of what is shown, and of nothing
else. Not here: asking (`ask`), answering agents (`cli`). Imports `client.blocking`, `base`, `output`,
`text`, `core.types`.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from sayso.channels.base import DESTRUCTIVE, lined, short
from sayso.channels.output import DONE, GONE, INTERRUPTED, NOT_YET, USAGE, Output
from sayso.channels.text import block, clip, visible
from sayso.client.address import socket_path
from sayso.client.blocking import Desk
from sayso.core.states import State
from sayso.core.types import DIRECT
from sayso.errors import BadRequest, SaysoError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    Pending = dict[str, Any]


def run(args: argparse.Namespace) -> int:
    """Run a parsed command; return the exit code."""
    out = Output(args.json)
    try:
        with Desk(socket_path()) as desk:
            code = _COMMANDS[args.what](args, desk, out)
        sys.stdout.flush()
        return code
    except SaysoError as error:
        return out.fail(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def _pending(args: argparse.Namespace, desk: Desk, out: Output) -> int:
    if out.as_json:
        only = {"surface_id": args.surface} if args.surface else {}
        out.json(desk.call("agent.ask_pending", only)["pending"])
        return DONE
    found = [each for each in _all(desk) if args.surface in ("", each["surface_id"])]
    for each in found:
        label = each.get("label", "")
        who = (f" · {label}" if label else "") + (" · DESTRUCTIVE, it says" if each.get("unsafe") else "")
        out.say(
            clip(f"{short(each['id'])} · {each['kind']} · {each['surface_id']}{who}", out.columns), "strong"
        )
        out.say(f"    {clip(each['title'], out.columns - 4)}")
    if not found:
        out.say("No program waits for an answer.")
    return DONE


def _answer(args: argparse.Namespace, desk: Desk, out: Output) -> int:
    asked = _meant(args.id, _all(desk))
    if asked is not None and not args.json:
        _show(asked, desk, out)
    said = desk.call("agent.ask_answer", {"request_id": _id(args.id, asked), "value": args.value})
    out.json(said)
    if said.get("resolved"):
        out.say("Answered.")
        return DONE
    if said.get("acknowledged"):
        out.say(f"Acknowledged. To have it run: sayso ask answer {short(_id(args.id, asked))} run")
        return NOT_YET
    if reason := said.get("reason"):
        return _complain(out, f"{reason}; the question still waits", USAGE)
    return _complain(out, "it was settled before, or there is no such question", GONE)


def _cancel(args: argparse.Namespace, desk: Desk, out: Output) -> int:
    asked = _meant(args.id, _all(desk))
    params = {"request_id": _id(args.id, asked), **({"reason": args.reason} if args.reason else {})}
    said = desk.call("agent.ask_cancel", params)
    out.json(said)
    if said.get("resolved"):
        out.say("Cancelled.")
        return DONE
    return _complain(out, "it was settled before, or there is no such question", GONE)


_COMMANDS = {"pending": _pending, "answer": _answer, "cancel": _cancel}


def _all(desk: Desk) -> list[Pending]:
    found: list[Pending] = desk.call("desk.list", {})["requests"]
    return [each for each in found if each["kind"] in DIRECT and each["state"] == State.PENDING]


def _meant(prefix: str, pending: Sequence[Pending]) -> Pending | None:
    """Return the question whose id begins so, None where none does.

    Raises:
        BadRequest: several do.
    """
    found = [each for each in pending if each["id"].startswith(prefix)]
    exact = [each for each in found if each["id"] == prefix]
    if len(found) > 1 and not exact:
        raise BadRequest(f"{visible(prefix)} begins the ids of {len(found)} questions: type more of it", "id")
    return (exact or found or [None])[0] if prefix else None


def _id(prefix: str, asked: Pending | None) -> str:
    if not prefix:
        raise BadRequest("the id is empty", "id")
    return str(asked["id"]) if asked is not None else prefix


def _show(asked: Pending, desk: Desk, out: Output) -> None:
    """Write the question, whole: what is answered was seen."""
    out.lines(lined(visible(asked["title"]), out.columns, style="strong"))
    if asked.get("unsafe"):
        out.lines(lined(DESTRUCTIVE, out.columns, style="loud"))
    for index, row in enumerate(asked["input"]):
        is_cut = row.get("length", 0) > len(row["value"])
        whole = desk.call("desk.row", {"id": asked["id"], "row": index}) if is_cut else row
        for line in block(whole["value"], out.columns):
            out.say(line)


def _complain(out: Output, text: str, code: int) -> int:
    if not out.as_json:
        sys.stdout.flush()
        sys.stderr.write(f"sayso ask: {visible(text)}\n")
    return code
