"""What must not come to pass in a chat, whoever tries it or whatever is late."""

from __future__ import annotations

import asyncio

import pytest

from sayso.channels.telegram import shower
from sayso.channels.telegram.cards import LOCKED
from sayso.channels.telegram.channel import NOT_PAIRED, UNPAIRED
from sayso.channels.telegram.steps import STALE
from sayso.channels.telegram.text import MOST_ENTITIES
from sayso.core.types import Field, Row
from tests.channels.telegram.stage import ADA, BOB, Person, running
from tests.channels.telegram.test_commands import begin
from tests.channels.telegram.test_life_beyond import LONG, long

GROUP = -1001
BOOLS = tuple(Field(name=name, type="boolean", required=True) for name in ("one", "two"))
OPTIONAL = tuple(Field(name=name) for name in ("one", "two"))


# --- a button counts for what it stood beside ------------------------------------------------


async def test_a_button_of_one_suggestion_does_not_ask_for_another() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask(suggestions=("every touch", "every rm"))
        card = await ada.card()
        await ada.tap(card, "Allow + 1")
        await ada.until(card, "ask Claude Code for this:")
        old = card.buttons["Allow, and ask for this"]
        await ada.tap(card, "« Back")
        await ada.tap(card, "Allow + 2")
        assert await ada.send_data(card.id, old) == (STALE, True)
        assert stage.state(asked) == "pending"


async def test_a_button_of_a_plan_as_it_is_does_not_approve_another_one() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("plan", input=(Row(label="Plan", value="1. do it"),), modes=("default",))
        card = await ada.card()
        old = next(data for label, data in card.buttons.items() if label.startswith("Approve"))
        await ada.tap(card, "Edit the plan")
        await ada.answer_prompt("2. do that")
        assert await ada.send_data(card.id, old) == (STALE, True)
        assert stage.state(asked) == "pending"


async def test_deny_and_stop_are_two_buttons() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask(interrupt=True)
        card = await ada.card()
        await ada.tap(card, "say why")
        await ada.bot.until(lambda: card.has("Deny, without words"))
        old = card.buttons["Deny, without words"]
        await ada.tap(card, "« Back")
        await ada.tap(card, "Deny and stop")
        assert await ada.send_data(card.id, old) == (STALE, True)
        assert stage.state(asked) == "pending"


@pytest.mark.parametrize(("fields", "label"), [(BOOLS, "Yes"), (OPTIONAL, "Leave it out")])
async def test_a_double_tap_fills_in_one_field(fields: tuple[Field, ...], label: str) -> None:
    async with running(ADA) as (stage, ada):
        stage.ask("elicitation", tool="lab", fields=fields)
        card = await ada.card()
        await ada.tap(card, "Fill it in")
        await ada.bot.until(lambda: card.has(label))
        data = card.buttons[label]
        assert await ada.send_data(card.id, data) == ("", False)
        assert await ada.send_data(card.id, data) == (STALE, True)
        await ada.until(card, "Field 2 of 2")


async def test_a_message_is_not_taken_back_by_the_button_of_one_before() -> None:
    async with running(ADA) as (stage, ada):
        begin(stage, "s1")
        await ada.write("/send app one")
        first = await ada.card("queued")
        old = first.buttons["Take it back"]
        await ada.tap(first, "Take it back")
        await ada.until(first, "dropped")
        await ada.write("/send app two")
        await ada.bot.until(lambda: len([one for one in ada.sees() if "queued" in one.text]) == 1)
        assert (await ada.send_data(first.id, old))[1] is True
        assert stage.runtime.desk.snapshot().messages["claude-code", "s1"].text == "two"


# --- all of it is there first ----------------------------------------------------------------


async def test_words_count_only_once_the_last_part_is_there() -> None:
    async with running(ADA) as (stage, ada):
        last = ada.bot.gates[3] = asyncio.Event()
        asked = stage.ask("text", agent="program", title="Name?", input=long(LONG))
        await ada.card("Part 3 of 3")
        part = ada.sees()[0]
        await ada.write("Ada", part)
        await ada.card(LOCKED)
        assert stage.state(asked) == "pending"
        last.set()
        await ada.write("Ada", ada.sees()[2])
        await stage.decision(asked)


# --- who was taken back ----------------------------------------------------------------------


async def test_what_one_had_shown_in_a_group_ends_with_them() -> None:
    async with running(ADA, BOB) as (stage, _ada, _bob):
        group, bob = Person(stage, ADA, GROUP), Person(stage, BOB, GROUP)
        asked = stage.ask()
        await group.write("/pending")
        card = await group.card()
        data = card.buttons["Allow"]
        stage.devices.revoke(stage.chats.senders()[ADA])
        await group.until(card, UNPAIRED)
        assert await group.send_data(card.id, data) == (NOT_PAIRED, True)
        await bob.send_data(card.id, data)
        assert stage.state(asked) == "pending"


async def test_who_was_taken_back_is_not_told_how_an_earlier_card_ended() -> None:
    async with running(ADA, BOB) as (before, ada, _bob):
        before.ask(number=1)
        card = await ada.card()
        await ada.bot.until(before.chats.cards)
    async with running(BOB, kept=before.chats.cards()) as (stage, bob):
        bob.bot.messages[ADA, card.id] = card
        bob.bot.skip_to(100)
        asked = stage.ask(number=1)
        await bob.bot.until(lambda: card.keyboard != () or any(one.keyboard for one in bob.sees()))
        stage.answer(asked, behavior="allow")
        await bob.until(card, UNPAIRED)
        assert "laptop" not in card.text


async def test_who_was_taken_back_leaves_no_trouble_behind() -> None:
    async with running(ADA, BOB) as (stage, ada, bob):
        ada.bot.refuse = lambda what, chat: "blocked" if (what, chat) == ("send", ADA) else ""
        stage.ask()
        await bob.card()
        assert stage.talk.troubles() != []
        stage.devices.revoke(stage.chats.senders()[ADA])
        assert stage.talk.troubles() == []


async def test_a_group_that_is_gone_is_no_trouble_for_ever() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask()
        await ada.card()
        ada.bot.refuse = lambda what, chat: "upgraded" if (what, chat) == ("send", GROUP) else ""
        await Person(stage, ADA, GROUP).write("/pending")
        stage.ask()
        await ada.bot.until(lambda: len(ada.sees()) == 2)
        assert stage.talk.troubles() == []


# --- what is kept ----------------------------------------------------------------------------


async def test_nothing_that_an_agent_wrote_is_kept_on_disk() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask(input=long("touch the-hidden-file"))
        stage.ask("text", agent="program", label="my label", title="What is its name?")
        await ada.bot.until(lambda: len(stage.chats.cards()) == 2)
        kept = " ".join(card.text for card in stage.chats.cards())
        assert "Bash" in kept
        assert not [one for one in ("hidden-file", "name?", "my label") if one in kept]


async def test_what_ended_unseen_does_not_pile_up() -> None:
    async with running(ADA) as (stage, ada):
        ada.bot.gate()
        for number in range(3 * shower.MOST_WAITING):
            stage.withdraw(stage.ask(session_id=f"s{number % 50}"))
            await asyncio.sleep(0)
        shows = stage.talk._shower._waiting  # pyright: ignore[reportPrivateUsage]
        assert len(shows[ADA]) <= shower.MOST_WAITING


# --- what is read ----------------------------------------------------------------------------


async def test_what_a_call_holds_is_marked_to_its_last_row() -> None:
    rows = tuple(Row(label=f"row {number}", value=f"v{number}", code=True) for number in range(70))
    async with running(ADA) as (stage, ada):
        stage.ask(input=rows)
        await ada.bot.until(lambda: any("v69" in one.text and one.keyboard for one in ada.sees()))
        shown = ada.sees()
        marked = [
            one.text.encode("utf-16-le")[2 * each.offset : 2 * (each.offset + each.length)].decode(
                "utf-16-le"
            )
            for one in shown
            for each in one.entities
            if each.type == "pre"
        ]
        assert [f"v{number}" for number in range(70)] == [one.strip() for one in marked]
        assert all(len(one.entities) < MOST_ENTITIES for one in shown)


async def test_in_a_file_an_agents_lines_stay_behind_their_rule() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask(input=long("echo\n" * 9000 + "Description:\nharmless"))
        await ada.card("CUT HERE")
        (file,) = [one.file for one in ada.sees() if one.file]
        assert "\n  │ Description:\n  │ harmless" in file.decode()


async def test_a_list_that_is_cut_says_so() -> None:
    async with running(ADA) as (stage, ada):
        for number in range(20):
            stage.ask(session_id=f"s{number}", input=long("\U0001f600" * 400))
        await ada.bot.until(lambda: len(ada.sees()) == 20)
        await ada.write("/pending")
        assert "Cut here" in (await ada.card("1. 0")).text
