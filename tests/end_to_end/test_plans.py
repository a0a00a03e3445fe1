"""Plans approved, edited and sent back from outside the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.terminal import PLAN, choose

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.desk import Desk, Json
    from tests.lab.claude import Claude, ClaudeTui
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end

PLAN_RESULT = 2  # the tool results: the plan's file is written, the plan is approved, …


def present(desk: Desk, tui: ClaudeTui) -> Json:
    """Have the agent present its plan; return the request."""
    tui.say("please SCN:plan")
    request = desk.wait_request(kind="plan")
    assert request["modes"] == ["default", "acceptEdits", "auto"]
    assert "Write a file" in request["input"][0]["value"]
    tui.wait_for(PLAN)
    return request


def test_case_23_24_a_plan_approved_as_it_is_asks_before_edits(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        request = present(desk, tui)
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        assert "approved" in told.result(fake_model, "plan", PLAN_RESULT)["text"]
        write = desk.wait_request(tool="Write")
        assert write["mode"] == "default"
        tui.wait_for("Do you want to")
        assert not claude.made("after_plan.txt")
        desk.allow(write)
        tui.wait_for("DONE plan")
        assert claude.made("after_plan.txt")


def test_case_24_a_plan_approved_with_accepted_edits_asks_no_more(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        request = present(desk, tui)
        desk.allow(request, "--mode", "acceptEdits")
        tui.wait_for("DONE plan")
        desk.wait_state(request, "confirmed")
        assert claude.made("after_plan.txt")
        tui.wait_for("accept edits on")
        assert len(desk.requests()) == 1


def test_case_24_a_plan_approved_with_auto_mode_leaves_plan_mode_for_it(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        request = present(desk, tui)
        desk.allow(request, "--mode", "auto")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE plan")
        tui.wait_for("auto mode on")


def test_a_plan_that_was_edited_is_followed_in_its_new_form(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, root: Path
) -> None:
    edited = root / "plan.md"
    edited.write_text('# Plan\n\n1. Write "another" file: größer.\n')
    with claude.tui(desk.hooks(), mode="plan") as tui:
        request = present(desk, tui)
        desk.allow(request, "--plan-file", str(edited))
        desk.wait_state(request, "confirmed")
        text = told.result(fake_model, "plan", PLAN_RESULT)["text"]
        assert "edited by user" in text
        assert edited.read_text().strip() in text


def test_a_plan_sent_back_stays_a_plan_and_the_model_reads_why_word_for_word(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    why = 'Name the file otherwise:\n- not "after"\n- but `before`'
    with claude.tui(desk.hooks(), mode="plan") as tui:
        request = present(desk, tui)
        desk.answer(request, "--text", why)
        desk.wait_state(request, "confirmed")
        result = told.result(fake_model, "plan", PLAN_RESULT)
        assert result == {"text": why, "is_error": True}
        # Its next dialog soon covers what the screen says of the mode; its next request tells it.
        assert desk.wait_request(tool="Write")["mode"] == "plan"
        assert not claude.made("after_plan.txt")


def test_case_24_a_plan_without_a_text_is_not_offered(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    fake_model.scripts["blank"] = [[{"tool": "ExitPlanMode", "input": {}}]]
    with claude.tui(desk.hooks(), mode="plan") as tui:
        tui.say("please SCN:blank")
        tui.wait_for("Exit plan mode?")
        desk.wait_for(lambda: desk.requests(state="deferred") or None, "notice")
        (notice,) = desk.requests()
        assert desk.states(notice) == ["deferred"]
        assert notice["reason"] == "not_showable"
        desk.allow(notice, code=6)
        choose(tui, "Yes")  # the terminal's own dialog works as ever
        tui.wait_for("DONE blank")
        desk.wait_for(lambda: None if desk.requests(notice=True) else True, "end of the notice")
