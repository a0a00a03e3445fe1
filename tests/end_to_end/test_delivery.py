"""An answer on its way: given, handed over, obeyed, or lost; each is told as what it is."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.hooks import waiting_hooks
from tests.end_to_end.terminal import DIALOG, choose

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end


def test_case_01_an_answer_that_is_stuck_on_its_way_is_lost_until_it_arrives(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        (hook,) = waiting_hooks(desk)
        os.kill(hook, signal.SIGSTOP)
        assert "Not handed over yet" in desk.allow(request, code=5)
        desk.wait_state(request, "lost")
        assert not claude.made("touched")
        tui.wait_for(DIALOG)
        assert "lost" in desk.run("show", request["id"]).lower()
        os.kill(hook, signal.SIGCONT)
        desk.wait_state(request, "confirmed")
        assert desk.states(request) == ["pending", "answered", "lost", "delivered", "confirmed"]
        tui.wait_for("DONE bash")


def test_case_01_an_answer_whose_hook_dies_is_lost_and_the_terminal_decides(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        tui.wait_for(DIALOG)
        (hook,) = waiting_hooks(desk)
        os.kill(hook, signal.SIGSTOP)
        desk.allow(request, code=5)
        os.kill(hook, signal.SIGKILL)
        lost = desk.wait_state(request, "lost")
        assert lost["reason"] == "hook_gone"
        assert "lost" in desk.run("show", request["id"]).lower()
        tui.wait_for(DIALOG)
        choose(tui, "No")
        tui.wait_for(DIALOG, gone=True)
        assert desk.states(request) == ["pending", "answered", "lost"]
        assert not claude.made("touched")


def test_case_07_a_hook_that_was_killed_takes_its_card_along_and_the_terminal_still_asks(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_slow")
        request = desk.wait_request()
        tui.wait_for(DIALOG)
        (hook,) = waiting_hooks(desk)
        os.kill(hook, signal.SIGKILL)
        desk.wait_state(request, "withdrawn")
        desk.wait_session("idle", request["session_id"])  # as after a No; here it is wrong…
        choose(tui, "Yes")
        desk.wait_session("working", request["session_id"])  # …and corrected by what comes next
        tui.wait_for("DONE bash_slow")
        desk.wait_session("idle", request["session_id"])
        assert claude.made("touched")
        assert desk.states(request) == ["pending", "withdrawn"]


def test_escape_while_an_allowed_command_runs_is_never_shown_as_done(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_slow")
        request = desk.wait_request()
        desk.allow(request)
        tui.wait_for(DIALOG, gone=True)
        tui.keys("Escape")
        tui.wait_for("Interrupted")
        # Claude Code tells nobody. What is shown is what is known: it was handed over.
        tui.say("again SCN:hello")
        desk.wait_state(request, "unconfirmed")
        tui.wait_for("DONE hello")
        desk.wait_session("idle", request["session_id"])
        assert desk.states(request) == ["pending", "answered", "delivered", "unconfirmed"]
    assert not claude.made("touched")
