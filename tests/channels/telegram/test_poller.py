"""The one who receives: each update once, through restarts, conflicts, lost networks and sleep."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from sayso.channels.telegram import poller as module
from sayso.channels.telegram.poller import Poller
from sayso.daemon.chats import Chats
from sayso.daemon.devices import Devices
from sayso.wire.chats import BotState
from tests.telegram.bot_api import CONFLICT, WEBHOOK, BotServer
from tests.telegram.limits import Refusal
from tests.telegram.people import Person
from tests.telegram.played import PlayedApi, PlayedClock


class Polled(PlayedApi):
    """A server whose long polls take the clock's time, and no thread's."""

    def __init__(self, server: BotServer, clock: PlayedClock) -> None:
        super().__init__(server)
        self.clock = clock
        self.polls: list[tuple[float, dict[str, Any]]] = []
        self.ends: list[float] = []
        self.gone = False
        """What is open now brings nothing any more, as after a sleep."""

    async def call(
        self, method: str, params: dict[str, Any], document: Any = None, answer_s: float = 0
    ) -> Any:
        self.polls.append((self.clock.now_s, params))
        try:
            return await self._poll(method, params)
        finally:
            self.ends.append(self.clock.now_s)

    async def _poll(self, method: str, params: dict[str, Any]) -> Any:
        length_s, fresh = params["timeout"], self.fresh_connections
        until = self.clock.now_s + length_s
        while True:
            found = await super().call(method, {**params, "timeout": 0})
            if found or self.clock.now_s >= until:
                return found
            await self.clock.wait(asyncio.Event(), min(1.0, until - self.clock.now_s))
            while self.gone and fresh == self.fresh_connections:
                await self.clock.wait(asyncio.Event(), None)

    def fresh(self) -> None:
        self.fresh_connections += 1


class Stage:
    def __init__(self) -> None:
        self.clock = PlayedClock()
        self.server = BotServer(self.clock.now)
        self.api = Polled(self.server, self.clock)
        self.devices = Devices("")
        self.chats = Chats(self.devices)
        self.chats._wall = self.clock.wall  # pyright: ignore[reportPrivateUsage]
        self.ada = Person(self.server, 4711)
        self.heard: list[str] = []
        self.states: list[BotState] = []
        self.failure: Exception | None = None
        self.poller = self.make()
        self.running = asyncio.ensure_future(self.poller.run())

    def make(self) -> Poller:
        return Poller(self.api, self.handle, self.chats, self.states.append, self.clock)

    async def handle(self, update: Any) -> None:
        self.heard.append(update["message"]["text"])
        if self.failure is not None:
            raise self.failure

    @property
    def state(self) -> BotState:
        return self.poller.state

    async def hears(self, *texts: str) -> None:
        await self.clock.pass_until(lambda: self.heard == list(texts))

    async def end(self) -> None:
        self.running.cancel()
        await asyncio.wait({self.running})

    async def restart(self) -> None:
        await self.end()
        self.poller = self.make()
        self.running = asyncio.ensure_future(self.poller.run())

    def pauses(self) -> list[int]:
        """Return how long there was no poll, each time that there was none."""
        gaps = zip(self.api.ends, (start for start, _ in self.api.polls[1:]), strict=False)
        return [length_s for end, start in gaps if (length_s := round(start - end))]


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    await made.end()
    made.chats.close()
    made.devices.close()


async def test_updates_are_handled_in_order_and_once(stage: Stage) -> None:
    for text in ("a", "b", "c"):
        stage.ada.write(text)
    await stage.hears("a", "b", "c")
    stage.ada.write("d")
    await stage.hears("a", "b", "c", "d")
    await stage.clock.advance(120)
    assert stage.heard == ["a", "b", "c", "d"]


async def test_a_poll_is_a_long_one_and_asks_for_what_is_wanted_alone(stage: Stage) -> None:
    await stage.clock.advance(200)
    first, *others = [params for _, params in stage.api.polls]
    assert first == {
        "timeout": 0,
        "allowed_updates": ["message", "callback_query", "my_chat_member"],
        "limit": 20,
    }
    assert {params["timeout"] for params in others} == {30}
    assert len(others) <= 8


async def test_a_restart_repeats_nothing_even_where_it_was_not_confirmed(stage: Stage) -> None:
    stage.ada.write("a")
    await stage.hears("a")
    await stage.end()
    stage.ada.write("b")
    await stage.restart()
    await stage.hears("a", "b")
    number = stage.chats.last_update()
    assert number is not None
    stage.server.repeat(number[0] - 1)
    stage.ada.write("c")
    await stage.hears("a", "b", "c")


async def test_what_its_handler_fails_at_is_not_handled_again(stage: Stage) -> None:
    stage.failure = RuntimeError("a mistake")
    stage.ada.write("a")
    await stage.clock.pass_until(stage.running.done)
    assert stage.running.exception() is not None
    stage.failure = None
    await stage.restart()
    stage.ada.write("b")
    await stage.hears("a", "b")


@pytest.mark.parametrize("to", [5, 2_000_000_000])
async def test_after_a_quiet_week_ids_may_be_any(stage: Stage, to: int) -> None:
    stage.ada.write("a")
    await stage.hears("a")
    await stage.end()
    stage.clock.now_s += 8 * 24 * 3600
    stage.server.jump(to)
    stage.ada.write("b")
    await stage.restart()
    await stage.hears("a", "b")
    assert "offset" not in stage.api.polls[-1][1] or stage.api.polls[-1][1]["offset"] == to + 1
    stage.ada.write("c")
    await stage.hears("a", "b", "c")


async def test_back_off_doubles_to_a_minute_and_ends_with_the_trouble(stage: Stage) -> None:
    await stage.clock.settle()
    for _ in range(10):
        stage.server.fail_next("getUpdates")
    await stage.clock.pass_until(lambda: not stage.server.faults)
    stage.ada.write("a")
    await stage.hears("a")
    assert stage.pauses() == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    words = [state.words for state in stage.states if state.state == "trouble"]
    assert words[0] == "Telegram is not reached: 127.0.0.1 is not reached: dropped"
    assert stage.state.state == "well"


async def test_a_short_loss_is_no_trouble(stage: Stage) -> None:
    await stage.clock.settle()
    for _ in range(4):
        stage.server.fail_next("getUpdates")
    await stage.clock.pass_until(lambda: not stage.server.faults)
    assert [state.state for state in stage.states if state.state != "well"] == []


@pytest.mark.parametrize(("description", "words"), [(CONFLICT, module.OTHER), (WEBHOOK, module.WEBHOOK)])
async def test_case_41_another_consumer_is_told_in_words_and_not_fought(
    stage: Stage, description: str, words: str
) -> None:
    await stage.clock.settle()
    for _ in range(3):
        stage.server.fail_next("getUpdates", Refusal(409, description))
    await stage.clock.pass_until(lambda: stage.state.state == "trouble")
    assert stage.state.words == words
    await stage.clock.pass_until(lambda: stage.state.state == "well")
    assert stage.pauses() == [60, 60, 60]
    assert {params["timeout"] for _, params in stage.api.polls[1:]} == {30}


async def test_a_token_that_was_taken_back_is_told_at_once(stage: Stage) -> None:
    await stage.clock.settle()
    stage.server.token = "1:another"
    await stage.clock.pass_until(lambda: stage.state.state == "trouble")
    assert stage.state.words == module.UNKNOWN
    polls = len(stage.api.polls)
    await stage.clock.advance(290)
    assert len(stage.api.polls) == polls


async def test_a_pause_that_telegram_wants_is_kept(stage: Stage) -> None:
    await stage.clock.settle()
    stage.server.fail_next("getUpdates", Refusal(429, "Too Many Requests: retry after 17", 17))
    await stage.clock.pass_until(lambda: not stage.server.faults)
    polls = len(stage.api.polls)
    await stage.clock.pass_until(lambda: len(stage.api.polls) > polls)
    assert stage.pauses() == [17]


async def test_a_machine_that_slept_receives_again_at_once(stage: Stage) -> None:
    await stage.clock.settle()
    stage.api.gone = True
    stage.ada.write("a")
    await stage.clock.advance(4)
    assert stage.heard == []
    stage.clock.ahead_s += 3600  # the wall clock went on, ours did not
    at = stage.clock.now_s
    await stage.hears("a")
    assert stage.clock.now_s - at <= module.LOOK_S


async def test_a_back_off_does_not_outlast_a_sleep(stage: Stage) -> None:
    await stage.clock.settle()
    stage.server.offline(True)
    await stage.clock.advance(200)
    stage.server.offline(False)
    stage.ada.write("a")
    stage.clock.ahead_s += 3600
    at = stage.clock.now_s
    await stage.hears("a")
    assert stage.clock.now_s - at <= module.LOOK_S


async def test_health_is_the_last_round_trip_and_the_last_word(stage: Stage) -> None:
    await stage.clock.advance(65)
    quiet = stage.state
    assert (quiet.state, quiet.heard_at) == ("well", 0.0)
    assert stage.clock.wall() - quiet.reached_at <= 30
    stage.ada.write("a")
    await stage.hears("a")
    await stage.clock.settle()
    assert stage.state.heard_at == pytest.approx(stage.clock.wall(), abs=1)


async def test_what_answers_and_is_no_bot_api_is_backed_off_from(stage: Stage) -> None:
    class Odd(Polled):
        async def call(
            self, method: str, params: dict[str, Any], document: Any = None, answer_s: float = 0
        ) -> Any:
            await super().call(method, params, document, answer_s)
            return [{"hello": 1}]

    await stage.end()
    stage.api = Odd(stage.server, stage.clock)
    await stage.restart()
    await stage.clock.pass_until(lambda: stage.state.state == "trouble")
    await stage.clock.advance(600)
    assert len(stage.api.polls) < 20
    assert "is not the Bot API" in stage.state.words
