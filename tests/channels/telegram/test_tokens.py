"""Words of buttons: short, unguessable, bound to one message, and of one run of the desk."""

from __future__ import annotations

from sayso.channels.telegram import tokens as module
from sayso.channels.telegram.tokens import Action, Tokens

ALLOW = Action(7, "r1", "allow")


def test_a_word_is_short_whatever_it_stands_for() -> None:
    for name in ("allow", "cancel", "a|b|c", "x" * 500, "größer" * 40):
        word = Tokens().give(Action(7, "req" * 100, name))
        assert 1 <= len(word.encode()) <= 64
        assert name not in word


def test_the_same_action_has_the_same_word_and_another_has_another() -> None:
    tokens = Tokens()
    assert tokens.give(ALLOW) == tokens.give(ALLOW)
    assert tokens.give(ALLOW) != tokens.give(ALLOW._replace(name="deny"))


def test_no_word_is_given_twice_in_two_runs_and_an_earlier_one_is_known_as_such() -> None:
    before, now = Tokens(), Tokens()
    word = before.give(ALLOW)
    assert now.give(ALLOW) != word
    assert now.find(word, 7, 1) is None
    assert now.is_of_earlier(word)
    assert not before.is_of_earlier(word)
    assert not now.is_of_earlier("made up")


def test_a_word_counts_in_its_chat_and_message_alone() -> None:
    tokens = Tokens()
    word = tokens.give(ALLOW)
    tokens.bind(7, "r1", 1)
    assert tokens.find(word, 7, 1) == ALLOW
    assert tokens.find(word, 8, 1) is None
    assert tokens.find(word, 7, 2) is None


def test_a_tap_may_be_sooner_than_the_word_where_the_message_is() -> None:
    tokens = Tokens()
    word = tokens.give(ALLOW)
    assert tokens.find(word, 7, 1) == ALLOW
    assert tokens.find(word, 7, 2) is None


def test_ended_words_mean_nothing() -> None:
    tokens = Tokens()
    word, other = tokens.give(ALLOW), tokens.give(ALLOW._replace(subject="r2"))
    tokens.end(7, "r1")
    assert tokens.find(word, 7, 1) is None
    assert tokens.find(other, 7, 2) is not None


def test_there_is_a_bound() -> None:
    tokens = Tokens()
    first = tokens.give(ALLOW)
    for number in range(module.MOST):
        tokens.give(Action(7, f"other{number}", "allow"))
    assert tokens.find(first, 7, 1) is None
