"""The server: how it ends, and what it does with requests under way."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest

from sayso.daemon import http_body
from sayso.daemon.http_bind import HeldBy, bind
from sayso.daemon.http_errors import ErrorBody
from sayso.daemon.http_hold import Ends
from sayso.daemon.http_routes import ROUTES, Route
from sayso.daemon.http_server import GRACE_S
from sayso.errors import Unavailable
from sayso.wire.protocol import Power
from tests.daemon.http_stage import REQUEST, WAIT_S, Stage, open_deaf_stream, running
from tests.daemon.test_http import ANSWER, error_of

HELD = Route(method="POST", path="/api/held", call="test.held", power=Power.SEE, about="", holds=True)


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    async with running(routes=(*ROUTES, HELD)) as stage:
        never = asyncio.Event()

        async def wait() -> None:
            await never.wait()

        stage.desk.overrides["test.held"] = lambda _params: wait()
        yield stage


def post(stage: Stage, path: str, more: str = "") -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\n"
        f"Authorization: Bearer {stage.token}\r\n{more}\r\n"
    ).encode()


def body_of(answer: bytes) -> ErrorBody:
    return msgspec.json.decode(answer.partition(b"\r\n\r\n")[2], type=ErrorBody)


async def test_a_held_request_ends_with_its_client_within_a_second(stage: Stage) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    writer.write(post(stage, "/api/held"))
    await stage.desk.until(lambda: bool(stage.desk.calls))

    writer.close()
    await writer.wait_closed()

    await stage.desk.until(lambda: stage.desk.cancelled == ["test.held"], wait_s=1.0)


async def test_case_2_an_answer_that_came_whole_is_carried_out_though_the_client_left(stage: Stage) -> None:
    go_on, done = asyncio.Event(), asyncio.Event()

    async def slowly(_params: dict[str, Any]) -> dict[str, Any]:
        await go_on.wait()
        done.set()
        return {"ok": True, "state": "answered"}

    stage.desk.overrides["desk.answer"] = slowly
    _, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    body = '{"behavior":"allow"}'
    more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    writer.write(post(stage, ANSWER, more) + body.encode())
    await stage.desk.until(lambda: bool(stage.desk.calls))

    writer.close()
    await writer.wait_closed()
    go_on.set()

    async with asyncio.timeout(WAIT_S):
        await done.wait()
    assert not stage.desk.cancelled


async def test_stopping_answers_what_is_held(stage: Stage) -> None:
    held = [asyncio.create_task(stage.http.post("/api/held")) for _ in range(20)]
    await stage.desk.until(lambda: len(stage.desk.calls) == 20)

    stage.stop.set()

    async with asyncio.timeout(GRACE_S):
        for response in await asyncio.gather(*held):
            error_of(response, 503, "unavailable")
        await stage.serving


async def test_stopping_lets_a_call_under_way_finish(stage: Stage) -> None:
    go_on = asyncio.Event()

    async def soon(_params: dict[str, Any]) -> dict[str, int]:
        await go_on.wait()
        return {"pid": 2}

    stage.desk.overrides["desk.health"] = soon
    asked = asyncio.create_task(stage.http.get("/api/health"))
    await stage.desk.until(lambda: bool(stage.desk.calls))

    stage.stop.set()
    go_on.set()

    assert (await asked).json() == {"pid": 2}


async def test_stopping_ends_a_call_that_hangs(stage: Stage) -> None:
    stage.desk.overrides["desk.health"] = stage.desk.overrides["test.held"]
    asked = asyncio.create_task(stage.http.get("/api/health"))
    await stage.desk.until(lambda: bool(stage.desk.calls))

    stage.stop.set()

    error_of(await asked, 503, "unavailable")
    async with asyncio.timeout(GRACE_S):
        await stage.serving


async def test_stopping_does_not_wait_for_a_body(stage: Stage) -> None:
    asked = asyncio.create_task(
        stage.raw(post(stage, ANSWER, "Content-Type: application/json\r\nContent-Length: 100\r\n") + b"{")
    )
    await _until_under_way(stage, 1)

    stage.stop.set()

    assert body_of(await asked).code == "unavailable"
    async with asyncio.timeout(WAIT_S):
        await stage.serving


async def test_stopping_cuts_off_who_takes_nothing(stage: Stage) -> None:
    with await open_deaf_stream(stage):
        stage.stop.set()

        async with asyncio.timeout(2 * GRACE_S + 1):
            await stage.serving
    assert not stage.desk.watching
    assert not len(stage.ends)


async def test_idle_connections_end_at_once(stage: Stage) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    await stage.http.get("/api/health")

    stage.stop.set()

    async with asyncio.timeout(GRACE_S):
        assert await reader.read() == b""
        await stage.serving
    writer.close()
    await writer.wait_closed()


async def test_cancelling_ends_as_gracefully(stage: Stage) -> None:
    held = asyncio.create_task(stage.http.post("/api/held"))
    await stage.desk.until(lambda: bool(stage.desk.calls))

    stage.serving.cancel()

    error_of(await held, 503, "unavailable")
    with pytest.raises(asyncio.CancelledError):
        await stage.serving


async def test_a_body_that_does_not_come_is_a_bad_request(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert http_body.BODY_S == 30
    monkeypatch.setattr(http_body, "BODY_S", 0.01)

    answer = await stage.raw(post(stage, ANSWER, "Content-Length: 10\r\nConnection: close\r\n"))

    assert body_of(answer).code == "bad_request"


async def test_a_client_that_leaves_within_its_body_asks_nothing(stage: Stage) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    writer.write(post(stage, ANSWER, "Content-Type: application/json\r\nContent-Length: 100\r\n") + b"{")
    await _until_under_way(stage, 1)

    writer.close()
    await writer.wait_closed()

    await _until_under_way(stage, 0)
    assert not stage.desk.calls


async def _until_under_way(stage: Stage, count: int) -> None:
    async with asyncio.timeout(WAIT_S):
        while len(stage.ends) != count:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)


async def test_signals_and_logs_are_left_alone(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    before = signal.getsignal(signal.SIGTERM)

    await stage.http.get(f"/api/agent-requests/{REQUEST}/rows/0")

    assert signal.getsignal(signal.SIGTERM) is before
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert REQUEST not in "".join(r.getMessage() for r in caplog.records if r.name.startswith("uvicorn"))


async def test_an_upgrade_to_websocket_is_an_ordinary_request(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    more = "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", stage.port)
    writer.write(post(stage, "/api/health", more).replace(b"POST", b"GET"))

    async with asyncio.timeout(WAIT_S):
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        assert await reader.readexactly(9) == b'{"pid":1}'
    assert not caplog.records
    writer.close()
    await writer.wait_closed()


async def test_small_answers_are_sent_without_delay(stage: Stage) -> None:
    """Held by nothing but TCP_NODELAY: asyncio sets it on sockets made for TCP by name."""
    server = await asyncio.start_server(lambda _r, writer: found.set_result(writer), sock=_bound())
    found: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
    _, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    accepted = (await found).get_extra_info("socket")

    assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    for end in (writer, found.result()):
        end.close()
        await end.wait_closed()
    server.close()
    await server.wait_closed()


def _bound() -> socket.socket:
    sockets = bind(0)
    assert not isinstance(sockets, HeldBy)
    for sock in sockets[1:]:
        sock.close()
    return sockets[0]


async def test_a_held_request_gets_its_answer(stage: Stage) -> None:
    stage.desk.overrides["test.held"] = lambda _params: {"answer": 1}

    assert (await stage.http.post("/api/held")).json() == {"answer": 1}


async def test_a_request_that_comes_while_the_desk_stops_ends_at_once() -> None:
    ends = Ends()
    with ends.entered("a") as before:
        ends.close()
        with ends.entered("a") as after:
            assert isinstance(before.result(), Unavailable)
            assert isinstance(after.result(), Unavailable)
            ends.revoke("a")  # says nothing new
            ends.revoke("b")
            assert isinstance(after.result(), Unavailable)
    assert not len(ends)
