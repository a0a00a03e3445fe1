"""What Claude Code asks is answered on the page, in a real browser; and its terminal goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import PHONE_OPTIONS, Chromium
from tests.end_to_end import told
from tests.end_to_end.terminal import DIALOG, PLAN
from tests.end_to_end.test_questions import question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.chromium import Tab
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    with Chromium() as chromium:
        yield chromium


@pytest.fixture
def phone(desk: Desk, chromium: Chromium) -> Iterator[Tab]:
    """A phone, as far as a browser can be one, paired by a link."""
    link = desk.run("open", "--print")
    tab = chromium.tab(link.partition("/#")[0], **PHONE_OPTIONS)
    tab.pair(link)
    yield tab
    assert tab.closed() == []


def test_case_01_a_permission_is_given_on_the_page_and_followed_to_its_end(
    desk: Desk, claude: Claude, phone: Tab
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(kind="permission", tool="Bash")
        tui.wait_for(DIALOG)
        card = phone.show(request["id"])
        expect(card).to_contain_text("please SCN:bash")
        phone.button("Allow").tap()
        tui.wait_for(DIALOG, gone=True)
        expect(card).to_contain_text("The agent acted on the answer")
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        assert desk.wait_state(request, "confirmed")["by"]["channel"] == "web"


def test_a_question_is_answered_on_the_page(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, phone: Tab
) -> None:
    asked = [question("Which colour?", "Red", "Blue", previews=True)]
    fake_model.scripts["asks"] = [[{"tool": "AskUserQuestion", "input": {"questions": asked}}]]
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:asks")
        request = desk.wait_request(kind="question")
        card = phone.show(request["id"])
        expect(card).to_contain_text("PREVIEW OF BLUE")
        card.get_by_role("radio", name="Blue").check()
        phone.button("Answer").tap()
        tui.wait_for("DONE asks")
        desk.wait_state(request, "confirmed")
    assert '"Which colour?"="Blue"' in told.result(fake_model, "asks")["text"]


def test_case_24_a_plan_is_approved_on_the_page_into_a_mode(desk: Desk, claude: Claude, phone: Tab) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        tui.say("please SCN:plan")
        request = desk.wait_request(kind="plan")
        tui.wait_for(PLAN)
        card = phone.show(request["id"])
        card.get_by_role("radio", name="Edits are accepted without asking").check()
        phone.button("Approve").tap()
        tui.wait_for("DONE plan")
        desk.wait_state(request, "confirmed")
        tui.wait_for("accept edits on")
    assert claude.made("after_plan.txt")
