"""Channels that run inside the desk: what they see of it, their start and their end.

They are handed in by whoever starts the desk, and none of them may end it: one that fails is
told in words, and the desk goes on. Not here: what they do. Imports `runtime`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from math import isinf
from typing import Any, Protocol, cast

from sayso.core.bounds import WATCH_S
from sayso.core.types import Presence, Settings
from sayso.daemon.chats import Chats
from sayso.daemon.feed import Feed
from sayso.daemon.methods import Methods
from sayso.daemon.push import Pushes
from sayso.daemon.runtime import Runtime, trail

log = logging.getLogger(__name__)

MOST_PUSHED = 10_000
"""Of so many requests it is known whether a push of them got through."""


class Inside:
    """The desk as such a channel sees it: it can look, and acts only for a device, with its power."""

    def __init__(
        self, runtime: Runtime, pushes: Pushes | None, methods: Methods, chats: Chats | None = None
    ) -> None:
        self._runtime = runtime
        self._methods = methods
        self.subscriptions = pushes
        self.chats = chats
        self.webhooks = methods.webhooks
        self._pushed: dict[str, None] = {}

    @property
    def settings(self) -> Settings:
        return self._runtime.settings

    def now(self) -> float:
        return self._runtime.now()

    def listen(self) -> Feed:
        """Return the changes from now on, a snapshot first; it does not count as somebody who watches."""
        return self._runtime.listen()

    async def call(self, device_id: str, channel: str, method: str, params: dict[str, Any]) -> Any:
        """Carry out what the person of a device wants, as `Service.call` does.

        Raises:
            Unauthorized: the device was taken back. And the errors of the method.
        """
        return await self._methods.call(self._methods.as_device(device_id, channel), method, params)

    def reaches(self, watcher: str, reached: bool) -> None:
        """Say whether a channel can reach its person elsewhere, which counts while they are away."""
        presence = Presence(reaches=True) if reached else None
        self._runtime.desk.watch(watcher, presence, self.now())
        self._runtime.settle()

    @property
    def has_pushes(self) -> bool:
        """Whether any device wants to be told by push."""
        return self.subscriptions is not None and bool(self.subscriptions.all())

    def pushed(self, request_ids: Iterable[str]) -> None:
        """Note that a push of these got through to a push service; other channels may wait a little then."""
        self._pushed.update(dict.fromkeys(request_ids))
        while len(self._pushed) > MOST_PUSHED:
            del self._pushed[next(iter(self._pushed))]

    def was_pushed(self, request_id: str) -> bool:
        return request_id in self._pushed

    def processes(self) -> dict[str, str]:
        """Return which process ("pid:start") asks, for each request where that is known."""
        requests = self._runtime.desk.snapshot().requests.values()
        asking = {request.id: request.caller or request.process for request in requests}
        return {request_id: process for request_id, process in asking.items() if process}

    def person_within(self, length_s: float) -> bool:
        """Return whether a channel said within this time that its person is there."""
        until_s = self._runtime.desk.watched_until()  # without end: reached from afar, so not seen here
        return not isinf(until_s) and self.now() - (until_s - WATCH_S) <= length_s


class Channel(Protocol):
    """What runs inside the desk."""

    async def run(self) -> None:
        """Run until cancelled, or until the desk's changes end."""
        ...

    def troubles(self) -> list[str]:
        """Return what is wrong with it, in words."""
        ...


MakeChannel = Callable[[Inside], Channel]


class Channels:
    """The channels of one desk, and the ways in (`intakes`) that run inside it as well."""

    def __init__(
        self,
        runtime: Runtime,
        make: Sequence[MakeChannel],
        methods: Methods,
        pushes: Pushes | None = None,
        intakes: Sequence[Channel] = (),
        chats: Chats | None = None,
    ) -> None:
        inside = Inside(runtime, pushes, methods, chats)
        self._all = [*intakes, *(one(inside) for one in make)]
        self._failed: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        for channel in self._all:
            task = asyncio.get_running_loop().create_task(channel.run())
            task.add_done_callback(self._ended)
            self._tasks.append(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a channel failed: %s", trail(_first(error)))
            self._failed.append("a channel of the desk made a mistake and has ended; its log says where")

    def troubles(self) -> list[str]:
        return [*self._failed, *(trouble for channel in self._all for trouble in channel.troubles())]

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _first(error: BaseException) -> BaseException:
    """Return the first of a group of errors: the group itself says nothing of where it was."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    return _first(cast("BaseExceptionGroup[BaseException]", error).exceptions[0])
