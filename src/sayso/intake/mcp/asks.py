"""The questions of one agent that are open, and the results that it has not fetched yet.

A call waits for a limited time, the question for as long as the person needs. Not here:
the protocol, and the words. Imports asyncio, `client`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from sayso.client.aio import Desk, Outcome, new_id
from sayso.client.asking import NOT_TAKEN, TAKEN_S
from sayso.errors import BadRequest, Unavailable

PROGRESS_S = 5.0
"""How often an agent that wants to know is told that the person is still waited for."""
UNATTENDED_S = 3600.0
"""How long a question stays open that its agent no longer waits for."""
KEPT = 64
"""So many results are kept for an agent that asks for one again."""
_UNKNOWN = "no question of this session has this request_id, or its result is long gone"
_UNATTENDED = "the agent no longer waited for the answer"

Tell = Callable[[float], Awaitable[None]]
"""Tells the agent how many seconds a call has waited."""


class _Open:
    def __init__(self, kind: str, task: asyncio.Task[Outcome]) -> None:
        self.kind = kind
        self.task = task
        self.waiters = 0
        self.leave: asyncio.TimerHandle | None = None


class Asks:
    """Questions over one connection to the desk, which ends with them."""

    def __init__(self, desk: Desk, limit_s: float) -> None:
        self.desk = desk
        self._limit_s = limit_s
        self._open: dict[str, _Open] = {}

    def start(self, params: dict[str, Any]) -> str:
        """Begin to ask, and return the id of the question."""
        name = new_id()
        task = asyncio.create_task(self._ask({**params, "id": name}))
        # Whoever never fetches a result need not hear on standard error that it was a failure.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._open[name] = _Open(params["kind"], task)
        self._forget()
        return name

    async def _ask(self, params: dict[str, Any]) -> Outcome:
        """Ask. Raises Unavailable where the desk lets us in and takes no question: nobody sees it then."""
        limit = asyncio.timeout(TAKEN_S)

        def taken() -> None:
            if not limit.expired():
                limit.reschedule(None)

        try:
            async with limit:
                return await self.desk.ask(params, taken)
        except TimeoutError:
            raise Unavailable(f"{NOT_TAKEN} within {TAKEN_S:.0f} s") from None

    async def wait(self, name: str, tell: Tell, asks: bool = False) -> tuple[str, Outcome | None]:
        """Return the kind of a question and how it ended, or None when the time of this call is up.

        A call that is cancelled ends with that, and the question goes on for another; only with the
        call that `asks` it is withdrawn, for by then nobody was told how to find it again.

        Raises:
            SaysoError: it could not be asked; BadRequest where no such question is known.
        """
        asked = self._open.get(name)
        if asked is None:
            raise BadRequest(_UNKNOWN, "request_id")
        self._attend(asked)
        try:
            await self._limited(asked.task, tell)
        except asyncio.CancelledError:
            if asks:
                asked.task.cancel()
            raise
        finally:
            self._leave(asked)
        if not asked.task.done():
            return asked.kind, None
        if asked.task.cancelled():
            return asked.kind, Outcome(request_id=name, action="cancel", reason=_UNATTENDED)
        return asked.kind, asked.task.result()

    async def _limited(self, task: asyncio.Task[Outcome], tell: Tell) -> None:
        start_s = time.monotonic()
        while not task.done():
            passed_s = time.monotonic() - start_s
            left_s = self._limit_s - passed_s
            if left_s <= 0:
                return
            await tell(passed_s)
            await asyncio.wait([task], timeout=min(left_s, PROGRESS_S))

    def _attend(self, asked: _Open) -> None:
        asked.waiters += 1
        if asked.leave is not None:
            asked.leave.cancel()
            asked.leave = None

    def _leave(self, asked: _Open) -> None:
        asked.waiters -= 1
        if not asked.waiters and not asked.task.done():
            asked.leave = asyncio.get_running_loop().call_later(UNATTENDED_S, asked.task.cancel)

    def _forget(self) -> None:
        done = [name for name, asked in self._open.items() if asked.task.done()]
        for name in done[:-KEPT]:
            del self._open[name]

    async def close(self) -> None:
        """Withdraw what is open."""
        self.desk.close()
        tasks = [asked.task for asked in self._open.values() if not asked.task.done()]
        for asked in self._open.values():
            asked.task.cancel()
            if asked.leave is not None:
                asked.leave.cancel()
        if tasks:
            await asyncio.wait(tasks)
