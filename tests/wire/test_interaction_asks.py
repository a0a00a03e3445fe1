"""What payloads of document 004 ask: nothing is left out, what is malformed is refused by its field."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.types import Ask, Kind, Option, Question, Row
from sayso.errors import BadRequest
from sayso.wire import interaction_asks as asks
from sayso.wire.codec import MAX_ROWS, MAX_SHOWN_CHARS

BASH = {"toolName": "Bash", "input": {"command": "ls"}, "cwd": "/srv/app"}


def asked(type_: str, payload: dict[str, Any], summary: str = "") -> Ask:
    return asks.ask_of(" s1 ", type_, payload, summary)


def rows(ask: Ask) -> dict[str, str]:
    return {row.label: row.value for row in ask.input}


# --- permission --------------------------------------------------------------------------


def test_a_permission_is_its_tool_and_a_row_for_each_part_of_its_input() -> None:
    ask = asked("permission", {**BASH, "risk": 3}, "Run ls\nin app")
    assert ask == Ask(
        agent="program",
        session_id="s1",
        surface_id="s1",
        kind=Kind.PERMISSION,
        tool="Bash",
        title="Run ls",
        cwd="/srv/app",
        input=(
            Row(label="Summary", value="Run ls\nin app"),
            Row(label="command", value="ls", code=True),
            Row(label="risk", value="3", code=True),
        ),
    )


def test_a_permission_in_a_hooks_own_words() -> None:
    ask = asked("permission", {"tool_name": "Write", "input": "x", "cwd": 7, "": ""})
    assert (ask.tool, ask.cwd) == ("Write", "")
    assert rows(ask) == {"input": "x", "cwd": "7", '""': ""}


def test_a_permission_that_says_nothing_says_so() -> None:
    assert asked("permission", {}).input == (asks.NOTHING,)


def test_what_is_no_text_is_shown_as_json() -> None:
    ask = asked("permission", {"toolName": ["a"], "input": {"": {"a": [1, None]}}})
    assert rows(ask) == {'""': '{\n  "a": [\n    1,\n    null\n  ]\n}', "toolName": '[\n  "a"\n]'}


# --- plans -------------------------------------------------------------------------------


def test_a_plan_is_its_text_first() -> None:
    ask = asked("exit_plan", {"plan": "# Do it", "modes": ["default", "acceptEdits"], "file": "a"}, "A plan")
    assert (ask.kind, ask.modes, ask.title) == (Kind.PLAN, ("default", "acceptEdits"), "A plan")
    assert list(rows(ask)) == ["Plan", "Summary", "file"]


def test_a_plan_may_be_the_summary_and_needs_no_modes() -> None:
    ask = asked("exit_plan", {}, "Do it")
    assert (ask.modes, rows(ask)) == (("default",), {"Plan": "Do it"})


# --- questions ---------------------------------------------------------------------------


def test_questions_with_everything_they_may_have() -> None:
    ask = asked(
        "question",
        {
            "questions": [
                {
                    "question": "Which?",
                    "header": "Branch",
                    "multiSelect": True,
                    "options": ["main", {"label": "dev", "description": "d", "preview": "p", "risk": 1}],
                    "kind": "x",
                },
                {"question": "Why?", "multi_select": False},
            ],
            "cwd": "/srv",
        },
        "Two things",
    )
    assert ask.questions == (
        Question(
            question="Which?",
            header="Branch",
            multi_select=True,
            options=(Option(label="main"), Option(label="dev", description="d", preview="p")),
        ),
        Question(question="Why?"),
    )
    assert rows(ask) == {
        "Summary": "Two things",
        "questions[0].options[1].risk": "1",
        "questions[0].kind": "x",
    }


@pytest.mark.parametrize(("payload", "summary"), [({"question": "Why?"}, ""), ({}, "Why?")])
def test_one_question(payload: dict[str, Any], summary: str) -> None:
    ask = asked("question", {**payload, "options": ["a"], "note": "n"}, summary)
    assert ask.questions == (Question(question="Why?", options=(Option(label="a"),)),)
    assert rows(ask) == {"note": "n"}


# --- input -------------------------------------------------------------------------------


def test_a_text_is_asked_for_by_one_line_and_everything_else_stands_below() -> None:
    ask = asked("input", {"prompt": "Name it\nshortly", "default": "x", "title": "T", "n": 1})
    assert (ask.kind, ask.title, ask.default) == (Kind.TEXT, "Name it", "x")
    assert ask.input == (Row(label="Details", value="Name it\nshortly\ntitle: T\nn: 1"),)


def test_a_summary_is_the_title_of_a_text() -> None:
    ask = asked("input", {"prompt": "Name it"}, "Which name?")
    assert (ask.title, rows(ask)) == ("Which name?", {"Details": "prompt: Name it"})


def test_a_text_without_words_says_who_asks() -> None:
    ask = asked("input", {})
    assert (ask.title, ask.input) == ("s1 asks for a text", ())


# --- what is refused ---------------------------------------------------------------------


def deep(levels: int) -> dict[str, Any]:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return {"a": value}


@pytest.mark.parametrize(
    ("type_", "payload", "field"),
    [
        ("exit_plan", {"plan": " "}, "payload.plan"),
        ("exit_plan", {"plan": "x", "modes": "auto"}, "payload.modes"),
        ("exit_plan", {"plan": "x", "modes": [1]}, "payload.modes"),
        ("question", {}, "payload.question"),
        ("question", {"question": 1}, "payload.question"),
        ("question", {"questions": {}}, "payload.questions"),
        ("question", {"questions": []}, "payload.questions"),
        ("question", {"questions": [{"question": "?"}] * 9}, "payload.questions"),
        ("question", {"questions": ["?"]}, "payload.questions[0]"),
        ("question", {"questions": [{"question": ""}]}, "payload.questions[0].question"),
        (
            "question",
            {"questions": [{"question": "?", "multiSelect": 1}]},
            "payload.questions[0].multiSelect",
        ),
        ("question", {"question": "?", "options": "a"}, "payload.options"),
        ("question", {"question": "?", "options": ["a"] * 65}, "payload.options"),
        ("question", {"question": "?", "options": [1]}, "payload.options[0]"),
        ("question", {"question": "?", "options": [{"label": 1}]}, "payload.options[0].label"),
        ("permission", {"toolName": "x" * 257}, "payload.toolName"),
        ("permission", {"input": {str(n): "" for n in range(MAX_ROWS + 1)}}, "payload"),
        ("permission", {"a": "x" * MAX_SHOWN_CHARS}, "payload"),
        ("permission", deep(asks.MAX_DEPTH), "payload"),
        ("permission", deep(100_000), "payload"),
    ],
)
def test_what_is_malformed_is_refused_by_its_field(type_: str, payload: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        asked(type_, payload)
    assert caught.value.field == field


def test_what_is_just_not_too_deep_is_shown() -> None:
    assert asked("permission", deep(asks.MAX_DEPTH - 3)).input


@pytest.mark.parametrize("session", ["", "  ", "x" * 257])
def test_a_session_has_a_name(session: str) -> None:
    with pytest.raises(BadRequest) as caught:
        asks.ask_of(session, "permission", BASH, "")
    assert caught.value.field == "session"


def test_a_summary_is_bounded() -> None:
    assert asks.check_summary(None) == ""
    with pytest.raises(BadRequest) as caught:
        asks.check_summary("x" * 4001)
    assert caught.value.field == "summary"


@pytest.mark.parametrize("own", ["7F3B2C1A-0000-4000-8000-000000000001", "a.b:c_d-0123456789"])
def test_ids_of_callers(own: str) -> None:
    assert asks.check_id(own) == own


def test_without_an_id_of_its_own_there_is_none() -> None:
    assert (asks.check_id(None), asks.check_id("")) == ("", "")


@pytest.mark.parametrize(
    "own", ["-" * 20, "a/b" * 6, "a b" * 6, "ä" * 20, "x" * 15, "x" * 65, "." * 20, "a" * 16 + "\n"]
)
def test_ids_that_cannot_be(own: str) -> None:
    with pytest.raises(BadRequest) as caught:
        asks.check_id(own)
    assert caught.value.field == "id"
