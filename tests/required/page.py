"""The page: what waits, seen and answered in a browser."""

from __future__ import annotations

from tests.required import Requirement, held

CARDS = "tests/browser/test_cards.py::"
FIREFOX = "tests/browser/test_firefox.py::"
INBOX = "tests/browser/test_inbox.py::"
LIVE = "tests/browser/test_live.py::"
LOOKS = "tests/browser/test_looks.py::"
PRESENCE = "tests/browser/test_presence.py::"
PUSH = "tests/browser/test_push.py::"
SESSIONS = "tests/browser/test_sessions.py::"
STRANGERS = "tests/browser/test_strangers.py::"

ROWS: tuple[Requirement, ...] = (
    held(
        "page-01",
        "Every kind is answered on the page, by pointer and by keyboard alone, and by Claude Code's own "
        "account.",
        "000",
        "tests/contract/test_kinds_on_channels.py::test_an_answer_reaches_the_agent_as_it_was_meant",
        "tests/end_to_end/test_page.py::"
        "test_case_01_a_permission_is_given_on_the_page_and_followed_to_its_end",
        "tests/end_to_end/test_page.py::test_a_question_is_answered_on_the_page",
        "tests/end_to_end/test_page.py::test_case_24_a_plan_is_approved_on_the_page_into_a_mode",
    ),
    held(
        "page-02",
        "What is asked comes by itself, what is settled goes, and all pages agree.",
        "",
        LIVE + "test_what_is_asked_comes_by_itself_and_what_is_settled_goes",
        LIVE + "test_two_pages_agree_and_the_second_learns_who_was_first",
        LIVE + "test_many_tabs_of_one_browser_all_know_what_they_show",
    ),
    held(
        "page-03",
        "Overruled and lost are loud, on the card and beside it.",
        "",
        CARDS + "test_overruled_is_loud",
        CARDS + "test_lost_is_loud",
        CARDS + "test_what_the_terminal_settled_stays_for_a_while_and_says_so",
    ),
    held(
        "page-04",
        "A change is shown as a diff, a plan as a text that can be commented on, previews as they were "
        "written.",
        "",
        CARDS + "test_a_change_is_a_diff_and_a_command_whole",
        CARDS + "test_a_passage_of_a_plan_is_commented_on_and_goes_back_with_it",
        CARDS + "test_previews_of_options_are_shown_as_they_were_written",
        CARDS + "test_what_is_masked_is_said",
    ),
    held(
        "page-05",
        "No text of an agent is more than text: nothing of it runs, is fetched, or is a link to elsewhere "
        "than it shows.",
        "",
        CARDS + "test_no_text_of_an_agent_is_more_than_text",
        STRANGERS + "test_an_address_that_is_not_what_it_seems_is_no_link",
        STRANGERS + "test_the_way_from_the_page_to_a_stranger_tells_nothing",
    ),
    held(
        "page-06",
        "A command takes two steps, and Enter never runs it.",
        "001",
        CARDS + "test_a_command_takes_two_steps_and_enter_never_runs_it",
    ),
    held(
        "page-07",
        "Nothing is pressed by mistake: the focus goes to nothing that answers, and what was meant for one "
        "card does nothing on the next.",
        "",
        CARDS + "test_the_focus_never_goes_to_what_answers",
        CARDS + "test_a_key_that_was_meant_for_another_card_does_nothing",
        CARDS + "test_what_is_written_stays_while_others_come_and_go",
        INBOX + "test_what_is_open_stays_open",
    ),
    held(
        "page-08",
        "The keyboard is enough for all of the page, and keys of the browser stay the browser's.",
        "",
        INBOX + "test_the_keyboard_is_enough",
        INBOX + "test_a_key_with_a_modifier_is_the_browsers",
    ),
    held(
        "page-09",
        "Presence is told as it is: a page that is hidden, or left alone for long, holds no agent.",
        "",
        PRESENCE + "test_a_form_waits_only_while_somebody_looks",
        PRESENCE + "test_case_46_a_hidden_page_is_not_present",
        PRESENCE + "test_whoever_did_nothing_for_long_is_not_there",
        PRESENCE + "test_whoever_looks_tells_which_card_is_open",
    ),
    held(
        "page-10",
        "Away is one tap, and the same on every page.",
        "",
        PRESENCE + "test_away_is_one_tap_and_the_same_everywhere",
    ),
    held(
        "page-11",
        "Sessions say what they do; a message to one is sent, taken back and followed; all that waits is "
        "released at once.",
        "",
        SESSIONS + "test_a_session_says_what_it_does",
        SESSIONS + "test_a_message_is_sent_withdrawn_and_followed",
        SESSIONS + "test_everything_that_waits_is_released_at_once",
    ),
    held(
        "page-12",
        "Devices are paired by a code that works once, listed, and taken back at once; each can do what it "
        "was given and no more.",
        "",
        SESSIONS + "test_a_device_that_is_taken_back_sees_nothing_more_at_once",
        SESSIONS + "test_another_device_is_paired_from_the_page",
        SESSIONS + "test_whoever_may_only_see_has_nothing_to_press",
        STRANGERS + "test_a_link_is_good_for_one_browser",
    ),
    held(
        "page-13",
        "No other page has a hold on it: it is shown in no frame, shares nothing that it keeps, leaves its "
        "code in no history and its credential in no request but to the desk.",
        "",
        STRANGERS + "test_the_page_is_shown_in_no_frame",
        STRANGERS + "test_whoever_opens_the_page_has_no_hold_on_it",
        STRANGERS + "test_a_strangers_link_signs_nobody_out",
        STRANGERS + "test_nothing_that_is_kept_is_shared_with_a_stranger",
        STRANGERS + "test_the_code_of_a_link_stays_nowhere",
    ),
    held(
        "page-14",
        "Every view is for everybody: without a violation that axe finds, in the light and in the dark, "
        "from 320 pixels on, without motion, and read aloud.",
        "",
        LOOKS + "test_every_view_is_for_everybody_on_a_desktop_in_the_light",
        LOOKS + "test_every_view_is_for_everybody_on_a_narrow_phone_in_the_dark",
        LOOKS + "test_what_leads_in_is_for_everybody_too",
        LOOKS + "test_nothing_moves_for_who_wants_it_calm",
        LOOKS + "test_who_cannot_see_it_is_told_what_comes_and_what_became_of_it",
        INBOX + "test_on_a_phone_a_card_has_the_page_for_itself",
        CARDS + "test_letters_from_right_to_left_reorder_nothing_else",
    ),
    held(
        "page-15",
        "It is installed like an application, opens without a desk, and keeps nothing of what was asked.",
        "",
        LOOKS + "test_it_can_be_installed_and_opens_without_a_desk",
        LOOKS + "test_what_is_kept_holds_nothing_that_was_asked",
        PUSH + "test_a_push_is_a_notice_and_no_text_of_it_is_more_than_text",
        PUSH + "test_a_notice_is_replaced_without_a_sound_and_goes_when_it_was_answered_elsewhere",
    ),
    held(
        "page-16",
        "Under a name of its own without https it does without what browsers withhold there.",
        "",
        "tests/browser/test_plain.py::test_a_phone_without_https_sees_and_answers",
        "tests/browser/test_plain.py::test_it_comes_back_there_too",
    ),
    held(
        "page-17",
        "An answer that died with the desk before the agent had it is asked for again, in words, whether the "
        "page or the agent's hook is back first.",
        "",
        LIVE + "test_case_09_an_answer_that_died_with_the_desk_is_asked_for_again",
    ),
    held(
        "page-18",
        "It is no page for one browser alone: Firefox shows it and answers with it, by pointer and by "
        "keyboard.",
        "",
        FIREFOX + "test_a_permission_is_given_and_followed",
        FIREFOX + "test_the_keyboard_is_enough",
        FIREFOX + "test_questions_are_answered",
        FIREFOX + "test_a_selected_passage_of_a_plan_is_commented_on",
        FIREFOX + "test_case_43_allow_is_locked_until_the_end_was_on_the_screen",
        FIREFOX + "test_case_09_a_desk_that_crashed_comes_back_with_the_same_card",
    ),
)
