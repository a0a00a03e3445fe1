"""One webhook at work, before a real receiver and with a clock of its own: order, retries, what is lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from sayso.channels.webhooks import delivery as module
from sayso.channels.webhooks.delivery import PAUSES_S, Delivery, Post, Times
from sayso.channels.webhooks.told import Told
from sayso.web import webhook_send
from sayso.web.webhook_send import Answered
from sayso.wire.webhooks import EventData, EventNote, Webhook
from tests.web.webhook_receiver import Receiver, is_signed, receiving

WAIT_S = 10.0
SECRET = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY="


class Clock:
    """Time that passes when the code waits; the test says how long a wait really lasts."""

    def __init__(self) -> None:
        self.now_s = 1_796_040_000.25
        self.pauses: asyncio.Queue[float] = asyncio.Queue()
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.chance = 0.5
        """In the middle: no jitter."""

    async def sleep(self, length_s: float) -> None:
        self.pauses.put_nowait(length_s)
        await self.go_on.wait()
        self.now_s += length_s

    def times(self) -> Times:
        return Times(wall=lambda: self.now_s, sleep=self.sleep, chance=lambda: self.chance)

    async def paused(self) -> float:
        return await asyncio.wait_for(self.pauses.get(), WAIT_S)


class Scene:
    def __init__(self, url: str, post: Post = webhook_send.post, events: tuple[str, ...] = ()) -> None:
        self.clock = Clock()
        self.ended = asyncio.Event()
        hook = Webhook(id="h1", url=url, secret=SECRET, events=events)
        self.delivery = Delivery(hook, "boot1", self.ended.set, self.clock.times(), post)

    def happen(self, *names: str, type_: str = "note") -> None:
        for name in names:
            self.delivery.offer(Told(type_, EventData(note=EventNote(agent=name, at=""))))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[asyncio.Task[None]]:
        task = asyncio.create_task(self.delivery.run())
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def quiet(self) -> None:
        """Wait until nothing waits any more."""
        async with asyncio.timeout(WAIT_S):
            while self.delivery.waiting:  # noqa: ASYNC110
                await asyncio.sleep(0.002)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


async def event_of(receiver: Receiver) -> dict[str, Any]:
    return await asyncio.to_thread(receiver.event)


def who(event: dict[str, Any]) -> str:
    name: str = event["data"]["note"]["agent"]
    return name


async def test_an_event_arrives_signed_and_in_its_shape(receiver: Receiver) -> None:
    scene = Scene(receiver.url)
    async with scene.running():
        scene.happen("one")
        got = await asyncio.to_thread(receiver.next)
        await scene.quiet()
    assert is_signed(got, SECRET)
    assert not is_signed(got._replace(body=got.body + b" "), SECRET)
    assert got.headers["webhook-id"] == "msg_boot1_h1_1"
    assert got.headers["webhook-timestamp"] == "1796040000"
    assert got.headers["content-type"] == "application/json"
    assert got.event == {
        "version": 1,
        "type": "note",
        "timestamp": "2026-11-30T12:00:00.250Z",
        "boot": "boot1",
        "seq": 1,
        "data": {"note": {"agent": "one", "at": ""}},
    }
    assert scene.delivery.words() == ""


async def test_order_is_kept_while_the_first_is_tried_again(receiver: Receiver) -> None:
    receiver.answer(500, 404, 204, 204)
    scene = Scene(receiver.url)
    async with scene.running():
        scene.happen("one", "two")
        tried = [await asyncio.to_thread(receiver.next) for _ in range(4)]
        await scene.quiet()
    assert [who(got.event) for got in tried] == ["one", "one", "one", "two"]
    assert len({got.headers["webhook-id"] for got in tried[:3]}) == 1
    assert len({got.body for got in tried[:3]}) == 1
    # Each attempt is signed anew, for its own time.
    assert [int(got.headers["webhook-timestamp"]) - 1796040000 for got in tried] == [0, 5, 35, 35]
    assert all(is_signed(got, SECRET) for got in tried)


async def test_pauses_grow_and_then_it_is_given_up_and_the_next_says_so(receiver: Receiver) -> None:
    receiver.answer(*[500] * (len(PAUSES_S) + 1))
    scene = Scene(receiver.url)
    async with scene.running():
        scene.happen("one", "two")
        assert [await scene.clock.paused() for _ in PAUSES_S] == list(PAUSES_S)
        tried = [await event_of(receiver) for _ in range(len(PAUSES_S) + 2)]
        await scene.quiet()
    assert [who(event) for event in tried] == ["one"] * 6 + ["two"]
    assert [event.get("gap") for event in tried] == [None] * 6 + [1]
    assert (scene.delivery.dropped, scene.delivery.words()) == (1, "")


@pytest.mark.parametrize(("chance", "pause_s"), [(0.0, 4.0), (1.0, 6.0)])
async def test_pauses_have_jitter(receiver: Receiver, chance: float, pause_s: float) -> None:
    receiver.answer(500)
    scene = Scene(receiver.url)
    scene.clock.chance = chance
    async with scene.running():
        scene.happen("one")
        assert await scene.clock.paused() == pytest.approx(pause_s)


@pytest.mark.parametrize(
    ("status", "wanted", "pause_s"),
    [
        (429, "7", 7.0),
        (503, "Mon, 30 Nov 2026 12:03:00 GMT", 179.75),
        (503, "0", 1.0),
        (503, "999999", 3600.0),
        (503, "whenever", 5.0),
        (500, "7", 5.0),
    ],
)
async def test_a_receiver_says_when_to_try_again(
    receiver: Receiver, status: int, wanted: str, pause_s: float
) -> None:
    receiver.answer(status, Retry_After=wanted)
    scene = Scene(receiver.url)
    async with scene.running():
        scene.happen("one")
        assert await scene.clock.paused() == pause_s
        assert [who(await event_of(receiver)) for _ in range(2)] == ["one", "one"]


async def test_gone_ends_it(receiver: Receiver) -> None:
    receiver.status = 410
    scene = Scene(receiver.url)
    async with scene.running() as task:
        scene.happen("one", "two")
        await asyncio.wait_for(task, WAIT_S)
    assert scene.ended.is_set()
    assert receiver.got.qsize() == 1


async def test_a_redirect_is_a_failure_and_told_in_words(receiver: Receiver) -> None:
    receiver.answer(307, location="http://127.0.0.1:1/")
    scene = Scene(receiver.url)
    scene.clock.go_on.clear()
    async with scene.running():
        scene.happen("one")
        await scene.clock.paused()
        assert "307, which leads elsewhere; that is not followed" in scene.delivery.words()


async def test_too_many_drop_the_oldest_and_the_next_says_how_many(receiver: Receiver) -> None:
    receiver.answer(500)
    scene = Scene(receiver.url)
    scene.clock.go_on.clear()
    most = module.MOST_WAITING
    async with scene.running():
        scene.happen("first")
        await scene.clock.paused()
        scene.happen(*map(str, range(most + 3)))
        assert scene.delivery.waiting == most + 1
        words = scene.delivery.words()
        assert "it answered 500; 257 wait, 3 were dropped" in words
        assert receiver.url not in words
        scene.clock.go_on.set()
        tried = [await event_of(receiver) for _ in range(most + 2)]
        await scene.quiet()
    assert [who(event) for event in tried[:4]] == ["first", "first", "3", "4"]
    assert [event["seq"] for event in tried[:4]] == [1, 1, 5, 6]
    assert [event.get("gap") for event in tried[:4]] == [None, None, 3, None]
    assert (scene.delivery.dropped, scene.delivery.words()) == (3, "")


async def test_only_what_it_wants_is_sent(receiver: Receiver) -> None:
    scene = Scene(receiver.url, events=("alert",))
    async with scene.running():
        scene.happen("no")
        scene.happen("yes", type_="alert")
        assert (await event_of(receiver))["seq"] == 1
        await scene.quiet()
    assert receiver.got.empty()


async def test_a_test_goes_past_what_waits(receiver: Receiver) -> None:
    receiver.answer(500)
    scene = Scene(receiver.url)
    scene.clock.go_on.clear()
    async with scene.running():
        scene.happen("one")
        await scene.clock.paused()
        assert (await scene.delivery.test()).ok
        await event_of(receiver)
        got = await asyncio.to_thread(receiver.next)
    assert is_signed(got, SECRET)
    assert (got.event["type"], got.event["seq"], got.event["data"]) == ("test", 0, {})


async def test_a_test_says_what_is_wrong_and_gone_ends_it(receiver: Receiver) -> None:
    receiver.answer(401, 410)
    scene = Scene(receiver.url)
    tested = await scene.delivery.test()
    assert (tested.ok, tested.status, tested.trouble) == (False, 401, "it answered 401")
    assert not scene.ended.is_set()
    assert (await scene.delivery.test()).status == 410
    assert scene.ended.is_set()


async def test_one_that_hangs_for_ever_has_one_thread_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 0.02)
    go_on, calls = threading.Event(), list[str]()

    def hangs(url: str, headers: list[tuple[str, str]], body: bytes) -> Answered:
        calls.append(url)
        go_on.wait(WAIT_S)
        return Answered(204)

    scene = Scene("https://bot.example/", hangs)
    async with scene.running():
        scene.happen("one")
        assert await scene.clock.paused() == 5
        assert await scene.clock.paused() == 30
        assert "has not ended yet" in scene.delivery.words()
        assert len(calls) == 1
        assert (await scene.delivery.test()).trouble == "it takes too long"
        go_on.set()
