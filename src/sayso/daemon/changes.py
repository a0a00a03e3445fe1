"""The last changes, for channels that come back: bounded by number and by size. Imports `wire`."""

from __future__ import annotations

from collections import deque

import msgspec

from sayso.wire.views import Change

KEPT_CHANGES = 1000
"""How many changes a channel may have missed and still catch up without a snapshot."""
KEPT_BYTES = 8 * 1024 * 1024
"""How large they may be together, as JSON: whoever may ask may ask much, and take it back."""


def size_of(change: Change) -> int:
    """Return about how large a change is, in bytes."""
    return len(msgspec.json.encode(change))


class Changes:
    """A queue of changes, the oldest first; each comes with its size."""

    def __init__(self) -> None:
        self._all: deque[tuple[Change, int]] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._all)

    def fits(self, size_bytes: int) -> bool:
        """Whether one more would be within the bounds."""
        return len(self._all) < KEPT_CHANGES and self._bytes + size_bytes <= KEPT_BYTES

    def add(self, change: Change, size_bytes: int) -> None:
        self._all.append((change, size_bytes))
        self._bytes += size_bytes

    def keep(self, change: Change, size_bytes: int) -> None:
        """Add a change; the oldest make room. One that is too large by itself is kept until the next."""
        while self._all and not self.fits(size_bytes):
            self.take()
        self.add(change, size_bytes)

    def take(self) -> Change:
        """Return the oldest, and keep it no longer."""
        change, size_bytes = self._all.popleft()
        self._bytes -= size_bytes
        return change

    def clear(self) -> None:
        self._all.clear()
        self._bytes = 0

    def since(self, seq: int) -> list[tuple[Change, int]]:
        """Return those after a change, with their sizes."""
        return [(change, size_bytes) for change, size_bytes in self._all if change.seq > seq]
