"""Messages to a session, on the command line: sent, taken back, and what becomes of them.

Not here: requests (`courier`, `replies`). Imports `base`, `output`, `text`, `wire.views` and `errors`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

import msgspec

from sayso.channels.base import agent_name, lined, message_words, short, where
from sayso.channels.courier import SNAPSHOT_S, Desk
from sayso.channels.output import DONE, NOT_OBEYED, NOT_YET, Output
from sayso.channels.text import visible
from sayso.errors import BadRequest, Gone, Unavailable
from sayso.wire.views import Change, MessageView, SessionView, Snapshot

Key = tuple[str, str]
_OPEN = frozenset({"queued", "taken"})
_FOLLOW_S = 2.0
"""How long to watch for what becomes of a message that is taken back."""


# --- which session ----------------------------------------------------------------------


def find(named: str, sessions: Iterable[SessionView]) -> SessionView:
    """Return the one session whose id begins so, or that alone works in a place of this name.

    Of several sessions of one id, in processes of their own, the last one is the one that lives.

    Raises:
        BadRequest: several are meant; they are listed.
        Gone: none is.
    """
    wanted = named.strip()
    every = {(view.agent, view.session_id): view for view in _ended_first(sessions)}.values()
    exact = [view for view in every if wanted and view.session_id == wanted]
    by_id = [view for view in every if wanted and view.session_id.lower().startswith(wanted.lower())]
    living = [view for view in every if wanted in _names(view) and view.state != "ended"]
    matches = exact or by_id or living
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise Gone(f"no session is known by {visible(named)!r}; `sayso sessions` shows those that are")
    listed = "\n".join(
        f"  {visible(view.session_id)}  {agent_name(view.agent)} in {where(view)}, {visible(view.state)}"
        for view in matches
    )
    raise BadRequest(f"{visible(named)!r} may mean {len(matches)} sessions; say which:\n{listed}", "session")


def _names(view: SessionView) -> set[str]:
    """Return what people may call the place where a session works: project, worktree, folder."""
    return {view.project, view.worktree, PurePath(view.cwd).name} - {""}


def _ended_first(sessions: Iterable[SessionView]) -> list[SessionView]:
    return sorted(sessions, key=lambda view: view.state != "ended")


# --- the connection ---------------------------------------------------------------------


class Box:
    """A connection that knows the sessions and their messages as the desk last told them.

    `raw` are the messages as they stood on the wire.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.sessions: list[SessionView] = []
        self.raw_sessions: list[dict[str, Any]] = []
        self.messages: dict[Key, MessageView] = {}
        self.raw: dict[Key, dict[str, Any]] = {}
        desk.subscribe()
        if self.read(SNAPSHOT_S) is None:
            raise Unavailable("the desk does not answer; `sayso status` says more")

    def read(self, timeout_s: float) -> Change | None:
        """Take in the next change and return it, None when none comes in time."""
        change = self.desk.next_change(timeout_s)
        if change is None:
            return None
        told = msgspec.convert(change, Change)
        if told.snapshot is not None:
            self._reset(told.snapshot, change["snapshot"])
        elif told.message is not None:
            self._keep(told.message, change["message"])
        return told

    def _reset(self, snapshot: Snapshot, raw: dict[str, Any]) -> None:
        self.sessions, self.raw_sessions = list(snapshot.sessions), raw["sessions"]
        for view, each in zip(snapshot.messages, raw["messages"], strict=True):
            self._keep(view, each)

    def _keep(self, view: MessageView, raw: dict[str, Any]) -> None:
        self.messages[view.agent, view.session_id] = view
        self.raw[view.agent, view.session_id] = raw

    def follow(self, view: MessageView, wait_s: float) -> MessageView | None:
        """Return a message as it stands once it is on its way no more, or after a while.

        None: a newer one took its place.
        """
        key = (view.agent, view.session_id)
        until_s = time.monotonic() + wait_s
        while (left_s := until_s - time.monotonic()) > 0 and view.state in _OPEN:
            told = self.read(left_s)
            if told is None:
                break
            now = told.message
            if now is None or (now.agent, now.session_id) != key or now.number < view.number:
                continue
            if now.number > view.number:
                return None
            view = now
        return view


# --- the commands -----------------------------------------------------------------------


def send(args: argparse.Namespace, out: Output) -> int:
    words = text(args.text)
    with args.connect() as desk:
        box = Box(desk)
        session = find(args.session, box.sessions)
        key = (session.agent, session.session_id)
        params = {"agent": key[0], "session_id": key[1], "text": words, "when": args.when}
        raw = desk.call("desk.queue", params)
        sent: MessageView | None = msgspec.convert(raw, MessageView)
        if args.wait is not None:
            sent = box.follow(sent, args.wait)
            raw = box.raw.get(key, raw)
    out.json(raw)
    if sent is None:
        out.lines(lined("A newer message took its place.", out.columns, style="loud"))
        return NOT_OBEYED
    out.lines(lined(f"{_place(session)}: {message_words(sent)}", out.columns, style=_style(sent)))
    if sent.state in _OPEN:
        name = short(session.session_id)
        words = f"Follow it with: sayso sessions. Take it back with: sayso unsend {name}"
        out.lines(lined(words, out.columns, style="faint"))
        return DONE if args.wait is None else NOT_YET
    return DONE if sent.state == "handed_over" else NOT_OBEYED


def text(given: str) -> str:
    """Return a text that was typed; of "-" what standard input says. Raises BadRequest."""
    if given != "-":
        return given
    try:
        return sys.stdin.read().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise BadRequest(f"standard input is no text: {error}", "text") from error


def _place(session: SessionView) -> str:
    return f"{agent_name(session.agent)} in {where(session)}, session {short(session.session_id)}"


def _style(view: MessageView) -> str:
    return "loud" if view.state in ("dropped", "uncertain") else "strong"


def unsend(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        box = Box(desk)
        session = find(args.session, box.sessions)
        key = (session.agent, session.session_id)
        view = box.messages.get(key)
        if view is None or view.state not in _OPEN | {"uncertain"}:
            ended = f": the last one was {message_words(view)}" if view is not None else ""
            raise Gone(f"no message waits for {_place(session)}{ended}")
        desk.call("desk.unqueue", {"agent": key[0], "session_id": key[1]})
        after = box.follow(view, _FOLLOW_S)
        out.json(box.raw[key])
    return _taken_back(session, view, after, out)


def _taken_back(session: SessionView, before: MessageView, after: MessageView | None, out: Output) -> int:
    if before.state == "uncertain":
        out.say("It is not shown any more; whether the agent got it stays unknown.", "strong")
        return DONE
    if after is not None and after.state == "dropped":
        out.say("Taken back: the agent does not get it.", "strong")
        return DONE
    words = "a newer message took its place" if after is None else message_words(after)
    out.lines(lined(f"{_place(session)}: {words}", out.columns, style="loud"))
    return NOT_YET if after is not None and after.state in _OPEN else NOT_OBEYED
