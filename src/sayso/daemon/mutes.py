"""Sessions for which nobody is called for a while: no notice, on no way out.

What they ask is shown as ever. Kept in memory, and over with the desk. Not here: who obeys (the
channels that call). Imports `wire`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf

from sayso.errors import BadRequest
from sayso.wire.protocol import MuteParams

Key = tuple[str, str]
MOST_S = 7 * 24 * 3600.0


class Mutes:
    """Which sessions are muted, by agent and id.

    Args:
        tell: called when a session's mute begins or is over.
    """

    def __init__(self, now: Callable[[], float], tell: Callable[[str, str], None]) -> None:
        self._now = now
        self._tell = tell
        self._until: dict[Key, float] = {}
        self._timers: dict[Key, asyncio.TimerHandle] = {}

    def until_s(self, agent: str, session_id: str) -> float | None:
        """Return until when a session is muted, inf for no end; None if it is not."""
        return self._until.get((agent, session_id))

    def change(self, given: MuteParams) -> None:
        """Mute a session anew, or no more. Raises BadRequest."""
        if given.for_s is not None and not 1 <= given.for_s <= MOST_S:
            raise BadRequest("a session is muted for a second at least, and at most for a week", "for_s")
        self.end(given.agent, given.session_id)
        if given.off:
            return
        key = given.agent, given.session_id
        self._until[key] = inf if given.for_s is None else self._now() + given.for_s
        if given.for_s is not None:
            self._timers[key] = asyncio.get_running_loop().call_later(given.for_s, self.end, *key)
        self._tell(*key)

    def end(self, agent: str, session_id: str) -> None:
        """End a mute, if there is one."""
        key = agent, session_id
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()
        if self._until.pop(key, None) is not None:
            self._tell(*key)

    def end_all(self) -> None:
        """Forget all, and tell nobody."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._until.clear()
