"""The channel of webhooks: it follows the desk, and has each webhook told in a task of its own.

So a receiver that is slow or away delays neither another nor the desk. Runs inside the desk, can
decide nothing, and nothing that a receiver answers is read beyond its status. Not here: which webhooks
there are (the desk). Imports `delivery`, `told`, `wire`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol, cast

from sayso.channels.webhooks.delivery import Delivery, Post, Times
from sayso.channels.webhooks.told import Told, told
from sayso.errors import Unavailable
from sayso.web import webhook_send
from sayso.wire.views import Change
from sayso.wire.webhooks import Webhook, WebhookTested


class Changes(Protocol):
    """A stream of the desk's changes, a snapshot first; it ends with the desk."""

    async def __anext__(self) -> Change: ...

    def close(self) -> None: ...


class Sending(Protocol):
    """What the desk asks of this channel."""

    def state(self, hook_id: str) -> tuple[int, int, str]: ...

    async def test(self, hook: Webhook) -> WebhookTested: ...


class Kept(Protocol):
    """The webhooks, as the desk knows them."""

    sending: Sending | None

    def all(self) -> Mapping[str, Webhook]: ...

    def ended(self) -> Sequence[Webhook]: ...

    def watch(self, on_change: Callable[[], None]) -> None: ...

    def end(self, hook_id: str) -> None: ...


class Desk(Protocol):
    """The desk, as this channel needs it: it can look, and nothing else."""

    @property
    def webhooks(self) -> Kept: ...

    def listen(self) -> Changes: ...


class Webhooks:
    """Tells webhooks what happens."""

    def __init__(self, desk: Desk, times: Times | None = None, post: Post = webhook_send.post) -> None:
        self._desk = desk
        self._kept = desk.webhooks
        self._times = times or Times()
        self._post = post
        self._boot = ""
        self._group: asyncio.TaskGroup | None = None
        self._at_work: dict[str, tuple[Delivery, asyncio.Task[None]]] = {}
        self._kept.sending = self
        self._kept.watch(self._look_again)

    # --- for the desk ------------------------------------------------------------------

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        said = [words for delivery, _ in self._at_work.values() if (words := delivery.words())]
        return [*said, *map(_ended, self._kept.ended())]

    def state(self, hook_id: str) -> tuple[int, int, str]:
        """Return how many events wait for a webhook, how many were dropped, and what is wrong."""
        if hook_id not in self._at_work:
            return 0, 0, ""
        delivery, _ = self._at_work[hook_id]
        return delivery.waiting, delivery.dropped, delivery.trouble

    async def test(self, hook: Webhook) -> WebhookTested:
        """Send a test event. Raises Unavailable."""
        if hook.id not in self._at_work:
            raise Unavailable("the desk is not ready to send yet")
        delivery, _ = self._at_work[hook.id]
        return await delivery.test()

    # --- at work -----------------------------------------------------------------------

    async def run(self) -> None:
        """Follow the desk to its end, or until cancelled."""
        async with asyncio.TaskGroup() as group:
            changes = self._desk.listen()
            try:
                with suppress(StopAsyncIteration):
                    self._boot = (await changes.__anext__()).boot
                    self._group = group
                    self._look_again()
                    while True:
                        self._hear(await changes.__anext__())
            finally:
                self._group = None
                changes.close()
                for _, task in self._at_work.values():
                    task.cancel()

    def _look_again(self) -> None:
        """Begin with those that were added, and end with those that are gone."""
        wanted = self._kept.all()
        for hook_id in [hook_id for hook_id in self._at_work if hook_id not in wanted]:
            self._at_work.pop(hook_id)[1].cancel()
        if self._group is None:
            return
        for hook_id in [hook_id for hook_id in wanted if hook_id not in self._at_work]:
            delivery = Delivery(
                wanted[hook_id],
                self._boot,
                lambda gone=hook_id: self._kept.end(gone),
                self._times,
                self._post,
            )
            self._at_work[hook_id] = delivery, self._group.create_task(delivery.run())

    def _hear(self, change: Change) -> None:
        if change.snapshot is not None:  # so much came at once that the desk gave up telling each
            for delivery, _ in self._at_work.values():
                delivery.missed(1)
            return
        said: dict[str, Told | None] = {}
        for delivery, _ in self._at_work.values():
            content = delivery.hook.content
            if content not in said:
                said[content] = told(change, content)
            event = said[content]
            if event is not None:
                delivery.offer(event)


def _ended(hook: Webhook) -> str:
    return (
        f"the webhook {hook.id} ({webhook_send.host_of(hook.url)}) has ended: its receiver answered that it "
        f"wants no more; sayso webhook remove {hook.id}"
    )


def webhooks(desk: object) -> Webhooks:
    """Return the channel in a desk."""
    return Webhooks(cast("Desk", desk))
