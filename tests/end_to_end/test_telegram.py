"""What Claude Code asks is answered in a chat of Telegram, at a Bot API server of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.desk import Desk
from tests.end_to_end.terminal import DIALOG, PLAN
from tests.end_to_end.test_questions import question
from tests.telegram.bot_api import TOKEN, served
from tests.telegram.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic
    from tests.telegram.chats import Message

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def ada(root: Path, desk: Desk) -> Iterator[Person]:
    """Somebody who is paired with the bot of the desk."""
    with served() as server:
        desk.stop()
        desk.up("--telegram-api", server.url)
        person = Person(server, 4711, "Ada")
        with desk.connect() as client:
            bot_id = int(TOKEN.partition(":")[0])
            client.call("desk.telegram", {"token": TOKEN, "bot_id": bot_id, "bot": server.me.username})
            opened = client.call("desk.telegram", {"pair": True, "name": "Ada's phone"})
        person.write(opened["code"])
        person.wait_text("You are paired")
        yield person
        desk.close()


def tap(person: Person, card: Message, label: str) -> None:
    person.server.wait(lambda: label in card.buttons)
    query = person.tap(card, label)
    person.wait_answer(query)
    assert not query.is_alert, query.answer
    assert query.answered_s - query.at_s < 1.0


def test_a_permission_is_given_in_a_chat_and_followed_to_its_end(
    desk: Desk, claude: Claude, ada: Person
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(kind="permission", tool="Bash")
        tui.wait_for(DIALOG)
        card = ada.wait_text("Your last prompt: please SCN:bash")
        tap(ada, card, "Allow")
        tui.wait_for(DIALOG, gone=True)
        ada.wait_text("The agent acted on the answer")
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        by = desk.wait_state(request, "confirmed")["by"]
        assert (by["channel"], by["name"]) == ("telegram", "Ada's phone")


def test_a_permission_is_denied_in_a_chat_with_words_that_the_model_reads(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, ada: Person
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(kind="permission", tool="Bash")
        card = ada.wait_text("please SCN:bash")
        tap(ada, card, "Deny, and say why…")
        ada.write('Not there: use "größer" *x*', reply_to=ada.wait_text("Why not?\n("))
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")
    assert 'Not there: use "größer" *x*' in told.result(fake_model, "bash")["text"]


def test_a_question_is_answered_in_a_chat(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, ada: Person
) -> None:
    asked = [
        question("Which features?", "A, first", "B", "C", several=True),
        question("Which?", "Red", "Blue"),
    ]
    fake_model.scripts["asks"] = [[{"tool": "AskUserQuestion", "input": {"questions": asked}}]]
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:asks")
        request = desk.wait_request(kind="question")
        card = ada.wait_text("Which features?")
        for label in ("☐ 1. A, first", "☐ 3. C", "Go on", "2. Blue", "Send the answers"):
            tap(ada, card, label)
        tui.wait_for("DONE asks")
        desk.wait_state(request, "confirmed")
    text = told.result(fake_model, "asks")["text"]
    assert '"Which features?"=""A, first", C"' in text
    assert '"Which?"="Blue"' in text


def test_case_24_a_plan_is_approved_in_a_chat_into_a_mode(desk: Desk, claude: Claude, ada: Person) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        tui.say("please SCN:plan")
        request = desk.wait_request(kind="plan")
        tui.wait_for(PLAN)
        card = ada.wait_text("Write a file")
        tap(ada, card, "Approve: edits without asking")
        tui.wait_for("DONE plan")
        desk.wait_state(request, "confirmed")
        tui.wait_for("accept edits on")
    assert claude.made("after_plan.txt")


def test_what_the_terminal_answers_ends_the_card_in_the_chat(desk: Desk, claude: Claude, ada: Person) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(kind="permission", tool="Bash")
        card = ada.wait_text("please SCN:bash")
        data = card.buttons["Allow"]
        tui.wait_for(DIALOG)
        tui.keys("Enter")
        tui.wait_for("DONE bash")
        desk.wait_state(request, "withdrawn")
        ada.server.wait(lambda: not card.buttons)
        late = ada.send_data(card.chat, card.id, data)
        assert "terminal" in ada.wait_answer(late)


def test_a_card_goes_on_after_the_desk_crashed(desk: Desk, claude: Claude, ada: Person) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        desk.wait_request(kind="permission", tool="Bash")
        card = ada.wait_text("please SCN:bash")
        tap(ada, card, "Deny, and say why…")
        tap(ada, card, "« Back")
        ada.server.wait(lambda: "Allow" in card.buttons)
        old = card.buttons["Allow"]
        desk.kill()
        desk.up("--telegram-api", ada.server.url)
        request = desk.wait_request(kind="permission", tool="Bash")
        ada.server.wait(lambda: card.buttons.get("Allow") not in (old, None))
        tap(ada, card, "Allow")
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        assert desk.wait_state(request, "confirmed")["by"]["channel"] == "telegram"
