"""One HTTP connection: one request, which may be held, and one response.

A connection ends with its response, so its end is always the end of what it asked, and nothing that
follows can hide it. It reads on while it holds: that is how it notices. Not here: what is refused
(`checks`), and who answers. Imports httptools, its siblings and `sayso.errors`.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from email.utils import formatdate
from enum import Enum, auto
from http import HTTPStatus
from typing import Protocol, cast

import httptools

from sayso.errors import BadRequest, SaysoError
from sayso.hook_server import checks
from sayso.hook_server.checks import Head
from sayso.hook_server.holds import Ending, Hold

MAX_HEAD_BYTES = 64 * 1024
"""What may come before a body: nobody had to show the token yet."""
ARRIVE_S = 30.0
"""How long a request may take to arrive."""
LEAVE_S = 5.0
"""How long a caller may take to read a response, and to close its side."""
_NO_RESPONSE_BODY = frozenset(("HEAD",))


class Service(Protocol):
    """What a connection serves."""

    def entered(self, connection: Connection) -> SaysoError | None:
        """Know a connection; return why it is not listened to."""
        ...

    def left(self, connection: Connection) -> None:
        """Forget it."""
        ...

    def refuse(self, head: Head) -> SaysoError | None:
        """Return why a request is not listened to."""
        ...

    def most_bytes(self) -> int:
        """Return what a body may have."""
        ...

    def take(self, head: Head, body: bytes, hold: Hold) -> None:
        """Have an event of a request that holds. Raises SaysoError; `hold` may end at once."""
        ...


class _At(Enum):
    HEAD = auto()
    BODY = auto()
    HELD = auto()
    ANSWERED = auto()


class Connection(asyncio.Protocol):
    """A caller, from its first byte to its last."""

    def __init__(self, service: Service, loop: asyncio.AbstractEventLoop) -> None:
        self._service = service
        self._loop = loop
        self._parser = httptools.HttpRequestParser(self)
        self._at = _At.HEAD
        self._head_bytes = 0
        self._target = b""
        self._headers: list[tuple[str, str]] = []
        self._head = Head("", "", ())
        self._body = bytearray()
        self._hold: Hold | None = None

    # --- the transport's ---------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._timer = self._loop.call_later(ARRIVE_S, self._late)
        why = self._service.entered(self)
        if why:
            self._refuse(why)

    def data_received(self, data: bytes) -> None:
        if self._at in (_At.HELD, _At.ANSWERED):
            return  # read, and dropped: there is one request
        if self._at is _At.HEAD:
            self._head_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._malformed()
        if self._at is _At.HEAD and self._head_bytes > MAX_HEAD_BYTES:
            self._refuse(BadRequest(f"a head may have {MAX_HEAD_BYTES} bytes at most"))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._timer.cancel()
        self._service.left(self)
        if self._hold is not None:
            self._hold.end(Ending.GONE)
        self._at = _At.ANSWERED

    # --- the parser's: whatever these raise would be taken for bad HTTP ----------------

    def on_url(self, url: bytes) -> None:
        if self._at is _At.HEAD:  # not of a second request
            self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._at is _At.HEAD:  # what trails a body says nothing here
            self._headers.append((name.decode("latin-1").lower(), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        if self._at is not _At.HEAD:
            return
        method = self._parser.get_method().decode("latin-1")
        self._head = Head(method, self._target.decode("latin-1"), tuple(self._headers))
        why = self._service.refuse(self._head)
        if why:
            self._refuse(why)
            return
        self._at = _At.BODY
        if self._head.one("expect").lower() == "100-continue":
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        if self._at is not _At.BODY:
            return
        self._body += body
        if len(self._body) > self._service.most_bytes():
            self._refuse(checks.too_large(self._service.most_bytes()))

    def on_message_complete(self) -> None:
        if self._at is not _At.BODY:
            return
        self._timer.cancel()
        self._at, hold = _At.HELD, Hold()
        try:
            self._service.take(self._head, bytes(self._body), hold)
        except SaysoError as why:
            self._refuse(why)
            return
        finally:
            self._body.clear()
        self._hold = hold
        hold.when_over(self._over_soon)

    # --- the answer --------------------------------------------------------------------

    def _over_soon(self) -> None:
        """Answer from the loop, whichever thread this is on."""
        with suppress(RuntimeError):  # the loop has ended, and every connection with it
            self._loop.call_soon_threadsafe(self._over)

    def _over(self) -> None:
        if self._at is _At.HELD and self._hold is not None:
            self._respond(200, self._hold.answer)

    def stop(self) -> None:
        """Let go of the caller: nothing is decided."""
        if self._hold is not None:
            self._hold.end(Ending.STOPPED)
            self._over()
        elif self._at is _At.HEAD and not self._head_bytes:
            self._transport.close()

    def abort(self) -> None:
        self._transport.abort()

    def _late(self) -> None:
        if self._head_bytes:
            self._refuse(BadRequest(f"the request did not arrive within {ARRIVE_S:g} s"))
        else:
            self._transport.close()

    def _malformed(self) -> None:
        if self._at is not _At.HELD:  # what follows a request may be anything
            self._refuse(BadRequest("this is not HTTP as this server speaks it"))

    def _refuse(self, why: SaysoError) -> None:
        if self._at is _At.ANSWERED:
            return
        more = {401: {"www-authenticate": 'Bearer realm="sayso"'}, 405: {"allow": "POST"}}
        self._respond(why.status, error_body(why), more.get(why.status))

    def _respond(self, status: int, body: bytes, more: dict[str, str] | None = None) -> None:
        self._at = _At.ANSWERED
        self._timer.cancel()
        if self._transport.is_closing():
            return
        self._timer = self._loop.call_later(LEAVE_S, self._transport.abort)
        has_body = self._head.method not in _NO_RESPONSE_BODY
        self._transport.write(_head(status, len(body), more or {}) + (body if has_body else b""))
        # Ours is the end of one side alone: closed with bytes unread, the kernel would take the response back
        # from who still sends. The caller closes the other one, or `LEAVE_S` does.
        self._transport.write_eof()


def _head(status: int, length: int, more: dict[str, str]) -> bytes:
    headers = {
        "date": formatdate(usegmt=True),
        "content-type": "application/json",
        "content-length": str(length),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "connection": "close",
        **more,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{lines}\r\n".encode("latin-1")


def error_body(error: SaysoError) -> bytes:
    """Return an error in its one shape."""
    said = {"ok": False, "error": error.text, "code": error.code, "status": error.status, **error.data}
    return json.dumps(said).encode()
