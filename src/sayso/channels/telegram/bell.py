"""The sound: cards come without one, and a short message calls for them once nobody seems to see them.

The planner of all notices says when: after the grace, bursts in one, not while a person is at a screen or
at the agent's pane. The chat is the last rung: a push to a device is given its time first; where none got
through, or nobody wants any, the chat calls. What called is taken away when all that it called for is over.
Not here: cards (`shower`). Imports `notifier`, `notices`, `ports`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

from sayso.channels import tmux_focus
from sayso.channels.notice_senders import Sender
from sayso.channels.notice_text import words
from sayso.channels.notices import Batch, Note, Notices
from sayso.channels.notifier import Inside, Notifier
from sayso.channels.telegram.ports import Bot, Undelivered
from sayso.core.types import Settings
from sayso.wire.views import RequestView, SessionView

AWAY_S = 1.0
"""Who is away is called at once; what comes with it is in the same call."""
PUSH_S = 5.0
"""So long after its turn it is known whether a push got through."""
RUNG_S = 30.0
"""So long a push that got through has, before the chat calls as well."""
_CONTENT = "who"
"""The card beside it says the rest."""


class Rungs(Protocol):
    """What was told before the chat calls, as `ports.Inside` has it."""

    @property
    def has_pushes(self) -> bool: ...

    def was_pushed(self, request_id: str) -> bool: ...


class Desk(Inside, Rungs, Protocol):
    """The desk, as the bell needs it."""


class Chats(Protocol):
    """The chats that may be called, and where the cards are."""

    def audible(self) -> Sequence[int]:
        """Return the chats whose person wants to hear."""
        ...

    def card_at(self, chat_id: int, request_id: str) -> int | None:
        """Return the message of a request's card in a chat."""
        ...


class _Called(NamedTuple):
    """A message that calls, and what for."""

    chat_id: int
    message_id: int
    ids: set[str]


class Planner(Notices):
    """Plans when the chats call."""

    def __init__(self, settings: Settings, rungs: Rungs, chats: Chats, over: Callable[[str], None]) -> None:
        super().__init__(settings)
        self._rungs = rungs
        self._chats = chats
        self._over = over

    @property
    def wanted(self) -> bool:
        return bool(self._chats.audible())

    def grace_s(self, view: RequestView) -> float:
        if self.settings.away:
            return AWAY_S
        if not self._rungs.has_pushes:
            return self.settings.notice_grace_s
        waits_s = RUNG_S if self._rungs.was_pushed(view.id) else PUSH_S
        return self.settings.notice_grace_s + waits_s

    def _note(self, note: Note) -> None:
        if isinstance(note, SessionView):  # what programs note is in the chat already
            super()._note(note)

    def _forget(self, request_id: str) -> None:
        super()._forget(request_id)
        self._over(request_id)


class Ring(Sender):
    """Calls, and takes away what called for nothing that is left."""

    def __init__(
        self, settings: Callable[[], Settings], still: Callable[[Batch], Batch], bot: Bot, chats: Chats
    ) -> None:
        super().__init__(settings, still)
        self._bot = bot
        self._chats = chats
        self._called: list[_Called] = []
        self._gone: asyncio.Queue[_Called] = asyncio.Queue()

    def choice(self, settings: Settings) -> str | bool:  # noqa: ARG002 - who is paired says it
        return bool(self._chats.audible())

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(super().run())
            group.create_task(self._take_away())

    async def _send(self, batch: Batch) -> str | None:
        said = words(batch, _CONTENT, time.time())
        text = "\n".join(filter(None, said))
        await asyncio.gather(*(self._call(chat_id, batch, text) for chat_id in self._chats.audible()))
        return ""  # a chat that gets nothing is told of by its cards

    async def _call(self, chat_id: int, batch: Batch, text: str) -> None:
        ids = {view.id for view in batch.requests}
        card = self._chats.card_at(chat_id, batch.requests[0].id) if len(ids) == 1 else None
        with suppress(Undelivered):
            called = _Called(chat_id, await self._bot.send(chat_id, text, reply_to=card), ids)
            if not batch.requests:
                return
            # Some of it may be over since.
            called.ids.intersection_update(view.id for view in self._still(batch).requests)
            self._called.append(called)
            self._sweep()

    def over(self, request_id: str) -> None:
        """Note that a request calls for nobody any more."""
        for called in self._called:
            called.ids.discard(request_id)
        self._sweep()

    def _sweep(self) -> None:
        for called in [one for one in self._called if not one.ids]:
            self._called.remove(called)
            self._gone.put_nowait(called)

    async def _take_away(self) -> None:
        while True:
            called = await self._gone.get()
            with suppress(Undelivered):
                await self._bot.delete(called.chat_id, called.message_id)


class Bell(Notifier):
    """Calls the chats for what waits. Arguments as of `Notifier`."""

    def __init__(
        self,
        desk: Desk,
        bot: Bot,
        chats: Chats,
        focused: Callable[[Collection[str]], Collection[str]] = tmux_focus.in_focus,
    ) -> None:
        super().__init__(desk, {}, "", focused)
        ring = Ring(self._settings, self._still, bot, chats)
        self._notices = Planner(desk.settings, desk, chats, ring.over)
        self._senders = (ring,)

    def _still(self, batch: Batch) -> Batch:
        return self._notices.still(batch)

    def look_again(self) -> None:
        """Somebody was paired, revoked, or muted: what is due is another thing now."""
        self._notices.is_due(self._desk.now())
        self._changed.set()
