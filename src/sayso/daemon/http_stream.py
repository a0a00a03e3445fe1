"""The stream of changes to one watcher, as server-sent events.

A watcher that reads too slowly loses its subscription, not the desk its memory: it
comes back with the last id it saw. Imports starlette and `wire`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import Receive, Send

from sayso.daemon.http_errors import headers
from sayso.daemon.http_hold import Ended, cancelled, disconnected
from sayso.daemon.service import Subscription
from sayso.wire import sse
from sayso.wire.views import Change

HEARTBEAT_S = 15.0
"""After this long without a change, a comment shows that the connection lives."""
STALL_S = 30.0
"""A watcher that has not taken what was sent for this long is given up."""
_HEADERS = {"content-type": sse.CONTENT_TYPE, "x-accel-buffering": "no"}


async def stream(subscription: Subscription, receive: Receive, send: Send, ended: Ended) -> None:
    """Send changes until the client leaves, the subscription ends or the request must."""
    await send({"type": "http.response.start", "status": 200, "headers": _raw_headers()})
    gone = asyncio.ensure_future(disconnected(receive))
    watcher = _Watcher(subscription, send)
    try:
        while not gone.done() and not ended.done() and not watcher.over:
            await watcher.once(gone, ended)
        farewell = sse.comment("bye") if ended.done() else b""
        await send({"type": "http.response.body", "body": farewell})
    finally:
        subscription.close()
        await cancelled(gone, *watcher.waiting)


def _raw_headers() -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in {**headers(), **_HEADERS}.items()]


class _Watcher:
    """One subscription and the connection that its changes go to."""

    def __init__(self, subscription: Subscription, send: Send) -> None:
        self._subscription = subscription
        self._send = send
        self.waiting: set[asyncio.Future[Change]] = set()
        self.over = False

    async def once(self, *ends: asyncio.Future[Any]) -> None:
        """Wait for a change, or an end, or the time of a heartbeat; send what is due."""
        if not self.waiting:
            self.waiting = {asyncio.ensure_future(self._subscription.__anext__())}
        done, _ = await asyncio.wait(
            {*self.waiting, *ends}, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED
        )
        if done.isdisjoint(ends):  # an end goes first: who was taken back sees nothing more
            for change in self.waiting & done:
                self.waiting = set()
                await self._change(change)
        if not done:
            await self._write(sse.comment("still here"))

    async def _change(self, change: asyncio.Future[Change]) -> None:
        try:
            event = sse.encode(change.result())
        except StopAsyncIteration:
            self.over = True
        else:
            await self._write(event)

    async def _write(self, chunk: bytes) -> None:
        stalled = asyncio.get_running_loop().call_later(STALL_S, self._subscription.close)
        try:
            await self._send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            stalled.cancel()
