"""An app server on a real socket that says what the test lets it say, in frames of the test's making.

Every word of its clients is kept, and none may be one that is never sent. May import the product's
WebSocket for masks alone.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from sayso.intake.codex_link import CALLS, NOTIFICATIONS
from sayso.intake.codex_server import SOCKET
from sayso.wire.websocket import masked

Json = dict[str, Any]
WAIT_S = 5.0
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def frame(first: int, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    return bytes((first, 126)) + size.to_bytes(2) + payload


class Client:
    """One client of the server; what it said is taken by `next`."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.heard: asyncio.Queue[Json] = asyncio.Queue()
        self.frames: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()
        self.is_gone = asyncio.Event()

    async def next(self, method: str | None = None) -> Json:
        """Return the next message; of a method, its next call. None: the next result."""
        async with asyncio.timeout(WAIT_S):
            while True:
                message = await self.heard.get()
                if message.get("method") == method:
                    return message

    def raw(self, data: bytes) -> None:
        self.writer.write(data)

    def send(self, message: Json) -> None:
        self.raw(frame(0x81, json.dumps(message).encode()))

    def tell(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    async def begin(self, threads: dict[str, Json]) -> None:
        """Answer what a client says first: hello, which threads, and each of them."""
        self.send({"id": (await self.next("initialize"))["id"], "result": {"userAgent": "played"}})
        await self.next("initialized")
        listed = await self.next("thread/loaded/list")
        self.send({"id": listed["id"], "result": {"data": list(threads), "nextCursor": None}})
        for _ in threads:
            asked = await self.next("thread/resume")
            self.send({"id": asked["id"], "result": threads[asked["params"]["threadId"]]})


class PlayedServer:
    """The server of a home; `clients` come in the order in which they connected."""

    def __init__(self, home: Path) -> None:
        self.path = home / SOCKET
        self.clients: asyncio.Queue[Client] = asyncio.Queue()
        self.said: list[Json] = []
        """All that was ever said to it."""
        self.status = "101 Switching Protocols"
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: list[Client] = []

    async def start(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = os.umask(0o177)
        self._server = await asyncio.start_unix_server(self._serve, str(self.path))
        os.umask(before)

    async def end(self) -> None:
        """End the server and its connections, as a crash would."""
        assert self._server is not None
        self._server.close()
        for client in self._open:
            client.writer.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.path.unlink(missing_ok=True)
        self.check()

    async def client(self) -> Client:
        async with asyncio.timeout(WAIT_S):
            return await self.clients.get()

    def check(self) -> None:
        """See that nothing was said that never may be."""
        for message in self.said:
            assert "error" not in message
            if "method" in message:
                assert message["method"] in (CALLS if "id" in message else NOTIFICATIONS)
            else:
                assert set(message) == {"id", "result"}

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        client = Client(writer)
        self._open.append(client)
        try:
            await self._shake(reader, writer)
            self.clients.put_nowait(client)
            while True:
                await self._read(reader, client)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # either side ended it
        finally:
            client.is_gone.set()
            writer.close()

    async def _shake(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = head.partition("Sec-WebSocket-Key: ")[2].partition("\r\n")[0]
        accept = base64.b64encode(hashlib.sha1((key + MAGIC).encode()).digest()).decode()
        writer.write(f"HTTP/1.1 {self.status}\r\nsec-websocket-accept: {accept}\r\n\r\n".encode())

    async def _read(self, reader: asyncio.StreamReader, client: Client) -> None:
        first, size = await reader.readexactly(2)
        assert size & 0x80  # clients mask what they send
        size &= 0x7F
        if size >= 126:
            size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8))
        mask = await reader.readexactly(4)
        payload = masked(await reader.readexactly(size), mask)
        if first & 15 != 1:
            client.frames.put_nowait((first & 15, payload))
            return
        message = json.loads(payload)
        self.said.append(message)
        client.heard.put_nowait(message)
