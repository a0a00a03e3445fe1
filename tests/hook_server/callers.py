"""Callers of a hook server, on raw sockets: what they send is what the test says, to the byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

from sayso.hook_server import HookEvent, HookServer

WAIT_S = 10.0
NOTHING = b"{}"
BASH: dict[str, Any] = {
    "hook_event_name": "PreToolUse",
    "session_id": "s1",
    "cwd": "/home/dev/project",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
}


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Caller:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, port: int) -> Caller:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def response(self) -> Response:
        """Return the response; the server closes the connection after it."""
        async with asyncio.timeout(WAIT_S):
            data = await self.reader.read(-1)
        return parsed(data)

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


def parsed(data: bytes) -> Response:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Response(int(first.split()[1]), headers, body)


def request(
    server: HookServer,
    body: bytes | dict[str, Any] = BASH,
    *,
    method: str = "POST",
    target: str = "/hook",
    **headers: str | None,
) -> bytes:
    """Return a request as an agent would send it, but for what is said; None: without that header."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    given: dict[str, str | None] = {
        "host": f"127.0.0.1:{server.port}",
        "authorization": f"Bearer {server.token}",
        "content-type": "application/json",
        "content-length": str(len(data)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items() if value is not None)
    return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + data


async def call(server: HookServer, body: bytes | dict[str, Any] = BASH, **more: Any) -> Response:
    """Send a hook, and wait for what the agent is told."""
    caller = await Caller.connect(server.port)
    try:
        caller.send(request(server, body, **more))
        return await caller.response()
    finally:
        await caller.close()


@asynccontextmanager
async def calling(
    server: HookServer, body: bytes | dict[str, Any] = BASH, **more: Any
) -> AsyncIterator[asyncio.Task[Response]]:
    """Have a hook that waits, as a task that gives what it is told."""
    task = asyncio.create_task(call(server, body, **more))
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def next_event(server: HookServer) -> HookEvent:
    async with asyncio.timeout(WAIT_S):
        return await anext(server.events())


async def until_pending(server: HookServer, count: int) -> None:
    """Wait until so many callers wait."""
    async with asyncio.timeout(WAIT_S):
        while server.pending != count:  # noqa: ASYNC110 - that a caller came, or went, only the server sees
            await asyncio.sleep(0.005)
