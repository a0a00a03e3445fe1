"""Channels that run inside the desk: what they see, and that none of them ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from sayso.core.bounds import WATCH_S
from sayso.core.types import Ask, Presence, Settings
from sayso.daemon.devices import Devices
from sayso.daemon.inside import MOST_PUSHED, Channels, Inside
from sayso.daemon.methods import Methods
from sayso.daemon.runtime import Runtime
from sayso.errors import Refused, Unauthorized
from sayso.wire.protocol import Power

WAIT_S = 10.0


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def make(clock: Clock) -> Runtime:
    return Runtime(Settings(), lambda _: "", None, clock)


def methods(runtime: Runtime, devices: Devices) -> Methods:
    return Methods(runtime, devices, lambda _: None, list)


def seen(runtime: Runtime, devices: Devices | None = None) -> Inside:
    return Inside(runtime, None, methods(runtime, devices or Devices("")))


def ask(number: int) -> Ask:
    return Ask(agent="claude-code", session_id="s", kind="permission", id=f"{number:032x}", started_s=1000.0)


async def test_it_hears_of_everything_and_is_nobody_who_watches() -> None:
    runtime = make(Clock())
    inside = seen(runtime)
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
    assert seen(runtime).processes() == {ask(1).id: "7:1"}
    runtime.end()


async def test_whether_a_person_is_there() -> None:
    clock = Clock()
    runtime = make(clock)
    inside = seen(runtime)
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
    seen(runtime).reaches("chat", True)
    runtime.desk.change({"away": True}, clock())
    assert runtime.desk.watched_until() == float("inf")
    assert not seen(runtime).person_within(35)
    seen(runtime).reaches("chat", False)
    assert runtime.desk.watched_until() == float("-inf")
    runtime.end()


async def test_which_pushes_got_through_is_known_of_the_latest() -> None:
    runtime = make(Clock())
    inside = seen(runtime)
    inside.pushed(["first"])
    assert inside.was_pushed("first")
    assert not inside.has_pushes
    inside.pushed(map(str, range(MOST_PUSHED)))
    assert not inside.was_pushed("first")
    assert inside.was_pushed("0")
    runtime.end()


async def test_it_acts_for_a_device_with_its_power_as_long_as_it_has_one() -> None:
    runtime, devices = make(Clock()), Devices("")
    inside = seen(runtime, devices)
    chat = devices.create("a chat", Power.ANSWER).device
    onlooker = devices.create("a screen", Power.SEE).device
    runtime.desk.ask(ask(1), None, 1000.0)
    answer = {"id": ask(1).id, "reply": {"behavior": "allow"}}
    with pytest.raises(Refused):
        await inside.call(onlooker.id, "chat", "desk.answer", answer)
    assert (await inside.call(chat.id, "chat", "desk.answer", answer))["ok"]
    answered = runtime.desk.request(ask(1).id)
    assert answered.by is not None
    assert (answered.by.channel, answered.by.name, answered.by.credential) == ("chat", "a chat", chat.id)
    devices.revoke(chat.id)
    with pytest.raises(Unauthorized):
        await inside.call(chat.id, "chat", "desk.list", {})
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
    channels = Channels(runtime, [lambda _: broken, lambda _: sound], methods(runtime, Devices("")))
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
