"""Questions, plans and forms, answered key by key."""

from __future__ import annotations

import pytest

from sayso.core.types import Field, Option, Question
from tests.channels.fake_desk import elicitation, plan, question, view
from tests.channels.screen.person import Person

PARTS = Question(
    question="Which parts?",
    multi_select=True,
    options=tuple(Option(label=f"Part {n}") for n in range(1, 13)),
)
TWO = question(questions=(question().questions[0], PARTS))


# --- questions -------------------------------------------------------------------------


def test_case_17_a_question_is_answered_by_number_and_enter() -> None:
    person = Person(question())
    person.press("a")
    assert person.sends == []
    person.press("enter")
    assert "Pick an option" in person.look()
    person.press("2")
    assert "   2  [x] Postgres, 17" in person.look()
    assert person.sends == []
    person.press("enter")
    assert person.replies == [{"behavior": "allow", "answers": [{"picked": ["Postgres, 17"]}]}]


def test_one_option_takes_the_place_of_another() -> None:
    person = Person(question())
    person.press("2", "1", "enter")
    assert person.replies == [{"behavior": "allow", "answers": [{"picked": ["SQLite"]}]}]
    again = Person(question())
    again.press("1", "1", "enter")
    assert again.sends == []


def test_case_21_several_options_in_the_order_they_were_picked() -> None:
    person = Person(question(questions=(PARTS,)), rows=40)
    person.press("3", "2", "5", "2", "enter")
    assert person.replies == [{"behavior": "allow", "answers": [{"picked": ["Part 3", "Part 5"]}]}]


def test_options_beyond_the_ninth() -> None:
    person = Person(question(questions=(PARTS,)), rows=40)
    person.press("1")
    assert "a second digit?" in person.look()
    person.press("2", "1", "enter")
    assert person.sends == []
    person.press("1", "t", "escape", "enter")
    assert person.replies == [{"behavior": "allow", "answers": [{"picked": ["Part 12", "Part 1"]}]}]


def test_an_option_that_is_not_there() -> None:
    person = Person(question(questions=(PARTS,)), rows=40)
    person.press("1", "9")
    assert "there is no option 19" in person.look()
    person.press("0")
    assert "there is no option 0" in person.look()


def test_own_words_and_a_note() -> None:
    person = Person(question())
    person.press("1", "t")
    person.write("none of them")
    person.press("enter", "n")
    person.write("for now")
    person.press("enter")
    assert "Your words: none of them" in person.look()
    assert "[x]" not in person.look()
    assert "Your note: for now" in person.look()
    person.press("enter")
    assert person.replies == [
        {"behavior": "allow", "answers": [{"text": "none of them", "notes": "for now"}]}
    ]


def test_case_19_blank_words_are_no_answer() -> None:
    person = Person(question())
    person.press("t", " ", "enter")
    assert "blank text is no answer" in person.loud()
    person.press("escape", "enter")
    assert person.sends == []


def test_a_note_can_be_taken_back_and_words_corrected() -> None:
    person = Person(question())
    person.press("t", "a", "enter", "n", "b", "enter", "n", "backspace", "enter", "t", "c", "enter", "enter")
    assert person.replies == [{"behavior": "allow", "answers": [{"text": "ac"}]}]


def test_an_option_takes_the_place_of_words() -> None:
    person = Person(question())
    person.press("t", "a", "enter", "1", "enter")
    assert person.replies == [{"behavior": "allow", "answers": [{"picked": ["SQLite"]}]}]


def test_several_questions_one_after_the_other() -> None:
    person = Person(TWO, rows=40)
    assert "Question 1 of 2" in person.look()
    person.press("1", "enter")
    assert "Question 2 of 2" in person.look()
    assert "Questions: 1 answered, 2 open" in person.look()
    person.press("enter")
    assert person.sends == []
    person.press("2", "enter")
    assert person.replies == [
        {"behavior": "allow", "answers": [{"picked": ["SQLite"]}, {"picked": ["Part 2"]}]}
    ]


def test_several_questions_in_any_order() -> None:
    person = Person(TWO, rows=40)
    person.press("right", "right", "2", "enter")
    assert "Question 1 of 2" in person.look()
    person.press("left", "1", "enter")
    assert len(person.sends) == 1


def test_what_was_begun_is_kept_while_looking_at_another_card() -> None:
    person = Person(TWO, view(), rows=40)
    person.press("1", "right", "3", "j", "k")
    assert "Question 2 of 2" in person.look()
    person.press("enter")
    assert person.replies == [
        {"behavior": "allow", "answers": [{"picked": ["SQLite"]}, {"picked": ["Part 3"]}]}
    ]


def test_a_question_is_declined_with_a_reason() -> None:
    person = Person(question())
    person.press("d", "x", "enter")
    assert person.replies == [{"behavior": "deny", "message": "x"}]


def test_words_belong_to_questions_alone() -> None:
    person = Person(view())
    person.press("t")
    assert "d denies with a reason" in person.look()


# --- plans -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "mode"), [("m", "default"), ("e", "acceptEdits"), ("u", "auto")])
def test_case_24_a_plan_is_approved_with_a_mode(name: str, mode: str) -> None:
    person = Person(plan())
    person.press("a")
    assert "m  the agent asks before each edit" in person.look()
    assert person.sends == []
    person.press(name)
    assert person.replies == [{"behavior": "allow", "mode": mode}]


@pytest.mark.parametrize("name", ["enter", "a", "y", "escape"])
def test_case_24_any_other_key_approves_nothing(name: str) -> None:
    person = Person(plan())
    person.press("a", name)
    assert person.sends == []
    assert person.model.step is None


def test_case_24_a_mode_that_is_not_offered() -> None:
    person = Person(plan(modes=("default",)))
    person.press("a")
    assert "u  " not in person.look()
    person.press("u")
    assert person.sends == []
    assert "cannot be approved with mode" in person.loud()


def test_a_mode_is_no_accident() -> None:
    person = Person(plan())
    person.press("a")
    person.press("e", after_s=0.1)
    assert person.sends == []


def test_a_plan_is_sent_back_with_what_should_change() -> None:
    person = Person(plan())
    person.press("d")
    assert "What should change" in person.look()
    person.write("use less")
    person.press("enter")
    assert person.replies == [{"behavior": "deny", "message": "use less"}]


# --- what servers ask ------------------------------------------------------------------


def test_a_form_field_by_field() -> None:
    person = Person(elicitation(), rows=50)
    person.press("a")
    assert "Field 1 of 5" in person.look()
    person.write("Ada")
    person.press("enter")
    person.write("36")
    person.press("enter", "y", "enter", "2", "enter")
    person.write("2,1")
    person.press("enter")
    shown = person.look()
    for line in ("name: Ada", "age: 36", "news: yes", "size: l", "tags: b, c, a"):
        assert line in shown
    person.press("enter")
    assert person.sends == []
    person.press("a")
    content = {"name": "Ada", "age": 36, "news": True, "size": "l", "tags": ["b, c", "a"]}
    assert person.replies == [{"behavior": "allow", "content": content}]


def test_fields_left_have_their_default_or_are_left_out() -> None:
    person = Person(elicitation(), rows=50)
    person.press("a", "A", *["enter"] * 5, "a")
    assert person.replies == [{"behavior": "allow", "content": {"name": "A", "news": False}}]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (["enter"], "Your name is required"),
        (["A", "enter", "x", "enter"], "must be a whole number"),
        (["A", "enter", "9", "9", "9", "enter"], "at most 150"),
        (["A", "enter", "enter", "q", "enter"], "must be yes or no"),
        (["A", "enter", "enter", "enter", "3", "enter"], "a number from 1 to 2"),
        (["A", "enter", "enter", "enter", "l", "enter"], "a number from 1 to 2"),
        (["A", "enter", "enter", "enter", "1", ",", "2", "enter"], "given twice"),
        (["A", "enter", "enter", "enter", "enter", "1", ",", "1", "enter"], "twice"),
    ],
)
def test_case_18_a_value_that_does_not_fit_stays_to_be_corrected(keys: list[str], words: str) -> None:
    person = Person(elicitation(), rows=50)
    person.press("a", *keys)
    assert words in person.loud()
    assert person.model.step is not None
    assert person.sends == []


def test_going_back_in_a_form_keeps_what_was_typed() -> None:
    person = Person(elicitation(), rows=50)
    person.press("a", "A", "enter", "escape")
    assert "> A▏" in person.look()
    person.press("escape")
    assert person.model.step is None


def test_going_back_from_the_end_of_a_form() -> None:
    person = Person(elicitation(fields=(Field(name="x"),)))
    person.press("a", "enter", "escape")
    assert "Field 1 of 1" in person.look()
    person.press("enter", "a")
    assert person.replies == [{"behavior": "allow", "content": {}}]


def test_a_form_without_fields_is_reviewed_too() -> None:
    person = Person(elicitation(fields=()))
    person.press("a", "z", "enter")
    assert person.sends == []
    person.press("escape")
    assert person.model.step is None
    person.press("a", "a")
    assert person.replies == [{"behavior": "allow", "content": {}}]


def test_a_link_a_denial_and_a_cancel() -> None:
    person = Person(elicitation(fields=(), url="https://login.example"))
    assert "https://login.example" in person.look()
    person.press("a", "c", "d")
    assert person.replies == [{"behavior": "allow"}, {"behavior": "cancel"}, {"behavior": "deny"}]


def test_a_denial_of_a_form_takes_no_words() -> None:
    person = Person(elicitation())
    person.press("d")
    assert person.replies == [{"behavior": "deny"}]
    assert person.model.step is None
