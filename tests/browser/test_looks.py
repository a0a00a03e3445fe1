"""What the page looks like to those who see it otherwise: small screens, screen readers, calm, no desk."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser import asks
from tests.browser.chromium import PHONE_OPTIONS, Tab
from tests.browser.scene import Scene
from tests.desks import sample

pytestmark = pytest.mark.end_to_end

NARROW: dict[str, Any] = {**PHONE_OPTIONS, "viewport": {"width": 320, "height": 640}}
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
EVERY_RULE: dict[str, Any] = {"runOnly": {"type": "tag", "values": TAGS}}
OF_LOOKS: dict[str, Any] = {"runOnly": {"type": "rule", "values": ("color-contrast", "target-size")}}
"""What depends on colours and sizes; the rest is the same on every screen."""
VIEWS = ("inbox", "sessions", "devices", "settings", "help")


def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    """Return what axe finds wrong, each with the first element it is about."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    found = page.evaluate("(rules) => axe.run({...rules, resultTypes: ['violations']})", rules)["violations"]
    return [f"{one['id']}: {json.dumps(one['nodes'][0]['target'])} {one['help']}" for one in found]


WIDE = """() => {
  const edge = document.documentElement.clientWidth + 1;
  const found = [];
  const look = (root, isScrolled) => {
    for (const element of root.children) {
      const inScrolled = isScrolled || ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
      const {right} = element.getBoundingClientRect();
      if (!isScrolled && right > edge) found.push(`${element.tagName}.${element.className}: ${right}`);
      look(element, inScrolled);
      if (element.shadowRoot) look(element.shadowRoot, inScrolled);
    }
  };
  look(document.body, false);
  const {scrollWidth} = document.scrollingElement;
  return scrollWidth > edge ? [...found, `the page: ${scrollWidth}`] : found;
}"""


def wide(page: Page) -> list[str]:
    """Return what reaches over the edge of the screen and has no bar of its own to get there."""
    return page.evaluate(WIDE)


def open_reason(tab: Tab) -> None:
    tab.button("Deny…").click()


def open_second_step(tab: Tab) -> None:
    tab.button("I understand the command").click()
    expect(tab.button("Run it")).to_be_enabled()


def open_review(tab: Tab) -> None:
    tab.card.get_by_role("radio", name="In my own words").check()
    tab.card.get_by_label("Your own words").fill("Both.")
    tab.button("Next question").click()
    tab.card.get_by_role("checkbox", name="Export as CSV").check()
    tab.button("Look over the answers").click()


def open_editor(tab: Tab) -> None:
    tab.button("Edit").click()


ENDED = (asks.tool("Read", {"file_path": "/etc/passwd"}),)
STEPS = {
    "Bash": open_reason,
    "a command": open_second_step,
    "two questions": open_review,
    "a plan": open_editor,
}
"""What else a card can show, on its way to an answer."""


def open_code(tab: Tab) -> None:
    tab.page.get_by_role("button", name="Pair another device").click()
    tab.page.get_by_role("button", name="Make a code").click()
    expect(tab.page.get_by_role("img", name=re.compile("^QR code"))).to_be_visible()


def open_dialog(tab: Tab) -> None:
    tab.page.get_by_role("button", name="Write a message").first.click()
    tab.page.get_by_role("button", name="Release everything that waits…").click()


MORE = {"devices": open_code, "sessions": open_dialog}
"""What else a view can show."""


def wrong_with(page: Page, rules: dict[str, Any]) -> list[str]:
    """Return what is wrong with what is shown, and still is once it has come to rest."""
    found = [*violations(page, rules), *wide(page)]
    if found:
        page.wait_for_timeout(500)
        found = [*violations(page, rules), *wide(page)]
    return found


def look_at_everything(scene: Scene, tab: Tab, rules: dict[str, Any]) -> dict[str, list[str]]:
    """Return what is wrong with every view and every card, with real content in them."""
    session_id = "55555555-3d39-4b6f-9c4e-52d5a7e3b6aa"
    scene.event(sample("UserPromptSubmit", session_id=session_id, prompt=asks.PROMPT))
    scene.watcher.call("desk.queue", agent="claude-code", session_id=session_id, text="And the docs.")
    asked = {row.name: scene.ask(row) for row in (*asks.EVERY, *ENDED)}
    for row in ENDED:
        scene.watcher.answer(asked[row.name].id, behavior="deny", message="No.")
        asked[row.name].becomes("delivered")
    found: dict[str, list[str]] = {}
    for name, each in asked.items():
        tab.page.goto(f"{scene.address}/#/inbox/{each.id}")
        expect(tab.card).to_be_visible()
        expect(tab.card.locator(".settling")).to_have_count(0)
        found[f"the card of {name}"] = wrong_with(tab.page, rules)
        if name in STEPS:
            STEPS[name](tab)
            found[f"a step of {name}"] = wrong_with(tab.page, rules)
    for view in VIEWS:
        tab.page.goto(f"{scene.address}/#/{view}")
        expect(tab.page.get_by_role("heading", level=1).first).to_be_attached()
        expect(tab.page.get_by_text("…", exact=True)).to_have_count(0)
        found[view] = wrong_with(tab.page, rules)
        if view in MORE:
            MORE[view](tab)
            found[f"more of {view}"] = wrong_with(tab.page, rules)
            tab.page.keyboard.press("Escape")
    return {name: wrong for name, wrong in found.items() if wrong}


@pytest.mark.timeout(120)
def test_every_view_is_for_everybody_on_a_desktop_in_the_light(scene: Scene) -> None:
    assert look_at_everything(scene, scene.tab(color_scheme="light"), EVERY_RULE) == {}


@pytest.mark.timeout(120)
def test_every_view_is_for_everybody_on_a_narrow_phone_in_the_dark(scene: Scene) -> None:
    """320 pixels wide: nothing makes the page go sideways."""
    assert look_at_everything(scene, scene.tab(color_scheme="dark", **NARROW), OF_LOOKS) == {}


def test_what_leads_in_is_for_everybody_too(scene: Scene) -> None:
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark", **NARROW}):
        tab = scene.tab(is_paired=False, **options)
        tab.page.goto(scene.address)
        expect(tab.page.get_by_role("heading", name="Pair this device")).to_be_visible()
        assert wrong_with(tab.page, EVERY_RULE) == []


def test_nothing_moves_for_who_wants_it_calm(scene: Scene) -> None:
    tab = scene.tab(reduced_motion="reduce")
    scene.ask(asks.BASH)
    expect(tab.card).to_be_visible()
    moving = tab.page.evaluate("document.getAnimations().map((each) => each.effect.getTiming().duration)")
    assert moving == []


def test_who_cannot_see_it_is_told_what_comes_and_what_became_of_it(scene: Scene) -> None:
    tab = scene.tab()
    asked = scene.ask(asks.BASH)
    tab.show(asked.id)
    tab.button("Allow").click()
    expect(tab.card.get_by_role("status")).to_contain_text("anded to the agent")
    expect(tab.page.get_by_role("main")).to_have_count(1)
    expect(tab.page.get_by_role("navigation")).to_have_count(1)
    assert tab.page.evaluate("document.documentElement.lang") == "en"


# --- as an application -----------------------------------------------------------------------------


def test_it_can_be_installed_and_opens_without_a_desk(scene: Scene) -> None:
    tab = scene.tab(service_workers="allow")
    manifest = tab.page.request.get(f"{scene.address}/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    for icon in manifest["icons"]:
        assert tab.page.request.get(scene.address + icon["src"]).status == 200
    tab.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    scene.ask(asks.BASH)
    expect(tab.card).to_be_visible()
    tab.loses = True
    tab.context.set_offline(True)
    tab.page.reload()
    expect(tab.page.get_by_role("navigation")).to_be_visible()
    expect(tab.page.get_by_role("status").filter(has_text="Not connected")).to_be_visible()
    expect(tab.page.get_by_text("docker compose")).to_have_count(0)  # nothing of the desk is kept
    tab.context.set_offline(False)
    expect(tab.card).to_contain_text("docker compose")


def test_what_is_kept_holds_nothing_that_was_asked(scene: Scene) -> None:
    tab = scene.tab(service_workers="allow")
    scene.ask(asks.BASH)
    expect(tab.card).to_be_visible()
    tab.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    kept = tab.page.evaluate(
        """async () => {
          const urls = [];
          for (const name of await caches.keys())
            for (const {url} of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
          return urls;
        }"""
    )
    assert "/" in kept
    assert [path for path in kept if path.startswith("/api")] == []
    stored = json.dumps(tab.page.evaluate("({...localStorage, ...sessionStorage})"))
    assert re.findall("docker|claude-code|Bash", stored) == []
