"""What a caller is told, for each event and each answer, to the byte."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.errors import BadReply
from sayso.hook_server import Ending, HookEvent, HookResponse
from sayso.hook_server.answers import NO_REASON
from sayso.hook_server.holds import NOTHING, Hold
from tests.desks import sample

Json = dict[str, Any]
OTHERS = ["PostToolUse", "Stop", "UserPromptSubmit", "SessionStart", "Elicitation", "pretooluse", "", None, 7]
QUESTION = sample("PermissionRequest.AskUserQuestion")
PLAN = sample("PermissionRequest.ExitPlanMode")


def held(payload: Json, legacy: bool = False) -> tuple[HookEvent, Hold]:
    hold = Hold()
    return HookEvent(payload, json.dumps(payload).encode(), hold, legacy), hold


def told(payload: Json, response: HookResponse, legacy: bool = False) -> Json:
    event, hold = held(payload, legacy)
    assert event.respond(response)
    assert event.ending is Ending.ANSWERED
    assert hold.answer.endswith(b"}\n")
    return json.loads(hold.answer)


def of(event: object, tool: str = "Bash", **fields: Any) -> Json:
    return {"hook_event_name": event, "tool_name": tool, "tool_input": {"command": "ls"}, **fields}


def test_pre_tool_use() -> None:
    assert told(of("PreToolUse"), HookResponse(True, "unused")) == {
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
    }
    assert told(of("PreToolUse"), HookResponse(False, "Not ünder\n$HOME.")) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "Not ünder\n$HOME.",
        }
    }


@pytest.mark.parametrize("legacy", [False, True])
def test_permission_request_has_one_format(legacy: bool) -> None:
    assert told(of("PermissionRequest"), HookResponse(True), legacy) == {
        "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    }
    assert told(of("PermissionRequest"), HookResponse(False, "No."), legacy) == {
        "hookSpecificOutput": {
            "hookEventName": "PermissionRequest",
            "decision": {"behavior": "deny", "message": "No."},
        }
    }


@pytest.mark.parametrize("payload", [of("PreToolUse"), of(None), of(None, hook_type="PreToolUse")])
def test_the_old_format(payload: Json) -> None:
    assert told(payload, HookResponse(True), legacy=True) == {"decision": "approve"}
    assert told(payload, HookResponse(False, "No."), legacy=True) == {"decision": "block", "reason": "No."}


@pytest.mark.parametrize("reason", ["", " \n"])
def test_a_deny_always_says_something(reason: str) -> None:
    response = HookResponse(False, reason)
    assert NO_REASON in json.dumps(told(of("PreToolUse"), response))
    assert NO_REASON in json.dumps(told(of("PermissionRequest"), response))
    assert NO_REASON in json.dumps(told(of("PreToolUse"), response, legacy=True))


@pytest.mark.parametrize("allow", ["no", "false", 1, 0, None, [False]])
def test_what_is_neither_true_nor_false_is_no_answer(allow: Any) -> None:
    event, hold = held(of("PreToolUse"))
    with pytest.raises(BadReply):
        event.respond(HookResponse(allow))
    assert hold.ending is None


@pytest.mark.parametrize("event", OTHERS)
@pytest.mark.parametrize("allow", [True, False])
def test_other_events_are_told_nothing(event: object, allow: bool) -> None:
    found, hold = held(of(event))
    assert not found.can_allow
    assert not found.can_deny
    assert not found.respond(HookResponse(allow, "x"))
    assert (found.ending, hold.answer) == (Ending.DROPPED, NOTHING)


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest"])
@pytest.mark.parametrize("legacy", [False, True])
def test_case_17_a_question_is_denied_or_left_to_the_agent(event: str, legacy: bool) -> None:
    payload = {**QUESTION, "hook_event_name": event}
    found, hold = held(payload, legacy)
    assert not found.can_allow
    assert found.can_deny
    with pytest.raises(BadReply, match="question"):
        found.allow()
    assert (found.over, hold.answer) == (False, NOTHING)
    assert found.deny("Ask me later.")
    assert b"Ask me later." in hold.answer


def test_case_23_a_plan_is_allowed_with_its_own_input_to_the_letter() -> None:
    body = (
        json.dumps(PLAN)[:-1]
        + ', "tool_input": {"plan": "\\ud800ü", "n": 1.0, "m": 1e2, "big": 12345678901234567890123}}'
    )
    for event in ("PreToolUse", "PermissionRequest"):
        raw = body.replace("PermissionRequest", event).encode()
        hold = Hold()
        found = HookEvent(json.loads(raw), raw, hold)
        assert found.can_allow
        assert found.allow()
        assert (
            b'"updatedInput":{"plan":"\\ud800\\u00fc","n":1.0,"m":1e2,"big":12345678901234567890123}'
            in hold.answer
        )
        made = json.loads(hold.answer)["hookSpecificOutput"]
        assert made.get("permissionDecision") == "allow" or made["decision"]["behavior"] == "allow"


@pytest.mark.parametrize("tool_input", [None, [], "x", 1])
def test_case_23_a_plan_without_input_is_not_allowed(tool_input: object) -> None:
    found, _ = held({**PLAN, "tool_input": tool_input})
    with pytest.raises(BadReply, match="plan"):
        found.allow()
    assert not found.over
    assert found.deny("no")


def test_case_23_the_old_format_cannot_allow_a_plan() -> None:
    found, _ = held({**PLAN, "hook_event_name": "PreToolUse"}, legacy=True)
    assert not found.can_allow
    with pytest.raises(BadReply):
        found.allow()
    assert found.deny("no")


def test_what_an_event_says() -> None:
    payload = sample("PreToolUse.Bash")
    event, _ = held(payload)
    assert (event.type, event.tool, event.args) == ("PreToolUse", "Bash", payload["tool_input"])
    assert (event.cwd, event.session_id) == (payload["cwd"], payload["session_id"])
    assert event.timestamp.tzinfo is not None
    assert (event.payload, json.loads(event.raw)) == (payload, payload)
    assert repr(event) == "<HookEvent PreToolUse Bash waiting>"


def test_what_is_of_another_type_is_left_empty() -> None:
    event, _ = held({"hook_event_name": 1, "tool_name": None, "tool_input": [], "cwd": {}, "session_id": 1})
    assert (event.type, event.tool, event.args, event.cwd, event.session_id) == ("", "", {}, "", "")
