"""The last changes: within bounds of their number and their size, the oldest go first."""

from __future__ import annotations

import pytest

from sayso.core.types import Settings
from sayso.daemon import changes as module
from sayso.daemon.changes import Changes, size_of
from sayso.daemon.feed import Feed
from sayso.wire.views import Change

LARGE = 60


def change(seq: int) -> Change:
    return Change(type="settings", boot="b", seq=seq, settings=Settings())


def seqs(kept: Changes) -> list[int]:
    return [one.seq for one, _ in kept.since(0)]


def test_what_is_too_much_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_BYTES", 100)
    kept = Changes()
    for seq, size_bytes in enumerate((10, 10, LARGE, 10, LARGE), start=1):
        kept.keep(change(seq), size_bytes)

    assert seqs(kept) == [4, 5]


def test_one_that_is_larger_than_all_of_it_stays_until_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_BYTES", 100)
    kept = Changes()
    kept.keep(change(1), 10)
    kept.keep(change(2), 1000)
    assert seqs(kept) == [2]

    kept.keep(change(3), 10)

    assert seqs(kept) == [3]
    assert kept.fits(90)


def test_those_since_one_have_their_sizes() -> None:
    kept = Changes()
    for seq in (1, 2, 3):
        kept.keep(change(seq), seq)

    assert [(one.seq, size_bytes) for one, size_bytes in kept.since(1)] == [(2, 2), (3, 3)]


def test_a_size_is_about_that_of_its_json() -> None:
    assert 100 < size_of(change(1)) < 10_000


async def test_who_has_too_much_to_read_gets_a_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_BYTES", 100)
    feed = Feed(lambda: change(99), lambda _feed: None)
    feed.put(change(1), 1000)  # the first may be of any size
    assert (await anext(feed)).seq == 1

    feed.put(change(2), LARGE)
    feed.put(change(3), LARGE)

    assert (await anext(feed)).seq == 99
