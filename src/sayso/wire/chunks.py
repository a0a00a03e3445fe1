"""A snapshot in pieces that fit a line, and whole again.

Imports msgspec and `views`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from sayso.wire.protocol import MAX_CHUNK_BYTES
from sayso.wire.views import Change, Snapshot

_AROUND_BYTES = 100
"""What is around a change on the wire: its method, and "more"."""
LISTS = ("requests", "ended", "sessions", "messages", "alerts", "notes", "grants")
"""Every list of a snapshot: what is none of these would stand in each piece."""


def split(change: Change, limit_bytes: int = MAX_CHUNK_BYTES) -> Iterator[dict[str, Any]]:
    """Yield a change as objects for the wire; a snapshot as several, all but the last `more`.

    Each is at most as long as the limit, as JSON; an item that is longer by itself stands alone.
    """
    if change.snapshot is None:
        yield msgspec.to_builtins(change)
        return
    pieces = list(_pieces(change, change.snapshot, limit_bytes))
    for piece in pieces[:-1]:
        yield {**msgspec.to_builtins(piece), "more": True}
    yield msgspec.to_builtins(pieces[-1])


def _pieces(change: Change, snapshot: Snapshot, limit_bytes: int) -> Iterator[Change]:
    empty = replace(snapshot, **dict.fromkeys(LISTS, ()))
    bare_bytes = len(msgspec.json.encode(replace(change, snapshot=empty))) + _AROUND_BYTES
    held, size_bytes = _no_items(), bare_bytes
    for name in LISTS:
        for item in getattr(snapshot, name):
            item_bytes = len(msgspec.json.encode(item)) + 1  # a comma
            if size_bytes > bare_bytes and size_bytes + item_bytes > limit_bytes:
                yield _piece(change, empty, held)
                held, size_bytes = _no_items(), bare_bytes
            held[name].append(item)
            size_bytes += item_bytes
    yield _piece(change, empty, held)


def _piece(change: Change, empty: Snapshot, held: dict[str, list[Any]]) -> Change:
    return replace(change, snapshot=replace(empty, **{name: tuple(items) for name, items in held.items()}))


def _no_items() -> dict[str, list[Any]]:
    return {name: [] for name in LISTS}


def join(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the one change that `split` made these of."""
    whole = dict(pieces[-1])
    whole.pop("more", None)
    if len(pieces) > 1:
        snapshot = dict(whole["snapshot"])
        for name in LISTS:
            snapshot[name] = [item for piece in pieces for item in piece["snapshot"].get(name, ())]
        whole["snapshot"] = snapshot
    return whole
