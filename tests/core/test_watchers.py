"""Who watches: what is known of channels that fell silent."""

from __future__ import annotations

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
