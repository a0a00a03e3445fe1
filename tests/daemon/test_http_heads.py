"""What anybody may send before a credential is looked at: a bounded head, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from sayso.daemon import http_connection
from sayso.daemon.http_connection import MAX_HEAD_BYTES
from tests.daemon.http_stage import WAIT_S, Stage, running

PIECE = b"x" * 65536
FAR_MORE = 64


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    async with running() as stage:
        yield stage


async def send_far_more(writer: asyncio.StreamWriter, piece: bytes = PIECE) -> None:
    for _ in range(FAR_MORE):
        writer.write(piece)
        await asyncio.wait_for(writer.drain(), WAIT_S)


@pytest.mark.parametrize("begin", [b"GET /", b"GET /api/health HTTP/1.1\r\nX-Long: "])
async def test_a_head_that_does_not_end_is_not_kept(stage: Stage, begin: bytes) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    writer.write(begin)
    with pytest.raises(ConnectionError):
        await send_far_more(writer)
    writer.close()


@pytest.mark.parametrize("piece", [b"X-Long: " + b"x" * 1000 + b"\r\n", b"x" * 1000])
@pytest.mark.parametrize("begin", [b"0\r\n", b"5;"])
async def test_what_follows_a_body_without_end_is_not_kept(stage: Stage, begin: bytes, piece: bytes) -> None:
    """Of whoever it is: an answer that refuses was given long before."""
    head = f"PUT /api/away HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    _, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    writer.write(head.encode() + begin)
    with pytest.raises(ConnectionError):
        await send_far_more(writer, piece * 64)
    writer.close()


async def test_heads_that_do_not_end_are_bounded_together(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "MOST_BARE_BYTES", 50_000)
    begin = b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 30_000
    _, first = await asyncio.open_connection("127.0.0.1", stage.port)
    first.write(begin)
    assert (await stage.http.get("/api/health")).status_code == 200  # it was read by now
    reader, second = await asyncio.open_connection("127.0.0.1", stage.port)
    second.write(begin)
    assert (await asyncio.wait_for(reader.read(), WAIT_S)).startswith(b"HTTP/1.1 503 ")
    first.close()
    await first.wait_closed()
    reader, third = await asyncio.open_connection("127.0.0.1", stage.port)
    third.write(begin + b"\r\n\r\n")  # what was let go is counted no more
    assert (await asyncio.wait_for(reader.readline(), WAIT_S)).startswith(b"HTTP/1.1 403 ")
    third.close()
    second.close()


async def test_who_sends_too_much_of_a_head_is_told(stage: Stage) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    writer.write(b"GET / HTTP/1.1\r\n" + b"X-Long: " + b"x" * MAX_HEAD_BYTES)
    answer = await asyncio.wait_for(reader.read(), WAIT_S)
    assert answer.startswith(b"HTTP/1.1 400 ")
    writer.close()


async def test_a_long_body_is_no_long_head(stage: Stage) -> None:
    body = b'{"present": true, "page": "' + b"x" * (2 * MAX_HEAD_BYTES) + b'"}'
    head = (
        f"POST /api/presence HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\n"
        f"Authorization: Bearer {stage.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    for _ in range(2):  # and the next one on the same connection begins anew
        writer.write(head + body)
        line = await asyncio.wait_for(reader.readline(), WAIT_S)
        assert line == b"HTTP/1.1 200 OK\r\n"
        rest = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WAIT_S)
        length = next(
            int(one.split(b":")[1])
            for one in rest.split(b"\r\n")
            if one.lower().startswith(b"content-length")
        )
        await asyncio.wait_for(reader.readexactly(length), WAIT_S)
    writer.close()
