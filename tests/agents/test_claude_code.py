"""Events of Claude Code, who waits how, and what is none of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import sayso
from sayso.agents import AGENTS
from sayso.agents.claude_code import NAME, POLICY, is_session_id, message, parse, takes
from sayso.core.digest import digest_text
from sayso.core.types import DIRECT, EventType, Kind
from tests.agents.samples import environment, sample


def event(name: str, **changes: Any) -> dict[str, Any]:
    found = parse({**sample(name), **changes}, {})
    assert found is not None
    assert found[0] == "event"
    return found[1]


def ask(name: str, env: dict[str, str], **changes: Any) -> dict[str, Any]:
    found = parse({**sample(name), **changes}, env)
    assert found is not None
    assert found[0] == "ask"
    return found[1]


def test_the_registry_names_this_module() -> None:
    module = import_module(AGENTS[NAME])
    assert module.NAME == NAME
    assert (module.parse, module.POLICY) == (parse, POLICY)


def test_the_policy_speaks_of_what_is_parsed() -> None:
    assert POLICY["kinds"] == tuple(kind for kind in Kind if kind not in DIRECT)
    asks: Any = POLICY["asks"]
    for name, waits in asks.items():
        payload = sample({"PermissionRequest": "PermissionRequest.Bash"}.get(name, f"{name}.form"))
        for env, agent_id, who in (
            ("tui", "", "attended"),
            ("print", "", "unattended"),
            ("tui", "a1", "subagent"),
        ):
            found = parse({**payload, "agent_id": agent_id}, environment(env))
            assert found is not None
            assert (found[1]["hold"], found[1]["hold_s"]) == (waits[who], waits["hold_s"])
        assert waits["hold_s"] < waits["timeout_s"]


# --- who waits how -----------------------------------------------------------------------------


def test_beside_the_dialog_of_a_person_at_the_terminal() -> None:
    found = ask("PermissionRequest.Bash", environment("tui"))
    assert (found["hold"], found["hold_s"], found["attended"]) == ("parallel", 3590.0, True)
    assert found["surface_id"] == "%0"
    assert found["interrupt"] is True


@pytest.mark.parametrize(
    "env",
    [
        environment("print"),
        {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "cli"},
        {"CLAUDE_CODE_ENTRYPOINT": "sdk-py"},
        {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "sdk-ts"},
    ],
)
def test_instead_of_a_dialog_where_nobody_is(env: dict[str, str]) -> None:
    found = ask("PermissionRequest.Bash", env)
    assert (found["hold"], found["attended"]) == ("exclusive", False)


def test_forms_have_no_dialog_meanwhile() -> None:
    found = ask("Elicitation.form", environment("tui"))
    assert (found["hold"], found["hold_s"], found["attended"]) == ("exclusive", 595.0, True)
    assert found["interrupt"] is False


def test_case_28_a_subagent_is_named_and_has_no_dialog_meanwhile() -> None:
    found = ask("PermissionRequest.subagent", environment("tui"))
    assert (found["agent_id"], found["agent_type"]) == ("abbdd057da3c43ece", "general-purpose")
    assert found["hold"] == "exclusive"
    assert event("SubagentStop")["agent_id"] == found["agent_id"]
    assert "agent_id" not in event("Stop")


@pytest.mark.parametrize("name", ["PermissionRequest.Bash", "PermissionRequest.AskUserQuestion"])
def test_case_30_the_mode_that_asks_nothing_is_told(name: str) -> None:
    assert ask(name, {}, permission_mode="bypassPermissions")["mode"] == "bypassPermissions"
    assert ask(name, {})["mode"] == "default"


# --- events ------------------------------------------------------------------------------------


def test_a_prompt_is_cut() -> None:
    assert event("UserPromptSubmit", prompt="x" * 9000)["prompt"] == "x" * 4000
    assert event("UserPromptSubmit", prompt="a\ud800")["prompt"] == "a\ufffd"


def test_a_report_of_a_task_is_no_prompt() -> None:
    assert event("UserPromptSubmit.task_notification")["type"] == EventType.TASK
    quoted = event("UserPromptSubmit", prompt="what does <task-notification> mean?")
    assert quoted["type"] == EventType.PROMPT


def test_why_a_session_starts_and_ends() -> None:
    assert event("SessionStart")["reason"] == "startup"
    assert event("SessionEnd")["reason"] == "prompt_input_exit"
    assert event("ElicitationResult")["reason"] == "cancel"


def test_a_failed_turn() -> None:
    assert event("Stop", hook_event_name="StopFailure")["type"] == EventType.STOP_FAILED


@pytest.mark.parametrize("answers", [None, "Blue", ["Blue"]])
def test_answers_that_are_none(answers: object) -> None:
    found = event("PostToolUse.AskUserQuestion.native", tool_input={"questions": [], "answers": answers})
    assert found["answers"] == ""


def test_responses_of_a_batch() -> None:
    calls: list[object] = [
        {"tool_response": "no"},
        {
            "tool_response": [
                {"type": "text", "text": "one"},
                {"type": "image"},
                "x",
                {"type": "text", "text": 2},
            ]
        },
        {"tool_response": {"stdout": "no"}},
        {},
        None,
    ]
    responses = event("PostToolBatch.denied", tool_calls=calls)["responses"]
    assert responses == [digest_text("no"), digest_text("one")]
    assert event("PostToolBatch.denied", tool_calls={"a": 1})["responses"] == []


# --- none of ours ------------------------------------------------------------------------------


@pytest.mark.parametrize("payload", [None, [], "Stop", 1, {}, {"hook_event_name": "Stop"}])
def test_no_session(payload: object) -> None:
    assert parse(payload, {}) is None


@pytest.mark.parametrize(
    "value", ["", "a" * 65, "../x", "a/b", "a b", "ä", "a\n", "a\x00", "٣", None, 7, ["a"]]
)
def test_a_session_that_cannot_name_a_file(value: object) -> None:
    assert parse({**sample("Stop"), "session_id": value}, {}) is None


def test_a_session_that_can() -> None:
    assert is_session_id("a" * 64)
    assert is_session_id("Az09_-")


@pytest.mark.parametrize("name", ["PreToolUse", "Unheard", "", None, ["Stop"], {"a": 1}])
def test_an_event_that_is_not_known(name: object) -> None:
    assert parse({**sample("Stop"), "hook_event_name": name}, {}) is None


# --- a message for the agent -------------------------------------------------------------------


@pytest.mark.parametrize(("name", "told"), [("Stop", "Stop"), ("PostToolUse.Bash", "PostToolUse")])
def test_a_message_is_handed_over(name: str, told: str) -> None:
    output = json.loads(message(sample(name), 'go on,\n"please" ä'))
    assert output == {
        "hookSpecificOutput": {"hookEventName": told, "additionalContext": 'go on,\n"please" ä'}
    }


def test_a_message_is_for_the_main_agent_and_for_events_that_carry_one() -> None:
    assert message({**sample("PostToolUse.Bash"), "agent_id": "a1"}, "x") == b""
    assert message(sample("SubagentStop"), "x") == b""
    assert message(sample("PermissionRequest.Bash"), "x") == b""
    assert message(None, "x") == b""


def test_the_events_that_carry_one_are_those_of_the_policy() -> None:
    carry = {name for name in POLICY["observes"] if takes({"hook_event_name": name})}  # pyright: ignore[reportGeneralTypeIssues]
    assert carry == set(POLICY["messages"])  # pyright: ignore[reportArgumentType]
    assert not takes({"hook_event_name": "Stop", "agent_id": "a1"})
    assert not takes(None)


@pytest.mark.parametrize(
    ("said", "continued"), [(True, True), (False, False), ("true", False), (None, False)]
)
def test_a_stop_tells_whether_a_hook_made_the_turn_go_on(said: object, continued: bool) -> None:
    parsed = parse({**sample("Stop"), "stop_hook_active": said}, {})
    assert parsed is not None
    assert parsed[1].get("continued", False) is continued


# --- the cost of a start -----------------------------------------------------------------------

LIGHT = {"_json", "_sha2", "_sha256", "posix", "time"}
SOURCES = str(Path(sayso.__file__).parent.parent)


def loaded(code: str) -> set[str]:
    """The modules that this code loads in an interpreter as hooks are run in."""
    script = f"import sys; before = set(sys.modules); sys.path.insert(0, {SOURCES!r})\n{code}\n"
    script += "print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True, timeout=30
    )
    return set(done.stdout.split())


OWN = {"sayso", "sayso.agents", "sayso.agents.claude_code", "sayso.core", "sayso.core.digest"}


def test_an_observer_loads_next_to_nothing() -> None:
    code = "from sayso.agents.claude_code import parse\n"
    code += "parse({'session_id': 'a', 'hook_event_name': 'Stop'}, {})"
    assert loaded(code) <= OWN | LIGHT


def test_what_asks_loads_little_more() -> None:
    code = "from sayso.agents.claude_code import parse, render\n"
    code += "p = {'session_id': 'a', 'hook_event_name': 'Elicitation', 'mode': 'form',\n"
    code += "     'requested_schema': {'type': 'object'}}\n"
    code += "parse(p, {})\nbefore_render = set(sys.modules)\nrender(p, {'behavior': 'deny'})\n"
    code += "assert set(sys.modules) == before_render"  # files may be replaced while a person decides
    asking = {"sayso.agents.claude_answers", "sayso.agents.claude_asks", "sayso.agents.claude_forms"}
    assert loaded(code) == OWN | asking | (loaded(code) & LIGHT)
