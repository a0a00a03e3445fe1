"""The hook server for programs that run asyncio. Imports `engine` and the standard library."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from sayso.hook_server.engine import Engine, Inbox
from sayso.hook_server.events import HookEvent

MAX_PENDING = 1000
MAX_BODY_BYTES = 16 * 1024 * 1024


class HookServer:
    """A server on 127.0.0.1 that agents call as a hook, and a program answers.

    It belongs to the event loop that starts it, where it leaves signals, logs and other tasks alone.
    Starting it raises the process's limit of open files where it is below what `max_pending` takes.

    Args:
        max_pending: how many events may wait at once; beyond it a caller is told 503.
        legacy: answer PreToolUse by the `approve` and `block` of old agents.
        url_file: where to write the URL for `command`; its folder must be the user's alone. While a server
            lives no other one takes its file. None writes none.
        max_body_bytes: what one event may have.
    """

    def __init__(
        self,
        max_pending: int = MAX_PENDING,
        legacy: bool = False,
        url_file: str | os.PathLike[str] | None = None,
        *,
        max_body_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._engine = Engine(max_pending, legacy, url_file, max_body_bytes)

    async def start(self) -> None:
        """Listen on a free port with a fresh token, and write the URL file.

        Raises:
            UrlFileInUse: another server lives that has this URL file.
            UnsafeFolder: others may get at the URL file's folder.
            RuntimeError: it runs.
        """
        await self._engine.start()

    async def stop(self) -> None:
        """Let go of every caller: nothing is decided. Iterators of `events` end.

        The URL file is removed, unless somebody else wrote it since. It may be started anew.
        """
        await self._engine.stop()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def events(self) -> AsyncIterator[HookEvent]:
        """Return an iterator of events as they come, until the server stops.

        Several tasks may each have one: an event goes to one of them. What was over before somebody
        took it is left out.
        """
        return _Events(self._engine.inbox)

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
        """Return the command for an agent's settings: a program and its arguments.

        It holds no port and no token, and stays the same from one start to the next. When no server lives,
        or whatever else goes wrong, it prints nothing and ends well: the agent asks by itself.

        Raises: RuntimeError without a URL file.
        """
        return self._engine.command()


class _Events:
    """An iterator, and not a generator: that would keep the event it gave last."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> HookEvent:
        inbox = self._inbox
        while True:
            event = inbox.take()
            if event is not None and not event.over:
                return event
            if event is None:
                if inbox.closed:
                    raise StopAsyncIteration
                inbox.arrived.clear()
                await inbox.arrived.wait()
