"""The page under a name of its own, over plain HTTP: what browsers withhold there, it does without.

No service worker, no locks between tabs, fewer functions; a person was told so when they chose it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import asks
from tests.browser.chromium import PHONE_OPTIONS, STRANGER, Chromium
from tests.browser.line import Line
from tests.browser.scene import Scene
from tests.contract.rows import PERMISSIONS

pytestmark = pytest.mark.end_to_end


@pytest.fixture(scope="module")
def standing(chromium: Chromium) -> Iterator[Scene]:
    with Line(STRANGER) as line, Scene(chromium, line) as scene:
        yield scene


def test_a_phone_without_https_sees_and_answers(scene: Scene) -> None:
    tab = scene.tab("phone", **PHONE_OPTIONS)
    assert tab.page.url.startswith(f"http://{STRANGER}:")
    assert tab.page.evaluate("isSecureContext") is False
    asked = scene.ask(PERMISSIONS[0])
    tab.show(asked.id)
    tab.button("Allow").tap()
    asked.check(PERMISSIONS[0].says)
    expect(tab.card).to_contain_text("anded to the agent")
    for view in ("sessions", "devices", "settings", "help"):
        tab.page.goto(f"{scene.address}/#/{view}")
        expect(tab.page.get_by_role("heading", level=1)).to_be_visible()


def test_it_comes_back_there_too(scene: Scene) -> None:
    tab = scene.tab("laptop")
    asked = scene.ask(asks.QUESTION)
    expect(tab.entry(asked.id)).to_be_visible()
    tab.page.reload()
    expect(tab.entry(asked.id)).to_be_visible()
