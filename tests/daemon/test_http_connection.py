"""One connection: how long a head may take, requests that come ahead of answers, and its small event."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncGenerator

import pytest

from sayso.daemon import http_connection
from sayso.daemon.http_connection import MOST_AHEAD, Signal
from sayso.daemon.http_routes import ROUTES, Route
from sayso.wire.protocol import Power
from tests.daemon.http_stage import WAIT_S, Stage, running

HELD = Route(method="POST", path="/api/held", call="test.held", power=Power.SEE, about="", holds=True)
SHORT_S = 0.05
MANY = 4 * MOST_AHEAD


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    async with running(routes=(*ROUTES, HELD)) as stage:
        go_on = asyncio.Event()
        stage.desk.overrides["test.held"] = lambda _params: go_on.wait()
        stage.desk.overrides["test.go_on"] = lambda _params: go_on.set()
        yield stage


def request(stage: Stage, line: str, more: str = "") -> bytes:
    head = f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\nAuthorization: Bearer {stage.token}\r\n"
    return f"{head}{more}\r\n".encode()


async def opened(stage: Stage, first: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    writer.write(first)
    return reader, writer


@pytest.mark.parametrize("begin", [b"", b"GET /api/health HT", b"\r\n\r\n"])
async def test_who_says_nothing_whole_loses_the_connection(
    stage: Stage, begin: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "HEAD_S", SHORT_S)
    reader, writer = await opened(stage, begin)

    assert await asyncio.wait_for(reader.read(), WAIT_S) == b""

    writer.close()


@pytest.mark.parametrize("behind", [b"G", b"x" * 100])
async def test_nor_does_it_help_to_have_been_answered_before(
    stage: Stage, behind: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "HEAD_S", SHORT_S)
    far_too_much = "Content-Type: application/json\r\nContent-Length: 9999999\r\n"
    first = (
        request(stage, "GET /api/health") if behind == b"G" else request(stage, "PUT /api/away", far_too_much)
    )
    reader, writer = await opened(stage, first)
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WAIT_S)
    writer.write(behind)

    await asyncio.wait_for(reader.read(), WAIT_S)

    assert reader.at_eof()
    writer.close()


async def test_what_is_held_is_no_late_head(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "HEAD_S", SHORT_S)
    reader, writer = await opened(stage, request(stage, "POST /api/held") + b"GET /api/hea")
    await stage.desk.until(lambda: bool(stage.desk.calls))
    await asyncio.sleep(3 * SHORT_S)  # what must not happen has no sign

    stage.desk.overrides["test.go_on"]({})

    assert (await asyncio.wait_for(reader.readline(), WAIT_S)).startswith(b"HTTP/1.1 200 ")
    writer.close()


async def test_a_held_request_hears_its_client_leave_though_another_came_behind_it(stage: Stage) -> None:
    _, writer = await opened(stage, request(stage, "POST /api/held"))
    await stage.desk.until(lambda: bool(stage.desk.calls))
    writer.write(request(stage, "GET /api/health") * 2)
    await writer.drain()

    writer.close()
    await writer.wait_closed()

    await stage.desk.until(lambda: stage.desk.cancelled == ["test.held"], wait_s=1.0)


async def test_requests_that_come_all_at_once_are_answered_in_their_order(stage: Stage) -> None:
    away = '{"away": true}'
    body = f"Content-Type: application/json\r\nContent-Length: {len(away)}\r\n"
    kinds = [
        request(stage, "GET /api/none"),
        request(stage, "GET /api/health"),
        request(stage, "PUT /api/away", body) + away.encode(),
    ]
    pieces = [kinds[number % 3] for number in range(MANY)]
    reader, writer = await opened(stage, b"".join(pieces))

    for number in range(MANY):
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WAIT_S)
        assert head.startswith(b"HTTP/1.1 200 " if number % 3 else b"HTTP/1.1 404 ")
        (length,) = re.findall(rb"content-length: (\d+)", head)
        await asyncio.wait_for(reader.readexactly(int(length)), WAIT_S)

    writer.close()


async def test_a_signal_wakes_who_waits_and_stays_on() -> None:
    signal = Signal()
    waiting = asyncio.ensure_future(signal.wait())
    await asyncio.sleep(0)
    assert not waiting.done()

    signal.set()
    signal.set()

    assert await waiting
    assert signal.is_set()
    assert await asyncio.wait_for(signal.wait(), WAIT_S)
    signal.clear()
    assert not signal.is_set()


async def test_the_kernel_ends_connections_whose_other_end_sleeps(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[socket.socket] = []
    notice = http_connection.notice_silence

    def noted(peer: socket.socket) -> None:
        notice(peer)
        found.append(peer)

    monkeypatch.setattr(http_connection, "notice_silence", noted)
    reader, writer = await opened(stage, request(stage, "GET /api/health"))
    assert (await asyncio.wait_for(reader.readline(), WAIT_S)).startswith(b"HTTP/1.1 200")
    (peer,) = found
    assert peer.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux alone has it
    assert option is None or peer.getsockopt(socket.IPPROTO_TCP, option) == http_connection.SILENT_MS
    writer.close()
    await writer.wait_closed()
