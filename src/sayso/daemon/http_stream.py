"""The stream of changes to one watcher, as server-sent events.

A watcher that reads too slowly loses its subscription, not the desk its memory: it
comes back with the last id it saw. Imports starlette and `wire`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
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


async def stream(
    subscription: Subscription,
    receive: Receive,
    send: Send,
    ended: Ended,
    encode: Callable[[Change], bytes],
    beat: Callable[[], None] = lambda: None,
) -> None:
    """Send changes until the client leaves, the subscription ends or the request must.

    Args:
        encode: returns what is told of a change, or nothing.
        beat: called before everything that is sent, at least every HEARTBEAT_S.
    """
    await send({"type": "http.response.start", "status": 200, "headers": _raw_headers()})
    gone = asyncio.ensure_future(disconnected(receive))

    def close(_end: asyncio.Future[Any]) -> None:
        subscription.close()

    gone.add_done_callback(close)
    ended.add_done_callback(close)
    try:
        async for chunk in _chunks(subscription, encode):
            if gone.done() or ended.done():  # who was taken back sees nothing more
                break
            beat()
            await _write(subscription, send, chunk)
        farewell = sse.comment("bye") if ended.done() else b""
        await send({"type": "http.response.body", "body": farewell})
    finally:
        subscription.close()
        await cancelled(gone)


def _raw_headers() -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in {**headers(), **_HEADERS}.items()]


async def _chunks(subscription: Subscription, encode: Callable[[Change], bytes]) -> AsyncIterator[bytes]:
    """Yield changes as events, and a heartbeat when nothing was told for a while.

    No task for each change: with hundreds of watchers that would cost more than sending.
    """
    loop = asyncio.get_running_loop()
    due_s = loop.time() + HEARTBEAT_S
    while True:
        try:
            async with asyncio.timeout_at(due_s):
                chunk = encode(await subscription.__anext__())
        except TimeoutError:
            chunk = sse.comment("still here")
        except StopAsyncIteration:
            return
        if chunk:
            due_s = loop.time() + HEARTBEAT_S
            yield chunk


async def _write(subscription: Subscription, send: Send, chunk: bytes) -> None:
    stalled = asyncio.get_running_loop().call_later(STALL_S, subscription.close)
    try:
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    finally:
        stalled.cancel()
