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

LISTS = ("requests", "ended", "sessions", "messages")


def split(change: Change, limit_bytes: int = MAX_CHUNK_BYTES) -> Iterator[dict[str, Any]]:
    """Yield a change as objects for the wire; a snapshot as several, all but the last `more`."""
    if change.snapshot is None:
        yield msgspec.to_builtins(change)
        return
    pieces = list(_pieces(change.snapshot, limit_bytes))
    for index, piece in enumerate(pieces):
        shown = msgspec.to_builtins(replace(change, snapshot=piece))
        yield {**shown, "more": True} if index < len(pieces) - 1 else shown


def _pieces(snapshot: Snapshot, limit_bytes: int) -> Iterator[Snapshot]:
    empty = replace(snapshot, **dict.fromkeys(LISTS, ()))
    held = _no_items()
    size_bytes = 0
    for name in LISTS:
        for item in getattr(snapshot, name):
            item_bytes = len(msgspec.json.encode(item))
            if size_bytes and size_bytes + item_bytes > limit_bytes:
                yield replace(empty, **{key: tuple(items) for key, items in held.items()})
                held, size_bytes = _no_items(), 0
            held[name].append(item)
            size_bytes += item_bytes
    yield replace(empty, **{key: tuple(items) for key, items in held.items()})


def _no_items() -> dict[str, list[Any]]:
    return {name: [] for name in LISTS}


def join(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the one change that `split` made these of."""
    whole = dict(pieces[-1])
    whole.pop("more", None)
    if len(pieces) > 1:
        snapshot = dict(whole["snapshot"])
        for name in LISTS:
            snapshot[name] = [item for piece in pieces for item in piece["snapshot"][name]]
        whole["snapshot"] = snapshot
    return whole
