"""The desk ends and comes back while hooks wait: by accident, for an upgrade, for good."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.hooks import wait_no_hooks, waiting_hooks
from tests.end_to_end.terminal import DIALOG, choose

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


def test_case_09_a_killed_desk_comes_back_with_the_same_request_and_the_answer_arrives(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        (hook,) = waiting_hooks(desk)
        desk.kill()
        assert "no desk is running" in desk.allow(request, code=1)
        tui.wait_for(DIALOG)
        desk.up()
        again = desk.wait_request()
        assert again["id"] == request["id"]
        assert hook in waiting_hooks(desk)
        assert again["input"] == request["input"]
        assert again["suggestions"] == request["suggestions"]
        desk.allow(again)
        desk.wait_state(again, "confirmed")
        tui.wait_for("DONE bash")
        assert claude.made("touched")


def test_case_04_what_the_terminal_answered_while_there_was_no_desk_does_not_come_back(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        tui.wait_for(DIALOG)
        (hook,) = waiting_hooks(desk)
        desk.kill()
        choose(tui, "Yes")
        tui.wait_for("DONE bash")
        assert hook in waiting_hooks(desk)  # Claude Code does not tell it
        desk.up()
        wait_no_hooks(desk)
        gone = desk.wait_state(request, "withdrawn")
        assert desk.states(request) == ["withdrawn"]
        assert "answered in the terminal" in gone["ending"]
        assert "Nothing waits for you." in desk.run("list")


def test_what_the_terminal_turned_down_while_there_was_no_desk_does_not_come_back(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        tui.wait_for(DIALOG)
        desk.kill()
        choose(tui, "No")
        tui.wait_for(DIALOG, gone=True)
        desk.up()
        tui.say("again SCN:hello")
        tui.wait_for("DONE hello")
        desk.wait_session("idle", request["session_id"])
        wait_no_hooks(desk)
        assert request["id"] not in desk.stream.states


def test_a_restart_keeps_what_waits_under_the_same_id(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:ask_one")
        request = desk.wait_request(kind="question")
        (hook,) = waiting_hooks(desk)
        desk.restart()
        again = desk.wait_request()
        assert again["id"] == request["id"]
        assert hook in waiting_hooks(desk)
        assert again["questions"] == request["questions"]
        desk.answer(again, "2")
        desk.wait_state(again, "confirmed")
        tui.wait_for("DONE ask_one")


def test_a_restart_keeps_a_subagents_request_until_its_watcher_is_back(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        with desk.somebody_watching():
            tui.say("please SCN:subagent")
            request = desk.wait_request(tool="Bash")
            desk.restart()
        again = desk.wait_request(tool="Bash")
        assert again["id"] == request["id"]
        with desk.somebody_watching():
            desk.allow(again)
            desk.wait_state(again, "confirmed")
        assert claude.made("touched")


def test_stop_gives_what_waits_back_to_the_terminal(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        desk.wait_request()
        tui.wait_for(DIALOG)
        desk.stop()
        assert not desk.answers()
        wait_no_hooks(desk)
        screen = tui.wait_for(DIALOG)
        choose(tui, "Yes")
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        assert "hook" not in screen.lower()
        # It works on without a desk, and with the next one.
        desk.up()
        tui.say("now SCN:write")
        write = desk.wait_request(tool="Write")
        desk.allow(write)
        tui.wait_for("DONE write")


def test_stop_gives_a_subagents_request_back_to_the_terminal(desk: Desk, claude: Claude) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:subagent")
        desk.wait_request(tool="Bash")
        tui.wait_for("DONE subagent")
        desk.stop()
        tui.wait_for(DIALOG)
        choose(tui, "Yes")
        tui.wait_for(DIALOG, gone=True)


def test_an_answer_is_not_lost_when_the_desk_dies_after_it_was_handed_over(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash_slow")
        request = desk.wait_request()
        desk.allow(request)
        desk.kill()
        tui.wait_for("DONE bash_slow")
        assert claude.made("touched")
        desk.up()
        tui.say("again SCN:hello")
        tui.wait_for("DONE hello")
        desk.wait_session("idle", request["session_id"])
        assert "Nothing waits for you." in desk.run("list")


def test_a_hook_that_waits_needs_none_of_its_files_any_more(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:ask_one")
        request = desk.wait_request(kind="question")
        shutil.rmtree(desk.places.data / "hook")  # as an upgrade does with what is old enough
        desk.kill()
        desk.up()
        again = desk.wait_request()
        assert again["id"] == request["id"]
        desk.answer(again, "2")
        desk.wait_state(again, "delivered")
        tui.wait_for("DONE ask_one")
        assert '="Blue"' in told.result(fake_model, "ask_one")["text"]
