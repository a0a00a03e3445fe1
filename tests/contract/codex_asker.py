"""Who asks: Codex's app server, played on a real socket that the desk is attached to.

Not here: what is asked and answered (`codex_rows`).
"""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Self, TypeVar

from tests.contract.rows import Row
from tests.intake.codex_stage import described
from tests.intake.played_codex import Client, PlayedServer
from tests.standin import WAIT_S

Json = dict[str, Any]
T = TypeVar("T")


class Server:
    """One played server for a desk, in a thread of its own; use it with `with`."""

    def __init__(self, home: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._played = PlayedServer(home)
        self._client: Client | None = None
        self._numbers = iter(range(1_000_000))

    def __enter__(self) -> Self:
        self._thread.start()
        self.run(self._played.start())
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._played.end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT_S)
        self._loop.close()

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(WAIT_S)

    async def open(self, thread_id: str) -> None:
        """Begin a thread, and have it subscribed to."""
        if self._client is None:
            self._client = await self._played.client()
            await self._client.begin({})
        told = described(thread_id, sessionId=thread_id)
        self._client.tell("thread/started", thread=told)
        resumed = await self._client.next("thread/resume")
        self._client.send({"id": resumed["id"], "result": {"thread": told}})

    async def request(self, thread_id: str, payload: Json) -> int:
        """Ask in a thread; return the number of the request."""
        assert self._client is not None
        client, number = self._client, next(self._numbers)
        if payload["item"]:
            client.tell("item/started", threadId=thread_id, item=payload["item"])
        params = {**payload["params"], "threadId": thread_id}
        client.send({"method": payload["method"], "id": number, "params": params})
        return number

    async def result(self, number: int) -> Json:
        assert self._client is not None
        told = await self._client.next()
        assert told["id"] == number
        result: Json = told["result"]
        return result

    async def settle(self, thread_id: str, number: int) -> None:
        """Say that a request is settled, whoever did it."""
        assert self._client is not None
        self._client.tell("serverRequest/resolved", threadId=thread_id, requestId=number)


class CodexServer:
    """Asks once, in a session of its own."""

    def __init__(self, server: Server, row: Row) -> None:
        self.session_id = str(uuid.uuid4())
        self._server = server
        server.run(server.open(self.session_id))
        self._number = server.run(server.request(self.session_id, row.payload))

    def check(self, says: Json, request_id: str) -> None:
        assert self._server.run(self._server.result(self._number)) == says

    def leave(self) -> None:
        self._server.run(self._server.settle(self.session_id, self._number))
