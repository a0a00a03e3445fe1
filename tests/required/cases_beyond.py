"""Cases, from 33 on: agents without hooks, installation, display, notices, security, messages.

The numbers are the project's own and have gaps; see `cases`.
"""

from __future__ import annotations

from tests.required import Requirement, held, planned

ROWS: tuple[Requirement, ...] = (
    planned("case-33", "Agents whose hooks cannot be answered are said to be so.", "cmux#9349"),
    planned(
        "case-34",
        "Agents of the Agent Client Protocol get a cancel where nobody is left to answer.",
        "assistant-ui#6027",
    ),
    held(
        "case-35",
        "Settings of others are parsed or left alone, and every byte comes back.",
        "stablyai/orca#11564",
        "tests/install/test_claude_code.py::test_case_35_settings_that_cannot_be_kept_are_refused",
        "tests/install/test_claude_places.py::test_case_35_every_byte_is_back_after_uninstall",
        "tests/install/test_files.py::test_case_35_a_change_by_another_program_meanwhile_is_not_lost",
        "tests/end_to_end/test_install.py::"
        "test_case_35_the_users_settings_work_and_every_byte_is_back_afterwards",
        "tests/doctor/test_settings_checks.py::test_case_35_thinned_hooks_are_found",
        "tests/install/test_codex.py::test_case_35_removal_after_placement_gives_back_every_byte",
        "tests/install/test_codex.py::test_case_35_what_codex_ignores_as_a_whole_is_refused_in_words",
    ),
    held(
        "case-36",
        "A hook without its program or its desk says nothing, and the agent asks itself.",
        "anthropics/claude-code#46193",
        "tests/install/test_guard.py::test_case_36_a_hook_whose_interpreter_or_script_is_gone_says_nothing",
        "tests/intake/test_silence.py::TestNoDesk::test_case_36_nothing_was_ever_there",
        "tests/intake/test_silence.py::TestNoDesk::test_case_36_a_desk_that_crashed",
        "tests/intake/test_silence.py::test_case_36_input_that_makes_no_sense",
        "tests/end_to_end/test_absence.py::"
        "test_case_36_what_is_missing_is_silent_and_costs_nothing_anyone_feels",
    ),
    planned(
        "case-38", "Windows: paths, quotes, users with a space in their name.", "anthropics/claude-code#54640"
    ),
    held(
        "case-40",
        "A quiet stream has a heartbeat.",
        "codeg#443",
        "tests/daemon/test_http_stream.py::test_case_40_a_quiet_stream_has_a_heartbeat",
    ),
    held(
        "case-40b",
        "A page that was cut off, or slept, says so, and comes back by itself, however often it must try.",
        "codeg#443",
        "tests/browser/test_live.py::test_case_40_a_cut_line_is_told_and_mends_by_itself",
        "tests/browser/test_live.py::test_case_40_a_line_that_died_in_its_sleep_is_noticed",
    ),
    planned("case-41", "One program alone polls a Telegram bot.", "claude-plugins-official#794"),
    planned(
        "case-42",
        "Telegram's bounds are kept in bytes; a card that cannot be sent stays pending.",
        "telegram-acp-bot#199",
    ),
    held(
        "case-43",
        "All of a command is shown, to its end, with what is invisible made visible; what was cut is read "
        "or allowed unseen.",
        "cadis#435",
        "tests/channels/test_base.py::test_case_43_the_end_of_a_command_is_on_the_card",
        "tests/channels/test_base.py::test_case_43_an_empty_command_is_a_warning",
        "tests/channels/test_cli.py::test_case_43_allow_shows_what_was_cut_before_it_answers",
        "tests/channels/test_cli.py::test_case_43_json_shows_nothing_so_it_counts_as_unseen",
        "tests/channels/test_text.py::test_case_43_what_hides_or_commands_is_written_out",
        "tests/channels/test_text.py::test_case_43_blank_lines_cannot_push_the_end_away",
        "tests/properties/test_claude_code_properties.py::test_case_43_nothing_of_an_input_is_hidden",
        "tests/channels/screen/test_model.py::"
        "test_case_43_what_is_longer_than_the_screen_must_be_paged_through",
        "tests/channels/screen/test_model.py::test_case_43_what_was_cut_is_fetched_and_read_before",
        "tests/end_to_end/test_shown.py::test_case_43_a_long_command_is_read_to_its_end_before_it_is_allowed",
        "tests/intake/test_answers.py::test_case_43_five_megabytes",
        "tests/browser/test_cards.py::test_case_43_allow_is_locked_until_the_end_was_on_the_screen",
        "tests/browser/test_cards.py::test_case_43_what_hides_is_made_visible",
        "tests/browser/test_cards.py::test_case_43_an_empty_command_is_a_warning",
    ),
    held(
        "case-44",
        "An always is the agent's own, by its number, in plain words; one that would end all asking is "
        "not offered.",
        "humux#79",
        "tests/agents/test_claude_asks.py::test_case_44_a_suggestion_says_what_where_and_for_how_long",
        "tests/agents/test_claude_asks.py::test_case_44_a_mode_that_asks_nothing_is_never_offered",
        "tests/agents/test_claude_answers.py::test_case_44_a_suggestion_goes_back_as_it_came",
        "tests/agents/test_claude_answers.py::test_case_44_a_suggestion_that_was_never_offered",
        "tests/agents/test_codex.py::"
        "test_case_44_only_what_codex_offers_is_offered_and_an_unknown_offer_never_is",
        "tests/channels/test_replies.py::test_case_44_a_suggestion_by_its_number",
        "tests/channels/screen/test_model.py::test_case_44_a_suggestion_needs_its_number_and_enter",
        "tests/intake/test_answers.py::test_case_44_the_agents_own_suggestion_goes_back",
        "tests/browser/test_cards.py::test_case_44_what_an_always_would_allow_is_said_in_words",
    ),
    held(
        "case-45",
        "Notices come for what waits, bundled, and not for what is answered at once or looked at anyway.",
        "superset#1785",
        "tests/channels/test_notices.py::test_case_45_a_burst_is_one_notice",
        "tests/channels/test_notifier.py::test_case_45_nobody_is_called_who_looks_at_the_agents_pane",
        "tests/channels/test_notices_desk.py::test_case_45_a_burst_is_one_notice",
        "tests/channels/test_notices_desk.py::test_case_45_nobody_is_called_who_looks_at_the_pane_that_asks",
        "tests/channels/test_notices_desk.py::test_case_45_nobody_is_called_who_looks_at_the_agent",
    ),
    planned("case-45b", "Ends of turns can be told as well, and a session can be muted.", "superset#1785"),
    held(
        "case-46",
        "What waits is told in the end, also to who seems to look; a way out that fails says so, and the "
        "others still tell.",
        "tlive#49",
        "tests/channels/test_notices.py::test_case_46_what_seems_to_be_seen_for_long_is_told_all_the_same",
        "tests/channels/test_notices.py::test_case_46_what_the_agent_asks_in_its_terminal_is_told_too",
        "tests/channels/test_notice_senders.py::test_case_46_a_failure_is_told_once_and_until_it_works",
        "tests/channels/test_notices_desk.py::test_case_46_a_desktop_that_takes_none_is_told_in_words",
        "tests/channels/test_notices_desk.py::test_case_46_a_desktop_without_the_program_is_told_in_words",
        "tests/channels/test_notices_desk.py::"
        "test_case_46_a_command_that_fails_is_told_and_the_desktop_still_tells",
        "tests/browser/test_presence.py::test_case_46_a_hidden_page_is_not_present",
    ),
    planned(
        "case-46b",
        "From the desktop to the phone to a chat: each tells when the one before did not reach.",
        "tlive#49",
    ),
    held(
        "case-47",
        "An answered session works again at once, and does not wait for an event.",
        "anthropics/claude-code#22291",
        "tests/core/test_answering.py::test_case_47_a_session_works_again_when_its_person_answered",
        "tests/end_to_end/test_permissions.py::test_case_47_a_session_works_again_as_soon_as_it_is_answered",
    ),
    held(
        "case-48",
        "What the agent allows by itself never becomes a card: its own question is the gate.",
        "anthropics/claude-code#11386",
        "tests/install/test_claude_code.py::test_case_48_the_agent_s_own_question_is_the_gate",
    ),
    held(
        "case-49",
        "No web page can read or answer: tokens, names of hosts, origins, JSON alone.",
        "plannotator#956",
        "tests/daemon/test_http_access.py::test_case_49_every_route_wants_a_token",
        "tests/daemon/test_http_access.py::test_case_49_a_name_that_was_pointed_at_the_loopback_is_refused",
        "tests/daemon/test_http_access.py::test_case_49_requests_of_other_sites_are_refused",
        "tests/daemon/test_http_access.py::test_case_49_a_form_of_another_site_answers_nothing",
        "tests/browser/test_strangers.py::test_case_49_no_script_of_a_stranger_answers",
        "tests/browser/test_strangers.py::test_case_49_no_form_of_a_stranger_answers",
        "tests/browser/test_strangers.py::test_case_49_a_stranger_reads_nothing",
        "tests/browser/test_strangers.py::test_case_49_no_socket_and_no_stream_opens_for_a_stranger",
        "tests/browser/test_strangers.py::test_case_49_a_name_that_was_pointed_here_is_not_listened_to",
    ),
    held(
        "case-50",
        "A hook does not speak to a socket whose folder is open to others.",
        "vibe-notch#48",
        "tests/intake/test_silence.py::TestNoDesk::test_case_50_a_folder_that_is_open_to_others",
        "tests/client/test_line.py::test_case_50_a_folder_that_others_may_enter",
        "tests/client/test_line.py::test_case_50_what_is_another_users",
    ),
    held(
        "case-50b",
        "The desk's socket is for this user alone, by modes and by what the kernel says of the peer.",
        "vibe-notch#48",
        "tests/daemon/test_lifecycle.py::test_case_50_everything_is_its_users_alone",
        "tests/daemon/test_lifecycle.py::test_case_50_a_folder_that_is_open_to_others_is_not_used",
        "tests/client/test_line.py::test_case_50_a_socket_of_another_user",
    ),
    held(
        "case-51",
        "An agent cannot answer itself: not what it started, nor what carries its marks, nor what asked.",
        "curie#410",
        "tests/wire/test_protocol.py::test_case_51_what_decides_needs_the_power_to_answer",
        "tests/wire/test_protocol.py::test_case_51_what_hooks_call_needs_no_more_than_asking",
        "tests/daemon/test_access.py::test_case_51_what_carries_an_agents_mark_may_not",
        "tests/daemon/test_access.py::test_case_51_descendants_of_who_asked_may_not",
        "tests/daemon/test_control.py::test_case_51_what_an_agent_starts_may_ask_and_nothing_else",
    ),
    held(
        "case-51b",
        "The person is told when an agent tries to answer itself.",
        "curie#410",
        "tests/daemon/test_alerts.py::test_case_51_every_channel_is_told_of_a_try",
        "tests/end_to_end/test_answering_itself.py::"
        "test_case_51_nothing_that_an_agents_shell_starts_decides_or_speaks_for_another",
    ),
    planned("case-53", "In a group chat those answer who are on the list, whatever the chat.", ""),
    held(
        "case-54",
        "A message is handed over once, within the agent's bound of continuations, or comes back.",
        "rembric#343",
        "tests/core/test_handing_over.py::test_case_54_seven_in_a_row_and_no_more",
        "tests/core/test_handing_over.py::test_case_54_a_tool_call_ends_the_row",
        "tests/intake/test_messages.py::test_case_54_a_hook_that_is_killed_with_the_text_leaves_it_uncertain",
        "tests/intake/test_codex_threads.py::"
        "test_case_54_a_message_swallowed_by_a_lost_connection_is_uncertain_and_not_sent_again",
        "tests/end_to_end/test_messages.py::test_case_54_the_model_reads_it_after_the_next_tool_call_once",
        "tests/end_to_end/test_messages.py::test_case_54_of_two_the_newer_one_wins",
        "tests/end_to_end/test_messages.py::test_case_54_a_subagents_tool_call_does_not_take_it",
        "tests/end_to_end/test_messages.py::test_case_54_the_turn_goes_on_with_it_and_reads_it_once",
        "tests/end_to_end/test_messages.py::test_case_54_seven_ends_in_a_row_and_the_eighth_message_waits",
        "tests/end_to_end/test_messages.py::test_case_54_a_tool_call_starts_the_count_anew",
        "tests/end_to_end/test_messages.py::test_case_54_an_idle_session_refuses_and_says_what_to_do",
        "tests/intake/test_codex.py::test_case_54_a_message_goes_to_the_end_of_a_turn_once",
        "tests/end_to_end/test_codex_hook.py::test_case_54_a_message_at_a_tool_call_and_at_the_end_of_a_turn",
        "tests/end_to_end/test_messages.py"
        "::test_case_54_one_whose_hook_was_killed_is_uncertain_and_not_sent_again_by_itself",
    ),
    held(
        "case-55",
        "Nothing is decided by typing keys into a terminal.",
        "agent-deck#1403",
        "tests/rules/test_keys.py::test_case_55_nothing_types_for_the_person",
    ),
    planned("case-57", "A tool that runs long without a known question is noticed.", "background-agents#86"),
    held(
        "case-59",
        "Like requests are answered together, after a look at each and a second word; others are not.",
        "automic-vault#83",
        "tests/browser/test_inbox.py::test_case_59_like_requests_are_answered_together_after_a_look_at_each",
        "tests/browser/test_inbox.py::test_case_59_what_is_asked_otherwise_is_answered_alone",
    ),
    planned("case-59b", "A grant for a while, with its end in sight.", "automic-vault#83"),
    held(
        "case-60",
        "Every card says who asks: agent, project, subagent, last prompt, age.",
        "opencode#15332",
        "tests/channels/test_base.py::test_case_60_a_card_says_who_asks",
        "tests/channels/test_notice_text.py::test_case_60_a_notice_says_who_asks_as_far_as_it_may",
        "tests/channels/test_notice_text.py::test_case_60_a_subagent_is_named",
        "tests/end_to_end/test_whereabouts.py::"
        "test_case_60_a_card_names_repository_branch_and_worktree_and_a_fork_is_one",
        "tests/browser/test_cards.py::test_case_60_a_card_says_who_asks",
    ),
)
