"""Why a question has no answer. Imports `sayso.errors`.

::

    SaysoError
    ├── NotAnswered     nobody answered
    │   ├── TimedOut    in time
    │   └── Cancelled   a person ended it without an answer; says why, where they did
    └── Unavailable
        └── NoDesk      there is no desk, or it went away and stayed away
"""

from __future__ import annotations

from sayso.errors import SaysoError, Unavailable


class NotAnswered(SaysoError):
    """A question ended without an answer. Nothing was decided."""

    code = "not_answered"
    status = 409


class TimedOut(NotAnswered):
    """Nobody answered in time."""

    code = "timed_out"


class Cancelled(NotAnswered):
    """A person ended the question without an answer. `reason`: why, "" when they did not say."""

    code = "cancelled"

    def __init__(self, reason: str = "") -> None:
        super().__init__(f"cancelled: {reason}" if reason else "cancelled")
        self.reason = reason


class NoDesk(Unavailable):
    """There is no desk to ask, or it went away meanwhile and did not come back."""
