"""What a `Store` and the program around it hand each other, beside the core's own shapes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import msgspec

Params = bytes | str | Mapping[str, Any]
"""Parameters of a method: JSON, or what it says."""
Method = Callable[[Params], dict[str, Any]]
Wait = Callable[[Params], Awaitable[dict[str, Any]]]
Told = Callable[[str, str, float], None]
"""Told of an agent, its session's id, and when: seconds of the store's clock."""


class Sessions(Protocol):
    """What a program knows of sessions by itself."""

    def lookup(self, agent: str, session_id: str, /) -> str | None:
        """Return what a session does: working, waiting, idle or ended; None for one not known."""
        ...


def as_json(params: Params) -> bytes:
    if isinstance(params, bytes):
        return params
    return params.encode("utf-8", "replace") if isinstance(params, str) else msgspec.json.encode(params)
