"""The channel of notices: it follows the desk, waits for the grace, and sends.

Runs inside the desk, decides nothing of any request, and ends with it. Imports `notices`,
`notice_senders`, `tmux_focus`, `wire`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Protocol

from sayso.channels import tmux_focus
from sayso.channels.notice_senders import Command, Desktop, Sender
from sayso.channels.notices import Notices, in_terminal, turn_id
from sayso.core.types import Settings
from sayso.wire.views import Change, RequestView, SessionView

PRESENT_S = 35.0
"""A channel whose person is there says so every 30 s."""
FOCUS_S = 3.0
"""Where looking at panes takes longer than it ever should, nobody looks."""


Focused = Callable[[Collection[str]], Collection[str]]


class Changes(Protocol):
    """A stream of the desk's changes, a snapshot first; it ends with the desk."""

    async def __anext__(self) -> Change: ...

    def close(self) -> None: ...


class Inside(Protocol):
    """The desk, as a channel inside of it needs it."""

    @property
    def settings(self) -> Settings: ...

    def now(self) -> float:
        """Return the desk's time."""
        ...

    def listen(self) -> Changes:
        """Return the changes from now on, without counting as somebody who watches."""
        ...

    def processes(self) -> Mapping[str, str]:
        """Return which process ("pid:start") asks, for each request where that is known."""
        ...

    def person_within(self, length_s: float) -> bool:
        """Return whether a channel said within this time that its person is there."""
        ...


class Notifier:
    """Tells of what waits.

    Args:
        env: the environment that the programs get.
        focused: returns those of some processes whose panes a person looks at; may block.
    """

    def __init__(
        self,
        desk: Inside,
        env: Mapping[str, str],
        platform: str,
        focused: Focused = tmux_focus.in_focus,
    ) -> None:
        self._desk = desk
        self._look = _Look(focused)
        self._notices = Notices(desk.settings)
        self._changed = asyncio.Event()
        self._senders: tuple[Sender, ...] = (
            Desktop(self._settings, self._notices.still, env, platform),
            Command(self._settings, self._notices.still, env),
        )

    def _settings(self) -> Settings:
        return self._notices.settings

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        return [trouble for sender in self._senders if (trouble := sender.current_trouble())]

    async def run(self) -> None:
        """Follow the desk to its end, or until cancelled."""
        async with asyncio.TaskGroup() as group:
            below = [group.create_task(sender.run()) for sender in self._senders]
            below.append(group.create_task(self._tell()))
            await self._follow()
            for task in below:
                task.cancel()

    async def _follow(self) -> None:
        changes = self._desk.listen()
        try:
            with suppress(StopAsyncIteration):
                while True:
                    before_s = self._notices.next_s()
                    self._notices.hear(await changes.__anext__(), self._desk.now())
                    if self._notices.next_s() != before_s:
                        self._changed.set()
        finally:
            changes.close()

    async def _tell(self) -> None:
        while True:
            self._changed.clear()
            due_s = self._notices.next_s()
            now = self._desk.now()
            if due_s is not None and due_s <= now:
                if self._notices.is_due(now):
                    await self._tell_now()
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(None if due_s is None else due_s - now):
                    await self._changed.wait()

    async def _tell_now(self) -> None:
        seen = await self._seen(self._notices.new(), self._notices.turns())
        batch = self._notices.take(seen, self._desk.now())
        if batch is None:
            return
        for sender in self._senders:
            if sender.is_on(self._notices.settings):
                sender.offer(batch)

    async def _seen(self, views: Collection[RequestView], turns: Collection[SessionView]) -> Collection[str]:
        """Return the requests and turns that somebody sees: a person is at a screen, or at the pane."""
        if self._desk.person_within(PRESENT_S):
            return {*(view.id for view in views), *map(turn_id, turns)}
        processes = self._desk.processes()
        known = {view.id: processes[view.id] for view in views if in_terminal(view) and view.id in processes}
        known |= {turn_id(turn): turn.process for turn in turns if turn.process}
        if not known:
            return ()
        wanted = frozenset(known.values())
        focused = await self._look.at(wanted)
        return {request_id for request_id, process in known.items() if process in focused}


class _Look:
    """Calls a function that may block in a thread: one at a time, however long it takes."""

    def __init__(self, look: Focused) -> None:
        self._look = look
        self._looks = False

    async def at(self, wanted: Collection[str]) -> Collection[str]:
        """Return what is found; nothing when that takes long, or while an earlier look still goes on."""
        if self._looks:
            return ()
        self._looks = True
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Collection[str]] = loop.create_future()

        def settle(what: Collection[str]) -> None:
            self._looks = False
            if not found.done():
                found.set_result(what)

        def run() -> None:
            what: Collection[str] = ()
            try:
                what = self._look(wanted)
            finally:
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(settle, what)

        threading.Thread(target=run, name="focus", daemon=True).start()
        try:
            async with asyncio.timeout(FOCUS_S):
                return await found
        except TimeoutError:
            return ()
