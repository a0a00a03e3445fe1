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
    planned("later-04", "Agents are started in panes of tmux, listed and closed.", "001"),
    planned("later-05", "A Python program receives hooks over HTTP and answers them, each once.", "002"),
    planned("later-06", "The interaction bridge: register, request, wait, respond, stream, notify.", "004"),
    planned("later-07", "Attention of sessions, with priorities, and alerts.", "004"),
    planned("later-08", "Codex, through its app server and through its hook.", "000"),
    planned("later-09", "Agents that speak the Agent Client Protocol."),
)
