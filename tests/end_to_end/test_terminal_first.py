"""The terminal answers first: cards go away, nothing is shown as done that was not.

Claude Code tells little of it: a Yes is shown by the call that ran, a No by the end of
the hook, words for the agent only by the end of the batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.hooks import wait_no_hooks, waiting_hooks
from tests.end_to_end.terminal import DIALOG, PLAN, choose

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk, Json
    from tests.lab.claude import Claude, ClaudeTui
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


def ask(desk: Desk, tui: ClaudeTui, scenario: str = "bash") -> Json:
    """Have the agent ask; return the request, with the terminal's dialog up as well."""
    tui.say(f"please SCN:{scenario}")
    request = desk.wait_request()
    tui.wait_for(DIALOG)
    return request


def assert_withdrawn(desk: Desk, request: Json, ending: str) -> None:
    """See that a card goes away with these words, and that nothing was shown between."""
    gone = desk.wait_state(request, "withdrawn")
    assert desk.states(request) == ["pending", "withdrawn"]
    assert ending in gone["ending"]
    said = desk.allow(request, code=6)
    assert ending in said


def test_case_03_yes_in_the_terminal_withdraws_the_card_and_ends_the_hook(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        request = ask(desk, tui)
        assert len(waiting_hooks(desk)) == 1
        choose(tui, "Yes")
        assert_withdrawn(desk, request, "answered in the terminal")
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        # Claude Code would let the hook live for an hour; the desk sends it home.
        wait_no_hooks(desk)
        desk.wait_session("idle", request["session_id"])


@pytest.mark.parametrize("how", ["No", "Escape"])
def test_no_and_escape_in_the_terminal_withdraw_the_card_and_the_session_is_idle(
    how: str, desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        request = ask(desk, tui)
        if how == "No":
            choose(tui, "No")
        else:
            tui.keys("Escape")
        assert_withdrawn(desk, request, "turned down in the terminal")
        desk.wait_session("idle", request["session_id"])
        wait_no_hooks(desk)
        # Nothing told so; what comes next shows that the session lives on.
        tui.say("again SCN:hello")
        desk.wait_session("working", request["session_id"])
        tui.wait_for("DONE hello")
        desk.wait_session("idle", request["session_id"])
    assert not claude.made("touched")


def test_no_with_words_in_the_terminal_withdraws_the_card(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        request = ask(desk, tui)
        tui.keys("Up")  # from the first option round to the last one, No
        tui.wait_for("❯ 4. No")
        tui.keys("Tab")
        tui.wait_for("No, and tell Claude")
        tui.type("use another name")
        tui.keys("Enter")
        assert_withdrawn(desk, request, "answered in the terminal")
        tui.wait_for("DONE bash")
        desk.wait_session("idle", request["session_id"])
    assert "use another name" in told.result(fake_model, "bash")["text"]
    assert not claude.made("touched")


def test_a_question_answered_in_the_terminal_withdraws_the_card(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:ask_one")
        request = desk.wait_request(kind="question")
        choose(tui, "Blue")
        gone = desk.wait_state(request, "withdrawn")
        assert "answered in the terminal" in gone["ending"]
        tui.wait_for("DONE ask_one")


def test_chat_about_this_at_a_question_withdraws_the_card(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:ask_one")
        request = desk.wait_request(kind="question")
        choose(tui, "Chat about this")
        gone = desk.wait_state(request, "withdrawn")
        assert "answered in the terminal" in gone["ending"]
        tui.wait_for("DONE ask_one")
        desk.wait_session("idle", request["session_id"])


def test_case_05_a_plan_sent_back_in_the_terminal_withdraws_the_card(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        tui.say("please SCN:plan")
        plan = desk.wait_request(kind="plan")
        tui.wait_for(PLAN)
        choose(tui, "Tell Claude what to change")
        tui.wait_for("❯ 3.")
        tui.type("name it otherwise")
        tui.keys("Enter")
        gone = desk.wait_state(plan, "withdrawn")
        assert "answered in the terminal" in gone["ending"]
        assert desk.states(plan) == ["pending", "withdrawn"]


def test_a_plan_approved_in_the_terminal_withdraws_the_card(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        tui.say("please SCN:plan")
        plan = desk.wait_request(kind="plan")
        tui.wait_for(PLAN)
        choose(tui, "Yes, manually approve edits")
        desk.wait_state(plan, "withdrawn")
        write = desk.wait_request(tool="Write")  # a newer request is left alone
        assert desk.states(write) == ["pending"]
        desk.allow(write)
        desk.wait_state(write, "confirmed")


def test_case_16_a_deny_that_comes_after_yes_in_the_terminal_is_overruled_and_never_shown_as_denied(
    desk: Desk, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        request = ask(desk, tui, "bash_slow")
        choose(tui, "Yes")
        tui.wait_for(DIALOG, gone=True)
        said = desk.deny(request, "-m", "Too late.", code=0)
        assert "denied" not in said.lower()
        over = desk.wait_state(request, "overruled")
        assert desk.states(request) == ["pending", "answered", "delivered", "overruled"]
        assert "terminal answered first" in over["ending"]
        tui.wait_for("DONE bash_slow")
        assert claude.made("touched")
        assert "terminal answered first" in desk.run("show", request["id"])


def test_a_request_of_an_agent_that_was_killed_is_void(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        request = ask(desk, tui)
        tui.kill()
        assert_withdrawn(desk, request, "session has ended")
        desk.wait_session("ended", request["session_id"])
        wait_no_hooks(desk)


def test_case_08_a_request_ends_with_its_session(desk: Desk, claude: Claude) -> None:
    with claude.tui(desk.hooks()) as tui:
        request = ask(desk, tui)
    # Its terminal was closed.
    gone = desk.wait_state(request, "withdrawn")
    assert gone["ending"]
    desk.wait_session("ended", request["session_id"])
    said = desk.allow(request, code=6)
    assert gone["ending"] in said
