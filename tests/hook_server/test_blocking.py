"""The variant for threads: events in any thread, answers from any other."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sayso.hook_server import UrlFileInUse
from sayso.hook_server.blocking import Ending, HookEvent, HookResponse, HookServer
from tests.hook_server.callers import BASH, NOTHING, WAIT_S

MANY = 200


@pytest.fixture
def server() -> Iterator[HookServer]:
    with HookServer() as server:
        yield server


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MANY) as pool:
        yield pool


def call(server: HookServer, **more: Any) -> bytes:
    headers = {"content-type": "application/json", "authorization": f"Bearer {server.token}"}
    request = urllib.request.Request(server.endpoint, json.dumps({**BASH, **more}).encode(), headers)
    with urllib.request.urlopen(request, timeout=WAIT_S) as response:
        found: bytes = response.read()
    return found


def taken(server: HookServer) -> HookEvent:
    event = server.next_event(WAIT_S)
    assert event is not None
    return event


def decision(told: Future[bytes]) -> str:
    found: str = json.loads(told.result(WAIT_S))["hookSpecificOutput"]["permissionDecision"]
    return found


def test_an_event_is_answered(server: HookServer, pool: ThreadPoolExecutor) -> None:
    told = pool.submit(call, server)
    event = taken(server)
    assert (event.tool, server.pending) == ("Bash", 1)
    assert event.respond(HookResponse(True))
    assert decision(told) == "allow"
    assert event.wait_gone(WAIT_S) is Ending.ANSWERED


def test_threads_share_the_events_and_answer_for_each_other(
    server: HookServer, pool: ThreadPoolExecutor
) -> None:
    numbers, everybody = set[str](), threading.Lock()

    def take() -> None:
        for event in server.events():
            with everybody:
                assert event.session_id not in numbers
                numbers.add(event.session_id)
            threading.Thread(target=event.allow).start()

    takers = [threading.Thread(target=take) for _ in range(4)]
    for taker in takers:
        taker.start()
    told = [pool.submit(call, server, session_id=str(number)) for number in range(MANY)]
    assert {decision(one) for one in told} == {"allow"}
    server.stop()
    for taker in takers:
        taker.join(WAIT_S)
        assert not taker.is_alive()
    assert len(numbers) == MANY


def test_none_comes_in_time(server: HookServer) -> None:
    start_s = time.monotonic()
    assert server.next_event(0) is None
    assert server.next_event(0.05) is None
    assert time.monotonic() - start_s >= 0.05


def test_stopping_ends_who_waits(server: HookServer, pool: ThreadPoolExecutor) -> None:
    told = pool.submit(call, server)
    event = taken(server)
    listing, following = pool.submit(list, server.events()), pool.submit(server.next_event)
    server.stop()
    assert told.result(WAIT_S) == NOTHING
    assert event.ending is Ending.STOPPED
    assert listing.result(WAIT_S) == []
    assert following.result(WAIT_S) is None
    assert server.next_event() is None
    assert list(server.events()) == []
    server.stop()
    with pytest.raises(RuntimeError):
        _ = server.url


def test_one_that_nobody_keeps_decides_nothing(server: HookServer, pool: ThreadPoolExecutor) -> None:
    told = pool.submit(call, server)
    event = taken(server)
    del event
    gc.collect()
    assert told.result(WAIT_S) == NOTHING


def test_a_caller_that_goes_is_noticed(server: HookServer) -> None:
    import socket

    body = json.dumps(BASH).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as caller:
        head = (
            f"POST /hook?t={server.token} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        )
        caller.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        event = taken(server)
        assert event.wait_gone(0) is None
    assert event.wait_gone(1) is Ending.GONE
    assert not event.deny("late")


def test_it_may_be_started_anew_and_only_once(server: HookServer, pool: ThreadPoolExecutor) -> None:
    with pytest.raises(RuntimeError):
        server.start()
    server.stop()
    server.start()
    told = pool.submit(call, server)
    taken(server).deny("no")
    assert decision(told) == "deny"


def test_what_keeps_it_from_starting_is_raised_where_it_is_started(tmp_path: Path) -> None:
    path = tmp_path / "hooks" / "url"
    with HookServer(url_file=path) as first:
        second = HookServer(url_file=path)
        with pytest.raises(UrlFileInUse):
            second.start()
        assert not second.running
        assert path.read_text() == f"{first.url}\n"
    second.start()
    second.stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "sayso-hooks"]


async def test_it_can_be_used_beside_a_loop(server: HookServer) -> None:
    told = asyncio.create_task(asyncio.to_thread(call, server))
    event = await asyncio.to_thread(taken, server)
    assert event.allow()
    assert await event.gone() is Ending.ANSWERED
    assert b"allow" in await told


def test_variants_offer_the_same() -> None:
    from sayso import hook_server

    def names(of: type) -> set[str]:
        return {name for name in vars(of) if not name.startswith("_")}

    assert names(HookServer) - names(hook_server.HookServer) == {"next_event"}
    assert names(hook_server.HookServer) <= names(HookServer)
