"""The same clients over HTTP: requests of the interaction bridge that wait, and watchers of its stream.

For `crowd`, which has the others. Imports the standard library.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any, cast

from bench.watching import Watcher

Json = dict[str, Any]
ASK_CHARS = 1024
WAIT_MS = 600_000


class Requester(asyncio.Protocol):
    """One request that waits; its answer must be the request's own id. `answers` counts what came."""

    def __init__(self, session: str, port: int, token: str) -> None:
        self.id = secrets.token_hex(16)
        self.answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.answers = 0
        self.error = ""
        self.transport: asyncio.Transport | None = None
        payload = {"prompt": "Name?", "context": "x" * ASK_CHARS}
        asked = {"id": self.id, "session": session, "type": "input", "payload": payload, "timeoutMs": WAIT_MS}
        body = json.dumps(asked).encode()
        self._unsent = _POST.format(port=port, token=token, size=len(body)).encode() + body
        self._came = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._unsent)
        self._unsent = b""

    def data_received(self, data: bytes) -> None:
        self._came += data
        head, end, body = self._came.partition(b"\r\n\r\n")
        if not end or len(body) < _length(head):
            return
        self._came = b""
        said = json.loads(body)
        if said.get("request", {}).get("response", {}).get("text") == self.id:
            self.answers += 1
            self._over("")
        else:
            self._over(f"instead of an answer came {body[:200].decode()}")

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.answered.done():
            self._over(f"the connection ended: {exc}")

    def _over(self, error: str) -> None:
        self.error = self.error or error
        if not self.answered.done():
            self.answered.set_result(None)


class BridgeWatcher(Watcher):
    """A stream of the bridge: what pends comes first, then a line of data for each that is asked."""

    def _line(self, line: bytes, now_s: float) -> None:
        if line == b"event: ready" and not self.ready.done():
            self.ready.set_result(None)
        elif line.startswith(b"data: ") and b'"kind":"interaction_request"' in line:
            self._saw(line.partition(b'"id":"')[2][:32].decode(), now_s)


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])


_POST = (
    "POST /agents/interaction/request HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    "Authorization: Bearer {token}\r\nUser-Agent: a-program/1.0\r\nAccept: */*\r\n"
    "Content-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
)
