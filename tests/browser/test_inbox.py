"""The inbox: what waits in order, worked by the keyboard alone, and like requests together."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import asks
from tests.browser.chromium import PHONE_OPTIONS, Tab
from tests.browser.scene import Scene

pytestmark = pytest.mark.end_to_end

SESSION = "7d1c3f52-3d39-4b6f-9c4e-52d5a7e3b610"


@pytest.fixture
def tab(scene: Scene) -> Tab:
    return scene.tab()


def entries(tab: Tab) -> list[str]:
    """Return the ids of what waits, in the order in which it is listed."""
    links = tab.page.locator("a.entry:not(.over)").all()
    return [str(link.get_attribute("href")).rpartition("/")[2] for link in links]


def test_case_10_several_at_once_are_several_in_order_and_counted(scene: Scene, tab: Tab) -> None:
    first = scene.ask(asks.BASH, session_id=SESSION)
    other = scene.ask(asks.EDIT)
    second = scene.ask(asks.WRITE, session_id=SESSION)
    third = scene.ask(asks.FETCH, session_id=SESSION)
    expect(tab.entry(third.id)).to_be_visible()
    assert entries(tab) == [first.id, second.id, third.id, other.id]  # by session, the oldest first
    expect(tab.page.get_by_role("navigation")).to_contain_text("4")
    expect(tab.page).to_have_title("(4) sayso")
    expect(tab.show(other.id)).to_contain_text("2 of 4")
    tab.show(third.id)
    tab.button("Allow").click()
    third.becomes("delivered")  # in any order, each by its id
    expect(tab.page).to_have_title("(3) sayso")
    assert {view["id"] for view in scene.pending()} == {first.id, second.id, other.id}


def test_what_is_open_stays_open(scene: Scene, tab: Tab) -> None:
    """Neither what comes nor what goes puts another card under the hand."""
    first = scene.ask(asks.BASH)
    expect(tab.card).to_contain_text("docker compose")
    scene.ask(asks.EDIT)
    expect(tab.page).to_have_title("(2) sayso")
    expect(tab.card).to_contain_text("docker compose")
    scene.watcher.answer(first.id, behavior="allow")
    expect(tab.card).to_contain_text("anded to the agent")
    expect(tab.page.get_by_role("link", name=re.compile("^Next"))).to_contain_text("wants to use Edit")


def test_the_keyboard_is_enough(scene: Scene, tab: Tab) -> None:
    asked = [scene.ask(row) for row in (asks.BASH, asks.EDIT, asks.QUESTION)]
    expect(tab.entry(asked[2].id)).to_be_visible()
    press = tab.page.keyboard.press
    tab.show(asked[0].id)
    for key, at in (("j", 1), ("j", 2), ("j", 0), ("k", 2), ("k", 1)):
        press(key)
        expect(tab.page).to_have_url(re.compile(f"#/inbox/{asked[at].id}$"))
    press("?")
    expect(tab.page.get_by_role("heading", name="Help", level=1)).to_be_visible()
    expect(tab.page.get_by_role("main")).to_contain_text("j")
    press("?")
    press("/")
    search = tab.page.get_by_role("searchbox")
    expect(search).to_be_focused()
    tab.page.keyboard.type("retry.py")
    expect(tab.entry(asked[0].id)).to_be_hidden()
    expect(tab.entry(asked[1].id)).to_be_visible()
    press("Escape")
    expect(tab.entry(asked[0].id)).to_be_visible()
    for key, name in (("s", "Sessions"), ("d", "Devices"), ("e", "Settings"), ("i", "Inbox")):
        press("g")
        press(key)
        expect(tab.page.get_by_role("heading", name=name, level=1)).to_be_attached()


def test_a_key_with_a_modifier_is_the_browsers(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(asks.BASH)
    tab.show(asked.id)
    expect(tab.button("Allow")).to_be_enabled()
    for key in ("ControlOrMeta+a", "Alt+a", "ControlOrMeta+d"):
        tab.page.keyboard.press(key)
    expect(tab.button("Allow")).to_be_enabled()
    assert [view["id"] for view in scene.pending()] == [asked.id]


def test_on_a_phone_a_card_has_the_page_for_itself(scene: Scene) -> None:
    tab = scene.tab(**PHONE_OPTIONS)
    asked = scene.ask(asks.BASH)
    expect(tab.card).to_have_count(0)
    tab.entry(asked.id).tap()
    expect(tab.button("Allow")).to_be_in_viewport()  # at the thumb, however long the card is
    expect(tab.entry(asked.id)).to_be_hidden()
    for button in tab.card.get_by_role("group", name="Your answer").get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert box["width"] >= 44
    tab.page.get_by_role("link", name="Inbox").first.tap()
    expect(tab.entry(asked.id)).to_be_visible()


# --- together ------------------------------------------------------------------------------------


def test_case_59_like_requests_are_answered_together_after_a_look_at_each(scene: Scene, tab: Tab) -> None:
    like = [scene.ask(asks.tool("Read", {"file_path": f"/home/ada/shop/{name}.py"})) for name in "abc"]
    other = scene.ask(asks.BASH)
    tab.show(like[0].id)
    tab.page.get_by_role("button", name=re.compile("answer them together")).click()
    together = tab.page.get_by_role("region", name="Like requests together")
    for at, path in ((1, "a"), (2, "b"), (3, "c")):
        expect(together.get_by_role("group", name=f"{at} of 3")).to_contain_text(f"/home/ada/shop/{path}.py")
        if at < 3:
            expect(all_of(together)).to_have_count(0)
            together.get_by_role("button", name="The next one").click()
    all_of(together).click()
    dialog = tab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("/home/ada/shop/c.py")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    tab.page.keyboard.press("Enter")  # that cancels
    expect(dialog).to_be_hidden()
    assert len(scene.pending()) == 4
    all_of(together).click()
    dialog.get_by_role("button", name="Allow all 3").click()
    for each in like:
        assert each.becomes("delivered")["asked"] == "allow"
    assert [view["id"] for view in scene.pending()] == [other.id]


def all_of(together: Locator) -> Locator:
    return together.get_by_role("button", name=re.compile("^Allow all 3"))


def test_case_59_what_is_asked_otherwise_is_answered_alone(scene: Scene, tab: Tab) -> None:
    for row in (asks.QUESTION, asks.PLAN, asks.CONFIRM):
        scene.ask(row)
        asked = scene.ask(row)
        tab.show(asked.id)
        expect(tab.card).to_be_visible()
        expect(tab.page.get_by_role("button", name=re.compile("together"))).to_have_count(0)


def test_case_60_that_a_programs_word_is_its_own_is_said_calmly(scene: Scene, tab: Tab) -> None:
    """Every program's is, so it is no alarm; the card says the whole of it."""
    asked = scene.ask(asks.YESNO)
    group = tab.page.get_by_role("group", name=re.compile("^A program in "))
    expect(group.get_by_role("heading")).to_contain_text("A program")
    mark = tab.entry(asked.id).get_by_text("not confirmed who asks")
    expect(mark).to_be_visible()
    expect(mark).not_to_have_class(re.compile("badge|alarm"))
    expect(tab.show(asked.id)).to_contain_text("what it calls itself, is its own word")
