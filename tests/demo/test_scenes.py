"""What the played agent does with each answer, and where its payloads come from."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.agents import claude_code
from sayso.demo import scenes
from tests.rules.tree import ROOT

Json = dict[str, Any]
SAMPLES = ROOT / "tests/golden/claude_code_samples"
OF_SAMPLE = {
    "permission": "PermissionRequest.Bash",
    "question": "PermissionRequest.AskUserQuestion",
    "plan": "PermissionRequest.ExitPlanMode",
    "compound": "PermissionRequest.Bash.compound",
    "prompt": "UserPromptSubmit",
    "stop": "Stop",
}
OF_THE_SESSION = ("session_id", "transcript_path", "cwd", "prompt_id")


def rendered(asked: Json, **decision: object) -> bytes:
    return claude_code.render(asked, decision)[0]


def names(events: tuple[Json, ...]) -> list[str]:
    return [event["hook_event_name"] for event in events]


@pytest.mark.parametrize("name", OF_SAMPLE)
def test_the_payloads_are_recorded_ones_of_one_session(name: str) -> None:
    sample = json.loads((SAMPLES / f"{OF_SAMPLE[name]}.json").read_text("utf-8"))
    told = scenes.payload(name)
    assert list(told) == list(sample)
    ours = {member: told[member] for member in OF_THE_SESSION}
    assert ours == {member: scenes.payload("permission")[member] for member in OF_THE_SESSION}
    if name == "plan":  # a plan worth reading
        told["tool_input"] = dict.fromkeys(told["tool_input"])
        sample["tool_input"] = dict.fromkeys(sample["tool_input"])
    assert {**told, **ours} == {**sample, **ours}


def test_an_allowed_command_ran() -> None:
    asked = scenes.payload("permission")
    reaction = scenes.react(asked, rendered(asked, behavior="allow"))
    assert "runs it" in reaction.words
    assert "touch /home/dev/project/x1" in reaction.words
    assert names(reaction.events) == ["PostToolUse", "PostToolBatch", "Stop"]
    assert reaction.events[0]["tool_input"] == asked["tool_input"]


@pytest.mark.parametrize(
    ("name", "suggestion", "words"),
    [
        ("permission", 0, "it may work in /home/dev/project (session)"),
        ("permission", 1, "its mode is acceptEdits (session)"),
        ("compound", 0, "Bash(rm -rf zz) (localSettings)"),
    ],
)
def test_a_suggestion_is_kept_to(name: str, suggestion: int, words: str) -> None:
    asked = scenes.payload(name)
    reaction = scenes.react(asked, rendered(asked, behavior="allow", suggestion=suggestion))
    assert words in reaction.words


def test_answers_are_those_of_the_call() -> None:
    asked = scenes.payload("question")
    output = rendered(asked, behavior="allow", answers=[{"picked": [1]}, {"text": "none of them"}])
    reaction = scenes.react(asked, output)
    assert "Which colour do you want? Blue\nWhich features? none of them" in reaction.words
    assert reaction.events[0]["tool_input"]["answers"]["Which colour do you want?"] == "Blue"


@pytest.mark.parametrize(("mode", "words"), [("", "mode default"), ("acceptEdits", "mode acceptEdits")])
def test_a_plan_begins_in_a_mode(mode: str, words: str) -> None:
    asked = scenes.payload("plan")
    reaction = scenes.react(asked, rendered(asked, behavior="allow", mode=mode))
    assert words in reaction.words
    assert reaction.events[0]["tool_input"]["plan"] == asked["tool_input"]["plan"]


def test_what_is_denied_is_told_and_does_not_run() -> None:
    asked = scenes.payload("compound")
    reaction = scenes.react(asked, rendered(asked, behavior="deny", message="Not here."))
    assert "was told: Not here." in reaction.words
    assert names(reaction.events) == ["PostToolBatch", "Stop"]
    assert reaction.events[0]["tool_calls"][0]["tool_response"] == "Not here."


def test_a_turn_that_is_stopped_tells_nothing_more() -> None:
    asked = scenes.payload("compound")
    reaction = scenes.react(asked, rendered(asked, behavior="deny", message="Stop.", interrupt=True))
    assert "stops its turn" in reaction.words
    assert reaction.events == ()


def test_nothing_decided_is_neither_allowed_nor_denied() -> None:
    reaction = scenes.react(scenes.payload("compound"), b"")
    assert "its own prompt would decide" in reaction.words
    assert names(reaction.events) == ["Stop"]


def test_what_is_no_answer_is_an_error() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        scenes.react(scenes.payload("compound"), b"Traceback")
