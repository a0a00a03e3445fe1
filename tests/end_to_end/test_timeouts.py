"""Time runs out: nothing is decided, and nobody is told that anything was."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.terminal import DIALOG, choose

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


def test_case_25_a_subagents_request_that_expires_is_asked_in_the_terminal(
    desk: Desk, claude: Claude
) -> None:
    desk.run("settings", "exclusive_wait_s", "2")
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        request = desk.wait_request(tool="Bash")
        expired = desk.wait_state(request, "expired")
        assert desk.states(request) == ["pending", "expired"]
        assert "timed out" in expired["ending"]
        assert "timed out" in desk.allow(request, code=6)
        tui.wait_for(DIALOG)
        choose(tui, "Yes")
        desk.wait_for(lambda: None if desk.requests(notice=True) else True, "end of the notice")
        assert claude.made("touched")
        assert desk.states(request) == ["pending", "expired"]


def test_case_25_print_mode_that_nobody_answers_in_time_is_as_without_sayso(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    claude.print("please SCN:bash", {})
    plain = told.result(fake_model, "bash")
    fake_model.requests.clear()
    desk.run("settings", "unattended_wait_s", "1")
    hooks = desk.hooks()
    with desk.somebody_watching():
        agent = threading.Thread(target=lambda: claude.print("please SCN:bash", hooks))
        agent.start()
        request = desk.wait_request()
        desk.wait_state(request, "expired")
        agent.join(20)
    assert told.result(fake_model, "bash") == plain
    assert desk.states(request) == ["pending", "expired"]
    assert not claude.made("touched")


def test_an_open_card_waits_on(desk: Desk, claude: Claude) -> None:
    desk.run("settings", "exclusive_wait_s", "2")
    with desk.connect() as page, claude.tui(desk.hooks()) as tui:
        page.call("desk.presence", {"present": True, "open": []})
        tui.say("please SCN:subagent")
        request = desk.wait_request(tool="Bash")
        page.call("desk.presence", {"present": True, "open": [request["id"]]})
        with pytest.raises(TimeoutError):
            desk.wait_state(request, "expired", timeout_s=3)
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        assert claude.made("touched")
