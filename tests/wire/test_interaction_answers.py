"""Responses of document 004: one mapping for every kind; what says nothing or does not fit is refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sayso.core.types import (
    Answer,
    Choice,
    Decision,
    Field,
    Kind,
    ListedAnswer,
    Option,
    Question,
    Reply,
    Row,
)
from sayso.errors import BadReply
from sayso.wire.interaction_answers import Response, reply_of, response_of
from sayso.wire.views import RequestView, SuggestionView

COLOUR = Question(question="Which colour?", options=(Option(label="Red"), Option(label="Blue")))
SIZES = Question(question="Which sizes?", multi_select=True, options=(Option(label="S"), Option(label="L")))
OPEN = Question(question="Why?")

VIEW = RequestView(
    id="r1",
    agent="program",
    session_id="s1",
    kind=Kind.PERMISSION,
    tool="Bash",
    created_at="2026-01-01T00:00:00.000Z",
    input=(Row(label="Command", value="ls"),),
    suggestions=(SuggestionView("0", "Allow ls"), SuggestionView("1", "")),
    questions=(),
    state="pending",
)


def of(kind: Kind, **fields: Any) -> RequestView:
    return replace(VIEW, kind=kind, **fields)


def questions(*asked: Question) -> RequestView:
    return of(Kind.QUESTION, questions=asked)


PLAN = of(Kind.PLAN, modes=("default", "acceptEdits"))
FORM = of(Kind.ELICITATION, fields=(Field(name="n"),))
CHOICE = of(Kind.CHOICE, choices=(Choice(value="a", label="b"), Choice(value="b", label="Bee")))


# --- replies -----------------------------------------------------------------------------


@pytest.mark.parametrize("decision", ["allow", "allow_once", "allow_for_now", " Allow "])
def test_every_allow_allows_once(decision: str) -> None:
    assert reply_of(VIEW, Response(decision=decision)) == Reply(behavior="allow")


def test_always_means_the_one_suggestion_where_there_is_one() -> None:
    one = replace(VIEW, suggestions=(SuggestionView("0", "Allow ls"),))
    assert reply_of(one, Response(decision="allow_always")) == Reply(behavior="allow", suggestion="0")
    assert reply_of(one, Response(decision="allow")) == Reply(behavior="allow")


@pytest.mark.parametrize(
    "suggestions",
    [(), VIEW.suggestions, (SuggestionView("0", ""),), (SuggestionView("0", "a"), SuggestionView("1", "b"))],
)
def test_always_without_one_is_refused(suggestions: tuple[SuggestionView, ...]) -> None:
    with pytest.raises(BadReply) as refused:
        reply_of(replace(VIEW, suggestions=suggestions), Response(decision="allow_always"))
    assert refused.value.field == "response.decision"


@pytest.mark.parametrize("selection", [0, "0", "Allow ls"])
def test_a_suggestion_is_chosen_by_index_or_label(selection: int | str) -> None:
    said = Response(decision="allow_always", selection=selection)
    assert reply_of(VIEW, said) == Reply(behavior="allow", suggestion="0")


@pytest.mark.parametrize("view", [VIEW, PLAN, questions(COLOUR), FORM])
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({}, None),
        ({"reason": "no"}, "no"),
        ({"text": "no"}, "no"),
        ({"reason": "no", "text": "do this"}, "no\ndo this"),
    ],
)
def test_a_denial_carries_its_words(view: RequestView, said: dict[str, str], message: str | None) -> None:
    reply = reply_of(view, Response(decision="deny", **said))
    assert reply == Reply(behavior="deny", message=message)


def test_a_plan_is_allowed_into_a_mode_or_as_edited() -> None:
    assert reply_of(PLAN, Response(decision="allow")) == Reply(behavior="allow")
    said = Response(decision="allow", selection="acceptEdits", text="# New")
    assert reply_of(PLAN, said) == Reply(behavior="allow", mode="acceptEdits", plan="# New")


@pytest.mark.parametrize(
    ("asked", "said", "answers"),
    [
        ((COLOUR,), {"selection": "Red"}, [ListedAnswer(picked=("Red",))]),
        ((COLOUR,), {"decision": "allow", "text": "green"}, [ListedAnswer(text="green")]),
        ((SIZES,), {"selection": ["S", "L"]}, [ListedAnswer(picked=("S", "L"))]),
        ((OPEN,), {"selection": "because"}, [ListedAnswer(text="because")]),
        ((COLOUR,), {"decision": "allow"}, [ListedAnswer()]),
        (
            (COLOUR, SIZES),
            {"selection": {"Which colour?": "Red", "Which sizes?": ["S"]}},
            [ListedAnswer(picked=("Red",)), ListedAnswer(picked=("S",))],
        ),
        (
            (COLOUR, OPEN),
            {"selection": {"Which colour?": "Red"}, "text": "so"},
            [ListedAnswer(picked=("Red",)), ListedAnswer(text="so")],
        ),
        (
            (COLOUR, OPEN),
            {"selection": {"Which colour?": None}},
            [ListedAnswer(), ListedAnswer()],
        ),
    ],
)
def test_questions_are_answered_by_labels_or_in_own_words(
    asked: tuple[Question, ...], said: dict[str, Any], answers: list[ListedAnswer]
) -> None:
    assert reply_of(questions(*asked), Response(**said)) == Reply(behavior="allow", answers=answers)


def test_a_form_is_filled_in_by_names_and_a_link_is_allowed() -> None:
    said = Response(decision="allow", selection={"n": 1})
    assert reply_of(FORM, said) == Reply(behavior="allow", content={"n": 1})
    assert reply_of(FORM, Response(decision="allow")) == Reply(behavior="allow")
    assert reply_of(FORM, Response(decision="cancel")) == Reply(behavior="cancel")


@pytest.mark.parametrize(
    ("view", "said", "value"),
    [
        (of(Kind.YESNO), {"selection": "yes"}, "yes"),
        (of(Kind.YESNO), {"decision": "allow", "text": "no"}, "no"),
        (CHOICE, {"selection": "a"}, "a"),
        (CHOICE, {"selection": "b"}, "b"),  # an id goes before a label
        (CHOICE, {"selection": "Bee"}, "b"),
        (CHOICE, {"selection": "other"}, "other"),
        (of(Kind.TEXT), {"text": ""}, ""),
    ],
)
def test_values(view: RequestView, said: dict[str, Any], value: str) -> None:
    assert reply_of(view, Response(**said)) == Reply(behavior="allow", value=value)


@pytest.mark.parametrize("view", [of(Kind.YESNO), CHOICE, of(Kind.TEXT), of(Kind.CONFIRM)])
@pytest.mark.parametrize("decision", ["deny", "cancel"])
def test_what_a_program_asks_is_cancelled_by_a_denial(view: RequestView, decision: str) -> None:
    said = Response(decision=decision, reason="no")
    assert reply_of(view, said) == Reply(behavior="cancel", message="no")


def test_a_command_takes_two_decisions() -> None:
    command = of(Kind.CONFIRM)
    assert reply_of(command, Response(decision="ack")) == Reply(behavior="allow", step="ack")
    assert reply_of(command, Response(decision="run")) == Reply(behavior="allow", step="run")


@pytest.mark.parametrize(
    ("view", "said", "field"),
    [
        (VIEW, {}, "response"),
        (VIEW, {"decision": "perhaps"}, "response.decision"),
        (VIEW, {"decision": "cancel"}, "response.decision"),
        (VIEW, {"decision": " "}, "response.decision"),
        (VIEW, {"text": "yes"}, "response.text"),
        (VIEW, {"selection": 0}, "response.decision"),
        (VIEW, {"decision": "allow", "reason": "fine"}, "response.reason"),
        (VIEW, {"decision": "allow", "selection": 1}, "response.selection"),
        (VIEW, {"decision": "allow", "selection": ""}, "response.selection"),
        (VIEW, {"decision": "deny", "selection": 0}, "response.selection"),
        (PLAN, {"text": "so"}, "response.decision"),
        (PLAN, {"decision": "cancel"}, "response.decision"),
        (questions(COLOUR), {"decision": "cancel", "selection": "Red"}, "response.decision"),
        (questions(OPEN), {"decision": "cancel", "text": "never mind"}, "response.decision"),
        (PLAN, {"decision": "allow", "selection": 1}, "response.selection"),
        (PLAN, {"decision": "allow", "reason": "fine"}, "response.reason"),
        (questions(COLOUR), {"selection": "Red", "text": "green"}, "response.text"),
        (questions(COLOUR), {"selection": 0}, "response.selection"),
        (questions(COLOUR), {"selection": {"Other?": "Red"}}, "response.selection"),
        (questions(COLOUR, OPEN), {"selection": "Red"}, "response.selection"),
        (questions(COLOUR, OPEN), {"selection": {}, "text": "so"}, "response.text"),
        (FORM, {"decision": "allow", "selection": "a"}, "response.selection"),
        (of(Kind.YESNO), {"decision": "allow"}, "response.selection"),
        (of(Kind.YESNO), {"selection": "yes", "text": "yes"}, "response.text"),
        (of(Kind.TEXT), {"selection": ["a"]}, "response.selection"),
        (of(Kind.CONFIRM), {"decision": "allow"}, "response.decision"),
        (of(Kind.CONFIRM), {"text": "run"}, "response.decision"),
        (of(Kind.CONFIRM), {"decision": "run", "text": "now"}, "response.text"),
        (of(Kind.CONFIRM), {"decision": "allow_once"}, "response.decision"),
    ],
)
def test_origin_10_what_says_nothing_or_does_not_fit_is_refused_by_its_field(
    view: RequestView, said: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadReply) as caught:
        reply_of(view, Response(**said))
    assert caught.value.field == field


# --- decisions, told ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "decision", "asked", "told"),
    [
        (Kind.PERMISSION, Decision(behavior="allow"), (), Response(decision="allow_once")),
        (
            Kind.PERMISSION,
            Decision(behavior="allow", suggestion=1),
            (),
            Response(decision="allow", selection="two"),
        ),
        (
            Kind.PERMISSION,
            Decision(behavior="deny", message="no"),
            (),
            Response(decision="deny", reason="no"),
        ),
        (Kind.TEXT, Decision(behavior="cancel"), (), Response(decision="cancel")),
        (
            Kind.PLAN,
            Decision(behavior="allow", mode="auto", plan="# New"),
            (),
            Response(decision="allow", selection="auto", text="# New"),
        ),
        (Kind.TEXT, Decision(behavior="allow", value=""), (), Response(decision="allow", text="")),
        (
            Kind.YESNO,
            Decision(behavior="allow", value="yes"),
            (),
            Response(decision="allow", selection="yes"),
        ),
        (
            Kind.ELICITATION,
            Decision(behavior="allow", content={"n": 1}),
            (),
            Response(decision="allow", selection={"n": 1}),
        ),
        (Kind.ELICITATION, Decision(behavior="allow"), (), Response(decision="allow")),
        (
            Kind.QUESTION,
            Decision(behavior="allow", answers=(Answer(picked=(1,), notes="dark"),)),
            (COLOUR,),
            Response(decision="allow", selection="Blue", reason="dark"),
        ),
        (
            Kind.QUESTION,
            Decision(behavior="allow", answers=(Answer(text="green"),)),
            (COLOUR,),
            Response(decision="allow", text="green"),
        ),
        (
            Kind.QUESTION,
            Decision(behavior="allow", answers=(Answer(picked=(0, 1)), Answer(text="so"))),
            (SIZES, OPEN),
            Response(decision="allow", selection={"Which sizes?": ["S", "L"], "Why?": "so"}),
        ),
    ],
)
def test_decisions_in_the_words_of_the_document(
    kind: Kind, decision: Decision, asked: tuple[Question, ...], told: Response
) -> None:
    assert response_of(kind, decision, asked, ("one", "two")) == told
