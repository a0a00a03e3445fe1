"""Background subagents: the terminal shows no dialog while their hook waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.terminal import DIALOG, choose

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


def test_case_28_a_subagents_request_is_held_while_somebody_watches(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        request = desk.wait_request(tool="Bash")
        assert request["agent_id"]
        assert request["hold"] == "exclusive"
        # The end of the main agent's turn leaves it alone.
        tui.wait_for("DONE subagent")
        desk.wait_session("idle", request["session_id"])
        assert DIALOG not in tui.screen()
        assert desk.states(request) == ["pending"]
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        assert not told.result(fake_model, "bash")["is_error"]
        assert claude.made("touched")


def test_a_subagents_request_that_nobody_watches_is_asked_in_the_terminal_at_once(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        tui.wait_for(DIALOG)
        desk.wait_for(lambda: desk.requests(state="deferred") or None, "notice")
        (notice,) = desk.requests()
        assert notice["reason"] == "nobody_watching"
        assert notice["notice"]
        choose(tui, "Yes")
        desk.wait_for(lambda: None if desk.requests(notice=True) else True, "end of the notice")
        assert claude.made("touched")


def test_a_subagents_request_goes_to_the_terminal_when_the_last_watcher_leaves(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        with desk.somebody_watching():
            tui.say("please SCN:subagent")
            request = desk.wait_request(tool="Bash")
            tui.wait_for("DONE subagent")
            assert DIALOG not in tui.screen()
        released = desk.wait_state(request, "released")
        assert released["reason"] == "nobody_watching"
        tui.wait_for(DIALOG)
        choose(tui, "Yes")
        desk.wait_for(lambda: None if desk.requests(notice=True) else True, "end of the notice")
        assert desk.states(request) == ["pending", "released"]
        assert claude.made("touched")


def test_a_subagents_request_can_be_given_back_to_the_terminal(desk: Desk, claude: Claude) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        request = desk.wait_request(tool="Bash")
        desk.run("release", request["id"])
        assert desk.wait_state(request, "released")["reason"] == "by_hand"
        tui.wait_for(DIALOG)


def test_a_denied_subagent_reads_why(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        request = desk.wait_request(tool="Bash")
        desk.deny(request, "-m", "Not now.")
        desk.wait_state(request, "confirmed")
        assert told.result(fake_model, "bash") == {"text": "Not now.", "is_error": True}
    assert not claude.made("touched")


def test_ctrl_c_at_a_subagent_withdraws_its_card(desk: Desk, claude: Claude) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        request = desk.wait_request(tool="Bash")
        tui.wait_for("Waiting for 1 background agent")
        tui.keys("C-c")
        desk.wait_state(request, "withdrawn")
        desk.wait_session("idle", request["session_id"])
