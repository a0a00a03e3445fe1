"""How requests of the real Claude Code end, told by its own hooks' payloads."""

from __future__ import annotations

import pytest

from sayso.core.states import SessionState, State
from tests.core.recordings import Playback, names

PROVEN, UNPROVEN = "confirmed", "unconfirmed"
RAN, BATCH = "withdrawn tool_ran", "withdrawn batch_done"
CLOSED, GIVEN_BACK = "withdrawn closed_in_terminal", "released by_hand"

ENDS = {
    "api_error": [],
    "bash_allowed_by_hook": [PROVEN],
    "bash_denied_by_hook": [PROVEN],
    "bash_deny_interrupt": [UNPROVEN],
    "bash_fails_allowed_by_hook": [PROVEN],
    "bash_terminal_always": [RAN, PROVEN],
    "bash_terminal_auto_mode": [RAN],
    "bash_terminal_esc": [CLOSED],
    "bash_terminal_no": [CLOSED],
    "bash_terminal_no_feedback": [BATCH],
    "bash_terminal_yes": [RAN],
    "bash_undecided_by_hook_terminal_yes": [GIVEN_BACK],
    "edit_allowed_by_hook": [PROVEN],
    "elicitation_by_hook": [UNPROVEN],
    "elicitation_declined_by_hook": [UNPROVEN],
    "elicitation_esc": ["released prompt_typed"],
    "elicitation_esc_in_form": [GIVEN_BACK],
    "elicitation_in_terminal": [GIVEN_BACK],
    "four_webfetch": [PROVEN] * 4,
    "four_webfetch_esc": [CLOSED] * 4,
    "killed_while_asked": ["withdrawn session_ended"],
    "plan_by_hook_accept_edits": [PROVEN],
    "plan_by_hook_auto": [PROVEN],
    "plan_by_hook_default": [PROVEN, PROVEN],
    "plan_edited_by_hook": [PROVEN, PROVEN],
    "plan_esc": [CLOSED],
    "plan_feedback_by_hook": [PROVEN, PROVEN],
    "plan_in_terminal": [RAN, PROVEN],
    "plan_tell_claude_what_to_change": [BATCH, PROVEN],
    "print_allowed": [PROVEN],
    "print_denied": [PROVEN],
    "print_undecided": [GIVEN_BACK],
    "prompt_typed_while_tool_runs": [PROVEN],
    "question_by_hook": [PROVEN],
    "question_chat_about_this": [BATCH],
    "question_denied_by_hook": [PROVEN],
    "question_esc": [CLOSED],
    "question_in_terminal": [RAN],
    "question_text_by_hook": [PROVEN],
    "question_text_in_terminal": [RAN],
    "questions_by_hook": [PROVEN],
    "resume_new_process": [PROVEN, PROVEN],
    "session_clear": [],
    "session_end": [],
    "session_end_while_asked": [CLOSED],
    "subagent_background": [PROVEN],
    "subagent_ctrl_c": [CLOSED],
    "subagent_denied_by_hook": [PROVEN],
    "subagent_undecided": [GIVEN_BACK],
    "suggestion_0": [PROVEN, PROVEN],
    "suggestion_1": [PROVEN],
    "suggestion_rules": [PROVEN],
    "terminal_yes_then_late_allow": [PROVEN],
    "terminal_yes_then_late_deny": ["overruled"],
    "two_calls_first_esc": [CLOSED],
    "two_equal_calls": [PROVEN, PROVEN],
    "two_equal_calls_terminal_then_hook": [RAN, PROVEN],
    "write_allowed_by_hook": [PROVEN],
}
# Its hook wrote an answer that sayso never writes: an allow of a plan without its input.
NOT_OURS = {"plan_bare_allow_then_terminal"}


def test_each_recording_has_an_end_here() -> None:
    assert set(names()) - NOT_OURS == set(ENDS)


@pytest.mark.parametrize("name", sorted(ENDS))
def test_how_it_ended(name: str) -> None:
    assert Playback(name).ends() == ENDS[name]


@pytest.mark.parametrize("name", sorted(set(ENDS) - {"killed_while_asked"}))
def test_case_03_when_its_session_is_over_nothing_is_left_standing(name: str) -> None:
    kept = Playback(name).stage.desk.snapshot()
    assert {session.state for session in kept.sessions.values()} == {SessionState.ENDED}
    assert [r.id for r in kept.requests.values() if r.notice or r.state is State.PENDING] == []


def test_case_03_a_killed_agents_hook_tells_at_once() -> None:
    played = Playback("killed_while_asked")
    assert played.stage.end("h3") == (State.WITHDRAWN, "session_ended")
    played.stage.desk.process_gone("1:1", 1100.0)
    assert played.stage.session("1:1", "session-1").state is SessionState.ENDED


@pytest.mark.parametrize(
    ("name", "hook", "states"),
    [
        (
            "prompt_typed_while_tool_runs",
            "h3",
            [State.PENDING, State.ANSWERED, State.DELIVERED, State.UNCONFIRMED, State.CONFIRMED],
        ),
        (
            "terminal_yes_then_late_deny",
            "h3",
            [State.PENDING, State.ANSWERED, State.DELIVERED, State.OVERRULED],
        ),
    ],
)
def test_case_16_what_a_person_sees_of_it(name: str, hook: str, states: list[State]) -> None:
    assert [state for state, _ in Playback(name).seen[hook]] == states


def test_case_28_a_subagents_request_outlives_the_main_agents_turn() -> None:
    played = Playback("subagent_background")
    assert [state for states in played.seen.values() for state, _ in states] == [
        State.PENDING,
        State.ANSWERED,
        State.DELIVERED,
        State.CONFIRMED,
    ]
