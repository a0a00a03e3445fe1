"""The page is as the desk is: at once, after everything that breaks, and in several places.

The browser reaches the desk over a line that a test can cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import asks
from tests.browser.chromium import HIDE, Chromium, Tab
from tests.browser.line import Line
from tests.browser.scene import Scene
from tests.contract.rows import PERMISSIONS
from tests.desks import sample

pytestmark = pytest.mark.end_to_end

ALLOWED = PERMISSIONS[0]


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    with Line() as line:
        yield line


@pytest.fixture(scope="module")
def standing(chromium: Chromium, line: Line) -> Iterator[Scene]:
    with Scene(chromium, line) as scene:
        yield scene


@pytest.fixture
def tab(scene: Scene) -> Tab:
    return scene.tab()


def test_what_is_asked_comes_by_itself_and_what_is_settled_goes(scene: Scene, tab: Tab) -> None:
    expect(tab.page.get_by_text("Nothing waits for you.")).to_be_visible()
    asked = scene.ask(ALLOWED)
    expect(tab.entry(asked.id)).to_be_visible()
    expect(tab.page).to_have_title("(1) sayso")
    scene.watcher.answer(asked.id, behavior="deny", message="No.")
    expect(tab.page.get_by_text("Nothing waits for you.")).to_be_visible()
    expect(tab.page).to_have_title("sayso")


def test_case_09_whoever_loads_late_or_anew_sees_all_that_waits(scene: Scene, tab: Tab) -> None:
    asked = [scene.ask(row) for row in (asks.BASH, asks.QUESTION, asks.YESNO)]
    tab.page.reload()
    late = scene.tab("late")
    for each in (tab, late):
        for request in asked:
            expect(each.entry(request.id)).to_be_visible()


def test_case_01_an_answer_is_followed_to_its_end(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(ALLOWED)
    tab.show(asked.id)
    tab.button("Allow").click()
    expect(tab.card).to_contain_text("Handed to the agent; it has not shown yet")
    asked.check(ALLOWED.says)
    scene.event(
        sample(
            "PostToolUse.Bash",
            session_id=asked.session_id,
            tool_input=ALLOWED.payload["tool_input"],
            prompt_id=ALLOWED.payload["prompt_id"],
        )
    )
    expect(tab.card).to_contain_text("The agent acted on the answer")
    expect(tab.card).to_contain_text("The answer (")
    assert asked.becomes("confirmed")["by"]["channel"] == "web"


def test_case_09_a_desk_that_crashed_comes_back_with_the_same_card(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(ALLOWED)
    tab.loses = True
    tab.show(asked.id)
    scene.crash()
    expect(tab.banner).to_be_visible()
    expect(tab.button("Allow")).to_be_disabled()
    scene.come_back()
    expect(tab.banner).to_be_hidden()
    tab.button("Allow").click()
    asked.check(ALLOWED.says)


@pytest.mark.parametrize("first", ["the page", "the hook"])
def test_case_09_an_answer_that_died_with_the_desk_is_asked_for_again(
    scene: Scene, tab: Tab, line: Line, first: str
) -> None:
    """Its hook has a part of the answer when the desk ends: what is not whole counts for nothing."""
    asked = scene.ask(asks.PLAN)
    tab.loses = True
    tab.show(asked.id)
    asked.freeze()  # it reads nothing, and a pipe holds less than this plan
    answer(tab, "# Plan\n" + "ä" * 200_000)
    expect(tab.card).to_contain_text("Answered, on its way to the agent")
    if first == "the hook":
        line.cut()
    scene.crash()
    expect(tab.banner).to_be_visible()
    scene.come_back()
    if first == "the page":
        expect(tab.banner).to_be_hidden()
    asked.thaw()
    again = asked.becomes("pending")
    line.mend()
    expect(tab.card).to_contain_text(
        "It waits again: the desk started anew, and your answer was never handed over"
    )
    expect(tab.card).to_contain_text("Answer it again.")
    assert again["id"] == asked.id
    answer(tab, "# Plan\nAnother one")
    asked.check(
        {
            "hookEventName": "PermissionRequest",
            "decision": {
                "behavior": "allow",
                "updatedInput": {**asks.PLAN.payload["tool_input"], "plan": "# Plan\nAnother one"},
            },
        }
    )


def answer(tab: Tab, plan: str) -> None:
    """Approve a plan as somebody changed it."""
    tab.button("Edit").click()
    tab.card.get_by_label("The plan, as you would have it").fill(plan)
    tab.button("Approve as edited").click()


def test_case_40_a_cut_line_is_told_and_mends_by_itself(scene: Scene, tab: Tab, line: Line) -> None:
    asked = scene.ask(ALLOWED)
    tab.loses = True
    tab.show(asked.id)
    line.cut()
    expect(tab.banner).to_contain_text("what you see may be old")
    expect(tab.button("Allow")).to_be_disabled()
    tab.page.keyboard.press("a")
    other = scene.ask(asks.EDIT)
    assert asked.id in {view["id"] for view in scene.pending()}  # no key went through
    line.mend()
    expect(tab.banner).to_be_hidden()
    expect(tab.entry(other.id)).to_be_visible()
    expect(tab.button("Allow")).to_be_enabled()


def test_case_40_a_line_that_died_in_its_sleep_is_noticed(scene: Scene, tab: Tab, line: Line) -> None:
    """Nothing says that the connection is gone; the desk's heartbeat stays away."""
    expect(tab.page.get_by_text("Nothing waits for you.")).to_be_visible()
    tab.loses = True
    tab.page.clock.install()
    tab.page.reload()
    expect(tab.page.get_by_text("Nothing waits for you.")).to_be_visible()
    line.fall_silent()
    asked = scene.ask(ALLOWED)
    tab.page.clock.fast_forward(45_000)
    tab.page.clock.fast_forward(5_000)
    expect(tab.banner).to_be_visible()
    line.cut()
    line.mend()
    tab.page.evaluate("dispatchEvent(new Event('online'))")
    expect(tab.entry(asked.id)).to_be_visible()


def test_case_02_an_answer_whose_reply_was_lost_is_sent_again_and_counts_once(
    scene: Scene, tab: Tab, line: Line
) -> None:
    asked = scene.ask(ALLOWED)
    tab.loses = True
    tab.show(asked.id)
    lost = line.lose_answer_to(f"/{asked.id}/answer")
    tab.button("Allow").click()
    assert lost.wait(10)
    expect(tab.card).to_contain_text("The connection broke")
    asked.check(ALLOWED.says)  # the desk had it all the same
    line.mend()
    expect(tab.card).to_contain_text("anded to the agent")
    expect(tab.card).not_to_contain_text("Too late")
    keys = {
        re.search('"key": ?"([^"]+)"', request.post_data or "")
        for request in tab.sent
        if request.url.endswith(f"/{asked.id}/answer")
    }
    assert len({found[1] for found in keys if found}) == 1
    assert len(keys) > 1


def test_two_pages_agree_and_the_second_learns_who_was_first(scene: Scene) -> None:
    first, second = scene.tab("laptop"), scene.tab("phone")
    asked = scene.ask(ALLOWED)
    first.show(asked.id)
    second.show(asked.id)
    first.button("Allow").click()
    for tab in (first, second):
        expect(tab.card).to_contain_text("anded to the agent")
        expect(tab.card).to_contain_text("laptop")
    expect(second.button("Allow")).to_be_hidden()
    asked.check(ALLOWED.says)


def test_case_08_an_answer_that_comes_too_late_is_told_who_won(scene: Scene, tab: Tab) -> None:
    """Somebody else was quicker by so little that the page did not know."""
    asked = scene.ask(ALLOWED)
    tab.show(asked.id)
    with scene.home.desk() as desk:
        tab.page.route(
            f"**/{asked.id}/answer",
            lambda route: (
                desk.call("desk.answer", {"id": asked.id, "reply": {"behavior": "deny", "message": "No."}}),
                route.continue_(),
            ),
        )
        tab.button("Allow").click()
        expect(tab.card).to_contain_text("this computer")
    assert asked.becomes("delivered")["by"]["channel"] == "cli"


def test_many_tabs_of_one_browser_all_know_what_they_show(scene: Scene, tab: Tab) -> None:
    """A browser opens six connections to one address and no more; a stream each would leave none."""
    pages = [tab.page]
    for _ in range(8):
        pages[-1].evaluate(HIDE, "hidden")
        pages.append(tab.open())
        pages[-1].goto(scene.address)
    asked = scene.ask(ALLOWED)
    entry = f"a.entry[href='#/inbox/{asked.id}']"
    expect(pages[-1].locator(entry)).to_be_visible()
    pages[-1].evaluate(HIDE, "hidden")
    for page in pages[:4]:
        page.evaluate(HIDE, "visible")
        expect(page.locator(entry)).to_be_visible()
        page.evaluate(HIDE, "hidden")
    pages[0].evaluate(HIDE, "visible")
    pages[0].locator("sayso-card").get_by_role("button", name="Allow", exact=True).click()
    asked.check(ALLOWED.says)
    pages[-1].evaluate(HIDE, "visible")
    expect(pages[-1].get_by_text("Nothing waits for you.")).to_be_visible()
