"""The channel of webhooks inside a desk that says what the test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from sayso.channels.webhooks.channel import Sending, Webhooks
from sayso.channels.webhooks.delivery import Times
from sayso.errors import Unavailable
from sayso.wire.views import Change, NoteView
from sayso.wire.webhooks import Content, Webhook
from tests.channels.fake_desk import FakeDesk, view
from tests.channels.test_notifier import Stream
from tests.channels.webhooks.test_delivery import SECRET, Clock
from tests.web.webhook_receiver import Receiver, receiving

WAIT_S = 10.0
NOTE = NoteView(agent="program", title="Done", at="")


class Kept:
    """The webhooks, as the test says."""

    def __init__(self) -> None:
        self.sending: Sending | None = None
        self.known: dict[str, Webhook] = {}
        self.gone: list[Webhook] = []
        self.watchers: list[Callable[[], None]] = []

    def all(self) -> dict[str, Webhook]:
        return dict(self.known)

    def ended(self) -> list[Webhook]:
        return self.gone

    def watch(self, on_change: Callable[[], None]) -> None:
        self.watchers.append(on_change)

    def add(self, receiver: Receiver, content: Content = "who", path: str = "") -> Webhook:
        hook = Webhook(id=f"h{len(self.known)}", url=receiver.url + path, secret=SECRET, content=content)
        self.known[hook.id] = hook
        self._tell()
        return hook

    def remove(self, hook: Webhook) -> None:
        del self.known[hook.id]
        self._tell()

    def end(self, hook_id: str) -> None:
        self.gone.append(self.known.pop(hook_id))
        self._tell()

    def _tell(self) -> None:
        for watcher in self.watchers:
            watcher()


class Scene:
    def __init__(self) -> None:
        self.webhooks = Kept()
        self.stream = Stream()
        self.clock = Clock()
        self.channel = Webhooks(self, self.clock.times())
        self.seq = 0

    def listen(self) -> Stream:
        return self.stream

    def change(self, type_: str, **what: Any) -> None:
        self.seq += 1
        self.stream.queue.put_nowait(Change(type=type_, boot="boot1", seq=self.seq, **what))

    def begin(self) -> None:
        snapshot = {**FakeDesk(view()).snapshot(), "boot": "boot1"}
        self.change("snapshot", snapshot=snapshot)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[asyncio.Task[None]]:
        self.begin()
        task = asyncio.create_task(self.channel.run())
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def scene() -> Scene:
    return Scene()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture
def other() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


async def event_of(receiver: Receiver) -> dict[str, Any]:
    return await asyncio.to_thread(receiver.event)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def test_each_is_told_as_much_as_it_may_be(scene: Scene, receiver: Receiver, other: Receiver) -> None:
    scene.webhooks.add(receiver)
    scene.webhooks.add(other, "what")
    async with scene.running():
        scene.change("shown", request=view())
        who, what = await event_of(receiver), await event_of(other)
    assert (who["type"], who["boot"], who["seq"]) == ("request.shown", "boot1", 1)
    assert "git push" not in str(who)
    assert what["data"]["request"]["rows"][0]["value"] == "git push origin main"


async def test_one_that_hangs_delays_no_other(scene: Scene, receiver: Receiver, other: Receiver) -> None:
    receiver.release.clear()
    scene.webhooks.add(receiver)
    scene.webhooks.add(other)
    async with scene.running():
        for _ in range(20):
            scene.change("note", note=NOTE)
        assert [(await event_of(other))["seq"] for _ in range(20)] == list(range(1, 21))
        assert scene.channel.state("h0") == (20, 0, "")
        receiver.release.set()
        assert [(await event_of(receiver))["seq"] for _ in range(20)] == list(range(1, 21))


async def test_one_that_is_added_is_told_from_then_on(scene: Scene, receiver: Receiver) -> None:
    async with scene.running():
        scene.change("note", note=NOTE)
        await until(scene.stream.queue.empty)
        hook = scene.webhooks.add(receiver)
        scene.change("shown", request=view())
        assert (await event_of(receiver))["type"] == "request.shown"
        assert (await scene.channel.test(hook)).ok


async def test_one_that_was_removed_is_told_nothing_more(
    scene: Scene, receiver: Receiver, other: Receiver
) -> None:
    receiver.status = 500
    hook = scene.webhooks.add(receiver)
    scene.webhooks.add(other)
    scene.clock.go_on.clear()
    async with scene.running():
        scene.change("note", note=NOTE)
        await event_of(receiver)
        await scene.clock.paused()
        scene.webhooks.remove(hook)
        scene.clock.go_on.set()
        scene.change("note", note=NOTE)
        assert [(await event_of(other))["seq"] for _ in range(2)] == [1, 2]
        assert receiver.got.empty()
        assert scene.channel.state(hook.id) == (0, 0, "")
        with pytest.raises(Unavailable):
            await scene.channel.test(hook)


async def test_one_that_wants_no_more_is_told_of_in_words(scene: Scene, receiver: Receiver) -> None:
    receiver.answer(410)
    scene.webhooks.add(receiver, path="?token=private")
    async with scene.running() as task:
        scene.change("note", note=NOTE)
        await until(lambda: not scene.webhooks.known)
        (words,) = scene.channel.troubles()
        assert "wants no more; sayso webhook remove h0" in words
        assert "private" not in words
        scene.change("note", note=NOTE)
        await until(scene.stream.queue.empty)
        assert not task.done()
    assert receiver.got.qsize() == 1


async def test_what_is_wrong_names_the_host_alone(scene: Scene, receiver: Receiver) -> None:
    receiver.answer(500)
    scene.webhooks.add(receiver, path="?token=private")
    scene.clock.go_on.clear()
    async with scene.running():
        assert scene.channel.troubles() == []
        scene.change("note", note=NOTE)
        await scene.clock.paused()
        (words,) = scene.channel.troubles()
        assert f"(127.0.0.1:{receiver.port}) does not take its events: it answered 500" in words
        assert "hook?" not in words
        assert "private" not in words


async def test_too_much_at_once_is_a_gap(scene: Scene, receiver: Receiver) -> None:
    scene.webhooks.add(receiver)
    async with scene.running():
        scene.begin()
        scene.change("note", note=NOTE)
        assert (await event_of(receiver))["gap"] == 1


async def test_it_ends_with_the_desk(scene: Scene, receiver: Receiver) -> None:
    receiver.release.clear()
    scene.webhooks.add(receiver)
    async with scene.running() as task:
        scene.change("note", note=NOTE)
        await event_of(receiver)
        scene.stream.queue.put_nowait(None)
        await asyncio.wait_for(task, WAIT_S)
    assert scene.stream.closed


def test_the_usual_clock_is_the_real_one() -> None:
    assert Times().sleep is asyncio.sleep
