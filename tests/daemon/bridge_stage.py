"""A whole desk behind its real HTTP server, with programs that ask it over the bridge and readers of it.

Not here: what they ask and what becomes of it.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from sayso.core.states import State
from sayso.core.types import Request
from sayso.wire import sse
from tests.daemon.stage import WAIT_S, Stage, desk

Json = dict[str, Any]
PERMISSION: Json = {
    "session": "s1",
    "type": "permission",
    "payload": {"toolName": "Bash", "input": {"command": "ls"}, "cwd": "/srv/app"},
    "summary": "Run ls",
}
QUESTION: Json = {
    "session": "s1",
    "type": "question",
    "payload": {"questions": [{"question": "Which?", "options": ["main", "dev"]}]},
}


class Reader:
    """A stream of document 004, as its reader sees it."""

    def __init__(self, response: httpx.Response) -> None:
        self._chunks = response.aiter_bytes()
        self._parser = sse.Parser()
        self._waiting: list[sse.Event | sse.Comment] = []

    async def next(self) -> tuple[str, Json]:
        """Return the next event's name and what it holds."""
        async with asyncio.timeout(WAIT_S):
            while True:
                while not self._waiting:
                    self._waiting += self._parser.feed(await anext(self._chunks))
                event = self._waiting.pop(0)
                if isinstance(event, sse.Event):
                    return event.type, json.loads(event.data)

    async def until(self, name: str) -> Json:
        """Return what the next event of a name holds."""
        while True:
            found, data = await self.next()
            if found == name:
                return data


class Bridged:
    """A running desk and its address."""

    def __init__(self, stage: Stage, url: str, admin: Callable[[str, str], Any]) -> None:
        self.stage = stage
        self.url = url
        self.runtime = stage.daemon.runtime
        self._admin = admin
        self._count = 0
        self._clients: list[httpx.AsyncClient] = []

    async def token(self, power: str) -> str:
        self._count += 1
        return str((await self._admin(f"{power} {self._count}", power))["token"])

    async def client(self, power: str, **options: Any) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {await self.token(power)}"}
        made = httpx.AsyncClient(
            base_url=self.url, headers=headers, trust_env=False, timeout=WAIT_S, **options
        )
        self._clients.append(made)
        return made

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    @asynccontextmanager
    async def reading(self, client: httpx.AsyncClient) -> AsyncGenerator[Reader]:
        """Read the stream for a while; the first event, ready, is still to come."""
        async with client.stream("GET", "/agents/interaction/stream", timeout=None) as response:
            assert response.status_code == 200
            yield Reader(response)

    @asynccontextmanager
    async def watched(self) -> AsyncGenerator[Reader]:
        """Have a reader that may answer, for a while."""
        async with self.reading(await self.client("answer")) as reader:
            await reader.until("ready")
            yield reader

    def requests(self, state: State = State.PENDING) -> list[Request]:
        return [one for one in self.runtime.desk.snapshot().requests.values() if one.state is state]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something about the desk is so."""
        feed = self.runtime.listen()
        try:
            async with asyncio.timeout(WAIT_S):
                while not holds():
                    await anext(feed)
        finally:
            feed.close()

    async def pending(self) -> Request:
        """Return the one request that pends, waiting for it."""
        await self.until(lambda: bool(self.requests()))
        (request,) = self.requests()
        return request


@asynccontextmanager
async def bridged() -> AsyncGenerator[Bridged]:
    """Run a desk with a bridge until the block ends."""
    async with desk(port=0) as stage:
        peer = await stage.peer()
        url = (await peer.call("desk.health"))["http"]

        async def admin(name: str, power: str) -> Any:
            return await peer.call("desk.devices", {"create": name, "power": power})

        made = Bridged(stage, url, admin)
        try:
            yield made
        finally:
            await made.close()


def basic(name: str, password: str) -> dict[str, str]:
    pair = base64.b64encode(f"{name}:{password}".encode()).decode()
    return {"authorization": f"Basic {pair}"}


def post(client: httpx.AsyncClient, route: str, body: Json) -> asyncio.Task[httpx.Response]:
    """Call a route that may take its time."""
    return asyncio.create_task(client.post(f"/agents/interaction/{route}", json=body))


async def told(response: asyncio.Task[httpx.Response] | httpx.Response) -> Json:
    """Return what a call was answered with."""
    done = await response if isinstance(response, asyncio.Task) else response
    assert done.status_code == 200, done.text
    body: Json = done.json()
    return body
