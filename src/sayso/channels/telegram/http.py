"""HTTP to the one server that the Bot API is on: connections that are kept, and answers, read whole.

Over asyncio's own streams, so that a poll ends the moment it is cancelled and no thread waits for it.
What is said here never holds a path: in it is the bot's token. Not here: the Bot API (`api`). Imports
asyncio, ssl and httptools, which the desk's own HTTP brings.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

import httptools
from msgspec import Struct

from sayso.channels.telegram.errors import Unreachable

CONNECT_S = 10.0
NEXT_ADDRESS_S = 0.25
"""After so long the next address is tried as well: in many networks those of IPv6 lead nowhere."""
KEPT_S = 30.0
"""A connection that was idle for longer may be gone without a word: it is not used again."""
MOST_IDLE = 4
MAX_BODY_BYTES = 8 << 20
_READ_BYTES = 1 << 16


class Response(Struct, frozen=True):
    """An answer; of its head, the status alone is of use here."""

    status: int
    body: bytes


class _Reading:
    """What httptools tells of an answer."""

    def __init__(self) -> None:
        self.body = bytearray()
        self.is_whole = False
        self.keeps = False
        """Whether the connection may be used again; the parser knows at the end alone."""
        self.parser = httptools.HttpResponseParser(self)

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.is_whole = True
        self.keeps = self.parser.should_keep_alive()


class _Connection:
    """An open connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.idle_at = 0.0
        self.heard = False
        """Whether anything of the latest answer came."""

    @property
    def is_usable(self) -> bool:
        fresh = time.monotonic() - self.idle_at < KEPT_S
        return fresh and not self._reader.at_eof() and not self._writer.is_closing()

    async def exchange(self, request: bytes) -> tuple[Response, bool]:
        """Return the answer, and whether the connection may be used again. Raises: OSError."""
        self.heard = False
        reading = _Reading()
        self._writer.write(request)
        await self._writer.drain()
        while not reading.is_whole:
            data = await self._reader.read(_READ_BYTES)
            if not data:
                raise ConnectionResetError("the connection was closed")
            self.heard = True
            try:
                reading.parser.feed_data(data)
            except httptools.HttpParserError:
                raise ConnectionAbortedError("what answers does not speak HTTP") from None
            if len(reading.body) > MAX_BODY_BYTES:
                raise ConnectionAbortedError("the answer is too long")
        return Response(reading.parser.get_status_code(), bytes(reading.body)), reading.keeps

    def close(self) -> None:
        with suppress(RuntimeError):  # its loop has ended
            self._writer.close()


class Client:
    """Posts to one server.

    Args:
        base_url: https, or http on this computer.
    """

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        self._name = parts.hostname or ""
        self._secure = parts.scheme == "https"
        self._port = parts.port or (443 if self._secure else 80)
        self._host = parts.netloc
        self._tls: ssl.SSLContext | None = None
        self._idle: list[_Connection] = []

    async def post(self, path: str, headers: Mapping[str, str], body: bytes, answer_s: float) -> Response:
        """Return the answer to a POST. Raises: Unreachable."""
        request = self._head(path, headers, body) + body
        try:
            async with asyncio.timeout(answer_s):
                return await self._exchange(request)
        except TimeoutError:
            raise Unreachable(f"{self._name} does not answer", True) from None
        except (OSError, ssl.SSLError) as error:
            raise Unreachable(f"{self._name} is not reached: {_why(error)}", True) from None

    async def _exchange(self, request: bytes) -> Response:
        used = self._take()
        if used is not None:
            with suppress(OSError):
                return await self._over(used, request)
            if used.heard:
                raise ConnectionResetError("the connection was closed")
        return await self._over(await self._open(), request)

    async def _over(self, connection: _Connection, request: bytes) -> Response:
        keep = False
        try:
            response, keep = await connection.exchange(request)
            return response
        finally:
            if keep and len(self._idle) < MOST_IDLE:
                connection.idle_at = time.monotonic()
                self._idle.append(connection)
            else:
                connection.close()

    def _take(self) -> _Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable:
                return connection
            connection.close()
        return None

    async def _open(self) -> _Connection:
        if self._secure and self._tls is None:
            self._tls = await asyncio.to_thread(ssl.create_default_context)  # it reads many certificates
        opening = asyncio.ensure_future(
            asyncio.open_connection(
                self._name, self._port, ssl=self._tls, happy_eyeballs_delay=NEXT_ADDRESS_S
            )
        )
        try:
            async with asyncio.timeout(CONNECT_S):
                opened = await asyncio.shield(opening)  # cancelled, asyncio would leave its socket open
        except asyncio.CancelledError:
            opening.add_done_callback(_close_late)
            raise
        except TimeoutError:
            opening.add_done_callback(_close_late)
            raise Unreachable(f"{self._name} does not answer") from None
        except (OSError, UnicodeError) as error:
            raise Unreachable(f"{self._name} is not reached: {_why(error)}") from None
        _keep_alive(opened[1].get_extra_info("socket"))
        return _Connection(*opened)

    def _head(self, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        lines = [f"POST {path} HTTP/1.1", f"Host: {self._host}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")

    def drop_idle(self) -> None:
        """Close what is kept: after a sleep of the machine nobody is at its other end."""
        while self._idle:
            self._idle.pop().close()


def _close_late(opening: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
    """Close a connection that came when nobody wanted it any more."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result()[1].close()


def _keep_alive(sock: socket.socket) -> None:
    """Have the kernel notice that the other end is gone, where a network went without a word."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    idle = "TCP_KEEPIDLE" if hasattr(socket, "TCP_KEEPIDLE") else "TCP_KEEPALIVE"
    for name, value in ((idle, 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if (option := getattr(socket, name, None)) is not None:
            sock.setsockopt(socket.IPPROTO_TCP, option, value)


def _why(error: Exception) -> str:
    """Return an error in words; what asyncio says of several addresses is a list of them."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
