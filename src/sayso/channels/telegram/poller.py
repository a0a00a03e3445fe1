"""The one who receives: a long poll after the other, each update handled once, trouble told in words.

An update counts as handled once its handler is done with it, and is kept so before the next one is
looked at: what is repeated, after a restart, too, is left alone. A server that was not asked for a day
has forgotten what it had, so then it is asked for all there is. Not here: what an update means, and
whether it is wanted at all (`transport`). Imports `api`, `pace`, `updates`.

Source: Telegram Bot API documentation, Getting updates, getUpdates, Update.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

from sayso.channels.telegram.errors import ApiError, Unreachable
from sayso.channels.telegram.pace import Clock
from sayso.channels.telegram.updates import WANTED, number_of
from sayso.wire.chats import BotState

POLL_S = 30
"""How long Telegram waits for something to tell; it allows 50."""
ANSWER_S = POLL_S + 10.0
MOST_UPDATES = 20
"""So few at once that even the longest, from strangers, are no answer that is too long to be read: it would
be refused, and come again, for a day."""
FIRST_BACKOFF_S, MOST_BACKOFF_S = 1.0, 60.0
CONFLICT_S = 60.0
"""How long a poller stays away that another one has pushed aside: else they push each other for ever."""
UNKNOWN_S = 300.0
"""After so long a token that is unknown is tried again: it may have been Telegram's mistake."""
LOST_S = 30.0
"""So long without a round trip, and nobody is reached any more."""
KEPT_S = 24 * 3600.0
"""How long Telegram keeps an update."""
LOOK_S = 5.0
JUMP_S = 10.0
"""A wall clock that gained so much within one look: the machine slept, and its connections are gone."""

OTHER = (
    "another program takes what people write to this bot (Telegram: conflict): end it, or make a bot for "
    "this desk alone. It is tried again each minute"
)
WEBHOOK = (
    "what people write to this bot goes to a web server (a webhook is set): make a bot for this desk "
    "alone, or `sayso telegram pair --drop-webhook`"
)
UNKNOWN = "Telegram does not know this bot's token any more: `sayso telegram pair --new-token` takes another"


class Api(Protocol):
    """The Bot API; raises ApiError and Unreachable."""

    async def call(self, method: str, params: dict[str, Any], *, answer_s: float) -> Any: ...

    def fresh(self) -> None: ...


class Progress(Protocol):
    """Which updates were handled, kept beyond a restart."""

    def last_update(self) -> tuple[int, float] | None:
        """Return the last one, and when (seconds since 1970)."""
        ...

    def is_done(self, number: int) -> bool: ...

    def done(self, number: int) -> None: ...


class Poller:
    """Asks one bot's server for updates.

    Args:
        handle: is given each update as it came.
        on_state: called whenever `state` has changed.
    """

    def __init__(
        self,
        api: Api,
        handle: Callable[[Any], Awaitable[None]],
        progress: Progress,
        on_state: Callable[[BotState], None],
        clock: Clock | None = None,
    ) -> None:
        self._api = api
        self._handle = handle
        self._progress = progress
        self._on_state = on_state
        self._clock = clock or Clock()
        self.state = BotState(state="connecting")
        self._heard_at = 0.0
        self._last_s = self._clock.now()
        """Of the last round trip, in the clock's own seconds."""
        self._backoff_s = 0.0
        self._in_conflict = False
        self._slept = asyncio.Event()

    async def run(self) -> None:
        """Receive until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._look_for_jumps())
            while True:
                pause_s = await self._poll()
                if pause_s:
                    self._slept.clear()
                    await self._clock.wait(self._slept, pause_s)

    # --- polling -----------------------------------------------------------------------

    async def _poll(self) -> float:
        """Ask once, and handle what comes; return how long to wait before the next time."""
        try:
            updates = await self._ask()
        except Unreachable as error:
            return self._lost(error.words)
        except ApiError as error:
            return self._refused(error)
        if updates is None:  # it slept: what was open is gone
            return 0.0
        self._backoff_s, self._in_conflict = 0.0, False
        self._last_s = self._clock.now()
        self._tell("well")
        for number, update in updates:
            await self._take(number, update)
        if updates:
            self._tell("well")
        return 0.0

    async def _ask(self) -> list[tuple[int, Any]] | None:
        """Return what came, each with its id; None when the machine slept meanwhile."""
        # A short poll tells at once whether all is well, but for another poller: that only a long one meets.
        is_long = self._in_conflict or self.state.state == "well"
        params: dict[str, Any] = {"timeout": POLL_S if is_long else 0}
        params |= {"allowed_updates": list(WANTED), "limit": MOST_UPDATES}
        last = self._progress.last_update()
        if last is not None and self._clock.wall() - last[1] < KEPT_S:
            params["offset"] = last[0] + 1
        self._slept.clear()
        asking = asyncio.ensure_future(self._api.call("getUpdates", params, answer_s=ANSWER_S))
        sleeping = asyncio.ensure_future(self._slept.wait())
        try:
            await asyncio.wait({asking, sleeping}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return None
            found = asking.result()
        finally:
            asking.cancel()
            sleeping.cancel()
        updates = cast("list[Any]", found if isinstance(found, list) else [found])
        numbers = [number_of(update) for update in updates]
        if None in numbers:
            raise Unreachable("what answers is not the Bot API")
        return [
            (number, update) for number, update in zip(numbers, updates, strict=True) if number is not None
        ]

    async def _take(self, number: int, update: Any) -> None:
        if self._progress.is_done(number):
            self._progress.done(number)  # it is the last one again: what is asked for comes after it
            return
        self._heard_at = self._clock.wall()
        try:
            await self._handle(update)
        finally:  # also where the handler fails: it would fail again and again
            self._progress.done(number)

    # --- trouble -----------------------------------------------------------------------

    def _lost(self, words: str) -> float:
        self._backoff_s = min(max(self._backoff_s * 2, FIRST_BACKOFF_S), MOST_BACKOFF_S)
        if self.state.state != "well" or self._clock.now() - self._last_s > LOST_S:
            self._tell("trouble", f"Telegram is not reached: {words}")
        return self._backoff_s

    def _refused(self, error: ApiError) -> float:
        self._in_conflict = error.code == 409
        if self._in_conflict:
            self._tell("trouble", WEBHOOK if "webhook" in error.description.lower() else OTHER)
            return CONFLICT_S
        if error.is_unknown_bot:
            self._tell("trouble", UNKNOWN)
            return UNKNOWN_S
        pause_s = self._lost(f"it answers {error.code} {error.description}")
        return max(pause_s, error.retry_after_s)

    def _tell(self, state: str, words: str = "") -> None:
        before = self.state
        reached_at = self._clock.wall() if state == "well" else before.reached_at
        self.state = BotState(state=state, words=words, reached_at=reached_at, heard_at=self._heard_at)
        if self.state != before:
            self._on_state(self.state)

    # --- sleep -------------------------------------------------------------------------

    async def _look_for_jumps(self) -> None:
        """Notice that the machine slept: what waits then waits for nothing."""
        never = asyncio.Event()
        while True:
            before = self._clock.wall() - self._clock.now()
            await self._clock.wait(never, LOOK_S)
            if self._clock.wall() - self._clock.now() - before > JUMP_S:
                self.hurry()

    def hurry(self) -> None:
        """Ask anew at once, over a new connection."""
        self._backoff_s = 0.0
        self._api.fresh()
        self._slept.set()
