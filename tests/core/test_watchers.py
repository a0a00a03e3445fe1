"""Who watches: what is known of channels that fell silent."""

from __future__ import annotations

from math import inf

import pytest

from sayso.core import watchers
from sayso.core.bounds import WATCH_S
from sayso.core.types import Presence, Settings
from sayso.core.watchers import Watchers


def test_pages_that_were_closed_are_forgotten_after_a_while() -> None:
    watchers = Watchers()
    for page in range(100):
        watchers.set(f"page {page}", Presence(present_s=float(page), open=("r1",)))
    watchers.forget_absent(WATCH_S + 50.5)
    assert len(watchers) == 49
    assert watchers.has_open("r1")
    watchers.forget_absent(WATCH_S + 1000)
    assert len(watchers) == 0
    assert not watchers.has_open("r1")


def test_a_channel_that_reaches_its_person_elsewhere_stays() -> None:
    watchers = Watchers()
    watchers.set("telegram", Presence(reaches=True))
    watchers.forget_absent(1e6)
    assert watchers.until(Settings(away=True)) == float("inf")


def test_one_who_was_never_there_is_not_kept() -> None:
    watchers = Watchers()
    watchers.set("page", Presence(open=("r1",)))
    watchers.forget_absent(1.0)
    assert len(watchers) == 0


def test_so_many_are_kept_and_the_ones_heard_of_longest_ago_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "MOST_WATCHERS", 3)
    all_of_them = Watchers()
    all_of_them.set("telegram", Presence(present_s=None, reaches=True))
    for name in ("first", "second", "first", "third"):
        all_of_them.set(name, Presence(present_s=100.0, open=(name,)))
    assert len(all_of_them) == 3
    assert not all_of_them.has_open("second")
    assert all_of_them.has_open("first")
    assert all_of_them.until(Settings(away=True)) == inf
