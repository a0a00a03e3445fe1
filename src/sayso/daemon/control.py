"""The control socket: newline-delimited JSON between the desk and this machine's programs.

One connection, many calls at once: each begins in the order sent, and none waits for another
to end. What does more than ask needs the power to, which is checked at each call. Not here:
what the methods do (`hooks`, `methods`), the file of the socket (`lifecycle`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from sayso.daemon import files, processes
from sayso.daemon.access import Access, StartedByAgent
from sayso.daemon.asks import METHODS as ASK_METHODS
from sayso.daemon.asks import Asks
from sayso.daemon.feed import Feed
from sayso.daemon.hooks import METHODS as HOOK_METHODS
from sayso.daemon.hooks import Hooks
from sayso.daemon.methods import Methods
from sayso.daemon.runtime import Runtime, trail
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, OutOfTurn, Refused, SaysoError, TooLarge, TooMany
from sayso.wire import ask_user, chunks
from sayso.wire.jsonrpc import (
    VERSION,
    Call,
    Lines,
    convert,
    decode_call,
    encode_error,
    encode_push,
    encode_result,
    sender_of,
)
from sayso.wire.protocol import METHODS, Power, PresenceParams, SubscribeParams

log = logging.getLogger(__name__)

CHANNEL = "cli"
MOST_UNFINISHED_BYTES = 32 * 1024 * 1024
"""Of all lines together that have not ended: whose line grows beyond that is let go."""
MOST_FEEDS = 16
"""Of one connection: each of them is told everything."""
NOBODY = Call(method="")
_numbers = count(1)


class Control:
    """What every connection shares."""

    def __init__(self, runtime: Runtime, hooks: Hooks, asks: Asks, methods: Methods, access: Access) -> None:
        self.runtime = runtime
        self.hooks = hooks
        self.asks = asks
        self.methods = methods
        self.access = access
        self.connections: set[Connection] = set()
        self.unfinished_bytes = 0

    def connect(self) -> Connection:
        """Make the protocol of a new connection."""
        return Connection(self)

    def close(self) -> None:
        """End every connection; what was written to it goes out first."""
        for connection in list(self.connections):
            connection.close()


class Connection(asyncio.Protocol):
    """One caller. Small, since thousands wait."""

    __slots__ = (
        "_asks",
        "_control",
        "_feeds",
        "_lines",
        "_paused",
        "_tasks",
        "_transport",
        "_unheard",
        "_watches",
        "pid",
        "process",
        "waiter",
    )

    def __init__(self, control: Control) -> None:
        self.waiter = f"socket {next(_numbers)}"
        self.pid = 0
        self._control = control
        self._lines = Lines()
        self._unheard: list[bytes] = []
        """Lines that were read and not taken yet, the last one first."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._feeds: list[Feed] = []
        self._asks: Feed | None = None
        self._watches = False
        self._paused: asyncio.Event | None = None  # made when it is needed: thousands only wait
        self.process = ""
        self._transport: asyncio.Transport | None = None

    # --- the transport -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        peer = cast("socket.socket", transport.get_extra_info("socket"))
        try:
            self.pid, uid = processes.peer_of(peer)
        except OSError:
            uid = -1
        if uid != os.getuid():
            self._transport.abort()
            return
        if files.is_crowded(peer.fileno(), files.SOCKET_SHARE):
            self._write(encode_error(NOBODY, TooMany("too many connections are open: try again later")))
            self.close()
            return
        with suppress(OSError, ValueError):  # it has ended already: it may ask, and nothing more
            self.process = processes.name_of(self.pid)
        self._control.connections.add(self)

    def data_received(self, data: bytes) -> None:
        try:
            lines = self._fed(data)
        except TooLarge as error:
            self._write(encode_error(NOBODY, error))
            self.close()
            return
        self._unheard = [*reversed(lines), *self._unheard]
        if len(self._unheard) == len(lines):
            self._hear()

    def _fed(self, data: bytes) -> list[bytes]:
        """Return the lines that are whole now. Raises TooLarge."""
        control, before_bytes = self._control, self._lines.unfinished_bytes
        try:
            lines = self._lines.feed(data)
        finally:
            grown_bytes = self._lines.unfinished_bytes - before_bytes
            control.unfinished_bytes += grown_bytes
        if grown_bytes > 0 and control.unfinished_bytes > MOST_UNFINISHED_BYTES:
            raise TooLarge("too much is said to the desk at once: try again later")
        return lines

    def _hear(self) -> None:
        """Take what was read, in its order: behind a call with a task of its own, once that has begun."""
        while self._unheard and self._line(self._unheard.pop()):
            pass
        if self._unheard:
            asyncio.get_running_loop().call_soon(self._hear)
        self._listen()

    def _listen(self) -> None:
        """Read on, unless something is to be done first: memory is bounded."""
        if self._transport is None:
            return
        if self._unheard or self._paused is not None:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def pause_writing(self) -> None:
        """Whoever does not read what it is told is not listened to either."""
        self._paused = asyncio.Event()
        self._listen()

    def resume_writing(self) -> None:
        self._go_on()
        self._listen()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._control.connections.discard(self)
        self._control.unfinished_bytes -= self._lines.unfinished_bytes
        self._lines = Lines()
        self._go_on()
        self._unheard.clear()
        self._transport = None
        for feed in self._feeds:
            feed.close()
        for task in self._tasks:
            task.cancel()
        runtime = self._control.runtime
        if self._watches:
            runtime.desk.watch(self.waiter, None, runtime.now())
        runtime.waiter_gone(self.waiter)

    def _go_on(self) -> None:
        paused, self._paused = self._paused, None
        if paused is not None:
            paused.set()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def push(self, method: str, params: Any) -> None:
        self._write(encode_push(method, params))

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    # --- calls -------------------------------------------------------------------------

    def _line(self, line: bytes) -> bool:
        """Carry a call out, or have it begin in a task; return whether the next may be taken at once."""
        try:
            call = decode_call(line)
        except BadRequest as error:
            self._write(encode_error(sender_of(line), error))
            return True
        try:
            if self._carried_out(call):
                return True
            caller = self._caller(call.method)
            params = _params(call.params)
        except SaysoError as error:
            self._error(call, error)
            return True
        task = asyncio.get_running_loop().create_task(self._run(call, caller, params))
        self._tasks.add(task)
        task.add_done_callback(partial(self._ended, call))
        return False

    def _ended(self, call: Call, task: asyncio.Task[None]) -> None:
        """Answer a call that a mistake of ours ended."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("%s failed: %s", call.method, trail(error))
            self._error(call, SaysoError("the desk made a mistake; its log says where"))

    def _carried_out(self, call: Call) -> bool:
        """Carry out, in the order they are read, what hooks and asking programs call; False for another."""
        bare = replace(call, params=msgspec.Raw())  # or the whole line would be kept with what waits

        def answer(result: Any) -> None:
            self._result(bare, result)

        asks = ASK_METHODS.get(call.method)
        if asks is not None:
            asks(self._control.asks, self, call.params, answer, call.jsonrpc != VERSION)
            return True
        hook = HOOK_METHODS.get(call.method)
        if hook is None:
            return False
        try:
            hook(self._control.hooks, self, call.params, answer)
        except OutOfTurn as error:
            if not METHODS[call.method].notifies:
                raise
            log.info("a receipt came out of turn: %s", error)
        return True

    def _result(self, call: Call, result: Any) -> None:
        if not call.notifies:
            self._write(encode_result(call, result))

    def _error(self, call: Call, error: SaysoError) -> None:
        row = METHODS.get(call.method)
        if not call.notifies and not (row is not None and row.notifies):
            self._write(encode_error(call, error))

    def _caller(self, method: str) -> Caller:
        """Return who calls, with the power that its process has at this moment."""
        power = Power.ASK
        row = METHODS.get(method)
        if row is not None and row.power > Power.ASK:
            self._check(method)
            power = self._local_power(row.power, method)
        return self._with(power)

    def answerer(self, method: str) -> Caller:
        """Return who answers here. Raises Refused when this process may not."""
        self._check(method)
        return self._with(self._local_power(Power.ANSWER, method))

    def _with(self, power: Power) -> Caller:
        return Caller(
            power=power,
            channel=CHANNEL,
            name="this computer",
            credential=f"uid {os.getuid()}",
            pid=self.pid,
            process=self.process,
        )

    def _check(self, method: str) -> None:
        """Raises Refused when this process may only ask; people are told of an agent's try."""
        try:
            self._control.access.check(self.pid, self.process)
        except StartedByAgent as error:
            self._control.runtime.tried(error.process, method)
            raise

    def _local_power(self, needed: Power, method: str) -> Power:
        """Return what a person's program may do; where only paired devices answer, see and end the desk."""
        if self._control.runtime.settings.answers_from != "paired" or method == "desk.stop":
            return Power.ADMIN
        if needed >= Power.ANSWER:
            raise Refused(f"{method}: only paired devices may answer here (the setting answers_from)")
        return Power.SEE

    async def _run(self, call: Call, caller: Caller, params: dict[str, Any]) -> None:
        try:
            if call.method == "desk.subscribe":
                await self._subscribe(call, caller, params)
                return
            if call.method == "askUserRequestSnapshot":
                await self._tell_asks(call, caller)
                return
            if call.method == "desk.presence":
                self._presence(caller, params)
                result: Any = {"ok": True}
            else:
                result = await self._control.methods.call(caller, call.method, params)
            self._result(call, result)
        except SaysoError as error:
            self._error(call, error)

    async def _subscribe(self, call: Call, caller: Caller, params: dict[str, Any]) -> None:
        wanted = convert(params, SubscribeParams)
        if len(self._feeds) >= MOST_FEEDS:
            raise TooMany(f"this connection has {MOST_FEEDS} subscriptions: one is enough")
        feed = self._control.methods.subscribe(caller, wanted.after)
        self._feeds.append(feed)
        self._result(call, {"ok": True})
        async for change in feed:
            for piece in chunks.split(change):
                self.push("desk.change", piece)
                if self._paused is not None:
                    await self._paused.wait()

    async def _tell_asks(self, call: Call, caller: Caller) -> None:
        """Tell of what programs ask, in the words of document 001."""
        self._control.methods.check_power(caller, call.method)
        if self._asks is not None:  # called again for another snapshot: nothing is told twice
            self._asks.close()
            self._feeds.remove(self._asks)
        self._asks = feed = self._control.methods.subscribe(caller, "")
        self._feeds.append(feed)
        self._result(call, {"ok": True})
        async for change in feed:
            event = ask_user.event_of(change)
            if event is not None:
                self.push(ask_user.EVENT, event)
            if self._paused is not None:
                await self._paused.wait()

    def _presence(self, caller: Caller, params: dict[str, Any]) -> None:
        self._watches = True
        self._control.methods.present(caller, convert(params, PresenceParams), self.waiter)
        self._control.runtime.settle()


def _params(raw: msgspec.Raw) -> dict[str, Any]:
    try:
        return msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(f"params must be an object: {error}", "params") from None
