"""Codex's hooks: what is asked and observed, and that every answer is one that Codex takes."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.agents import AGENTS, Unrenderable
from sayso.agents.codex_hook import NAME, NO_REASON, POLICY, identity, message, parse, render, takes
from sayso.core.digest import dumps, loads
from sayso.core.types import Ask, HookEvent
from tests.agents.codex_schema import INPUTS, OUTPUTS, PROMPT, outcome

ASKED = sorted(name for name in INPUTS if name.startswith("PermissionRequest."))
BASH = INPUTS["PermissionRequest.Bash"]
ENV = {"CLAUDE_PID": "77", "TMUX_PANE": "%9", "PATH": "/bin"}


def ask(payload: Any) -> dict[str, Any]:
    found = parse(payload, ENV)
    assert found is not None
    assert found[0] == "ask"
    return json.loads(dumps(found[1]))


def event(payload: Any) -> dict[str, Any]:
    found = parse(payload, ENV)
    assert found is not None
    assert found[0] == "event"
    return found[1]


def read(payload: Any) -> Any:
    """Return a payload as the hook has it."""
    return loads(json.dumps(payload).encode())


def test_the_registry_names_this_module() -> None:
    module = import_module(AGENTS[NAME])
    assert (module.NAME, module.parse, module.POLICY) == (NAME, parse, POLICY)


# --- what is asked -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASKED)
def test_a_request_is_an_ask_of_the_desk(name: str) -> None:
    found = ask(read(INPUTS[name]))
    made = msgspec.convert(found, Ask)
    assert set(found) <= set(Ask.__struct_fields__)
    assert (made.agent, made.kind, made.session_id) == ("codex", "permission", INPUTS[name]["session_id"])
    assert (made.tool, made.unshowable, made.mode) == (INPUTS[name]["tool_name"], "", "default")
    assert (made.prompt_id, made.cwd) == (INPUTS[name]["turn_id"], INPUTS[name]["cwd"])
    assert made.surface_id == ""  # the environment is that of whoever started the server
    assert not made.interrupt


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "PermissionRequest.Bash",
            [("Command", "touch /home/dev/le5", True), ("Reason", "J", False)],
        ),
        (
            "PermissionRequest.apply_patch",
            [
                (
                    "Patch",
                    "*** Begin Patch\n*** Add File: /var/home/dev/zz_outside2.txt\n+hello\n*** End Patch",
                    True,
                )
            ],
        ),
        ("PermissionRequest.mcp__tst__danger", [("MCP server", "tst", False), ("x", "2", False)]),
        ("PermissionRequest.mcp__tst__plain", [("MCP server", "tst", False)]),
    ],
)
def test_what_is_shown_of_it(name: str, rows: list[tuple[str, str, bool]]) -> None:
    shown = ask(read(INPUTS[name]))["input"]
    assert [(row["label"], row["value"], row.get("code", False)) for row in shown] == rows


def test_what_has_no_place_of_its_own_is_a_row() -> None:
    payload = {**BASH, "tool_input": {"command": " ", "env": {"A": [1.0]}}}
    rows = [(row["label"], row["value"]) for row in ask(read(payload))["input"]]
    assert rows == [
        ("Warning", "There is no command in this request."),
        ("Command", " "),
        ("env", '{"A":[1.0]}'),
    ]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tool_input": ["touch"]}, "its input is not an object"),
        ({"tool_input": None}, "its input is not an object"),
        ({"tool_name": ""}, "it does not name the tool"),
    ],
)
def test_what_cannot_be_shown_says_why_and_is_never_allowed(changes: Any, why: str) -> None:
    payload = read({**BASH, **changes})
    assert ask(payload)["unshowable"] == why
    with pytest.raises(Unrenderable):
        render(payload, {"behavior": "allow"})
    assert outcome(render(payload, {"behavior": "deny"})[0].decode()) == "deny"


def test_a_subagent_is_named_under_its_root() -> None:
    found = ask(read({**BASH, "agent_id": "child", "agent_type": "default"}))
    assert (found["agent_id"], found["agent_type"], found["session_id"]) == (
        "child",
        "default",
        BASH["session_id"],
    )


def test_case_30_the_mode_that_asks_nothing_is_told() -> None:
    assert ask(read({**BASH, "permission_mode": "bypassPermissions"}))["mode"] == "bypassPermissions"


def test_case_26_it_holds_the_terminal_back_for_25_seconds_within_the_30_of_its_timeout() -> None:
    asks: Any = POLICY["asks"]
    policy = asks["PermissionRequest"]
    found = ask(read(BASH))
    assert (found["hold"], found["hold_s"]) == ("exclusive", policy["hold_s"])
    assert (policy["hold_s"] - 5, policy["timeout_s"]) == (25, 30)
    assert type(policy["timeout_s"]) is int  # in seconds, and whole: Codex reads nothing else


# --- a call is known again ---------------------------------------------------------------------


def test_a_command_is_known_again_when_it_ran() -> None:
    ran = {**INPUTS["PostToolUse.Bash"], "tool_input": {"command": BASH["tool_input"]["command"]}}
    assert event(read(ran))["digest"] == ask(read(BASH))["digest"] != ""


def test_a_patch_is_known_again_although_its_last_line_end_differs() -> None:
    payload = INPUTS["PermissionRequest.apply_patch"]
    patch = payload["tool_input"]["command"]
    ran = {**INPUTS["PostToolUse.apply_patch"], "tool_input": {"command": patch + "\n"}}
    assert event(read(ran))["digest"] == ask(read(payload))["digest"] != ""
    assert identity(read(INPUTS["PostToolUse.apply_patch"])) != identity(read(payload))


def test_case_59_a_command_is_the_same_whatever_its_reason_and_nothing_else() -> None:
    given = BASH["tool_input"]

    def content(**changes: str) -> str:
        return ask(read({**BASH, "tool_input": {**given, **changes}}))["content"]

    same = content()
    assert content(description="Another reason") == same != ""
    assert content(command=f"{given['command']}\n") != same
    assert content(workdir="/elsewhere") != same
    assert "content" not in ask(read(INPUTS["PermissionRequest.mcp__tst__danger"]))


def test_a_tool_of_a_server_is_known_again() -> None:
    ran = read(INPUTS["PostToolUse.mcp__tst__danger"])
    assert event(ran)["digest"] == ask(read(INPUTS["PermissionRequest.mcp__tst__danger"]))["digest"] != ""


# --- events ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("UserPromptSubmit", {"type": "user-prompt-submit"}),
        ("SessionStart", {"type": "session-start"}),
        ("Stop", {"type": "stop"}),
        ("Interrupt", {"type": "stop-failure"}),
        ("PostToolUse.Bash", {"type": "post-tool-use", "tool": "Bash"}),
    ],
)
def test_events_as_the_desk_has_them(name: str, said: dict[str, Any]) -> None:
    payload = INPUTS[name]
    found = event(read(payload))
    assert found.items() >= said.items()
    made = msgspec.convert({**found, "at_s": 1.0}, HookEvent)
    assert set(found) <= set(HookEvent.__struct_fields__)
    assert (made.agent, made.session_id) == ("codex", payload["session_id"])


def test_what_the_events_say() -> None:
    assert event(read(INPUTS["UserPromptSubmit"]))["prompt"] == INPUTS["UserPromptSubmit"]["prompt"]
    assert event(read(INPUTS["SessionStart"]))["reason"] == INPUTS["SessionStart"]["source"]
    again = event(read({**INPUTS["Stop"], "stop_hook_active": True}))
    assert (again["continued"], "continued" in event(read(INPUTS["Stop"]))) == (True, False)


@pytest.mark.parametrize("name", ["PreToolUse.Bash", "SubagentStop", "SessionEnd"])
def test_other_events_are_none_of_ours(name: str) -> None:
    assert parse(read(INPUTS[name]), ENV) is None


@pytest.mark.parametrize(
    "payload", [None, 3, [], {}, {**BASH, "session_id": "../x"}, {**BASH, "session_id": 7}]
)
def test_what_makes_no_sense_is_nothing(payload: Any) -> None:
    assert parse(payload, ENV) is None


def test_every_event_of_the_policy_is_read() -> None:
    known = {**cast("Any", POLICY["asks"]), **cast("Any", POLICY["observes"])}
    for name in known:
        assert parse({**BASH, "hook_event_name": name}, ENV) is not None
    carry = {name for name in known if takes({"hook_event_name": name})}
    assert carry == set(cast("tuple[str, ...]", POLICY["messages"]))


# --- what is answered --------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_the_model_of_codex_does_what_codex_did(name: str) -> None:
    row = OUTPUTS[name]
    stdout = row["stdout"] if isinstance(row["stdout"], str) else json.dumps(row["stdout"])
    decided = PROMPT if row["prompted"] else "allow" if row["ran"] else "deny"
    assert outcome(stdout, row["exit"], row.get("stderr", "")) == decided


def test_the_lines_to_the_letter() -> None:
    allowed, _ = render(BASH, {"behavior": "allow"})
    denied, _ = render(BASH, {"behavior": "deny", "message": 'use "git mv"'})
    assert allowed == (
        b'{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}\n'
    )
    assert json.loads(denied)["hookSpecificOutput"]["decision"] == {
        "behavior": "deny",
        "message": 'use "git mv"',
    }
    assert json.loads(allowed) == OUTPUTS["allow"]["stdout"]


WORDS = st.text(max_size=40)
DECISIONS = st.fixed_dictionaries(
    {"behavior": st.sampled_from(["allow", "deny"])},
    optional={"message": WORDS, "interrupt": st.just(False), "suggestion": st.none()},
)


@given(DECISIONS)
def test_every_answer_is_one_line_that_codex_takes_as_it_was_meant(decision: dict[str, Any]) -> None:
    output, expects = render(BASH, decision)
    assert (output.count(b"\n"), output[-1:], expects) == (1, b"\n", "")
    assert outcome(output.decode()) == decision["behavior"]
    said = json.loads(output)["hookSpecificOutput"]["decision"].get("message")
    if decision["behavior"] == "deny":
        words = decision.get("message", "")
        assert said == (words if words.strip() else NO_REASON)
    else:
        assert said is None


@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"behavior": "cancel"},
        {"behavior": "ask"},
        {"behavior": "allow", "suggestion": 0},
        {"behavior": "allow", "answers": [{"picked": [0]}]},
        {"behavior": "allow", "mode": "auto"},
        {"behavior": "deny", "interrupt": True},
        {"behavior": "deny", "message": 7},
    ],
)
def test_what_codex_has_no_word_for_is_not_written(decision: dict[str, Any]) -> None:
    with pytest.raises(Unrenderable):
        render(BASH, decision)


@pytest.mark.parametrize("name", ["Stop", "PostToolUse.Bash", "PreToolUse.Bash"])
def test_other_events_are_not_answered(name: str) -> None:
    with pytest.raises(Unrenderable):
        render(INPUTS[name], {"behavior": "allow"})


# --- messages ----------------------------------------------------------------------------------


def test_case_54_the_end_of_a_turn_takes_a_message() -> None:
    assert json.loads(message(INPUTS["Stop"], "go\non")) == {"decision": "block", "reason": "go\non"}


def test_a_tool_call_takes_a_message() -> None:
    main = {name: value for name, value in INPUTS["PostToolUse.Bash"].items() if name != "agent_id"}
    said = json.loads(message(main, "stop that"))
    assert said == {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "stop that"}}


def test_a_subagent_and_other_events_take_none() -> None:
    assert message(INPUTS["PostToolUse.Bash"], "x") == b""  # of a subagent
    assert message(INPUTS["UserPromptSubmit"], "x") == b""


@pytest.mark.parametrize("words", ["", " \n\t"])
def test_case_54_a_turn_is_not_kept_going_for_nothing(words: str) -> None:
    with pytest.raises(Unrenderable):
        message(INPUTS["Stop"], words)


def test_what_is_nested_too_deeply_is_not_shown() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    found = parse({**INPUTS["PermissionRequest.mcp__tst__danger"], "tool_input": {"x": deep}}, ENV)
    assert found is not None
    assert found[1]["unshowable"] == "its input is nested too deeply"
