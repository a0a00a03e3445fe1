"""A program of its own answers Claude Code's hooks: over HTTP, and by the command that forwards them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from sayso.hook_server import BadReply, Ending
from sayso.hook_server.blocking import HookEvent, HookServer
from tests.end_to_end import told
from tests.end_to_end.terminal import DIALOG, PLAN, choose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

    Hooked = Callable[..., "Program"]

pytestmark = pytest.mark.end_to_end

Json = dict[str, Any]
EVENTS = ("PreToolUse", "PermissionRequest")
WAYS = ("http", "command")
WAIT_S = 20.0
TROUBLE = re.compile(r"hook (error|failed)|ECONN|Unauthorized|timed out", re.IGNORECASE)
WHY = "Not there: use\n\"other\", i.e. 'ünder' $HOME; and <b>no</b> more."

every_way = pytest.mark.parametrize("way", WAYS)
every_event = pytest.mark.parametrize("event", EVENTS)


class Program:
    """A program with a hook server, and what stands in the agent's settings for it."""

    def __init__(self, server: HookServer, way: str, event: str) -> None:
        self.server = server
        self.env = {"HOOK_TOKEN": server.token}
        self.settings: Json = {"hooks": {event: [{"hooks": [self._hook(way)]}]}}

    def _hook(self, way: str) -> Json:
        if way == "command":
            program, *arguments = self.server.command()
            return {"type": "command", "command": program, "args": arguments, "timeout": 60}
        return {
            "type": "http",
            "url": self.server.endpoint,
            "headers": {"Authorization": "Bearer $HOOK_TOKEN"},
            "allowedEnvVars": ["HOOK_TOKEN"],
            "timeout": 60,
        }

    def event(self, tool: str) -> HookEvent:
        """Wait for the hook of a tool; nothing is decided of what comes before."""
        while (event := self.server.next_event(WAIT_S)) is not None:
            if event.tool == tool:
                return event
            event.drop()
        raise TimeoutError(f"no hook of {tool} came")


@pytest.fixture
def hooked(root: Path) -> Iterator[Hooked]:
    servers: list[HookServer] = []

    def start(way: str, event: str, **options: Any) -> Program:
        server = HookServer(url_file=root / "hooks" / "url", **options)
        server.start()
        servers.append(server)
        return Program(server, way, event)

    yield start
    for server in servers:
        server.stop()


@every_way
@every_event
def test_what_it_allows_runs(hooked: Hooked, claude: Claude, way: str, event: str) -> None:
    program = hooked(way, event)
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:bash")
        asked = program.event("Bash")
        assert (asked.type, asked.cwd) == (event, str(claude.project))
        assert asked.args["command"] == f"touch {claude.project}/touched"
        assert asked.session_id
        assert asked.allow()
        screen = tui.wait_for("DONE bash")
        assert claude.made("touched")
        assert not TROUBLE.search(screen)


@every_way
@every_event
def test_what_it_denies_does_not_and_the_model_reads_why(
    hooked: Hooked, claude: Claude, fake_model: FakeAnthropic, way: str, event: str
) -> None:
    program = hooked(way, event)
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:bash")
        assert program.event("Bash").deny(WHY)
        tui.wait_for("DONE bash")
    found = told.result(fake_model, "bash")
    assert found["is_error"]
    before = "PreToolUse:Bash hook error: " if event == "PreToolUse" else ""
    assert found["text"] == before + WHY
    assert not claude.made("touched")


@every_way
@every_event
def test_where_it_decides_nothing_the_terminal_asks(
    hooked: Hooked, claude: Claude, way: str, event: str
) -> None:
    program = hooked(way, event)
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:bash")
        asked = program.event("Bash")
        asked.drop()
        tui.wait_for(DIALOG)
        assert not claude.made("touched")
        choose(tui, "Yes")
        screen = tui.wait_for("DONE bash")
        assert claude.made("touched")
        assert not TROUBLE.search(screen)


@every_way
@every_event
def test_when_it_is_stopped_meanwhile_the_terminal_asks(
    hooked: Hooked, claude: Claude, way: str, event: str
) -> None:
    program = hooked(way, event)
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:bash")
        asked = program.event("Bash")
        program.server.stop()
        assert asked.ending is Ending.STOPPED
        tui.wait_for(DIALOG)
        choose(tui, "Yes")
        screen = tui.wait_for("DONE bash")
        assert claude.made("touched")
        assert not TROUBLE.search(screen)


@every_way
@every_event
def test_an_agent_that_is_killed_asks_no_more(hooked: Hooked, claude: Claude, way: str, event: str) -> None:
    program = hooked(way, event)
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:bash")
        asked = program.event("Bash")
        assert not asked.over
        tui.kill()
        assert asked.wait_gone(1.0) is Ending.GONE
        assert not asked.allow()
    assert not claude.made("touched")


@every_way
def test_what_the_terminal_turns_down_is_over(hooked: Hooked, claude: Claude, way: str) -> None:
    program = hooked(way, "PermissionRequest")
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:bash")
        asked = program.event("Bash")
        tui.wait_for(DIALOG)
        tui.keys("Escape")
        assert asked.wait_gone(WAIT_S) is Ending.GONE


@every_event
def test_a_server_that_was_started_anew_is_found_without_new_settings(
    hooked: Hooked, claude: Claude, event: str
) -> None:
    program = hooked("command", event)
    with claude.tui(program.settings, env=program.env) as tui:
        program.server.stop()
        tui.say("please SCN:bash")
        tui.wait_for(DIALOG)  # nobody is there, and nothing is said of it
        choose(tui, "Yes")
        assert not TROUBLE.search(tui.wait_for("DONE bash"))
        program.server.start()
        tui.say("and SCN:write")
        assert program.event("Write").allow()
        tui.wait_for("DONE write")
        assert claude.made("written.txt")


@every_way
@every_event
def test_case_17_a_question_is_never_allowed(hooked: Hooked, claude: Claude, way: str, event: str) -> None:
    program = hooked(way, event)
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:ask_one")
        asked = program.event("AskUserQuestion")
        assert not asked.can_allow
        with pytest.raises(BadReply):
            asked.allow()
        assert not asked.over
        asked.drop()
        tui.wait_for("Which colour")
        tui.wait_for("Blue")


@every_way
@every_event
def test_case_23_an_allowed_plan_leaves_plan_mode(
    hooked: Hooked, claude: Claude, way: str, event: str
) -> None:
    program = hooked(way, event)
    with claude.tui(program.settings, mode="plan", env=program.env) as tui:
        tui.say("please SCN:plan")
        assert program.event("ExitPlanMode").allow()
        asked = program.event("Write")
        assert asked.payload["permission_mode"] == "default"
        asked.allow()
        tui.wait_for("DONE plan")
        assert claude.made("after_plan.txt")


@every_way
def test_a_plan_it_decides_nothing_of_is_shown(hooked: Hooked, claude: Claude, way: str) -> None:
    program = hooked(way, "PermissionRequest")
    with claude.tui(program.settings, mode="plan", env=program.env) as tui:
        tui.say("please SCN:plan")
        program.event("ExitPlanMode").drop()
        tui.wait_for(PLAN)


@every_way
@pytest.mark.parametrize("allow", [True, False])
def test_the_old_format_is_still_understood(
    hooked: Hooked, claude: Claude, fake_model: FakeAnthropic, way: str, allow: bool
) -> None:
    program = hooked(way, "PreToolUse", legacy=True)
    with claude.tui(program.settings, env=program.env) as tui:
        tui.say("please SCN:bash")
        asked = program.event("Bash")
        assert asked.allow() if allow else asked.deny(WHY)
        tui.wait_for("DONE bash")
    assert claude.made("touched") is allow
    assert told.result(fake_model, "bash")["is_error"] is not allow
