"""Much of everything on the control socket: the desk stays as small as it was, and serves the others."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest

from sayso.daemon.control import MOST_FEEDS, MOST_UNFINISHED_BYTES
from sayso.wire.protocol import MAX_LINE_BYTES
from tests.fuzz.victim import BOUND_S, Victim, running

SESSIONS = 1200
LARGE_EVENTS = 200
ASKS = 200
UNFINISHED = 100
SUBSCRIPTIONS = 500
LONG = [f"{number:0128d}" for number in range(1000)]
ROWS = [{"label": str(number), "value": f"{number:04000d}"} for number in range(60)]


@pytest.fixture
def victim() -> Iterator[Victim]:
    with running() as victim:
        yield victim


class Caller:
    def __init__(self, victim: Victim) -> None:
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.settimeout(BOUND_S)
        self.wire.connect(str(victim.home.places.socket))
        self.lines = self.wire.makefile("rb")

    def send(self, method: str, **params: Any) -> None:
        self.wire.sendall(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.send(method, **params)
        return self.next()

    def answer(self) -> dict[str, Any]:
        """Return what comes next and is no push."""
        while True:
            said: dict[str, Any] = json.loads(self.lines.readline())
            if "id" in said:
                return said

    def next(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.lines.readline())
        assert "error" not in answer, answer
        return answer

    def close(self) -> None:
        self.lines.close()
        self.wire.close()


@contextmanager
def caller(victim: Victim) -> Iterator[Caller]:
    one = Caller(victim)
    yield one
    one.close()


def event(session_id: str, at_s: float, **more: Any) -> dict[str, Any]:
    return {"agent": "a", "session_id": session_id, "type": "user-prompt-submit", "at_s": at_s, **more}


def test_sessions_that_nobody_has(victim: Victim) -> None:
    with victim.bounded(), caller(victim) as one:
        for number in range(SESSIONS):
            one.call("agent.event", **event(f"claimed {number}", 1.0 + number, cwd=f"/nowhere/{number}"))
        assert len(victim.state()["sessions"]) <= 1001


def test_large_events_of_many_sessions(victim: Victim) -> None:
    with victim.bounded(), caller(victim) as one:
        for number in range(LARGE_EVENTS):
            one.call("agent.event", **event(f"s{number % 7}", 1.0 + number, responses=LONG))


def test_large_asks_that_are_taken_back(victim: Victim) -> None:
    ask = {"agent": "a", "session_id": "s", "kind": "permission", "tool": "Bash", "input": ROWS}
    with victim.bounded(), caller(victim) as watching:
        watching.call("desk.subscribe")
        for _ in range(ASKS):
            with caller(victim) as one:
                assert one.call("agent.request", **ask)["method"] == "agent.pending"


def test_lines_that_do_not_end(victim: Victim) -> None:
    with ExitStack() as all_of_them, victim.bounded(MOST_UNFINISHED_BYTES):
        for _ in range(UNFINISHED):
            one = all_of_them.enter_context(caller(victim))
            with suppress(BrokenPipeError, ConnectionResetError):  # others have said too much already
                one.wire.sendall(b"x" * (MAX_LINE_BYTES - 1))


def test_one_connection_that_subscribes_again_and_again(victim: Victim) -> None:
    with victim.bounded(), caller(victim) as one:
        for _ in range(SUBSCRIPTIONS):
            one.send("desk.subscribe")
        answers = [one.answer() for _ in range(SUBSCRIPTIONS)]
    assert sum("result" in answer for answer in answers) == MOST_FEEDS
