"""Calls of the Bot API over the wire: results, refusals, lost connections, and no token in any word."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import ssl
import traceback
from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest
import pytest_asyncio
import trustme

from sayso.channels.telegram.api import MOST_RETRY_S, BotApi, Document
from sayso.channels.telegram.errors import ApiError, Unreachable
from tests.telegram.bot_api import CONFLICT, TOKEN, BotServer, served
from tests.telegram.limits import Refusal
from tests.telegram.people import Person

SECRET = TOKEN.partition(":")[2]


@pytest.fixture
def server() -> Generator[BotServer]:
    with served() as made:
        yield made


@pytest_asyncio.fixture
async def api(server: BotServer) -> AsyncIterator[BotApi]:
    made = BotApi(TOKEN, server.url)
    yield made
    made.close()


async def test_a_result_comes_as_it_is(api: BotApi) -> None:
    assert (await api.call("getMe", {}))["username"] == "sayso_test_bot"


async def test_a_refusal_says_what_telegram_says(api: BotApi, server: BotServer) -> None:
    with pytest.raises(ApiError) as refused:
        await api.call("sendMessage", {"chat_id": 1, "text": "a"})
    assert (refused.value.code, refused.value.description) == (400, "Bad Request: chat not found")
    server.fail_next("getMe", Refusal(429, "Too Many Requests: retry after 35", 35))
    with pytest.raises(ApiError) as refused:
        await api.call("getMe", {})
    assert (refused.value.code, refused.value.retry_after_s) == (429, 35)


async def test_no_pause_that_is_asked_for_is_for_ever(api: BotApi, server: BotServer) -> None:
    server.fail_next("getMe", Refusal(429, "Too Many Requests: retry after 999999999", 999_999_999))
    with pytest.raises(ApiError) as refused:
        await api.call("getMe", {})
    assert refused.value.retry_after_s == MOST_RETRY_S


async def test_a_file_arrives_whole(api: BotApi, server: BotServer) -> None:
    Person(server, 4711)
    data = bytes(range(256)) * 500 + b"\r\n--sayso"
    params = {
        "chat_id": 4711,
        "caption": "All of »it«",
        "reply_parameters": {"message_id": 9, "allow_sending_without_reply": True},
    }
    sent = await api.call("sendDocument", params, Document('a"b/../c\r\n.txt', data))
    assert sent["document"]["file_name"] == "a_b_.._c__.txt"
    (message,) = server.shown(4711)
    assert (message.document, message.caption) == (data, "All of »it«")


async def test_connections_are_used_again_and_made_anew_where_they_have_ended(
    api: BotApi, server: BotServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    connect = asyncio.open_connection

    async def counted(*args: object, **more: object) -> object:
        opened.append(args)
        return await connect(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("asyncio.open_connection", counted)
    for _ in range(5):
        await api.call("getMe", {})
    assert len(opened) == 1
    server.fail_next("getMe")  # the server ends the connection, and takes the call that comes over a new one
    assert await api.call("getMe", {})
    assert len(opened) == 2
    api.fresh()
    await api.call("getMe", {})
    assert len(opened) == 3


async def test_a_poll_ends_when_it_is_cancelled(api: BotApi, server: BotServer) -> None:
    polling = asyncio.ensure_future(api.call("getUpdates", {"timeout": 50}))
    await asyncio.to_thread(server.wait, lambda: server.called("getUpdates"))
    polling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await polling
    assert await api.call("getMe", {})


async def test_a_second_poll_ends_the_first(api: BotApi, server: BotServer) -> None:
    first = asyncio.ensure_future(api.call("getUpdates", {"timeout": 50}))
    await asyncio.to_thread(server.wait, lambda: server.called("getUpdates"))
    second = asyncio.ensure_future(api.call("getUpdates", {"timeout": 50}))
    with pytest.raises(ApiError) as refused:
        await first
    assert (refused.value.code, refused.value.description) == (409, CONFLICT)
    second.cancel()


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "https://127.0.0.1:9", "http://no-such-host.invalid"])
async def test_nobody_there_is_said_without_the_address(url: str) -> None:
    api = BotApi(TOKEN, url)
    with pytest.raises(Unreachable) as lost:
        await api.call("getMe", {})
    assert "is not reached" in lost.value.words


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b""]
)
async def test_what_is_no_bot_api_is_not_reached(answer: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        api = BotApi(TOKEN, f"http://127.0.0.1:{port}")
        with pytest.raises(Unreachable):
            await api.call("getMe", {})
        api.close()


async def test_a_page_of_a_server_in_between_is_a_trouble_that_passes() -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\nConnection: close\r\n\r\n<p/>")
        writer.close()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        with pytest.raises(ApiError) as refused:
            await BotApi(TOKEN, f"http://127.0.0.1:{port}").call("getMe", {})
    assert refused.value.is_passing


async def test_an_answer_that_does_not_come_is_not_waited_for_without_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        api = BotApi(TOKEN, f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(Unreachable, match="does not answer"):
            await api.call("getMe", {}, answer_s=0.05)
        api.close()


async def test_a_server_without_the_right_certificate_is_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\n{"ok":true,"result":"all"}')
        await writer.drain()
        writer.close()

    authority = trustme.CA()
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(served)
    async with await asyncio.start_server(listen, "localhost", 0, ssl=served) as listening:
        port = listening.sockets[0].getsockname()[1]
        api = BotApi(TOKEN, f"https://localhost:{port}")
        with pytest.raises(Unreachable, match="certificate verify failed"):
            await api.call("getMe", {})
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        other = BotApi(TOKEN, f"https://127.0.0.1:{port}")
        with pytest.raises(Unreachable, match="certificate verify failed"):
            await other.call("getMe", {})
        assert heard == []
        right = BotApi(TOKEN, f"https://localhost:{port}")
        assert await right.call("getMe", {}) == "all"
        assert len(heard) == 1


async def test_no_error_and_no_line_of_the_log_has_the_token(
    server: BotServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = BotApi(f"{TOKEN}x", server.url)
    nobody = BotApi(TOKEN, "http://127.0.0.1:9")
    mean = BotApi(TOKEN, server.url)
    server.fail_next("sendMessage", Refusal(400, f"Bad Request: /bot{TOKEN}/sendMessage"))
    said: list[str] = []
    for api, method in ((wrong, "getMe"), (nobody, "getMe"), (mean, "sendMessage")):
        with pytest.raises((ApiError, Unreachable)) as failed:
            await api.call(method, {"chat_id": 1, "text": "a"})
        said += traceback.format_exception(failed.value)
        said += [repr(failed.value), str(failed.value)]
        api.close()
    assert said
    assert SECRET not in "".join(said) + caplog.text


async def test_who_is_cancelled_while_it_connects_leaves_no_connection_open(server: BotServer) -> None:
    for hops in range(12):
        bot = BotApi(TOKEN, server.url)
        calling = asyncio.ensure_future(bot.call("getMe", {}))
        for _ in range(hops):
            await asyncio.sleep(0)
        calling.cancel()
        await asyncio.wait({calling})
        await asyncio.sleep(0.01)  # its connection comes meanwhile
        bot.close()
    gc.collect()  # what was left open would be told as an error
