"""The stream of events, and what ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import httpx
import msgspec
import pytest

from sayso.daemon import http_stream
from sayso.wire import sse
from sayso.wire.protocol import Power
from sayso.wire.views import Change
from tests.daemon.http_stage import BOOT, WAIT_S, Stage, open_deaf_stream, running

WATCHERS = 200


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    async with running() as stage:
        yield stage


def change_of(event: sse.Event | sse.Comment | None) -> Change:
    assert isinstance(event, sse.Event)
    change = msgspec.json.decode(event.data, type=Change)
    assert (event.type, event.id) == (change.type, f"{change.boot}-{change.seq}")
    return change


async def test_case_9_a_late_watcher_gets_a_snapshot_and_then_changes(stage: Stage) -> None:
    stage.desk.seq = 7
    stream = await stage.open_stream()

    first = change_of(await stream.next())
    published = stage.desk.publish()

    assert first.type == "snapshot"
    assert first.snapshot is not None
    assert [request.id for request in first.snapshot.requests]
    assert change_of(await stream.next()) == published
    assert "content-type: text/event-stream\r\n" in stream.head
    assert "cache-control: no-store\r\n" in stream.head
    assert "nosniff" in stream.head
    await stream.close()


@pytest.mark.parametrize(
    ("last", "after"),
    [
        (f"{BOOT}-3", f"{BOOT}-3"),
        ("0ther-3", ""),
        (f"{BOOT}-", ""),
        (BOOT, ""),
        (f"{BOOT}--3", ""),
        (f"{BOOT}-3x", ""),
        (f"{BOOT}-{'9' * 40}", ""),
    ],
)
async def test_case_9_a_stream_resumes_within_one_run_only(stage: Stage, last: str, after: str) -> None:
    stream = await stage.open_stream(after=last)

    if after:
        stage.desk.publish()
    event = change_of(await stream.next())

    assert stage.desk.after == [after]
    assert event.type == ("shown" if after else "snapshot")
    await stream.close()


async def test_case_40_a_quiet_stream_has_a_heartbeat(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    assert http_stream.HEARTBEAT_S == 15
    monkeypatch.setattr(http_stream, "HEARTBEAT_S", 0.01)
    stream = await stage.open_stream()
    await stream.next()

    assert await stream.next() == sse.Comment("still here")
    assert await stream.next() == sse.Comment("still here")
    await stream.close()


async def test_a_client_that_leaves_ends_its_subscription_within_a_second(stage: Stage) -> None:
    stream = await stage.open_stream()
    await stream.next()
    assert len(stage.desk.watching) == 1

    await stream.close()

    await stage.desk.until(lambda: not stage.desk.watching, wait_s=1.0)


async def test_a_subscription_that_the_desk_ends_ends_the_stream(stage: Stage) -> None:
    stream = await stage.open_stream()
    await stream.next()

    for watching in set(stage.desk.watching):
        watching.close()

    assert await stream.next() is None
    # The connection is good for more.
    await stream.close()


async def test_a_device_that_is_taken_back_is_shown_nothing_more(stage: Stage) -> None:
    device = stage.devices.create("phone", Power.SEE)
    stream, other = await stage.open_stream(token=device.token), await stage.open_stream()
    await stream.next()
    await other.next()

    stage.devices.revoke("phone")
    published = stage.desk.publish()

    assert await stream.next() == sse.Comment("bye")
    assert await stream.next() is None
    assert change_of(await other.next()) == published
    await stream.close()
    await other.close()


async def test_two_hundred_watchers_leave_nothing_behind(stage: Stage) -> None:
    streams = [await stage.open_stream() for _ in range(WATCHERS)]
    for stream in streams:
        assert change_of(await stream.next()).type == "snapshot"
    assert len(stage.desk.watching) == len(stage.ends) == WATCHERS
    published = stage.desk.publish()
    for stream in streams:
        assert change_of(await stream.next()) == published

    await asyncio.gather(*(stream.close() for stream in streams))
    await stage.desk.until(lambda: not stage.desk.watching, wait_s=1.0)

    async with asyncio.timeout(WAIT_S):
        while len(stage.ends) or _tasks_of_streams():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
    assert not len(stage.ends)


def _tasks_of_streams() -> list[str]:
    return [name for task in asyncio.all_tasks() if "RequestResponse" in (name := str(task.get_coro()))]


async def test_a_watcher_that_reads_nothing_is_given_up(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert http_stream.STALL_S == 30
    monkeypatch.setattr(http_stream, "STALL_S", 0.05)
    with await open_deaf_stream(stage):
        await stage.desk.until(lambda: not stage.desk.watching)


async def test_stopping_says_bye(stage: Stage) -> None:
    stream = await stage.open_stream()
    await stream.next()

    stage.stop.set()

    assert await stream.next() == sse.Comment("bye")
    assert await stream.next() is None
    async with asyncio.timeout(1.0):
        await stage.serving
    assert not stage.desk.watching
    await stream.close()


async def test_a_reader_of_lines_can_follow_the_stream(stage: Stage) -> None:
    """As the page does it: with fetch, in pieces, the token in a header."""
    parser, events = sse.Parser(), list[sse.Event | sse.Comment]()
    async with stage.http.stream("GET", "/api/events") as response:
        assert isinstance(response, httpx.Response)
        async for chunk in response.aiter_bytes():
            events.extend(parser.feed(chunk))
            if events:
                break

    assert change_of(events[0]).type == "snapshot"


async def test_a_stream_that_wants_it_tells_of_what_programs_ask_in_their_own_words_too(stage: Stage) -> None:
    stream = await stage.open_stream(query="?ask_user=1")
    change_of(await stream.next())
    told = await stream.next()
    assert isinstance(told, sse.Event)
    assert (told.type, msgspec.json.decode(told.data)) == (
        "askUserEvent",
        {"kind": "snapshot", "pending": []},
    )
    await stream.close()
