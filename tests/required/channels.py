"""Channels: how a person sees and answers; and what is measured."""

from __future__ import annotations

from tests.required import Requirement, held, planned

CHANNELS: tuple[Requirement, ...] = (
    held(
        "chan-01",
        "The command line answers every kind.",
        "",
        "tests/channels/test_cli.py::test_answers_of_every_kind",
        "tests/channels/test_cli.py::test_allow_a_plan_as_edited",
        "tests/channels/test_cli.py::test_deny_with_a_reason_and_stop",
    ),
    held(
        "chan-02",
        "What an answer becomes is told, as far as it came, and the exit code says so.",
        "",
        "tests/channels/test_cli.py::test_allow_shows_the_whole_request_and_what_became_of_it",
        "tests/channels/test_cli.py::test_case_1_exit_codes_say_how_far_an_answer_came",
        "tests/channels/test_base.py::test_every_state_has_words_of_its_own",
    ),
    held(
        "chan-03",
        "Overruled and lost are loud.",
        "",
        "tests/channels/test_base.py::test_overruled_and_lost_are_loud",
    ),
    held(
        "chan-04",
        "A notice has no buttons.",
        "",
        "tests/channels/test_cli.py::test_a_notice_has_no_buttons",
    ),
    held(
        "chan-05",
        "No text of an agent reaches a terminal as a command; invisible characters are written out.",
        "",
        "tests/channels/test_base.py::test_no_text_of_an_agent_reaches_the_terminal_as_a_command",
        "tests/channels/test_text.py::test_nothing_that_a_terminal_obeys_is_left",
        "tests/channels/test_text.py::test_letters_from_right_to_left_are_noticed",
    ),
    held(
        "chan-06",
        "Of two people the first wins, and the other learns who did.",
        "",
        "tests/core/test_answering.py::test_of_two_people_the_first_wins_and_the_other_learns_who",
        "tests/channels/test_cli.py::test_who_comes_second_learns_who_won",
    ),
    held(
        "chan-07",
        "Programs get JSON, in one line, as the desk gives it; errors in their one shape.",
        "",
        "tests/channels/test_cli.py::test_json_lists_the_views_as_the_wire_has_them",
        "tests/channels/test_courier.py::test_words_of_an_error_are_made_visible_and_json_has_the_one_shape",
    ),
    held(
        "chan-08",
        "Settings are listed, explained and changed on the command line.",
        "",
        "tests/channels/test_settings.py::test_settings_are_listed_and_explained",
        "tests/channels/test_settings.py::test_a_value_that_does_not_fit_changes_nothing",
    ),
    held(
        "chan-09",
        "No line is wider than the terminal, and wide letters count as two.",
        "",
        "tests/channels/test_base.py::test_no_line_is_wider_than_the_terminal",
        "tests/channels/test_text.py::test_wide_letters_take_two_columns",
    ),
    held(
        "chan-10",
        "A terminal screen answers with single keys.",
        "",
        "tests/channels/test_watch.py::test_keys_answer_and_answers_are_followed",
        "tests/channels/screen/test_model.py::test_a_allows_what_was_shown_whole",
        "tests/channels/screen/test_frame.py::test_every_key_of_the_help_does_something",
        "tests/channels/screen/test_frame.py::test_screens_look_as_agreed",
    ),
    held(
        "chan-11",
        "Where a terminal tells no focus, a key counts as presence for 120 s.",
        "",
        "tests/channels/screen/test_deck.py::test_presence_by_keys",
        "tests/channels/screen/test_deck.py::test_presence_by_focus",
    ),
    held(
        "chan-12",
        "A message can be sent from the command line, followed, and taken back.",
        "000",
        "tests/channels/test_letters.py::test_send_queues_and_says_how_to_follow",
        "tests/channels/test_letters.py::test_send_and_wait",
        "tests/channels/test_letters.py::test_unsend",
        "tests/channels/test_letters.py::test_sessions_show_the_message_and_where_it_stands",
        "tests/end_to_end/test_messages.py::test_one_that_is_taken_back_is_never_read",
    ),
    planned("chan-13", "A page, for phones and desktops."),
    planned("chan-14", "Telegram."),
    planned("chan-15", "Notifications, with what they may carry as a setting."),
    planned("chan-16", "Every kind is tested over every channel that can answer."),
    held(
        "chan-17",
        "A form is shown as handed over, never as accepted.",
        "measured",
        "tests/channels/test_base.py::test_pages_read_as_agreed",
    ),
    held(
        "chan-18",
        "A demonstration plays it with the real parts, below an agent as well, and leaves nothing behind.",
        "",
        "tests/demo/test_demo.py::test_without_a_terminal_the_person_is_played_as_well",
        "tests/demo/test_demo.py::test_a_signal_ends_it_and_leaves_nothing",
        "tests/demo/test_demo.py::test_the_users_own_home_is_not_touched",
        "tests/demo/test_demo.py::test_it_also_plays_under_an_agent",
    ),
)

NUMBERS: tuple[Requirement, ...] = (
    planned("num-01", "An observer with nothing pending costs at most twice an empty shell."),
    planned("num-02", "An observer that speaks to a desk costs at most 1.75 times an empty Python."),
    planned("num-03", "From a hook's start to its pending request takes at most 2.5 times an empty Python."),
    planned("num-04", "Without a desk a hook costs at most 1.75 times an empty Python."),
    planned(
        "num-05", "From answer to the hook's end: half within 10 ms, 99 of 100 within 25 ms, 1,000 held."
    ),
    planned("num-06", "A held request costs at most 8 KB of memory on the socket, 24 KB over HTTP."),
    planned("num-07", "5,000 requests are held at once without an error."),
    planned("num-08", "An event reaches 200 watchers of the stream, 99 of 100 times within 50 ms."),
    planned("num-09", "An idle desk takes at most 60 MB and wakes at most once a second."),
    planned("num-10", "4 KB of text are masked within 1 ms with RE2, 5 ms without, with the same result."),
    planned("num-11", "The page settles 500 cards and 1,000 changes within 500 ms."),
    held(
        "num-12",
        "Masking takes time in proportion to the text, whatever stands in it.",
        "",
        "tests/mask/test_rules.py::test_a_pattern_is_linear",
        "tests/mask/test_engine.py::test_five_megabytes_are_fine",
        "tests/mask/test_hostile_text.py::test_many_beginnings_of_each_kind",
    ),
)
