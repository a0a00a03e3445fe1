"""What Codex's model and its MCP servers ask: questions, forms, calls of tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.agents import Unrenderable, codex
from sayso.core.digest import loads, members
from tests.agents.codex_samples import ALLOW, CAPTURED, elicitation, result, rows, sample, shown_of

Json = dict[str, Any]


# --- questions -----------------------------------------------------------------------------------


def question(**changes: Any) -> Json:
    one = {**CAPTURED["question"]["params"]["questions"][0], **changes}
    return sample("question", questions=[one])


@pytest.mark.parametrize("is_secret", [True, None, "no"])
def test_a_secret_is_never_asked_for_here(is_secret: Any) -> None:
    params = question(isSecret=is_secret)
    assert "secret" in shown_of(codex.QUESTION, params)["unshowable"]
    with pytest.raises(Unrenderable):
        codex.result(codex.QUESTION, params, {}, {**ALLOW, "answers": [{"text": "hunter2"}]})


@pytest.mark.parametrize(
    "changes",
    [
        {"question": " "},
        {"options": "Red"},
        {"options": [{"label": f"{n}"} for n in range(17)]},
        {"options": [{"label": "a"}, {"label": "a "}]},
        {"options": [{"label": ""}]},
        {"options": [{"label": "a", "picture": "x"}]},
    ],
)
def test_a_question_that_cannot_be_told_apart_or_is_unknown_is_not_shown(changes: Json) -> None:
    assert shown_of(codex.QUESTION, question(**changes))["unshowable"]


@pytest.mark.parametrize("count", [0, 9])
def test_questions_have_bounds(count: int) -> None:
    one = CAPTURED["question"]["params"]["questions"][0]
    questions = [{**one, "id": f"{n}", "question": f"{n}?"} for n in range(count)]
    assert "questions" in shown_of(codex.QUESTION, sample("question", questions=questions))["unshowable"]


def test_questions_with_the_same_name_are_not_shown() -> None:
    one = CAPTURED["question"]["params"]["questions"][0]
    params = sample("question", questions=[one, {**one, "question": "Another?"}])
    assert "same name" in shown_of(codex.QUESTION, params)["unshowable"]


def test_what_is_new_in_a_question_becomes_a_row() -> None:
    params = question(picture="x", header="", options=None)
    asked = shown_of(codex.QUESTION, {**params, "urgent": True})
    assert rows(asked) == [("urgent", "true"), ("Question 1: picture", "x")]
    assert asked["questions"] == [{"question": "Which colour?"}]


def test_words_for_a_question_without_options_stand_alone() -> None:
    params = question(options=None)
    answers = codex.result(codex.QUESTION, params, {}, {**ALLOW, "answers": [{"text": "green"}]})
    assert answers == {"answers": {"c": {"answers": ["user_note: green"]}}}


@pytest.mark.parametrize(
    "answers",
    [
        [],
        [{"picked": [0]}, {"picked": [0]}],
        [{"picked": []}],
        [{"picked": [0, 1]}],
        [{"picked": [2]}],
        [{"picked": [True]}],
        [{"picked": [0], "text": "x"}],
        [{"text": " "}],
    ],
)
def test_an_answer_that_does_not_fit_is_not_sent(answers: list[Json]) -> None:
    with pytest.raises(Unrenderable):
        result("question", {**ALLOW, "answers": answers})


# --- MCP servers ---------------------------------------------------------------------------------


def test_a_form_is_shown_and_goes_back_as_its_schema_has_it() -> None:
    params = members(loads(json.dumps(elicitation()).encode()))
    asked = shown_of(codex.ELICITATION, params)
    assert (asked["kind"], asked["tool"]) == ("elicitation", "lab")
    assert [field["name"] for field in asked["fields"]] == ["name", "age"]
    done = codex.result(codex.ELICITATION, params, {}, {**ALLOW, "content": {"name": "Ada"}})
    assert done == {"action": "accept", "content": {"name": "Ada"}, "_meta": None}
    for behavior, action in (("deny", "decline"), ("cancel", "cancel")):
        answer = codex.result(codex.ELICITATION, params, {}, {"behavior": behavior})
        assert answer == {"action": action, "content": None, "_meta": None}
    with pytest.raises(Unrenderable):
        codex.result(codex.ELICITATION, params, {}, {**ALLOW, "content": {"age": 3}})


def test_an_address_is_shown_and_accepted_without_a_form() -> None:
    params = elicitation(mode="url", url="https://login.example/x", elicitationId="e", _meta={"why": "login"})
    asked = shown_of(codex.ELICITATION, params)
    assert asked["url"] == "https://login.example/x"
    assert ("why", "login") in rows(asked)
    done = codex.result(codex.ELICITATION, params, {}, ALLOW)
    assert done == {"action": "accept", "content": None, "_meta": None}


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": "openai/form"},
        {"mode": "openai/userVerification", "challenge": "x"},
        {"mode": "url", "url": "file:///etc"},
        {"requestedSchema": {"type": "object", "properties": {"x": {"type": "object"}}}},
    ],
)
def test_forms_of_other_kinds_are_not_shown(changes: Json) -> None:
    assert shown_of(codex.ELICITATION, elicitation(**changes))["unshowable"]


def tool_call(meta: Json, **changes: Any) -> Json:
    one = CAPTURED["tool_call"]["params"]
    return {**one, **changes, "_meta": {**one["_meta"], **meta}}


def test_a_tool_calls_input_is_shown_whatever_it_is() -> None:
    asked = shown_of(
        codex.ELICITATION, tool_call({"tool_params": ["a"], "tool_title": "Danger!", "persist": None})
    )
    assert rows(asked)[:3] == [("MCP server", "dng"), ("Tool", "Danger!"), ("Input", '["a"]')]
    assert "suggestions" not in asked
    bare = shown_of(codex.ELICITATION, tool_call({"tool_params": None, "tool_description": None}))
    assert [label for label, _ in rows(bare)] == ["MCP server", "Tool", "tool_annotations", "Message"]


def test_one_choice_to_persist_may_stand_alone_and_unknown_ones_are_never_offered() -> None:
    params = tool_call({"persist": "session"})
    assert shown_of(codex.ELICITATION, params)["suggestions"] == [
        "Allow this tool for the rest of this session"
    ]
    params = tool_call({"persist": ["forever", "session"]})
    assert shown_of(codex.ELICITATION, params)["suggestions"][0] == ""
    with pytest.raises(Unrenderable, match="never offered"):
        codex.result(codex.ELICITATION, params, {}, {**ALLOW, "suggestion": 0})


@pytest.mark.parametrize(
    "params",
    [
        tool_call({"tool_name": None}),
        tool_call({}, mode="url"),
        tool_call({}, requestedSchema={"type": "object", "properties": {"x": {"type": "string"}}}),
    ],
)
def test_a_tool_call_asked_for_in_another_way_is_not_shown(params: Json) -> None:
    assert shown_of(codex.ELICITATION, params)["unshowable"]
