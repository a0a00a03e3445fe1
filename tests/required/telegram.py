"""Telegram: a bot that the desk runs, who may answer through it, and how its cards live."""

from __future__ import annotations

from tests.required import Requirement, held, telegram_cards

_DESK = "tests/channels/telegram/test_pairing_desk.py"
_TRANSPORT = "tests/channels/telegram/test_transport.py"
_POLLER = "tests/channels/telegram/test_poller.py"
_OUTBOX = "tests/channels/telegram/test_outbox.py"

TRANSPORT: tuple[Requirement, ...] = (
    held(
        "chan-14",
        "A chat with a bot of the person's own, in Telegram, answers every kind as any channel does.",
        "",
        "tests/contract/test_kinds_on_channels.py::test_every_kind_has_rows_on_every_channel",
        "tests/contract/test_kinds_on_channels.py::test_an_answer_reaches_the_agent_as_it_was_meant",
        f"{_DESK}::test_whoever_types_the_code_is_paired_and_is_a_device",
    ),
    held(
        "tg-01",
        "Whoever types a code from the terminal to the bot is paired, by the id that Telegram vouches for, "
        "and is a device; nothing runs while nobody is.",
        "",
        f"{_DESK}::test_whoever_types_the_code_is_paired_and_is_a_device",
        f"{_DESK}::test_it_is_off_while_nobody_is_paired",
        f"{_DESK}::test_who_is_paired_stays_so_after_a_restart",
        f"{_TRANSPORT}::test_nothing_runs_while_nobody_is_paired",
    ),
    held(
        "tg-02",
        "Wrong codes are few and silent; a stranger is told one neutral line, once.",
        "",
        f"{_DESK}::test_a_few_wrong_codes_and_a_sender_is_not_listened_to",
        f"{_TRANSPORT}::test_case_53_strangers_are_told_one_line_and_reach_nothing",
        f"{_TRANSPORT}::test_many_strangers_do_not_use_up_what_the_bot_may_say",
        "tests/daemon/test_chats.py::test_a_sender_has_few_tries_and_all_together_have_few",
    ),
    held(
        "tg-03",
        "A bot's token is never an argument, in no log and no error, and kept in the keyring or in a file "
        "for its owner alone.",
        "",
        f"{_DESK}::test_the_token_is_kept_for_its_owner_alone_and_told_to_nobody",
        f"{_DESK}::test_a_token_is_not_taken_from_a_pipe_unless_it_is_said",
        "tests/channels/telegram/test_api.py::test_no_error_and_no_line_of_the_log_has_the_token",
        "tests/daemon/test_bot_token.py::test_without_a_keyring_it_is_a_file_of_its_owners_alone",
        "tests/daemon/test_bot_token.py::test_in_the_keyring_no_file_has_it",
    ),
    held(
        "tg-04",
        "A sender who is taken back, and a token that is, end at once.",
        "",
        f"{_DESK}::test_a_device_that_is_taken_back_is_no_sender_any_more",
        f"{_DESK}::test_a_bot_is_forgotten_with_all_of_its_people",
        f"{_TRANSPORT}::test_it_runs_for_a_code_and_reaches_whoever_was_paired",
        f"{_TRANSPORT}::test_a_token_that_telegram_takes_back_ends_it_at_once",
        "tests/daemon/test_chats.py::test_a_sender_is_taken_back_by_name_id_or_device",
    ),
    held(
        "tg-05",
        "A row of a sender that the desk did not seal, or that was taken back, is not taken up.",
        "",
        "tests/daemon/test_chats.py::test_case_51_a_row_that_somebody_else_wrote_is_not_taken_up",
        "tests/daemon/test_chats.py::test_a_row_that_was_taken_back_is_not_copied_back",
    ),
    held(
        "tg-06",
        "Each update is handled once, through restarts and whatever ids Telegram goes on with.",
        "",
        f"{_POLLER}::test_updates_are_handled_in_order_and_once",
        f"{_POLLER}::test_a_restart_repeats_nothing_even_where_it_was_not_confirmed",
        f"{_POLLER}::test_after_a_quiet_week_ids_may_be_any",
        f"{_POLLER}::test_what_its_handler_fails_at_is_not_handled_again",
    ),
    held(
        "tg-07",
        "A lost network is tried again with a growing pause, and at once after the machine slept.",
        "",
        f"{_POLLER}::test_back_off_doubles_to_a_minute_and_ends_with_the_trouble",
        f"{_POLLER}::test_a_machine_that_slept_receives_again_at_once",
        f"{_POLLER}::test_a_back_off_does_not_outlast_a_sleep",
    ),
    held(
        "tg-08",
        "What is sent stays within the documented rates, in order; pauses that Telegram wants are kept, and "
        "nothing is lost.",
        "",
        f"{_OUTBOX}::test_a_hundred_at_once_stay_within_the_rates_in_order_and_nothing_is_lost",
        f"{_OUTBOX}::test_many_chats_together_stay_within_what_is_allowed_overall",
        f"{_OUTBOX}::test_a_group_gets_no_more_than_it_may",
        f"{_OUTBOX}::test_a_pause_that_telegram_wants_is_kept_and_the_refused_one_goes_first",
        f"{_OUTBOX}::test_a_network_or_server_that_is_gone_is_waited_for",
        f"{_OUTBOX}::test_of_several_edits_the_newest_goes",
    ),
    held(
        "tg-09",
        "A tap is answered before all that waits, and a new card waits for no edit.",
        "",
        f"{_OUTBOX}::test_a_tap_is_answered_before_all_that_waits",
        f"{_OUTBOX}::test_a_new_card_waits_for_no_edit",
        f"{_OUTBOX}::test_an_edit_has_its_turn_with_messages_that_wait",
    ),
    held(
        "tg-10",
        "That the bot is well is the last real round trip, told by status, doctor and list.",
        "",
        f"{_POLLER}::test_health_is_the_last_round_trip_and_the_last_word",
        f"{_TRANSPORT}::test_who_blocks_the_bot_is_not_reached_and_it_is_said",
        "tests/doctor/test_chat_checks.py::test_a_real_round_trip_is_what_counts",
    ),
    held(
        "case-41",
        "One program alone polls a Telegram bot; another one is told in words, and not fought.",
        "claude-plugins-official#794",
        f"{_DESK}::test_case_41_two_desks_of_one_computer_never_poll_one_bot",
        "tests/channels/telegram/test_lock.py::test_case_41_one_has_the_lock_and_the_other_learns_who",
        f"{_POLLER}::test_case_41_another_consumer_is_told_in_words_and_not_fought",
        f"{_TRANSPORT}::test_case_41_another_consumer_is_a_trouble_and_nobody_is_reached",
        f"{_TRANSPORT}::test_case_41_a_lock_that_another_desk_has_is_said_and_nothing_polls",
    ),
    held(
        "case-53b",
        "Not a chat but its sender is on the list: a group pairs nobody, and nobody's word in it pairs.",
        "",
        f"{_DESK}::test_case_53_strangers_and_groups_are_never_paired",
        f"{_TRANSPORT}::test_case_53_in_a_group_the_other_half_learns_who_it_is_and_no_word_pairs",
        "tests/channels/telegram/test_updates.py::test_case_53_whom_telegram_does_not_vouch_for_is_nobody",
    ),
)

ROWS: tuple[Requirement, ...] = TRANSPORT + telegram_cards.ROWS
