"""What programs ask themselves, answered key by key."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from sayso.channels.screen.news import TELL_S
from sayso.core.types import Answerer, Choice, Row
from sayso.wire.views import GrantView
from tests.channels.fake_desk import choice, command, text, view, yesno
from tests.channels.screen.person import Person

MANY = choice(choices=tuple(Choice(value=f"id{n}", label=f"Place {n}") for n in range(1, 13)), default="")
LONG = command(input=(Row(label="Command", value="\n".join(f"step {n}" for n in range(60)), code=True),))
ACK, RUN = {"behavior": "allow", "step": "ack"}, {"behavior": "allow", "step": "run"}


def understood(**changes: Any) -> Person:
    """Return a person who said that they understand the command, with the desk's word for it."""
    person = Person(command(**changes))
    person.press("a")
    assert person.replies == [ACK]
    person.takes()
    return person


# --- yes or no, a choice, a text -------------------------------------------------------


@pytest.mark.parametrize(("key", "value"), [("y", "yes"), ("n", "no")])
def test_yes_and_no_are_keys(key: str, value: str) -> None:
    person = Person(yesno())
    person.press(key)
    assert person.replies == [{"behavior": "allow", "value": value}]


@pytest.mark.parametrize("key", ["enter", "a", "t", "1", "space", "s"])
def test_other_keys_say_what_answers_yes_or_no(key: str) -> None:
    person = Person(yesno(default="yes"))
    person.press(key)
    assert person.sends == []
    if key in ("enter", "a", "t", "1"):
        assert "y or n answers it" in person.look()


def test_y_and_n_mean_nothing_elsewhere() -> None:
    person = Person(view(), text())
    person.press("y", "n", "j", "y", "n")
    assert person.sends == []
    assert person.model.step is None


def test_case_43_what_was_not_seen_to_its_end_is_not_answered() -> None:
    rows = (Row(label="Details", value="\n".join(map(str, range(60)))),)
    for card, keys in ((yesno(input=rows), "y"), (choice(input=rows), "1"), (text(input=rows), "t")):
        person = Person(card)
        person.press(keys)
        assert "There is more of it" in person.look()
        assert (person.sends, person.model.step) == ([], None)
        person.press(" ", " ", " ", " ", keys)
        assert person.sends or person.model.step


def test_a_choice_by_its_number_and_enter() -> None:
    person = Person(choice())
    person.press("1")
    assert "  1  Frankfurt [eu:1]" in person.look()
    assert person.sends == []
    person.press("enter")
    assert person.replies == [{"behavior": "allow", "value": "eu:1"}]


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["1", "2"], "id12"),
        (["1"], "id1"),
        (["9", "k"], "id8"),
        (["9", "down", "down", "down", "down"], "id12"),
        (["1", "k"], "id1"),
        (["1", "2", "backspace"], "id1"),
        (["2", "1", "1"], "id11"),
    ],
)
def test_a_choice_of_many(keys: list[str], value: str) -> None:
    person = Person(MANY, rows=40)
    person.press(*keys, "enter")
    assert person.replies == [{"behavior": "allow", "value": value}]


@pytest.mark.parametrize("keys", [["0"], ["1", "3"], ["5", "5"]])
def test_a_choice_that_is_not_there(keys: list[str]) -> None:
    person = Person(MANY, rows=40)
    person.press(*keys)
    assert "There is no choice" in person.look()
    person.press("enter")
    assert person.sends == []
    person.press("escape")
    assert person.model.step is None


def test_the_default_of_a_choice_is_taken_by_two_keys() -> None:
    person = Person(choice())
    assert "   2  Dublin [1] (default)" in person.look()
    person.press("enter")
    assert "Choose by a number" in person.look()
    person.press("a", "enter")
    assert person.replies == [{"behavior": "allow", "value": "1"}]
    without = Person(MANY, rows=40)
    without.press("a", "enter")
    assert without.sends == []


def test_a_text_begins_with_its_default_and_is_given_verbatim() -> None:
    person = Person(text())
    person.press("t")
    assert "> small fixes▏" in person.look()
    person.write(" ü")
    person.paste("\n2")
    person.press("enter")
    assert person.replies == [{"behavior": "allow", "value": "small fixes ü\n2"}]


@pytest.mark.parametrize("typed", ["", "  "])
def test_case_19_a_blank_text_is_no_accident(typed: str) -> None:
    person = Person(text(default=typed))
    person.press("t", "enter")
    assert "The answer is" in person.loud()
    person.press("enter")
    assert person.sends == []
    person.press("enter")
    person.press("e", after_s=0.1)
    assert person.sends == []
    person.press("e")
    assert person.replies == [{"behavior": "allow", "value": typed}]


def test_a_text_is_left_and_nothing_is_said() -> None:
    person = Person(text())
    person.press("t", "x", "escape")
    assert (person.sends, person.model.step) == ([], None)


@pytest.mark.parametrize("key", ["d", "c"])
def test_each_is_cancelled_with_a_reason(key: str) -> None:
    for card in (yesno(), choice(), text(), command()):
        person = Person(card)
        person.press(key)
        assert "Enter cancels it" in person.look()
        person.press(*"later", "enter")
        assert person.replies == [{"behavior": "deny", "message": "later"}]


def test_a_program_cannot_be_stopped() -> None:
    person = Person(command())
    person.press("s")
    assert "cannot be stopped" in person.look()
    assert person.model.step is None


def test_what_became_of_it_names_the_program() -> None:
    person = Person(yesno(label=""), view())
    person.press("y")
    person.takes()
    person.moves(yesno().id, "delivered", ending="handed to the program that asked")
    assert "aa110000 a program asks yes or no: handed to the program that asked" in person.look()


# --- a command -------------------------------------------------------------------------


def test_a_command_runs_after_its_word_and_is_shown_at_both_steps() -> None:
    person = Person(command())
    assert "drop table orders_old" in person.look()
    assert "DESTRUCTIVE, says the program that asks" in person.loud()
    person.press("a")
    assert person.replies == [ACK]
    person.takes()
    assert "drop table orders_old" in person.look()
    assert "DESTRUCTIVE, says the program that asks" in person.loud()
    assert "Type run, and it runs" in person.look()
    person.press("r", "u", "n")
    assert person.replies == [ACK, RUN]
    person.takes()
    assert person.model.step is None


@pytest.mark.parametrize(
    "keys",
    [
        ["enter"] * 5,
        ["a"] * 5,
        ["r"] * 5,
        ["R", "U", "N"],
        ["r", "u", "enter"],
        ["r", "u", "x", "n"],
        ["u", "n"],
        ["y", "y"],
        ["tab", "right", "enter"],
    ],
)
def test_no_single_key_however_often_runs_a_command(keys: list[str]) -> None:
    person = understood()
    person.press(*keys)
    assert person.replies == [ACK]


def test_keys_held_down_or_just_after_the_first_step_count_for_nothing() -> None:
    person = understood()
    person.press(*"run", after_s=0.05)
    assert person.replies == [ACK]
    assert "was ignored" in person.look()


def test_a_paste_runs_nothing() -> None:
    person = understood()
    person.wait(1)
    person.paste("run\r")
    assert person.replies == [ACK]


def test_the_word_can_be_corrected_and_left() -> None:
    person = understood()
    person.press("r", "u", "backspace", "backspace", "r", "u", "n")
    assert person.replies == [ACK, RUN]
    left = understood()
    left.press("r", "escape")
    assert left.model.step is None
    left.press("u", "n")
    assert left.replies == [ACK]


def test_case_43_a_long_command_is_read_to_its_end_at_both_steps() -> None:
    person = Person(LONG)
    person.press("a")
    assert person.sends == []
    person.press(*[" "] * 5, "a")
    person.takes()
    assert "step 0" in person.look()
    person.press(*"run")
    assert person.replies == [ACK]
    assert "There is more of it" in person.look()
    person.press(*["page-down"] * 5)
    assert "step 59" in person.look()
    person.press("up", "b", *"run")
    assert person.replies == [ACK, RUN]


def test_a_refused_second_step_begins_anew() -> None:
    person = understood()
    person.press(*"run")
    person.actions += person.model.refused(command().id, "it was acknowledged more than 60 s ago")
    assert "more than 60 s ago" in person.loud()
    assert person.model.step is None
    person.press("a")
    assert person.replies == [ACK, RUN, ACK]


def test_a_command_that_ends_meanwhile_runs_nothing() -> None:
    person = understood()
    person.moves(command().id, "withdrawn", ending="the program that asked has ended")
    assert "what you type goes nowhere" in person.loud()
    person.press(*"run")
    assert person.replies == [ACK]
    person.press("enter")
    assert person.model.step is None


def test_a_card_that_is_not_in_front_any_more_asks_for_no_word() -> None:
    person = Person(command(), yesno())
    person.press("a", "j")
    person.takes()
    assert person.model.step is None
    person.press("k", "a")
    person.takes()
    assert "Type run" in person.look()


def test_a_command_without_text_says_so() -> None:
    person = Person(command(input=()))
    assert "Nothing says which command" in person.loud()


# --- notes -----------------------------------------------------------------------------


def test_a_note_is_one_line_for_a_while() -> None:
    person = Person(yesno())
    person.note(body="3 GB\x1b[2J\nmore" + "x" * 200, label="backup")
    lines = [line for line in person.look().splitlines() if line.startswith("Note of")]
    assert lines[0].startswith("Note of a program (calls itself “backup”) in shop: Backup done: 3 GB␛[2J␊")
    assert lines[0].endswith("…")
    assert len(lines) == 1
    person.press("j")
    assert "Backup done" in person.look()
    person.wait(TELL_S)
    assert "Backup done" not in person.look()


def test_notes_are_taken_away_and_do_not_come_back() -> None:
    person = Person()
    for number in range(5):
        person.note(title=f"Note {number}.")
    shown = person.look()
    assert [f"Note {number}." in shown for number in range(5)] == [False, False, True, True, True]
    told = tuple(person.model.news.told(person.now_s))
    person.press("x")
    assert "Note of" not in person.look()
    person.snapshot(notes=told)
    assert "Note of" not in person.look()


def test_case_59_what_is_allowed_for_a_while_is_one_line_until_it_is_over() -> None:
    person = Person(yesno())
    by = Answerer(channel="cli")
    until = datetime.fromtimestamp(person.now_s + 90.0, UTC).isoformat()
    shape = {"agent": "codex", "session_id": "s", "tool": "Bash", "what": "make\x1b[2J"}
    grant = GrantView(id="a", by=by, until=until, **shape)
    person.grants(grant)
    assert "1 grant is open: Codex uses Bash: make␛[2J, 1 min 30 s left" in person.look()
    person.wait(30.0)
    assert "1 min 0 s left" in person.look()
    person.grants(grant, grant)
    assert "2 grants are open: sayso grants" in person.look()
    person.grants()
    assert "open" not in person.look()


def test_a_note_of_an_agent_names_it_and_the_snapshot_tells_notes() -> None:
    person = Person()
    person.note(agent="claude-code", project="")
    told = tuple(person.model.news.told(person.now_s))
    other = Person()
    other.snapshot(notes=told)
    assert "Note of a program in Claude Code: Backup done" in other.look()
