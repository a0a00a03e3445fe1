"""A person answers Claude Code's permission requests from outside its terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end

DIALOG = "Do you want to"


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
