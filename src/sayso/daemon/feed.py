"""One watcher's stream of changes, kept in order and bounded.

A watcher that reads too slowly loses its place, not the desk its memory: what it has
not read is dropped and it gets a snapshot instead. Imports `wire`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from sayso.daemon.changes import Changes
from sayso.wire.views import Change


class Feed:
    """An async iterator of changes; ends by StopAsyncIteration once closed.

    Args:
        show: returns of a change what its watcher is shown.
    """

    def __init__(
        self,
        snapshot: Callable[[], Change],
        forget: Callable[[Feed], None],
        show: Callable[[Change], Change] = lambda change: change,
    ) -> None:
        self._snapshot = snapshot
        self._show = show
        self._forget = forget
        self._unread = Changes()
        self._ready = asyncio.Event()
        self._closed = False

    def begin(self, changes: Iterable[tuple[Change, int]]) -> None:
        for change, size_bytes in changes:
            self._unread.add(change, size_bytes)
        self._ready.set()

    def put(self, change: Change, size_bytes: int = 0) -> None:
        """Add a change. One too many, or too much, and a snapshot as of now stands for all."""
        if len(self._unread) and not self._unread.fits(size_bytes):
            self._unread.clear()
            self._unread.add(self._snapshot(), 0)
        else:
            self._unread.add(change, size_bytes)
        self._ready.set()

    def close(self) -> None:
        """End the stream; what was not read is dropped."""
        self._closed = True
        self._unread.clear()
        self._ready.set()
        self._forget(self)

    def __aiter__(self) -> Feed:
        return self

    async def __anext__(self) -> Change:
        while not len(self._unread):
            if self._closed:
                raise StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()
        return self._show(self._unread.take())
