"""The way of cards and answers over the screen; a desk that goes and comes; presence."""

from __future__ import annotations

import pytest

from sayso.channels.screen.actions import Away, Bell, Load, Presence, Release
from sayso.core.types import Row
from sayso.wire.views import RequestView
from tests.channels.fake_desk import question, view
from tests.channels.screen.person import Person

LONG = view(input=(Row(label="Command", value="\n".join(f"step {n}" for n in range(60)), code=True),))
SECOND = view("4444" + "0" * 28)


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
    person.model.lost_link()
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
    person.model.lost_link()
    person.actions += person.model.unsent(person.sends[0], person.now_s)
    assert "goes again" in person.look()
    person.snapshot(view())
    assert person.sends[1] == person.sends[0]


def test_case_9_another_desk_gets_no_old_answer() -> None:
    person = Person(view())
    person.press("a")
    person.model.lost_link()
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


WORDS = "echo fine\n" * 500
EVIL = "rm -rf ~"


def long_card() -> RequestView:
    return view(input=(Row(label="Command", value=WORDS[:4000], code=True, length=len(WORDS)),))


def read_to_its_end() -> Person:
    person = Person(long_card())
    person.model.loaded(view().id, 0, Row(label="Command", value=WORDS, code=True))
    person.press(*[" "] * 40)
    return person


def test_case_43_what_was_read_counts_not_for_what_another_desk_asks_under_its_id() -> None:
    person = read_to_its_end()
    person.snapshot(view(input=(Row(label="Command", value=EVIL, code=True),)), boot="b2")
    assert EVIL in person.look()
    person.press("a", after_s=0.1)
    assert person.sends == []
    person.press("a")
    assert len(person.sends) == 1


def test_case_43_nor_for_what_is_asked_under_it_later() -> None:
    person = read_to_its_end()
    person.moves(view().id, "withdrawn")
    person.change(person.views[view().id], "forgotten")
    person.change(view(input=(Row(label="Command", value=EVIL, code=True),)), "shown")
    assert EVIL in person.look()


def test_case_9_after_a_restart_a_long_row_is_fetched_again() -> None:
    person = read_to_its_end()
    person.actions.clear()
    person.snapshot(long_card(), boot="b2")
    assert person.of(Load) == [Load(view().id, 0)]
    person.press("a")
    assert person.sends == []


def test_what_was_taken_unseen_is_not_taken_for_what_comes_after() -> None:
    lost = view(input=(Row(label="Command", value="echo", code=True, length=9, lost=True),))
    person = Person(lost)
    person.press("a", "u")
    person.snapshot(lost, boot="b2")
    person.press("a")
    assert person.sends == []


def test_a_question_about_a_plan_is_no_answer_to_the_next_one() -> None:
    plan = view(kind="plan", modes=("default",), input=(Row(label="Plan", value="paint it"),))
    person = Person(plan)
    person.press("a")
    person.snapshot(view(kind="plan", modes=("default",), input=(Row(label="Plan", value=WORDS),)), boot="b2")
    person.press("m")
    assert person.sends == []


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
