"""The sound of a chat: when it calls, for what, and that what called goes again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from sayso.channels import notices
from sayso.channels.telegram.bell import AWAY_S, PUSH_S, RUNG_S, Bell, Planner
from sayso.core.types import Settings
from sayso.wire.views import Change, NoteView, RequestView
from tests.channels.fake_desk import view
from tests.channels.telegram.stage import PlayedBot

GRACE_S = Settings().notice_grace_s
ONE, TWO = view("1" * 32), view("2" * 32)
ADA, BOB = 701, 702
WAIT_S = 10.0


class Chats:
    def __init__(self, *chats: int) -> None:
        self.chats = list(chats)
        self.cards: dict[tuple[int, str], int] = {}

    def audible(self) -> Sequence[int]:
        return self.chats

    def card_at(self, chat_id: int, request_id: str) -> int | None:
        return self.cards.get((chat_id, request_id))


class Rungs:
    def __init__(self, has_pushes: bool = False, *pushed: str) -> None:
        self.has_pushes = has_pushes
        self.pushed = set(pushed)

    def was_pushed(self, request_id: str) -> bool:
        return request_id in self.pushed


def shown(*views: RequestView) -> list[Change]:
    return [Change(type="shown", boot="b", seq=1, request=one) for one in views]


class Plan:
    """A planner, and when it calls."""

    def __init__(self, rungs: Rungs, chats: Chats | None = None, **settings: Any) -> None:
        self.over: list[str] = []
        self.planner = Planner(Settings(**settings), rungs, chats or Chats(ADA), self.over.append)
        for change in shown(ONE):
            self.planner.hear(change, 100.0)

    def calls(self, now: float) -> bool:
        return self.planner.take((), now) is not None


# --- when ---------------------------------------------------------------------------------


def test_it_calls_after_the_grace_where_nobody_wants_pushes() -> None:
    plan = Plan(Rungs())
    assert not plan.calls(100.0 + GRACE_S - 0.1)
    assert plan.calls(100.0 + GRACE_S)
    assert not plan.calls(1000.0)


def test_case_46_a_push_that_got_through_is_given_its_time() -> None:
    plan = Plan(Rungs(True, ONE.id))
    assert not plan.calls(100.0 + GRACE_S + RUNG_S - 0.1)
    assert plan.calls(100.0 + GRACE_S + RUNG_S)


def test_case_46_a_push_that_did_not_get_through_is_made_up_for() -> None:
    plan = Plan(Rungs(True))
    assert not plan.calls(100.0 + GRACE_S + PUSH_S - 0.1)
    assert plan.calls(100.0 + GRACE_S + PUSH_S)


def test_case_46_it_is_known_in_time_that_a_push_got_through() -> None:
    rungs = Rungs(True)
    plan = Plan(rungs)
    assert plan.planner.next_s() == 100.0 + GRACE_S + PUSH_S
    rungs.pushed.add(ONE.id)
    assert not plan.calls(100.0 + GRACE_S + PUSH_S)
    assert plan.calls(100.0 + GRACE_S + RUNG_S)


def test_who_is_away_is_called_at_once_whatever_else_was_told() -> None:
    plan = Plan(Rungs(True, ONE.id), away=True)
    assert plan.calls(100.0 + AWAY_S)


def test_nobody_is_called_where_nobody_wants_to_hear() -> None:
    chats = Chats()
    plan = Plan(Rungs(), chats)
    assert not plan.calls(1000.0)
    chats.chats.append(ADA)
    assert plan.calls(1000.0)


def test_what_is_answered_in_time_calls_nobody() -> None:
    plan = Plan(Rungs())
    plan.planner.hear(Change(type="resolved", boot="b", seq=2, request=replace(ONE, state="answered")), 101.0)
    assert not plan.calls(1000.0)
    assert plan.over == [ONE.id]


def test_what_programs_note_calls_nobody_for_it_is_in_the_chat() -> None:
    plan = Plan(Rungs(), Chats(ADA))
    assert plan.calls(1000.0)
    plan.planner.hear(
        Change(type="note", boot="b", seq=2, note=NoteView(agent="codex", title="x", at="")), 1001.0
    )
    assert not plan.calls(2000.0)


# --- how ----------------------------------------------------------------------------------


class Stream:
    def __init__(self) -> None:
        self.queue: asyncio.Queue[Change] = asyncio.Queue()

    async def __anext__(self) -> Change:
        return await self.queue.get()

    def close(self) -> None:
        """Nothing is held."""


class Desk(Rungs):
    """A desk that says what the test wants."""

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self.settings = Settings(notice_grace_s=1.0, **settings)
        self.stream = Stream()
        self.now_s = 100.0

    def now(self) -> float:
        return self.now_s

    def listen(self) -> Stream:
        return self.stream

    def processes(self) -> dict[str, str]:
        return {}

    def person_within(self, length_s: float) -> bool:
        return False


class Scene:
    def __init__(self, *chats: int) -> None:
        self.desk, self.bot, self.chats = Desk(), PlayedBot(), Chats(*chats)
        self.bell = Bell(self.desk, self.bot, self.chats, lambda _: ())

    def hear(self, *changes: Change) -> None:
        for change in changes:
            self.desk.stream.queue.put_nowait(change)

    async def pass_grace(self) -> None:
        """Let the time of the grace go by, once what was said is heard."""
        await until(self.desk.stream.queue.empty)
        await asyncio.sleep(0)
        self.desk.now_s += 10.0
        self.bell.look_again()

    def says(self) -> list[tuple[int, str]]:
        return [(one.chat_id, one.text) for one in self.bot.messages.values()]


async def until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@asynccontextmanager
async def ringing(*chats: int) -> AsyncGenerator[Scene]:
    scene = Scene(*chats)
    task = asyncio.create_task(scene.bell.run())
    try:
        yield scene
        assert not task.done(), task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "GAP_S", 0.0)


async def test_each_chat_is_called_beside_the_card_and_the_call_goes_when_it_is_over() -> None:
    async with ringing(ADA, BOB) as scene:
        scene.chats.cards[ADA, ONE.id] = 77
        scene.hear(*shown(ONE))
        await scene.pass_grace()
        await until(lambda: len(scene.says()) == 2)
        calls = {one.chat_id: one for one in scene.bot.messages.values()}
        assert (calls[ADA].reply_to, calls[BOB].reply_to) == (77, None)
        assert not calls[ADA].silent
        assert "Claude Code in shop" in calls[ADA].text
        assert "git push" not in calls[ADA].text
        scene.hear(Change(type="resolved", boot="b", seq=2, request=replace(ONE, state="answered")))
        await until(lambda: scene.says() == [])


async def test_case_45_several_are_one_call_which_goes_with_the_last() -> None:
    async with ringing(ADA) as scene:
        scene.hear(*shown(ONE, TWO))
        await scene.pass_grace()
        await until(scene.says)
        assert len(scene.says()) == 1
        scene.hear(Change(type="resolved", boot="b", seq=2, request=replace(ONE, state="answered")))
        await scene.pass_grace()
        assert len(scene.says()) == 1
        scene.hear(Change(type="resolved", boot="b", seq=3, request=replace(TWO, state="withdrawn")))
        await until(lambda: scene.says() == [])


async def test_what_ends_while_the_call_is_sent_leaves_nothing() -> None:
    async with ringing(ADA) as scene:
        gate = scene.bot.gate()
        scene.hear(*shown(ONE))
        await scene.pass_grace()
        await until(scene.says)
        scene.hear(Change(type="resolved", boot="b", seq=2, request=replace(ONE, state="answered")))
        await until(scene.desk.stream.queue.empty)
        gate.set()
        await until(lambda: scene.says() == [])


async def test_a_chat_that_cannot_be_called_keeps_no_other_from_it() -> None:
    async with ringing(ADA, BOB) as scene:
        scene.bot.refuse = lambda _what, chat_id: "blocked" if chat_id == ADA else ""
        scene.hear(*shown(ONE))
        await scene.pass_grace()
        await until(scene.says)
        assert [chat for chat, _ in scene.says()] == [BOB]
