"""The page in another browser than the one that all other tests drive."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser import asks
from tests.browser.firefox import ENTER, Firefox
from tests.browser.scene import Scene
from tests.contract.rows import PERMISSIONS

pytestmark = pytest.mark.end_to_end

ALLOWED = PERMISSIONS[0]


@pytest.fixture(scope="module")
def browser() -> Iterator[Firefox]:
    try:
        firefox = Firefox()
    except FileNotFoundError as missing:
        pytest.fail(str(missing), pytrace=False)
    with firefox:
        yield firefox


@pytest.fixture
def firefox(browser: Firefox, scene: Scene) -> Iterator[Firefox]:
    """Paired, and with the page open; nothing that it did may have been an error."""
    browser.go("about:blank")
    browser.go(scene.link())
    browser.find("nav")
    yield browser
    assert browser.complaints(scene.address) == []


def test_a_permission_is_given_and_followed(scene: Scene, firefox: Firefox) -> None:
    asked = scene.ask(ALLOWED)
    firefox.show(asked.id)
    firefox.press("Allow")
    firefox.says("Handed to the agent; it has not shown yet")
    asked.check(ALLOWED.says)


def test_the_keyboard_is_enough(scene: Scene, firefox: Firefox) -> None:
    asked = scene.ask(asks.BASH)
    firefox.show(asked.id)
    firefox.type("d")
    firefox.find("button", "Deny and stop")
    firefox.type("Not on a Friday." + ENTER, "textarea")
    assert asked.becomes("delivered")["asked"] == "deny: Not on a Friday."


def test_questions_are_answered(scene: Scene, firefox: Firefox) -> None:
    asked = scene.ask(asks.QUESTION)
    firefox.show(asked.id)
    firefox.press("Cursor", "label")
    firefox.press("Next question")
    firefox.press("Export as CSV", "label")
    firefox.press("Look over the answers")
    firefox.press("Send the answers")
    assert asked.becomes("delivered")["asked"]


def test_a_selected_passage_of_a_plan_is_commented_on(scene: Scene, firefox: Firefox) -> None:
    """Browsers differ in how they tell what is selected within an element."""
    asked = scene.ask(asks.PLAN)
    firefox.show(asked.id)
    firefox.run("getSelection().selectAllChildren(arguments[0])", firefox.find("strong", "one second"))
    firefox.press("Comment on")
    firefox.type("Two at least.", "#comment")
    firefox.press("Keep the comment")
    firefox.press("Send the comment back")
    said = asked.becomes("delivered")["asked"]
    assert "one second" in said
    assert "Two at least." in said


def test_case_43_allow_is_locked_until_the_end_was_on_the_screen(scene: Scene, firefox: Firefox) -> None:
    asked = scene.ask(asks.LONG)
    firefox.show(asked.id)
    firefox.says("Read “Command” to its end first")
    firefox.press("Take me there")
    firefox.find("button:not([aria-disabled=true]):not(:disabled)", "Allow")
    firefox.press("Allow")
    asked.becomes("answered", "delivered")


def test_case_09_a_desk_that_crashed_comes_back_with_the_same_card(scene: Scene, firefox: Firefox) -> None:
    """Meanwhile the page opens without it."""
    asked = scene.ask(ALLOWED)
    firefox.show(asked.id)
    scene.crash()
    firefox.says("Not connected", "body")
    firefox.go("about:blank")
    firefox.go(scene.address)
    firefox.says("Not connected", "body")
    scene.come_back()
    firefox.show(asked.id)
    firefox.press("Allow")
    asked.check(ALLOWED.says)
