"""`sayso mcp` as an agent starts it: a process, its standard input and output, and its end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sayso.client.places import places
from tests.client.fake_desk import FakeDesk

ALARM_S = 20.0
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "an-agent", "title": "An Agent", "version": "1"},
}


class Server:
    """The process, and what it says."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def send(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        assert self.process.stdin is not None
        call = {"jsonrpc": "2.0", "method": method, "params": params}
        call |= {} if number is None else {"id": number}
        self.process.stdin.write(json.dumps(call).encode() + b"\n")
        await self.process.stdin.drain()

    async def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        async with asyncio.timeout(ALARM_S):
            message: dict[str, Any] = json.loads(await self.process.stdout.readline())
        return message

    async def ended(self) -> int:
        async with asyncio.timeout(ALARM_S):
            return await self.process.wait()


@asynccontextmanager
async def running(desk: FakeDesk, home: str, *options: str) -> AsyncGenerator[Server]:
    env = {**os.environ, "SAYSO_HOME": home, "SAYSO_SURFACE": "here"}
    words = [sys.executable, "-m", "sayso", "mcp", *options]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*words, env=env, stdin=pipe, stdout=pipe)
    server = Server(process)
    try:
        await server.send("initialize", HELLO, 1)
        assert (await server.read())["result"]["serverInfo"]["name"] == "sayso"
        await server.send("notifications/initialized", {})
        yield server
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _socket(home: Path) -> str:
    """Make the folder of a private desk's socket, and return the socket's path."""
    socket = places({"SAYSO_HOME": str(home)}).socket
    socket.parent.mkdir(mode=0o700)
    return str(socket)


@asynccontextmanager
async def asking(folder: Path, *options: str) -> AsyncGenerator[tuple[Server, FakeDesk]]:
    """Start it beside a desk, with a question that is open."""
    desk = FakeDesk(_socket(folder))
    await desk.open()
    async with running(desk, str(folder), *options) as server:
        params = {"name": "ask_yesno", "arguments": {"title": "Deploy?"}, "_meta": {"progressToken": "p"}}
        await server.send("tools/call", params, 2)
        (asked,) = await desk.asked()
        assert asked["agent_id"] == "An Agent"
        yield server, desk
    await desk.close()


async def test_an_answer_and_the_end_of_the_input(tmp_path: Path) -> None:
    async with asking(tmp_path) as (server, desk):
        note = await server.read()
        assert note["method"] == "notifications/progress"
        assert note["params"]["message"] == "waiting for the person: Deploy?"
        await desk.answer(desk.waiting[0], action="ok", value="yes")
        result = (await server.read())["result"]
        assert result["structuredContent"]["value"] == "yes"
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert await server.ended() == 0


async def test_the_end_of_the_input_withdraws_what_is_open(tmp_path: Path) -> None:
    async with asking(tmp_path) as (server, desk):
        assert server.process.stdin is not None
        server.process.stdin.close()
        await desk.until(lambda: not desk.waiting)
        assert await server.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_a_signal_withdraws_what_is_open(tmp_path: Path, number: signal.Signals) -> None:
    async with asking(tmp_path) as (server, desk):
        server.process.send_signal(number)
        await desk.until(lambda: not desk.waiting)
        assert await server.ended() == -number


async def test_what_is_pending_outlives_its_call_and_not_the_client(tmp_path: Path) -> None:
    async with asking(tmp_path, "--limit", "0.2") as (server, desk):
        while (message := await server.read()).get("id") != 2:
            assert message["method"] == "notifications/progress"
        assert message["result"]["structuredContent"]["status"] == "pending"
        assert len(desk.waiting) == 1
        assert server.process.stdin is not None
        server.process.stdin.close()
        await desk.until(lambda: not desk.waiting)
        assert await server.ended() == 0


async def test_a_cancelled_call_is_withdrawn_and_the_next_one_served(tmp_path: Path) -> None:
    async with asking(tmp_path) as (server, desk):
        await server.send("notifications/cancelled", {"requestId": 2, "reason": "Esc"})
        await desk.until(lambda: not desk.waiting)
        await server.send("tools/call", {"name": "notify", "arguments": {"title": "Built"}}, 3)
        while (message := await server.read()).get("id") != 3:
            pass
        assert message["result"]["structuredContent"]["status"] == "told"
