"""The interaction bridge: programs that ask over HTTP in document 004's words, and readers of it."""

from __future__ import annotations

from tests.required import Requirement, held

_CORE = "tests/core/test_bridge.py::"
_WIRE = "tests/wire/test_interaction.py::"
_ASKS = "tests/wire/test_interaction_asks.py::"
_ANSWERS = "tests/wire/test_interaction_answers.py::"
_DESK = "tests/daemon/test_bridge.py::"
_ORIGINS = "tests/daemon/test_bridge_origins.py::"
_READERS = "tests/daemon/test_bridge_readers.py::"
_HOOKS = "tests/daemon/test_hook_routes.py::"
_CLIENTS = "tests/daemon/test_bridge_clients.py::"
_REAL = "tests/end_to_end/test_bridge.py::"

ROWS: tuple[Requirement, ...] = (
    held(
        "bridge-01",
        "Programs register, ask, wait, tell and read in document 004's words; one desk stands behind it: "
        "what is asked here is answered on any channel, and what any agent asks is seen and answered "
        "here.",
        "004",
        f"{_WIRE}test_bodies_have_the_documents_names",
        f"{_WIRE}test_a_request_in_the_documents_words",
        f"{_DESK}test_watched_it_waits_for_a_person",
        f"{_DESK}test_an_answer_of_any_channel_is_told",
        f"{_READERS}test_what_a_hook_asks_is_seen_and_answered_here",
        f"{_READERS}test_what_a_program_asks_itself_is_answered_here",
        f"{_READERS}test_a_command_takes_two_decisions",
        "tests/contract/test_kinds_on_channels.py::test_an_answer_reaches_the_agent_as_it_was_meant",
        f"{_REAL}test_what_sayso_s_own_hook_asks_is_seen_and_answered_over_the_bridge",
    ),
    held(
        "bridge-02",
        "A wait is 110 s unless its caller says otherwise, and from 1 to 600 s; what is malformed is named.",
        "004",
        f"{_WIRE}test_waits_are_moved_into_their_bounds",
        f"{_ASKS}test_what_is_malformed_is_refused_by_its_field",
        "tests/properties/test_interaction.py::test_an_ask_or_an_error_that_names_its_field",
        f"{_DESK}test_what_is_malformed_is_named",
        f"{_DESK}test_parameters_that_are_malformed_are_named",
        "tests/daemon/test_http_openapi.py::test_the_server_does_what_the_document_says",
    ),
    held(
        "bridge-03",
        "A token that may only ask may stand in an address, and does nothing but ask; any other is sent "
        "as Bearer.",
        "004",
        f"{_HOOKS}test_a_token_in_the_address_may_ask",
        f"{_HOOKS}test_a_token_that_may_do_more_is_not_taken_from_an_address",
        f"{_HOOKS}test_without_a_token_nothing_is_asked",
        f"{_DESK}test_an_asker_sees_only_its_own",
        f"{_READERS}test_an_asker_may_not_read",
        f"{_DESK}test_a_token_that_is_taken_back_ends_what_it_waits_for",
    ),
    held(
        "bridge-04",
        "What is held waits only while somebody watches, and is let go when the last one leaves.",
        "004",
        f"{_CORE}test_unwatched_it_is_not_held_at_all",
        f"{_CORE}test_when_the_last_watcher_leaves_it_is_let_go",
        f"{_DESK}test_unwatched_it_is_answered_at_once",
        f"{_ORIGINS}test_origin_07_the_last_watcher_leaves_and_what_waits_is_let_go",
        f"{_READERS}test_a_reader_that_may_only_see_is_nobody_who_watches",
        f"{_READERS}test_a_reader_goes_on_watching_while_nothing_happens",
        f"{_REAL}test_without_a_reader_the_terminal_asks_at_once_and_its_answer_counts",
    ),
    held(
        "bridge-05",
        "What is registered pends while nobody waits and says so, can be answered, and is kept for its time.",
        "004",
        f"{_DESK}test_what_is_registered_pends_while_nobody_waits",
        f"{_DESK}test_while_somebody_waits_the_asker_is_there",
        f"{_DESK}test_a_wait_that_times_out_ends_nothing",
        f"{_DESK}test_it_is_kept_for_its_time_and_then_over",
    ),
    held(
        "bridge-06",
        "An observer ends nothing for others; equal asks end each by itself; an unknown id is told at "
        "once, a taken one is refused.",
        "004",
        f"{_ORIGINS}test_origin_03_an_observer_ends_nothing",
        f"{_ORIGINS}test_origin_04_equal_asks_end_each_by_itself",
        f"{_ORIGINS}test_origin_05_an_id_that_is_taken_is_refused",
        f"{_ORIGINS}test_origin_06_an_unknown_id_is_told_at_once",
        f"{_DESK}test_a_settled_request_is_gone_and_says_how",
    ),
    held(
        "bridge-07",
        "The stream begins with all that is pending and tells of every end; an equal ask is shown again.",
        "004",
        f"{_WIRE}test_origin_02_what_changes_are_called",
        f"{_ORIGINS}test_origin_01_an_equal_ask_is_shown_again",
        f"{_ORIGINS}test_origin_02_a_stream_tells_of_every_end",
        f"{_READERS}test_a_stream_begins_with_what_is_pending",
        f"{_READERS}test_a_stream_tells_of_lost_answers_and_of_notes",
    ),
    held(
        "bridge-08",
        "A response that says nothing, or does not fit, is refused by its field and leaves the request "
        "pending.",
        "004",
        f"{_ANSWERS}test_origin_10_what_says_nothing_or_does_not_fit_is_refused_by_its_field",
        "tests/properties/test_interaction.py::"
        "test_a_reply_that_fits_or_an_error_and_what_fits_is_told_again",
        f"{_ORIGINS}test_origin_10_a_response_that_says_nothing_leaves_it_pending",
        f"{_HOOKS}test_a_question_is_answered_and_never_allowed_without_answers",
    ),
    held(
        "bridge-09",
        "Every allow allows once; a suggestion is taken only where it is chosen.",
        "004",
        f"{_ANSWERS}test_every_allow_allows_once",
        f"{_ANSWERS}test_a_suggestion_is_chosen_by_index_or_label",
    ),
    held(
        "bridge-10",
        "Readers are told masked texts, the asker the answer in its own words; what is long is given "
        "whole to who may answer, and nobody allows what they were not given.",
        "",
        f"{_DESK}test_the_payload_is_told_masked_and_the_answer_in_the_askers_own_words",
        f"{_READERS}test_what_is_long_is_given_whole_to_who_may_answer_and_counts_as_seen",
        f"{_READERS}test_one_list_holds_only_so_much_whole",
        f"{_READERS}test_what_a_person_wrote_is_for_who_asked_and_for_where_it_was_written",
    ),
    held(
        "bridge-11",
        "Each session wants one of error, blocked, needs_input, needs_response, normal, in this order; "
        "nothing that is settled leaves anything behind, and neither looking nor tools nor subagents "
        "clear it.",
        "004",
        "tests/core/test_attention.py::test_the_order_of_the_words",
        f"{_ORIGINS}test_origin_09_what_a_tool_does_clears_nothing",
        f"{_READERS}test_a_hooks_session_wants_what_is_true_of_it",
        f"{_READERS}test_a_callers_session_wants_what_its_hooks_say",
        f"{_READERS}test_what_is_over_is_no_session",
    ),
    held(
        "bridge-12",
        "Alerts name a request by id, type and a summary that was masked whole and then cut.",
        "004",
        f"{_WIRE}test_an_alert_names_its_request_where_readers_look",
        f"{_WIRE}test_summaries_are_one_short_line",
        f"{_READERS}test_a_note_says_all_that_it_was_given_masked",
    ),
    held(
        "bridge-13",
        "A hook's input comes in over HTTP and its output goes back: `{}` for no decision, after 110 s at"
        " most, for the session that its caller names.",
        "004",
        f"{_HOOKS}test_every_payload_of_the_agent_is_asked_and_answered",
        f"{_HOOKS}test_the_session_is_what_the_caller_names",
        f"{_HOOKS}test_what_makes_no_sense_decides_nothing",
        f"{_HOOKS}test_after_its_time_nothing_is_decided",
        f"{_HOOKS}test_its_client_leaves_and_takes_it_along",
        f"{_REAL}test_a_plain_http_hook_is_answered",
    ),
    held(
        "bridge-14",
        "Codex asks over HTTP only where that was chosen, for 25 s; switching it off lets go of what waits.",
        "",
        f"{_HOOKS}test_codex_asks_only_where_that_was_chosen",
        f"{_HOOKS}test_switching_it_off_lets_go_of_what_waits",
        f"{_REAL}test_codex_asks_over_http_where_that_was_chosen",
    ),
    held(
        "bridge-15",
        "A session that moved on, as its own hooks tell, withdraws what it had asked, and nobody else's.",
        "004",
        f"{_ORIGINS}test_origin_08_a_session_that_moved_on_withdraws_what_it_asked",
        f"{_CLIENTS}test_a_session_that_goes_on_withdraws_what_its_hook_asked",
        f"{_REAL}test_the_terminal_answers_first_and_the_card_goes",
    ),
    held(
        "bridge-16",
        "Hook commands and readers that speak the document work unchanged, with a token in their address.",
        "004",
        f"{_CLIENTS}test_a_hook_prints_what_a_reader_decided",
        f"{_CLIENTS}test_unwatched_a_hook_leaves_it_to_the_agent_at_once",
        f"{_CLIENTS}test_hooks_that_only_tell_read_nothing",
        f"{_CLIENTS}test_a_hook_without_a_token_of_the_desk_falls_back",
        f"{_CLIENTS}test_one_call_that_asks_and_waits",
        f"{_CLIENTS}test_a_reader_by_event_names_sees_what_comes_late_and_again",
        f"{_REAL}test_a_hook_of_document_004_is_answered_by_a_reader_and_by_any_channel",
        f"{_REAL}test_a_hook_that_asks_by_the_plain_route_is_answered",
    ),
    held(
        "bridge-17",
        "Who left before the answer has not got it; an answer that was written counts as handed over.",
        "",
        "tests/daemon/test_http_bridge.py::test_who_left_before_the_answer_has_not_got_it",
        f"{_CLIENTS}test_a_hook_that_is_killed_withdraws_what_it_asked",
        f"{_HOOKS}test_an_answer_that_cannot_be_rendered_is_none",
    ),
    held(
        "bridge-18",
        "Many wait and many read at once, none gets another's answer; who asks too much alone is told so.",
        "",
        "tests/daemon/test_bridge_many.py::test_hundreds_wait_and_each_gets_its_own_answer",
        f"{_DESK}test_too_many_of_one_caller",
    ),
    held(
        "bridge-19",
        "A desk that ends leaves what a hook asks over HTTP to the agent.",
        "",
        f"{_CLIENTS}test_a_desk_that_ends_leaves_it_to_the_agent",
        f"{_READERS}test_a_desk_that_stops_says_so_to_who_waits",
    ),
    held(
        "bridge-20",
        "What a program left over the bridge is answered on the page, which says that nobody waits for it "
        "now, and what became of the answer.",
        "",
        "tests/browser/test_bridge.py::test_what_is_registered_is_answered_on_the_page",
    ),
)
