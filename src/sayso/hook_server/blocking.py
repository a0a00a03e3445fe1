"""The hook server for programs without asyncio: it runs on a thread of its own.

Imports `engine`, its siblings and the standard library.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from sayso.hook_server.answers import HookResponse as HookResponse
from sayso.hook_server.engine import Engine, Inbox
from sayso.hook_server.events import HookEvent as HookEvent
from sayso.hook_server.holds import Ending as Ending
from sayso.hook_server.server import MAX_BODY_BYTES, MAX_PENDING

__all__ = ["Ending", "HookEvent", "HookResponse", "HookServer"]


class HookServer:
    """As `sayso.hook_server.HookServer`, for threads: all of it may be used on any of them."""

    def __init__(
        self,
        max_pending: int = MAX_PENDING,
        legacy: bool = False,
        url_file: str | os.PathLike[str] | None = None,
        *,
        max_body_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._engine = Engine(max_pending, legacy, url_file, max_body_bytes)
        self._life = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()

    def start(self) -> None:
        """Listen on a free port with a fresh token, and write the URL file.

        Raises:
            UrlFileInUse: another server lives that has this URL file.
            UnsafeFolder: others may get at the URL file's folder.
            RuntimeError: it runs.
        """
        with self._life:
            if self._thread is not None:
                raise RuntimeError("this hook server was started before")
            started: Future[None] = Future()
            thread = threading.Thread(target=self._run, args=(started,), name="sayso-hooks", daemon=True)
            thread.start()
            try:
                started.result()
            except BaseException:  # an interruption, too
                self._end(thread, started)
                raise
            self._thread = thread

    def stop(self) -> None:
        """Let go of every caller: nothing is decided. Iterators of `events` end."""
        with self._life:
            if self._thread is not None and self._loop is not None:
                self._loop.call_soon_threadsafe(self._told.set)
                self._thread.join()
                self._thread = self._loop = None

    def _end(self, thread: threading.Thread, started: Future[None]) -> None:
        if started.exception() is None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._told.set)
        thread.join()

    def _run(self, started: Future[None]) -> None:
        asyncio.run(self._serve(started))

    async def _serve(self, started: Future[None]) -> None:
        self._told, self._loop = asyncio.Event(), asyncio.get_running_loop()
        try:
            await self._engine.start()
        except BaseException as error:  # noqa: BLE001 - raised again, where it was started
            started.set_exception(error)
            return
        started.set_result(None)
        try:
            await self._told.wait()
        finally:
            await self._engine.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def events(self) -> Iterator[HookEvent]:
        """Return an iterator of events as they come, until the server stops.

        Several threads may each have one: an event goes to one of them.
        """
        return _Events(self._engine.inbox)

    def next_event(self, timeout_s: float | None = None) -> HookEvent | None:
        """Return the next event; None when none came in time, or the server stopped."""
        return _next(self._engine.inbox, timeout_s)

    @property
    def running(self) -> bool:
        """Whether it was started, and not stopped since."""
        return self._engine.running

    @property
    def port(self) -> int:
        """The port it listens on, 0 before it was started."""
        return self._engine.port

    @property
    def token(self) -> str:
        """What a caller must show, "" before it was started."""
        return self._engine.token

    @property
    def url(self) -> str:
        """Where hooks go, with the token in it: not for a command line, which others see."""
        return self._engine.url

    @property
    def endpoint(self) -> str:
        """Where hooks go, without the token: for callers that send it as `Authorization: Bearer`."""
        return self._engine.endpoint

    @property
    def pending(self) -> int:
        """How many callers wait now."""
        return self._engine.pending

    def command(self) -> list[str]:
        """Return the command for an agent's settings. Raises: RuntimeError without a URL file."""
        return self._engine.command()


class _Events:
    """An iterator, and not a generator: that would keep the event it gave last."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> HookEvent:
        event = _next(self._inbox, None)
        if event is None:
            raise StopIteration
        return event


def _next(inbox: Inbox, timeout_s: float | None) -> HookEvent | None:
    end_s = None if timeout_s is None else time.monotonic() + timeout_s
    while True:
        event = inbox.take()
        if event is not None and not event.over:
            return event
        if event is None and not _wait(inbox, end_s):
            return None


def _wait(inbox: Inbox, end_s: float | None) -> bool:
    """Wait until there may be an event; return whether there may."""
    with inbox.changed:
        while not len(inbox):
            left_s = None if end_s is None else end_s - time.monotonic()
            if inbox.closed or (left_s is not None and left_s <= 0):
                return False
            inbox.changed.wait(left_s)
    return True
