"""From what a person types to what goes over the wire, and every refusal on the way."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.channels import replies
from sayso.core.types import Option, Question, Row
from sayso.errors import BadReply, BadRequest, Gone
from tests.channels.fake_desk import elicitation, plan, question, suggested, view

TWO = question(
    questions=(
        question().questions[0],
        Question(
            question="Which parts?", multi_select=True, options=(Option(label="A, B"), Option(label="C"))
        ),
    )
)


# --- which request ---------------------------------------------------------------------


def test_case_12_any_unique_beginning_names_a_request() -> None:
    first, second = view("3f2a" + "0" * 28), view("3f2b" + "0" * 28)
    assert replies.find("3f2a", [first, second]) is first
    assert replies.find("3F2B00", [first, second]) is second
    assert replies.find("3", [first]) is first


def test_case_12_an_ambiguous_beginning_is_refused_with_the_candidates() -> None:
    first, second = view("3f2a" + "0" * 28), view("3f2b" + "0" * 28)
    with pytest.raises(BadRequest, match="2 ids") as caught:
        replies.find("3f2", [first, second])
    assert first.id in caught.value.text
    assert second.id in caught.value.text


def test_case_12_a_whole_id_is_meant_even_if_it_begins_another() -> None:
    first, second = view("abcd"), view("abcdef")
    assert replies.find("abcd", [first, second]) is first


@pytest.mark.parametrize("prefix", ["", "  ", "zz", "\x1b"])
def test_case_12_an_unknown_id_is_gone(prefix: str) -> None:
    with pytest.raises(Gone, match="no request is known"):
        replies.find(prefix, [view()])


# --- allow and deny --------------------------------------------------------------------


def test_a_plain_allow() -> None:
    assert replies.allow(view()) == {"behavior": "allow"}


def test_case_44_a_suggestion_by_its_number() -> None:
    asks = view(suggestions=suggested("Always", "", "Edits"))
    assert replies.allow(asks, suggestion=1) == {"behavior": "allow", "suggestion": "0"}
    assert replies.allow(asks, suggestion=3) == {"behavior": "allow", "suggestion": "2"}
    for number in (0, 2, 4, -1):
        with pytest.raises(BadReply, match="choose from: 1, 3"):
            replies.allow(asks, suggestion=number)
    with pytest.raises(BadReply, match="offers none"):
        replies.allow(view(), suggestion=1)


def test_case_17_a_question_is_never_allowed() -> None:
    with pytest.raises(BadReply, match="only answered"):
        replies.allow(question())


def test_case_24_a_plan_is_approved_with_an_explicit_mode() -> None:
    assert replies.allow(plan()) == {"behavior": "allow", "mode": "default"}
    assert replies.allow(plan(), mode="auto", plan="other") == {
        "behavior": "allow",
        "mode": "auto",
        "plan": "other",
    }
    with pytest.raises(BadReply, match="choose from: default, acceptEdits, auto"):
        replies.allow(plan(), mode="bypassPermissions")
    with pytest.raises(BadReply, match="choose from: acceptEdits"):
        replies.allow(plan(modes=("acceptEdits",)))


def test_case_24_a_plan_that_nobody_can_read_is_not_approved() -> None:
    with pytest.raises(BadReply, match="no plan could be shown"):
        replies.allow(plan(input=(Row(label="Plan", value=" "),)))


@pytest.mark.parametrize("extra", [{"mode": "auto"}, {"plan": "x"}])
def test_only_plans_have_modes_and_edits(extra: dict[str, str]) -> None:
    with pytest.raises(BadReply, match="only a plan"):
        replies.allow(view(), **extra)  # pyright: ignore[reportArgumentType]


def test_case_43_a_part_that_cannot_be_shown_needs_a_word() -> None:
    lost = view(input=(Row(label="Content", value="x", length=9, lost=True),))
    with pytest.raises(BadReply, match="--unseen"):
        replies.allow(lost)
    assert replies.allow(lost, unseen=True) == {"behavior": "allow", "unseen": True}


def test_a_link_is_allowed_and_a_form_is_not() -> None:
    assert replies.allow(elicitation(fields=(), url="https://a.example")) == {"behavior": "allow"}
    with pytest.raises(BadReply, match="filled in"):
        replies.allow(elicitation())


def test_denials() -> None:
    assert replies.deny(view()) == {"behavior": "deny"}
    assert replies.deny(view(), " ") == {"behavior": "deny"}
    assert replies.deny(view(), "no", stop=True) == {"behavior": "deny", "message": "no", "interrupt": True}
    with pytest.raises(BadReply, match="cannot be stopped"):
        replies.deny(view(interrupt=False), stop=True)
    with pytest.raises(BadReply, match="no message"):
        replies.deny(elicitation(), "no")


def test_feedback_on_a_plan() -> None:
    assert replies.feedback("use less") == {"behavior": "deny", "message": "use less"}
    with pytest.raises(BadReply, match="should change"):
        replies.feedback(" \n")


def test_rows_of_which_the_desk_has_more() -> None:
    rows = (
        Row(label="a", value="x"),
        Row(label="b", value="x", length=9),
        Row(label="c", value="x", lost=True),
    )
    assert replies.unread(view(input=rows)) == [1]


# --- questions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "answers"),
    [
        ({"in_order": ["2"]}, [{"picked": ["Postgres, 17"]}]),
        ({"picks": ["1"]}, [{"picked": ["SQLite"]}]),
        ({"picks": ["1:2"]}, [{"picked": ["Postgres, 17"]}]),
        ({"texts": ["1: neither"]}, [{"text": "1: neither"}]),
        ({"in_order": ["1"], "notes": ["for: now"]}, [{"picked": ["SQLite"], "notes": "for: now"}]),
    ],
)
def test_one_question(given: dict[str, Any], answers: list[Any]) -> None:
    assert replies.answer(question(), **given) == {"behavior": "allow", "answers": answers}


@pytest.mark.parametrize(
    ("given", "answers"),
    [
        ({"in_order": ["1", "2,1"]}, [{"picked": ["SQLite"]}, {"picked": ["C", "A, B"]}]),
        ({"in_order": ["1"], "texts": ["2:all: of it"]}, [{"picked": ["SQLite"]}, {"text": "all: of it"}]),
        ({"in_order": ["1"], "texts": ["1:none"]}, [{"text": "none"}, {"picked": ["A, B"]}]),
        (
            {"picks": ["2:1", "1:2"], "notes": ["2:soon"]},
            [{"picked": ["Postgres, 17"]}, {"picked": ["A, B"], "notes": "soon"}],
        ),
    ],
)
def test_two_questions(given: dict[str, Any], answers: list[Any]) -> None:
    assert replies.answer(TWO, **given) == {"behavior": "allow", "answers": answers}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "question 1 is not answered"),
        ({"in_order": ["1"]}, "question 2 is not answered"),
        ({"in_order": ["1", "1", "1"]}, "3 answers for 2 questions"),
        ({"in_order": ["1,2", "1"]}, "question 1 takes one option"),
        ({"in_order": ["3", "1"]}, "not the number of an option"),
        ({"in_order": ["SQLite", "1"]}, "not the number of an option"),
        ({"in_order": ["", "1"]}, "not the number of an option"),
        ({"in_order": ["²", "1"]}, "not the number of an option"),
        ({"picks": ["1"]}, "say which of the 2 questions"),
        ({"texts": ["hello"]}, "say which of the 2 questions"),
        ({"picks": ["3:1"]}, "say which of the 2 questions"),
        ({"picks": ["1:1"], "texts": ["1:x"]}, "question 1 is answered twice"),
        ({"texts": ["1: ", "2:x"]}, "blank text"),
        ({"notes": ["1:x"]}, "question 1 is not answered"),
    ],
)
def test_case_18_answers_that_do_not_fit_are_told(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadReply, match=words):
        replies.answer(TWO, **given)


def test_a_question_without_options_takes_words_only() -> None:
    asks = question(questions=(Question(question="Which name?"),))
    assert replies.answer(asks, texts=["Ada"]) == {"behavior": "allow", "answers": [{"text": "Ada"}]}
    with pytest.raises(BadReply, match="--text"):
        replies.answer(asks, in_order=["1"])


# --- forms -----------------------------------------------------------------------------


def test_a_form_is_filled_in_with_the_types_of_its_fields() -> None:
    given = [
        ("name", "Ada"),
        ("age", " 36 "),
        ("news", "Yes"),
        ("size", "Large"),
        ("tags", "b, c"),
        ("tags", "a"),
    ]
    assert replies.form(elicitation(), given) == {
        "behavior": "allow",
        "content": {"name": "Ada", "age": 36, "news": True, "size": "l", "tags": ["b, c", "a"]},
    }


def test_what_is_left_has_its_default_or_is_left_out() -> None:
    assert replies.form(elicitation(), [("name", "Ada")])["content"] == {"name": "Ada", "news": False}


def test_a_link_is_accepted_without_content() -> None:
    link = elicitation(fields=(), url="https://a.example")
    assert replies.form(link, []) == {"behavior": "allow"}
    with pytest.raises(BadReply, match="no form"):
        replies.form(link, [("a", "b")])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "Your name is required: --set name=…"),
        ([("nome", "x")], "no field 'nome'; it has name, age"),
        ([("name", "")], "at least 1 characters"),
        ([("name", "x" * 41)], "at most 40 characters"),
        ([("name", "a"), ("name", "b")], "given twice"),
        ([("name", "a"), ("age", "3.5")], "whole number"),
        ([("name", "a"), ("age", "-1")], "at least 0"),
        ([("name", "a"), ("news", "maybe")], "yes or no"),
        ([("name", "a"), ("size", "XL")], "must be one of s, l"),
        ([("name", "a"), ("tags", "a,z")], "must be one of a, b, c"),
        ([("name", "a"), ("tags", "a,a")], "twice"),
    ],
)
def test_case_18_forms_that_do_not_fit_are_told(given: list[tuple[str, str]], words: str) -> None:
    with pytest.raises(BadReply, match=words):
        replies.form(elicitation(), given)


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("3.5", 3.5), ("1e2", 100.0)])
def test_numbers(text: str, value: float) -> None:
    field = replies.Field(name="n", type="number")
    assert replies.field_value(field, [text]) == value


@pytest.mark.parametrize("text", ["x", "nan", "inf", ""])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(BadReply, match="number"):
        replies.field_value(replies.Field(name="n", type="number"), [text])
