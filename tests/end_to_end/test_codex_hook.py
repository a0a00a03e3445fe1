"""The hooks in the real Codex, where it runs inside of its terminal's own process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.codex_hooked import PROMPT, Hooked
from tests.end_to_end.codex_served import attached_desk
from tests.lab.codex_server import CodexServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.codex import Codex
    from tests.lab.fake_openai import FakeOpenAI

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def hooked(desk: Desk, codex: Codex, model: FakeOpenAI) -> Hooked:
    return Hooked(desk, codex, model)


def test_case_26_allowed_denied_with_words_and_given_back(hooked: Hooked) -> None:
    desk = hooked.desk
    hooked.install()
    with hooked.codex.tui() as tui, desk.somebody_watching():
        tui.say(hooked.play("allowed"))
        request = desk.wait_request(tool="Bash")
        assert (request["agent"], request["hold"], request["prompt"]) == (
            "codex",
            "exclusive",
            "please SCN:allowed",
        )
        assert [(row["label"], row["value"]) for row in request["input"]] == [
            ("Command", f"touch {hooked.path('allowed')}"),
            ("Reason", "May I make allowed?"),
        ]
        desk.allow(request)
        tui.wait_for("DONE allowed")
        assert hooked.path("allowed").exists()
        desk.wait_state(request, "confirmed")

        tui.say(hooked.play("denied"))
        request = desk.wait_request(2)
        desk.deny(request, "-m", "no: use git mv, “please”")
        tui.wait_for("DONE denied")
        told = hooked.model.results("denied")[-1]
        assert "no: use git mv, “please”" in told
        assert not hooked.path("denied").exists()

        tui.say(hooked.play("back"))
        request = desk.wait_request(3)
        assert PROMPT not in tui.screen()
        desk.run("release", request["id"])
        tui.wait_for(PROMPT)
        tui.keys("y")
        tui.wait_for("DONE back")
        assert hooked.path("back").exists()
    assert len(desk.requests()) == 3


def test_esc_while_it_waits_withdraws_the_card(hooked: Hooked) -> None:
    desk = hooked.desk
    hooked.install()
    with hooked.codex.tui() as tui, desk.somebody_watching():
        tui.say(hooked.play("stopped"))
        request = desk.wait_request()
        tui.keys("Escape")
        desk.wait_state(request, "withdrawn")
        desk.wait_session("idle", request["session_id"])
        assert not hooked.path("stopped").exists()

        tui.say(hooked.play("killed"))
        request = desk.wait_request(2)
        tui.kill()
        desk.wait_state(request, "withdrawn")
        desk.wait_session("ended", request["session_id"])
    assert not hooked.path("killed").exists()


def test_case_26_29_the_terminal_asks_at_once_unless_it_was_chosen_and_somebody_watches(
    hooked: Hooked,
) -> None:
    desk = hooked.desk
    hooked.install(on=False)
    with hooked.codex.tui() as tui:
        with desk.somebody_watching():
            tui.say(hooked.play("off"))
            tui.wait_for(PROMPT, timeout_s=5)
            tui.keys("y")
            tui.wait_for("DONE off")
        desk.run("settings", "codex_approvals", "on")
        tui.say(hooked.play("alone"))
        tui.wait_for(PROMPT, timeout_s=5)
        tui.keys("y")
        tui.wait_for("DONE alone")
        desk.stop()
        tui.say(hooked.play("without"))
        tui.wait_for(PROMPT, timeout_s=5)


def test_case_54_a_message_at_a_tool_call_and_at_the_end_of_a_turn(hooked: Hooked) -> None:
    desk = hooked.desk
    hooked.install()
    with hooked.codex.tui() as tui, desk.somebody_watching():
        tui.say(hooked.play("soon", hooked.touch("second")))
        request = desk.wait_request()
        desk.run("send", request["session_id"], "mind the gap")
        desk.allow(request)
        again = desk.wait_request(2)
        assert "mind the gap" in hooked.told()
        desk.run("send", request["session_id"], "--when", "stop", "and go on")
        desk.allow(again)
        hooked.wait(lambda: "and go on" in hooked.told(), "message at the end of the turn")
        desk.wait_message(request["session_id"], "handed_over")
        desk.wait_session("idle", request["session_id"])


def test_case_26_a_session_of_the_shared_server_is_asked_beside_its_terminal_and_once(
    root: Path, codex: Codex, model: FakeOpenAI
) -> None:
    with attached_desk(root, codex) as desk:
        hooked = Hooked(desk, codex, model)
        hooked.install()
        with CodexServer(codex) as server, server.tui() as tui, desk.somebody_watching():
            tui.say(hooked.play("once"))
            request = desk.wait_request()
            tui.wait_for(PROMPT, timeout_s=5)  # nothing holds it back
            assert request["hold"] == "parallel"
            desk.allow(request)
            tui.wait_for("DONE once")
            desk.wait_state(request, "confirmed")
            assert len(desk.requests()) == 1
