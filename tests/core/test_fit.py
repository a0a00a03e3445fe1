"""What a reply means, or why it does not fit: a table for each kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sayso.core.bounds import MAX_FIELDS, MAX_MESSAGE_CHARS, MAX_OPTIONS, MAX_PLAN_CHARS, MAX_QUESTIONS
from sayso.core.fit import fit, unshowable
from sayso.core.types import Answer, Ask, Decision, Field, ListedAnswer, Option, Question, Reply, Row
from sayso.errors import BadReply
from tests.core.stage import form, permission, plan, question

PLAIN = permission(suggestions=("Allow ls", "", "Accept edits"))
PLAN = plan(modes=("default", "acceptEdits"))
LETTERS = Question(
    question="Which letters?",
    multi_select=True,
    options=tuple(Option(label=label) for label in ("A", "B", "A, B", "C, D", 'it\'s "x",\ny')),
)
TWO = question(
    questions=(Question(question="One?", options=(Option(label="Yes"), Option(label="No"))), LETTERS)
)
FORM = form(fields=(Field(name="city", required=True), Field(name="size", type="integer")))
LINK = form(url="https://example.org/pay")


def reply(**fields: Any) -> Reply:
    return Reply(**{"behavior": "allow", **fields})


def deny(**fields: Any) -> Reply:
    return Reply(**{"behavior": "deny", **fields})


def listed(*answers: ListedAnswer) -> Reply:
    return reply(answers=list(answers))


def picked(*labels: str, **fields: Any) -> ListedAnswer:
    return ListedAnswer(picked=labels, **fields)


def mapped(one: str, letters: str) -> Reply:
    return reply(answers={"One?": one, "Which letters?": letters})


YES = picked("Yes")
A = picked("A")


@pytest.mark.parametrize(
    ("ask", "given", "means"),
    [
        (PLAIN, reply(), Decision(behavior="allow")),
        (PLAIN, reply(suggestion="0"), Decision(behavior="allow", suggestion=0)),
        (PLAIN, reply(suggestion="2"), Decision(behavior="allow", suggestion=2)),
        (PLAIN, reply(unseen=True, key="k"), Decision(behavior="allow")),
        (PLAIN, deny(), Decision(behavior="deny")),
        (PLAIN, deny(message=" \n"), Decision(behavior="deny")),
        (PLAIN, deny(message=" why? "), Decision(behavior="deny", message=" why? ")),
        (PLAIN, deny(interrupt=True), Decision(behavior="deny", interrupt=True)),
        (PLAIN, deny(interrupt=False), Decision(behavior="deny")),
        (replace(PLAIN, interrupt=False), deny(interrupt=False), Decision(behavior="deny")),
        (PLAN, reply(), Decision(behavior="allow", mode="default")),
        (PLAN, reply(mode="acceptEdits"), Decision(behavior="allow", mode="acceptEdits")),
        (PLAN, reply(plan="mine"), Decision(behavior="allow", mode="default", plan="mine")),
        (PLAN, deny(message="smaller"), Decision(behavior="deny", message="smaller")),
        (FORM, reply(content={"city": "Bonn"}), Decision(behavior="allow", content={"city": "Bonn"})),
        (FORM, deny(), Decision(behavior="deny")),
        (FORM, Reply(behavior="cancel"), Decision(behavior="cancel")),
        (LINK, reply(), Decision(behavior="allow")),
        (LINK, reply(content={}), Decision(behavior="allow")),
        (TWO, deny(message="neither"), Decision(behavior="deny", message="neither")),
    ],
)
def test_what_a_reply_means(ask: Ask, given: Reply, means: Decision) -> None:
    assert fit(ask, given) == means


@pytest.mark.parametrize(
    ("given", "answers"),
    [
        (listed(YES, A), (Answer(picked=(0,)), Answer(picked=(0,)))),
        (listed(picked("No"), picked("B", "A")), (Answer(picked=(1,)), Answer(picked=(1, 0)))),
        (
            listed(ListedAnswer(text=" maybe "), picked("A", notes="n")),
            (Answer(text=" maybe "), Answer(picked=(0,), notes="n")),
        ),
        (listed(ListedAnswer(text="Yes", notes=" "), A), (Answer(text="Yes"), Answer(picked=(0,)))),
        (mapped("No", "B"), (Answer(picked=(1,)), Answer(picked=(1,)))),
        (mapped("maybe", "E"), (Answer(text="maybe"), Answer(text="E"))),
        (mapped("Yes", "C, D"), (Answer(picked=(0,)), Answer(picked=(3,)))),
        (mapped("Yes", "C, D, A"), (Answer(picked=(0,)), Answer(picked=(3, 0)))),
        (mapped("Yes", 'it\'s "x",\ny, B'), (Answer(picked=(0,)), Answer(picked=(4, 1)))),
        (mapped("Yes, No", "A, E"), (Answer(text="Yes, No"), Answer(text="A, E"))),
    ],
)
def test_case_21_what_an_answer_to_questions_means(given: Reply, answers: tuple[Answer, ...]) -> None:
    assert fit(TWO, given) == Decision(behavior="allow", answers=answers)


@pytest.mark.parametrize(
    ("ask", "given", "field"),
    [
        (PLAIN, Reply(), "behavior"),
        (PLAIN, Reply(behavior="maybe"), "behavior"),
        (PLAIN, Reply(behavior="cancel"), "behavior"),
        (PLAIN, reply(suggestion="1"), "suggestion"),
        (PLAIN, reply(suggestion="3"), "suggestion"),
        (PLAIN, reply(suggestion=""), "suggestion"),
        (PLAIN, reply(suggestion="00"), "suggestion"),
        (PLAIN, reply(suggestion="-1"), "suggestion"),
        (permission(), reply(suggestion="0"), "suggestion"),
        (PLAIN, reply(message="go"), "message"),
        (PLAIN, reply(interrupt=True), "interrupt"),
        (PLAIN, reply(mode="default"), "mode"),
        (PLAIN, reply(answers={}), "answers"),
        (PLAIN, reply(plan="p"), "plan"),
        (PLAIN, reply(content={}), "content"),
        (PLAIN, deny(suggestion="0"), "suggestion"),
        (PLAIN, deny(message="x" * (MAX_MESSAGE_CHARS + 1)), "message"),
        (replace(PLAIN, interrupt=False), deny(interrupt=True), "interrupt"),
        (PLAN, reply(mode="auto"), "mode"),
        (PLAN, reply(mode="bypassPermissions"), "mode"),
        (PLAN, reply(plan=" "), "plan"),
        (PLAN, reply(plan="x" * (MAX_PLAN_CHARS + 1)), "plan"),
        (replace(PLAN, input=(Row(label="Plan", value="[masked]", hidden=(20,)),)), reply(plan="p"), "plan"),
        (replace(PLAN, input=(Row(label="Plan", value="x", lost=True),)), reply(plan="p"), "plan"),
        (PLAN, reply(suggestion="0"), "suggestion"),
        (PLAN, deny(mode="default"), "mode"),
        (FORM, reply(), "content"),
        (FORM, reply(content={}), "content.city"),
        (FORM, deny(message="no"), "message"),
        (replace(FORM, interrupt=True), deny(interrupt=True), "message"),
        (FORM, Reply(behavior="cancel", message="no"), "message"),
        (FORM, Reply(behavior="cancel", content={}), "content"),
        (FORM, deny(content={}), "content"),
        (FORM, Reply(behavior="maybe"), "behavior"),
        (LINK, reply(content={"a": 1}), "content"),
        (TWO, deny(answers={}), "answers"),
    ],
)
def test_case_18_what_does_not_fit(ask: Ask, given: Reply, field: str) -> None:
    with pytest.raises(BadReply) as caught:
        fit(ask, given)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (reply(), "answers"),
        (reply(answers={}), "answers"),
        (reply(answers=[]), "answers"),
        (listed(YES), "answers"),
        (listed(YES, A, A), "answers"),
        (listed(picked(), A), "answers[0]"),
        (listed(picked("Maybe"), A), "answers[0].picked"),
        (listed(picked("Yes", "No"), A), "answers[0]"),
        (listed(YES, picked("A", "A")), "answers[1]"),
        (listed(YES, ListedAnswer(picked=("A",), text="B")), "answers[1]"),
        (listed(ListedAnswer(text=""), A), "answers[0]"),
        (listed(ListedAnswer(text="x" * (MAX_MESSAGE_CHARS + 1)), A), "answers[0]"),
        (listed(picked("Yes", notes="x" * (MAX_MESSAGE_CHARS + 1)), A), "answers[0].notes"),
        (reply(answers={"One?": "Yes"}), "answers"),
        (reply(answers={"One?": "Yes", "Which letters?": "A", "More?": "x"}), "answers"),
        (mapped(" ", "A"), "answers['One?']"),
        (mapped("Yes", "A, B"), "answers['Which letters?']"),  # one option, or two
        (mapped("Yes", ""), "answers['Which letters?']"),
    ],
)
def test_case_17_a_question_gets_a_full_answer_or_none(given: Reply, field: str) -> None:
    with pytest.raises(BadReply) as caught:
        fit(TWO, given)
    assert caught.value.field == field


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"])
def test_case_19_a_blank_text_is_no_answer(blank: str) -> None:
    for answer in (listed(ListedAnswer(text=blank), A), mapped(blank, "A")):
        with pytest.raises(BadReply, match="blank"):
            fit(TWO, answer)


def test_labels_made_to_be_read_in_very_many_ways_are_refused_in_time() -> None:
    labels = [", ".join(["x"] * count) for count in range(1, MAX_OPTIONS + 1)]
    many = Question(question="?", multi_select=True, options=tuple(Option(label=label) for label in labels))
    with pytest.raises(BadReply, match="too many ways"):
        fit(question(questions=(many,)), reply(answers={"?": "x, " * 60 + "y"}))


def test_a_message_may_be_just_so_long() -> None:
    longest = "x" * MAX_MESSAGE_CHARS
    assert fit(PLAIN, deny(message=longest)).message == longest


# --- what cannot be shown ---------------------------------------------------------------


def asked(*texts: str, options: tuple[str, ...] = ("Red",)) -> Ask:
    offered = tuple(Option(label=label) for label in options)
    return question(questions=tuple(Question(question=text, options=offered) for text in texts))


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (permission(), ""),
        (permission(unshowable="it is huge"), "it is huge"),
        (permission(kind="riddle"), "riddle"),
        (asked("a"), ""),
        (asked("a", options=()), ""),
        (asked(*"abcdefgh"), ""),
        (asked(), "0 questions"),
        (asked(*map(str, range(MAX_QUESTIONS + 1))), "9 questions"),
        (asked("a", options=tuple(map(str, range(MAX_OPTIONS)))), ""),
        (asked("a", options=tuple(map(str, range(MAX_OPTIONS + 1)))), "17 options"),
        (asked("a", " "), "empty"),
        (asked("a b", "a  b "), "questions look alike"),
        (asked("a", options=("Red", "Red")), "options look alike"),
        (asked("a", options=("Red", "")), "options look alike"),
        (plan(), ""),
        (plan(input=()), "no plan"),
        (plan(input=(Row(label="Plan", value=" \n"),)), "no plan"),
        (plan(modes=()), "no mode"),
        (FORM, ""),
        (LINK, ""),
        (form(fields=tuple(Field(name=str(n)) for n in range(MAX_FIELDS + 1))), "33 fields"),
        (form(fields=(Field(name="a"), Field(name="a"))), "look alike"),
        (form(fields=(Field(name="a", type="colour"),)), "colour"),
    ],
)
def test_case_24_what_cannot_be_shown_safely(ask: Ask, why: str) -> None:
    found = unshowable(ask)
    assert why in found
    assert bool(found) is bool(why)


# --- properties -------------------------------------------------------------------------

WORDS = st.text("abc, \n", max_size=6)
QUESTIONS = st.builds(
    Question,
    question=WORDS,
    multi_select=st.booleans(),
    options=st.lists(st.builds(Option, label=WORDS), max_size=4).map(tuple),
)
ASKS = st.lists(QUESTIONS, min_size=1, max_size=3).map(lambda found: question(questions=tuple(found)))
SHOWABLE = ASKS.filter(lambda ask: not unshowable(ask))
LISTED = st.builds(
    ListedAnswer, picked=st.lists(WORDS, max_size=3).map(tuple), text=st.none() | WORDS, notes=WORDS
)


def fitted(ask: Ask, given: Reply) -> tuple[Decision | None, str]:
    """The decision, or why there is none."""
    try:
        return fit(ask, given), ""
    except BadReply as refused:
        return None, refused.text


def is_inside(ask: Ask, decision: Decision) -> bool:
    """Whether a decision's positions are among what was offered, and its answers complete."""
    if decision.suggestion is not None and not 0 <= decision.suggestion < len(ask.suggestions):
        return False
    if decision.behavior != "allow":
        return not decision.answers
    return len(decision.answers) == len(ask.questions) and all(
        all(0 <= index < len(question.options) for index in answer.picked)
        and bool(answer.picked) != bool(answer.text)
        for question, answer in zip(ask.questions, decision.answers, strict=True)
    )


@given(
    ask=SHOWABLE | st.builds(permission, suggestions=st.lists(WORDS, max_size=3).map(tuple)),
    given=st.builds(
        Reply,
        behavior=st.sampled_from(["allow", "deny", "cancel", "maybe"]) | st.none(),
        suggestion=st.none() | st.sampled_from(["0", "1", "2", "3", "-1", ""]),
        answers=st.none() | st.lists(LISTED, max_size=3) | st.dictionaries(WORDS, WORDS, max_size=3),
        message=st.none() | WORDS,
        interrupt=st.none() | st.booleans(),
    ),
)
def test_whatever_is_accepted_lies_inside_what_was_offered(ask: Ask, given: Reply) -> None:
    decision, refused = fitted(ask, given)
    if decision is None:
        assert refused
        return
    assert is_inside(ask, decision)
    assert decision.behavior == given.behavior


@given(ask=SHOWABLE, data=st.data())
def test_the_map_means_what_the_list_means_or_is_refused(ask: Ask, data: st.DataObject) -> None:
    answers: list[ListedAnswer] = []
    for one in ask.questions:
        labels = [option.label for option in one.options]
        most = len(labels) if one.multi_select else 1
        chosen = data.draw(st.lists(st.sampled_from(labels), unique=True, max_size=most)) if labels else []
        text = data.draw(st.text("xyz", min_size=1, max_size=3))
        answers.append(ListedAnswer(picked=tuple(chosen)) if chosen else ListedAnswer(text=text))
    as_map = {
        one.question: ", ".join(answer.picked) if answer.text is None else answer.text
        for one, answer in zip(ask.questions, answers, strict=True)
    }
    by_list = fit(ask, reply(answers=answers))
    assert is_inside(ask, by_list)
    by_map, refused = fitted(ask, reply(answers=as_map))
    assert by_map == by_list or "more than one way" in refused
