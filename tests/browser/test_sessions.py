"""Sessions and their messages; devices and what taking one back does; what a power allows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import asks
from tests.browser.chromium import Tab
from tests.browser.scene import Scene
from tests.desks import sample

pytestmark = pytest.mark.end_to_end

WORKING = "aa1c3f52-3d39-4b6f-9c4e-52d5a7e3b6aa"


@pytest.fixture
def tab(scene: Scene) -> Tab:
    return scene.tab()


def session(tab: Tab, session_id: str) -> Locator:
    return tab.page.get_by_role("article").filter(has_text=session_id[:8])


def test_a_session_says_what_it_does(scene: Scene, tab: Tab) -> None:
    scene.event(sample("UserPromptSubmit", session_id=WORKING, prompt=asks.PROMPT))
    tab.page.get_by_role("navigation").get_by_role("link", name="Sessions").click()
    own = session(tab, WORKING)
    expect(own).to_contain_text("Working")
    expect(own).to_contain_text("The client hammers the payment API")
    asked = scene.ask(asks.BASH, session_id=WORKING)
    expect(own).to_contain_text("Waiting")
    own.get_by_role("link", name="1 request waits").click()
    expect(tab.page).to_have_url(re.compile(asked.id))


def test_a_message_is_sent_withdrawn_and_followed(scene: Scene, tab: Tab) -> None:
    scene.event(sample("UserPromptSubmit", session_id=WORKING, prompt="Begin."))
    tab.page.goto(f"{scene.address}/#/sessions")
    own = session(tab, WORKING)
    for text in ("Leave the uploads alone.", "And write it down."):
        own.get_by_role("button", name="Write a message").click()
        field = own.get_by_role("textbox", name="Message to Claude Code")
        expect(field).to_be_focused()
        tab.page.keyboard.type(text)
        own.get_by_role("radio", name="At the end of its turn").check()
        own.get_by_role("button", name="Send", exact=True).click()
        expect(own).to_contain_text(f"“{text}”")
        expect(own).to_contain_text("Queued")
        if text.startswith("Leave"):
            own.get_by_role("button", name="Take it back").click()
            expect(own).to_contain_text("Dropped")
    hook = scene.agent.hook(sample("Stop", session_id=WORKING))
    assert b"And write it down." in hook.read()
    expect(own).to_contain_text("Handed to the agent")


def test_everything_that_waits_is_released_at_once(scene: Scene, tab: Tab) -> None:
    asked = [scene.ask(row) for row in (asks.BASH, asks.QUESTION)]
    tab.page.goto(f"{scene.address}/#/sessions")
    tab.page.get_by_role("button", name="Release everything that waits…").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Release everything").click()
    for each in asked:
        each.becomes("released")


# --- devices -------------------------------------------------------------------------------------


def test_a_device_that_is_taken_back_sees_nothing_more_at_once(scene: Scene, tab: Tab) -> None:
    phone = scene.tab("Ada's phone")
    asked = scene.ask(asks.BASH)
    expect(phone.entry(asked.id)).to_be_visible()
    tab.page.goto(f"{scene.address}/#/devices")
    row = tab.page.get_by_role("listitem").filter(has_text="Ada's phone")
    expect(row).to_contain_text("last used")
    row.get_by_role("button", name="Revoke").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    expect(phone.page.get_by_role("heading", name="Pair this device")).to_be_visible()
    expect(phone.page.get_by_role("main")).to_contain_text("it was taken back")
    expect(phone.entry(asked.id)).to_have_count(0)
    expect(tab.page.get_by_role("heading", name="Devices")).to_be_visible()


def test_another_device_is_paired_from_the_page(scene: Scene, tab: Tab) -> None:
    tab.page.goto(f"{scene.address}/#/devices")
    tab.page.get_by_role("button", name="Pair another device").click()
    pairing = tab.page.get_by_role("region", name="Pair another device")
    pairing.get_by_role("button", name="Make a code").click()
    expect(pairing.get_by_role("img", name=re.compile("^QR code"))).to_be_visible()
    code = pairing.get_by_text(re.compile("^[0-9A-Z]{4}(-[0-9A-Z]{4})+$")).inner_text()
    phone = scene.tab(is_paired=False)
    phone.page.goto(scene.address)
    phone.page.get_by_label("One-time code").fill(code.lower())
    phone.page.get_by_label("What to call this device").fill("Ada's tablet")
    phone.page.get_by_role("button", name="Pair").click()
    expect(phone.page.get_by_text("Nothing waits for you.")).to_be_visible()
    expect(tab.page.get_by_role("listitem").filter(has_text="Ada's tablet")).to_be_visible()


def test_whoever_may_only_see_has_nothing_to_press(scene: Scene) -> None:
    wall = scene.tab("wall", power="see")
    asked = scene.ask(asks.BASH)
    wall.show(asked.id)
    expect(wall.button("Allow")).to_be_disabled()
    wall.page.keyboard.press("a")
    wall.page.goto(f"{scene.address}/#/devices")
    expect(wall.page.get_by_role("main")).to_contain_text("may see")
    wall.page.goto(f"{scene.address}/#/settings")
    for field in wall.page.locator("select, input").all():
        expect(field).to_be_disabled()
    assert [view["id"] for view in scene.pending()] == [asked.id]
