"""Requests that are under way: what ends them from outside, and how they notice.

Three things end a request early: its client goes away, its credential is revoked, the
server stops. The first is seen by reading on after the body; the others are told here,
through one future for each request. Imports starlette.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from starlette.types import Receive

from sayso.errors import SaysoError, Unauthorized, Unavailable

T = TypeVar("T")

STOPPING_S = 0.5
"""How long a request that is not held may still take when the server stops."""

Ended = asyncio.Future[SaysoError]
"""Done once the request must end; its result says why."""


class ClientGone(Exception):
    """The client closed its connection: there is nobody to answer."""


class Ends:
    """The requests under way, by credential, and the two ways to end them."""

    def __init__(self) -> None:
        self._open: dict[str, set[Ended]] = {}
        self._closed = False

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    @contextmanager
    def entered(self, credential: str) -> Generator[Ended]:
        """Count a request as under way; yields the future that ends it."""
        ended: Ended = asyncio.get_running_loop().create_future()
        if self._closed:
            ended.set_result(_stopping())
        mine = self._open.setdefault(credential, set())
        mine.add(ended)
        try:
            yield ended
        finally:
            mine.discard(ended)
            if not mine and self._open.get(credential) is mine:
                del self._open[credential]

    def revoke(self, credential: str) -> None:
        """End what a credential has under way; it was taken back."""
        self._end(self._open.get(credential, set()), Unauthorized("this device's access was taken back"))

    def close(self) -> None:
        """End everything, and whatever still comes: the server stops."""
        self._closed = True
        for mine in self._open.values():
            self._end(mine, _stopping())

    def _end(self, requests: set[Ended], why: SaysoError) -> None:
        for ended in requests:
            if not ended.done():
                ended.set_result(why)


def _stopping() -> Unavailable:
    return Unavailable("the desk is stopping; ask again in a moment")


async def disconnected(receive: Receive) -> None:
    """Wait until the client is gone. Only after the body was read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def finish(work: Coroutine[Any, Any, T], ended: Ended, patience_s: float) -> T:
    """Return what `work` returns, unless the request must end before.

    Args:
        patience_s: how long it may still take once `ended` is done.
    Raises: what `ended` says.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done() and patience_s:
            await asyncio.wait({task}, timeout=patience_s)
        if not task.done():
            raise ended.result()
        return task.result()
    finally:
        await cancelled(task)


async def while_connected(work: Coroutine[Any, Any, T], receive: Receive, ended: Ended) -> T:
    """Return what `work` returns.

    Raises: ClientGone, when the client left before, or what `ended` says; `work` is cancelled then.
    """
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(disconnected(receive))
    try:
        await _first_of(task, gone, ended)
        if task.done():
            return task.result()
        raise ended.result() if ended.done() else ClientGone
    finally:
        await cancelled(task, gone)


async def _first_of(*futures: asyncio.Future[Any]) -> None:
    """Wait until one of them is done. Smaller than `asyncio.wait`: thousands wait here."""
    woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    wake = partial(_wake, woken)
    for future in futures:
        future.add_done_callback(wake)
    try:
        await woken
    finally:
        for future in futures:
            future.remove_done_callback(wake)


def _wake(woken: asyncio.Future[None], _done: asyncio.Future[Any]) -> None:
    if not woken.done():
        woken.set_result(None)


async def cancelled(*tasks: asyncio.Future[Any]) -> None:
    """Cancel what has not ended, and wait until it has."""
    waiting = [task for task in tasks if not task.done()]
    for task in waiting:
        task.cancel()
    for task in waiting:
        with suppress(asyncio.CancelledError, SaysoError, StopAsyncIteration):
            await task
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at, so that asyncio does not report it as lost
