"""Events out: what programs of the person's own are told of what happens."""

from __future__ import annotations

from tests.required import Requirement, held

_SEND = "tests/web/test_webhook_send.py"
_DELIVERY = "tests/channels/webhooks/test_delivery.py"
_CHANNEL = "tests/channels/webhooks/test_channel.py"
_TOLD = "tests/channels/webhooks/test_told.py"
_DESK = "tests/channels/webhooks/test_webhooks_desk.py"
_KEPT = "tests/daemon/test_webhooks.py"
_STREAM = "tests/channels/test_stream.py"
_EXAMPLES = "tests/examples/test_events_out.py"

ROWS: tuple[Requirement, ...] = (
    held(
        "out-01",
        "A webhook is told what waits, how it ended and what became of it, of notes and of tries, signed as "
        "the Standard Webhooks specification has it.",
        "",
        f"{_TOLD}::test_which_change_is_which_event",
        f"{_DELIVERY}::test_an_event_arrives_signed_and_in_its_shape",
        f"{_DESK}::test_an_ask_and_its_end_arrive_signed",
    ),
    held(
        "out-02",
        "It is told who asks and which kind; texts, masked and cut, only where the person chose that.",
        "",
        f"{_TOLD}::test_usually_who_asks_and_which_kind",
        f"{_TOLD}::test_usually_no_text_of_any_kind",
        f"{_TOLD}::test_with_what_all_that_a_card_shows",
        f"{_TOLD}::test_what_somebody_typed_for_a_program_is_for_it_alone",
        f"{_TOLD}::test_much_is_cut_and_says_how_long_it_is",
        f"{_TOLD}::test_nothing_of_others_hides_or_commands",
        f"{_DESK}::test_with_what_secrets_are_masked",
    ),
    held(
        "out-03",
        "What is not taken is tried again, ever later and as its receiver wants, in its order; 410 ends it.",
        "",
        f"{_DELIVERY}::test_order_is_kept_while_the_first_is_tried_again",
        f"{_DELIVERY}::test_pauses_grow_and_then_it_is_given_up_and_the_next_says_so",
        f"{_DELIVERY}::test_pauses_have_jitter",
        f"{_DELIVERY}::test_a_receiver_says_when_to_try_again",
        f"{_DELIVERY}::test_gone_ends_it",
        f"{_CHANNEL}::test_one_that_wants_no_more_is_told_of_in_words",
    ),
    held(
        "out-04",
        "What waits for a webhook is bounded; what will never come is seen by its receiver and told to the "
        "person.",
        "",
        f"{_DELIVERY}::test_too_many_drop_the_oldest_and_the_next_says_how_many",
        f"{_CHANNEL}::test_too_much_at_once_is_a_gap",
        f"{_DESK}::test_a_restart_keeps_webhooks_and_is_seen_in_what_comes_next",
    ),
    held(
        "out-05",
        "A receiver that is slow or away delays no other, nor the desk's end.",
        "",
        f"{_CHANNEL}::test_one_that_hangs_delays_no_other",
        f"{_CHANNEL}::test_it_ends_with_the_desk",
        f"{_DELIVERY}::test_one_that_hangs_for_ever_has_one_thread_and_is_told",
        f"{_SEND}::test_one_that_drips_has_the_same_deadline",
    ),
    held(
        "out-06",
        "Only https, verified, leaves the own network; no redirect is followed; of an answer nothing but its "
        "status and its pause counts.",
        "",
        f"{_SEND}::test_a_certificate_is_verified",
        f"{_SEND}::test_a_name_that_leads_outside_is_told_nothing_unencrypted",
        f"{_SEND}::test_addresses_that_no_webhook_has",
        f"{_SEND}::test_a_redirect_is_not_followed",
        f"{_DESK}::test_addresses_that_are_refused_are_refused_in_words",
    ),
    held(
        "out-07",
        "Only the person of this computer adds, sees and removes webhooks; a row of somebody else is not "
        "taken up.",
        "",
        f"{_DESK}::test_no_agent_adds_one",
        f"{_KEPT}::test_no_device_adds_or_sees_one",
        f"{_KEPT}::test_a_row_of_somebody_else_is_not_taken_up",
        f"{_KEPT}::test_what_was_removed_does_not_come_back_by_being_copied_back",
        f"{_CHANNEL}::test_one_that_was_removed_is_told_nothing_more",
    ),
    held(
        "out-08",
        "Secrets, passwords and queries of addresses are shown once or never, and not logged.",
        "",
        f"{_KEPT}::test_one_is_added_and_its_secret_shown_once",
        f"{_DESK}::test_an_ask_and_its_end_arrive_signed",
        f"{_CHANNEL}::test_what_is_wrong_names_the_host_alone",
    ),
    held(
        "out-09",
        "Programs follow the desk by lines of JSON: versioned, counted, described, over its restarts.",
        "",
        f"{_STREAM}::test_a_snapshot_has_the_version_and_a_count",
        f"{_STREAM}::test_lines_count_what_waits",
        f"{_STREAM}::test_every_type_is_described",
        f"{_STREAM}::test_a_restart_is_a_line_and_nothing_is_missed",
        f"{_STREAM}::test_a_desk_that_stays_away_is_told_once",
        f"{_STREAM}::test_once_is_the_state_and_an_end",
        f"{_STREAM}::test_it_ends_quietly_once_nobody_reads",
    ),
    held(
        "out-10",
        "Who reads those lines is nobody who watches.",
        "",
        f"{_STREAM}::test_it_is_nobody_who_watches",
    ),
    held(
        "out-11",
        "The examples for tmux, Waybar and a light do what their pages say.",
        "",
        f"{_EXAMPLES}::test_the_status_line_of_tmux_says_how_many_wait_and_then_no_more",
        f"{_EXAMPLES}::test_a_module_of_waybar_is_text_tooltip_and_class",
        f"{_EXAMPLES}::test_a_light_is_on_while_something_waits_and_believes_what_is_signed",
    ),
)
