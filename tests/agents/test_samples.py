"""Every captured payload of Claude Code, both ways."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from sayso.core.types import Ask, Decision, HookEvent
from tests.agents.samples import DECISIONS, PARSED, RENDERED, names, parsed, rendered, sample

GOLDEN_PARSED: dict[str, Any] = json.loads(PARSED.read_text(encoding="utf-8"))
GOLDEN_RENDERED: list[dict[str, Any]] = json.loads(RENDERED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", names())
def test_parsed_as_recorded(name: str) -> None:
    assert parsed(name) == GOLDEN_PARSED[name]


@pytest.mark.parametrize("name", names())
def test_parsed_into_the_shapes_of_the_desk(name: str) -> None:
    found = parsed(name)
    if found is None:
        assert name.split(".")[0] in {
            "ConfigChange",
            "Notification",
            "PermissionDenied",
            "PreToolUse",
            "SubagentStart",
        }
    elif found[0] == "ask":
        ask = msgspec.convert(found[1], Ask)
        assert set(found[1]) <= set(Ask.__struct_fields__)
        assert ask.session_id == sample(name)["session_id"]
        assert ask.unshowable == ""
    else:
        event = msgspec.convert({**found[1], "at_s": 1.0}, HookEvent)
        assert set(found[1]) <= set(HookEvent.__struct_fields__)
        assert event.session_id == sample(name)["session_id"]


@pytest.mark.parametrize("number", range(len(DECISIONS)))
def test_rendered_as_recorded(number: int) -> None:
    name, decision = DECISIONS[number]
    msgspec.convert(decision, Decision)
    assert rendered(name, decision) == GOLDEN_RENDERED[number]


def test_the_golden_files_hold_nothing_else() -> None:
    assert sorted(GOLDEN_PARSED) == names()
    assert [(one["payload"], one["decision"]) for one in GOLDEN_RENDERED] == DECISIONS


def test_every_payload_that_asks_is_answered() -> None:
    asking = {name for name, found in GOLDEN_PARSED.items() if found is not None and found[0] == "ask"}
    assert {name for name, _ in DECISIONS} == asking


def test_an_answer_of_ours_and_the_event_that_follows_it_agree() -> None:
    question = sample("PermissionRequest.AskUserQuestion")
    event = GOLDEN_PARSED["PostToolUse.AskUserQuestion.answered_by_hook"][1]
    assert event["digest"] == GOLDEN_PARSED["PermissionRequest.AskUserQuestion"][1]["digest"]
    # Recorded with a hook that did not quote the label.
    answers = [{"picked": [1], "notes": "please make it dark"}, {"text": "A, first, C"}]
    found = rendered("PermissionRequest.AskUserQuestion", {"behavior": "allow", "answers": answers})
    updated = found["output"]["hookSpecificOutput"]["decision"]["updatedInput"]
    assert updated == sample("PostToolUse.AskUserQuestion.answered_by_hook")["tool_input"]
    assert updated["questions"] == question["tool_input"]["questions"]
    assert found["expects"] == event["answers"]


@pytest.mark.parametrize(
    ("asked", "ran"),
    [
        ("PermissionRequest.Bash", "PostToolUse.Bash"),
        ("PermissionRequest.Bash.rules", "PostToolUseFailure.Bash"),
        ("PermissionRequest.AskUserQuestion", "PostToolUse.AskUserQuestion.native"),
        ("Elicitation.form", "ElicitationResult"),
    ],
)
def test_a_call_that_ran_is_the_one_that_was_asked_about(asked: str, ran: str) -> None:
    assert GOLDEN_PARSED[asked][1]["digest"] == GOLDEN_PARSED[ran][1]["digest"] != ""


def test_a_denial_and_the_batch_that_follows_it_agree() -> None:
    found = rendered("PermissionRequest.Bash", {"behavior": "deny", "message": "DENYMSG use mkdir"})
    assert found["expects"] in GOLDEN_PARSED["PostToolBatch.denied"][1]["responses"]
    assert found["expects"] not in GOLDEN_PARSED["PostToolBatch.terminal_no_with_feedback"][1]["responses"]
