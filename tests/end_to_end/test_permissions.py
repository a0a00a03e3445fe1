"""A person answers Claude Code's permission requests from outside its terminal."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.terminal import DIALOG, choose
from tests.end_to_end.web import WITHOUT_PREFLIGHT, page, trusting

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic
    from tests.lab.pages import Pages

pytestmark = pytest.mark.end_to_end


def test_case_01_an_allowed_command_runs_and_is_confirmed(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(kind="permission", tool="Bash")
        tui.wait_for(DIALOG)
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        assert desk.states(request) == ["pending", "answered", "delivered", "confirmed"]
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        assert not told.result(fake_model, "bash")["is_error"]
        desk.wait_session("idle", request["session_id"])


def test_a_denied_command_does_not_run_and_the_model_reads_why_word_for_word(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    why = "Not there: use\n\"other\", i.e. 'ünder' $HOME; and <b>no</b> more."
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        desk.deny(request, "-m", why)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")
    assert told.result(fake_model, "bash") == {"text": why, "is_error": True}
    assert not claude.made("touched")


def test_deny_and_stop_ends_the_turn_and_nothing_can_confirm_it(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        desk.deny(request, "--stop", "-m", "Stop here.")
        tui.wait_for(DIALOG, gone=True)
        desk.wait_session("idle", request["session_id"])
        assert told.results(fake_model, "bash") == []  # the model was not asked again
        tui.say("again SCN:hello")
        tui.wait_for("DONE hello")
        desk.wait_state(request, "unconfirmed")
        assert desk.states(request) == ["pending", "answered", "delivered", "unconfirmed"]
    assert not claude.made("touched")


def test_the_first_suggestion_of_a_compound_command_writes_its_rules_into_the_projects_settings(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_compound")
        request = desk.wait_request()
        assert "from now on in this project" in request["suggestions"][0]["label"]
        desk.allow(request, "--suggestion", "1")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash_compound")
        assert claude.made("one", "two")
        rules = local_rules(claude)
        assert rules
        assert all(rule in request["suggestions"][0]["label"] for rule in rules)
        # The rules hold: the same command is not asked about again.
        tui.say("again SCN:bash_compound")
        desk.wait_session("idle", request["session_id"])
        tui.wait_for(re.compile("DONE bash_compound.*DONE bash_compound", re.DOTALL))
        assert len(desk.requests()) == 1


def test_the_suggestion_of_a_page_writes_its_domain_into_the_projects_settings(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, pages: Pages
) -> None:
    fake_model.scripts["page"] = [[{"tool": "WebFetch", "input": {"url": page(pages), "prompt": "What?"}}]]
    with claude.tui(desk.hooks(**WITHOUT_PREFLIGHT), env=trusting(pages)) as tui:
        tui.say("please SCN:page")
        request = desk.wait_request(tool="WebFetch")
        assert "WebFetch(domain:127.0.0.1)" in request["suggestions"][0]["label"]
        desk.allow(request, "--suggestion", "1")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE page")
    assert local_rules(claude) == ["WebFetch(domain:127.0.0.1)"]


def test_the_second_suggestion_takes_effect_in_the_session(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        assert request["suggestions"][1]["label"].startswith("Accept edits without asking")
        desk.allow(request, "--suggestion", "2")
        tui.wait_for("accept edits on")
        tui.wait_for("DONE bash")
        tui.say("now SCN:write")
        tui.wait_for("DONE write")
        assert claude.made("written.txt")
        assert len(desk.requests()) == 1
        # No suggestion is written down: it held for this session.
        assert not (claude.project / ".claude/settings.local.json").exists()


def test_an_allowed_command_that_fails_is_confirmed_all_the_same(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_fails")
        request = desk.wait_request()
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash_fails")
    assert told.result(fake_model, "bash_fails")["is_error"]


def test_our_answer_first_takes_the_terminals_dialog_away(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_slow")
        request = desk.wait_request()
        tui.wait_for(DIALOG)
        tui.keys("Down")  # somebody is just choosing
        desk.allow(request)
        tui.wait_for(DIALOG, gone=True)
        assert not claude.made("touched")  # it runs, and takes its time
        desk.wait_session("working", request["session_id"])
        tui.wait_for("DONE bash_slow")
        desk.wait_state(request, "confirmed")
        assert claude.made("touched")


def test_case_47_a_session_works_again_as_soon_as_it_is_answered(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_slow")
        request = desk.wait_request()
        desk.wait_session("waiting", request["session_id"])
        desk.allow(request)
        desk.wait_session("working", request["session_id"])
        assert not claude.made("touched")
        desk.wait_session("idle", request["session_id"])
        assert claude.made("touched")
        # The same from the terminal is inferred from what happens next, when the tool is done.
        tui.say("again SCN:write")
        second = desk.wait_request(nth=2)
        desk.wait_session("waiting", request["session_id"])
        choose(tui, "Yes")
        desk.wait_state(second, "withdrawn")
        desk.wait_session("idle", request["session_id"])


def test_two_equal_commands_are_told_apart(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:two_equal")
        first = desk.wait_request(1)
        desk.allow(first)
        second = desk.wait_request(2)
        desk.deny(second, "-m", "Once is enough.")
        tui.wait_for("DONE two_equal")
        desk.wait_state(first, "confirmed")
        desk.wait_state(second, "confirmed")
        assert desk.states(first)[-1] == desk.states(second)[-1] == "confirmed"
    assert [one["is_error"] for one in told.results(fake_model, "two_equal")] == [False, True]


def local_rules(claude: Claude) -> list[str]:
    """Return what is allowed by the settings that the agent keeps for this person in this project."""
    path = claude.project / ".claude/settings.local.json"
    rules: list[str] = json.loads(path.read_text())["permissions"]["allow"]
    return rules
