"""The buttons of a notice: a ticket each, with which one device may allow or deny one request.

A service worker has no credential of its own, and shall have none: a ticket travels encrypted to
one browser, is worth one answer to one request, and nothing once that request has ended. Only its
hash is kept. Not here: which notices get buttons (the channel). Imports the standard library.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import NamedTuple

from sayso.errors import Unauthorized

MOST_OPEN = 256
"""The oldest go first: such a notice leads to its card, as one without buttons does."""
_BYTES = 32


class Ticket(NamedTuple):
    """What a ticket is worth."""

    device: str
    request_id: str


class Tickets:
    """Those that are open."""

    def __init__(self) -> None:
        self._open: dict[bytes, Ticket] = {}

    def give(self, device: str, request_id: str) -> str:
        """Make a ticket."""
        while len(self._open) >= MOST_OPEN:
            del self._open[next(iter(self._open))]
        text = secrets.token_urlsafe(_BYTES)
        self._open[_hash(text)] = Ticket(device, request_id)
        return text

    def look(self, text: str) -> Ticket:
        """Return what a ticket is worth. Raises: Unauthorized."""
        # Looked up by its hash: how long that takes tells nothing of a ticket.
        ticket = self._open.get(_hash(text))
        if ticket is None:
            raise Unauthorized("this notice is over: its request was settled, or the desk started anew")
        return ticket

    def over(self, request_id: str) -> None:
        """Drop the tickets for a request that is settled."""
        self._drop(lambda ticket: ticket.request_id == request_id)

    def gone(self, device: str) -> None:
        """Drop the tickets of a device that was taken back."""
        self._drop(lambda ticket: ticket.device == device)

    def _drop(self, which: Callable[[Ticket], bool]) -> None:
        for key in [key for key, ticket in self._open.items() if which(ticket)]:
            del self._open[key]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()
