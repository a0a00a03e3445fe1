"""Devices are told what waits while their page is closed, and when it no longer does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from sayso.channels import notices
from sayso.channels import push as module
from sayso.channels.push import NOBODY, Push, Pusher
from sayso.core.types import Settings
from sayso.web import push_wire
from sayso.web.push_send import Reached
from sayso.wire.protocol import PushSubscription
from sayso.wire.views import Change, NoteView, RequestView
from tests.channels.fake_desk import view
from tests.channels.test_notifier import Stream
from tests.web.push_service import Browser, claims, served

WAIT_S = 10.0
ONE, OTHER = view("1" * 32), view("2" * 32)


class Subscriptions:
    """Who subscribed, as the test says."""

    def __init__(self, **browsers: Browser) -> None:
        self.loopback = True
        self.key = push_wire.new_key()
        self.known = {name: browser.subscription for name, browser in browsers.items()}
        self.watchers: list[Callable[[], None]] = []
        self.seers: set[str] = set()
        self.settled: list[str] = []

    def all(self) -> dict[str, PushSubscription]:
        return dict(self.known)

    def watch(self, on_change: Callable[[], None]) -> None:
        self.watchers.append(on_change)

    def put(self, device: str, browser: Browser) -> None:
        self.known[device] = browser.subscription
        self._tell()

    def ticket(self, device: str, request_id: str) -> str:
        return "" if device in self.seers else f"{device} {request_id}"

    def over(self, request_id: str) -> None:
        self.settled.append(request_id)

    def drop(self, device: str) -> None:
        self.known.pop(device, None)
        self._tell()

    def _tell(self) -> None:
        for watcher in self.watchers:
            watcher()


class Scene:
    """A desk that says what the test wants."""

    def __init__(self, subscriptions: Subscriptions, subject: str = "", **settings: Any) -> None:
        given = {"desktop_notices": False, "notice_grace_s": 0.0, **settings}
        self.settings = Settings(**given)
        self.subscriptions = subscriptions
        self.stream = Stream()
        self.there = False
        self.told: set[str] = set()
        self.pusher = Pusher(self, subject, lambda _: ())

    def now(self) -> float:
        return time.monotonic()

    def listen(self) -> Stream:
        return self.stream

    def processes(self) -> dict[str, str]:
        return {}

    def person_within(self, length_s: float) -> bool:
        return self.there

    def pushed(self, request_ids: Iterable[str]) -> None:
        self.told.update(request_ids)

    def show(self, one: RequestView) -> None:
        self.change(type="shown", request=one)

    def change(self, **what: Any) -> None:
        self.stream.queue.put_nowait(Change(boot="b", seq=1, **what))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        task = asyncio.create_task(self.pusher.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "GAP_S", 0.0)
    monkeypatch.setattr(notices, "LOOK_S", 0.01)


@pytest.fixture
def phone() -> Iterator[Browser]:
    with served() as browser:
        yield browser


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something is so that nothing tells of."""
    async with asyncio.timeout(WAIT_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def told(browser: Browser) -> dict[str, Any]:
    return await asyncio.to_thread(browser.next)


async def test_a_phone_is_told_who_and_which_kind_and_no_text(phone: Browser) -> None:
    scene = Scene(Subscriptions(phone=phone))
    async with scene.running():
        scene.show(ONE)

        message = await told(phone)

    assert message == {
        "type": "request",
        "id": ONE.id,
        "title": "Claude Code in shop",
        "body": message["body"],
        "tag": ONE.id,
    }
    assert message["body"].startswith("asks for permission")
    assert "git push" not in str(message)


@pytest.mark.parametrize(
    ("content", "says"), [("nothing", "An agent waits"), ("what", "git push origin main")]
)
async def test_a_push_says_as_much_as_it_may(phone: Browser, content: str, says: str) -> None:
    scene = Scene(Subscriptions(phone=phone), notice_content=content)
    async with scene.running():
        scene.show(ONE)
        message = await told(phone)

    assert says in message["title"] + message.get("body", "")
    assert ("shop" in str(message)) is (content == "what")


async def test_it_is_said_who_sends_and_for_how_long(phone: Browser) -> None:
    subscriptions = Subscriptions(phone=phone)
    scene = Scene(subscriptions, "https://desk.example")
    async with scene.running():
        scene.show(ONE)
        got = await asyncio.to_thread(phone.received.get, True, WAIT_S)

    said = claims(got.headers["authorization"], phone.subscription.endpoint)
    assert said["sub"] == "https://desk.example"
    assert said["k"] == push_wire.public_key(subscriptions.key)
    assert got.headers["content-encoding"] == "aes128gcm"
    assert (got.headers["ttl"], got.headers["urgency"]) == ("3600", "high")
    assert len(got.headers["topic"]) == 32
    assert b"Claude" not in got.body


@pytest.mark.parametrize("subject", ["", "http://192.168.1.5:7297"])
async def test_without_a_public_address_there_is_nobody_to_tell(phone: Browser, subject: str) -> None:
    scene = Scene(Subscriptions(phone=phone), subject)
    async with scene.running():
        scene.show(ONE)
        got = await asyncio.to_thread(phone.received.get, True, WAIT_S)

    assert claims(got.headers["authorization"], phone.subscription.endpoint)["sub"] == NOBODY


async def test_it_is_taken_away_when_it_was_answered_elsewhere(phone: Browser) -> None:
    with served() as tablet:
        scene = Scene(Subscriptions(phone=phone, tablet=tablet))
        async with scene.running():
            scene.show(ONE)
            shown = [(await told(browser))["tag"] for browser in (phone, tablet)]
            scene.change(type="resolved", request=replace(ONE, state="answered"))

            closed = [await told(browser) for browser in (phone, tablet)]

    assert shown == [ONE.id, ONE.id]
    assert closed == [{"type": "close", "tag": ONE.id}] * 2


async def test_what_takes_it_away_replaces_it_where_it_was_not_delivered_yet(phone: Browser) -> None:
    scene = Scene(Subscriptions(phone=phone))
    async with scene.running():
        scene.show(ONE)
        first = await asyncio.to_thread(phone.received.get, True, WAIT_S)
        scene.change(type="resolved", request=replace(ONE, state="answered"))
        second = await asyncio.to_thread(phone.received.get, True, WAIT_S)

    assert first.headers["topic"] == second.headers["topic"]
    assert second.headers["urgency"] == "low"


async def test_several_at_once_are_one_push_and_go_when_the_last_has_gone(phone: Browser) -> None:
    scene = Scene(Subscriptions(phone=phone), notice_grace_s=0.2)
    async with scene.running():
        scene.show(ONE)
        scene.show(OTHER)
        message = await told(phone)
        assert message["title"].startswith("2 requests wait for you")
        assert "id" not in message
        scene.change(type="resolved", request=replace(ONE, state="answered"))
        scene.change(type="resolved", request=replace(OTHER, state="answered"))

        assert await told(phone) == {"type": "close", "tag": message["tag"]}
    assert phone.received.empty()


async def test_what_was_never_shown_is_not_taken_away(phone: Browser) -> None:
    scene = Scene(Subscriptions(phone=phone), notice_grace_s=0.05)
    async with scene.running():
        scene.show(ONE)
        scene.change(type="resolved", request=replace(ONE, state="answered"))
        scene.show(OTHER)

        assert (await told(phone))["id"] == OTHER.id
    assert phone.received.empty()


APPLES, OTHERS = "https://web.push.apple.com/a", "https://push.example/b"


async def test_it_is_taken_away_at_apples_service_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent there has to show something: the service worker does, whatever it is told."""
    sent: list[tuple[str, Push]] = []

    def send(self: Any, subscription: PushSubscription, message: Push, urgent: bool) -> Reached:
        sent.append((subscription.endpoint, message))
        return Reached(201)

    monkeypatch.setattr(module.Phones, "_to", send)
    subscriptions = Subscriptions()
    keys = Browser().subscription.keys
    for name in (APPLES, OTHERS):
        subscriptions.known[name] = PushSubscription(endpoint=name, keys=keys)
    scene = Scene(subscriptions)
    async with scene.running():
        scene.show(ONE)
        await until(lambda: len(sent) == 2)
        scene.change(type="resolved", request=replace(ONE, state="answered"))
        await until(lambda: len(sent) == 4)

    closed = {endpoint: message.tag for endpoint, message in sent if message.type == "close"}
    assert closed == {APPLES: ONE.id, OTHERS: ONE.id}


async def test_a_note_is_told(phone: Browser) -> None:
    scene = Scene(Subscriptions(phone=phone))
    async with scene.running():
        scene.change(type="note", note=NoteView(agent="codex", title="Tests pass", at=""))

        message = await told(phone)

    assert (message["type"], message["body"]) == ("note", "Tests pass")
    assert message["tag"].startswith("note-")


async def test_nobody_is_called_who_is_at_the_page(phone: Browser) -> None:
    scene = Scene(Subscriptions(phone=phone))
    scene.there = True
    async with scene.running():
        scene.show(ONE)
        await asyncio.sleep(0.05)
        assert phone.received.empty()
        scene.there = False

        assert (await told(phone))["id"] == ONE.id


async def test_who_subscribes_later_is_told_what_still_waits(phone: Browser) -> None:
    subscriptions = Subscriptions()
    scene = Scene(subscriptions)
    async with scene.running():
        scene.show(ONE)
        await asyncio.sleep(0.02)
        subscriptions.put("phone", phone)

        assert (await told(phone))["id"] == ONE.id


@pytest.mark.parametrize("status", [404, 410])
async def test_a_subscription_that_its_browser_ended_is_forgotten(phone: Browser, status: int) -> None:
    subscriptions = Subscriptions(phone=phone)
    phone.status = status
    scene = Scene(subscriptions)
    gone = asyncio.Event()
    subscriptions.watch(gone.set)
    async with scene.running():
        scene.show(ONE)
        await asyncio.wait_for(gone.wait(), WAIT_S)

    assert subscriptions.known == {}
    assert scene.pusher.troubles() == []


async def test_trouble_is_told_as_long_as_it_lasts(phone: Browser) -> None:
    scene = Scene(Subscriptions(phone=phone))
    phone.status = 500
    async with scene.running():
        scene.show(ONE)
        await told(phone)
        await until(lambda: bool(scene.pusher.troubles()))
        assert scene.pusher.troubles() == ["a device was not told: its push service answered 500"]
        phone.status = 201
        scene.show(OTHER)
        await told(phone)
        await until(lambda: not scene.pusher.troubles())


async def test_one_device_in_trouble_does_not_keep_the_others_from_being_told(phone: Browser) -> None:
    subscriptions = Subscriptions(dead=Browser(port=9), phone=phone)
    broken = Browser().subscription
    subscriptions.known["broken"] = replace(broken, keys=replace(broken.keys, p256dh="AAAA"))
    scene = Scene(subscriptions)
    async with scene.running():
        scene.show(ONE)

        assert (await told(phone))["id"] == ONE.id


async def test_a_service_that_does_not_answer_is_left_alone(
    phone: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 0.1)
    phone.release.clear()
    scene = Scene(Subscriptions(phone=phone))
    async with scene.running():
        scene.show(ONE)
        await told(phone)
        await until(lambda: bool(scene.pusher.troubles()))
        assert "takes too long" in scene.pusher.troubles()[0]
        scene.show(OTHER)
        await until(lambda: "the one before" in scene.pusher.troubles()[0])
    assert phone.received.empty()


async def test_a_message_is_made_to_fit(phone: Browser) -> None:
    long = replace(ONE, project="界" * 5000, prompt="界" * 5000)
    scene = Scene(Subscriptions(phone=phone), notice_content="what")
    async with scene.running():
        scene.show(long)
        got = await asyncio.to_thread(phone.received.get, True, WAIT_S)

    assert len(got.body) <= 4096


# --- buttons ---------------------------------------------------------------------------


async def test_where_the_whole_call_fits_and_may_be_told_it_has_buttons(phone: Browser) -> None:
    with served() as wall:
        subscriptions = Subscriptions(phone=phone, wall=wall)
        subscriptions.seers = {"wall"}
        scene = Scene(subscriptions, notice_content="what")
        async with scene.running():
            scene.show(ONE)
            messages = [await told(browser) for browser in (phone, wall)]
            scene.change(type="resolved", request=replace(ONE, state="answered"))
            await told(phone)

    assert [message["body"] for message in messages] == ["Command: git push origin main"] * 2
    assert messages[0]["ticket"] == f"phone {ONE.id}"
    assert "ticket" not in messages[1]  # it may only look
    assert ONE.id in subscriptions.settled


@pytest.mark.parametrize("content", ["nothing", "who"])
async def test_without_the_text_there_are_no_buttons(phone: Browser, content: str) -> None:
    scene = Scene(Subscriptions(phone=phone), notice_content=content)
    async with scene.running():
        scene.show(ONE)

        assert "ticket" not in await told(phone)
