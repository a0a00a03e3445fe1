"""What a person is shown of a request: nothing is hidden, and nothing is offered that must not be."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.agents.claude_asks import (
    LABELS,
    MAX_OPTIONS,
    MAX_QUESTIONS,
    MAX_SUGGESTIONS,
    MODES,
    content,
    suggestion,
)
from sayso.core import bounds
from sayso.core.digest import Number, loads
from tests.agents.samples import sample


def permission(tool: str, tool_input: object, **more: object) -> dict[str, Any]:
    payload = {"hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": tool_input}
    return content({**payload, **more})


def shown_rows(tool: str, tool_input: object) -> list[tuple[str, str]]:
    return [(row["label"], row["value"]) for row in permission(tool, tool_input)["input"]]


def question(**more: object) -> dict[str, Any]:
    return {"question": "Which?", "options": [{"label": "A"}, {"label": "B"}], **more}


def questions(*asked: object, **more: object) -> dict[str, Any]:
    return permission("AskUserQuestion", {"questions": list(asked), **more})


def test_the_bounds_are_those_of_the_desk() -> None:
    assert (MAX_QUESTIONS, MAX_OPTIONS, MAX_SUGGESTIONS) == (
        bounds.MAX_QUESTIONS,
        bounds.MAX_OPTIONS,
        bounds.MAX_SUGGESTIONS,
    )


# --- rows --------------------------------------------------------------------------------------


def test_case_43_a_command_is_shown_whole_and_first() -> None:
    command = "ls\n" + "\n" * 500 + " " * 5000 + "rm -rf /\t# \u202e"
    rows = shown_rows("Bash", {"description": "harmless", "command": command, "timeout": Number("1e3")})
    assert rows == [("Command", command), ("Description", "harmless"), ("Timeout (ms)", "1e3")]


@pytest.mark.parametrize("tool_input", [{"command": ""}, {"command": " \n"}, {"command": ["ls"]}, {}])
def test_case_43_an_empty_command_is_said_to_be_empty(tool_input: dict[str, object]) -> None:
    rows = shown_rows("Bash", tool_input)
    assert rows[0] == ("Warning", "There is no command in this request.")
    assert len(rows) == 1 + len(tool_input)


def test_every_member_of_the_input_becomes_a_row() -> None:
    tool_input = {
        "z": "last\nline",
        "": "no name",
        "n": Number("1.50"),
        "list": ["ä", {"deep": None}],
        "yes": True,
        "half\ud800": "\udfff",
    }
    assert shown_rows("mcp__x__y", tool_input) == [
        ("z", "last\nline"),
        ('""', "no name"),
        ("n", "1.50"),
        ("list", '["ä",{"deep":null}]'),
        ("yes", "true"),
        ("half\ufffd", "\ufffd"),
    ]


@pytest.mark.parametrize("tool", LABELS)
def test_known_members_have_plain_labels_and_unknown_ones_their_own(tool: str) -> None:
    tool_input = {"unheard": "x", **dict.fromkeys(reversed(LABELS[tool]), "value")}
    rows = shown_rows(tool, tool_input)
    assert rows == [*((label, "value") for label in LABELS[tool].values()), ("unheard", "x")]


def test_a_label_never_counts_twice_within_a_tool() -> None:
    assert all(len(set(labels.values())) == len(labels) for labels in LABELS.values())


@pytest.mark.parametrize(
    ("server", "value"),
    [({"name": "tiny", "source": "dynamic"}, "tiny"), ({"source": "x"}, '{"source":"x"}')],
)
def test_the_server_of_a_tool_is_named(server: object, value: str) -> None:
    rows = permission("mcp__tiny__echo", {"text": "hi"}, mcp_server=server)["input"]
    assert [(row["label"], row["value"]) for row in rows] == [("MCP server", value), ("text", "hi")]


@pytest.mark.parametrize("tool_input", [None, "ls", ["ls"], Number("1"), True])
@pytest.mark.parametrize("tool", ["Bash", "AskUserQuestion", "ExitPlanMode", "mcp__a__b"])
def test_an_input_that_is_not_an_object_is_not_shown(tool: str, tool_input: object) -> None:
    assert permission(tool, tool_input)["unshowable"] == "its input is not an object"


def test_a_request_without_a_tool_is_not_shown() -> None:
    assert permission("", {})["unshowable"] == "it does not name the tool"


def test_what_is_nested_too_deeply_is_not_shown() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert permission("Bash", {"command": "ls", "more": deep})["unshowable"]
    seen = permission("Bash", {"command": "ls"}, permission_suggestions=[deep, {"type": "setMode"}])
    assert seen["suggestions"] == ["", '{"type":"setMode"}']


# --- suggestions -------------------------------------------------------------------------------

BOTH = "Bash(npm run *), mcp__a__b (every use)"
RULES = [{"toolName": "Bash", "ruleContent": "npm run *"}, {"toolName": "mcp__a__b"}]


def rules(kind: str, behavior: str, destination: str = "session") -> dict[str, Any]:
    return {"type": kind, "rules": RULES, "behavior": behavior, "destination": destination}


@pytest.mark.parametrize(
    ("suggested", "words"),
    [
        (
            rules("addRules", "allow"),
            "Allow for the rest of this session: Bash(npm run *), mcp__a__b (every use)",
        ),
        (
            rules("addRules", "deny", "cliArg"),
            "Deny for the rest of this session: Bash(npm run *), mcp__a__b (every use)",
        ),
        (
            rules("addRules", "ask", "userSettings"),
            "Ask first, from now on in all your projects: Bash(npm run *), mcp__a__b (every use)",
        ),
        (
            rules("replaceRules", "allow", "localSettings"),
            f"Allow nothing but this, from now on in this project, for you alone: {BOTH}",
        ),
        (
            rules("removeRules", "deny", "projectSettings"),
            f"Deny no longer, from now on in this project, for everyone who works in it: {BOTH}",
        ),
        (
            {"type": "addDirectories", "directories": ["/a", "/b c"], "destination": "session"},
            "Work in these folders too, for the rest of this session: /a, /b c",
        ),
        (
            {"type": "removeDirectories", "directories": ["/a"], "destination": "userSettings"},
            "Work no longer in these folders, from now on in all your projects: /a",
        ),
        (
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            "Accept edits without asking, for the rest of this session",
        ),
    ],
)
def test_case_44_a_suggestion_says_what_where_and_for_how_long(suggested: object, words: str) -> None:
    assert suggestion(suggested) == words


@pytest.mark.parametrize(
    "text",
    [
        '"allow everything"',
        "null",
        "[]",
        '{"type":"allowAll","destination":"session"}',
        '{"type":"setMode","mode":"unheard","destination":"session"}',
        '{"type":"setMode","mode":["auto"],"destination":"session"}',
        '{"type":"addMode","mode":"auto","destination":"session"}',
        '{"type":"setMode","mode":"auto","destination":"everywhere"}',
        '{"type":"setMode","mode":"auto"}',
        '{"type":"setMode","mode":"auto","destination":"session","also":"everything"}',
        '{"type":"addRules","rules":[],"behavior":"allow","destination":"session"}',
        '{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"obey","destination":"session"}',
        '{"type":"addRules","rules":[{"toolName":"Bash"},7],"behavior":"allow","destination":"session"}',
        '{"type":"addRules","rules":[{"toolName":"","ruleContent":"x"}],"behavior":"allow","destination":"session"}',
        '{"type":"addRules","rules":[{"toolName":"A","ruleContent":""}],"behavior":"allow","destination":"session"}',
        '{"type":"addRules","rules":[{"toolName":"A","b":1}],"behavior":"allow","destination":"session"}',
        '{"type":"addDirectories","directories":[],"destination":"session"}',
        '{"type":"addDirectories","directories":["/a",1],"destination":"session"}',
        '{"type":"shareDirectories","directories":["/a"],"destination":"session"}',
    ],
)
def test_case_44_a_suggestion_that_words_would_not_cover_is_shown_as_it_came(text: str) -> None:
    assert suggestion(loads(text.encode())) == text


@pytest.mark.parametrize(
    "suggested",
    [
        {"type": "setMode", "mode": "bypassPermissions", "destination": "session"},
        {"type": "setMode", "mode": "bypassPermissions", "destination": "userSettings", "x": 1},
        {"type": "setModes", "modes": ["bypassPermissions"]},
    ],
)
def test_case_44_a_mode_that_asks_nothing_is_never_offered(suggested: object) -> None:
    last = {"type": "setMode", "mode": "plan", "destination": "session"}
    seen = permission("Bash", {"command": "ls"}, permission_suggestions=[suggested, last])
    assert seen["suggestions"] == ["", "Only plan, for the rest of this session"]  # positions stay


def test_a_rule_may_speak_of_that_mode() -> None:
    rule = {"toolName": "Bash", "ruleContent": "grep bypassPermissions *"}
    assert suggestion({**rules("addRules", "allow"), "rules": [rule]}).endswith(
        "Bash(grep bypassPermissions *)"
    )


def test_the_first_suggestions_are_shown() -> None:
    many = [{"type": "setMode", "mode": "auto", "destination": "session"}] * 20
    assert len(permission("Bash", {"command": "ls"}, permission_suggestions=many)["suggestions"]) == 16
    assert "suggestions" not in permission("Bash", {"command": "ls"}, permission_suggestions=[])
    assert "suggestions" not in permission("Bash", {"command": "ls"}, permission_suggestions="all")


# --- questions ---------------------------------------------------------------------------------


def test_a_question_is_shown_with_its_options() -> None:
    seen = questions(
        question(header="H", multiSelect=True, kind="choice"),
        question(question="Why?", options=[{"label": "A, b", "description": "d", "preview": "p\n"}]),
        {"question": "How many?", "kind": "number"},
    )
    assert seen["questions"] == [
        {
            "question": "Which?",
            "multi_select": True,
            "header": "H",
            "options": [{"label": "A"}, {"label": "B"}],
        },
        {"question": "Why?", "options": [{"label": "A, b", "description": "d", "preview": "p\n"}]},
        {"question": "How many?"},
    ]
    assert "input" not in seen
    assert seen["kind"] == "question"


def test_what_has_no_place_in_a_question_becomes_a_row() -> None:
    options = [{"label": "A", "description": 7, "danger": "high"}, {"label": "B"}]
    seen = questions(question(unit="px", header=["H"], options=options), metadata={"source": "x"})
    assert [(row["label"], row["value"]) for row in seen["input"]] == [
        ("metadata", '{"source":"x"}'),
        ("Question 1: unit", "px"),
        ("Question 1: header", '["H"]'),
        ("Question 1, option 1: description", "7"),
        ("Question 1, option 1: danger", "high"),
    ]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ([], "it has no questions"),
        ([question(question=f"{n}?") for n in range(9)], "it has 9 questions"),
        ([question(question=" ")], "a question is empty"),
        ([question(question=None)], "a question is empty"),
        (["Which?"], "a question is empty"),
        ([question(), question(question="Which? ")], "two questions look alike"),
        ([question(question="a\ud800"), question(question="a\udfff")], "two questions look alike"),
        ([question(options=[{"label": f"{n}"} for n in range(17)])], "a question has 17 options"),
        ([question(options="AB")], "the options of a question are not a list"),
        ([question(options=None)], "the options of a question are not a list"),
        ([question(options=[{"label": "A"}, {"label": "A"}])], "two options look alike"),
        ([question(options=[{"label": ""}])], "an option has no label"),
        ([question(options=["A"])], "an option has no label"),
    ],
)
def test_case_17_questions_that_cannot_be_told_apart_are_not_shown(asked: list[object], reason: str) -> None:
    seen = questions(*asked)
    assert (seen["kind"], seen["unshowable"]) == ("question", reason)
    assert "questions" not in seen


def test_questions_that_are_no_list_are_not_shown() -> None:
    assert permission("AskUserQuestion", {"questions": "Which?"})["unshowable"] == "it has no questions"


# --- plans -------------------------------------------------------------------------------------


def test_case_24_a_plan_is_shown_with_the_modes_it_may_be_approved_into() -> None:
    seen: dict[str, Any] = content(sample("PermissionRequest.ExitPlanMode"))
    assert seen["kind"] == "plan"
    assert seen["input"][0] == {"label": "Plan", "value": "# Plan\n1. do it\n"}
    assert seen["modes"] == ["default", "acceptEdits", "auto"] == list(MODES)


@pytest.mark.parametrize(
    "tool_input", [{}, {"plan": ""}, {"plan": " \n"}, {"plan": ["x"]}, {"planFilePath": "/p"}]
)
def test_case_24_a_plan_without_text_cannot_be_approved(tool_input: object) -> None:
    seen = permission("ExitPlanMode", tool_input)
    assert (seen["kind"], seen["unshowable"]) == ("plan", "there is no plan to read")
    assert "modes" not in seen
