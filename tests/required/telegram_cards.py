"""Telegram: what is shown in a chat, what a tap and a reply mean there, and how cards live."""

from __future__ import annotations

from tests.required import Requirement, held

_CARDS = "tests/channels/telegram/test_cards.py"
_LIFE = "tests/channels/telegram/test_life.py"
_BEYOND = "tests/channels/telegram/test_life_beyond.py"
_LIMITS = "tests/channels/telegram/test_limits.py"
_TEXT = "tests/channels/telegram/test_text.py"
_TOKENS = "tests/channels/telegram/test_tokens.py"
_COMMANDS = "tests/channels/telegram/test_commands.py"
_DESK = "tests/channels/telegram/test_chat_desk.py"
_REAL = "tests/end_to_end/test_telegram.py"

ROWS: tuple[Requirement, ...] = (
    held(
        "tg-20",
        "Every kind is answered in a chat in every way, by taps and replies, and arrives as on any channel.",
        "",
        "tests/contract/test_kinds_on_channels.py::test_an_answer_reaches_the_agent_as_it_was_meant",
        f"{_CARDS}::test_several_questions_are_steps_with_notes_and_looked_over",
        f"{_CARDS}::test_a_form_is_filled_in_field_by_field_and_looked_over",
        f"{_CARDS}::test_a_plan_is_edited_and_then_approved",
        f"{_REAL}::test_a_permission_is_given_in_a_chat_and_followed_to_its_end",
        f"{_REAL}::test_a_question_is_answered_in_a_chat",
        f"{_REAL}::test_case_24_a_plan_is_approved_in_a_chat_into_a_mode",
    ),
    held(
        "tg-21",
        "A button carries a short word that says nothing, whatever an agent calls its choices; it counts in "
        "one message of one chat, for one run of the desk.",
        "",
        f"{_TOKENS}::test_a_word_is_short_whatever_it_stands_for",
        f"{_TOKENS}::test_a_word_counts_in_its_chat_and_message_alone",
        f"{_CARDS}::test_a_choice_is_taken_whatever_its_id_is",
        f"{_BEYOND}::test_what_is_no_button_of_ours_is_told_so",
        f"{_DESK}::test_case_12_a_tap_on_a_card_of_a_desk_that_crashed_answers_nothing",
    ),
    held(
        "tg-22",
        "Nothing is allowed before all of it was taken by Telegram, in parts or as a file; what is cut "
        "says so.",
        "",
        f"{_LIFE}::test_nothing_is_allowed_while_a_part_is_on_its_way",
        f"{_LIFE}::test_a_long_command_comes_in_parts_and_nothing_of_it_is_lost",
        f"{_LIFE}::test_what_takes_too_many_messages_comes_as_a_file_and_the_cut_is_said",
        f"{_TEXT}::test_parts_fit_and_hold_all_of_it",
        f"{_TEXT}::test_the_boundary_counts_an_emoji_as_two",
        f"{_TEXT}::test_markup_in_a_text_stays_text",
    ),
    held(
        "tg-23",
        "A command takes two steps, and is in sight at the second.",
        "",
        f"{_CARDS}::test_a_command_takes_two_steps_and_is_in_sight_at_the_second",
        f"{_BEYOND}::test_a_command_cannot_be_run_before_it_was_understood_whatever_is_forged",
        f"{_BEYOND}::test_a_command_that_was_understood_too_long_ago_is_to_be_understood_again",
    ),
    held(
        "tg-24",
        "A card says how its request ended, wherever that was; a late tap learns it; of two the first wins.",
        "",
        f"{_LIFE}::test_tap_and_page_at_once_one_wins_and_the_other_learns_who",
        f"{_LIFE}::test_tap_and_terminal_at_once",
        f"{_LIFE}::test_of_two_paired_the_first_wins_and_the_other_ones_card_is_edited",
        f"{_LIFE}::test_two_taps_on_one_button_are_one_answer",
        f"{_BEYOND}::test_a_text_that_was_answered_elsewhere_is_edited_as_well",
        f"{_REAL}::test_what_the_terminal_answers_ends_the_card_in_the_chat",
    ),
    held(
        "tg-25",
        "Cards go on, or say how it ended, after the desk started anew.",
        "",
        f"{_BEYOND}::test_a_card_goes_on_where_the_same_is_still_asked",
        f"{_BEYOND}::test_a_long_card_is_shown_anew_after_a_restart",
        f"{_BEYOND}::test_a_card_whose_request_ended_meanwhile_says_so",
        f"{_BEYOND}::test_a_reply_to_what_an_earlier_run_asked_answers_nothing_new",
    ),
    held(
        "tg-26",
        "What waits is on its way to Telegram within 100 ms; a hundred at once are shown within the rates, "
        "none is lost; every tap is answered within a second.",
        "",
        f"{_DESK}::test_what_waits_is_on_its_way_to_telegram_within_100_ms",
        f"{_DESK}::test_every_tap_is_answered_within_a_second",
        f"{_LIMITS}::test_a_burst_of_100_is_shown_within_the_rates_and_nothing_of_it_is_lost",
        f"{_LIMITS}::test_what_ended_before_its_turn_is_not_shown_at_all",
    ),
    held(
        "tg-27",
        "Sessions are listed and written to from a chat, and their messages followed and taken back.",
        "",
        f"{_COMMANDS}::test_a_session_is_written_to_by_a_reply_and_the_message_is_followed",
        f"{_COMMANDS}::test_a_message_is_sent_by_command_and_taken_back",
        f"{_COMMANDS}::test_many_are_listed_and_each_can_be_shown",
        f"{_COMMANDS}::test_mute_takes_the_sound_and_nothing_else",
        f"{_COMMANDS}::test_mute_alone_changes_nothing_but_asks",
        f"{_COMMANDS}::test_a_request_of_a_muted_session_makes_no_sound",
    ),
    held(
        "tg-29",
        "Whatever people tap and type, nothing breaks, no limit is passed, and one answer counts.",
        "",
        "tests/channels/telegram/test_walks.py::test_whatever_people_do_nothing_breaks",
    ),
    held(
        "tg-28",
        "No secret that masking finds reaches Telegram.",
        "",
        f"{_DESK}::test_no_secret_reaches_telegram",
    ),
    held(
        "case-02b",
        "A tap that comes late, or twice, or while another answers, is told at once what became of it.",
        "slopus/happy#1035",
        f"{_LIFE}::test_case_2_an_answer_elsewhere_ends_the_card_and_a_late_tap_learns_how",
    ),
    held(
        "case-12b",
        "A button of an earlier run of the desk answers nothing that is asked now, under whatever id.",
        "openclaw#41364",
        f"{_BEYOND}::test_case_12_a_tap_on_a_card_of_an_earlier_run_answers_nothing_new",
        f"{_DESK}::test_case_12_a_tap_on_a_card_of_a_desk_that_crashed_answers_nothing",
    ),
    held(
        "case-19b",
        "Words in a chat answer only as a reply to the card; blank ones answer nothing.",
        "cc-connect#1086",
        f"{_LIFE}::test_case_19_words_answer_only_as_a_reply_to_a_card",
    ),
    held(
        "case-42",
        "Telegram's bounds are kept, in its own units; a card that cannot be sent decides nothing, and the "
        "other channels tell of it.",
        "telegram-acp-bot#199",
        f"{_LIMITS}::test_case_42_whatever_is_asked_its_card_is_taken",
        f"{_BEYOND}::test_case_42_a_failed_send_decides_nothing_and_is_told_by_other_channels",
    ),
    held(
        "case-60b",
        "A card in a chat says who asks, too.",
        "opencode#15332",
        f"{_LIFE}::test_case_60_a_card_says_who_asks",
    ),
    held(
        "case-43b",
        "In a chat, too, an empty command is a warning.",
        "cadis#435",
        f"{_CARDS}::test_case_43_an_empty_command_is_a_warning",
    ),
    held(
        "case-53c",
        "A stranger in a group where the paired may answer does nothing.",
        "",
        f"{_BEYOND}::test_case_53_a_stranger_does_nothing_in_a_group_where_the_paired_may",
    ),
)
