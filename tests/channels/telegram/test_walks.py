"""People who tap and type whatever they like: nothing fails, no limit is broken, one answer at the most."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from sayso.channels.telegram.ports import Button, Entity
from tests.channels.telegram.stage import ADA, BOB, Person, Shown, Stage, running
from tests.channels.telegram.test_cards import FORM, MANY, ONE, PLAN, own
from tests.channels.telegram.test_life_beyond import LONG, long
from tests.telegram.limits import checked_entities, checked_markup, checked_text

STEPS = 40
SETTLE_TURNS = 300
WORDS = ("because", "", "  ", "7", "yes", "/cancel", "/pending", "/mute 1h", "x" * 5000, "\U0001f600" * 9)
ASKS: dict[str, tuple[str, dict[str, Any]]] = {
    "permission": ("permission", {"interrupt": True, "suggestions": ("always", "never")}),
    "long": ("permission", {"input": long(LONG)}),
    "question": ("question", {"questions": (ONE, MANY), "interrupt": True}),
    "plan": ("plan", {**PLAN, "interrupt": True}),
    "form": ("elicitation", FORM),
    "link": ("elicitation", {"tool": "lab", "url": "http://127.0.0.1/"}),
    "yesno": ("yesno", own()),
    "text": ("text", own(default="d")),
    "command": ("confirm-command", own(input=long("drop"), unsafe=True)),
}


def within_limits(shown: Shown) -> None:
    """Hold a message against what Telegram would refuse."""
    if not shown.file:
        checked_text(shown.text)
    entities: list[dict[str, Any]] = msgspec.to_builtins(list(shown.entities))
    assert all(isinstance(one, Entity) for one in shown.entities)
    checked_entities(entities, shown.text)
    rows = [[{"text": b.text, "callback_data": b.data} for b in row] for row in shown.keyboard]
    assert all(isinstance(one, Button) for row in shown.keyboard for one in row)
    checked_markup({"inline_keyboard": rows})


async def wander(stage: Stage, people: list[Person], chance: random.Random) -> None:
    for _ in range(STEPS):
        person = chance.choice(people)
        seen = person.sees()
        for shown in seen:
            within_limits(shown)
        with_buttons = [one for one in seen if one.keyboard]
        if with_buttons and chance.random() < 0.7:
            shown = chance.choice(with_buttons)
            await person.send_data(shown.id, chance.choice(list(shown.buttons.values())))
        else:
            await person.write(chance.choice(WORDS), chance.choice([*seen, None]) if seen else None)
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)


@pytest.mark.parametrize("name", ASKS)
@pytest.mark.parametrize("seed", range(6))
async def test_whatever_people_do_nothing_breaks(name: str, seed: int) -> None:
    kind, changes = ASKS[name]
    async with running(ADA, BOB) as (stage, ada, bob):
        await ada.write("/help")  # a form waits only where somebody is
        asked = stage.ask(kind, **changes)
        await bob.card()
        await wander(stage, [ada, bob], random.Random(f"{name} {seed}"))
        for _ in range(SETTLE_TURNS):
            await asyncio.sleep(0)
        assert len([one for one in stage.decisions.values() if one is not None]) <= 1
        if stage.state(asked) != "pending":
            assert [one.text for person in (ada, bob) for one in person.sees() if answers(stage, one)] == []
        assert stage.notes == []


def answers(stage: Stage, shown: Shown) -> bool:
    """Whether a message has a button that still means something for a request."""
    actions = (stage.tokens.find(data, shown.chat_id, shown.id) for data in shown.buttons.values())
    return any(one is not None and not one.subject.startswith("\0") for one in actions)
