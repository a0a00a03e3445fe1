"""The tools of `sayso mcp` in the real Claude Code, made known to it by its own command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.end_to_end import told

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.desk import Desk, Json
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def installed(desk: Desk, claude: Claude, root: Path) -> dict[str, str]:
    """Hooks, rules and tools, as a person installs them; returns that person's environment."""
    (root / "bin").mkdir()
    (root / "bin/claude").symlink_to(claude.binary)
    env = {**claude.env(), "PATH": f"{root / 'bin'}:/usr/bin:/bin", "SAYSO_HOME": desk.env["SAYSO_HOME"]}
    said = desk.run("install", "claude-code", "--mcp", env=env)
    assert "Made the server sayso known to Claude Code" in said
    return env


def turn(tool: str, **arguments: Any) -> list[Json]:
    return [{"tool": f"mcp__sayso__{tool}", "input": arguments}]


def reply(desk: Desk, request: Json, **reply: Any) -> Json:
    with desk.connect() as client:
        answered: Json = client.call("desk.answer", {"id": request["id"], "reply": reply})
    return answered


def result(model: FakeAnthropic, scenario: str, nth: int = 1) -> Json:
    """Return the nth result of a scenario as the model was shown it."""
    found = told.result(model, scenario, nth)
    assert not found["is_error"], found
    shown: Json = json.loads(found["text"])
    return shown


def test_every_tool_is_one_card_answered_at_the_desk(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, installed: dict[str, str]
) -> None:
    fake_model.scripts["mcp"] = [
        turn("ask_yesno", title="Deploy?", body="To production.", unsafe=True),
        turn("ask_choice", title="Which?", choices=[{"id": "a", "label": "A: the first"}, {"id": "b"}]),
        turn("ask_text", title="Why?"),
        turn("confirm_command", command="rm -rf build"),
        turn("ask_yesno", title="Really?"),
        turn("notify", title="Built", body="in 3 minutes"),
        turn("ask_yesno", titel="?"),
    ]
    with claude.tui() as tui:
        tui.say("please SCN:mcp")
        first = desk.wait_request(title="Deploy?")
        assert (first["agent"], first["kind"], first["unsafe"]) == ("claude-code", "yesno", True)
        assert first["surface_id"] == "%0"
        assert first["cwd"] == str(claude.project)
        tui.wait_for("waiting for the person: Deploy?")
        reply(desk, first, behavior="allow", value="no")
        reply(desk, desk.wait_request(title="Which?"), behavior="allow", value="a")
        reply(desk, desk.wait_request(title="Why?"), behavior="allow", value="so, and\nso")
        command = desk.wait_request(kind="confirm-command")
        assert command["input"][0]["value"] == "rm -rf build"
        assert reply(desk, command, behavior="allow", step="ack")["state"] == "pending"
        reply(desk, command, behavior="allow", step="run")
        reply(desk, desk.wait_request(title="Really?"), behavior="deny", message="not on a Friday")
        tui.wait_for("DONE mcp")
        shown = [result(fake_model, "mcp", nth) for nth in range(1, 7)]
        assert [(one["status"], one.get("value")) for one in shown] == [
            ("answered", "no"),
            ("answered", "a"),
            ("answered", "so, and\nso"),
            ("answered", "run"),
            ("cancelled", None),
            ("told", None),
        ]
        assert "has not been run" in shown[3]["message"]
        assert shown[4]["reason"] == "not on a Friday"
        assert "Nothing was decided" in shown[4]["message"]
        wrong = told.result(fake_model, "mcp", 7)
        assert wrong["is_error"]
        assert "title" in wrong["text"]
        # Neither the hook nor the terminal asked whether these may be asked.
        assert len(desk.requests()) == 5
        assert {request["kind"] for request in desk.requests()} == {
            "yesno",
            "choice",
            "text",
            "confirm-command",
        }
        fake_model.scripts["stopped"] = [turn("ask_yesno", title="Stopped?")]
        tui.say("please SCN:stopped")
        stopped = desk.wait_request(title="Stopped?")
        tui.keys("Escape")
        desk.wait_state(stopped, "withdrawn")
        fake_model.scripts["left"] = [turn("ask_yesno", title="Left?")]
        tui.say("please SCN:left")
        left = desk.wait_request(title="Left?")
    desk.wait_state(left, "withdrawn")


def test_a_person_who_takes_long_is_waited_for_again(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, installed: dict[str, str]
) -> None:
    fake_model.scripts["long"] = [
        turn("ask_yesno", title="Deploy?"),
        turn("ask_wait", request_id="{REQUEST}"),
    ]
    with claude.tui(env={"MCP_TOOL_TIMEOUT": "2500"}) as tui:
        tui.say("please SCN:long")
        request = desk.wait_request(title="Deploy?")
        fake_model.variables["REQUEST"] = request["id"]
        pending = result(fake_model, "long")
        assert pending == {
            "status": "pending",
            "pending": True,
            "request_id": request["id"],
            "message": pending["message"],
        }
        assert "has not answered yet" in pending["message"]
        tui.wait_for("waiting for the person")
        reply(desk, request, behavior="allow", value="yes")
        tui.wait_for("DONE long")
        assert result(fake_model, "long", 2)["value"] == "yes"
        assert len(desk.requests()) == 1
        desk.wait_state(request, "delivered")


def test_an_interrupted_wait_leaves_the_question_to_the_next(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, installed: dict[str, str]
) -> None:
    fake_model.scripts["waits"] = [
        turn("ask_yesno", title="Deploy?"),
        turn("ask_wait", request_id="{REQUEST}"),
    ]
    fake_model.scripts["again"] = [turn("ask_wait", request_id="{REQUEST}")]
    with claude.tui(env={"MCP_TOOL_TIMEOUT": "8000"}) as tui:
        tui.say("please SCN:waits")
        request = desk.wait_request(title="Deploy?")
        fake_model.variables["REQUEST"] = request["id"]
        assert result(fake_model, "waits")["status"] == "pending"
        tui.wait_for("waiting for the person")
        tui.keys("Escape")
        tui.wait_for("Interrupted")
        tui.say("please SCN:again")
        tui.wait_for("waiting for the person")
        reply(desk, request, behavior="allow", value="yes")
        tui.wait_for("DONE again")
        assert "withdrawn" not in desk.stream.states[request["id"]]
        assert told.results(fake_model, "again")[-1]["text"].count("answered: yes")


def test_uninstalling_takes_back_both(desk: Desk, claude: Claude, installed: dict[str, str]) -> None:
    settings, memory = claude.home / ".claude/settings.json", claude.home / ".claude.json"
    assert "sayso" in json.loads(memory.read_text())["mcpServers"]
    assert json.loads(settings.read_text())["permissions"]["allow"]
    assert "already" in desk.run("install", "claude-code", "--mcp", env=installed)
    assert "no longer knows the server" in desk.run("uninstall", "claude-code", env=installed)
    assert json.loads(memory.read_text())["mcpServers"] == {}
    assert not settings.exists()
