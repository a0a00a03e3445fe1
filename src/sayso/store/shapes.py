"""What a `Store` and the program around it hand each other, beside the core's own shapes.

Imports `wire` and `core`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import msgspec

from sayso.core.types import Ask, EventType, HookEvent
from sayso.wire.codec import decode_ask

Params = bytes | str | Mapping[str, Any]
"""Parameters of a method: JSON, or what it says."""
Method = Callable[[Params], dict[str, Any]]
Wait = Callable[[Params], Awaitable[dict[str, Any]]]
Told = Callable[[str, str, float], None]
"""Told of an agent, its session's id, and when: seconds of the store's clock."""
_ACTED_ON = frozenset(EventType)


class Sessions(Protocol):
    """What a program knows of sessions by itself."""

    def lookup(self, agent: str, session_id: str, /) -> str | None:
        """Return what a session does: working, waiting, idle or ended; None for one not known."""
        ...


def match(event: HookEvent) -> bool:
    """Whether `Store.observe` acts on an event: what else an agent tells need not be passed on."""
    return bool(event.agent and event.session_id) and event.type in _ACTED_ON


def as_json(params: Params) -> bytes:
    if isinstance(params, bytes):
        return params
    return params.encode("utf-8", "replace") if isinstance(params, str) else msgspec.json.encode(params)


def ask_of(params: Params) -> Ask:
    """Return the ask of a method's parameters; its start may be RFC 3339, as in the protocol.

    Raises: BadRequest, naming the field.
    """
    return decode_ask(as_json(params))[0]
