"""Work that blocks, for who must not: each in a thread of its own that nobody's end waits for.

Imports the standard library alone.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(
    work: Callable[[], Result], most_s: float, name: str, done: Callable[[], None] = lambda: None
) -> Result:
    """Return what blocking work returns.

    Args:
        work: returns, whatever happens: nobody would hear what it raises.
        name: of the thread.
        done: called in the event loop once the work is over, however late that is.

    Raises:
        TimeoutError: it takes longer than `most_s`; it goes on, and what it returns is dropped.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Result] = loop.create_future()

    def settle(value: Result) -> None:
        done()
        if not result.done():
            result.set_result(value)

    def run() -> None:
        value = work()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, value)

    threading.Thread(target=run, name=name, daemon=True).start()
    # Not wait_for: before Python 3.12 it loses a cancellation that comes together with the result.
    async with asyncio.timeout(most_s):
        return await result
