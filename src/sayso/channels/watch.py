"""`sayso watch`: the interactive screen on a real terminal, or plain lines where there is none.

The thin part: it moves bytes, changes and actions between the terminal, the desk and the
model, and decides nothing. Imports `screen`, `stream`, `terminal`, `courier`, `output` and the
shapes of the wire.
"""

from __future__ import annotations

import argparse
import os
import secrets
import select
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from sayso.channels.base import (
    alert_line,
    asker,
    grant_lines,
    message_line,
    note_line,
    short,
    state_words,
    summary,
    what,
    where,
)
from sayso.channels.courier import Connect, Desk
from sayso.channels.output import DONE, Output
from sayso.channels.screen.actions import (
    Action,
    Away,
    Bell,
    Load,
    Presence,
    Quit,
    Redraw,
    Release,
    Send,
    Suspend,
)
from sayso.channels.screen.frame import frame
from sayso.channels.screen.keys import Decoder, Focus, Key, Paste, Typed, looks_pasted, pasted_text
from sayso.channels.screen.model import Model
from sayso.channels.stream import Absent, Stream
from sayso.channels.terminal import Terminal, signals
from sayso.channels.text import visible
from sayso.core.types import Row
from sayso.errors import SaysoError, Unavailable
from sayso.wire.views import Change, GrantView, RequestView

CALL_S = 5.0
"""A desk that does not answer within this is taken for gone."""
FIRST_RETRY_S, LAST_RETRY_S = 0.1, 5.0
TICK_S = 1.0
ABSENT_S = 2.0
"""A restart of the desk takes less, and is not told as its absence."""
ESCAPE_S = 0.05
"""An escape that nothing follows within this was the key."""
CHANGE_S = 0.05
"""How long the rest of a line may take to come after its beginning."""
HUNG_UP = 129
READ_BYTES = 65536


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the command and return its exit code."""
    if out.as_json or args.once or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return follow(args.connect, out, args.once)
    desk = opened(args.connect)  # no desk, or a refusal, is told before the screen is taken
    with signals() as woken, Terminal(sys.stdin.fileno(), sys.stdout.fileno(), out.styled) as terminal:
        watch = Watch(args.connect, terminal, woken)
        try:
            return watch.run(desk)
        finally:
            watch.close()


def opened(connect: Connect) -> Desk:
    """Return a connection on which changes come."""
    desk = connect()
    try:
        desk.subscribe()
    except BaseException:
        desk.close()
        raise
    return desk


class Backoff:
    """When to try again: soon at first, then ever later, without an end."""

    def __init__(self) -> None:
        self._wait_s = FIRST_RETRY_S
        self.at_s = 0.0

    def failed(self, now_s: float) -> None:
        self.at_s = now_s + self._wait_s
        self._wait_s = min(self._wait_s * 2, LAST_RETRY_S)

    def succeeded(self) -> None:
        self._wait_s = FIRST_RETRY_S


class Watch:
    """The screen at work. `woken` is readable after a signal."""

    def __init__(
        self, connect: Connect, terminal: Terminal, woken: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connect = connect
        self._terminal = terminal
        self._woken = woken
        self._clock = clock
        self._decoder = Decoder()
        self._backoff = Backoff()
        self._desk: Desk | None = None
        self._code: int | None = None
        self._model = Model(lambda: secrets.token_hex(16), clock())

    def run(self, desk: Desk) -> int:
        """Work until the person quits; return the exit code."""
        self._desk = desk
        while self._code is None:
            self._changes(0)  # those that came with an answer do not make the connection readable
            self._perform(self._model.tick(self._clock()))
            self._draw()
            self._wait()
        return self._code

    def close(self) -> None:
        if self._desk is not None:
            self._desk.close()
            self._desk = None

    # --- what may come

    def _wait(self) -> None:
        poll = select.poll()
        for fd in (self._terminal.in_fd, self._woken, *([self._desk.fileno()] if self._desk else [])):
            poll.register(fd, select.POLLIN)
        ready = {fd for fd, _ in poll.poll(self._patience_s() * 1000)}
        if self._woken in ready:
            os.read(self._woken, READ_BYTES)
        if self._desk is None:
            self._reconnect()
        elif self._desk.fileno() in ready:
            self._changes(CHANGE_S)
        if self._terminal.in_fd in ready:
            self._read()
        elif self._decoder.waits:
            self._typed(self._decoder.flush())

    def _patience_s(self) -> float:
        if self._decoder.waits:
            return ESCAPE_S
        return max(0.0, min(self._backoff.at_s - self._clock(), TICK_S)) if self._desk is None else TICK_S

    def _read(self) -> None:
        try:
            data = os.read(self._terminal.in_fd, READ_BYTES)
        except OSError:
            data = b""
        if data:
            self._typed(self._decoder.feed(data))
        else:
            self._code = HUNG_UP

    def _typed(self, typed: list[Typed]) -> None:
        if self._model.step is None and looks_pasted(typed):
            typed = [Paste(pasted_text(typed))]
        for each in typed:
            if self._code is not None:
                return
            now_s = self._clock()
            match each:
                case Key(name):
                    self._perform(self._model.key(name, now_s))
                case Paste(text):
                    self._perform(self._model.paste(text, now_s))
                case Focus(here):
                    self._perform(self._model.focus(here, now_s))
            self._draw()  # each key meets what the one before it put on the screen

    # --- the desk

    def _changes(self, wait_s: float) -> None:
        """Take every change that has come."""
        try:
            while self._desk is not None and (change := self._desk.next_change(wait_s)) is not None:
                wait_s = 0
                self._perform(self._model.take(msgspec.convert(change, Change), self._clock()))
        except Unavailable:
            self._lost()

    def _reconnect(self) -> None:
        if self._clock() < self._backoff.at_s:
            return
        try:
            self._desk = opened(self._connect)
        except SaysoError:  # the screen says that the desk is away already
            self._backoff.failed(self._clock())
            return
        self._backoff.succeeded()

    def _lost(self) -> None:
        self.close()
        self._backoff.failed(self._clock())
        self._model.lost_link()

    def _call(self, method: str, params: dict[str, Any]) -> Any:
        if self._desk is None:
            raise Unavailable("the desk is away")
        try:
            return self._desk.call(method, params, CALL_S)
        except Unavailable:
            self._lost()
            raise

    # --- what is to be done

    def _perform(self, actions: list[Action]) -> None:
        for action in actions:
            self._do(action)

    def _do(self, action: Action) -> None:
        match action:
            case Send():
                self._send(action)
            case Release(request_id):
                self._ask(request_id, "desk.release", {"id": request_id})
            case Load(request_id, index):
                row = self._ask(request_id, "desk.row", {"id": request_id, "row": index})
                if row is not None:
                    self._model.loaded(request_id, index, msgspec.convert(row, Row))
            case Away(away):
                self._ask("", "desk.settings", {"settings": {"away": away}})
            case Presence(present, open_ids):
                self._ask("", "desk.presence", {"present": present, "open": list(open_ids)})
            case Bell():
                self._terminal.bell()
            case Redraw():
                self._terminal.forget()
            case Suspend():
                self._terminal.suspend()
            case Quit(code):
                self._code = code

    def _send(self, send: Send) -> None:
        try:
            result = self._call("desk.answer", {"id": send.request_id, "reply": send.reply})
        except Unavailable:
            self._perform(self._model.unsent(send, self._clock()))
        except SaysoError as error:
            self._perform(self._model.refused(send.request_id, error.text))
        else:
            taken = self._model.acknowledged if result.get("acknowledged") else self._model.sent
            self._perform(taken(send.request_id, self._clock()))

    def _ask(self, request_id: str, method: str, params: dict[str, Any]) -> Any:
        """Return the result; None when there is none, which the screen then tells."""
        try:
            result = self._call(method, params)
        except Unavailable:
            return None  # the screen says so already
        except SaysoError as error:
            self._perform(self._model.refused(request_id, error.text))
            return None
        return result

    def _draw(self) -> None:
        columns, rows = self._terminal.size()
        self._terminal.draw(frame(self._model, columns, rows, self._clock(), time.time()))


# --- without a terminal ----------------------------------------------------------------


def follow(connect: Connect, out: Output, once: bool = False) -> int:
    """Write each change as a line until the reader or the person has enough.

    Args:
        once: write what is there now, and end.
    """
    desk = opened(connect)
    stream, backoff, again = Stream(), Backoff(), False
    while True:
        try:
            change = desk.next_change(CALL_S if once else TICK_S)
        except Unavailable as error:
            desk.close()
            desk, again = _reopened(connect, backoff, out, error), True
            continue
        if change is not None:
            _write(stream.line(change, again), change, out)
            again = False
        if once:
            desk.close()
            return DONE if change is not None else out.fail(Unavailable("the desk does not answer"))
        check_read()


def _write(line: dict[str, Any], change: dict[str, Any], out: Output) -> None:
    out.json(line)
    for words in change_lines(msgspec.convert(change, Change), out.columns):
        out.say(f"{time.strftime('%H:%M:%S')} {words}")
    sys.stdout.flush()


def check_read() -> None:
    """Raises BrokenPipeError once nobody reads any more, though nothing is to be written."""
    poll = select.poll()
    with suppress(OSError):  # none that could be asked
        poll.register(sys.stdout.fileno(), 0)
    if any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0)):
        raise BrokenPipeError


def _reopened(connect: Connect, backoff: Backoff, out: Output, error: Unavailable) -> Desk:
    sys.stderr.write(f"sayso: {visible(error.text)}; trying again\n")
    since_s, told = time.monotonic(), False
    while True:
        backoff.failed(time.monotonic())
        time.sleep(max(0.0, backoff.at_s - time.monotonic()))
        check_read()
        try:
            desk = opened(connect)
        except Unavailable:
            if not told and time.monotonic() - since_s > ABSENT_S:
                out.json(msgspec.to_builtins(Absent()))
                sys.stdout.flush()
                told = True
            continue
        backoff.succeeded()
        return desk


def change_lines(change: Change, columns: int) -> list[str]:
    """Return a change in words: a line for each request, message, note or alert that it is about."""
    if change.snapshot is not None:
        alerts = [alert_line(alert).text for alert in change.snapshot.alerts]
        notes = [note_line(note, columns).text for note in change.snapshot.notes]
        notes += _granted(change.snapshot.grants, columns)
        return [*alerts, *notes, *(_asks(view, columns) for view in change.snapshot.requests)]
    if change.alert is not None:
        return [alert_line(change.alert).text]
    if change.note is not None:
        return [note_line(change.note, columns).text]
    if change.grants is not None:
        return _granted(change.grants, columns) or ["No grant is open any more."]
    if change.message is not None:
        return [f"session {short(change.message.session_id)} {message_line(change.message).text}"]
    if change.request is None or change.type == "forgotten":
        return []
    if change.type == "shown":
        return [_asks(change.request, columns)]
    return [f"{short(change.request.id)} {state_words(change.request)}"]


def _granted(views: tuple[GrantView, ...], columns: int) -> list[str]:
    return [line.text for line in grant_lines(views, columns, time.time())]


def _asks(view: RequestView, columns: int) -> str:
    if view.notice:
        return f"{short(view.id)} {state_words(view)}"
    project = f" in {where(view)}" if view.project else ""
    return f"{short(view.id)} {asker(view)}{project} {what(view)}: {summary(view, columns)}"
