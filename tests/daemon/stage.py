"""A whole desk inside the test's process, behind its real socket, and peers that speak to it.

The peers are this process, so nothing they ask comes from a confirmed agent; for that there are real
processes (`tests.standin`). Not here: what hooks do.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from sayso.client.places import Places, places
from sayso.daemon.lifecycle import Daemon, Options, listen, take_lock

WAIT_S = 10.0
NO_AGENT = frozenset({2**22 + 1})
"""A pid that no process has: people's programs are never an agent's here."""

ASK: dict[str, Any] = {
    "agent": "claude-code",
    "session_id": "s1",
    "kind": "permission",
    "tool": "Bash",
    "input": [{"label": "Command", "value": "ls"}],
}


class Peer:
    """A connection to the desk that speaks lines of JSON."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.pushed: list[dict[str, Any]] = []
        self._number = 0

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    def post(self, method: str, params: Any = None, **more: Any) -> int:
        """Send a call without waiting for its answer; return its id."""
        self._number += 1
        call = {"id": self._number, "method": method, "params": {} if params is None else params, **more}
        self.send(json.dumps(call).encode() + b"\n")
        return self._number

    async def receive(self) -> dict[str, Any]:
        """Return the next message, whatever it is."""
        line = await asyncio.wait_for(self.reader.readline(), WAIT_S)
        assert line, "the desk closed the connection"
        message: dict[str, Any] = json.loads(line)
        return message

    async def answer_to(self, number: int) -> dict[str, Any]:
        """Return the answer to a call; what is pushed meanwhile is kept."""
        while True:
            message = await self.receive()
            if message.get("id") == number:
                return message
            self.pushed.append(message)

    async def call(self, method: str, params: Any = None, **more: Any) -> Any:
        """Return a call's result."""
        answer = await self.answer_to(self.post(method, params, **more))
        assert "result" in answer, answer
        return answer["result"]

    async def error(self, method: str, params: Any = None) -> dict[str, Any]:
        """Return a call's error, as an object."""
        answer = await self.answer_to(self.post(method, params, jsonrpc="2.0"))
        error: dict[str, Any] = answer["error"]
        return error

    async def push(self, method: str, wanted: Callable[[Any], bool] = bool) -> Any:
        """Return the parameters of the next push of a method that are as wanted."""
        while True:
            message = self.pushed.pop(0) if self.pushed else await self.receive()
            if message.get("method") == method and wanted(message["params"]):
                return message["params"]

    async def ask(self, **changes: Any) -> tuple[int, str]:
        """Ask, and return the call and the request once it is pending."""
        number = self.post("agent.request", {**ASK, **changes})
        pending = await self.push("agent.pending")
        return number, pending["id"]

    def stop_reading(self) -> None:
        self._transport.pause_reading()

    def go_on_reading(self) -> None:
        self._transport.resume_reading()

    @property
    def _transport(self) -> asyncio.Transport:
        return cast("asyncio.Transport", self.writer.transport)

    async def is_closed(self) -> bool:
        """Whether the desk ends the connection; whatever it still said is thrown away."""
        try:
            await asyncio.wait_for(self.reader.read(-1), WAIT_S)
        except ConnectionResetError:
            return True
        return self.reader.at_eof()

    async def close(self) -> None:
        self.writer.close()
        try:
            await self.writer.wait_closed()
        except (BrokenPipeError, ConnectionResetError):
            return


class Stage:
    """A running desk."""

    def __init__(self, daemon: Daemon, here: Places) -> None:
        self.daemon = daemon
        self.places = here
        self._peers: list[Peer] = []

    async def peer(self) -> Peer:
        reader, writer = await asyncio.open_unix_connection(str(self.places.socket), limit=1 << 22)
        peer = Peer(reader, writer)
        self._peers.append(peer)
        return peer

    def flag(self, session_id: str = "s1") -> Path:
        return self.places.flags / session_id

    async def close(self) -> None:
        for peer in self._peers:
            await peer.close()


def private_home() -> Places:
    home = tempfile.mkdtemp(prefix="sayso-t-")  # short: a socket's path is
    return places({"SAYSO_HOME": home})


@asynccontextmanager
async def running(
    here: Places, agents_only: frozenset[int] = NO_AGENT, port: int | None = None, **options: Any
) -> AsyncGenerator[Stage]:
    """Run a desk in a home until the block ends."""
    lock = take_lock(here)
    daemon = Daemon(here, Options(port=port, agents_only=agents_only, **options))
    ready = asyncio.Event()
    task = asyncio.get_running_loop().create_task(daemon.run(listen(here.socket), ready.set))
    await asyncio.wait_for(ready.wait(), WAIT_S)
    stage = Stage(daemon, here)
    try:
        yield stage
    finally:
        await stage.close()
        daemon.stop(False)
        await asyncio.wait_for(task, WAIT_S)
        os.close(lock)


@asynccontextmanager
async def desk(**options: Any) -> AsyncGenerator[Stage]:
    """Run a desk in a home of its own."""
    here = private_home()
    try:
        async with running(here, **options) as stage:
            yield stage
    finally:
        shutil.rmtree(here.run.parent)
