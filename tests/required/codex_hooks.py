"""Codex's hooks: what is put into its file, trusted, asked, and taken out again."""

from __future__ import annotations

from tests.required import Requirement, held

ROWS: tuple[Requirement, ...] = (
    held(
        "codexhook-01",
        "What a hook of Codex prints is one line in a shape that Codex takes for the decision, or nothing.",
        "measured",
        "tests/agents/test_codex_hook.py::test_the_model_of_codex_does_what_codex_did",
        "tests/agents/test_codex_hook.py::test_every_answer_is_one_line_that_codex_takes_as_it_was_meant",
        "tests/agents/test_codex_hook.py::test_what_codex_has_no_word_for_is_not_written",
        "tests/end_to_end/test_codex_hook.py::test_case_26_allowed_denied_with_words_and_given_back",
    ),
    held(
        "codexhook-02",
        "A call that ran is known again, although Codex tells it a little differently before and after.",
        "measured",
        "tests/agents/test_codex_hook.py::test_a_command_is_known_again_when_it_ran",
        "tests/agents/test_codex_hook.py::test_a_patch_is_known_again_although_its_last_line_end_differs",
        "tests/intake/test_codex.py::test_case_26_allowed",
    ),
    held(
        "codexhook-03",
        "A hook that Codex kills takes its card along, and an interrupt ends the turn.",
        "measured",
        "tests/intake/test_codex.py::test_case_26_killed_with_its_whole_group_the_card_goes",
        "tests/intake/test_codex.py::test_an_interrupt_ends_the_turn",
        "tests/end_to_end/test_codex_hook.py::test_esc_while_it_waits_withdraws_the_card",
    ),
    held(
        "codexhook-04",
        "Where the desk hears of a session in another way, its hooks are silent at once.",
        "",
        "tests/daemon/test_hooks_covered.py::"
        "test_case_26_a_session_of_the_shared_server_is_asked_there_alone",
        "tests/daemon/test_hooks_covered.py::test_other_sessions_and_agents_are_heard",
    ),
    held(
        "codexhook-05",
        "Ours stand behind others' hooks, and what others put behind ours keeps its place when ours go.",
        "measured",
        "tests/install/test_codex.py::test_case_35_placement_is_the_old_file_with_our_groups_behind",
        "tests/install/test_codex.py::test_what_others_put_behind_ours_keeps_its_place_when_ours_go",
        "tests/end_to_end/test_codex_install.py::"
        "test_case_35_others_hooks_stay_as_they_are_and_ours_are_trusted_by_consent",
    ),
    held(
        "codexhook-06",
        "Only with a person's consent, for our own entries and by Codex's own calls are hooks trusted.",
        "openai/codex#21615",
        "tests/install/test_codex_command.py::test_consent_is_for_our_own_hooks_and_shown",
        "tests/install/test_codex_command.py::test_a_command_that_only_looks_like_ours_is_not_trusted",
        "tests/install/test_codex_command.py::test_an_agent_has_nothing_trusted",
        "tests/install/test_codex_command.py::test_case_35_there_and_back_beside_anothers",
    ),
    held(
        "codexhook-07",
        "Taken out, the hooks are silent in sessions that run, and Codex's notes on them are gone.",
        "measured",
        "tests/install/test_codex.py::test_case_36_what_is_gone_is_silence",
        "tests/install/test_codex_command.py::test_uninstalling_forgets_what_was_said_of_ours_alone",
        "tests/end_to_end/test_codex_install.py::"
        "test_case_35_others_hooks_stay_as_they_are_and_ours_are_trusted_by_consent",
    ),
    held(
        "codexhook-08",
        "Doctor tells hooks that Codex skips or cannot read, an old Codex, a missing server, two ways.",
        "",
        "tests/doctor/test_codex_checks.py::test_hooks_that_codex_skips",
        "tests/doctor/test_codex_checks.py::test_case_35_a_file_that_codex_does_not_read",
        "tests/doctor/test_codex_checks.py::test_a_program_is_asked",
        "tests/doctor/test_codex_checks.py::test_a_server_that_is_not_there",
        "tests/doctor/test_codex_checks.py::test_which_way_it_asks",
    ),
    held(
        "codexhook-09",
        "Installing switches on that the desk watches the server of Codex's terminals, unless told not to.",
        "",
        "tests/install/test_codex_command.py::"
        "test_the_setting_is_switched_on_for_the_next_desk_unless_told_not_to",
        "tests/install/test_codex_command.py::test_the_server_alone",
    ),
    held(
        "codexhook-10",
        "A hook of Codex loads next to nothing, and for a tool call none starts while nothing is open.",
        "measured",
        "tests/rules/test_light.py::test_what_a_hook_of_codex_loads",
        "tests/install/test_codex.py::test_a_tool_calls_hook_starts_nothing_while_nothing_is_open",
    ),
    held(
        "codexhook-11",
        "CODEX_HOME decides where Codex's hooks are put; two homes share what is behind them.",
        "000",
        "tests/install/test_codex_command.py::test_two_homes_share_the_launcher",
    ),
)
