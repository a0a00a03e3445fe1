"""`sayso ask pending`, `answer` and `cancel`: what programs ask, seen and answered by a person.

Not here: asking (`ask`), answering agents (`cli`). Imports `client.blocking`, `base`, `output`, `text`.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from sayso.channels.base import lined, short
from sayso.channels.output import DONE, GONE, INTERRUPTED, NOT_YET, USAGE, Output
from sayso.channels.text import block, clip, visible
from sayso.client.address import socket_path
from sayso.client.blocking import Desk
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
    found = _all(desk, args.surface)
    out.json(found)
    for each in found:
        kind, label = each["kind"], each.get("agent_id", "")
        who = f" · {label}" if label else ""
        out.say(
            clip(f"{short(each['request_id'])} · {kind} · {each['surface_id']}{who}", out.columns), "strong"
        )
        out.say(f"    {clip(each['title'], out.columns - 4)}")
    if not found:
        out.say("No program waits for an answer.")
    return DONE


def _answer(args: argparse.Namespace, desk: Desk, out: Output) -> int:
    asked = _meant(args.id, _all(desk))
    if asked is not None and not args.json:
        _show(asked, out)
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


def _all(desk: Desk, surface: str = "") -> list[Pending]:
    found: list[Pending] = desk.call("agent.ask_pending", {"surface_id": surface} if surface else {})[
        "pending"
    ]
    return found


def _meant(prefix: str, pending: Sequence[Pending]) -> Pending | None:
    """Return the question whose id begins so, None where none does.

    Raises:
        BadRequest: several do.
    """
    found = [each for each in pending if each["request_id"].startswith(prefix)]
    exact = [each for each in found if each["request_id"] == prefix]
    if len(found) > 1 and not exact:
        raise BadRequest(f"{visible(prefix)} begins the ids of {len(found)} questions: type more of it", "id")
    return (exact or found or [None])[0] if prefix else None


def _id(prefix: str, asked: Pending | None) -> str:
    if not prefix:
        raise BadRequest("the id is empty", "id")
    return str(asked["request_id"]) if asked is not None else prefix


def _show(asked: Pending, out: Output) -> None:
    """Write the question, whole: what is answered was seen."""
    out.lines(lined(visible(asked["title"]), out.columns, style="strong"))
    body = asked.get("body", "")
    for row in block(body, out.columns) if body else ():
        out.say(row)
    length = asked.get("body_length", 0)
    if length > len(body):
        out.say(f"({length - len(body):,} more characters: sayso show {short(asked['request_id'])})", "loud")


def _complain(out: Output, text: str, code: int) -> int:
    if not out.as_json:
        sys.stdout.flush()
        sys.stderr.write(f"sayso ask: {visible(text)}\n")
    return code
