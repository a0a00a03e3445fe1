"""Codex, through the app server that its terminals share."""

from __future__ import annotations

from tests.required import Requirement, held

_REQUESTS = "tests/intake/test_codex_requests.py::"
_THREADS = "tests/intake/test_codex_threads.py::"
_SERVER = "tests/intake/test_codex_server.py::"
_REAL = "tests/end_to_end/test_codex_server.py::"
_KINDS = "tests/end_to_end/test_codex_kinds.py::"

ROWS: tuple[Requirement, ...] = (
    held(
        "codexserver-01",
        "The terminal and the desk show the same request of Codex, and the first answer wins on either side.",
        "000",
        _REAL + "test_whoever_answers_first_wins_the_desk_or_the_terminal",
        _REQUESTS + "test_an_answer_goes_to_the_server_and_its_item_proves_it",
        _REQUESTS + "test_an_answer_in_the_terminal_withdraws_the_card",
        _REQUESTS + "test_an_answer_that_comes_when_it_is_settled_is_not_sent",
    ),
    held(
        "codexserver-02",
        "Off, no socket of Codex is touched; switched off, the desk leaves and gives back what waits.",
        "000",
        _SERVER + "test_off_means_that_no_socket_is_touched",
        _SERVER + "test_switched_off_it_leaves_at_once_and_gives_back_what_waits",
    ),
    held(
        "codexserver-03",
        "Six methods are all that is ever sent to an app server, beside results: no error, no override.",
        "",
        _SERVER + "test_nothing_but_six_methods_can_ever_be_sent",
        _THREADS + "test_what_is_loaded_is_subscribed_to_with_nothing_changed",
    ),
    held(
        "codexserver-04",
        "Only a socket of this user alone is connected to, and its other end is known before a byte is sent.",
        "",
        _SERVER + "test_a_socket_that_others_can_use_is_not_used_and_told_of",
        _SERVER + "test_a_server_of_another_user_is_not_spoken_to",
        _SERVER + "test_what_is_no_socket_is_not_connected_to",
    ),
    held(
        "codexserver-05",
        "Commands, files, permissions, tool calls, forms, questions, input: answered as Codex offers it.",
        "000",
        "tests/agents/test_codex.py::test_the_results_are_those_that_a_person_compared",
        _KINDS + "test_an_always_for_a_command_is_codexs_own_rule",
        _KINDS + "test_questions_are_answered_with_options_and_in_ones_own_words",
        _KINDS + "test_permissions_are_granted_for_the_turn_as_they_were_asked_for",
        _KINDS + "test_a_tool_call_is_allowed_for_the_session_and_its_form_is_filled_in",
        _KINDS + "test_input_for_a_terminal_that_runs_is_asked_for_on_its_own",
        "tests/contract/test_kinds_on_channels.py::test_an_answer_reaches_the_agent_as_it_was_meant",
    ),
    held(
        "codexserver-06",
        "A secret that Codex's model asks for is told of, and asked in the terminal alone.",
        "",
        "tests/agents/test_codex_questions.py::test_a_secret_is_never_asked_for_here",
        _REQUESTS + "test_a_secret_is_told_of_and_asked_in_the_terminal_alone",
    ),
    held(
        "codexserver-07",
        "Words with a denial reach the model in a second step, once the denial took effect.",
        "",
        _REAL + "test_a_refusal_with_words_is_told_as_two_steps_and_one_that_stops_ends_the_turn",
        _REQUESTS + "test_words_follow_the_refusal_once_it_took_effect",
        _REQUESTS + "test_words_are_not_passed_on_where_the_terminal_said_yes",
        _REQUESTS + "test_words_do_not_take_the_place_of_a_message_that_waits",
    ),
    held(
        "codexserver-08",
        "What became of an answer is told by the end of its call, and of nothing else.",
        "",
        _REQUESTS + "test_each_kind_is_proven_by_its_item",
        _REQUESTS + "test_what_nothing_proves_stays_unproven",
        "tests/core/test_evidence.py::test_case_16_what_the_agent_did_tells",
    ),
    held(
        "codexserver-09",
        "Esc in the terminal takes the card away.",
        "000",
        _REAL + "test_esc_in_the_terminal_withdraws_the_card",
        _REQUESTS + "test_esc_ends_the_turn_and_withdraws_what_it_asked",
    ),
    held(
        "codexserver-10",
        "A desk that dies leaves the terminal's prompt, and the next one shows the request again, whole.",
        "",
        _REAL + "test_a_killed_desk_leaves_the_terminals_prompt_and_a_new_one_shows_the_request_again",
        _THREADS + "test_who_comes_late_finds_the_turn_that_runs_with_its_prompt_and_its_calls",
    ),
    held(
        "codexserver-11",
        "Several homes, servers that come later, connections that go wrong: each is attached to again.",
        "",
        _REAL + "test_two_homes_are_answered_each_on_its_own",
        _SERVER + "test_a_server_that_starts_later_is_found",
        _SERVER + "test_a_connection_that_goes_wrong_or_is_closed_is_followed_by_another",
        _SERVER + "test_a_home_that_is_named_is_attached_and_one_that_no_longer_is_is_left",
        _SERVER + "test_each_home_is_one_whatever_leads_there",
    ),
    held(
        "codexserver-12",
        "A message goes into the turn that runs, or begins one in an idle session of Codex; never twice.",
        "000",
        _REAL + "test_a_message_steers_the_turn_that_runs_and_begins_one_in_an_idle_session",
        _THREADS + "test_a_message_begins_a_turn_where_none_runs",
        _THREADS + "test_a_turn_that_ended_on_the_way_is_followed_by_a_new_one",
        _THREADS + "test_a_refused_message_is_queued_again_and_sent_at_the_next_moment_alone",
    ),
    held(
        "codexserver-13",
        "Sessions of Codex tell what they do, where and at which prompt; a subagent asks under its root.",
        "000",
        _KINDS + "test_a_subagent_asks_under_the_session_at_its_root",
        _THREADS + "test_a_session_works_from_turn_to_turn",
        _THREADS + "test_a_subagent_of_a_subagent_is_of_the_session_at_the_root",
        _THREADS + "test_threads_that_make_a_title_are_no_sessions",
    ),
    held(
        "codexserver-14",
        "From a request on Codex's socket to a watcher: at most 50 ms in 99 of 100.",
        "",
        "tests/bench/test_bench.py::test_a_few_of_each_can_be_measured",
    ),
)
