"""One webhook at work: what waits for it, in order, and the attempts to have it taken.

A receiver that is away is tried again for somewhat more than an hour, then that event is given up and
the next one's turn comes. Whatever will never come is counted, and the next event says so. Not here:
which events there are (`told`), connections (`web.webhook_send`). Imports those, and `wire`.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from sayso import __version__
from sayso.channels.webhooks.told import Told
from sayso.web import webhook_send
from sayso.web.threads import in_thread
from sayso.web.webhook_send import Answered
from sayso.wire.webhooks import (
    TEST,
    VERSION,
    Event,
    EventData,
    Webhook,
    WebhookTested,
    body_of,
    signature,
)

PAUSES_S = (5.0, 30.0, 120.0, 600.0, 3600.0)
"""After each attempt that failed; then an event is given up."""
JITTER = 0.2
"""A pause is longer or shorter by up to this part of it, so that receivers do not see them all at once."""
LEAST_PAUSE_S, MOST_PAUSE_S = 1.0, 3600.0
"""However soon or late a receiver wants it."""
MOST_WAITING = 256
"""The oldest go first."""
ANSWER_S = webhook_send.SEND_S + 5.0
"""Looking up a name has no deadline of its own."""
_ASKS_FOR_REST = frozenset({429, 503})

Post = Callable[[str, list[tuple[str, str]], bytes], Answered]


class Times(NamedTuple):
    """The clock, waiting, and chance."""

    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


class _Waiting(NamedTuple):
    seq: int
    at: str
    told: Told


class Delivery:
    """What one webhook is told.

    Args:
        boot: names this run of the desk.
        ended: called when its receiver wants no more.
        post: sends, and blocks meanwhile.
    """

    def __init__(
        self,
        hook: Webhook,
        boot: str,
        ended: Callable[[], None],
        times: Times,
        post: Post = webhook_send.post,
    ) -> None:
        self.hook = hook
        self.dropped = 0
        self.trouble = ""
        self._boot = boot
        self._ended = ended
        self._times = times
        self._post = post
        self._queue: deque[_Waiting] = deque()
        self._under_way = False
        self._seq = 0
        self._gap = 0
        self._more = asyncio.Event()
        self._busy = False
        """An attempt that nobody waits for any more still goes on."""

    @property
    def waiting(self) -> int:
        return len(self._queue) + self._under_way

    def offer(self, told: Told) -> None:
        """Take an event, if this webhook wants such; the oldest goes where too many wait."""
        if self.hook.events and told.type not in self.hook.events:
            return
        self._seq += 1
        self._queue.append(_Waiting(self._seq, self._now(), told))
        if len(self._queue) > MOST_WAITING:
            self._queue.popleft()
            self.missed(1)
        self._more.set()

    def missed(self, count: int) -> None:
        """Count events that will never come."""
        self.dropped += count
        self._gap += count

    def words(self) -> str:
        """Return what is wrong, "" if nothing is. Its address is named by its host alone."""
        if not self.trouble and not self._gap:
            return ""
        lost = f", {self._gap:,} were dropped" if self._gap else ""
        why = f": {self.trouble}" if self.trouble else ""
        host = webhook_send.host_of(self.hook.url)
        return (
            f"the webhook {self.hook.id} ({host}) does not take its events{why}; {self.waiting:,} wait{lost}"
        )

    def _now(self) -> str:
        now = datetime.fromtimestamp(self._times.wall(), UTC)
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    # --- sending -----------------------------------------------------------------------

    async def run(self) -> None:
        """Send what comes, one after the other, until its receiver wants no more."""
        while True:
            while not self._queue:
                self._more.clear()
                await self._more.wait()
            waiting = self._queue.popleft()
            gap, self._gap = self._gap, 0
            self._under_way = True
            taken = await self._deliver(waiting, gap)
            self._under_way = False
            if taken is None:
                self._ended()
                return
            if not taken:
                self._gap += gap
                self.missed(1)

    async def _deliver(self, waiting: _Waiting, gap: int) -> bool | None:
        """Return whether an event was taken in the end; None: its receiver wants no more."""
        event = Event(
            version=VERSION,
            type=waiting.told.type,
            timestamp=waiting.at,
            boot=self._boot,
            seq=waiting.seq,
            data=waiting.told.data,
            gap=gap,
        )
        message_id, body = f"msg_{self._boot}_{self.hook.id}_{waiting.seq}", body_of(event)
        for pause_s in (*PAUSES_S, None):
            answered = await self._attempt(message_id, body)
            if answered.status == webhook_send.GONE:
                return None
            self.trouble = _words(answered)
            if answered.is_taken:
                return True
            if pause_s is not None:
                await self._times.sleep(self._pause_s(pause_s, answered))
        return False

    def _pause_s(self, usual_s: float, answered: Answered) -> float:
        if answered.status in _ASKS_FOR_REST and answered.retry_after:
            wanted_s = webhook_send.pause_of(answered.retry_after, self._times.wall())
            if wanted_s is not None:
                return min(max(wanted_s, LEAST_PAUSE_S), MOST_PAUSE_S)
        return usual_s * (1 + JITTER * (2 * self._times.chance() - 1))

    async def _attempt(self, message_id: str, body: bytes) -> Answered:
        if self._busy:
            return Answered(trouble="the attempt before has not ended yet")
        self._busy = True
        headers = self._headers(message_id, body)
        try:
            return await in_thread(
                partial(self._post, self.hook.url, headers, body), ANSWER_S, "webhook", self._free
            )
        except TimeoutError:
            return Answered(trouble="it takes too long")

    def _free(self) -> None:
        self._busy = False

    def _headers(self, message_id: str, body: bytes) -> list[tuple[str, str]]:
        timestamp = int(self._times.wall())
        return [
            ("Content-Type", "application/json"),
            ("User-Agent", f"sayso/{__version__}"),
            ("webhook-id", message_id),
            ("webhook-timestamp", str(timestamp)),
            ("webhook-signature", signature(self.hook.secret, message_id, timestamp, body)),
        ]

    async def test(self) -> WebhookTested:
        """Send a test, once and past what waits; return what came of it."""
        event = Event(
            version=VERSION, type=TEST, timestamp=self._now(), boot=self._boot, seq=0, data=EventData()
        )
        body, message_id = body_of(event), f"msg_test_{secrets.token_hex(8)}"
        headers = self._headers(message_id, body)
        try:
            send = partial(self._post, self.hook.url, headers, body)
            answered = await in_thread(send, ANSWER_S, "webhook")
        except TimeoutError:
            answered = Answered(trouble="it takes too long")
        if answered.status == webhook_send.GONE:
            self._ended()
        return WebhookTested(ok=answered.is_taken, status=answered.status, trouble=_words(answered))


def _words(answered: Answered) -> str:
    """Return what is wrong with an answer, "" if nothing is."""
    if answered.is_taken:
        return ""
    if 300 <= answered.status < 400:
        return f"it answered {answered.status}, which leads elsewhere; that is not followed"
    return answered.trouble or f"it answered {answered.status}"
