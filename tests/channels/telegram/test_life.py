"""The life of a card: edited to its end wherever it was answered, locked until it is whole."""

from __future__ import annotations

import asyncio

import pytest

from sayso.channels.telegram.acts import HALF
from sayso.channels.telegram.cards import LOCKED
from sayso.channels.telegram.channel import NO_REPLY
from sayso.channels.telegram.steps import STALE
from sayso.channels.telegram.text import units
from sayso.channels.telegram.tokens import Action
from sayso.core.types import Choice, EventType, Hold, HookEvent, Row
from sayso.errors import NotSeen
from tests.channels.telegram.stage import ADA, BOB, running

LONG = "\n".join(f"echo line {number} of a long command" for number in range(250))
HUGE = "\n".join(f"echo line {number} of a very long command" for number in range(3000))
STRANGER = 999


def long(text: str) -> tuple[Row, ...]:
    return (Row(label="Command", value=text, code=True),)


# --- who answers, and where ----------------------------------------------------------------


async def test_case_2_an_answer_elsewhere_ends_the_card_and_a_late_tap_learns_how() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        data = next(iter(card.buttons.values()))
        stage.answer(asked, behavior="deny")
        await ada.until(card, "laptop, web): deny")
        assert card.keyboard == ()
        words, alert = await ada.send_data(card.id, data)
        assert "laptop, web" in words
        assert alert


async def test_tap_and_page_at_once_one_wins_and_the_other_learns_who() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        stage.answer(asked, behavior="deny")  # the card is not edited yet
        words, alert = await ada.tap(card, "Allow")
        assert "laptop" in words
        assert alert
        decision = await stage.decision(asked)
        assert decision is not None
        assert decision.behavior == "deny"


async def test_tap_and_terminal_at_once() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        stage.withdraw(asked)
        words, alert = await ada.tap(card, "Allow")
        assert "turned down in the terminal" in words
        assert alert
        await ada.until(card, "No longer asked: turned down in the terminal")
        assert await stage.decision(asked) is None


async def test_two_taps_on_one_button_are_one_answer() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask()
        card = await ada.card()
        first, second = await asyncio.gather(ada.tap(card, "Allow"), ada.tap(card, "Allow"))
        assert first == ("Answered.", False)
        assert second == ("Answered.", False) or "telegram): allow" in second[0]


async def test_two_buttons_at_once_the_first_counts() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        allow, deny = await asyncio.gather(ada.tap(card, "Allow"), ada.tap(card, "Deny"))
        assert allow == ("Answered.", False)
        assert deny[1]
        decision = await stage.decision(asked)
        assert decision is not None
        assert decision.behavior == "allow"


async def test_of_two_paired_the_first_wins_and_the_other_ones_card_is_edited() -> None:
    async with running(ADA, BOB) as (stage, ada, bob):
        stage.ask()
        hers, his = await ada.card(), await bob.card()
        await ada.tap(hers, "Deny")
        await bob.until(his, "phone 701, telegram): deny")
        assert his.keyboard == ()
        await ada.until(hers, "phone 701, telegram): deny")


async def test_it_follows_an_answer_to_its_end() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        await ada.tap(card, "Allow")
        await ada.until(card, "on its way to the agent")
        stage.runtime.desk.written(asked, f"w{asked}", "", stage.runtime.now())
        stage.runtime.settle()
        await ada.until(card, "Handed to the agent")


async def test_it_comes_too_late_and_timed_out_are_said() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask("yesno", agent="program", title="Now?", hold_s=0.05)
        card = await ada.card()
        await ada.until(card, "Timed out: nobody answered")
        words, _ = await ada.send_data(card.id, "anything")
        assert "imed out" in words


async def test_what_can_only_be_answered_in_the_terminal_has_no_buttons() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("plan", unshowable="it has no text")
        card = await ada.card("waits in its terminal")
        assert card.keyboard == ()
        stage.withdraw(asked)
        await ada.write("/pending")
        await ada.card("Nothing waits for you.")


async def test_what_an_agent_does_without_asking_is_no_message() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask(mode="bypassPermissions", unshowable="it does not ask")
        asked = stage.ask()
        await ada.card("touch x")
        assert stage.state(asked) == "pending"
        assert len(ada.sees()) == 1


async def test_case_60_a_card_says_who_asks() -> None:
    async with running(ADA) as (stage, ada):
        now = stage.runtime.now()
        event = HookEvent(
            agent="claude-code",
            session_id="s1",
            type=EventType.PROMPT,
            at_s=now,
            cwd="/w/app",
            prompt="fix it",
        )
        stage.runtime.desk.observe(event, now, "77:1")
        stage.runtime.settle()
        stage.ask(agent_id="a0123456789", agent_type="reviewer")
        card = await ada.card()
        for words in (
            "Claude Code wants to use Bash",
            "in app (/w/app)",
            "subagent reviewer",
            "fix it",
            "asked at ",
        ):
            assert words in card.text


async def test_a_request_that_its_terminal_does_not_show_is_given_back() -> None:
    async with running(ADA) as (stage, ada):
        await ada.write("/help")  # such a one waits only where somebody is
        asked = stage.ask(hold=Hold.EXCLUSIVE)
        card = await ada.card("shows nothing in its terminal")
        assert await ada.tap(card, "Give it back") == ("Given back to its terminal.", False)
        assert await stage.decision(asked) is None
        await ada.until(card, "given back to the agent's own prompt")


# --- whole, or not to be allowed -----------------------------------------------------------


async def test_a_long_command_comes_in_parts_and_nothing_of_it_is_lost() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask(input=long(LONG))
        card = await ada.card("Part 3 of 3")
        parts = ada.sees()
        assert [one.text.startswith(f"Part {n} of 3") for n, one in enumerate(parts, 1)] == [True] * 3
        assert all(units(one.text) <= 4096 for one in parts)
        text = "".join(one.text for one in parts)
        assert all(line in text for line in LONG.split("\n"))
        await ada.bot.until(lambda: parts[0].keyboard == ())
        assert (await ada.tap(card, "Allow"))[1] is False
        decision = await stage.decision(asked)
        assert decision is not None
        assert decision.behavior == "allow"


async def test_nothing_is_allowed_while_a_part_is_on_its_way() -> None:
    async with running(ADA) as (stage, ada):
        gate = ada.bot.gate()
        asked = stage.ask(input=long(LONG))
        first = await ada.card("Part 1 of 3")
        assert list(first.buttons) == ["⏳ The rest is on its way", "Deny"]
        assert await ada.tap(first, "on its way") == (LOCKED, True)
        token = stage.tokens.give(Action(ADA, asked, "allow"))
        assert await ada.send_data(first.id, token) == (LOCKED, True)
        assert stage.state(asked) == "pending"
        gate.set()
        await ada.tap(await ada.card("Part 3 of 3"), "Allow")
        await stage.decision(asked)


async def test_a_deny_does_not_wait_for_the_rest() -> None:
    async with running(ADA) as (stage, ada):
        gate = ada.bot.gate()
        asked = stage.ask(input=long(LONG))
        first = await ada.card("Part 1 of 3")
        assert await ada.tap(first, "Deny") == ("Answered.", False)
        await stage.decision(asked)
        gate.set()
        await ada.until(first, "telegram): deny")
        assert len(ada.sees()) == 1


async def test_a_tap_may_be_sooner_than_the_word_that_all_was_sent() -> None:
    async with running(ADA) as (stage, ada):
        gate = ada.bot.gate()
        asked = stage.ask()
        card = await ada.card()
        assert await ada.tap(card, "Allow") == ("Answered.", False)
        gate.set()
        await ada.until(card, "telegram): allow")
        assert stage.state(asked) == "answered"


async def test_what_takes_too_many_messages_comes_as_a_file_and_the_cut_is_said() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask(input=long(HUGE))
        card = await ada.card("CUT HERE")
        file = ada.sees()[0]
        assert "".join(f"  │ {line}\n" for line in HUGE.split("\n")) in file.file.decode()
        assert "characters more. All of it is in the file" in card.text
        assert (await ada.tap(card, "Allow"))[1] is False
        await stage.decision(asked)


async def test_the_desk_counts_as_read_only_what_was_fetched_for_who_answers() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask(input=long(LONG))
        await ada.card("Part 3 of 3")
        with pytest.raises(NotSeen):
            stage.answer(asked, behavior="allow")


async def test_a_card_with_the_most_that_fits_is_one_message_at_the_boundary() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask(input=long("\U0001f600" * 3000))
        await ada.card("Part 2 of 2")
        assert all(units(one.text) <= 4096 for one in ada.sees())
        assert sum(one.text.count("\U0001f600") for one in ada.sees()) == 3000


# --- words -----------------------------------------------------------------------------------


async def test_case_19_words_answer_only_as_a_reply_to_a_card() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("text", agent="program", title="Name?")
        card = await ada.card()
        await ada.write("this is no reply")
        await ada.card(NO_REPLY)
        assert stage.state(asked) == "pending"
        await ada.write("  \u3164 ".replace("\u3164", ""), card)
        await ada.card("Nothing was answered: a blank text is not taken")
        assert stage.state(asked) == "pending"
        await ada.write("Ada", card)
        decision = await stage.decision(asked)
        assert decision is not None
        assert decision.value == "Ada"


async def test_words_for_a_card_without_a_question_for_them_do_nothing() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        await ada.write("yes, allow", await ada.card())
        await ada.card("Words are no answer here")
        assert stage.state(asked) == "pending"


async def test_words_for_a_prompt_that_is_over_do_nothing() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        await ada.tap(card, "say why")
        prompt = await ada.card("Why not?\n(")
        await ada.tap(card, "« Back")
        await ada.write("because", prompt)
        await ada.card("does not ask for these words any more")
        assert stage.state(asked) == "pending"


async def test_cancel_takes_the_step_back_and_answers_nothing() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("text", agent="program", title="Name?")
        card = await ada.card()
        await ada.tap(card, "Write it")
        await ada.answer_prompt("/cancel")
        await ada.card("Nothing was answered.")
        await ada.bot.until(lambda: card.has("Write it"))
        assert stage.state(asked) == "pending"


async def test_words_that_are_as_long_as_a_message_may_be_are_not_taken_for_all_of_them() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("text", agent="program", title="Text?")
        await ada.write("x" * 4096, await ada.card())
        await ada.card(HALF)
        assert stage.state(asked) == "pending"


async def test_a_stale_button_does_nothing() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("choice", agent="program", title="?", choices=(Choice(value="a", label="A"),))
        card = await ada.card()
        old = card.buttons["1. A [a]"] if "1. A [a]" in card.buttons else card.buttons["1. A"]
        await ada.tap(card, "Cancel")
        assert await ada.send_data(card.id, old) == (STALE, True)
        assert stage.state(asked) == "pending"
