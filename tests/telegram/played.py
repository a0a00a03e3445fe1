"""A clock that tests move, and a Bot API without a network beside it: what takes minutes takes none.

Time passes only in `pass_until`, and only once nothing is left to be done before it does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from sayso.channels.telegram.api import Document
from sayso.channels.telegram.errors import ApiError, Unreachable
from sayso.channels.telegram.pace import Clock
from tests.telegram.bot_api import TOKEN, BotServer
from tests.telegram.http import Dropped, File
from tests.telegram.limits import Refusal

HOPS = 50
"""So many turns of the event loop settle whatever does not wait for time."""
START = 1_000_000.0


class PlayedClock(Clock):
    """Stands still until it is told to go."""

    def __init__(self) -> None:
        self.now_s = START
        self.ahead_s = 1_700_000_000.0
        """How far the wall clock is ahead."""
        self._waiting: dict[asyncio.Future[None], float | None] = {}

    def now(self) -> float:
        return self.now_s

    def wall(self) -> float:
        return self.now_s + self.ahead_s

    async def wait(self, event: asyncio.Event, length_s: float | None) -> None:
        passed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[passed] = None if length_s is None else self.now_s + length_s
        setting = asyncio.ensure_future(event.wait())
        try:
            await asyncio.wait({passed, setting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._waiting.pop(passed)
            setting.cancel()

    async def settle(self) -> None:
        """Let everything happen that needs no time."""
        for _ in range(HOPS):
            await asyncio.sleep(0)

    async def pass_until(self, done: Callable[[], Any], most_s: float = 3600.0) -> None:
        """Let time pass, from one thing that waits for it to the next, until something is so."""
        until = self.now_s + most_s
        while True:
            await self.settle()
            if done():
                return
            times = [at for at in self._waiting.values() if at is not None]
            assert times, "nothing waits for time, and it is not so"
            self.now_s = max(self.now_s, min(times))
            assert self.now_s <= until, "it is not so after all that time"
            for passed, at in self._waiting.items():
                if at is not None and at <= self.now_s and not passed.done():
                    passed.set_result(None)

    async def advance(self, length_s: float) -> None:
        """Let so much time pass, with all that happens meanwhile."""
        until = self.now_s + length_s
        mark = asyncio.ensure_future(self.wait(asyncio.Event(), length_s))
        await self.pass_until(mark.done, length_s)
        self.now_s = until


class PlayedApi:
    """The calls of a bot, straight to a server's own rules."""

    def __init__(self, server: BotServer) -> None:
        self.server = server
        self.gate: asyncio.Event | None = None
        """While there is one that is not set, calls wait for it before they arrive."""
        self.fresh_connections = 0

    async def call(self, method: str, params: dict[str, Any], document: Document | None = None) -> Any:
        if self.gate is not None:
            await self.gate.wait()
        if document is not None:
            file = File(document.data)
            file.name = document.name
            params = {**params, "document": file}
        try:
            return self.server.serve(TOKEN, method, params)
        except Refusal as refusal:
            raise ApiError(refusal.code, refusal.description, refusal.retry_after) from None
        except Dropped:
            raise Unreachable("127.0.0.1 is not reached: dropped", True) from None
