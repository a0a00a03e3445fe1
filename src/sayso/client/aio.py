"""The desk for a program that does several things at once: asyncio, many calls on one connection.

For programs that ask (scripts, `sayso mcp`); whoever shows requests to people uses
`blocking`. A desk that restarts is waited for: what was asked is asked again under the
same id. Imports asyncio, msgspec, `asking`, `line`, `results`, `core`, `wire`, `errors`.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal, Self, cast

import msgspec
from msgspec import Struct

from sayso import errors
from sayso.client.asking import NO_DESK
from sayso.client.line import Absent, Busy, connect
from sayso.client.results import result_of
from sayso.core.digest import shown
from sayso.wire.protocol import MAX_LINE_BYTES

BACK_S = 10.0
"""How long a desk that went away may take to come back, for what was asked of it."""
_TAKEN_S = 10.0
"""How long a busy desk may take to let us in."""
_TRY_S = 0.02
"""How long one try to connect may hold everything else up."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 1.0
_CLOSED = "the connection was closed here, which withdraws what was asked over it"
_AWAY = "the desk went away; what was sent may or may not have arrived"
WITHDRAWN = "the program that asked withdrew it"


class Outcome(Struct, frozen=True, kw_only=True):
    """How a question ended. `ok`: answered with `value`; `cancel`: `reason` says why, where one is known."""

    request_id: str
    action: Literal["ok", "cancel", "timeout"]
    value: str | None = None
    reason: str | None = None


class _Lost(errors.Unavailable):
    """The connection ended before the answer came."""


def new_id() -> str:
    """Return an id for a question: nobody else has it, or will."""
    return secrets.token_hex(16)


class Desk:
    """A way to the desk at a socket; connects when it must, and again after a restart.

    Of one event loop. Every method raises Unavailable at once where no desk is.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._connecting = asyncio.Lock()
        self._connection: _Connection | None = None

    @classmethod
    @asynccontextmanager
    async def connect(cls, path: str) -> AsyncGenerator[Self]:
        """Connect now, and close in the end, which withdraws what was asked."""
        desk = cls(path)
        await desk.open()
        try:
            yield desk
        finally:
            desk.close()

    async def open(self) -> None:
        """Connect, unless there is a connection. Raises Unavailable."""
        await self._connected()

    def close(self) -> None:
        """End the connection: the desk withdraws what was asked over it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    async def call(self, method: str, params: dict[str, Any], timeout_s: float | None = 10.0) -> Any:
        """Return the result of a method, in JSON's own types. Any number at once.

        Raises:
            SaysoError: what the desk said, as the class that it raised; or Unavailable.
        """
        connection = await self._connected()
        answer = connection.send(method, params)
        try:
            async with asyncio.timeout(timeout_s):
                message = await answer
        except TimeoutError:
            raise errors.Unavailable(f"the desk did not answer within {timeout_s:.0f} s") from None
        return result_of(message)

    async def ask(self, params: dict[str, Any], pending: Callable[[], None] | None = None) -> Outcome:
        """Ask a person, with the parameters of `agent.ask_user`; return when it is over.

        A task that is cancelled meanwhile withdraws its question. `pending` is called
        each time the desk has taken the question in: once more after each restart.

        Raises:
            SaysoError: what the desk said; Unavailable when it stays away.
        """
        params = {**params, "id": params.get("id") or new_id()}
        timeout_ms = params.get("timeout_ms") or 0
        until_s = time.monotonic() + timeout_ms / 1000
        back_by_s = 0.0

        def taken() -> None:
            nonlocal back_by_s
            back_by_s = 0.0
            if pending is not None:
                pending()

        while True:
            connection = await self._connected()
            try:
                return await _outcome(connection, params, taken)
            except _Lost:
                # What hangs up each time before it took the question in is no desk that restarts.
                back_by_s = back_by_s or time.monotonic() + BACK_S
                await self._back(back_by_s)
            params["resumed"] = True
            if timeout_ms:
                params["timeout_ms"] = max(1, (until_s - time.monotonic()) * 1000)

    async def _back(self, until_s: float) -> None:
        """Wait for a desk that went away to return. Raises Unavailable at an instant."""
        pause_s = _FIRST_PAUSE_S
        while True:
            if time.monotonic() + pause_s > until_s:
                raise errors.Unavailable(_AWAY)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
            with suppress(errors.Unavailable):
                await self._connected()
                return

    async def _connected(self) -> _Connection:
        async with self._connecting:
            if self._connection is None or self._connection.ended:
                self._connection = await _connect(self.path)
            return self._connection


async def _outcome(connection: _Connection, params: dict[str, Any], taken: Callable[[], None]) -> Outcome:
    name: str = params["id"]
    connection.pending[name] = taken
    try:
        message = await connection.send("agent.ask_user", params)
    except asyncio.CancelledError:
        connection.tell("agent.ask_cancel", {"request_id": name, "reason": WITHDRAWN})
        raise
    finally:
        connection.pending.pop(name, None)
    try:
        return msgspec.convert(result_of(message), Outcome)
    except msgspec.ValidationError as error:
        raise errors.Unavailable(f"the desk is of another version: {error}") from None


async def _connect(path: str) -> _Connection:
    until_s = time.monotonic() + _TAKEN_S
    while True:
        try:
            taken = connect(path, _TRY_S)
            break
        except Busy as error:
            if time.monotonic() > until_s:
                raise errors.Unavailable(f"the desk takes nobody in ({error})") from None
            await asyncio.sleep(_FIRST_PAUSE_S)
        except Absent as error:
            raise errors.Unavailable(f"{NO_DESK} ({error})") from None
    plain = socket.socket(fileno=taken.socket.detach())
    plain.setblocking(False)
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_unix_connection(lambda: _Connection(path), sock=plain)
    return connection


class _Connection(asyncio.Protocol):
    """One connection: calls by number, and who waits for their answers."""

    def __init__(self, path: str) -> None:
        self.pending: dict[str, Callable[[], None]] = {}
        self.ended = False
        self._path = path
        self._transport: asyncio.WriteTransport | None = None
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self._rest = bytearray()

    def send(self, method: str, params: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
        """Send a call at once; return what its answer will be."""
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        number = self.tell(method, params)
        if self.ended:
            answer.set_exception(_Lost(_AWAY))
        else:
            self._answers[number] = answer
            answer.add_done_callback(lambda _: self._answers.pop(number, None))
        return answer

    def tell(self, method: str, params: dict[str, Any]) -> int:
        """Send a call whose answer nobody waits for. Raises TooLarge."""
        self._number += 1
        call = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        line = _encode(call)
        if len(line) > MAX_LINE_BYTES:
            raise errors.TooLarge(f"{method}: the desk takes at most {MAX_LINE_BYTES} bytes at once")
        if not self.ended and self._transport is not None:
            self._transport.write(line)
        return self._number

    def close(self) -> None:
        self._end(errors.Unavailable(_CLOSED))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.WriteTransport):
            raise TypeError(f"{transport} cannot be written to")
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._end(_Lost(_AWAY))

    def data_received(self, data: bytes) -> None:
        self._rest += data
        if b"\n" not in data:
            return
        *lines, rest = bytes(self._rest).split(b"\n")
        self._rest = bytearray(rest)
        for line in lines:
            try:
                self._message(msgspec.json.decode(line, type=dict[str, Any]))
            except (msgspec.DecodeError, RecursionError):
                self._end(errors.Unavailable(f"what listens at {self._path} is not a desk"))
                return

    def _message(self, message: dict[str, Any]) -> None:
        if message.get("method") == "agent.pending":
            params: dict[str, Any] = message.get("params") or {}
            taken = self.pending.get(str(params.get("id")))
            if taken is not None:
                taken()
            return
        number = message.get("id")
        answer = self._answers.get(number) if isinstance(number, int) else None
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _end(self, error: errors.Unavailable) -> None:
        self.ended = True
        for answer in list(self._answers.values()):
            if not answer.done():
                answer.set_exception(error)
        if self._transport is not None:
            self._transport.close()


def _encode(call: dict[str, Any]) -> bytes:
    """Return a call as a line. Half a surrogate pair, as in a path of other bytes, is shown as U+FFFD."""
    try:
        return msgspec.json.encode(call) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_readable(call)) + b"\n"


def _readable(value: Any) -> Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(name): _readable(item) for name, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_readable(item) for item in cast("list[Any]", value)]
    return value
