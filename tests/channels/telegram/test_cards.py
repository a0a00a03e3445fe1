"""Every kind of request in a chat: shown whole, answered by taps and replies, and what they come to."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.types import Answer, Choice, Field, Option, Question, Row
from sayso.errors import Gone
from tests.channels.telegram.stage import ADA, Person, Shown, Stage, running

ONE = Question(question="Which colour?", options=(Option(label="Red"), Option(label="Blue")))
MANY = Question(
    question="Which features?",
    multi_select=True,
    options=(Option(label="A, first"), Option(label="B"), Option(label="C")),
)
PLAN = {"input": (Row(label="Plan", value="1. do it"),), "modes": ("default", "acceptEdits", "auto")}
FORM = {
    "tool": "lab",
    "fields": (
        Field(name="name", title="Your name", required=True),
        Field(name="age", type="integer", minimum=1),
        Field(name="ok", type="boolean", required=True),
        Field(
            name="color", type="choice", choices=(Choice(value="red"), Choice(value="blue")), required=True
        ),
        Field(name="days", type="choices", choices=(Choice(value="mon"), Choice(value="tue")), minimum=1),
        Field(name="nick", default="none"),
    ),
}


async def decided(stage: Stage, request_id: str) -> dict[str, Any]:
    """Return what was decided, without what has its default."""
    decision = await stage.decision(request_id)
    assert decision is not None
    return {name: value for name in decision.__struct_fields__ if (value := getattr(decision, name))}


async def tap(ada: Person, card: Shown, *labels: str) -> None:
    for label in labels:
        told = await ada.tap(card, label)
        assert told[1] is False, told


# --- permissions ---------------------------------------------------------------------------


async def test_a_permission_is_allowed_by_a_tap() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask()
        card = await ada.card()
        assert "touch x" in card.text
        assert await ada.tap(card, "Allow") == ("Answered.", False)
        assert await decided(stage, asked) == {"behavior": "allow"}
        await ada.until(card, "phone 701, telegram): allow")
        assert card.keyboard == ()
        assert "touch x" in card.text


async def test_a_permission_is_denied_with_and_without_words_and_stops_the_turn() -> None:
    async with running(ADA) as (stage, ada):
        plain, worded, stopped = stage.ask(), stage.ask(), stage.ask(interrupt=True)
        await ada.bot.until(lambda: len(ada.sees()) == 3)
        first, second, third = ada.sees()
        await tap(ada, first, "Deny")
        assert await decided(stage, plain) == {"behavior": "deny"}
        await tap(ada, second, "say why")
        await ada.answer_prompt('Not there: use "other"')
        assert await decided(stage, worded) == {"behavior": "deny", "message": 'Not there: use "other"'}
        await tap(ada, third, "Deny and stop", "without words")
        assert await decided(stage, stopped) == {"behavior": "deny", "interrupt": True}


async def test_a_suggestion_is_shown_whole_and_asked_about_once_more() -> None:
    label = "always allow every command that begins with touch, in any folder of this project, and in others"
    async with running(ADA) as (stage, ada):
        asked = stage.ask(suggestions=("", label))
        card = await ada.card()
        assert f"2  {label}" in card.text
        assert not card.has("Allow + 1")
        await tap(ada, card, "Allow + 2")
        await ada.until(card, "ask Claude Code for this:")
        await tap(ada, card, "« Back", "Allow + 2", "Allow, and ask for this")
        assert await decided(stage, asked) == {"behavior": "allow", "suggestion": 1}


async def test_this_very_call_for_a_while() -> None:
    async with running(ADA) as (stage, ada):
        call: dict[str, Any] = {"content": "c" * 64, "digest": "d" * 64}
        stage.ask(**call)
        told = await ada.tap(await ada.card(), "5 minutes")
        assert told == ("Answered.", False)
        again = stage.ask(**call)
        assert await decided(stage, again) == {"behavior": "allow"}
        granted = await ada.card("this very call is allowed for 5 min")
        assert await ada.tap(granted, "End that now") == ("The next such call asks again.", False)
        assert stage.state(stage.ask(**call)) == "pending"


async def test_what_nobody_can_read_is_allowed_by_a_second_tap_alone() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask(input=(Row(label="Command", value="touch", length=9_000_000, lost=True),))
        card = await ada.card()
        assert "never left the agent's hook" in card.text
        assert not card.has("5 minutes")
        await tap(ada, card, "Allow it unseen…", "Allow it unseen")
        assert await decided(stage, asked) == {"behavior": "allow"}


async def test_case_43_an_empty_command_is_a_warning() -> None:
    async with running(ADA) as (stage, ada):
        stage.ask(input=(Row(label="Command", value="  ", code=True),))
        card = await ada.card()
        assert "⚠ Command: (empty)" in card.text
        assert "⚠ Nothing says what it would do" in card.text


# --- questions -----------------------------------------------------------------------------


async def test_an_option_answers_one_question_at_once() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("question", questions=(ONE,))
        await tap(ada, await ada.card(), "2. Blue")
        assert await decided(stage, asked) == {"behavior": "allow", "answers": (Answer(picked=(1,)),)}


async def test_several_options_are_toggled_and_sent() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("question", questions=(MANY,))
        card = await ada.card()
        assert not card.has("Send")
        await tap(ada, card, "☐ 1. A, first", "☐ 2. B", "☐ 3. C", "☑ 2. B", "Send the answer")
        assert await decided(stage, asked) == {"behavior": "allow", "answers": (Answer(picked=(0, 2)),)}


async def test_own_words_are_a_reply_to_the_card_or_to_its_prompt() -> None:
    async with running(ADA) as (stage, ada):
        first = stage.ask("question", questions=(ONE,))
        await ada.write("neither: grün", await ada.card())
        assert await decided(stage, first) == {
            "behavior": "allow",
            "answers": (Answer(text="neither: grün"),),
        }
        second = stage.ask("question", questions=(ONE,))
        await tap(ada, await ada.card(), "own words")
        await ada.answer_prompt("another")
        assert await decided(stage, second) == {"behavior": "allow", "answers": (Answer(text="another"),)}


async def test_several_questions_are_steps_with_notes_and_looked_over() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("question", questions=(ONE, MANY))
        card = await ada.card()
        assert "Question 1 of 2:" in card.text
        await tap(ada, card, "Add a note")
        await ada.answer_prompt("for now")
        await ada.until(card, "Your note: for now")
        await tap(ada, card, "1. Red", "2. B", "3. C", "Go on")
        await ada.until(card, "Your answers:")
        await tap(ada, card, "Change 1", "2. Blue", "Send the answers")
        answers = (Answer(picked=(1,), notes="for now"), Answer(picked=(1, 2)))
        assert await decided(stage, asked) == {"behavior": "allow", "answers": answers}


async def test_a_question_is_not_answered() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("question", questions=(ONE,))
        await tap(ada, await ada.card(), "Do not answer")
        await ada.answer_prompt("not now")
        assert await decided(stage, asked) == {"behavior": "deny", "message": "not now"}


# --- plans ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "mode"),
    [("asks before each edit", "default"), ("without asking", "acceptEdits"), ("auto mode", "auto")],
)
async def test_a_plan_is_approved_into_a_mode(label: str, mode: str) -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("plan", **PLAN)
        await tap(ada, await ada.card(), label)
        assert await decided(stage, asked) == {"behavior": "allow", "mode": mode}


async def test_a_plan_is_sent_back_with_what_should_change() -> None:
    async with running(ADA) as (stage, ada):
        by_button, by_reply = stage.ask("plan", **PLAN), stage.ask("plan", **PLAN)
        await ada.bot.until(lambda: len(ada.sees()) == 2)
        first, second = ada.sees()
        await tap(ada, first, "Keep planning")
        await ada.answer_prompt("smaller")
        await ada.write("larger", second)
        assert await decided(stage, by_button) == {"behavior": "deny", "message": "smaller"}
        assert await decided(stage, by_reply) == {"behavior": "deny", "message": "larger"}


async def test_a_plan_is_edited_and_then_approved() -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("plan", **PLAN)
        card = await ada.card()
        await tap(ada, card, "Edit the plan")
        await ada.answer_prompt("# Plan\n1. do less")
        await ada.until(card, "Your plan instead of the one above")
        await tap(ada, card, "without asking")
        plan = "# Plan\n1. do less\n"
        assert await decided(stage, asked) == {"behavior": "allow", "mode": "acceptEdits", "plan": plan}


# --- forms ---------------------------------------------------------------------------------


async def test_a_form_is_filled_in_field_by_field_and_looked_over() -> None:
    async with running(ADA) as (stage, ada):
        await ada.write("/help")  # a form waits only where somebody is
        asked = stage.ask("elicitation", **FORM)
        card = await ada.card("lab")
        await tap(ada, card, "Fill it in")
        await ada.answer_prompt("Ada")
        await ada.until(card, "Field 2 of 6")
        await ada.answer_prompt("old")
        await ada.card("age must be a whole number")
        await ada.write("36", card)
        await tap(ada, card, "No", "blue", "☐ mon", "☐ tue", "Go on", "As it is: none")
        await ada.until(card, "This goes to the server:")
        assert "days: mon, tue" in card.text
        await tap(ada, card, "« Back", "As it is: none", "Send the form")
        content = {
            "name": "Ada",
            "age": 36,
            "ok": False,
            "color": "blue",
            "days": ["mon", "tue"],
            "nick": "none",
        }
        assert await decided(stage, asked) == {"behavior": "allow", "content": content}


@pytest.mark.parametrize(("label", "behavior"), [("Decline", "deny"), ("Cancel", "cancel")])
async def test_a_form_is_not_filled_in(label: str, behavior: str) -> None:
    async with running(ADA) as (stage, ada):
        await ada.write("/help")
        asked = stage.ask("elicitation", **FORM)
        await tap(ada, await ada.card("lab"), label)
        assert await decided(stage, asked) == {"behavior": behavior}


async def test_a_link_is_accepted() -> None:
    async with running(ADA) as (stage, ada):
        await ada.write("/help")
        asked = stage.ask("elicitation", tool="lab", url="http://127.0.0.1:1/login")
        card = await ada.card("http://127.0.0.1:1/login")
        await tap(ada, card, "Accept")
        assert await decided(stage, asked) == {"behavior": "allow"}


# --- what programs ask themselves ----------------------------------------------------------


def own(**more: Any) -> dict[str, Any]:
    return {"agent": "program", "title": "What shall I do?", **more}


@pytest.mark.parametrize("word", ["yes", "no"])
async def test_yes_or_no(word: str) -> None:
    async with running(ADA) as (stage, ada):
        asked = stage.ask("yesno", **own(default="no"))
        card = await ada.card()
        assert list(card.buttons)[:2] == ["Yes", "No (default)"]
        await tap(ada, card, word.capitalize())
        assert await decided(stage, asked) == {"behavior": "allow", "value": word}


@pytest.mark.parametrize("name", ["cancel", "a|b|c", "ask|req:1|yes", "ü" * 60, "x" * 300, "1", " "])
async def test_a_choice_is_taken_whatever_its_id_is(name: str) -> None:
    async with running(ADA) as (stage, ada):
        choices = (Choice(value="other", label="Other"), Choice(value=name, label="This one"))
        asked = stage.ask("choice", **own(choices=choices))
        card = await ada.card()
        assert all(1 <= len(data.encode()) <= 64 for data in card.buttons.values())
        await tap(ada, card, "2. This one")
        assert await decided(stage, asked) == {"behavior": "allow", "value": name}


async def test_it_is_cancelled_with_a_reason_and_without() -> None:
    async with running(ADA) as (stage, ada):
        first, second = stage.ask("yesno", **own()), stage.ask("yesno", **own())
        await ada.bot.until(lambda: len(ada.sees()) == 2)
        with_words, without = ada.sees()
        await tap(ada, without, "Cancel", "Cancel it, without words")
        await tap(ada, with_words, "Cancel")
        await ada.answer_prompt("not now")
        assert await decided(stage, first) == {"behavior": "cancel", "message": "not now"}
        assert await decided(stage, second) == {"behavior": "cancel"}


async def test_a_text_is_a_reply_and_an_empty_one_takes_two_taps() -> None:
    async with running(ADA) as (stage, ada):
        replied, empty, default = (stage.ask("text", **own(default="as ever")) for _ in range(3))
        await ada.bot.until(lambda: len(ada.sees()) == 3)
        one, two, three = ada.sees()
        await ada.write('neither: "grün", or <b>', one)
        assert await decided(stage, replied) == {"behavior": "allow", "value": 'neither: "grün", or <b>'}
        await tap(ada, two, "empty text", "Send it empty")
        decision = await stage.decision(empty)
        assert decision is not None
        assert decision.value == ""
        await tap(ada, three, "its default")
        assert await decided(stage, default) == {"behavior": "allow", "value": "as ever"}


async def test_a_command_takes_two_steps_and_is_in_sight_at_the_second() -> None:
    command = "psql -c 'drop table orders'\nrm -r backup"
    async with running(ADA) as (stage, ada):
        asked = stage.ask(
            "confirm-command", **own(unsafe=True, input=(Row(label="Command", value=command, code=True),))
        )
        card = await ada.card()
        assert not card.has("Run it")
        assert await ada.tap(card, "I understand") == ("Nothing runs yet.", False)
        await ada.until(card, "You understood the command above")
        assert command in card.text
        assert "DESTRUCTIVE" in card.text
        assert stage.state(asked) == "pending"
        await tap(ada, card, "Run it")
        assert await decided(stage, asked) == {"behavior": "allow", "value": "run"}
        with pytest.raises(Gone):
            stage.answer(asked, behavior="cancel")
