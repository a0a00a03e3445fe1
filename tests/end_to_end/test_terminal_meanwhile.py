"""What else a person does at the terminal while a request waits here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.hooks import wait_no_hooks
from tests.end_to_end.terminal import DIALOG, PLAN, choose
from tests.end_to_end.web import WITHOUT_PREFLIGHT, trusting

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic
    from tests.lab.pages import Pages

pytestmark = pytest.mark.end_to_end

ALLOW = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}


@pytest.mark.parametrize(
    ("scenario", "mode", "dialog"),
    [("ask_one", "manual", "Which colour do you want?"), ("plan", "plan", PLAN)],
)
def test_escape_at_a_question_and_at_a_plan_withdraws_the_card(
    scenario: str, mode: str, dialog: str, desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks(), mode=mode) as tui:
        tui.say(f"please SCN:{scenario}")
        request = desk.wait_request()
        tui.wait_for(dialog)
        tui.keys("Escape")
        desk.wait_state(request, "withdrawn")
        desk.wait_session("idle", request["session_id"])


def test_escape_withdraws_all_cards_of_the_turn(desk: Desk, claude: Claude, pages: Pages) -> None:
    with claude.tui(desk.hooks(**WITHOUT_PREFLIGHT), env=trusting(pages)) as tui:
        tui.say("please SCN:four_fetches")
        desk.wait_request(4)
        tui.wait_for("1 of 4")
        tui.keys("Escape")
        for request in desk.requests():
            desk.wait_state(request, "withdrawn")
        wait_no_hooks(desk)
        desk.wait_session("idle", desk.requests()[0]["session_id"])


def test_a_prompt_typed_while_the_tool_runs_comes_too_early_and_is_corrected(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_slow")
        request = desk.wait_request()
        desk.allow(request)
        tui.wait_for(DIALOG, gone=True)
        tui.say("meanwhile SCN:hello")
        desk.wait_state(request, "confirmed")
        assert desk.states(request) == ["pending", "answered", "delivered", "unconfirmed", "confirmed"]
        tui.wait_for("DONE hello")
        assert claude.made("touched")


def test_a_prompt_typed_in_the_terminal_releases_what_a_subagent_asked_there(
    desk: Desk, claude: Claude
) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        request = desk.wait_request(tool="Bash")
        tui.wait_for("DONE subagent")
        tui.say("meanwhile SCN:hello")
        released = desk.wait_state(request, "released")
        assert released["reason"] == "prompt_typed"
        tui.wait_for(DIALOG)


def test_case_15_another_hook_that_decides_first_leaves_no_card(
    desk: Desk, claude: Claude, root: Path
) -> None:
    gate = root / "gate"
    script = f"until [ -e {gate} ]; do sleep 0.05; done; echo '{json.dumps(ALLOW)}'"
    settings = desk.hooks()
    other = {"type": "command", "command": script, "timeout": 60}
    settings["hooks"]["PermissionRequest"].append({"hooks": [other]})
    with claude.tui(settings) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        gate.touch()
        gone = desk.wait_state(request, "withdrawn")
        assert desk.states(request) == ["pending", "withdrawn"]
        assert gone["reason"] in ("tool_ran", "closed_in_terminal")
        tui.wait_for("DONE bash")
        wait_no_hooks(desk)
        desk.wait_session("idle", request["session_id"])


def test_case_21_a_question_is_asked_in_auto_mode_as_well(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks(), mode="auto") as tui:
        tui.say("please SCN:ask_one")
        request = desk.wait_request(kind="question", mode="auto")
        desk.answer(request, "1")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE ask_one")
    assert '="Red"' in told.result(fake_model, "ask_one")["text"]


def test_a_request_given_back_is_a_notice_until_the_terminal_has_answered(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:two_turns")
        first = desk.wait_request()
        desk.run("release", first["id"])
        assert desk.wait_state(first, "released")["notice"]
        wait_no_hooks(desk)
        assert "waits in its terminal" in desk.run("list")
        choose(tui, "Yes")
        second = desk.wait_request(2)
        desk.wait_for(lambda: None if desk.requests(notice=True) else True, "end of the notice")
        assert desk.states(first) == ["pending", "released"]
        desk.allow(second)
        tui.wait_for("DONE two_turns")
