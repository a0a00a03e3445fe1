"""What is designed and not built: other ways in. One row each, until it is begun."""

from __future__ import annotations

from tests.required import Requirement, held, planned

ROWS: tuple[Requirement, ...] = (
    planned(
        "later-01", "Programs ask over the socket: yes or no, a choice, a text, a command to confirm.", "001"
    ),
    planned("later-02", "A command asks from a script; its output is the answer alone.", "001"),
    held(
        "later-03",
        "A command is confirmed in two steps by the same person on the same channel.",
        "001",
        "tests/core/test_direct.py::test_who_did_not_acknowledge_it_cannot_have_it_run",
        "tests/core/test_direct.py::test_an_acknowledgement_holds_for_a_while_and_can_be_given_again",
        "tests/daemon/test_asks.py::test_a_command_takes_two_steps_from_every_channel",
        "tests/channels/screen/test_direct.py::test_a_command_runs_after_its_word_and_is_shown_at_both_steps",
        "tests/channels/screen/test_direct.py::test_no_single_key_however_often_runs_a_command",
        "tests/channels/screen/test_any_keys.py::test_a_command_never_runs_without_its_word",
        "tests/channels/test_cli_direct.py::test_an_acknowledged_command_is_shown_whole_and_says_what_comes_next",
        "tests/contract/test_kinds_on_channels.py::test_an_answer_reaches_the_agent_as_it_was_meant",
    ),
    held(
        "later-04",
        "Agents are started in panes of tmux, listed and closed; an agent cannot do that.",
        "001",
        "tests/panes/test_panes.py::test_the_first_pane_makes_the_session_the_next_adds_a_window",
        "tests/panes/test_panes.py::test_a_split_is_beside_the_callers_pane_in_any_tmux",
        "tests/panes/test_panes.py::test_the_programs_words_reach_it_as_they_are",
        "tests/panes/test_trouble.py::test_a_program_that_is_not_there_is_told_with_what_to_do",
        "tests/panes/test_desk.py::test_a_split_is_beside_the_pane_the_command_is_typed_in",
        "tests/panes/test_desk.py::test_case_51_an_agent_opens_and_closes_no_panes",
        "tests/daemon/test_pane_methods.py::test_another_direction_is_an_error_that_names_it",
        "tests/daemon/test_pane_methods.py::test_a_pane_is_closed_by_either_name",
    ),
    held(
        "later-10",
        "A pane's id lasts as long as it does, across desks; closing it withdraws what was asked in its name.",
        "001",
        "tests/panes/test_panes.py::test_ids_outlive_the_desk",
        "tests/panes/test_panes.py::test_closing_it_by_hand_in_tmux_is_noticed",
        "tests/panes/test_panes.py::test_a_pane_closed_under_a_program_that_stays_is_noticed",
        "tests/panes/test_desk.py::test_what_is_asked_in_a_pane_knows_its_pane_and_is_answered",
        "tests/panes/test_desk.py::test_closing_a_pane_withdraws_what_was_asked_in_its_name",
        "tests/panes/test_desk.py::test_closing_a_pane_by_hand_withdraws_what_it_asked",
        "tests/panes/test_desk.py::test_a_restart_keeps_the_panes_and_goes_on_watching_them",
        "tests/daemon/test_pane_methods.py::test_what_a_closed_pane_asked_is_withdrawn_and_nothing_else",
    ),
    held(
        "later-11",
        "What runs in a pane may only ask; a popup of the same tmux answers.",
        "",
        "tests/panes/test_who_may.py::test_case_51_what_runs_in_a_pane_may_only_ask",
        "tests/panes/test_panes.py::test_what_a_tmux_makes_of_our_calls_counts_as_an_agents",
        "tests/panes/test_popup.py::test_a_key_of_tmux_opens_what_waits_and_answers_it",
    ),
    planned("later-05", "A Python program receives hooks over HTTP and answers them, each once.", "002"),
    planned("later-06", "The interaction bridge: register, request, wait, respond, stream, notify.", "004"),
    planned("later-07", "Attention of sessions, with priorities, and alerts.", "004"),
    planned("later-08", "Codex, through its app server and through its hook.", "000"),
    planned("later-09", "Agents that speak the Agent Client Protocol."),
)
