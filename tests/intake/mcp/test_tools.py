"""What an agent is offered, and the question that each tool puts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.core.types import DIRECT
from sayso.errors import BadRequest
from sayso.intake.mcp.tools import MAX_OPEN_S, MIN_OPEN_S, TOOLS, decode, question
from sayso.wire import ask_user

CHOICES = [{"id": "a", "label": "A, the first"}, {"id": "b"}]
CALLS: dict[str, dict[str, Any]] = {
    "ask_yesno": {"title": "Deploy?", "body": "To production.\nNow.", "default": "no", "unsafe": True},
    "ask_choice": {"title": "Which?", "choices": CHOICES, "default": "b"},
    "ask_text": {"title": "Why?", "default": "because"},
    "confirm_command": {"command": "rm -rf build\nls", "unsafe": True},
}


def test_the_tools() -> None:
    assert list(TOOLS) == ["ask_yesno", "ask_choice", "ask_text", "confirm_command", "notify", "ask_wait"]
    assert {tool.kind for tool in TOOLS.values() if tool.kind} == DIRECT


@pytest.mark.parametrize("name", TOOLS)
def test_every_schema_stands_alone_and_explains_each_argument(name: str) -> None:
    schema = TOOLS[name].input_schema
    assert schema["type"] == "object"
    assert "$ref" not in json.dumps(schema)
    assert all(member["description"] for member in schema["properties"].values())
    assert set(schema["required"]) <= set(schema["properties"])


@pytest.mark.parametrize("name", CALLS)
def test_every_question_is_one_that_the_desk_takes(name: str) -> None:
    asked = question(name, decode(name, CALLS[name]))
    taken = ask_user.decode(json.dumps({"surface_id": "mcp:1", **asked}).encode()).ask
    assert taken.kind == TOOLS[name].kind
    assert taken.hold_s == float("inf")
    assert taken.unsafe == CALLS[name].get("unsafe", False)
    assert taken.default == CALLS[name].get("default", "")


def test_a_command_is_shown_whole() -> None:
    asked = question("confirm_command", decode("confirm_command", CALLS["confirm_command"]))
    assert asked["body"] == "rm -rf build\nls"
    assert asked["title"]


@pytest.mark.parametrize(
    ("given_s", "open_s"),
    [(1, MIN_OPEN_S), (-3, MIN_OPEN_S), (0, MIN_OPEN_S), (600, 600), (1e9, MAX_OPEN_S)],
)
def test_case_22_a_question_stays_open_long_enough_and_not_for_ever(given_s: float, open_s: float) -> None:
    asked = question("ask_yesno", decode("ask_yesno", {"title": "?", "timeout_s": given_s}))
    assert asked["timeout_ms"] == open_s * 1000


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("ask_yesno", {}, ""),
        ("ask_yesno", {"title": 1}, "title"),
        ("ask_yesno", {"title": "?", "unsafe": "yes"}, "unsafe"),
        ("ask_yesno", {"title": "?", "choices": []}, ""),
        ("ask_choice", {"title": "?", "choices": [{"id": 1}]}, "choices[0].id"),
        ("ask_wait", {"request_id": None}, "request_id"),
        ("confirm_command", {"command": " \n"}, "command"),
        ("run_command", {}, ""),
    ],
)
def test_what_does_not_fit_names_the_field(name: str, arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as bad:
        decode(name, arguments)
    assert bad.value.field == field
    assert field in bad.value.text
