"""The server behind both variants: socket, token, URL file, what waits and what was not handed out yet.

It lives on one event loop; the inbox alone is reached from other threads. Imports its siblings, `errors`
and the standard library.
"""

from __future__ import annotations

import asyncio
import resource
import secrets
import sys
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any

from sayso.errors import SaysoError, TooMany
from sayso.hook_server import checks
from sayso.hook_server.checks import Head
from sayso.hook_server.connection import Connection
from sayso.hook_server.events import HookEvent
from sayso.hook_server.holds import Ending, Hold
from sayso.hook_server.url_file import UrlFile

HOST = "127.0.0.1"
GRACE_S = 1.0
"""How long what is under way may take to end once the server stops."""
SPARE_CONNECTIONS = 128
"""Connections beside one for each event that waits: they are being read, refused, or closed."""
SPARE_FILES = 256
"""Open files beside one for each event that waits."""
FORWARD = Path(__file__).with_name("forward.py")
GUARD = '[ -x "$0" ] && [ -r "$3" ] || exit 0; exec "$0" "$@"'
"""Where the interpreter or the forwarder is gone, the agent would print an error at every event."""


class Inbox:
    """Events that nobody took yet, the oldest first. Those that end meanwhile are out of it."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.arrived = asyncio.Event()
        self.closed = False
        self._fresh: OrderedDict[Hold, HookEvent] = OrderedDict()

    def put(self, hold: Hold, event: HookEvent) -> None:
        with self.changed:
            self._fresh[hold] = event
            self.changed.notify()
        self.arrived.set()

    def discard(self, hold: Hold) -> None:
        with self.changed:
            event = self._fresh.pop(hold, None)
        del event  # its end may run code, so not under the lock

    def take(self) -> HookEvent | None:
        """Return the oldest, if there is one."""
        with self.changed:
            return self._fresh.popitem(last=False)[1] if self._fresh else None

    def close(self) -> None:
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        self.arrived.set()

    def __len__(self) -> int:
        return len(self._fresh)


class Engine:
    """A server that may be started, and started anew when it was stopped."""

    def __init__(self, max_pending: int, legacy: bool, url_file: Any, max_body_bytes: int) -> None:
        if max_pending < 1 or max_body_bytes < 1:
            raise ValueError("a server must take one event at least, and one byte")
        self.inbox = Inbox()
        self.inbox.close()
        self.port = 0
        self.token = ""
        self.running = False
        self._max_pending = max_pending
        self._max_body_bytes = max_body_bytes
        self._legacy = legacy
        self._file = UrlFile(Path(url_file)) if url_file is not None else None
        self._connections: set[Connection] = set()
        self._empty = asyncio.Event()
        self._waiting: set[Hold] = set()
        self._starting = False
        self._stopping = False
        self._server: asyncio.Server | None = None

    # --- its life ----------------------------------------------------------------------

    async def start(self) -> None:
        """Raises: RuntimeError when it runs, UrlFileInUse, UnsafeFolder, OSError."""
        if self.running or self._starting:
            raise RuntimeError("this hook server was started before")
        self._starting = True
        try:
            if self._file is not None:
                await self._file.take()
            await self._listen()
            self.running = True
            if self._file is not None:
                self._file.write(self.url)
        except BaseException:
            self._undo()
            raise
        finally:
            self._starting = False

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        allow_files(self._max_pending + SPARE_FILES)
        self.inbox, self._stopping, self.token = Inbox(), False, secrets.token_hex(32)
        backlog = max(128, self._max_pending)
        self._server = await loop.create_server(
            lambda: Connection(self, loop), HOST, 0, backlog=backlog, reuse_address=False
        )
        self.port = self._server.sockets[0].getsockname()[1]

    def _undo(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._file is not None:
            self._file.leave()
        self.inbox.close()
        self.running = False

    async def stop(self) -> None:
        """Let go of everybody: nothing is decided. Nothing happens when it does not run."""
        if self._stopping or not self.running:
            return
        self._stopping = True
        try:
            await self._let_go()
        finally:
            for connection in list(self._connections):
                connection.abort()
            self._undo()

    async def _let_go(self) -> None:
        """Answer who waits, and have patience: with a response that is read, a body that is sent."""
        if self._file is not None:
            self._file.remove()  # first: nobody is to be sent to a port that may soon be anybody's
        if self._server is not None:
            self._server.close()
        self.inbox.close()
        self._empty.clear()
        for connection in list(self._connections):
            connection.stop()
        if self._connections:
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_S):
                    await self._empty.wait()

    # --- for connections ---------------------------------------------------------------

    def entered(self, connection: Connection) -> SaysoError | None:
        self._connections.add(connection)
        if len(self._connections) > self._max_pending + SPARE_CONNECTIONS:
            return TooMany("too many connections are open already")
        return None

    def left(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if not self._connections:
            self._empty.set()

    def refuse(self, head: Head) -> SaysoError | None:
        return checks.refusal(head, self.token, self._max_body_bytes)

    def most_bytes(self) -> int:
        return self._max_body_bytes

    def take(self, head: Head, body: bytes, hold: Hold) -> None:
        payload = checks.payload(head, body)
        if self._stopping:
            hold.end(Ending.STOPPED)
            return
        if len(self._waiting) >= self._max_pending:
            raise TooMany(f"{self._max_pending} events wait already")
        loop, inbox = asyncio.get_running_loop(), self.inbox
        self._waiting.add(hold)

        def over() -> None:
            self._waiting.discard(hold)
            inbox.discard(hold)

        def tell() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(over)

        hold.when_over(tell)
        inbox.put(hold, HookEvent(payload, body, hold, self._legacy))

    # --- what a program wants to know --------------------------------------------------

    @property
    def endpoint(self) -> str:
        if not self.running or not self.port:
            raise RuntimeError("this hook server does not run")
        return f"http://{HOST}:{self.port}{checks.PATH}"

    @property
    def url(self) -> str:
        return f"{self.endpoint}?t={self.token}"

    @property
    def pending(self) -> int:
        return len(self._waiting)

    def command(self) -> list[str]:
        if self._file is None:
            raise RuntimeError("a command needs a file to read the URL from: give url_file")
        script, file = str(FORWARD), str(self._file.path)
        return ["/bin/sh", "-c", GUARD, sys.executable, "-I", "-S", script, file]


def allow_files(most: int) -> None:
    """Raise this process's soft limit of open files where it is lower, as far as that may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # macOS has a lower limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
