"""The rules that keep an answer deliberate, and the way of cards and answers over the screen."""

from __future__ import annotations

import pytest

from sayso.channels.screen.actions import Away, Bell, Load, Presence, Quit, Redraw, Release, Suspend
from sayso.core.types import Row
from tests.channels.fake_desk import elicitation, plan, question, suggested, view
from tests.channels.screen.person import Person

LONG = view(input=(Row(label="Command", value="\n".join(f"step {n}" for n in range(60)), code=True),))
SECOND = view("4444" + "0" * 28)


# --- allowing --------------------------------------------------------------------------


def test_a_allows_what_was_shown_whole() -> None:
    person = Person(view())
    assert "git push origin main" in person.look()
    person.press("a")
    assert person.replies == [{"behavior": "allow"}]


@pytest.mark.parametrize(
    "card", [view(), plan(), elicitation(), elicitation(fields=(), url="https://a.example")]
)
def test_enter_never_allows(card: object) -> None:
    person = Person(card)  # pyright: ignore[reportArgumentType]
    person.press("enter", "enter", "enter")
    assert person.sends == []
    assert "Enter never allows" in person.look()


def test_case_43_what_is_longer_than_the_screen_must_be_paged_through() -> None:
    person = Person(LONG)
    assert "space shows more" in person.look()
    person.press("a")
    assert person.sends == []
    assert "There is more of it" in person.look()
    while "space shows more" in person.look():
        person.press(" ")
    assert "step 59" in person.look()
    person.press("a")
    assert person.replies == [{"behavior": "allow"}]


def test_case_43_paging_shows_every_line() -> None:
    person = Person(LONG)
    seen = person.look()
    while "space shows more" in person.look():
        person.press(" ")
        seen += person.look()
    assert all(f"step {n}" in seen for n in range(60))
    person.press(*["b"] * 9)
    assert "step 0\n" in person.look()


def test_case_43_scrolling_by_lines_counts_as_well() -> None:
    person = Person(LONG)
    person.press(*["down"] * 99)
    person.press("up", "a")
    assert person.replies == [{"behavior": "allow"}]


def test_case_43_an_end_that_came_this_moment_was_not_read() -> None:
    person = Person(LONG)
    person.wait(5)
    while "space shows more" in person.look():
        person.press(" ", after_s=0.01)
    person.press("a", after_s=0.01)
    assert person.sends == []


def test_case_43_another_card_must_be_read_anew() -> None:
    person = Person(LONG, SECOND)
    person.press(*["page-down"] * 9)
    person.press("j", "k", "a")
    assert person.sends == []
    assert "There is more of it" in person.look()


def test_case_43_what_was_cut_is_fetched_and_read_before() -> None:
    cut = view(input=(Row(label="Command", value="echo", length=2000, code=True),))
    person = Person(cut)
    assert person.of(Load) == [Load(cut.id, 0)]
    person.press("a")
    assert person.sends == []
    assert "on its way" in person.look()
    person.model.loaded(cut.id, 0, Row(label="Command", value="echo\n" * 399 + "rm -r", code=True))
    person.press("a")
    assert person.sends == []
    while "space shows more" in person.look():
        person.press(" ")
    assert "rm -r" in person.look()
    person.press("a")
    assert person.replies == [{"behavior": "allow"}]


def test_case_43_what_nobody_can_show_needs_another_key() -> None:
    person = Person(view(input=(Row(label="Content", value="x", length=9, lost=True),)))
    person.model.loaded(view().id, 0, Row(label="Content", value="x", length=9, lost=True))
    person.press("a")
    assert person.sends == []
    assert "never left the agent's hook" in person.loud()
    person.press("x", "a", "u")
    assert person.sends == []
    person.press("a")
    assert person.replies == [{"behavior": "allow", "unseen": True}]


def test_case_44_a_suggestion_needs_its_number_and_enter() -> None:
    person = Person(view(suggestions=suggested("Always allow `git push *`", "Edits")))
    person.press("2")
    assert "Enter allows it and asks Claude Code for:" in person.look()
    assert person.sends == []
    person.press("enter")
    assert person.replies == [{"behavior": "allow", "suggestion": "1"}]


@pytest.mark.parametrize("name", ["escape", "a", "d", " ", "q"])
def test_case_44_any_other_key_goes_back_and_does_nothing_else(name: str) -> None:
    person = Person(view(suggestions=suggested("Always")))
    person.press("1", name)
    assert person.sends == []
    assert person.of(Quit) == []
    assert person.model.step is None


def test_case_44_a_suggestion_that_was_not_offered() -> None:
    person = Person(view(suggestions=suggested("Always")))
    person.press("3")
    assert "There is no suggestion 3" in person.look()
    person.press("enter")
    assert person.sends == []
    assert "there is no suggestion 3" in person.loud()


def test_case_44_suggestions_beyond_the_ninth() -> None:
    person = Person(view(suggestions=suggested(*map(str, range(1, 13)))), rows=40)
    person.press("1", "2", "enter")
    assert person.replies == [{"behavior": "allow", "suggestion": "11"}]


def test_case_44_a_suggestion_too_waits_for_the_end() -> None:
    person = Person(view(input=LONG.input, suggestions=suggested("Always")))
    person.press("1", "enter")
    assert person.sends == []


# --- denying and the rest --------------------------------------------------------------


def test_deny_with_a_reason() -> None:
    person = Person(view())
    person.press("d")
    person.write("not now, é")
    assert "> not now, é" in person.look()
    person.press("enter")
    assert person.replies == [{"behavior": "deny", "message": "not now, é"}]


def test_deny_without_a_reason_and_going_back() -> None:
    person = Person(view())
    person.press("d", "x", "escape")
    assert person.sends == []
    person.press("d", "enter")
    assert person.replies == [{"behavior": "deny"}]


def test_deny_and_stop_where_the_agent_can_be_stopped() -> None:
    person = Person(view())
    person.press("s", "enter")
    assert person.replies == [{"behavior": "deny", "interrupt": True}]
    other = Person(view(interrupt=False))
    other.press("s")
    assert "cannot be stopped" in other.look()
    assert other.model.step is None


def test_release_and_away() -> None:
    person = Person(view())
    person.press("r", "w")
    assert person.of(Release) == [Release(view().id)]
    assert person.of(Away) == [Away(True)]
    person.setting(away=True)
    assert "away" in person.look().splitlines()[0]
    person.press("w")
    assert person.of(Away)[-1] == Away(False)


def test_help_and_quit() -> None:
    person = Person(view())
    person.press("?")
    assert "Never allows" in person.look()
    person.press("a")
    assert person.sends == []
    person.press("q")
    assert person.of(Quit) == [Quit(0)]


def test_control_keys() -> None:
    person = Person(view())
    person.press("d", "ctrl-c", "ctrl-z", "ctrl-l")
    assert person.of(Quit) == [Quit(130)]
    assert person.of(Suspend) == [Suspend()]
    assert person.of(Redraw) == [Redraw()]


@pytest.mark.parametrize("name", ["z", "up", "tab", "7", "0", "t", "c", "n"])
def test_no_key_is_dead_and_none_answers_by_accident(name: str) -> None:
    person = Person(view())
    person.press(name)
    assert person.sends == []


def test_an_empty_screen_takes_every_key() -> None:
    person = Person()
    person.press(*"adsrctnjkwx123 b?", "x", "enter", "left", "right", "escape")
    assert person.sends == []
    assert "Nothing waits for you." in person.look()


# --- no accidents ----------------------------------------------------------------------


def test_a_key_just_after_another_card_came_is_ignored() -> None:
    person = Person()
    person.wait(10)
    person.change(view(), "shown")
    person.press("a", after_s=0.2)
    assert person.sends == []
    assert "was ignored" in person.look()
    person.press("a", after_s=0.2)
    assert person.replies == [{"behavior": "allow"}]


def test_a_key_just_after_the_next_card_is_ignored() -> None:
    person = Person(view(), SECOND)
    person.press("a")
    person.takes()
    person.press("a", "d", "1", "r", after_s=0.05)
    assert len(person.sends) == 1
    assert person.of(Release) == []
    person.press("a")
    assert [send.request_id for send in person.sends] == [view().id, SECOND.id]


def test_a_paste_is_never_taken_for_keys() -> None:
    person = Person(view())
    person.wait(5)
    person.paste("a\rd\r")
    assert person.sends == []
    assert person.model.step is None
    assert "paste" in person.look()


def test_a_paste_goes_into_text() -> None:
    person = Person(view())
    person.press("d")
    person.paste("because\nof q and a\r\n")
    person.press("enter")
    assert person.replies == [{"behavior": "deny", "message": "because\nof q and a\n"}]


def test_a_paste_does_not_confirm() -> None:
    person = Person(plan())
    person.press("a")
    person.paste("m")
    assert person.sends == []


def test_typing_into_a_request_that_ends_goes_nowhere() -> None:
    person = Person(view(), SECOND)
    person.press("d")
    person.write("no")
    person.moves(view().id, "withdrawn", ending="answered in the terminal: it ran")
    assert "what you type goes nowhere" in person.loud()
    person.wait(60)
    person.write("t quite awj")
    person.press("backspace", "left")
    assert person.model.deck.front == view().id
    assert person.of(Quit) == []
    assert person.of(Away) == []
    person.press("enter")
    assert person.sends == []
    assert person.model.step is None


# --- the way of cards and answers ------------------------------------------------------


def test_case_10_cards_in_order_and_counted() -> None:
    person = Person(view(), SECOND, question())
    assert "1 of 3 · 3f2a91bc" in person.look()
    person.press("j")
    assert "2 of 3 · 44440000" in person.look()
    person.press("k", "k")
    assert "3 of 3 · 77aa0000" in person.look()


def test_case_1_an_answer_is_followed_to_its_end() -> None:
    person = Person(view(), SECOND)
    person.press("a")
    assert "1 of 2" in person.look()
    person.takes()
    assert "44440000" in person.look()
    assert "answered, on its way" in person.look()
    person.moves(view().id, "delivered")
    assert "handed to the agent" in person.look()
    person.moves(view().id, "confirmed", ending="confirmed by the agent")
    assert "the agent acted on the answer" in person.look()
    person.wait(61)
    assert "acted on" not in person.look()


@pytest.mark.parametrize("state", ["overruled", "lost"])
def test_case_1_overruled_and_lost_are_loud_until_dismissed(state: str) -> None:
    person = Person(view(), SECOND)
    person.press("a")
    person.takes()
    person.moves(view().id, state)
    assert person.of(Bell) == [Bell()]
    assert state.upper() in person.loud()
    person.wait(600)
    assert state.upper() in person.loud()
    person.press("x")
    assert state.upper() not in person.look()


def test_what_another_channel_answered_is_loud_too_when_it_fails() -> None:
    person = Person(view(), SECOND)
    person.moves(SECOND.id, "answered")
    assert "44440000" not in person.look()
    person.moves(SECOND.id, "lost")
    assert "44440000" in person.loud()


def test_case_3_a_card_settled_elsewhere_says_so_and_then_makes_room() -> None:
    person = Person(view(), SECOND)
    person.moves(view().id, "withdrawn", ending="answered in the terminal: it ran")
    assert "answered in the terminal: it ran" in person.look()
    person.press("a", "d", "s", "r", "1", after_s=0.3)
    assert person.sends == []
    assert person.model.step is None
    assert "cannot be answered here" in person.look()
    person.wait(3)
    assert "1 of 1 · 44440000" in person.look()
    assert "No longer asked" not in person.look()
    assert "no longer asked: answered in the terminal" in person.look()


def test_a_card_settled_elsewhere_stays_while_nothing_else_waits() -> None:
    person = Person(view())
    person.moves(view().id, "withdrawn")
    person.wait(100)
    assert "No longer asked" in person.look()
    person.change(SECOND, "shown")
    person.wait(1)
    assert "1 of 1 · 44440000" in person.look()


def test_a_notice_has_no_buttons_and_gives_way() -> None:
    notice = view(state="deferred", notice=True, ending="it cannot be shown here")
    person = Person(ended=(notice,))
    assert "waits in its terminal: it cannot be shown here" in person.look()
    assert "1 notice" in person.look()
    person.press("a", "d", "r")
    assert person.sends == []
    person.change(SECOND, "shown")
    assert "1 of 1 · 44440000" in person.look()
    person.press("j")
    assert "waits in its terminal" in person.look()


def test_forgotten_requests_go_but_not_from_under_the_reader() -> None:
    person = Person(view(), SECOND)
    person.change(SECOND, "forgotten")
    person.change(view(), "forgotten")
    assert "3f2a91bc" in person.look()
    assert list(person.model.deck.views) == [view().id]


def test_case_18_a_refused_answer_keeps_the_card_and_the_text() -> None:
    person = Person(view())
    person.press("d")
    person.write("why")
    person.press("enter")
    person.actions += person.model.refused(view().id, "a message has at most 4000 characters")
    assert "3f2a91bc: a message has at most 4000 characters" in person.loud()
    assert "> why" in person.look()


# --- the desk goes and comes -----------------------------------------------------------


def test_a_desk_that_is_away_is_told_and_no_key_is_dead() -> None:
    person = Person(view(), SECOND)
    person.model.lost_link("the desk went away")
    assert "DESK AWAY" in person.loud()
    person.press("a", "r", "w", "1", "d")
    assert person.sends == []
    assert person.of(Release) == []
    assert person.of(Away) == []
    assert "nothing can be sent" in person.look()
    person.press("j")
    assert "2 of 2" in person.look()
    person.snapshot(view(), SECOND)
    assert "DESK AWAY" not in person.look()
    assert "2 of 2" in person.look()


def test_case_2_an_answer_that_the_break_kept_goes_again_under_its_key() -> None:
    person = Person(view())
    person.press("a")
    person.model.lost_link("the desk went away")
    person.actions += person.model.unsent(person.sends[0], person.now_s)
    assert "goes again" in person.look()
    person.snapshot(view())
    assert person.sends[1] == person.sends[0]


def test_case_9_another_desk_gets_no_old_answer() -> None:
    person = Person(view())
    person.press("a")
    person.model.lost_link("the desk went away")
    person.model.unsent(person.sends[0], person.now_s)
    person.snapshot(view(), boot="b2")
    assert len(person.sends) == 1
    assert "Answer again" in person.loud()


def test_case_9_what_comes_back_after_a_restart_is_to_be_answered_again() -> None:
    person = Person(view(), SECOND)
    person.press("a")
    person.takes()
    person.snapshot(boot="b2")
    assert "the desk does not know it any more" in person.look()
    person.change(view(), "shown")
    assert "3f2a91bc waits again" in person.loud()
    assert view().id in person.model.deck.pending()


def test_case_9_the_card_in_front_survives_a_restart() -> None:
    person = Person(view(), SECOND)
    person.press("j", "d")
    person.write("be")
    person.snapshot(boot="b2")
    person.change(view(), "shown")
    person.change(SECOND, "shown")
    person.write("cause")
    person.press("enter")
    assert [send.request_id for send in person.sends] == [SECOND.id]
    assert person.replies == [{"behavior": "deny", "message": "because"}]


# --- presence --------------------------------------------------------------------------


def test_presence_by_keys() -> None:
    person = Person(view())
    assert person.of(Presence) == [Presence(True, (view().id,))]
    person.wait(29)
    assert len(person.of(Presence)) == 1
    person.wait(1)
    assert len(person.of(Presence)) == 2
    person.press("z")
    assert len(person.of(Presence)) == 3
    person.press("z", after_s=0.1)
    assert len(person.of(Presence)) == 3
    person.wait(121)
    assert person.of(Presence)[-1] == Presence(False, (view().id,))


def test_presence_by_focus() -> None:
    person = Person(view())
    person.actions += person.model.focus(False, person.now_s)
    assert person.of(Presence)[-1].present is False
    person.press("z")
    assert person.of(Presence)[-1].present is False
    person.actions += person.model.focus(True, person.now_s)
    person.wait(1000)
    assert person.of(Presence)[-1].present is True


def test_presence_names_the_open_card_alone() -> None:
    person = Person(view(), SECOND)
    person.press("j")
    assert person.of(Presence)[-1].open == (SECOND.id,)
    person.moves(SECOND.id, "withdrawn")
    assert person.of(Presence)[-1].open == ()


def test_presence_is_told_to_another_connection_at_once() -> None:
    person = Person(view())
    person.snapshot(view())
    assert len(person.of(Presence)) == 2
