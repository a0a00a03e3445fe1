"""The cards within Telegram's limits, at a server that enforces them; time is played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from sayso.channels.telegram import commands, transport
from sayso.channels.telegram.outbox import Outbox
from sayso.channels.telegram.ports import Sender, Text
from sayso.core.types import Choice, Field, Option, Question, Row
from tests.channels.telegram.stage import ADA, Stage
from tests.telegram.bot_api import BotServer
from tests.telegram.people import Person
from tests.telegram.played import PlayedApi, PlayedClock

BURST = 100
EMOJI = "\U0001f600"
MOST = {"description": EMOJI * 200, "preview": "x" * 900}


class Played:
    """A desk whose bot is at a played server."""

    def __init__(self) -> None:
        self.clock = PlayedClock()
        self.server = BotServer(self.clock.now)
        self.box = Outbox(PlayedApi(self.server), self.clock)
        self.desk = Stage(bot=self.box)
        self.ada = Person(self.server, ADA)

    async def run(self) -> None:
        await self.desk.pair(ADA)
        async with asyncio.TaskGroup() as group:
            group.create_task(self.box.run())
            group.create_task(self.desk.talk.run())


@pytest_asyncio.fixture
async def played() -> AsyncIterator[Played]:
    made = Played()
    running = asyncio.create_task(made.run())
    await made.clock.settle()
    yield made
    running.cancel()
    await asyncio.wait({running})
    made.desk.runtime.end()


async def test_a_burst_of_100_is_shown_within_the_rates_and_nothing_of_it_is_lost(played: Played) -> None:
    began_s = played.clock.now_s
    asked = [
        played.desk.ask(session_id=f"s{number}", input=_row(f"touch {number}.")) for number in range(BURST)
    ]
    await played.clock.pass_until(lambda: len(played.ada.sees()) == BURST)
    took_s = played.clock.now_s - began_s
    assert [f"touch {number}." in one.text for number, one in enumerate(played.ada.sees())] == [True] * BURST
    assert 95 <= took_s <= 110
    assert played.server.rates.refused == 0
    for one in asked:
        played.desk.answer(one, behavior="deny")
    await played.clock.pass_until(lambda: not any(one.buttons for one in played.ada.sees()))
    assert played.server.rates.refused == 0
    assert played.desk.talk.troubles() == []


async def test_what_ended_before_its_turn_is_not_shown_at_all(played: Played) -> None:
    asked = [played.desk.ask(session_id=f"s{number}") for number in range(BURST)]
    await played.clock.pass_until(lambda: len(played.ada.sees()) >= 3)
    for one in asked:
        played.desk.answer(one, behavior="deny")
    await played.clock.pass_until(lambda: not any(one.buttons for one in played.ada.sees()))
    assert len(played.ada.sees()) < 10


def _row(text: str) -> tuple[Row, ...]:
    return (Row(label="Command", value=text, code=True),)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("permission", {"input": _row(EMOJI * 4000)}),
        ("permission", {"input": _row("\n" * 5000 + "rm")}),
        ("permission", {"input": _row("x" * 300_000)}),
        ("permission", {"input": tuple(Row(label=f"L{n}", value="v") for n in range(120))}),
        ("permission", {"input": _row("a"), "suggestions": tuple(f"{EMOJI * 90}{n}" for n in range(16))}),
        ("plan", {"input": (Row(label="Plan", value="1. do\n" * 2000),), "modes": ("default", "auto")}),
        (
            "question",
            {
                "questions": tuple(
                    Question(
                        question=f"{n} {'?' * 300}",
                        multi_select=True,
                        options=tuple(Option(label=f"{EMOJI * 60}{i}", **MOST) for i in range(16)),
                    )
                    for n in range(8)
                )
            },
        ),
        (
            "choice",
            {
                "agent": "program",
                "title": "t" * 200,
                "choices": tuple(
                    Choice(value="ü" * 200 + str(n), label="L" * 200 + str(n)) for n in range(64)
                ),
            },
        ),
        (
            "elicitation",
            {
                "tool": "lab",
                "fields": tuple(Field(name=f"f{n}", description="d" * 500) for n in range(32)),
            },
        ),
        ("text", {"agent": "program", "title": "t", "default": "d" * 9000}),
        ("confirm-command", {"agent": "program", "title": "t", "input": _row("rm " * 20_000)}),
    ],
)
async def test_case_42_whatever_is_asked_its_card_is_taken(
    played: Played, kind: str, changes: dict[str, Any]
) -> None:
    await played.desk.talk.on_update(_help())  # a form waits only where somebody is
    asked = played.desk.ask(kind, **changes)
    await played.clock.pass_until(lambda: any(one.buttons for one in played.ada.sees()[1:]))
    await played.clock.advance(60)
    card = played.ada.sees()[-1]
    assert card.buttons
    assert played.desk.notes == []
    assert played.desk.state(asked) == "pending"
    assert played.server.rates.refused == 0
    played.desk.answer(asked, behavior="deny")
    await played.clock.pass_until(lambda: not any(one.buttons for one in played.ada.sees()))
    assert "no longer asked" in card.text.lower() or "laptop, web" in card.text


def _help() -> Text:
    return Text(chat_id=ADA, message_id=1, sender=Sender(ADA), text="/help")


def test_the_commands_that_telegram_is_told_are_those_there_are() -> None:
    assert [name for name, _ in transport.COMMANDS] == [name for name, _ in commands.COMMANDS]
