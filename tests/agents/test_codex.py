"""Requests of Codex's app server: what is shown, what an answer makes, what is never answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.agents import Unrenderable, codex
from sayso.core.digest import dumps, loads, members
from tests.agents import codex_samples
from tests.agents.codex_samples import ALLOW, CAPTURED, DENY, asked, result

Json = dict[str, Any]


def sample(name: str, **changes: Any) -> Json:
    """Return the parameters of a captured request, changed."""
    return {**CAPTURED[name]["params"], **members(loads(json.dumps(changes).encode()))}


def shown(method: str, params: Json, item: Json | None = None) -> Json:
    found = codex.ask(method, params, item or {})
    assert found is not None
    plain: Json = json.loads(dumps(found))
    return plain


def rows(asked: Json) -> list[tuple[str, str]]:
    return [(row["label"], row["value"]) for row in asked["input"]]


def elicitation(**changes: Any) -> Json:
    return {
        "threadId": "t",
        "turnId": "u",
        "serverName": "lab",
        "environmentId": None,
        "mode": "form",
        "_meta": None,
        "message": "Who are you?",
        "requestedSchema": {
            "type": "object",
            "properties": {"name": {"type": "string", "title": "Your name"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
        **changes,
    }


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
    assert shown(codex.COMMAND, params)["digest"] == asked("command")["digest"]


@pytest.mark.parametrize("name", ["write_stdin", "question", "permissions"])
def test_what_no_end_of_an_item_tells_of_is_known_by_nothing(name: str) -> None:
    assert asked(name)["digest"] == ""


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
    asked = shown(codex.COMMAND, params)
    assert asked["suggestions"] == ["Allow this command for the rest of this session", "", "", ""]
    assert codex.result(codex.COMMAND, params, {}, {**ALLOW, "suggestion": 0}) == {
        "decision": "acceptForSession"
    }
    for never in (1, 2, 3, 4, -1, True, "0"):
        with pytest.raises(Unrenderable):
            codex.result(codex.COMMAND, params, {}, {**ALLOW, "suggestion": never})
    assert "suggestions" not in shown(codex.COMMAND, sample("command", availableDecisions=None))


def test_a_rule_is_shown_word_by_word() -> None:
    amendment = {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git", "", "a b", "$(x)", "-C"]}}
    asked = shown(codex.COMMAND, sample("command", availableDecisions=[amendment]))
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
    asked = shown(codex.COMMAND, params)
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
    assert rows(shown(codex.COMMAND, params))[-3:] == [
        ("Environment", "remote"),
        ("Network", "yes"),
        ("somethingNew", '{"a":[1.5]}'),
    ]


@pytest.mark.parametrize(
    "changes", [{"kind": "humanCommand"}, {"kind": 3}, {"command": " "}, {"command": None}]
)
def test_a_command_that_is_not_known_here_is_not_shown(changes: Json) -> None:
    params = sample("command", **changes)
    assert shown(codex.COMMAND, params)["unshowable"]
    for decision in (ALLOW, DENY):
        with pytest.raises(Unrenderable, match="could not be shown"):
            codex.result(codex.COMMAND, params, {}, decision)


# --- files, permissions --------------------------------------------------------------------------


def test_every_change_of_files_is_shown_whole() -> None:
    params = sample("file_change", reason="needed", grantRoot="/srv")
    changes = [
        {"path": "/a", "kind": {"type": "update", "move_path": "/b"}, "diff": "@@\n-x\n+y\n"},
        {"path": "/c", "kind": {"type": "delete"}, "diff": "gone\n"},
    ]
    asked = shown(codex.FILE_CHANGE, params, {"type": "fileChange", "id": "i", "changes": changes})
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
    assert shown(codex.FILE_CHANGE, sample("file_change"), item)["unshowable"]


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
    assert rows(shown(codex.PERMISSIONS, sample("permissions", permissions=wanted, reason=None))) == [
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
    assert shown(codex.PERMISSIONS, sample("permissions", permissions=wanted))["unshowable"]


def test_permissions_elsewhere_say_where() -> None:
    assert ("Environment", "remote") in rows(
        shown(codex.PERMISSIONS, sample("permissions", environmentId="remote"))
    )


@pytest.mark.parametrize("method", [codex.PERMISSIONS, codex.QUESTION, codex.ELICITATION])
def test_a_turn_is_stopped_only_where_the_answer_can(method: str) -> None:
    name = {codex.PERMISSIONS: "permissions", codex.QUESTION: "question", codex.ELICITATION: "tool_call"}[
        method
    ]
    assert asked(name)["interrupt"] is False
    with pytest.raises(Unrenderable, match="cannot stop"):
        result(name, {**DENY, "interrupt": True})


# --- questions -----------------------------------------------------------------------------------


def question(**changes: Any) -> Json:
    one = {**CAPTURED["question"]["params"]["questions"][0], **changes}
    return sample("question", questions=[one])


@pytest.mark.parametrize("is_secret", [True, None, "no"])
def test_a_secret_is_never_asked_for_here(is_secret: Any) -> None:
    params = question(isSecret=is_secret)
    assert "secret" in shown(codex.QUESTION, params)["unshowable"]
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
    assert shown(codex.QUESTION, question(**changes))["unshowable"]


@pytest.mark.parametrize("count", [0, 9])
def test_questions_have_bounds(count: int) -> None:
    one = CAPTURED["question"]["params"]["questions"][0]
    questions = [{**one, "id": f"{n}", "question": f"{n}?"} for n in range(count)]
    assert "questions" in shown(codex.QUESTION, sample("question", questions=questions))["unshowable"]


def test_questions_with_the_same_name_are_not_shown() -> None:
    one = CAPTURED["question"]["params"]["questions"][0]
    params = sample("question", questions=[one, {**one, "question": "Another?"}])
    assert "same name" in shown(codex.QUESTION, params)["unshowable"]


def test_what_is_new_in_a_question_becomes_a_row() -> None:
    params = question(picture="x", header="", options=None)
    asked = shown(codex.QUESTION, {**params, "urgent": True})
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
    asked = shown(codex.ELICITATION, params)
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
    asked = shown(codex.ELICITATION, params)
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
    assert shown(codex.ELICITATION, elicitation(**changes))["unshowable"]


def tool_call(meta: Json, **changes: Any) -> Json:
    one = CAPTURED["tool_call"]["params"]
    return {**one, **changes, "_meta": {**one["_meta"], **meta}}


def test_a_tool_calls_input_is_shown_whatever_it_is() -> None:
    asked = shown(
        codex.ELICITATION, tool_call({"tool_params": ["a"], "tool_title": "Danger!", "persist": None})
    )
    assert rows(asked)[:3] == [("MCP server", "dng"), ("Tool", "Danger!"), ("Input", '["a"]')]
    assert "suggestions" not in asked


def test_one_choice_to_persist_may_stand_alone_and_unknown_ones_are_never_offered() -> None:
    params = tool_call({"persist": "session"})
    assert shown(codex.ELICITATION, params)["suggestions"] == ["Allow this tool for the rest of this session"]
    params = tool_call({"persist": ["forever", "session"]})
    assert shown(codex.ELICITATION, params)["suggestions"][0] == ""
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
    assert shown(codex.ELICITATION, params)["unshowable"]


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
    assert shown(codex.COMMAND, {**CAPTURED["command"]["params"], "new": deep})["unshowable"]
    while isinstance(deep, list):  # taken apart by hand: the interpreter would recurse
        deep = deep.pop()


def test_the_text_of_a_users_message() -> None:
    content = [{"type": "text", "text": "fix"}, {"type": "image", "url": "x"}, {"type": "text", "text": "it"}]
    assert codex.words_of({"type": "userMessage", "content": content}) == "fix\nit"
    assert codex.words_of({}) == ""
