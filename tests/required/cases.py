"""Cases: what went wrong for users of programs of this kind, and what holds here instead.

The numbers are the project's own and have gaps. A case of several parts has a row for each.
"""

from __future__ import annotations

from tests.required import Requirement, held, planned

ROWS: tuple[Requirement, ...] = (
    held(
        "case-01",
        "Given, handed over and obeyed are three states of an answer, each with its proof. One that did "
        "not arrive is lost, and loud.",
        "anthropics/claude-code#62553",
        "tests/core/test_delivery.py::test_case_01_answered_is_not_delivered_and_delivered_is_not_obeyed",
        "tests/core/test_delivery.py::test_case_01_a_hook_that_dies_with_the_answer_loses_it",
        "tests/core/test_delivery.py::test_case_01_no_receipt_within_five_seconds_is_a_loss",
        "tests/channels/test_cli.py::test_case_1_exit_codes_say_how_far_an_answer_came",
        "tests/end_to_end/test_permissions.py::test_case_01_an_allowed_command_runs_and_is_confirmed",
        "tests/channels/screen/test_deck.py::test_case_1_an_answer_is_followed_to_its_end",
    ),
    held(
        "case-02",
        "An answer that a broken connection swallowed is sent again and counts once.",
        "slopus/happy#1035",
        "tests/core/test_answering.py::test_case_02_the_same_key_has_the_same_result_also_after_the_end",
        "tests/channels/test_courier.py::test_case_2_a_broken_connection_is_tried_again_under_the_same_key",
        "tests/channels/test_courier.py::test_case_2_a_second_break_is_told",
        "tests/channels/screen/test_deck.py::"
        "test_case_2_an_answer_that_the_break_kept_goes_again_under_its_key",
    ),
    held(
        "case-03",
        "The terminal answered first: the card goes, the hook ends, a late answer is overruled.",
        "anthropics/claude-code#15433",
        "tests/core/test_answering.py::test_case_03_the_terminal_said_yes_first",
        "tests/core/test_answering.py::test_case_03_the_answer_came_first_and_the_terminal_ran_it",
        "tests/core/test_answering.py::test_case_03_a_no_in_the_terminal_kills_the_hook",
        "tests/end_to_end/test_terminal_first.py::"
        "test_case_03_yes_in_the_terminal_withdraws_the_card_and_ends_the_hook",
        "tests/channels/screen/test_deck.py::"
        "test_case_3_a_card_settled_elsewhere_says_so_and_then_makes_room",
        "tests/intake/test_answers.py::test_case_03_answered_in_the_terminal",
        "tests/intake/test_ends.py::test_case_03_nobody_reads_its_output_any_more",
    ),
    held(
        "case-04",
        "A request is known again in the event that settles it, also across a restart of the desk.",
        "clawd-on-desk#273",
        "tests/end_to_end/test_restarts.py::"
        "test_case_04_what_the_terminal_answered_while_there_was_no_desk_does_not_come_back",
    ),
    held(
        "case-05",
        "A plan that was sent back in the terminal leaves no card.",
        "clawd-on-desk#402",
        "tests/end_to_end/test_terminal_first.py::"
        "test_case_05_a_plan_sent_back_in_the_terminal_withdraws_the_card",
        "tests/core/test_events.py::test_case_05_what_a_session_did_withdraws_what_it_asked",
    ),
    held(
        "case-06",
        "An event that comes late never touches what was asked after it.",
        "claude-atoll#106",
        "tests/core/test_events.py::test_case_06_an_old_event_never_touches_a_newer_request",
        "tests/core/test_events.py::test_case_06_an_ask_that_comes_after_an_event_that_settled_it",
        "tests/core/test_events.py::test_case_06_the_order_of_start_counts_and_not_of_arrival",
        "tests/daemon/test_hooks.py::test_case_06_an_event_of_before_the_ask_leaves_it_alone",
    ),
    held(
        "case-07",
        "There is no card without a process that waits.",
        "claude-atoll#106",
        "tests/end_to_end/test_delivery.py::test_case_07_a_hook_that_was_killed_takes_its_card_along_and_the_terminal_still_asks",
    ),
    held(
        "case-08",
        "An answer after the end is refused and says how it ended; a session's end takes its cards.",
        "rethyria/claude-watch#119",
        "tests/core/test_answering.py::test_case_08_an_answer_after_the_end_says_how_it_ended",
        "tests/channels/test_cli.py::test_case_8_a_settled_request_says_how_it_was_settled",
        "tests/end_to_end/test_terminal_first.py::test_case_08_a_request_ends_with_its_session",
        "tests/core/test_events.py::test_case_08_a_process_that_is_gone_takes_its_requests_along",
        "tests/intake/test_ends.py::test_case_08_the_agent_was_killed",
    ),
    held(
        "case-09",
        "Who comes late, loads anew or comes back after a restart sees all that waits, under the same ids.",
        "opencode#21154",
        "tests/core/test_asking.py::test_case_09_a_hook_that_comes_back_has_its_request_again",
        "tests/core/test_asking.py::test_case_09_what_the_terminal_settled_meanwhile_is_not_revived",
        "tests/daemon/test_http_stream.py::test_case_9_a_late_watcher_gets_a_snapshot_and_then_changes",
        "tests/daemon/test_http_stream.py::test_case_9_a_stream_resumes_within_one_run_only",
        "tests/channels/test_courier.py::test_case_9_after_a_restart_the_request_is_awaited_to_come_back",
        "tests/end_to_end/test_restarts.py::"
        "test_case_09_a_killed_desk_comes_back_with_the_same_request_and_the_answer_arrives",
        "tests/channels/screen/test_deck.py::"
        "test_case_9_what_comes_back_after_a_restart_is_to_be_answered_again",
        "tests/intake/test_restart.py::test_case_09_after_a_crash_the_card_is_back_under_its_id",
        "tests/intake/test_restart.py::test_case_09_twice_and_many_at_once",
        "tests/daemon/test_control.py::test_case_09_a_stream_begins_with_everything_and_goes_on_in_order",
    ),
    held(
        "case-10",
        "Several at once are several: each answered by its id, counted and in order.",
        "nesquena/hermes-webui#527",
        "tests/core/test_asking.py::test_case_10_four_at_once_are_four",
        "tests/channels/test_cli.py::test_case_10_the_list_is_in_order_and_counts",
        "tests/end_to_end/test_sessions.py::"
        "test_case_10_four_requests_at_once_in_each_of_two_sessions_answered_in_any_order",
        "tests/channels/screen/test_deck.py::test_case_10_cards_in_order_and_counted",
        "tests/intake/test_answers.py::test_case_10_four_at_once_each_has_its_own_answer",
    ),
    held(
        "case-12",
        "One id from end to end; a beginning that is unique will do, an ambiguous one is refused.",
        "openclaw#41364",
        "tests/core/test_asking.py::test_case_12_an_id_nobody_knows_is_gone",
        "tests/channels/test_replies.py::test_case_12_any_unique_beginning_names_a_request",
        "tests/channels/test_replies.py::test_case_12_an_ambiguous_beginning_is_refused_with_the_candidates",
        "tests/channels/test_cli.py::test_case_12_the_beginning_of_an_ended_id_never_answers_another",
        "tests/end_to_end/test_sessions.py::test_case_12_an_id_may_be_shortened_as_long_as_it_is_clear",
    ),
    held(
        "case-13",
        "A channel that lacks something, or says it wrong, never denies.",
        "openclaw#110880",
        "tests/core/test_answering.py::test_case_13_only_a_reply_decides_and_it_names_who_gave_it",
    ),
    held(
        "case-15",
        "What another hook or the policy decides is tolerated, leaves no card and calls nobody.",
        "anthropics/claude-code#12176",
        "tests/end_to_end/test_terminal_meanwhile.py::"
        "test_case_15_another_hook_that_decides_first_leaves_no_card",
        "tests/channels/test_notices.py::test_case_15_what_is_settled_within_the_grace_is_never_told",
        "tests/channels/test_notices_desk.py::test_case_15_of_what_is_answered_at_once_nothing_is_said",
    ),
    held(
        "case-16",
        "Whether the agent obeyed is told by what it did, and said where it did not.",
        "anthropics/claude-code#88698",
        "tests/core/test_evidence.py::test_case_16_what_the_agent_did_tells",
        "tests/core/test_evidence.py::test_case_16_a_batch_without_the_call_overrules_an_allow",
        "tests/end_to_end/test_terminal_first.py::"
        "test_case_16_a_deny_that_comes_after_yes_in_the_terminal_is_overruled_and_never_shown_as_denied",
        "tests/core/test_recordings.py::test_case_16_what_a_person_sees_of_it",
        "tests/end_to_end/test_background.py::test_case_16_an_answer_reaches_a_session_in_the_background",
    ),
    held(
        "case-17",
        "A question is never allowed without all its answers, and no mode swallows one.",
        "kamrul1157024/helios#37",
        "tests/agents/test_claude_answers.py::test_case_17_a_question_is_never_allowed_without_every_answer",
        "tests/channels/test_replies.py::test_case_17_a_question_is_never_allowed",
        "tests/core/test_asking.py::test_case_17_bypass_mode_never_swallows_a_question",
        "tests/end_to_end/test_questions.py::"
        "test_case_17_18_a_question_takes_no_bare_allow_and_no_answer_that_does_not_fit",
        "tests/core/test_fit.py::test_case_17_a_question_gets_a_full_answer_or_none",
        "tests/intake/test_silence.py::test_case_17_a_question_is_never_just_allowed",
        "tests/channels/screen/test_answers.py::test_case_17_a_question_is_answered_by_number_and_enter",
    ),
    held(
        "case-18",
        "An answer that does not fit is refused with its reason and consumes nothing.",
        "getpaseo/paseo#3480",
        "tests/core/test_answering.py::test_case_18_a_reply_that_does_not_fit_consumes_nothing",
        "tests/channels/test_cli.py::test_case_18_answers_that_do_not_fit_leave_it_waiting",
        "tests/channels/test_replies.py::test_case_18_forms_that_do_not_fit_are_told",
        "tests/agents/test_claude_answers.py::test_case_18_an_answer_that_does_not_fit_is_not_written",
        "tests/core/test_fit.py::test_case_18_what_does_not_fit",
        "tests/channels/screen/test_deck.py::test_case_18_a_refused_answer_keeps_the_card_and_the_text",
    ),
    held(
        "case-19",
        "A person's own text is kept apart from labels and arrives to the letter; a blank one is no answer.",
        "cc-connect#1086",
        "tests/agents/test_claude_answers.py::test_case_19_a_text_is_no_label_and_stays_as_it_is",
        "tests/properties/test_claude_code_properties.py::test_case_19_a_text_arrives_to_the_letter",
        "tests/core/test_fit.py::test_case_19_a_blank_text_is_no_answer",
        "tests/channels/screen/test_answers.py::test_case_19_blank_words_are_no_answer",
    ),
    held(
        "case-21",
        "Labels with commas, quotes and line ends arrive as the agent itself writes them.",
        "ping-island#316",
        "tests/agents/test_claude_answers.py::test_case_21_labels_are_joined_as_claude_code_joins_them",
        "tests/properties/test_claude_code_properties.py::test_case_21_answers_arrive_to_the_letter",
        "tests/end_to_end/test_questions.py::"
        "test_case_21_labels_with_commas_and_quotes_arrive_as_from_the_terminal",
        "tests/core/test_fit.py::test_case_21_what_an_answer_to_questions_means",
        "tests/end_to_end/test_terminal_meanwhile.py::test_case_21_a_question_is_asked_in_auto_mode_as_well",
    ),
    held(
        "case-22",
        "A hold ends before the limit of whoever waits outside, and its card with it.",
        "mcp-feedback-enhanced#212",
        "tests/core/test_holding.py::test_case_22_each_waits_its_time",
        "tests/client/test_asking.py::test_case_22_a_desk_that_forgets_the_time",
    ),
    held(
        "case-23",
        "A plan is sent back with its approval, so that it counts.",
        "anthropics/claude-code#15755",
        "tests/agents/test_claude_answers.py::test_case_23_a_plan_comes_back_with_the_allow",
        "tests/end_to_end/test_plans.py::test_case_23_24_a_plan_approved_as_it_is_asks_before_edits",
    ),
    held(
        "case-24",
        "A plan leads to the mode that was chosen, never to one that asks nothing; one without text is "
        "not approved.",
        "agenc-core#2533",
        "tests/agents/test_claude_answers.py::test_case_24_a_plan_is_approved_into_no_other_mode",
        "tests/agents/test_claude_answers.py::test_case_24_a_plan_that_nobody_could_read_is_not_approved",
        "tests/channels/test_base.py::test_case_24_no_plan_is_approved_into_bypass",
        "tests/end_to_end/test_plans.py::test_case_24_a_plan_approved_with_accepted_edits_asks_no_more",
        "tests/end_to_end/test_plans.py::test_case_24_a_plan_without_a_text_is_not_offered",
        "tests/end_to_end/test_plans.py::test_case_24_a_plan_approved_with_auto_mode_leaves_plan_mode_for_it",
        "tests/channels/screen/test_answers.py::test_case_24_any_other_key_approves_nothing",
    ),
    held(
        "case-25",
        "Silence is neither yes nor no; a denial always says something.",
        "runvendo/vendo#1373",
        "tests/core/test_answering.py::test_case_25_silence_decides_nothing",
        "tests/channels/test_ask.py::test_case_25_no_answer_is_told_apart_from_no",
        "tests/client/test_asking.py::test_case_25_what_is_no_answer_is_never_taken_for_one",
        "tests/ask/test_ask.py::test_case_25_a_command_is_not_run_without_an_answer",
        "tests/agents/test_claude_answers.py::test_case_25_nothing_decided_is_nothing_written",
        "tests/agents/test_claude_answers.py::test_case_25_a_denial_always_says_something",
        "tests/core/test_requests.py::test_case_25_each_end_has_words_of_its_own",
        "tests/core/test_requests.py::test_case_25_nothing_that_nobody_decided_reads_like_a_decision",
        "tests/end_to_end/test_timeouts.py::"
        "test_case_25_a_subagents_request_that_expires_is_asked_in_the_terminal",
        "tests/end_to_end/test_timeouts.py::"
        "test_case_25_print_mode_that_nobody_answers_in_time_is_as_without_sayso",
    ),
    held(
        "case-26",
        "Codex's hook holds only where the person chose it, briefly, and while somebody watches.",
        "openai/codex#39835",
        "tests/agents/test_codex_hook.py::"
        "test_case_26_it_holds_the_terminal_back_for_25_seconds_within_the_30_of_its_timeout",
        "tests/install/test_codex.py::test_case_26_installer_and_adapter_agree_in_whole_seconds",
        "tests/intake/test_codex.py::test_case_26_silent_at_once_where_it_was_not_chosen",
        "tests/intake/test_codex.py::test_case_26_29_silent_at_once_where_nobody_watches",
        "tests/end_to_end/test_codex_hook.py::test_case_26_allowed_denied_with_words_and_given_back",
        "tests/end_to_end/test_codex_hook.py::"
        "test_case_26_29_the_terminal_asks_at_once_unless_it_was_chosen_and_somebody_watches",
    ),
    planned(
        "case-27",
        "Requests of Codex's app server are shown, and one that is not handled is not answered.",
        "codex#21982",
    ),
    held(
        "case-28",
        "A subagent's requests are its own: named, held as the only place to answer, and left alone by "
        "the end of its main agent's turn.",
        "anthropics/claude-code#82150",
        "tests/agents/test_claude_code.py::test_case_28_a_subagent_is_named_and_has_no_dialog_meanwhile",
        "tests/core/test_evidence.py::test_case_28_a_subagents_answer_outlives_the_main_agents_turn",
        "tests/core/test_events.py::test_case_28_a_subagents_request_lives_with_the_subagent",
        "tests/end_to_end/test_subagents.py::test_case_28_a_subagents_request_is_held_while_somebody_watches",
        "tests/core/test_recordings.py::test_case_28_a_subagents_request_outlives_the_main_agents_turn",
    ),
    held(
        "case-29",
        "Where nobody watches, what hides the terminal's prompt is let go at once.",
        "clawd-on-desk#162",
        "tests/core/test_asking.py::"
        "test_case_29_what_holds_the_terminal_back_is_let_go_at_once_when_nobody_watches",
        "tests/core/test_asking.py::test_case_29_somebody_who_watched_long_ago_does_not_count",
        "tests/core/test_holding.py::test_case_29_the_last_watcher_who_leaves_releases_what_waits",
        "tests/end_to_end/test_sessions.py::test_case_29_print_mode_that_nobody_watches_is_as_without_sayso",
        "tests/intake/test_answers.py::test_case_29_with_nobody_watching_the_agent_asks_at_once",
    ),
    held(
        "case-30",
        "A session that asked never to be asked is not.",
        "clawd-on-desk#865",
        "tests/core/test_asking.py::test_case_30_a_session_that_asked_never_to_be_asked_is_not",
        "tests/agents/test_claude_code.py::test_case_30_the_mode_that_asks_nothing_is_told",
        "tests/intake/test_answers.py::test_case_30_a_session_that_asked_never_to_be_asked",
    ),
)
