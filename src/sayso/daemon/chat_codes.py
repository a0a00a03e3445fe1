"""Codes that are typed to a bot: opened at the computer, used once, closed by time or by wrong tries.

Shorter than those for a page, since thumbs type them: so a sender has few tries, all of them together
have few, and nobody learns that one was wrong. Not here: what is behind a code (`chats`), the rules that
all codes have (`pairing`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from msgspec import Struct

from sayso.daemon.pair_methods import Elapsed
from sayso.daemon.pairing import OPEN_S, Codes, Grant
from sayso.errors import Unauthorized
from sayso.wire.chats import ChatPaired
from sayso.wire.protocol import Power

CODE_BYTES = 5
"""40 bits: eight characters."""
MOST_WRONG_OF_ONE = 3
"""After so many wrong codes a sender is not listened to until the next code is made."""
CLOSED = ChatPaired(state="closed")


class Code(Struct, frozen=True):
    """A code that was opened."""

    id: str
    code: str
    expires_s: float


class ChatCodes:
    """The codes of one bot. `on_change`: called when one opens, and when one is over."""

    def __init__(self, on_change: Callable[[], None], clock: Callable[[], float] | None = None) -> None:
        self._on_change = on_change
        self._now = clock or Elapsed().now
        self._codes = Codes(lambda size: secrets.token_bytes(min(size, CODE_BYTES)))
        self._waiting: dict[str, asyncio.Event] = {}
        self._results: dict[str, ChatPaired] = {}
        self._wrong: dict[int, int] = {}

    @property
    def is_any_open(self) -> bool:
        return bool(self._waiting)

    def open(self, name: str) -> Code:
        """Make a code. Raises: TooMany."""
        now = self._now()
        opened = self._codes.open(Power.ANSWER, name, now)
        self._wrong.clear()
        self._waiting[opened.id] = asyncio.Event()
        asyncio.get_running_loop().call_later(OPEN_S, self._expire, opened.id)
        self._on_change()
        return Code(opened.id, opened.code, opened.until_s - now)

    def redeem(self, sender: int, text: str) -> Grant | None:
        """Return what a code is worth; None for a wrong one, and for a sender who had too many of those.

        Raises: TooMany, when others had so many wrong ones that it was not looked at: it may be tried again.
        """
        if self._wrong.get(sender, 0) >= MOST_WRONG_OF_ONE or not self._waiting:
            return None
        try:
            return self._codes.redeem(text, self._now())
        except Unauthorized:
            self._wrong[sender] = self._wrong.get(sender, 0) + 1
            self._close_dropped()
            return None

    def _close_dropped(self) -> None:
        """Tell whoever waits for a code that too many wrong ones have closed it."""
        now = self._now()
        for code_id in [one for one in self._waiting if not self._codes.is_open(one, now)]:
            self.end(code_id, CLOSED)

    def end(self, code_id: str, result: ChatPaired) -> None:
        """Close a code, and tell whoever waits for it what became of it."""
        self._codes.drop(code_id)
        waiting = self._waiting.pop(code_id, None)
        if waiting is None:
            return
        self._results[code_id] = result
        waiting.set()
        self._on_change()

    def _expire(self, code_id: str) -> None:
        self.end(code_id, CLOSED)
        self._results.pop(code_id, None)

    async def wait(self, code_id: str) -> ChatPaired:
        """Return what became of a code, once that is known."""
        waiting = self._waiting.get(code_id)
        if waiting is not None:
            await waiting.wait()
        return self._results.get(code_id, CLOSED)
