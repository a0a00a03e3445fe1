"""What a desk pushes is a notice in a real browser, and goes when it was answered elsewhere.

The desk sends to a push service of the test; what that got is handed to the browser as the browser's
own service would.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from tests.browser import asks
from tests.browser.chromium import HIDE, Chromium, Tab
from tests.browser.scene import Scene
from tests.web.push_service import Browser, served

pytestmark = pytest.mark.end_to_end

WAIT_MS = 15_000
SHOWN = """async () => (await self.registration.getNotifications())
  .map(({title, body, silent, tag}) => ({title, body, silent, tag}))"""
SETTLED = {"title": "Settled", "body": "Answered, or no longer asked.", "silent": True}


@pytest.fixture(scope="module")
def standing(chromium: Chromium) -> Iterator[Scene]:
    with Scene(chromium, options=("--push-loopback",)) as scene:
        scene.home.sayso("settings", "notice_grace_s", "1")
        yield scene


@pytest.fixture
def service() -> Iterator[Browser]:
    with served() as service:
        yield service


class Phone:
    """A browser that lets the page show notices; its worker, and the way to it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.tab: Tab = scene.tab(service_workers="allow")
        self.page: Page = self.tab.page
        self.tab.context.grant_permissions(["notifications"], origin=scene.address)
        self.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        self.worker = self.tab.context.service_workers[0]
        self._session = self.tab.context.new_cdp_session(self.page)
        told: list[dict[str, Any]] = []
        self._session.on(
            "ServiceWorker.workerRegistrationUpdated", lambda new: told.extend(new["registrations"])
        )
        self._session.send("ServiceWorker.enable")
        self.page.wait_for_timeout(100)
        self._registration = told[-1]["registrationId"]

    def subscribe(self, service: Browser) -> None:
        """Have the desk send here what it has to tell."""
        token = self.page.evaluate("localStorage.getItem('sayso.token')")
        put = urllib.request.Request(
            f"{self._scene.address}/api/push/subscription",
            msgspec.json.encode(service.subscription),
            {"content-type": "application/json", "authorization": f"Bearer {token}"},
            method="PUT",
        )
        with urllib.request.urlopen(put, timeout=20) as answer:
            assert json.loads(answer.read()) == {"ok": True}

    def push(self, **what: str) -> None:
        told = {
            "origin": self._scene.address,
            "registrationId": self._registration,
            "data": json.dumps(what),
        }
        self._session.send("ServiceWorker.deliverPushMessage", told)

    def close_the_page(self) -> None:
        with self.page.expect_response("**/api/presence"):
            self.page.evaluate(HIDE, "hidden")
        self.page.goto("about:blank")

    def shows(self, *expected: dict[str, Any]) -> None:
        """Wait until these are the notices on its screen, as far as they are told."""
        for _ in range(WAIT_MS // 50):
            found = self.worker.evaluate(SHOWN)
            if len(found) == len(expected) and all(
                one.items() <= two.items() for one, two in zip(expected, found, strict=True)
            ):
                return
            self.page.wait_for_timeout(50)
        assert self.worker.evaluate(SHOWN) == list(expected)


def test_a_push_is_a_notice_and_no_text_of_it_is_more_than_text(scene: Scene) -> None:
    """Nothing is fetched for it. Whoever has the page before them sees there that it is settled."""
    phone = Phone(scene)
    phone.push(type="request", id="1" * 32, title="Claude Code waits", body="<b>a permission</b>")
    phone.shows({"title": "Claude Code waits", "body": "<b>a permission</b>", "silent": False})
    phone.push(type="close", tag="1" * 32)
    phone.shows()


def test_a_notice_is_replaced_without_a_sound_and_goes_when_it_was_answered_elsewhere(
    scene: Scene, service: Browser
) -> None:
    phone = Phone(scene)
    phone.subscribe(service)
    phone.close_the_page()
    asked = scene.ask(asks.BASH)
    scene.watcher.call("desk.presence", present=False)

    told = service.next()
    phone.push(**told)
    phone.shows({"title": told["title"], "silent": False, "tag": asked.id})
    scene.watcher.answer(asked.id, behavior="deny", message="No.")
    settled = service.next()
    assert settled == {"type": "close", "tag": asked.id}
    phone.push(**settled)
    phone.shows({**SETTLED, "tag": asked.id})
    phone.shows()

    phone.push(**settled)  # one that nobody sees any more
    phone.shows({**SETTLED, "tag": asked.id})
    phone.shows()
