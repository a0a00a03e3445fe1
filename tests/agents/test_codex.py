"""Requests of Codex's app server: what is shown, what an answer makes, what is never answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.agents import Unrenderable, codex
from sayso.core.digest import dumps
from tests.agents import codex_samples
from tests.agents.codex_samples import (
    ALLOW,
    CAPTURED,
    DENY,
    asked,
    elicitation,
    result,
    rows,
    sample,
    shown_of,
)

Json = dict[str, Any]


# --- what was captured ---------------------------------------------------------------------------


def test_what_is_shown_of_the_captured_requests_is_what_a_person_read() -> None:
    assert codex_samples.shown() == json.loads(codex_samples.SHOWN.read_text("utf-8"))


def test_the_results_are_those_that_a_person_compared() -> None:
    assert codex_samples.results() == json.loads(codex_samples.RESULTS.read_text("utf-8"))


def test_every_method_has_a_captured_request_and_every_answer() -> None:
    assert {one["method"] for one in CAPTURED.values()} == codex.METHODS
    answered = {(CAPTURED[name]["method"], way["behavior"]) for name, way in codex_samples.DECISIONS}
    assert answered == {(method, way) for method in codex.METHODS for way in ("allow", "deny")}


@pytest.mark.parametrize("name", [name for name, one in CAPTURED.items() if "ended" in one])
def test_the_end_of_an_item_tells_whether_it_was_allowed(name: str) -> None:
    one = CAPTURED[name]
    declined = name in (
        "command_declined",
        "command_cancelled",
        "file_change_2",
        "tool_call_2",
        "tool_call_3",
    )
    refused = declined or name == "command_of_a_subagent"
    assert codex.ended(one["ended"]) == ("tool-declined" if refused else "post-tool-use")
    thread_id, item_id = one["params"]["threadId"], one["ended"]["id"]
    assert asked(name)["digest"] == codex.item_identity(thread_id, item_id) != ""


@pytest.mark.parametrize(
    ("item", "event"),
    [
        (
            {"type": "mcpToolCall", "status": "failed", "error": {"message": "no such file"}},
            "post-tool-use-failure",
        ),
        ({"type": "commandExecution", "status": "failed"}, "post-tool-use-failure"),
        ({"type": "commandExecution", "status": "inProgress"}, ""),
        ({"type": "agentMessage", "status": "completed"}, ""),
        ({}, ""),
    ],
)
def test_other_ends_of_items(item: Json, event: str) -> None:
    assert codex.ended(item) == event


# --- which item a request is about ---------------------------------------------------------------


def test_a_tool_call_is_the_oldest_of_equal_ones_that_runs() -> None:
    item = CAPTURED["tool_call"]["item"]
    other = {**item, "id": "other", "arguments": {"x": "2"}}
    open_items = {"other": other, "first": {**item, "id": "first"}, "second": {**item, "id": "second"}}
    params = CAPTURED["tool_call"]["params"]
    assert codex.item_of(codex.ELICITATION, params, open_items)["id"] == "first"
    assert codex.item_of(codex.ELICITATION, params, {"other": other}) == {}
    assert codex.item_of(codex.ELICITATION, elicitation(), open_items) == {}


def test_other_requests_name_their_item() -> None:
    params = CAPTURED["file_change"]["params"]
    item = CAPTURED["file_change"]["item"]
    assert codex.item_of(codex.FILE_CHANGE, params, {item["id"]: item}) == item
    assert codex.item_of(codex.FILE_CHANGE, params, {}) == {}


def test_a_command_is_known_by_its_item_even_when_that_was_not_seen() -> None:
    params = CAPTURED["command"]["params"]
    assert shown_of(codex.COMMAND, params)["digest"] == asked("command")["digest"]


@pytest.mark.parametrize("name", ["write_stdin", "question", "permissions"])
def test_what_no_end_of_an_item_tells_of_is_known_by_nothing(name: str) -> None:
    assert asked(name)["digest"] == ""


def test_equal_calls_have_the_same_content_whatever_the_model_says_for_itself() -> None:
    first = asked("command")
    again = shown_of(codex.COMMAND, sample("command", itemId="other", reason="once more"))
    assert again["digest"] != first["digest"]
    assert again["content"] == first["content"]
    elsewhere = shown_of(codex.COMMAND, sample("command", cwd="/elsewhere"))
    assert elsewhere["content"] != first["content"]
    assert "content" not in asked("write_stdin")


# --- commands ------------------------------------------------------------------------------------


def test_case_44_only_what_codex_offers_is_offered_and_an_unknown_offer_never_is() -> None:
    offers = [
        "accept",
        "acceptForSession",
        {"new": 1},
        "other",
        {"acceptWithExecpolicyAmendment": {}},
        "cancel",
    ]
    params = sample("command", availableDecisions=offers)
    asked = shown_of(codex.COMMAND, params)
    assert asked["suggestions"] == ["Allow this command for the rest of this session", "", "", ""]
    assert codex.result(codex.COMMAND, params, {}, {**ALLOW, "suggestion": 0}) == {
        "decision": "acceptForSession"
    }
    for never in (1, 2, 3, 4, -1, True, "0"):
        with pytest.raises(Unrenderable):
            codex.result(codex.COMMAND, params, {}, {**ALLOW, "suggestion": never})
    assert "suggestions" not in shown_of(codex.COMMAND, sample("command", availableDecisions=None))


def test_a_rule_is_shown_word_by_word() -> None:
    amendment = {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git", "", "a b", "$(x)", "-C"]}}
    asked = shown_of(codex.COMMAND, sample("command", availableDecisions=[amendment]))
    assert asked["suggestions"] == [
        'Allow from now on every command that begins with: git "" "a b" "$(x)" -C'
    ]


def test_a_host_is_shown_and_may_be_allowed_from_now_on() -> None:
    rules = [
        {"applyNetworkPolicyAmendment": {"network_policy_amendment": {"host": "a.example", "action": action}}}
        for action in ("allow", "deny")
    ]
    params = sample(
        "command",
        command=None,
        networkApprovalContext={"host": "a.example", "protocol": "https"},
        availableDecisions=["accept", *rules],
    )
    asked = shown_of(codex.COMMAND, params)
    assert rows(asked)[0] == ("Network", "https a.example")
    assert asked["suggestions"] == ["Allow from now on to reach a.example", ""]
    assert codex.result(codex.COMMAND, params, {}, {**ALLOW, "suggestion": 0}) == {"decision": rules[0]}


def test_permissions_of_one_command_and_all_else_are_shown() -> None:
    params = sample(
        "command",
        environmentId="remote",
        additionalPermissions={"network": {"enabled": True}, "fileSystem": None},
        somethingNew={"a": [1.50]},
    )
    assert rows(shown_of(codex.COMMAND, params))[-3:] == [
        ("Environment", "remote"),
        ("Network", "yes"),
        ("somethingNew", '{"a":[1.5]}'),
    ]


@pytest.mark.parametrize(
    "changes", [{"kind": "humanCommand"}, {"kind": 3}, {"command": " "}, {"command": None}]
)
def test_a_command_that_is_not_known_here_is_not_shown(changes: Json) -> None:
    params = sample("command", **changes)
    assert shown_of(codex.COMMAND, params)["unshowable"]
    for decision in (ALLOW, DENY):
        with pytest.raises(Unrenderable, match="could not be shown"):
            codex.result(codex.COMMAND, params, {}, decision)


def test_a_command_alone_is_one_row() -> None:
    params = sample("command", reason=None, cwd=None, availableDecisions=["accept", "cancel"])
    assert rows(shown_of(codex.COMMAND, params)) == [("Command", CAPTURED["command"]["params"]["command"])]


# --- files, permissions --------------------------------------------------------------------------


def test_every_change_of_files_is_shown_whole() -> None:
    params = sample("file_change", reason="needed", grantRoot="/srv")
    changes = [
        {"path": "/a", "kind": {"type": "update", "move_path": "/b"}, "diff": "@@\n-x\n+y\n"},
        {"path": "/c", "kind": {"type": "delete"}, "diff": "gone\n"},
    ]
    asked = shown_of(codex.FILE_CHANGE, params, {"type": "fileChange", "id": "i", "changes": changes})
    assert rows(asked) == [
        ("Reason", "needed"),
        ("Would allow writing for the rest of this session below", "/srv"),
        ("File", "/a"),
        ("Moved to", "/b"),
        ("Patch", "@@\n-x\n+y\n"),
        ("Delete file", "/c"),
        ("Content until now", "gone\n"),
    ]


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"type": "commandExecution", "changes": [1]},
        {"type": "fileChange", "changes": []},
        {"type": "fileChange", "changes": [{"path": "/a", "kind": {"type": "chmod"}, "diff": ""}]},
        {"type": "fileChange", "changes": [{"path": "", "kind": {"type": "add"}, "diff": ""}]},
        {"type": "fileChange", "changes": [{"path": "/a", "kind": {"type": "add"}}]},
    ],
)
def test_a_change_that_is_not_known_is_not_shown(item: Json) -> None:
    assert shown_of(codex.FILE_CHANGE, sample("file_change"), item)["unshowable"]


def test_permissions_are_shown_one_by_one_and_those_without_words_as_they_came() -> None:
    files = {
        "read": ["/etc", "/opt"],
        "write": None,
        "globScanMaxDepth": 3,
        "entries": [
            {"access": "read", "path": {"type": "path", "path": "/etc"}},
            {"access": "deny", "path": {"type": "glob_pattern", "pattern": "*.pem"}},
            {"access": "write", "path": {"type": "special", "value": {"kind": "root"}}},
        ],
    }
    wanted = {"network": {"enabled": False}, "fileSystem": files, "camera": {"on": True}}
    assert rows(shown_of(codex.PERMISSIONS, sample("permissions", permissions=wanted, reason=None))) == [
        ("Network", "no"),
        ("Read", "/etc"),
        ("Neither read nor write", "*.pem"),
        ("Access to files", '{"access":"write","path":{"type":"special","value":{"kind":"root"}}}'),
        ("Read", "/opt"),
        ("globScanMaxDepth", "3"),
        ("camera", '{"on":true}'),
    ]
    params = sample("permissions", permissions={"network": None, "fileSystem": files})
    granted = codex.result(codex.PERMISSIONS, params, {}, ALLOW)
    assert json.loads(dumps(granted)) == {"permissions": {"fileSystem": files}, "scope": "turn"}


@pytest.mark.parametrize("wanted", [None, {}, {"network": None}, "all"])
def test_permissions_that_say_nothing_are_not_shown(wanted: Any) -> None:
    assert shown_of(codex.PERMISSIONS, sample("permissions", permissions=wanted))["unshowable"]


def test_permissions_elsewhere_say_where() -> None:
    assert ("Environment", "remote") in rows(
        shown_of(codex.PERMISSIONS, sample("permissions", environmentId="remote"))
    )


@pytest.mark.parametrize("method", [codex.PERMISSIONS, codex.QUESTION, codex.ELICITATION])
def test_a_turn_is_stopped_only_where_the_answer_can(method: str) -> None:
    name = {codex.PERMISSIONS: "permissions", codex.QUESTION: "question", codex.ELICITATION: "tool_call"}[
        method
    ]
    assert asked(name)["interrupt"] is False
    with pytest.raises(Unrenderable, match="cannot stop"):
        result(name, {**DENY, "interrupt": True})


# --- what is never answered ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "method",
    [
        "item/tool/call",
        "account/chatgptAuthTokens/refresh",
        "attestation/generate",
        "applyPatchApproval",
        "new",
    ],
)
def test_case_27_what_is_not_handled_is_neither_shown_nor_answered(method: str) -> None:
    assert codex.ask(method, {}, {}) is None
    with pytest.raises(Unrenderable):
        codex.result(method, {}, {}, ALLOW)


@pytest.mark.parametrize("decision", [{}, {"behavior": "cancel"}, {"behavior": None}, {"behavior": "accept"}])
def test_no_other_word_decides_anything(decision: Json) -> None:
    with pytest.raises(Unrenderable):
        result("command", decision)


def test_an_input_nested_too_deeply_is_not_shown() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    assert shown_of(codex.COMMAND, {**CAPTURED["command"]["params"], "new": deep})["unshowable"]
    while isinstance(deep, list):  # taken apart by hand: the interpreter would recurse
        deep = deep.pop()


def test_the_text_of_a_users_message() -> None:
    content = [{"type": "text", "text": "fix"}, {"type": "image", "url": "x"}, {"type": "text", "text": "it"}]
    assert codex.words_of({"type": "userMessage", "content": content}) == "fix\nit"
    assert codex.words_of({}) == ""
