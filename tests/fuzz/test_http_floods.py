"""Much of everything over HTTP: who sends it takes nothing away from others, and leaves nothing behind."""

from __future__ import annotations

import resource
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

from sayso.daemon.http_routes import ROUTES
from tests.fuzz import requests as fuzz
from tests.fuzz.victim import BOUND_S, Victim, check_error, running

AT_ONCE = 2000
"""Requests on one connection before any is answered."""
SILENT = 500
WATCHERS = 200
OWN = 5
"""Connections that a test keeps for its own looks at the desk."""
FILES = 200
"""What a desk may have open that is flooded beyond it."""


@pytest.fixture
def victim() -> Iterator[Victim]:
    with running() as victim:
        yield victim


def request(victim: Victim, method: str, path: str, *more: tuple[bytes, bytes]) -> bytes:
    good = (fuzz.NAME, b"Bearer " + victim.token.encode())
    return fuzz.head(method, path, "1.1", [(b"Host", b"127.0.0.1:%d" % victim.port), good, *more])


def until(holds: Callable[[], bool], what: str) -> None:
    until_s = time.monotonic() + BOUND_S
    while not holds():
        assert time.monotonic() < until_s, what
        time.sleep(0.02)  # another process has no sign to give


def test_thousands_of_requests_at_once_on_one_connection(victim: Victim) -> None:
    last = request(victim, "GET", "/api/none", (b"Connection", b"close"))
    with victim.bounded():
        came = fuzz.exchange(
            victim.port, request(victim, "GET", "/api/me") * AT_ONCE + last, BOUND_S, BOUND_S
        )
    assert [answer.status for answer in fuzz.answers(came)] == [200] * AT_ONCE + [404]


@pytest.mark.parametrize("begin", [b"", b"GET /api/health HTTP/1.1\r\nHost: "])
def test_connections_that_say_nothing_take_nothing_from_others(victim: Victim, begin: bytes) -> None:
    files = victim.open_files()
    with victim.bounded(), ExitStack() as silent:
        for _ in range(SILENT):
            wire = silent.enter_context(socket.create_connection(("127.0.0.1", victim.port), BOUND_S))
            wire.sendall(begin)
        victim.is_well()
        victim.home.desk().close()
    until(lambda: victim.open_files() <= files + OWN, "connections of clients that left are kept")


@pytest.mark.parametrize("path", [route.path for route in ROUTES if route.events])
def test_streams_whose_readers_leave_are_gone(victim: Victim, path: str) -> None:
    files = victim.open_files()
    with victim.bounded(), ExitStack() as streams:
        for _ in range(WATCHERS):
            wire = streams.enter_context(socket.create_connection(("127.0.0.1", victim.port), BOUND_S))
            wire.sendall(request(victim, "GET", path))
            assert wire.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        assert victim.http.get("/api/health").json()["watchers"] == WATCHERS
    until(lambda: victim.http.get("/api/health").json()["watchers"] == 0, "streams without readers are kept")
    until(lambda: victim.open_files() <= files + OWN, "their connections are kept")


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux another's limits can be set")
def test_more_connections_than_files_leave_the_others_theirs(victim: Victim) -> None:
    resource.prlimit(victim.home.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
    with ExitStack() as flood, victim.home.desk() as before:
        statuses = [flooded(victim, flood) for _ in range(2 * FILES)]
        assert before.call("desk.health", {})["ok"]
        with victim.home.desk() as newcomer:
            assert newcomer.call("desk.health", {})["ok"]
    assert statuses.count(200) > FILES // 2
    assert statuses.count(503) > FILES
    until(lambda: victim.http.get("/api/health").json()["ok"], "there is room, and nobody is let in")


def flooded(victim: Victim, flood: ExitStack) -> int:
    """Open one more connection, and return what it was answered with."""
    wire = flood.enter_context(socket.create_connection(("127.0.0.1", victim.port), BOUND_S))
    with suppress(BrokenPipeError, ConnectionResetError):  # it was refused before it said anything
        wire.sendall(request(victim, "GET", "/api/me"))
    (answer,) = fuzz.answers(wire.recv(1 << 16))
    if answer.status != 200:
        check_error(503, answer.body)
    return answer.status
