"""One watcher's stream: in order, bounded, and it loses nothing when a read is given up."""

from __future__ import annotations

import asyncio

import pytest

from sayso.core.types import Settings
from sayso.daemon import changes as module
from sayso.daemon.feed import Feed
from sayso.wire.views import Change


def change(seq: int, kind: str = "settings") -> Change:
    return Change(type=kind, boot="b", seq=seq, settings=Settings())


class Kept:
    def __init__(self) -> None:
        self.forgotten: list[Feed] = []
        self.snapshots = 0
        self.feed = Feed(self.snapshot, self.forgotten.append)

    def snapshot(self) -> Change:
        self.snapshots += 1
        return change(-self.snapshots, "snapshot")

    async def next(self) -> int:
        return (await asyncio.wait_for(anext(self.feed), 5)).seq


async def test_in_order() -> None:
    kept = Kept()
    kept.feed.begin([(change(1), 0), (change(2), 0)])
    kept.feed.put(change(3))
    assert [await kept.next() for _ in range(3)] == [1, 2, 3]


async def test_a_read_waits_for_what_comes() -> None:
    kept = Kept()
    reading = asyncio.ensure_future(kept.next())
    await asyncio.sleep(0)
    assert not reading.done()
    kept.feed.put(change(1))
    assert await reading == 1


async def test_a_read_that_is_given_up_loses_nothing() -> None:
    kept = Kept()
    reading = asyncio.ensure_future(anext(kept.feed))
    await asyncio.sleep(0)
    kept.feed.put(change(1))
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await kept.next() == 1


async def test_who_reads_too_slowly_gets_a_snapshot_for_what_was_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "KEPT_CHANGES", 3)
    kept = Kept()
    for seq in range(1, 5):
        kept.feed.put(change(seq))
    kept.feed.put(change(5))
    assert [await kept.next() for _ in range(2)] == [-1, 5]
    assert kept.snapshots == 1


async def test_the_end() -> None:
    kept = Kept()
    reading = asyncio.ensure_future(anext(kept.feed))
    await asyncio.sleep(0)
    kept.feed.close()
    with pytest.raises(StopAsyncIteration):
        await reading
    assert kept.forgotten == [kept.feed]
    kept.feed.close()
    assert [one async for one in kept.feed] == []


async def test_what_was_not_read_is_dropped_at_the_end() -> None:
    kept = Kept()
    kept.feed.put(change(1))
    kept.feed.close()
    assert [one async for one in kept.feed] == []
