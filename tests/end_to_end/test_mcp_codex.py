"""The tools of `sayso mcp` in the real Codex, made known to it as docs/howto/mcp.md says."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk, Json
    from tests.lab.codex import Codex
    from tests.lab.fake_openai import FakeOpenAI

pytestmark = pytest.mark.end_to_end

WAIT_S = 15.0
SERVER = """
[mcp_servers.sayso]
command = {command}
args = ["-m", "sayso", "mcp", "--limit", "{limit_s}"]
tool_timeout_sec = 600
env = {{ SAYSO_HOME = {home} }}
"""


def add(codex: Codex, desk: Desk) -> None:
    """Make the server known by Codex's own command."""
    server = [sys.executable, "-m", "sayso", "mcp"]
    words = ["mcp", "add", "--env", f"SAYSO_HOME={desk.env['SAYSO_HOME']}", "sayso", "--", *server]
    done = subprocess.run(
        [str(codex.binary), *words], env=codex.env(), capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0, done


def configure(codex: Codex, desk: Desk, limit_s: float) -> None:
    """Write the server into Codex's configuration."""
    words = {"command": json.dumps(sys.executable), "home": json.dumps(desk.env["SAYSO_HOME"])}
    with codex.config.open("a") as config:
        config.write(SERVER.format(limit_s=limit_s, **words))


def turn(tool: str, **arguments: Any) -> list[Json]:
    return [{"tool": tool, "namespace": "mcp__sayso", "input": arguments}]


def reply(desk: Desk, request: Json, **reply: Any) -> None:
    with desk.connect() as client:
        client.call("desk.answer", {"id": request["id"], "reply": reply})


def results(model: FakeOpenAI, scenario: str, count: int) -> list[Json]:
    """Wait until the model was told so many results, and return them."""
    end = time.monotonic() + WAIT_S
    while len(found := model.results(scenario)) < count:
        assert time.monotonic() < end, f"only {found} were told"
        time.sleep(0.02)
    return [json.loads(text) for text in found]


def test_every_tool_is_one_card_and_codex_asks_for_no_approval(
    desk: Desk, codex: Codex, model: FakeOpenAI
) -> None:
    model.scripts["mcp"] = [
        turn("ask_yesno", title="Deploy?"),
        turn("ask_choice", title="Which?", choices=[{"id": "a", "label": "A: the first"}, {"id": "b"}]),
        turn("ask_text", title="Why?"),
        turn("confirm_command", command="rm -rf build", unsafe=True),
        turn("ask_yesno", title="Really?"),
        turn("notify", title="Built"),
    ]
    add(codex, desk)
    with codex.tui() as tui:
        tui.say("please SCN:mcp")
        first = desk.wait_request(title="Deploy?")
        assert (first["agent"], first["label"]) == ("codex", "Codex")
        reply(desk, first, behavior="allow", value="yes")
        reply(desk, desk.wait_request(title="Which?"), behavior="allow", value="b")
        reply(desk, desk.wait_request(title="Why?"), behavior="allow", value="")
        command = desk.wait_request(kind="confirm-command")
        reply(desk, command, behavior="allow", step="ack")
        reply(desk, command, behavior="allow", step="run")
        reply(desk, desk.wait_request(title="Really?"), behavior="deny", message="not on a Friday")
        tui.wait_for("DONE mcp")
        shown = results(model, "mcp", 6)
        assert [(one["status"], one.get("value")) for one in shown] == [
            ("answered", "yes"),
            ("answered", "b"),
            ("answered", ""),
            ("answered", "run"),
            ("cancelled", None),
            ("told", None),
        ]
        assert shown[4]["reason"] == "not on a Friday"
        assert len(desk.requests()) == 5

        model.scripts["stopped"] = [turn("ask_yesno", title="Stopped?")]
        tui.say("please SCN:stopped")
        stopped = desk.wait_request(title="Stopped?")
        tui.wait_for("esc to interrupt")
        tui.keys("Escape")
        desk.wait_state(stopped, "withdrawn")
        model.scripts["left"] = [turn("ask_yesno", title="Left?")]
        tui.say("please SCN:left")
        left = desk.wait_request(title="Left?")
    desk.wait_state(left, "withdrawn")


def test_a_person_who_takes_long_is_waited_for_again(desk: Desk, codex: Codex, model: FakeOpenAI) -> None:
    model.scripts["long"] = [turn("ask_yesno", title="Deploy?"), turn("ask_wait", request_id="{REQUEST}")]
    configure(codex, desk, 1.5)
    with codex.tui() as tui:
        tui.say("please SCN:long")
        request = desk.wait_request(title="Deploy?")
        model.variables["REQUEST"] = request["id"]
        (pending,) = results(model, "long", 1)
        assert (pending["status"], pending["request_id"]) == ("pending", request["id"])
        assert "has not answered yet" in pending["message"]
        reply(desk, request, behavior="allow", value="yes")
        tui.wait_for("DONE long")
        assert results(model, "long", 2)[1]["value"] == "yes"
        assert len(desk.requests()) == 1


def test_an_interrupted_wait_leaves_the_question_to_the_next(
    desk: Desk, codex: Codex, model: FakeOpenAI
) -> None:
    model.scripts["waits"] = [turn("ask_yesno", title="Deploy?"), turn("ask_wait", request_id="{REQUEST}")]
    model.scripts["again"] = [turn("ask_wait", request_id="{REQUEST}")]
    configure(codex, desk, 4)
    with codex.tui() as tui:
        tui.say("please SCN:waits")
        request = desk.wait_request(title="Deploy?")
        model.variables["REQUEST"] = request["id"]
        assert results(model, "waits", 1)[0]["status"] == "pending"
        tui.wait_for("ask_wait")
        tui.keys("Escape")
        tui.wait_for("interrupted")
        tui.say("please SCN:again")
        reply(desk, request, behavior="allow", value="yes")
        tui.wait_for("DONE again")
        assert "withdrawn" not in desk.stream.states[request["id"]]
