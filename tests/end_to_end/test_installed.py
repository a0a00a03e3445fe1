"""Hooks that `sayso install` put into the user's own settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.terminal import DIALOG, choose

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end

MINE = '{\n\t"model" : "opus",  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}\n'


def test_installed_hooks_work_in_a_session_that_runs_and_leave_the_file_as_it_was(
    desk: Desk, claude: Claude
) -> None:
    path = claude.write_settings({})
    path.write_text(MINE)
    env = {**desk.env, "HOME": str(claude.home)}
    with claude.tui(None) as tui:
        tui.say("hello SCN:hello")
        tui.wait_for("DONE hello")
        desk.run("install", "claude-code", env=env)
        assert json.loads(path.read_text())["model"] == "opus"
        tui.say("please SCN:bash")
        request = desk.wait_request()
        tui.wait_for(DIALOG)
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")
        desk.run("uninstall", "claude-code", env=env)
        assert path.read_text() == MINE
        tui.say("now SCN:write")
        choose(tui, "Yes")
        tui.wait_for("DONE write")
        assert len(desk.requests()) == 1
