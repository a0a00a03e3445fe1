"""Watchers of a desk's streams, light ones: hundreds in one process. Imports the standard library."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import cast

SUBSCRIBE = b'{"jsonrpc":"2.0","id":1,"method":"desk.subscribe","params":{"after":""}}\n'
HTTP = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
    "Accept: text/event-stream\r\n\r\n"
)


class Watcher(asyncio.Protocol):
    """A stream of changes: notes when it came to know of each request."""

    def __init__(self, first: bytes, saw: Callable[[str, float], None]) -> None:
        self._first = first
        self._saw = saw
        self._rest: list[bytes] = []
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).write(self._first)

    def data_received(self, data: bytes) -> None:
        """A change is one line on either wire."""
        now_s = time.monotonic()
        first, *others = data.split(b"\n")
        self._rest.append(first)
        for other in others:
            self._line(b"".join(self._rest), now_s)
            self._rest = [other]

    def _line(self, line: bytes, now_s: float) -> None:
        if b'"type":"shown"' in line:
            request_id = line.partition(b'"request":{"id":"')[2][:32].decode()
            self._saw(request_id, now_s)
        elif b'"type":"snapshot"' in line and b'"more":true' not in line and not self.ready.done():
            self.ready.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"the stream ended before its snapshot: {exc}"))
