"""The commands with which a person sees what waits, and answers it.

Not here: how a request looks (`card`), what a reply is made of (`replies`, `values`), the way
of an answer (`courier`), the interactive screen (`watch`). `main` makes the parser and gives each
command `args.connect`. Imports those, and `wire.views`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from sayso.channels import grants, letters, manual, mute, replies, values
from sayso.channels.base import (
    HANDED_OVER,
    LOUD,
    Line,
    alert_line,
    grant_lines,
    lined,
    message_line,
    note_line,
    outcome,
    session_line,
    settled_words,
    short,
    state_words,
    summary,
)
from sayso.channels.card import heading, lead, request_card
from sayso.channels.courier import Courier
from sayso.channels.output import DONE, GONE, INTERRUPTED, NOT_OBEYED, NOT_YET, TRANSPORT, Output
from sayso.channels.text import visible
from sayso.core.bounds import ACKNOWLEDGED_S
from sayso.core.types import DIRECT
from sayso.errors import BadReply, BadRequest, Gone, SaysoError
from sayso.wire.views import RequestView

Run = Callable[[argparse.Namespace, Output], int]


# --- commands that show ----------------------------------------------------------------


def _list(args: argparse.Namespace, out: Output) -> int:
    with Courier(args.connect) as courier:
        pending = courier.pending()
        notices = [view for view in courier.views.values() if view.notice]
        told = [alert_line(alert) for alert in courier.alerts]
        notes = [note_line(note, out.columns) for note in courier.notes]
        granted = grant_lines(courier.grants, out.columns, out.now_s())
        out.json([courier.raw[view.id] for view in (*pending, *notices)])
    for text, style in told:
        out.lines(lined(text, out.columns, style=style))
    out.lines([*notes, *granted])
    if not pending:
        out.say("Nothing waits for you.")
    for number, view in enumerate(pending, 1):
        place = f"{number} of {len(pending)}"
        out.lines(lead(view, out.columns, out.now_s(), place))
        out.say(f"    {summary(view, out.columns - 4)}")
    for view in notices:
        out.lines(lined(f"{short(view.id)} · {state_words(view)}", out.columns, style="faint"))
        out.say(f"    {summary(view, out.columns - 4)}", "faint")
    if pending:
        out.say("")
        out.say("sayso show ID tells all of it; sayso allow, deny or answer ID answers it.", "faint")
    return DONE


def _show(args: argparse.Namespace, out: Output) -> int:
    with Courier(args.connect) as courier:
        if args.id is not None:
            found = [replies.find(args.id, courier.views.values())]
        else:
            found = courier.pending()
        if not found:
            out.say("Nothing waits for you.")
        out.json([courier.raw[view.id] for view in found])
        for view in found:
            if not out.as_json:
                _print_whole(courier, view, out)
    return DONE


def _print_whole(courier: Courier, view: RequestView, out: Output) -> RequestView:
    """Write the card with every row whole, and return it so."""
    pending = courier.pending()
    place = f"{pending.index(view) + 1} of {len(pending)}" if view in pending and len(pending) > 1 else ""
    whole = _whole(courier, view)
    out.lines([*request_card(whole, out.columns, out.now_s(), place), Line("")])
    return whole


def _whole(courier: Courier, view: RequestView) -> RequestView:
    rows = list(view.input)
    for index in replies.unread(view):
        rows[index] = courier.row(view.id, index)
    return msgspec.structs.replace(view, input=tuple(rows))


def _sessions(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        box = letters.Box(desk)
    keys = [(view.agent, view.session_id) for view in box.sessions]
    raw = zip(box.raw_sessions, keys, strict=True)
    out.json([{**each, "message": box.raw[key]} if key in box.raw else each for each, key in raw])
    if not box.sessions:
        out.say("No session of an agent is known.")
    for view, key in zip(box.sessions, keys, strict=True):
        out.lines(session_line(view, out.columns, out.now_s()))
        if key in box.messages:
            text, style = message_line(box.messages[key])
            out.lines(lined(text, out.columns, "  ", style))
    return DONE


# --- commands that answer --------------------------------------------------------------


def _target(courier: Courier, prefix: str) -> RequestView:
    """Return the pending request a person means.

    Raises:
        Gone: it is settled; says how.
    """
    view = replies.find(prefix, courier.views.values())
    if view.notice:
        raise Gone(f"{short(view.id)} cannot be answered here: {state_words(view)}", view.state)
    if view.state != "pending":
        raise Gone(f"{short(view.id)} is settled: {settled_words(view)}", view.state)
    return view


def _allow(args: argparse.Namespace, out: Output) -> int:
    plan = _plan_file(args.plan_file)
    with Courier(args.connect) as courier:
        view = _target(courier, args.id)
        given = (args.suggestion, args.mode, plan, args.unseen, args.for_s)
        reply = replies.allow(view, *given)
        if not out.as_json:
            view = _print_whole(courier, view, out)
            replies.allow(view, *given)  # a part may be lost after all
        code = _send(courier, view, reply, out)
        if args.for_s is not None:
            out.lines(grants.opened(view.id, args.for_s, out.columns))
        return code


def _plan_file(name: str | None) -> str | None:
    if name is None:
        return None
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadReply(f"the plan in {name} cannot be read: {error}", "plan") from error


def _deny(args: argparse.Namespace, out: Output) -> int:
    with Courier(args.connect) as courier:
        view = _target(courier, args.id)
        out.lines(heading(view, out.columns, out.now_s()))
        return _send(courier, view, replies.deny(view, args.message, args.stop), out)


def _answer(args: argparse.Namespace, out: Output) -> int:
    with Courier(args.connect) as courier:
        view = _target(courier, args.id)
        reply = _answer_reply(view, args)
        if args.unseen:
            reply["unseen"] = True
        if not out.as_json:
            _print_whole(courier, view, out)
        return _send(courier, view, reply, out)


def _answer_reply(view: RequestView, args: argparse.Namespace) -> replies.Reply:
    used = {name for name in manual.ANSWER_FORMS if getattr(args, name)}
    allowed = manual.FORMS_OF_KIND.get(view.kind)
    if allowed is None:
        raise BadReply(f"a {visible(view.kind)} is answered with: sayso allow ID, or sayso deny ID")
    if strange := used - allowed:
        named = ", ".join(manual.ANSWER_FORMS[name] for name in sorted(strange))
        raise BadReply(f"a {visible(view.kind)} is not answered with {named}")
    if view.kind in DIRECT:
        return _direct_reply(view, args)
    if view.kind == "plan":
        return replies.feedback("\n".join(filter(None, (" ".join(args.answers), *args.text))))
    if view.kind == "question":
        return replies.answer(view, args.answers, args.pick, args.text, args.notes)
    return _form_reply(view, args)


def _direct_reply(view: RequestView, args: argparse.Namespace) -> replies.Reply:
    if args.cancel and not (args.answers or args.text):
        return {"behavior": "cancel"}
    if args.cancel:
        raise BadReply("choose one: an answer, or --cancel")
    return values.reply(view, args.answers, [letters.text(each) for each in args.text])


def _form_reply(view: RequestView, args: argparse.Namespace) -> replies.Reply:
    if args.accept + args.decline + args.cancel > 1 or (args.set and (args.decline or args.cancel)):
        raise BadReply("choose one: --set name=value or --accept, --decline, --cancel")
    if args.decline:
        return replies.deny(view)
    if args.cancel:
        return {"behavior": "cancel"}
    if not (args.set or args.accept):
        raise BadReply("say --set name=value for each field, or --accept, --decline or --cancel")
    return replies.form(view, args.set)


def _send(courier: Courier, view: RequestView, reply: replies.Reply, out: Output) -> int:
    """Give the answer; write what became of it; return the exit code that says so."""
    try:
        after = courier.answer(view.id, reply)
    except Gone as error:
        known = courier.views.get(view.id)
        if known is not None and known.state != "pending":
            raise Gone(f"{error.text} ({settled_words(known)})", error.state) from error
        raise
    if values.is_ack(reply):
        return _acknowledged(courier, after, out)
    out.json(courier.raw[view.id])
    out.lines(outcome(after, out.columns))
    if after.state in HANDED_OVER:
        return DONE
    if after.state in LOUD:
        return NOT_OBEYED
    if after.state in ("pending", "answered"):
        words = f"Not handed over yet. Look again with: sayso show {short(view.id)}"
        out.lines(lined(words, out.columns, style="strong"))
        return NOT_YET
    return GONE


def _acknowledged(courier: Courier, view: RequestView, out: Output) -> int:
    """Say what comes next; nothing runs before the person has typed that, too."""
    out.json({**courier.raw[view.id], "acknowledged": True})
    words = f"Acknowledged; nothing runs yet. To have it run, within {ACKNOWLEDGED_S:.0f} s:"
    out.lines(lined(words, out.columns, style="strong"))
    out.say(f"  sayso answer {short(view.id)} run")
    return DONE


def _release(args: argparse.Namespace, out: Output) -> int:
    with Courier(args.connect) as courier:
        view = _target(courier, args.id)
        result = courier.desk.call("desk.release", {"id": view.id})
    out.json(result)
    out.lines(lead(view, out.columns, out.now_s()))
    whose = "program that asked" if view.is_own else "agent's own prompt"
    out.say(f"Given back to the {whose}; nothing was decided here.")
    return DONE


def _watch(args: argparse.Namespace, out: Output) -> int:
    # The other commands need no terminal and start without what it takes.
    from sayso.channels import watch

    return watch.run(args, out)


# --- settings --------------------------------------------------------------------------


def _settings(args: argparse.Namespace, out: Output) -> int:
    name: str | None = args.name
    with args.connect() as desk:
        current: dict[str, Any] = desk.call("desk.settings", {})
        if name is not None and name not in current:
            raise BadRequest(f"no setting {visible(name)!r}; there is {', '.join(current)}", "settings")
        if name is not None and args.value is not None:
            changed = manual.setting_value(name, current[name], args.value)
            current = desk.call("desk.settings", {"settings": {name: changed}})
    out.json(current if name is None else current[name])
    for each in current if name is None else [name]:
        out.say(f"{each} = {visible(manual.setting_words(current[each]))}", "strong")
        if about := manual.SETTINGS.get(each):
            out.lines(lined(about, out.columns, "    "))
    return DONE


# --- the parsers -----------------------------------------------------------------------


def runner(run: Run) -> Callable[[argparse.Namespace], int]:
    """Return the command as `main` calls it: errors become words and an exit code."""

    def command(args: argparse.Namespace) -> int:
        out = Output(as_json=args.json)
        try:
            code = run(args, out)
            sys.stdout.flush()
        except SaysoError as error:
            return out.fail(error)
        except msgspec.ValidationError as error:
            return out.fail(SaysoError(f"the desk speaks another version of this language: {error}"))
        except BrokenPipeError:
            # The reader had enough. Nothing is left to flush into the closed pipe at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return TRANSPORT
        except KeyboardInterrupt:
            return INTERRUPTED
        return code

    return command


def add_commands(subparsers: manual.Subparsers) -> None:
    """Add every command of this module; each leaves `args.run`, which returns the exit code."""
    runs: dict[str, Run] = {
        "list": _list,
        "show": _show,
        "allow": _allow,
        "deny": _deny,
        "answer": _answer,
        "grants": grants.run,
        "release": _release,
        "sessions": _sessions,
        "send": letters.send,
        "unsend": letters.unsend,
        "mute": mute.run,
        "watch": _watch,
        "settings": _settings,
    }
    for name, run in runs.items():
        parser = manual.add_parser(subparsers, name)
        parser.set_defaults(run=runner(run))
