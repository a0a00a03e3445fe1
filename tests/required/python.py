"""Python: the desk as an object in a program of somebody's own."""

from __future__ import annotations

from tests.required import Requirement, held

ROWS: tuple[Requirement, ...] = (
    held(
        "python-01",
        "Python programs have the desk as an object in their own process: they ask and wait, and answer.",
        "000",
        "tests/store/test_asking.py::test_an_ask_waits_until_it_is_answered",
        "tests/store/test_asking.py::test_a_question_is_answered_in_positions",
        "tests/store/test_asking.py::test_what_is_answered_is_gone",
        "tests/store/test_asking.py::test_a_reply_that_does_not_fit_leaves_it_pending",
        "tests/store/test_asking.py::test_cancelling_withdraws_it",
        "tests/store/test_asking.py::test_what_cannot_be_shown_safely_decides_nothing_at_once",
        "tests/store/test_howto.py::test_a_program_of_the_page",
    ),
    held(
        "python-02",
        "In a program, Codex is answered only where the person chose so, and waits for a short time.",
        "000",
        "tests/store/test_asking.py::test_codex_is_not_shown_unless_the_person_chose_it",
        "tests/store/test_asking.py::test_switching_codex_off_withdraws_what_waits",
        "tests/store/test_asking.py::test_how_long_codex_waits",
    ),
    held(
        "python-03",
        "A program passes on events and learns of changes, answers, interruptions and turns that go on.",
        "000",
        "tests/store/test_events.py::test_what_an_event_withdraws",
        "tests/store/test_events.py::test_a_late_event_never_withdraws_a_newer_request",
        "tests/store/test_events.py::test_of_equal_calls_the_oldest_is_withdrawn",
        "tests/store/test_events.py::test_run_observes_until_there_is_nothing_more",
        "tests/store/test_events.py::test_what_it_does_not_act_on",
        "tests/store/test_asking.py::test_it_is_told_of_changes",
        "tests/store/test_asking.py::test_a_session_that_was_answered_works",
        "tests/store/test_asking.py::test_a_hook_that_ends_long_before_its_time_was_interrupted",
    ),
    held(
        "python-04",
        "A program queues messages; its Stop hook takes one, and puts it back unless that came too late.",
        "000",
        "tests/store/test_messages.py::test_the_stop_hook_takes_it_once",
        "tests/store/test_messages.py::test_what_was_not_delivered_is_put_back",
        "tests/store/test_messages.py::test_unless_a_newer_one_was_queued",
        "tests/store/test_messages.py::test_or_its_turn_is_over",
        "tests/store/test_messages.py::test_the_program_decides_which_sessions_take_one",
        "tests/store/test_messages.py::test_it_is_listed_masked_and_delivered_as_written",
    ),
    held(
        "python-05",
        "A daemon gets the methods that hooks call, a server the routes, which leave authentication to it.",
        "000",
        "tests/store/test_methods.py::test_a_hook_asks_and_waits",
        "tests/store/test_methods.py::test_a_hook_takes_a_message_at_once",
        "tests/store/test_methods.py::test_the_list",
        "tests/store/test_methods.py::test_an_answer",
        "tests/store/test_methods.py::test_the_settings",
        "tests/store/test_methods.py::test_a_message",
    ),
    held(
        "python-06",
        "The public names have types that a strict checker sees, and load nothing before they are used.",
        "",
        "tests/store/test_names.py::test_nothing_is_loaded_before_it_is_asked_for",
        "tests/store/test_names.py::test_constants",
        "tests/typing/test_typing.py::test_a_program_is_checked_strictly",
    ),
)
