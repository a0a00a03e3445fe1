"""HTTP as it is spoken, well and badly: nothing holds a connection for long, or much memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import uvloop

from sayso.hook_server import Ending, HookServer
from tests.hook_server.callers import NOTHING, Caller, calling, next_event, request, until_pending

CHUNKED: dict[str, Any] = {"content_length": None, "transfer_encoding": "chunked"}


async def answered(server: HookServer, *parts: bytes) -> int:
    """Send a hook in parts, and return the status."""
    caller = await Caller.connect(server.port)
    try:
        for part in parts:
            caller.send(part)
            await caller.writer.drain()
            await asyncio.sleep(0)
        return (await caller.response()).status
    finally:
        await caller.close()


async def dropping(server: HookServer) -> None:
    async for event in server.events():
        event.drop()


@pytest.fixture
async def lenient(server: HookServer) -> AsyncIterator[HookServer]:
    """A server whose program drops what comes."""
    task = asyncio.create_task(dropping(server))
    yield server
    await server.stop()
    await task


async def test_a_request_may_come_in_single_bytes(lenient: HookServer) -> None:
    data = request(lenient)
    assert await answered(lenient, *(data[n : n + 1] for n in range(len(data)))) == 200


async def test_a_body_may_come_in_chunks(lenient: HookServer) -> None:
    body = b'5\r\n{"a":\r\n3;x=y\r\n 1}\r\n0\r\nauthorization: Bearer x\r\n\r\n'
    assert await answered(lenient, request(lenient, body, **CHUNKED)) == 200


async def test_an_old_client_is_answered(lenient: HookServer) -> None:
    assert await answered(lenient, request(lenient).replace(b"HTTP/1.1", b"HTTP/1.0")) == 200


@pytest.mark.parametrize("more", [b"GET / HTTP/1.1\r\n\r\n", b"junk", b"\r\n", b"\x00" * 100_000])
async def test_what_follows_a_request_changes_nothing(server: HookServer, more: bytes) -> None:
    for follows in (more, request(server) + more):
        caller = await Caller.connect(server.port)
        caller.send(request(server) + follows)
        event = await next_event(server)
        caller.send(follows)
        await caller.writer.drain()
        assert event.deny("once")
        response = await caller.response()
        assert (response.status, response.body.count(b"once")) == (200, 1)
        assert server.pending == 0
        await caller.close()


async def test_who_asks_first_whether_to_send_is_told_to(lenient: HookServer) -> None:
    data = request(lenient, expect="100-continue")
    head, _, body = data.partition(b"\r\n\r\n")
    caller = await Caller.connect(lenient.port)
    caller.send(head + b"\r\n\r\n")
    assert await caller.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    caller.send(body)
    assert (await caller.response()).status == 200
    await caller.close()


async def test_or_not_to(server: HookServer) -> None:
    data = request(server, expect="100-continue", authorization=None)
    assert await answered(server, data.partition(b"\r\n\r\n")[0] + b"\r\n\r\n") == 401


@pytest.mark.parametrize(
    "data",
    [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"POST /hook HTTP/9.9\r\n\r\n",
        b"POST /hook HTTP/1.1\r\nhost 127.0.0.1\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /hook HTTP/1.1\r\ncontent-length: x\r\n\r\n",
    ],
)
async def test_what_is_not_http_is_refused(server: HookServer, data: bytes) -> None:
    assert await answered(server, data) == 400


async def test_a_length_twice_is_refused(server: HookServer) -> None:
    assert await answered(server, request(server, transfer_encoding="chunked")) == 400


async def test_chunks_that_are_none_are_refused(server: HookServer) -> None:
    assert await answered(server, request(server, b"xyz\r\n", **CHUNKED)) == 400


@pytest.mark.parametrize("target", ["/hook", "/hook?" + "x" * 100_000])
async def test_a_head_is_bounded(server: HookServer, target: str) -> None:
    data = request(server, target=target, more="x" * 100_000)
    assert await answered(server, data[:90_000]) == 400


async def test_an_upgrade_is_no_hook(server: HookServer) -> None:
    assert await answered(server, request(server, upgrade="websocket", connection="upgrade")) == 400


async def test_who_sends_too_much_still_reads_why(server: HookServer) -> None:
    """The refusal comes while the body is being sent, and is not lost with it."""
    async with httpx.AsyncClient() as client:
        response = await client.post(
            server.url, content=b" " * 40_000_000, headers={"content-type": "application/json"}
        )
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


async def test_who_sends_nothing_is_let_go(server: HookServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.hook_server.connection.ARRIVE_S", 0.05)
    caller = await Caller.connect(server.port)
    assert await caller.reader.read(-1) == b""
    await caller.close()


async def test_who_sends_half_is_told_so(server: HookServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.hook_server.connection.ARRIVE_S", 0.05)
    monkeypatch.setattr("sayso.hook_server.connection.LEAVE_S", 0.05)
    assert await answered(server, request(server)[:-1]) == 400
    assert await answered(server, request(server)[:50]) == 400


async def test_a_crowd_that_only_connects_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.hook_server.engine.SPARE_CONNECTIONS", 2)
    async with HookServer(max_pending=1) as server:
        idle = [await Caller.connect(server.port) for _ in range(3)]
        late = await Caller.connect(server.port)
        response = await late.response()
        assert (response.status, response.json["code"]) == (503, "too_many")
        idle[0].send(request(server))
        assert (await next_event(server)).allow()
        assert (await idle[0].response()).status == 200
        for caller in (*idle, late):
            await caller.close()


async def test_who_waits_has_all_the_time(server: HookServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sayso.hook_server.connection.ARRIVE_S", 0.05)
    async with calling(server) as told:
        event = await next_event(server)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await event.gone()
        event.allow()
        assert (await told).status == 200


async def test_who_does_not_read_is_let_go(server: HookServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan's answer holds the plan: megabytes, which somebody has to take."""
    monkeypatch.setattr("sayso.hook_server.connection.LEAVE_S", 0.05)
    payload = {
        "hook_event_name": "PermissionRequest",
        "tool_name": "ExitPlanMode",
        "tool_input": {"plan": "x" * 12_000_000},
    }
    caller = await Caller.connect(server.port)
    caller.send(request(server, payload))
    event = await next_event(server)
    transport = caller.writer.transport
    assert isinstance(transport, asyncio.Transport)
    transport.pause_reading()
    event.allow()
    await until_pending(server, 0)
    async with asyncio.timeout(10):
        while server._engine._connections:  # noqa: ASYNC110 # pyright: ignore[reportPrivateUsage]
            await asyncio.sleep(0.01)
    transport.abort()


async def test_other_clients_are_understood(lenient: HookServer) -> None:
    async with httpx.AsyncClient() as client:
        for _ in range(3):
            response = await client.post(lenient.url, json={"hook_event_name": "Stop"})
            assert (response.status_code, response.json()) == (200, {})


@pytest.mark.parametrize("size", [10, 3_000_000])
async def test_curl_is_understood(lenient: HookServer, size: int) -> None:
    command = ["curl", "-fsS", "-m", "20", "-H", "Content-Type: application/json", "-d", "@-", lenient.url]
    curl = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await curl.communicate(b'{"a": "' + b"x" * size + b'"}')
    assert (curl.returncode, said) == (0, b"{}")


def test_it_runs_on_another_loop_as_well() -> None:
    async def run() -> None:
        async with HookServer() as server:
            async with calling(server) as told:
                assert (await next_event(server)).deny("no")
                assert b"deny" in (await told).body
            caller = await Caller.connect(server.port)
            caller.send(request(server))
            event = await next_event(server)
            await caller.close()
            async with asyncio.timeout(1):
                assert await event.gone() is Ending.GONE
            async with calling(server) as told:
                await until_pending(server, 1)
                await server.stop()
                assert (await told).body == NOTHING

    uvloop.run(run())
