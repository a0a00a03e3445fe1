"""Forms of MCP servers: every kind of field there is, and what no form here can hold."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from sayso.agents import Unshowable
from sayso.agents.claude_asks import content
from sayso.agents.claude_forms import MAX_FIELDS, address, fields
from sayso.core import bounds
from sayso.core.digest import dumps, loads
from sayso.core.types import Field


def schema(properties: object, **more: object) -> object:
    return loads(json.dumps({"type": "object", "properties": properties, **more}).encode())


def field(**spec: object) -> dict[str, Any]:
    """The one field of a form, as the desk receives it."""
    found = fields(schema({"f": spec}))
    assert len(found) == 1
    plain: dict[str, Any] = json.loads(dumps(found[0]))
    msgspec.convert(plain, Field)
    assert plain.pop("name") == "f"
    return plain


def test_the_bound_is_that_of_the_desk() -> None:
    assert bounds.MAX_FIELDS == MAX_FIELDS


@pytest.mark.parametrize(
    ("spec", "made"),
    [
        ({"type": "string"}, {"type": "string"}),
        (
            {"type": "string", "minLength": 1, "maxLength": 9, "format": "email", "default": "a@b"},
            {"type": "string", "minimum": 1, "maximum": 9, "format": "email", "default": "a@b"},
        ),
        ({"type": "string", "default": 7, "format": 7}, {"type": "string"}),
        (
            {"type": "integer", "minimum": -3, "maximum": 3.5, "default": -2},
            {"type": "integer", "minimum": -3, "maximum": 3.5, "default": -2},
        ),
        ({"type": "integer", "default": 1.5}, {"type": "integer"}),
        ({"type": "integer", "default": 10**20}, {"type": "integer"}),
        ({"type": "integer", "default": True}, {"type": "integer"}),
        ({"type": "number", "minimum": 0.5, "default": 2}, {"type": "number", "minimum": 0.5, "default": 2}),
        ({"type": "number", "default": "2"}, {"type": "number"}),
        ({"type": "boolean", "default": False}, {"type": "boolean", "default": False}),
        ({"type": "boolean", "default": "yes"}, {"type": "boolean"}),
        (
            {"type": "string", "enum": ["a", "b"], "default": "b"},
            {"type": "choice", "choices": [{"value": "a"}, {"value": "b"}], "default": "b"},
        ),
        (
            {"type": "string", "enum": ["a", "b"], "enumNames": ["Anna", ""], "default": "c"},
            {"type": "choice", "choices": [{"value": "a", "label": "Anna"}, {"value": "b"}]},
        ),
        (
            {"type": "string", "oneOf": [{"const": "a", "title": "Anna"}, {"const": "b"}]},
            {"type": "choice", "choices": [{"value": "a", "label": "Anna"}, {"value": "b"}]},
        ),
        (
            {
                "type": "array",
                "items": {"type": "string", "enum": ["a", "b"]},
                "minItems": 1,
                "maxItems": 2,
                "uniqueItems": True,
                "default": ["b"],
            },
            {
                "type": "choices",
                "choices": [{"value": "a"}, {"value": "b"}],
                "minimum": 1,
                "maximum": 2,
                "default": ["b"],
            },
        ),
        (
            {"type": "array", "items": {"anyOf": [{"const": "a", "title": "Anna"}]}, "default": ["c"]},
            {"type": "choices", "choices": [{"value": "a", "label": "Anna"}]},
        ),
        (
            {"type": "array", "items": {"oneOf": [{"const": "a"}]}},
            {"type": "choices", "choices": [{"value": "a"}]},
        ),
        (
            {"type": "string", "title": "T", "description": "D", "$comment": "c", "examples": ["e"]},
            {"type": "string", "title": "T", "description": "D"},
        ),
        ({"type": "string", "title": 7, "description": ""}, {"type": "string"}),
    ],
)
def test_a_field(spec: dict[str, object], made: dict[str, object]) -> None:
    assert field(**spec) == made


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"type": "object", "properties": {}},
        {"type": "null"},
        {"type": ["string", "null"]},
        {"type": "string", "pattern": "^a"},
        {"type": "string", "const": "a"},
        {"type": "string", "minLength": -1},
        {"type": "string", "minLength": 1.5},
        {"type": "string", "maxLength": "9"},
        {"type": "integer", "multipleOf": 2},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "number", "minimum": "0"},
        {"type": "boolean", "enum": [True]},
        {"type": "string", "enum": []},
        {"type": "string", "enum": "ab"},
        {"type": "string", "enum": ["a", 1]},
        {"type": "string", "enum": ["a", "a"]},
        {"type": "string", "enum": ["a", ""]},
        {"type": "string", "enum": ["a", "b"], "enumNames": ["one"]},
        {"type": "string", "enum": ["a", "b"], "enumNames": ["same", "same"]},
        {"type": "string", "enum": ["a"], "oneOf": [{"const": "a"}]},
        {"type": "string", "oneOf": [{"const": "a", "pattern": "b"}]},
        {"type": "string", "oneOf": [{"title": "A"}]},
        {"type": "string", "oneOf": ["a"]},
        {"type": "array"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "items": {"type": "integer", "enum": ["1"]}},
        {"type": "array", "items": {"enum": ["a"], "contains": 1}},
        {"type": "array", "items": {"enum": ["a"]}, "minItems": True},
    ],
)
def test_a_field_that_no_form_here_has(spec: dict[str, object]) -> None:
    with pytest.raises(Unshowable):
        fields(schema({"f": spec}))


def test_a_number_without_end_is_no_bound() -> None:
    with pytest.raises(Unshowable):
        fields(loads(b'{"type":"object","properties":{"f":{"type":"number","minimum":1e400}}}'))


STRING = {"type": "string"}


@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        {},
        {"type": "array"},
        {"type": "object", "oneOf": []},
        {"type": "object", "properties": []},
        {"type": "object", "properties": {"a": 7}},
        {"type": "object", "properties": {"a": STRING}, "required": "a"},
        {"type": "object", "properties": {"a": STRING}, "required": ["b"]},
        {"type": "object", "properties": {"a": STRING}, "required": [["a"]]},
        {"type": "object", "properties": {"": STRING}},
        {"type": "object", "properties": {"a": STRING, "a ": STRING}},
        {"type": "object", "properties": {f"f{n}": STRING for n in range(33)}},
    ],
)
def test_a_form_that_cannot_be_shown(form: object) -> None:
    with pytest.raises(Unshowable):
        fields(loads(json.dumps(form).encode()))


def test_required_fields_and_their_order() -> None:
    found = fields(schema({"b": STRING, "a": STRING}, required=["a"], additionalProperties=False))
    assert found == [{"name": "b", "type": "string"}, {"name": "a", "required": True, "type": "string"}]
    assert fields({"type": "object"}) == []


def elicitation(**members: object) -> dict[str, Any]:
    return content(
        {"hook_event_name": "Elicitation", "mcp_server_name": "tiny", "message": "Please", **members}
    )


def test_a_form_is_shown_with_what_it_says_of_itself() -> None:
    seen = elicitation(requested_schema=schema({"a": STRING}, title="Sign up", description="For news"))
    assert (seen["kind"], seen["tool"]) == ("elicitation", "tiny")
    assert [(row["label"], row["value"]) for row in seen["input"]] == [
        ("MCP server", "tiny"),
        ("Message", "Please"),
        ("Form: title", "Sign up"),
        ("Form: description", "For news"),
    ]


@pytest.mark.parametrize(
    "members",
    [
        {"mode": "form"},
        {"mode": "voice"},
        {"mode": None},
        {"mode": "url"},
        {"requested_schema": {"type": "string"}},
    ],
)
def test_an_elicitation_that_cannot_be_shown(members: dict[str, object]) -> None:
    assert elicitation(**members)["unshowable"]


def test_an_address() -> None:
    assert address("https://example.org/ä?a=b") == "https://example.org/ä?a=b"
    seen = elicitation(mode="url", url="http://127.0.0.1:1/login")
    assert seen["url"] == seen["input"][2]["value"] == "http://127.0.0.1:1/login"


@pytest.mark.parametrize(
    "url", [None, "", "javascript:alert(1)", "file:///etc/passwd", "https://a b", " http://a"]
)
def test_an_address_that_nobody_should_visit(url: object) -> None:
    with pytest.raises(Unshowable):
        address(url)
