"""How fast a bot may send, and the clock that it goes by. Pure but for the clock.

What is documented: about one message a second in a chat with short bursts, 20 a minute in a group, 30
a second in all. A little is left free, since edits may count, too. Imports asyncio and time.

Source: Telegram's Bots FAQ, "My bot is hitting limits, how do I avoid this?"
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

CHAT_BURST, CHAT_EVERY_S = 3, 1.05
GROUP_BURST, GROUP_EVERY_S = 3, 3.6
"""At most 19 in any minute."""
ALL_BURST, ALL_EVERY_S = 4, 0.04
"""At most 29 in any second."""


class Clock:
    """Time, and waiting for it; tests have one of their own."""

    def now(self) -> float:
        """Return monotonic seconds, which stand still while the machine sleeps."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    async def wait(self, event: asyncio.Event, length_s: float | None) -> None:
        """Return once an event is set, or after a time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(length_s):
                await event.wait()


class Bucket:
    """So many at once, and one more with each step of time."""

    def __init__(self, burst: int, every_s: float) -> None:
        self._burst = burst
        self._every_s = every_s
        self._free_at = float("-inf")
        """When the bucket would be full."""

    def free_at(self, now: float, spare: int = 0) -> float:
        """Return when one more may be taken, `now` or later; `spare`: and so many are still left."""
        return max(now, self._free_at - (self._burst - 1 - spare) * self._every_s)

    def take(self, now: float) -> None:
        self._free_at = max(self._free_at, now) + self._every_s

    def is_full(self, now: float) -> bool:
        return self._free_at <= now


class Pace:
    """The rates of all chats together, and of each."""

    def __init__(self) -> None:
        self._all = Bucket(ALL_BURST, ALL_EVERY_S)
        self._chats: dict[int, Bucket] = {}
        self._until: dict[int, float] = {}

    def free_at(self, chat_id: int, now: float, spare: int = 0) -> float:
        """Return when something may be sent to a chat, `now` or later; `spare`: and so much more after it."""
        chat = self._chats.get(chat_id)
        own = chat.free_at(now, spare) if chat is not None else now
        return max(own, self._all.free_at(now), self._until.get(chat_id, now))

    def take(self, chat_id: int, now: float) -> None:
        """Count something that is sent now."""
        for known in [known for known, bucket in self._chats.items() if bucket.is_full(now)]:
            del self._chats[known]
        if chat_id not in self._chats:
            group = chat_id < 0
            self._chats[chat_id] = Bucket(
                *((GROUP_BURST, GROUP_EVERY_S) if group else (CHAT_BURST, CHAT_EVERY_S))
            )
        self._chats[chat_id].take(now)
        self._all.take(now)

    def hold(self, chat_id: int, until: float) -> None:
        """Send nothing to a chat until then: its server said so."""
        self._until[chat_id] = until

    def held_until(self, now: float) -> float:
        """Return until when the longest held chat waits; `now` if none does."""
        self._until = {chat: until for chat, until in self._until.items() if until > now}
        return max(self._until.values(), default=now)
