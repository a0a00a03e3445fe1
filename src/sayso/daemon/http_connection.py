"""One connection of the HTTP server: uvicorn's, with bounds, and as small as thousands that wait need it.

What is not HTTP is answered in our shape; a head is bounded in bytes and in time, since nobody had to show
a credential for it. Not here: the server (`http_server`), what is answered. Imports uvicorn.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from email.utils import formatdate
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from sayso.daemon import files
from sayso.daemon.http_errors import SECURITY_HEADERS, error_body
from sayso.errors import BadRequest, SaysoError, TooMany

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

MAX_HEAD_BYTES = 64 * 1024
"""What may come before a body: nobody had to show a credential yet."""
MOST_BARE_BYTES = 32 * 1024 * 1024
"""Of all connections together, what is no body: with so much, whose head grows is let go."""
HEAD_S = 30.0
"""How long a head may take: who connects and says nothing takes a place away."""
SILENT_MS = 60_000
"""How long what was sent may stay untaken. A stream whose reader sleeps would count as somebody watching."""
MOST_AHEAD = 16
"""Requests that may come before those ahead of them are answered; what comes after waits outside."""


_SILENCE = (
    ("TCP_KEEPIDLE" if hasattr(socket, "TCP_KEEPIDLE") else "TCP_KEEPALIVE", 30),
    ("TCP_KEEPINTVL", 10),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", SILENT_MS),
)


class Connection(HttpToolsProtocol):
    """The protocol of a connection.

    The parser keeps a head, a header that does not end, and what follows a body in pieces, for as long
    as it comes.
    """

    bare_in_all_bytes: ClassVar[int] = 0
    _bare_bytes = 0
    """How much has come since anything of a body, or the end of a head or of a request."""
    _head_timer: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.pipeline = cast("Any", _Ahead())
        self._under_way: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = _Flow(transport)
        peer = transport.get_extra_info("socket")
        if peer is not None and files.is_crowded(peer.fileno(), files.HTTP_SHARE):
            self._refuse(TooMany("too many connections are open: try again later"))
            return
        if peer is not None:
            notice_silence(peer)
        self._head_timer = self.loop.call_later(HEAD_S, self._head_is_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._count(-self._bare_bytes)
        super().connection_lost(exc)  # which tells the request that came last
        if self._under_way is not None and not self._is_idle():
            self._under_way.disconnected = True
            self._under_way.message_event.set()

    def data_received(self, data: bytes) -> None:
        self._count(len(data))
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._bare_bytes > MAX_HEAD_BYTES:
            self.send_400_response("")
        elif self._bare_bytes and Connection.bare_in_all_bytes > MOST_BARE_BYTES:
            self._refuse(TooMany("too much is said to the desk at once: try again later"))
        # Not while a request is under way: its answer may take as long as a person does.
        if self._head_timer is None and self._is_idle() and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(HEAD_S, self._head_is_late)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._under_way = cycle
        if not cycle.message_event.is_set():  # nothing of a body has come yet
            cycle.message_event = Signal()
        super()._start_asgi_task(cycle, app)

    def on_headers_complete(self) -> None:
        self._count(-self._bare_bytes)
        self._stop_timer()
        super().on_headers_complete()
        self.headers = []  # the request has them
        if len(self.pipeline) <= MOST_AHEAD:
            self.flow.resume_reading()  # or nobody would hear that the client went away

    def on_body(self, body: bytes) -> None:
        self._count(-self._bare_bytes)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._count(-self._bare_bytes)
        super().on_message_complete()

    def _count(self, bare_bytes: int) -> None:
        self._bare_bytes += bare_bytes
        Connection.bare_in_all_bytes += bare_bytes

    def _is_idle(self) -> bool:
        """Whether no request is under way."""
        return self._under_way is None or self._under_way.response_complete

    def _head_is_late(self) -> None:
        self._head_timer = None
        if self._is_idle():
            self.transport.close()

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        self._refuse(BadRequest("this is not HTTP as this server speaks it"))

    def _refuse(self, error: SaysoError) -> None:
        """Answer before there is a request, and end the connection."""
        body = error_body(error)
        lines = {
            **SECURITY_HEADERS,
            "date": formatdate(usegmt=True),
            "content-type": "application/json",
            "content-length": str(len(body)),
            "connection": "close",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        first = f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\n"
        self.transport.write(f"{first}{head}\r\n".encode() + body)
        self.transport.close()

    def _unsupported_upgrade_warning(self) -> None:
        """No word to the log: an upgrade that is not taken up is an ordinary request."""


def notice_silence(peer: socket.socket) -> None:
    """Have the kernel end a connection whose other end sleeps, or takes nothing: nobody is there."""
    with suppress(OSError):  # macOS: of one that has gone already
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _SILENCE:
            if (option := getattr(socket, name, None)) is not None:
                peer.setsockopt(socket.IPPROTO_TCP, option, value)


# --- what each connection has, in small ----------------------------------------------------


class Signal(asyncio.Event):
    """An event that one task at a time waits for: without a queue, which is most of one's size."""

    def __init__(self) -> None:  # the queue is what it is without
        self._is_on = False
        self._waiter: asyncio.Future[None] | None = None

    def is_set(self) -> bool:
        return self._is_on

    def set(self) -> None:
        self._is_on = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def clear(self) -> None:
        self._is_on = False

    async def wait(self) -> Literal[True]:
        if not self._is_on:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return True


class _Flow(FlowControl):
    """uvicorn's, with such an event."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__(transport)
        self._is_writable_event = Signal()
        self._is_writable_event.set()


class _Ahead(list[Any]):
    """The requests that came before those ahead of them were answered, the first one last; mostly none."""

    def appendleft(self, value: Any) -> None:
        self.insert(0, value)
