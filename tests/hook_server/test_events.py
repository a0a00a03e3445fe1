"""Events that wait: many at once, each answered once, and all the ways in which one ends."""

from __future__ import annotations

import asyncio
import gc
import random
import threading
from contextlib import AsyncExitStack

import pytest

from sayso.hook_server import Ending, HookEvent, HookResponse, HookServer
from tests.hook_server.callers import (
    BASH,
    NOTHING,
    WAIT_S,
    Caller,
    call,
    calling,
    next_event,
    request,
    until_pending,
)

CROWD = 1000


async def test_an_event_is_answered_once(server: HookServer) -> None:
    async with calling(server) as told:
        event = await next_event(server)
        assert not event.over
        assert event.deny("no")
        assert not event.allow()
        assert not event.deny("again")
        assert not event.respond(HookResponse(True))
        assert not event.drop()
        assert b'"deny"' in (await told).body
        assert (event.over, event.ending) == (True, Ending.ANSWERED)
    await until_pending(server, 0)


async def test_a_thousand_at_once_are_answered_in_any_order_and_one_more_is_refused(
    server: HookServer,
) -> None:
    async with AsyncExitStack() as stack:
        told = [
            await stack.enter_async_context(calling(server, {**BASH, "session_id": str(number)}))
            for number in range(CROWD)
        ]
        await until_pending(server, CROWD)
        response = await call(server)
        assert (response.status, response.json["code"]) == (503, "too_many")
        assert set(response.json) == {"ok", "error", "code", "status"}
        events = [await next_event(server) for _ in range(CROWD)]
        random.shuffle(events)
        for event in events:
            number = int(event.session_id)
            assert event.deny(f"for {number}") if number % 2 else event.allow()
        for number, task in enumerate(told):
            said = (await task).json["hookSpecificOutput"]
            assert said["permissionDecision"] == ("deny" if number % 2 else "allow")
            assert said.get("permissionDecisionReason", f"for {number}") == f"for {number}"
    await until_pending(server, 0)


async def test_there_is_room_again_when_one_is_over() -> None:
    async with HookServer(max_pending=1) as server:
        async with calling(server) as told:
            event = await next_event(server)
            assert (await call(server)).status == 503
            event.allow()
            await told
        async with calling(server) as told:
            assert (await next_event(server)).allow()
            assert (await told).status == 200


async def test_two_answer_without_waiting_for_each_other(server: HookServer) -> None:
    async with calling(server, {**BASH, "session_id": "a"}) as first, calling(server) as second:
        events = {event.session_id: event for event in [await next_event(server), await next_event(server)]}
        events["s1"].allow()
        assert (await second).status == 200
        assert not first.done()
        events["a"].allow()
        assert (await first).status == 200


# --- the caller goes -------------------------------------------------------------------------


@pytest.mark.parametrize("is_rude", [True, False])
async def test_a_caller_that_goes_ends_its_event(server: HookServer, is_rude: bool) -> None:
    caller = await Caller.connect(server.port)
    caller.send(request(server))
    event = await next_event(server)
    gone = asyncio.create_task(event.gone())
    if is_rude:
        caller.writer.transport.abort()
    else:
        await caller.close()
    async with asyncio.timeout(1):
        assert await gone is Ending.GONE
    assert event.over
    assert not event.allow()
    await until_pending(server, 0)


async def test_one_that_sends_more_meanwhile_is_still_seen_to_go(server: HookServer) -> None:
    caller = await Caller.connect(server.port)
    caller.send(request(server) + request(server) * 3)
    event = await next_event(server)
    caller.send(b"x" * 1_000_000)
    await caller.writer.drain()
    assert server.pending == 1
    await caller.close()
    async with asyncio.timeout(1):
        assert await event.gone() is Ending.GONE


async def test_a_crowd_that_goes_leaves_nothing_behind(server: HookServer) -> None:
    callers = [await Caller.connect(server.port) for _ in range(100)]
    for caller in callers:
        caller.send(request(server))
    await until_pending(server, len(callers))
    for caller in callers:
        await caller.close()
    await until_pending(server, 0)
    async with calling(server, {**BASH, "session_id": "later"}):
        assert (await next_event(server)).session_id == "later"  # the others are not handed out


# --- the program lets go -----------------------------------------------------------------------


async def test_a_dropped_event_decides_nothing(server: HookServer) -> None:
    async with calling(server) as told:
        event = await next_event(server)
        assert event.drop()
        response = await told
        assert (response.status, response.body) == (200, NOTHING)
        assert (event.ending, event.allow()) == (Ending.DROPPED, False)


async def test_so_does_one_that_nobody_keeps(server: HookServer) -> None:
    async with calling(server) as told:
        event = await next_event(server)
        del event
        assert (await told).body == NOTHING
    await until_pending(server, 0)


async def test_also_where_only_the_collector_finds_it(server: HookServer) -> None:
    async with calling(server) as told:
        knot: list[object] = [await next_event(server)]
        knot.append(knot)
        del knot
        await asyncio.to_thread(gc.collect)
        assert (await told).body == NOTHING


async def test_an_iterator_keeps_none(server: HookServer) -> None:
    events = server.events()
    async with calling(server) as told:
        event = await anext(events)
        following = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        assert not event.over
        del event
        assert (await told).body == NOTHING
        following.cancel()


async def test_who_waits_for_its_end_keeps_it(server: HookServer) -> None:
    async with calling(server) as told:
        gone = asyncio.create_task((await next_event(server)).gone())
        gc.collect()
        await asyncio.sleep(0)
        assert not told.done()
        await server.stop()
        assert await gone is Ending.STOPPED


async def test_its_end_can_be_waited_for_again(server: HookServer) -> None:
    async with calling(server):
        event = await next_event(server)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await event.gone()
        assert event.wait_gone(0) is None
        event.allow()
        assert await event.gone() is Ending.ANSWERED
        assert event.wait_gone(0) is Ending.ANSWERED


# --- the server stops ----------------------------------------------------------------------------


async def test_a_server_that_stops_decides_nothing() -> None:
    async with HookServer() as server:
        async with calling(server) as taken, calling(server) as waiting:
            event = await next_event(server)
            await until_pending(server, 2)
            await server.stop()
            for task in (taken, waiting):
                response = await task
                assert (response.status, response.body) == (200, NOTHING)
            assert (event.ending, event.allow()) == (Ending.STOPPED, False)
        assert (server.running, server.pending) == (False, 0)
        assert [one async for one in server.events()] == []
        with pytest.raises(OSError, match="Connect call failed"):
            await Caller.connect(server.port)


async def test_everybody_who_iterates_is_told_so(server: HookServer) -> None:
    async def count() -> int:
        return len([event async for event in server.events()])

    counting = [asyncio.create_task(count()) for _ in range(3)]
    await asyncio.sleep(0)
    await server.stop()
    async with asyncio.timeout(WAIT_S):
        assert await asyncio.gather(*counting) == [0, 0, 0]


async def test_a_body_that_is_being_sent_is_waited_for(server: HookServer) -> None:
    caller = await Caller.connect(server.port)
    data = request(server)
    caller.send(data[:-5])
    await caller.writer.drain()
    idle = await Caller.connect(server.port)
    while len(server._engine._connections) < 2:  # noqa: ASYNC110 # pyright: ignore[reportPrivateUsage]
        await asyncio.sleep(0.005)
    stopping = asyncio.create_task(server.stop())
    assert await idle.reader.read(-1) == b""
    caller.send(data[-5:])
    assert (await caller.response()).body == NOTHING
    await stopping
    await caller.close()
    await idle.close()


async def test_but_not_for_long(server: HookServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.hook_server.engine.GRACE_S", 0.05)
    caller = await Caller.connect(server.port)
    caller.send(request(server)[:-5])
    await caller.writer.drain()
    while not server._engine._connections:  # noqa: ASYNC110 # pyright: ignore[reportPrivateUsage]
        await asyncio.sleep(0.005)
    async with asyncio.timeout(WAIT_S):
        await server.stop()
    with pytest.raises(ConnectionResetError):
        assert await caller.reader.read(-1)
    await caller.close()


async def test_it_may_be_started_anew(server: HookServer) -> None:
    before = (server.port, server.token)
    with pytest.raises(RuntimeError):
        await server.start()
    await server.stop()
    await server.stop()
    with pytest.raises(RuntimeError):
        _ = server.url
    await server.start()
    assert server.token != before[1]
    async with calling(server) as told:
        assert (await next_event(server)).allow()
        assert (await told).status == 200


async def test_it_leaves_the_programs_signals_and_logs_alone() -> None:
    import logging
    import signal

    def seen() -> list[object]:
        loggers = [logging.getLogger(name) for name in ("", "asyncio", "uvicorn", "uvicorn.error")]
        return [
            *(signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
            *((one.level, one.propagate, one.disabled, tuple(one.handlers)) for one in loggers),
        ]

    before = seen()
    async with HookServer() as server, calling(server):
        await next_event(server)
        assert seen() == before
    assert seen() == before


def test_it_needs_room_for_one() -> None:
    with pytest.raises(ValueError, match="at least"):
        HookServer(max_pending=0)
    with pytest.raises(ValueError, match="at least"):
        HookServer(max_body_bytes=0)


# --- threads -------------------------------------------------------------------------------------


async def test_of_many_threads_that_answer_one_is_first(server: HookServer) -> None:
    async with calling(server) as told:
        event = await next_event(server)
        barrier, won = threading.Barrier(8), list[int]()

        def answer(number: int) -> None:
            barrier.wait(WAIT_S)
            if event.deny(f"by {number}"):
                won.append(number)

        await asyncio.gather(*(asyncio.to_thread(answer, number) for number in range(4)), run_rest(answer))
        (winner,) = won
        assert (await told).json["hookSpecificOutput"]["permissionDecisionReason"] == f"by {winner}"


async def run_rest(answer: object) -> None:
    assert callable(answer)
    threads = [threading.Thread(target=answer, args=(number,)) for number in range(4, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join, WAIT_S)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
async def test_an_event_outlives_its_loop_in_peace() -> None:
    """Of a program that stops nothing, the sockets are left to the collector; that is for it to know."""
    kept: list[HookEvent] = []

    async def take() -> None:
        server = HookServer()
        await server.start()
        caller = await Caller.connect(server.port)
        caller.send(request(server))
        kept.append(await next_event(server))

    def run() -> None:
        asyncio.run(take())  # which ends with everything open

    await asyncio.to_thread(run)
    assert kept[0].allow() in (True, False)
    kept.clear()
    gc.collect()
