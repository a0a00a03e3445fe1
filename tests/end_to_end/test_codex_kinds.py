"""Every kind of thing that Codex asks, answered at the desk while the terminal asks it too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.codex_served import escalated, scene

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.codex_served import Scene
    from tests.end_to_end.desk import Json
    from tests.lab.codex import Codex
    from tests.lab.fake_openai import FakeOpenAI

pytestmark = pytest.mark.end_to_end

COLOURS = [{"label": "Red (Recommended)", "description": "warm"}, {"label": "Blue", "description": "cool"}]
QUESTION = {"id": "c", "header": "Colour", "question": "Which colour?", "options": COLOURS}
OTHER = {
    "id": "s",
    "header": "Shape",
    "question": "Which shape?",
    "options": [{"label": "Round", "description": ""}, {"label": "Square", "description": ""}],
}


def rows(request: Json) -> list[tuple[str, str]]:
    return [(row["label"], row["value"]) for row in request["input"]]


def asked(on: Scene, scenario: str, kind: str = "permission") -> Json:
    """Have the model play a scenario, and return what it asks."""
    number = len(on.desk.requests(kind=kind)) + 1
    on.tui.say(f"please SCN:{scenario}")
    return on.desk.wait_request(number, kind=kind)


def test_an_always_for_a_command_is_codexs_own_rule(root: Path, codex: Codex, model: FakeOpenAI) -> None:
    model.scripts["twice"] = [escalated("uname"), escalated("uname"), escalated("touch other")]
    with scene(root, codex) as on:
        request = asked(on, "twice")
        (offer,) = request["suggestions"]
        assert offer["label"] == "Allow from now on every command that begins with: uname"
        on.desk.allow(request, "--suggestion", "1")
        on.desk.wait_state(request, "confirmed")
        second = on.desk.wait_request(2)
        assert ("Command", "/bin/bash -lc 'touch other'") in rows(second)
        on.desk.allow(second)
        on.tui.wait_for("DONE twice")
        rules = (codex.home / ".codex/rules/default.rules").read_text()
        assert rules.strip() == 'prefix_rule(pattern=["uname"], decision="allow")'


def test_questions_are_answered_with_options_and_in_ones_own_words(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    model.scripts["asks"] = [[{"tool": "request_user_input", "input": {"questions": [QUESTION, OTHER]}}]]
    with scene(root, codex) as on:
        request = asked(on, "asks", "question")
        on.tui.wait_for("Which colour?")
        on.desk.answer(request, "--pick", "1:2", "--text", "2:round, “ish”")
        on.desk.wait_state(request, "delivered")
        on.tui.wait_for("DONE asks")
        answers = json.loads(model.results("asks")[0])["answers"]
        assert answers["c"]["answers"] == ["Blue"]
        assert answers["s"]["answers"] == ["None of the above", "user_note: round, “ish”"]


def test_permissions_are_granted_for_the_turn_as_they_were_asked_for(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    wanted = {"network": {"enabled": True}, "file_system": {"write": [str(root)]}}
    model.scripts["wants"] = [
        [{"tool": "request_permissions", "input": {"permissions": wanted, "reason": "r"}}]
    ]
    with scene(root, codex) as on:
        request = asked(on, "wants")
        assert rows(request) == [("Reason", "r"), ("Network", "yes"), ("Write", str(root))]
        on.desk.allow(request)
        on.tui.wait_for("DONE wants")
        granted = json.loads(model.results("wants")[0])
        assert granted["scope"] == "turn"
        assert granted["permissions"]["network"] == {"enabled": True}
        assert str(root) in json.dumps(granted["permissions"]["file_system"])
        second = asked(on, "wants")
        on.desk.deny(second)
        on.desk.wait_session("idle", request["session_id"])
        assert not any(json.loads(model.results("wants")[-1])["permissions"].values())


def test_a_tool_call_is_allowed_for_the_session_and_its_form_is_filled_in(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    model.scripts["calls"] = [[{"tool": "ask", "namespace": "mcp__lab", "input": {}}]]
    with scene(root, codex) as on:
        request = asked(on, "calls")
        assert request["tool"] == "mcp__lab__ask"
        assert request["suggestions"][0]["label"] == "Allow this tool for the rest of this session"
        on.desk.allow(request, "--suggestion", "1")
        form = on.desk.wait_request(kind="elicitation")
        assert [field["name"] for field in form["fields"]] == ["colour", "name"]
        on.desk.answer(form, "--set", "name=Ada", "--set", "colour=blue")
        on.desk.wait_state(request, "confirmed")
        on.tui.wait_for("DONE calls")
        (result,) = model.results("calls")
        assert json.loads(result.removeprefix("form: "))["content"] == {"name": "Ada", "colour": "blue"}
        again = asked(on, "calls", "elicitation")  # the call itself is not asked about again
        on.desk.answer(again, "--decline")
        on.desk.wait_session("idle", request["session_id"])
        assert '"action": "decline"' in model.results("calls")[-1].replace("\\", "")
        assert len(on.desk.requests(kind="permission")) == 1


def test_input_for_a_terminal_that_runs_is_asked_for_on_its_own(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    cat = {"cmd": "cat", "tty": True, "yield_time_ms": 300, "sandbox_permissions": "require_escalated"}
    types = {"session_id": -1, "chars": "hello\n", "yield_time_ms": 300}
    ends = {"session_id": -1, "chars": "\u0004", "yield_time_ms": 300}
    model.scripts["types"] = [
        [{"tool": "exec_command", "input": {**cat, "justification": "cat"}}],
        [{"tool": "write_stdin", "input": types}],
        [{"tool": "write_stdin", "input": ends}],
    ]
    with scene(root, codex) as on:
        on.desk.allow(asked(on, "types"))
        request = on.desk.wait_request(tool="write_stdin")
        assert "hello" in rows(request)[0][1]
        on.desk.allow(request)
        second = on.desk.wait_request(2, tool="write_stdin")
        on.desk.deny(second)
        on.tui.wait_for("DONE types")
        assert "hello" in model.results("types")[1]
        assert "rejected" in model.results("types")[2]


def test_a_subagent_asks_under_the_session_at_its_root(root: Path, codex: Codex, model: FakeOpenAI) -> None:
    spawn = {"message": "Please SCN:child", "agent_type": "default"}
    model.scripts["spawns"] = [[{"tool": "spawn_agent", "namespace": "multi_agent_v1", "input": spawn}]]
    model.scripts["child"] = [escalated("touch child")]
    with scene(root, codex) as on:
        request = asked(on, "spawns")
        assert request["agent_id"] not in ("", request["session_id"])
        (session,) = on.desk.stream.sessions.values()
        assert session["session_id"] == request["session_id"]
        on.desk.allow(request)
        on.desk.wait_state(request, "confirmed")
        assert (codex.project / "child").exists()
