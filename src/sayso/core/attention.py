"""What a session wants of its person, derived each time from what the desk knows. Pure.

Nothing is kept for it: what is settled can leave nothing behind, and neither looking at a session
nor what its subagents do clears anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from sayso.core.states import State
from sayso.core.types import Attention, EventType, HookEvent, Request

_LAST_WORDS = {EventType.STOP_FAILED: Attention.ERROR, EventType.IDLE: Attention.NEEDS_INPUT}


def wants(event: HookEvent, before: str) -> str:
    """Return what a session wants after an event of its main agent: error, needs_input or ""."""
    if event.type is EventType.IDLE and before == Attention.ERROR:
        return before  # it waits because of it
    return _LAST_WORDS.get(event.type, "")


def attention(wanted: str, requests: Iterable[Request]) -> Attention:
    """Return the first of the words of Attention that is true of a session.

    Args:
        wanted: what its agent's last word was (`Session.wants`).
        requests: those of the session, by whichever way they came.
    """
    kept = list(requests)
    if wanted == Attention.ERROR:
        return Attention.ERROR
    if any(request.notice for request in kept):
        return Attention.BLOCKED
    if wanted == Attention.NEEDS_INPUT:
        return Attention.NEEDS_INPUT
    if any(request.state is State.PENDING for request in kept):
        return Attention.NEEDS_RESPONSE
    return Attention.NORMAL
