"""Who may act in a chat, what cannot be sent, and cards of an earlier run of the desk."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.channels.telegram.channel import ANOTHER, EARLIER, ELSEWHERE, NOT_PAIRED, OVER, UNPAIRED
from sayso.channels.telegram.shower import UNSENT
from sayso.channels.telegram.steps import STALE
from sayso.channels.telegram.tokens import Action
from sayso.core.types import Row
from tests.channels.telegram.stage import ADA, BOB, Person, Shown, Stage, running

LONG = "\n".join(f"echo line {number} of a long command" for number in range(250))
STRANGER = 999


def long(text: str) -> tuple[Row, ...]:
    return (Row(label="Command", value=text, code=True),)


# --- strangers, groups, and who was taken back -----------------------------------------------


async def test_case_53_a_stranger_does_nothing_in_a_group_where_the_paired_may() -> None:
    async with running(ADA) as (stage, ada):
        group, stranger = Person(stage, ADA, -1001), Person(stage, STRANGER, -1001)
        asked = stage.ask(input=long(LONG))
        await ada.card("Part 3 of 3")
        await group.write("/pending")
        card = await group.card("Part 3 of 3")
        assert await stranger.tap(card, "Allow") == (NOT_PAIRED, True)
        await stranger.write("/pending")
        await stranger.write("no", card)
        assert stage.state(asked) == "pending"
        assert (await group.tap(card, "Allow"))[1] is False
        await stage.decision(asked)


async def test_in_a_group_another_paired_one_may_answer_what_one_had_shown() -> None:
    async with running(ADA, BOB) as (stage, _ada, _bob):
        group = Person(stage, ADA, -1001), Person(stage, BOB, -1001)
        asked = stage.ask(input=long(LONG))
        await group[0].write("/pending")
        assert (await group[1].tap(await group[1].card("Part 3 of 3"), "Allow"))[1] is False
        decided = stage.runtime.desk.snapshot().requests[asked].by
        assert decided is not None
        assert decided.name == "phone 702"


async def test_who_was_taken_back_in_the_middle_of_steps_can_do_no_more() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        await ada.tap(card, "say why")
        prompt = await ada.card("Why not?\n(")
        data = next(iter(card.buttons.values()))
        stage.devices.revoke(stage.chats.senders()[ADA])
        await ada.until(card, UNPAIRED)
        assert card.keyboard == ()
        await ada.write("because", prompt)
        assert await ada.send_data(card.id, data) == (NOT_PAIRED, True)
        assert stage.state(asked) == "pending"
        assert stage.chats.cards() == ()


async def test_who_is_paired_later_is_shown_what_waits() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask()
        await ada.card()
        bob = await stage.pair(BOB, "Bob's phone")
        assert (await bob.tap(await bob.card(), "Allow"))[1] is False


# --- what cannot be sent ---------------------------------------------------------------------


async def test_case_42_a_failed_send_decides_nothing_and_is_told_by_other_channels() -> None:
    async with running(ADA, BOB) as (stage, ada, bob):
        ada.bot.refuse = lambda what, chat: "the bot was blocked" if (what, chat) == ("send", ADA) else ""
        first, second = stage.ask(), stage.ask()
        await bob.bot.until(lambda: len(bob.sees()) == 2)
        assert [stage.state(one) for one in (first, second)] == ["pending", "pending"]
        assert [title for title, _ in stage.notes] == [UNSENT]
        assert "the bot was blocked" in stage.notes[0][1]
        assert stage.talk.troubles() == ["a chat of Telegram gets nothing: the bot was blocked"]
        ada.bot.refuse = lambda _what, _chat: ""
        third = stage.ask()
        await ada.bot.until(lambda: len(ada.sees()) == 3)  # with those that could not be shown
        assert stage.talk.troubles() == []
        assert [stage.state(one) for one in (first, second, third)] == ["pending"] * 3


async def test_who_unblocks_the_bot_and_writes_is_shown_what_waits() -> None:
    async with running(ADA) as (stage, ada):
        ada.bot.refuse = lambda what, _chat: "the bot was blocked" if what == "send" else ""
        asked = stage.ask()
        await ada.write("/help")
        ada.bot.refuse = lambda _what, _chat: ""
        await ada.write("/help")
        await ada.tap(await ada.card(), "Allow")
        assert stage.state(asked) == "answered"


async def test_a_card_that_somebody_deleted_decides_nothing_and_can_be_shown_again() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        await ada.tap(card, "say why")
        del ada.bot.messages[ADA, card.id]
        await ada.tap(card, "without words")
        assert stage.state(asked) == "answered"
        another = stage.ask()
        gone = await ada.card()
        del ada.bot.messages[ADA, gone.id]
        await ada.write("/pending")
        assert (await ada.tap(await ada.card(), "Allow"))[1] is False
        assert stage.state(another) == "answered"


async def test_a_card_whose_edit_fails_stays_as_it_is_and_its_request_pending() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        ada.bot.refuse = lambda what, _chat: "message can't be edited" if what == "edit" else ""
        await ada.tap(card, "say why")
        prompt = await ada.card("Why not?\n(")
        assert stage.state(asked) == "pending"
        await ada.write("because", prompt)
        decision = await stage.decision(asked)
        assert decision is not None
        assert decision.message == "because"


# --- restarts --------------------------------------------------------------------------------


async def _before(**ask: Any) -> tuple[Stage, Shown]:
    """Return a desk that ended while a card of request 1 waited, and the card."""
    async with running(ADA) as (stage, ada):
        stage.ask(number=1, **ask)
        card = await ada.card()
        await ada.bot.until(stage.chats.cards)
        return stage, card


async def test_case_12_a_tap_on_a_card_of_an_earlier_run_answers_nothing_new() -> None:
    before, card = await _before()
    old = card.buttons["Allow"]
    async with running(ADA, kept=before.chats.cards()) as (stage, ada):
        ada.bot.messages[ADA, card.id] = card
        asked = stage.ask(number=1, input=long("rm -r /"))  # under the same id
        await ada.until(card, ANOTHER)
        assert "00000000 · Claude Code wants to use Bash" in card.text
        assert await ada.send_data(card.id, old) == (EARLIER, True)
        assert stage.state(asked) == "pending"


async def test_a_card_goes_on_where_the_same_is_still_asked() -> None:
    before, card = await _before()
    old = card.buttons["Allow"]
    async with running(ADA, kept=before.chats.cards()) as (stage, ada):
        ada.bot.messages[ADA, card.id] = card
        asked = stage.ask(number=1)
        await ada.bot.until(lambda: card.buttons.get("Allow") not in (old, None))
        assert await ada.send_data(card.id, old) == (EARLIER, True)
        assert (await ada.tap(card, "Allow"))[1] is False
        decision = await stage.decision(asked)
        assert decision is not None
        assert decision.behavior == "allow"
        assert len(ada.sees()) == 1


async def test_a_card_that_was_deleted_meanwhile_is_shown_anew() -> None:
    before, _ = await _before()
    async with running(ADA, kept=before.chats.cards()) as (stage, ada):
        asked = stage.ask(number=1)
        assert (await ada.tap(await ada.card(), "Allow"))[1] is False
        assert stage.state(asked) == "answered"


async def test_a_long_card_is_shown_anew_after_a_restart() -> None:
    async with running(ADA) as (before, ada):
        before.ask(number=1, input=long(LONG))
        card = await ada.card("Part 3 of 3")
        await ada.bot.until(before.chats.cards)
    async with running(ADA, kept=before.chats.cards()) as (stage, ada):
        ada.bot.messages[ADA, card.id] = card
        ada.bot.skip_to(100)
        stage.ask(number=1, input=long(LONG))
        await ada.until(card, "Shown again below")
        again = await ada.bot.until(
            lambda: [one for one in ada.sees() if one.id > 100 and "Part 3" in one.text]
        )
        assert (await ada.tap(again[0], "Allow"))[1] is False


async def test_a_card_whose_request_ended_meanwhile_says_so() -> None:
    before, card = await _before()
    async with running(ADA, kept=before.chats.cards(), resume_s=0.01) as (stage, ada):
        ada.bot.messages[ADA, card.id] = card
        await ada.until(card, "The desk does not know this request any more")
        assert card.keyboard == ()
        assert "00000000 · Claude Code wants to use Bash" in card.text
        assert stage.chats.cards() == ()


async def test_what_is_no_button_of_ours_is_told_so() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask()
        card = await ada.card()
        assert await ada.send_data(card.id, "made up") == (OVER, True)
        other = await ada.card()
        assert await ada.send_data(other.id + 50, card.buttons["Allow"]) == (ELSEWHERE, True)


async def test_a_reply_to_what_an_earlier_run_asked_answers_nothing_new() -> None:
    async with running(ADA) as (before, ada):
        before.ask("text", number=1, agent="program", title="Name?")
        card = await ada.card()
        await ada.tap(card, "Write it")
        prompt = await ada.card("Your text?\n(")
        await ada.bot.until(before.chats.cards)
    async with running(ADA) as (stage, ada):
        ada.bot.skip_to(100)
        asked = stage.ask("text", number=1, agent="program", title="Name?")
        await ada.card()
        await ada.write("Ada", prompt)
        await ada.card("Nothing was answered")
        assert stage.state(asked) == "pending"


async def test_a_command_cannot_be_run_before_it_was_understood_whatever_is_forged() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("confirm-command", agent="program", title="Drop?", input=long("drop"))
        card = await ada.card()
        forged = stage.tokens.give(Action(ADA, asked, "run"))
        assert await ada.send_data(card.id, forged) == (STALE, True)
        assert await ada.send_data(card.id, f"ask|{asked}|run") == (OVER, True)
        assert stage.state(asked) == "pending"


async def test_a_command_that_was_understood_too_long_ago_is_to_be_understood_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sayso.core.direct.ACKNOWLEDGED_S", -1.0)
    async with running(ADA) as (stage, ada):
        asked = stage.ask("confirm-command", agent="program", title="Drop?", input=long("drop"))
        card = await ada.card()
        await ada.tap(card, "I understand")
        words, alert = await ada.tap(card, "Run it")
        assert "acknowledge it again" in words
        assert alert
        await ada.bot.until(lambda: card.has("I understand"))
        assert stage.state(asked) == "pending"


async def test_a_text_that_was_answered_elsewhere_is_edited_as_well() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("text", agent="program", title="Name?")
        card = await ada.card()
        stage.answer(asked, behavior="allow", value="Eve")
        await ada.until(card, "laptop, web): Eve")
        await ada.write("Ada", card)
        await ada.card("Nothing was answered: Answered")


async def test_what_was_left_over_the_bridge_says_whether_its_program_waits() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask(agent="program", label="build server", bridge="registered", hold_s=600.0)
        card = await ada.card("build server")
        assert "is not waiting now" not in card.text
        stage.withdraw(asked)
        await ada.until(card, "is not waiting now")
        assert "agent's own prompt" not in card.text
