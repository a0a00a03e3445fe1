"""Channels that run inside the desk: what they see, and that none of them ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from sayso.core.bounds import WATCH_S
from sayso.core.types import Ask, Presence, Settings
from sayso.daemon.inside import Channels, Inside
from sayso.daemon.runtime import Runtime

WAIT_S = 10.0


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def make(clock: Clock) -> Runtime:
    return Runtime(Settings(), lambda _: "", None, clock)


def ask(number: int) -> Ask:
    return Ask(agent="claude-code", session_id="s", kind="permission", id=f"{number:032x}", started_s=1000.0)


async def test_it_hears_of_everything_and_is_nobody_who_watches() -> None:
    runtime = make(Clock())
    inside = Inside(runtime)
    feed = inside.listen()
    assert (await feed.__anext__()).type == "snapshot"
    runtime.desk.ask(ask(1), None, inside.now())
    runtime.settle()
    async with asyncio.timeout(WAIT_S):
        while (await feed.__anext__()).type != "shown":
            pass
    assert runtime.watchers == 0
    runtime.end()


async def test_which_process_asks() -> None:
    runtime = make(Clock())
    runtime.desk.ask(ask(1), None, 1000.0, "7:1")
    runtime.desk.ask(ask(2), None, 1000.0)
    assert Inside(runtime).processes() == {ask(1).id: "7:1"}
    runtime.end()


async def test_whether_a_person_is_there() -> None:
    clock = Clock()
    runtime = make(clock)
    inside = Inside(runtime)
    assert not inside.person_within(35)
    runtime.desk.watch("page", Presence(present_s=clock()), clock())
    assert inside.person_within(35)
    clock.now_s += 36
    assert not inside.person_within(35)
    assert inside.person_within(WATCH_S)
    runtime.desk.watch("page", None, clock())
    assert not inside.person_within(WATCH_S)
    runtime.end()


async def test_who_is_reached_from_afar_is_not_there() -> None:
    clock = Clock()
    runtime = make(clock)
    runtime.desk.watch("chat", Presence(reaches=True), clock())
    runtime.desk.change({"away": True}, clock())
    assert runtime.desk.watched_until() == float("inf")
    assert not Inside(runtime).person_within(35)
    runtime.end()


class Fake:
    """A channel that does what the test says."""

    def __init__(self, do: Callable[[], Awaitable[None]]) -> None:
        self._do = do
        self.started = asyncio.Event()
        self.ended = asyncio.Event()

    async def run(self) -> None:
        self.started.set()
        try:
            await self._do()
        finally:
            self.ended.set()

    def troubles(self) -> list[str]:
        return ["it hurts"]


async def fail() -> None:
    raise RuntimeError("git push --force")


async def fail_below() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(fail())


async def go_on() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("failing", [fail, fail_below])
async def test_one_that_fails_is_told_and_nothing_of_what_it_said(
    failing: Callable[[], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    runtime = make(Clock())
    broken, sound = Fake(failing), Fake(go_on)
    channels = Channels(runtime, [lambda _: broken, lambda _: sound])
    assert channels.troubles() == ["it hurts", "it hurts"]
    channels.start()
    for event in (sound.started, broken.ended):
        await asyncio.wait_for(event.wait(), WAIT_S)
    assert not sound.ended.is_set()
    await channels.end()
    assert sound.ended.is_set()
    assert channels.troubles()[0].startswith("a channel of the desk made a mistake")
    assert "RuntimeError at fail:" in caplog.text
    assert "git push" not in caplog.text
    runtime.end()
