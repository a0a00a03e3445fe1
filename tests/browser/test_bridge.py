"""What programs ask over the interaction bridge, answered on the page as a person sees it there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Tab
from tests.browser.scene import Scene
from tests.standin import WAIT_S

pytestmark = pytest.mark.end_to_end

Json = dict[str, Any]
AWAY = "The program that asked is not waiting now"


@pytest.fixture
def program(scene: Scene) -> Iterator[httpx.Client]:
    """A program with a token that may only ask."""
    made = scene.watcher.call("desk.devices", create="build server", power="ask")
    headers = {"Authorization": f"Bearer {made['token']}"}
    with httpx.Client(base_url=scene.address, headers=headers, timeout=WAIT_S) as client:
        yield client
    scene.watcher.call("desk.devices", revoke=made["device"]["id"])


def register(program: httpx.Client, type_: str, payload: Json) -> str:
    body = {"session": "job-7", "type": type_, "payload": payload, "summary": f"a {type_}"}
    given = program.post("/agents/interaction/register", json=body)
    assert given.status_code == 200, given.text
    return str(given.json()["request"]["id"])


def fetched(program: httpx.Client, request_id: str) -> Json:
    given = program.get("/agents/interaction/wait", params={"id": request_id, "timeoutMs": 10_000})
    assert given.status_code == 200, given.text
    request: Json = given.json()["request"]
    assert request["status"] == "resolved"
    response: Json = request["response"]
    return response


def deny(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Deny")).first.click()
    page.get_by_role("textbox").fill("not on a Friday")
    page.get_by_role("button", name=re.compile("^Deny")).last.click()


def choose(page: Page) -> None:
    page.get_by_role("radio", name="Blue").check()
    page.get_by_role("button", name="Answer", exact=True).click()


def write(page: Page) -> None:
    page.get_by_role("textbox").fill("two words")
    page.get_by_role("button", name="Send", exact=True).click()


COMMAND = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}}
COLOURS = {"question": "Which colour?", "options": ["Red", "Blue"]}
WAYS = [
    (
        "permission",
        COMMAND,
        lambda page: page.get_by_role("button", name=re.compile("^Allow")).first.click(),
        "allow_once",
    ),
    ("permission", COMMAND, deny, "deny"),
    ("question", COLOURS, choose, "Blue"),
    ("input", {"question": "Which name?"}, write, "two words"),
]


@pytest.mark.parametrize(
    ("type_", "payload", "act", "says"), WAYS, ids=["allow", "deny", "question", "input"]
)
def test_what_is_registered_is_answered_on_the_page(
    scene: Scene, program: httpx.Client, type_: str, payload: Json, act: Any, says: str
) -> None:
    tab: Tab = scene.tab()
    request_id = register(program, type_, payload)
    tab.show(request_id)
    expect(tab.page.get_by_text(AWAY).first).to_be_visible()
    expect(tab.page.get_by_text("build server").first).to_be_visible()
    act(tab.page)
    expect(tab.page.get_by_text("has not come for it yet").first).to_be_visible()
    assert says in fetched(program, request_id).values()
    ends = "handed to the program that asked" if type_ == "input" else "nothing shows what it did then"
    expect(tab.page.get_by_text(re.compile(ends, re.IGNORECASE)).first).to_be_visible()
