"""The channel of Web Push: devices whose page is closed are told what waits, and when it is settled.

The same planner as for the desktop's notices says what is told and when; a push says as much as
`notice_content` lets it. Runs inside the desk, decides nothing of any request, and ends with it. Not
here: who subscribed (the desk), encryption and connections (`web`). Imports `notifier` and its floor.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Protocol, cast

import msgspec
from msgspec import Struct, structs

from sayso.channels import tmux_focus
from sayso.channels.notice_senders import Sender
from sayso.channels.notice_text import words
from sayso.channels.notices import Batch, Notices
from sayso.channels.notifier import Inside, Notifier
from sayso.channels.text import visible
from sayso.core.types import Settings
from sayso.errors import SaysoError
from sayso.web.push_send import GONE, Reached, post
from sayso.wire.protocol import PushSubscription
from sayso.wire.views import RequestView

ANSWER_S = 30.0
KEPT_S = 3600
"""How long a push service keeps a message for a device that is off."""
TITLE_CHARS = 200
BODY_CHARS = 1000
MOST_BUTTON_CHARS = 120
MOST_BUTTON_LINES = 3
"""What every screen shows of a notice without it being opened; more has no buttons."""
_WANTED = "wanted"
NOBODY = "mailto:desk@sayso.invalid"
"""Push services want to know whom to tell of trouble; without a public address there is nobody."""
_TOPIC_CHARS = 32


class Subscriptions(Protocol):
    """Who wants to be told, as the desk knows it."""

    @property
    def loopback(self) -> bool: ...

    @property
    def key(self) -> bytes: ...

    def all(self) -> Mapping[str, PushSubscription]: ...

    def watch(self, on_change: Callable[[], None]) -> None: ...

    def drop(self, device: str) -> None: ...

    def ticket(self, device: str, request_id: str) -> str: ...

    def over(self, request_id: str) -> None: ...


class Desk(Inside, Protocol):
    """The desk, as this channel needs it."""

    @property
    def subscriptions(self) -> Subscriptions: ...

    def pushed(self, request_ids: Iterable[str]) -> None:
        """Note that a push of these got through."""
        ...


class Push(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message, as the service worker reads it. `type`: request, note or close.

    `id`: of the request, when it is about one. `tag`: a later one of the same tag replaces it on the
    screen, and a close of it takes it away. `ticket`: it may have the buttons Allow and Deny.
    """

    type: str
    id: str = ""
    title: str = ""
    body: str = ""
    tag: str
    ticket: str = ""


class Planner(Notices):
    """Plans for whoever subscribed, and tells what need not be shown any longer."""

    def __init__(self, settings: Settings, subscriptions: Subscriptions, over: Callable[[str], None]) -> None:
        super().__init__(settings)
        self._subscriptions = subscriptions
        self._over = over

    @property
    def wanted(self) -> bool:
        return bool(self._subscriptions.all())

    def _forget(self, request_id: str) -> None:
        super()._forget(request_id)
        self._over(request_id)


class Phones(Sender):
    """The way out: every device that subscribed."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        still: Callable[[Batch], Batch],
        subscriptions: Subscriptions,
        subject: str,
        pushed: Callable[[Iterable[str]], None],
    ) -> None:
        super().__init__(settings, still)
        self._pushed = pushed
        self._subscriptions = subscriptions
        self._subject = subject if subject.startswith("https:") else NOBODY
        self._shown: dict[str, set[str]] = {}
        self._over: asyncio.Queue[str] = asyncio.Queue()
        self._notes = 0
        self._turns: dict[str, asyncio.Lock] = {}
        self._busy: set[str] = set()

    def choice(self, settings: Settings) -> str | bool:  # noqa: ARG002
        return bool(self._subscriptions.all())

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(super().run())
            group.create_task(self._close_what_is_over())

    # --- telling -----------------------------------------------------------------------

    async def _send(self, batch: Batch) -> str | None:
        trouble = await self._push(self._message(batch), urgent=True)
        if trouble == "":
            self._pushed(view.id for view in batch.requests)
        return trouble

    def _message(self, batch: Batch) -> Push:
        said = words(batch, self._settings().notice_content, time.time())
        title, body = said.title[:TITLE_CHARS], said.body[:BODY_CHARS]
        if not batch.requests:
            self._notes += 1
            return Push(type="note", title=title, body=body, tag=f"note-{self._notes}")
        ids = [view.id for view in batch.requests]
        one = ids[0] if len(ids) == 1 else ""
        tag = one or f"several-{ids[0]}"
        self._shown[tag] = set(ids)
        message = Push(type="request", id=one, title=title, body=body, tag=tag)
        text = whole(batch.requests[0]) if one and self._settings().notice_content == "what" else ""
        return structs.replace(message, body=text, ticket=_WANTED) if text else message

    def _for(self, device: str, message: Push) -> Push:
        """Return a message as one device gets it: with buttons only where it may answer."""
        if message.ticket != _WANTED:
            return message
        return structs.replace(message, ticket=self._subscriptions.ticket(device, message.id))

    # --- taking away -------------------------------------------------------------------

    def over(self, request_id: str) -> None:
        """Note that a request need not be shown any longer."""
        self._subscriptions.over(request_id)
        for tag, ids in list(self._shown.items()):
            ids.discard(request_id)
            if not ids:
                del self._shown[tag]
                self._over.put_nowait(tag)

    async def _close_what_is_over(self) -> None:
        while True:
            await self._push(Push(type="close", tag=await self._over.get()), urgent=False)

    # --- sending -----------------------------------------------------------------------

    async def _push(self, message: Push, urgent: bool) -> str | None:
        """Send a message to everybody; return what went wrong, None where nobody was to be told."""
        to = list(self._subscriptions.all().items())
        if not to:
            return None
        reached = await asyncio.gather(
            *(
                self._in_turn(device, partial(self._to, subscription, self._for(device, message), urgent))
                for device, subscription in to
            )
        )
        troubles = [
            trouble
            for (device, _), one in zip(to, reached, strict=True)
            if (trouble := self._after(device, one))
        ]
        return f"a device was not told: {troubles[0]}" if troubles else ""

    async def _in_turn(self, device: str, send: Callable[[], Reached]) -> Reached:
        """Return what became of a message; what is told to one device keeps its order."""
        async with self._turns.setdefault(device, asyncio.Lock()):
            if device in self._busy:
                return Reached(trouble="its push service has not answered to the one before")
            self._busy.add(device)
            try:
                async with asyncio.timeout(ANSWER_S):
                    return await _in_thread(send, partial(self._busy.discard, device))
            except TimeoutError:
                return Reached(trouble="its push service takes too long")

    def _to(self, subscription: PushSubscription, message: Push, urgent: bool) -> Reached:
        """Send to one device; in a thread of its own."""
        from sayso.web import push_wire  # heavy, and it is there: somebody has subscribed

        endpoint, keys = subscription.endpoint, subscription.keys
        try:
            body = push_wire.encrypted(_fitted(message, push_wire.MOST_TEXT_BYTES), keys.p256dh, keys.auth)
            who = push_wire.authorization(self._subscriptions.key, endpoint, self._subject, time.time())
        except (SaysoError, ValueError) as error:
            return Reached(trouble=f"it cannot be encrypted for: {error}")
        headers = {
            "Authorization": who,
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(KEPT_S),
            "Topic": hashlib.sha256(message.tag.encode()).hexdigest()[:_TOPIC_CHARS],
            "Urgency": "high" if urgent else "low",
        }
        return post(endpoint, headers, body, self._subscriptions.loopback)

    def _after(self, device: str, reached: Reached) -> str:
        """Return what went wrong, in words; a subscription that has ended is forgotten."""
        if reached.status in GONE:
            self._subscriptions.drop(device)
            return ""
        if reached.is_sent:
            return ""
        return reached.trouble or f"its push service answered {reached.status}"


def _fitted(message: Push, most_bytes: int) -> bytes:
    """Return a message as JSON, its text cut where it is more than a push service takes."""
    while len(text := msgspec.json.encode(message)) > most_bytes:
        message = structs.replace(message, body=message.body[: len(message.body) * 3 // 4])
    return text


async def _in_thread(work: Callable[[], Reached], done: Callable[[], None]) -> Reached:
    """Return what blocking work returns. The desk's end waits for none; `done` is called once it is over."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Reached] = loop.create_future()

    def settle(reached: Reached) -> None:
        done()
        if not result.done():
            result.set_result(reached)

    def run() -> None:
        reached = work()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, reached)

    threading.Thread(target=run, name="push", daemon=True).start()
    return await result


def whole(view: RequestView) -> str:
    """Return all that a call would do, where a notice shows it all; else "": it has no buttons then."""
    plain = view.kind == "permission" and view.confirmed and not (view.notice or view.unsafe)
    if not plain or any(row.length or row.lost or row.hidden for row in view.input):
        return ""
    text = "\n".join(f"{row.label}: {row.value}" for row in view.input)
    fits = len(text) <= MOST_BUTTON_CHARS and text.count("\n") < MOST_BUTTON_LINES
    return text if fits and visible(text, lines=True) == text else ""


class Pusher(Notifier):
    """Tells devices of what waits. Arguments as of `Notifier`.

    `subject`: the public address of the page, "" where there is none.
    """

    def __init__(
        self,
        desk: Desk,
        subject: str = "",
        focused: Callable[[Collection[str]], Collection[str]] = tmux_focus.in_focus,
    ) -> None:
        super().__init__(desk, {}, "", focused)
        phones = Phones(self._settings, self._still, desk.subscriptions, subject, desk.pushed)
        self._notices = Planner(desk.settings, desk.subscriptions, phones.over)
        self._senders = (phones,)
        desk.subscriptions.watch(self._look_again)

    def _still(self, batch: Batch) -> Batch:
        return self._notices.still(batch)

    def _look_again(self) -> None:
        """Somebody subscribed, or nobody is left: what is due is another thing now."""
        self._notices.is_due(self._desk.now())
        self._changed.set()


def pusher(subject: str) -> Callable[[Inside], Pusher]:
    """Return what makes the channel in a desk."""
    return lambda desk: Pusher(cast("Desk", desk), subject)
