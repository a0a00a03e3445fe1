"""The rules that keep an answer deliberate."""

from __future__ import annotations

import pytest

from sayso.channels.screen.actions import Away, Bell, Load, Quit, Redraw, Release, Suspend
from sayso.core.types import Row
from tests.channels.fake_desk import elicitation, plan, suggested, view
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


# --- messages --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "queued: the agent gets it after its next tool call"),
        ({"why": "the session is idle"}, "queued: the session is idle"),
        ({"state": "handed_over"}, "handed to the agent"),
        ({"state": "dropped", "why": "dropped: a new prompt was typed"}, "dropped: a new prompt was typed"),
        ({"state": "uncertain", "why": "send it again"}, "UNCERTAIN"),
    ],
)
def test_case_54_where_a_message_stands_is_told(fields: dict[str, str], words: str) -> None:
    person = Person(view())
    person.message(**fields)
    shown = " ".join(person.look().split())
    assert "Session 0c7d8e55, message “look there”:" in shown
    assert words in shown


# --- alerts ----------------------------------------------------------------------------


def test_case_51_an_agents_try_is_told_loudly_beside_the_card_and_asks_nothing() -> None:
    person = Person(view())
    person.alert()
    assert "Claude Code in shop tried to answer by itself, and was refused" in person.loud()
    assert person.of(Bell) == [Bell()]
    assert "1 of 1 · 3f2a91bc" in person.look()
    person.press("j")
    assert "tried to answer" not in person.look()
    assert person.sends == []
