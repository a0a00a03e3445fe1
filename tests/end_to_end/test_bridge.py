"""The real agents and the interaction bridge: their hooks speak document 004, and so does who answers.

Hooks are shell commands around curl, with an ask-only token in their address, as programs of others put
them into agents' settings; or plain `http` hooks. Not here: each route by itself.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests import hook_command
from tests.end_to_end import told
from tests.end_to_end.codex_hooked import PROMPT, Hooked
from tests.end_to_end.terminal import DIALOG, choose
from tests.lab.codex import CodexTui
from tests.lab.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.codex import Codex
    from tests.lab.fake_anthropic import FakeAnthropic
    from tests.lab.fake_openai import FakeOpenAI

pytestmark = pytest.mark.end_to_end

Json = dict[str, Any]
STREAM = "/agents/interaction/stream"
WAIT_S = 20.0
ALLOW: Json = {"decision": "allow_once"}


class Reader:
    """A program that shows what is asked over the bridge and lets a person answer it there."""

    def __init__(self, http: httpx.Client, lines: Iterator[str]) -> None:
        self._http = http
        self._lines = lines

    def next(self, name: str) -> Json:
        """Return what the next event of this name holds."""
        found = ""
        for line in self._lines:
            if line.startswith("event: "):
                found = line.removeprefix("event: ")
            elif line.startswith("data: ") and found == name:
                data: Json = json.loads(line.removeprefix("data: "))
                return data
        raise EOFError(f"the stream ended without {name}")

    def respond(self, alert: Json, response: Json) -> Json:
        body = {"id": alert["interaction"]["id"], "response": response}
        done = self._http.post("/agents/interaction/respond", json=body)
        assert done.status_code == 200, done.text
        request: Json = done.json()["request"]
        return request

    def attention(self) -> dict[str, str]:
        state = self._http.get("/desktop-state").json()
        return {one["sessionId"]: one["attention"] for one in state["sessions"]}


class Bridge:
    """The bridge of a desk: its address, and tokens for it."""

    def __init__(self, desk: Desk, root: Path) -> None:
        self._desk = desk
        with desk.connect() as client:
            self.url: str = client.call("desk.health", {})["http"]
        self._endpoint = root / "endpoint.txt"

    def token(self, name: str, power: str) -> str:
        return self._desk.run("token", "create", name, "--power", power).splitlines()[0]

    def env(self, session: str = "mine") -> dict[str, str]:
        """Return what hook commands need of their environment."""
        self._endpoint.write_text(
            self.url.replace("http://", f"http://:{self.token('hooks', 'ask')}@") + "\n"
        )
        return {hook_command.ENDPOINT: str(self._endpoint), hook_command.SESSION: session}

    @contextlib.contextmanager
    def reader(self) -> Iterator[Reader]:
        headers = {"Authorization": f"Bearer {self.token('reader', 'answer')}"}
        with (
            httpx.Client(base_url=self.url, headers=headers, trust_env=False, timeout=WAIT_S) as http,
            http.stream("GET", STREAM) as response,
        ):
            reader = Reader(http, response.iter_lines())
            reader.next("ready")
            yield reader


@pytest.fixture
def bridge(desk: Desk, root: Path) -> Bridge:
    return Bridge(desk, root)


def test_a_hook_of_document_004_is_answered_by_a_reader_and_by_any_channel(
    bridge: Bridge, desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with (
        claude.tui(hook_command.settings("claude"), env=bridge.env()) as tui,
        bridge.reader() as reader,
    ):
        tui.say("please SCN:bash")
        alert = reader.next("interaction")
        assert (alert["sessionId"], alert["type"]) == ("mine", "permission")
        assert alert["summary"].startswith("Bash: touch")
        assert reader.attention() == {"mine": "needs_response"}
        assert reader.respond(alert, ALLOW)["status"] == "resolved"
        tui.wait_for("DONE bash")
        assert claude.made("touched")

        tui.say("again SCN:write")
        reader.next("interaction")
        request = desk.wait_request(tool="Write")
        desk.deny(request, "-m", "not there")
        tui.wait_for("DONE write")
        assert "not there" in told.result(fake_model, "write", 2)["text"]
        desk.wait_state(request, "unconfirmed")
        assert reader.attention() == {"mine": "normal"}


def test_without_a_reader_the_terminal_asks_at_once_and_its_answer_counts(
    bridge: Bridge, desk: Desk, claude: Claude
) -> None:
    with claude.tui(hook_command.settings("claude"), env=bridge.env()) as tui:
        tui.say("please SCN:bash")
        choose(tui, "Yes")
        tui.wait_for("DONE bash")
    assert claude.made("touched")
    assert desk.requests(state="pending") == []


def test_the_terminal_answers_first_and_the_card_goes(bridge: Bridge, desk: Desk, claude: Claude) -> None:
    with (
        claude.tui(hook_command.settings("claude"), env=bridge.env()) as tui,
        bridge.reader() as reader,
    ):
        tui.say("please SCN:bash")
        alert = reader.next("interaction")
        tui.wait_for(DIALOG)
        choose(tui, "Yes")
        tui.wait_for("DONE bash")
        gone = reader.next("withdrawn")["request"]
    assert gone["id"] == alert["id"]
    # The agent ends the shell of its hook, and curl may outlive that: then it is the turn's end that tells.
    assert gone["reason"] in ("caller_gone", "stopped")
    assert claude.made("touched")


def test_a_plain_http_hook_is_answered(bridge: Bridge, claude: Claude) -> None:
    hook = {
        "type": "http",
        "url": f"{bridge.url}/hooks/claude?session=plain",
        "headers": {"Authorization": "Bearer $BRIDGE_TOKEN"},
        "allowedEnvVars": ["BRIDGE_TOKEN"],
        "timeout": 120,
    }
    settings = {"hooks": {"PermissionRequest": [{"hooks": [hook]}]}}
    env = {"BRIDGE_TOKEN": bridge.token("plain", "ask")}
    with claude.tui(settings, env=env) as tui, bridge.reader() as reader:
        tui.say("please SCN:bash")
        alert = reader.next("interaction")
        assert alert["sessionId"] == "plain"
        reader.respond(alert, ALLOW)
        tui.wait_for("DONE bash")
    assert claude.made("touched")


def test_a_hook_that_asks_by_the_plain_route_is_answered(bridge: Bridge, claude: Claude, root: Path) -> None:
    """A program of one's own in between: it asks, and turns what comes back into the agent's words."""
    between = root / "between.sh"
    ask = '{"session":"own","type":"permission","payload":{"toolName":"Bash"},"summary":"Touch it?"}'
    line = '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'
    between.write_text(
        "#!/bin/sh\ncat >/dev/null\n"
        f"IFS= read -r endpoint <${hook_command.ENDPOINT}\n"
        f"answer=$(curl --silent --fail --max-time 120 -H 'content-type: application/json' -d '{ask}' "
        '"$endpoint/agents/interaction/request") || exit 0\n'
        f"case $answer in *'\"decision\":\"allow'*) echo '{line}';; esac\n"
    )
    hook = {"type": "command", "command": f"sh {between}", "timeout": 120}
    settings = {"hooks": {"PermissionRequest": [{"hooks": [hook]}]}}
    with claude.tui(settings, env=bridge.env()) as tui, bridge.reader() as reader:
        tui.say("please SCN:bash")
        alert = reader.next("interaction")
        assert (alert["sessionId"], alert["summary"]) == ("own", "Touch it?")
        reader.respond(alert, ALLOW)
        tui.wait_for("DONE bash")
    assert claude.made("touched")


def test_what_sayso_s_own_hook_asks_is_seen_and_answered_over_the_bridge(
    bridge: Bridge, desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui, bridge.reader() as reader:
        tui.say("please SCN:bash")
        alert = reader.next("interaction")
        request = desk.wait_request()
        assert request["id"] == alert["id"]
        reader.respond(alert, ALLOW)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")

        tui.say("again SCN:ask_one")
        alert = reader.next("interaction")
        assert alert["type"] == "question"
        asked = desk.wait_request(kind="question")
        label = asked["questions"][0]["options"][0]["label"]
        assert reader.respond(alert, {"selection": label})["response"]["selection"] == label
        desk.wait_state(asked, "confirmed")
        tui.wait_for("DONE ask_one")
    assert claude.made("touched")


def test_codex_asks_over_http_where_that_was_chosen(
    bridge: Bridge, desk: Desk, codex: Codex, model: FakeOpenAI
) -> None:
    hooked = Hooked(desk, codex, model)
    hooked.hooks.write_text(json.dumps(hook_command.settings("codex", telling=())))
    with codex_with_hooks(codex, bridge.env("codex-1")) as tui, bridge.reader() as reader:
        tui.say(hooked.play("off"))
        tui.wait_for(PROMPT)  # it was not chosen: its own prompt is there at once
        tui.keys("y")
        tui.wait_for("DONE off")

        desk.run("settings", "codex_approvals", "on")
        tui.say(hooked.play("allowed"))
        alert = reader.next("interaction")
        assert (alert["sessionId"], alert["type"]) == ("codex-1", "permission")
        assert PROMPT not in tui.screen()
        reader.respond(alert, ALLOW)
        tui.wait_for("DONE allowed")
        assert hooked.path("allowed").exists()

        tui.say(hooked.play("denied"))
        reader.respond(reader.next("interaction"), {"decision": "deny", "reason": "use git mv"})
        tui.wait_for("DONE denied")
        assert "use git mv" in hooked.model.results("denied")[-1]
        assert not hooked.path("denied").exists()


def codex_with_hooks(codex: Codex, env: dict[str, str]) -> Terminal:
    """Start Codex with whatever hooks stand in its home, as programs of others do."""
    words = [str(codex.binary), "--no-daemon", "-c", "features.hooks=true", "--dangerously-bypass-hook-trust"]
    return Terminal(words, codex.project, {**codex.env(), **env}, CodexTui.READY)
