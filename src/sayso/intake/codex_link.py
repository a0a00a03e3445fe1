"""A connection to Codex's app server: JSON-RPC in WebSocket frames on its Unix socket.

That socket can do whatever its user can. So there is one table of what may be said on it, and a request
of the server gets a result or nothing: never an error, which Codex would take for a denial. Not here: what
is asked and answered (`codex_threads`), where the sockets are (`codex_server`). Imports asyncio and `wire`.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sayso.core.digest import NotJson, Number, dumps, is_object, loads, members, text
from sayso.wire import websocket
from sayso.wire.websocket import BadPeer, Opcode

CALLS = frozenset(("initialize", "thread/loaded/list", "thread/resume", "turn/steer", "turn/start"))
NOTIFICATIONS = frozenset(("initialized",))
"""These two are all that may ever be sent, beside results."""
UNWANTED = (
    *("item/agentMessage/delta", "item/plan/delta", "item/reasoning/summaryTextDelta"),
    *("item/reasoning/textDelta", "item/reasoning/summaryPartAdded", "item/commandExecution/outputDelta"),
    *("item/commandExecution/terminalInteraction", "item/fileChange/outputDelta"),
    *("item/fileChange/patchUpdated", "item/mcpToolCall/progress", "command/exec/outputDelta"),
    *("process/outputDelta", "rawResponseItem/completed", "rawResponse/completed"),
    *("turn/diff/updated", "turn/plan/updated", "thread/tokenUsage/updated", "account/rateLimits/updated"),
)
"""Notifications that the server need not send to us: they are many, and tell nothing that is used."""
OPEN_S = 5.0
_ABSENT = (FileNotFoundError, ConnectionRefusedError)

Dict = dict[str, object]


class Lost(Exception):
    """There is no connection; says why. `is_absent`: no server runs there, which is no trouble."""

    def __init__(self, why: str, is_absent: bool = False) -> None:
        super().__init__(why)
        self.is_absent = is_absent


class Answered:
    """What became of a call: its result, or the server's error in words, or None of both: not known."""

    __slots__ = ("error", "result")

    def __init__(self, result: Dict | None = None, error: str = "") -> None:
        self.result = result
        self.error = error


Then = Callable[[Answered], None]
Hear = Callable[[str, object, Dict], None]
"""Told (method, id, parameters) of what the server says by itself; an id None is a notification."""
Peer = Callable[[socket.socket], str]
"""Returns the process at the other end. Raises PermissionError if it is not this user's."""


def checked(path: Path) -> str:
    """Return where a socket is that is this user's alone. Raises Lost.

    Codex links to it, for the path of a socket must be short.
    """
    try:
        found = path.stat()
        link = path.lstat()
    except OSError as error:
        raise Lost(error.strerror or "it cannot be looked at", isinstance(error, _ABSENT)) from None
    if found.st_uid != os.getuid() or link.st_uid != os.getuid():
        raise Lost("it is another user's")
    if not stat.S_ISSOCK(found.st_mode) or stat.S_IMODE(found.st_mode) & 0o077:
        raise Lost("it is no socket of this user alone")
    return str(path.resolve())


class Link(asyncio.Protocol):
    """One connection. What is heard is told at once and in order, results of calls included."""

    def __init__(self, hear: Hear) -> None:
        self.process = ""
        self._hear = hear
        self._key = os.urandom(websocket.KEY_BYTES)
        self._reader = websocket.Reader(self._key)
        self._transport: asyncio.Transport | None = None
        self._ids = itertools.count(1)
        self._waiting: dict[int, Then] = {}
        loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = loop.create_future()
        self._ended: asyncio.Future[str] = loop.create_future()

    @classmethod
    async def open(cls, path: Path, hear: Hear, peer: Peer) -> Link:
        """Connect, and see who is there before a byte is sent. Raises Lost."""
        place = checked(path)
        link = cls(hear)
        loop = asyncio.get_running_loop()
        raw = socket.socket(socket.AF_UNIX)
        raw.setblocking(False)
        try:
            async with asyncio.timeout(OPEN_S):
                await loop.sock_connect(raw, place)
                link.process = peer(raw)
                await loop.create_unix_connection(lambda: link, sock=raw)
                await link._opened
        except (OSError, TimeoutError) as error:
            link.close()
            raw.close()
            raise Lost(str(error) or "it does not answer", isinstance(error, _ABSENT)) from None
        return link

    async def wait_ended(self) -> str:
        """Wait until the connection is over; return why."""
        return await asyncio.shield(self._ended)

    def close(self) -> None:
        if self._transport is not None:
            with suppress(RuntimeError):
                self._transport.close()
            self._over("closed")

    # --- saying ----------------------------------------------------------------------------

    def call(self, method: str, params: Dict, then: Then) -> None:
        """Call a method; `then` is told what became of it."""
        if method not in CALLS:
            raise ValueError(f"{method} is never called")
        number = next(self._ids)
        if self._send({"id": number, "method": method, "params": params}):
            self._waiting[number] = then
        else:
            then(Answered(error="there is no connection"))

    def notify(self, method: str) -> None:
        if method not in NOTIFICATIONS:
            raise ValueError(f"{method} is never sent")
        self._send({"method": method})

    def reply(self, request_id: object, result: Dict) -> bool:
        """Give the result of a request of the server; False if there is no connection any more."""
        return self._send({"id": request_id, "result": result})

    def _send(self, message: Dict) -> bool:
        return self._write(Opcode.TEXT, dumps(message))

    def _write(self, opcode: Opcode, payload: bytes) -> bool:
        if self._transport is None or self._ended.done() or self._transport.is_closing():
            return False
        self._transport.write(websocket.frame(opcode, payload, os.urandom(websocket.MASK_BYTES)))
        return True

    # --- hearing ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(websocket.handshake(self._key))

    def data_received(self, data: bytes) -> None:
        try:
            for message in self._reader.feed(data):
                self._take(message)
        except (BadPeer, NotJson) as error:
            self._over(str(error))
        if self._reader.is_open and not self._opened.done():
            self._opened.set_result(None)

    def _take(self, message: websocket.Message) -> None:
        if self._ended.done():
            return
        if message.opcode is Opcode.TEXT:
            self._understand(members(loads(message.payload)))
        elif message.opcode is Opcode.PING:
            self._write(Opcode.PONG, message.payload)
        elif message.opcode is Opcode.CLOSE:
            self._write(Opcode.CLOSE, message.payload[:2])
            self._over("the server closed it")

    def _understand(self, message: Dict) -> None:
        method, number = message.get("method"), message.get("id")
        if isinstance(method, str):
            self._hear(method, number, members(message.get("params")))
            return
        then = self._waiting.pop(_whole(number), None)
        if then is None:
            return
        if "error" in message:
            then(Answered(error=text(members(message["error"]).get("message")) or "refused"))
        else:
            result = message.get("result")
            then(Answered(result=members(result) if is_object(result) else {}))

    def connection_lost(self, exc: Exception | None) -> None:
        self._over(str(exc or "the server ended it"))

    def _over(self, why: str) -> None:
        if self._ended.done():
            return
        self._ended.set_result(why)
        if not self._opened.done():
            self._opened.set_exception(OSError(why))
        if self._transport is not None:
            self._transport.close()
        waiting, self._waiting = self._waiting, {}
        for then in waiting.values():
            then(Answered())


def _whole(number: object) -> int:
    """Return a whole number, -1 for anything else."""
    if isinstance(number, Number) and number.text.isdigit() and len(number.text) < 16:
        return int(number.text)
    return -1
