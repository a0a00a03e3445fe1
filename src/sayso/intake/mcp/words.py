"""What the model is told: which of the ends it was, in words, and that nothing was decided where so.

The same for every agent, as an object and as text: some show the model the one, some
the other. Imports msgspec, `client`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from sayso.client.aio import Outcome
from sayso.errors import BadRequest, SaysoError, Unavailable

_NOTHING = "Nothing was decided: this is neither a yes nor a no."
_GO_ON = "Do not ask it again by yourself: go on without it, or stop and say what you need."


class Told(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A result. `pending`: the question is still open. `message`: all of it, in words."""

    status: Literal["answered", "pending", "cancelled", "timed_out", "told"]
    message: str
    request_id: str = ""
    pending: bool = False
    value: str | None = None
    reason: str | None = None

    @property
    def members(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return msgspec.to_builtins(self)


def pending(request_id: str) -> Told:
    message = (
        "The person has not answered yet. Nothing is decided, and the question stays open. Call ask_wait "
        f'with request_id "{request_id}" to go on waiting; do not ask again.'
    )
    return Told(status="pending", pending=True, request_id=request_id, message=message)


def told() -> Told:
    return Told(status="told", message="The person is told. There is no answer to wait for.")


def ended(kind: str, outcome: Outcome) -> Told:
    """Return what is said of a question of a kind that is over."""
    if outcome.action == "ok":
        value = outcome.value or ""
        return Told(
            status="answered", request_id=outcome.request_id, value=value, message=_answered(kind, value)
        )
    if outcome.action == "timeout":
        message = f"Nobody answered in time, and the question is closed. {_NOTHING} {_GO_ON}"
        return Told(status="timed_out", request_id=outcome.request_id, message=message)
    why = f" The reason given: {outcome.reason}" if outcome.reason else ""
    message = f"The question was cancelled before it was answered. {_NOTHING} {_GO_ON}{why}"
    reason = outcome.reason or None
    return Told(status="cancelled", request_id=outcome.request_id, message=message, reason=reason)


def _answered(kind: str, value: str) -> str:
    if kind == "confirm-command":
        return (
            "The person confirmed the command, in two steps. It has not been run: you may run it now, "
            "exactly as it was shown."
        )
    if kind == "text" and not value:
        return "The person answered with an empty text."
    return f"The person answered: {value}"


def failed(error: SaysoError) -> str:
    """Return what is said of a call that asked nobody."""
    if isinstance(error, Unavailable):
        return (
            f"The person cannot be asked now: {error}. {_NOTHING} Trying again at once will not help: "
            "say in the conversation what you need."
        )
    if isinstance(error, BadRequest):
        return f"Nobody was asked, because of the arguments: {error}"
    return f"Nobody was asked: {error}"
