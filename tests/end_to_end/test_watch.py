"""A person answers the real Claude Code with single keys, on the real screen of `sayso watch`.

The screen runs in a terminal of 80 columns and 24 lines beside the agent's. What the pieces of the
screen do is for the tests of channels.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.desks import SAYSO
from tests.end_to_end import told
from tests.end_to_end.terminal import DIALOG, choose
from tests.lab.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.end_to_end.desk import Desk, Json
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end

COLUMNS, LINES = 80, 24
CONFIRMED = "the agent acted on the answer"


@pytest.fixture
def screen(desk: Desk, root: Path) -> Iterator[Terminal]:
    """The screen, before anything waits."""
    ready = re.compile("Nothing waits for you")
    env = {**desk.env, "TERM": "xterm-256color"}
    with Terminal([*SAYSO, "watch"], root, env, ready, (COLUMNS, LINES)) as screen:
        yield screen


def card(screen: Terminal, request: Json) -> str:
    """Wait until a request is the one in front; return what the screen shows."""
    return screen.wait_for(re.compile(rf"^\d of \d · {request['id'][:8]} · Claude Code", re.MULTILINE))


def read_to_the_end(screen: Terminal) -> None:
    """Page to the end of the card, where it is not there already."""
    seen = screen.screen()
    while "space shows more" in seen:
        place = re.search(r"── lines \d+-", seen)
        assert place is not None
        screen.keys("Space")
        seen = screen.wait_for(re.compile(rf"── lines (?!{place[0][9:]})\d"))


def told_as(screen: Terminal, request: Json, words: str) -> None:
    """Wait for the line that says what became of an answer; it may be wrapped."""
    line = rf"{request['id'][:8]} Claude Code[^·]*?" + r"\s+".join(words.split())
    screen.wait_for(re.compile(line))


def test_a_allows_a_command_that_was_shown_whole_and_the_screen_tells_that_it_ran(
    desk: Desk, screen: Terminal, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(tool="Bash")
        assert f"touch {claude.project}/touched" in card(screen, request)
        assert not claude.made("touched")
        screen.keys("a")
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        told_as(screen, request, CONFIRMED)
        desk.wait_state(request, "confirmed")
        screen.wait_for("sayso · 0 waiting")


def test_nothing_is_allowed_before_the_end_of_a_long_command_was_on_the_screen(
    desk: Desk, screen: Terminal, claude: Claude, fake_model: FakeAnthropic
) -> None:
    command = "\n".join([*(f"echo line {number}" for number in range(30)), "touch last"])
    fake_model.scripts["long"] = [[{"tool": "Bash", "input": {"command": command}}]]
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:long")
        request = desk.wait_request(tool="Bash")
        assert "touch last" not in card(screen, request)
        screen.keys("a")
        screen.wait_for("There is more of it")
        assert desk.states(request) == ["pending"]
        read_to_the_end(screen)
        screen.keys("a")
        tui.wait_for("DONE long")
        assert claude.made("last")
        told_as(screen, request, CONFIRMED)


def test_a_question_and_a_plan_are_answered_with_single_keys(
    desk: Desk, screen: Terminal, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks(), mode="plan") as tui:
        tui.say("please SCN:ask_one")
        question = desk.wait_request(kind="question")
        card(screen, question)
        screen.wait_for("Which colour do you want?")
        screen.keys("2")
        screen.keys("Enter")
        tui.wait_for("DONE ask_one")
        assert "Blue" in told.result(fake_model, "ask_one")["text"]
        told_as(screen, question, CONFIRMED)

        tui.say("please SCN:plan")
        plan = desk.wait_request(kind="plan")
        assert "1. Write a file." in card(screen, plan)
        read_to_the_end(screen)
        screen.keys("a")
        screen.wait_for("Approve the plan. After it:")
        screen.keys("e")
        tui.wait_for("DONE plan")
        assert claude.made("after_plan.txt")
        told_as(screen, plan, CONFIRMED)
        tui.wait_for("accept edits on")


def test_an_answer_in_the_terminal_takes_the_card_away_and_no_key_answers_it_any_more(
    desk: Desk, screen: Terminal, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        card(screen, request)
        tui.wait_for(DIALOG)
        choose(tui, "Yes")
        screen.wait_for("answered in the terminal")
        screen.wait_for("sayso · 0 waiting")
        screen.keys("a")
        screen.wait_for("This one cannot be answered here")
        tui.wait_for("DONE bash")
        desk.wait_state(request, "withdrawn")
        assert desk.states(request) == ["pending", "withdrawn"]


def test_the_screen_outlives_a_restart_of_the_desk_and_answers_what_still_waits(
    desk: Desk, screen: Terminal, claude: Claude
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        card(screen, request)
        desk.restart()
        again = desk.wait_request()
        assert again["id"] == request["id"]
        with desk.connect() as client:  # the screen is there again, and so is the test's own stream
            desk.wait_for(lambda: client.call("desk.health", {})["watchers"] == 2 or None, "screen")
        screen.wait_for("DESK AWAY", gone=True)
        assert f"touch {claude.project}/touched" in card(screen, request)
        screen.keys("a")
        tui.wait_for("DONE bash")
        assert claude.made("touched")
        told_as(screen, request, CONFIRMED)
