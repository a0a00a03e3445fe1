"""Presence is told as it is: who looks is there, who does not holds no agent."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Request, expect

from tests.browser import asks
from tests.browser.chromium import HIDE
from tests.browser.scene import Scene

pytestmark = pytest.mark.end_to_end


def says(request: Request) -> dict[str, Any]:
    """Return what the page says of its person in a request, {} in any other."""
    return (request.post_data_json or {}) if request.url.endswith("/api/presence") else {}


def test_a_form_waits_only_while_somebody_looks(scene: Scene) -> None:
    """Its agent shows nothing meanwhile, so a hidden page must not hold it.

    The first of this file: a page that was closed without a word counts as watched for a while.
    """
    tab = scene.tab()
    scene.watcher.call("desk.presence", present=False)
    with tab.page.expect_response("**/api/presence"):
        tab.page.evaluate(HIDE, "hidden")
    hook = scene.agent.hook({**asks.FORM.payload, "session_id": "30b1dbd8-4d73-4b32-a3fd-6b8f8ba6e5a1"})
    assert hook.result() == (0, b"", b"")
    with tab.page.expect_response("**/api/presence"):
        tab.page.evaluate(HIDE, "visible")
    hook = scene.agent.hook({**asks.FORM.payload, "session_id": "30b1dbd8-4d73-4b32-a3fd-6b8f8ba6e5a2"})
    expect(tab.card).to_contain_text("Open a ticket for the failed nightly build?")
    tab.button("Decline").click()
    assert b'"action":"decline"' in hook.read()


def test_case_46_a_hidden_page_is_not_present(scene: Scene) -> None:
    tab = scene.tab()
    asked = scene.ask(asks.BASH)
    tab.show(asked.id)
    with tab.page.expect_request("**/api/presence") as request:
        tab.page.evaluate(HIDE, "hidden")
    assert says(request.value)["present"] is False
    assert says(request.value)["open"] == []
    with tab.page.expect_request("**/api/presence") as request:
        tab.page.evaluate(HIDE, "visible")
    assert says(request.value)["present"] is True
    assert says(request.value)["open"] == [asked.id]


def test_whoever_looks_tells_which_card_is_open(scene: Scene) -> None:
    tab = scene.tab()
    asked = scene.ask(asks.BASH)
    with tab.page.expect_request(lambda request: says(request).get("open") == [asked.id]):
        expect(tab.entry(asked.id)).to_be_visible()
    pages = {says(request)["page"] for request in tab.sent if says(request)}
    assert len(pages) == 1


def test_whoever_did_nothing_for_long_is_not_there(scene: Scene) -> None:
    tab = scene.tab(is_paired=False)
    tab.page.clock.install()
    tab.pair(scene.link())
    expect(tab.page.get_by_text("Nothing waits for you.")).to_be_visible()
    assert True in [says(request).get("present") for request in tab.sent]
    with tab.page.expect_request(lambda request: says(request).get("present") is False):
        tab.page.clock.run_for(125_000)
    with tab.page.expect_request(lambda request: says(request).get("present") is True):
        tab.page.mouse.move(40, 40)
        tab.page.clock.run_for(2_000)


def test_away_is_one_tap_and_the_same_everywhere(scene: Scene) -> None:
    first, second = scene.tab("laptop"), scene.tab("phone")
    switches = [tab.page.get_by_role("switch", name="Away") for tab in (first, second)]
    for switch in switches:
        expect(switch).not_to_be_checked()
    switches[0].click()
    for switch in switches:
        expect(switch).to_be_checked()
    assert scene.watcher.call("desk.list")["settings"]["away"] is True
    second.page.keyboard.press("w")
    for switch in switches:
        expect(switch).not_to_be_checked()
