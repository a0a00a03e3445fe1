"""Forms of MCP servers, filled in from outside the terminal.

Claude Code shows nothing but a spinner while their hook waits, so they are held only
while somebody watches. What a hook answers leaves no event behind.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told
from tests.end_to_end.hooks import wait_no_hooks

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk, Json
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end

# The tool itself needs no permission: only its form is asked about.
FORMS = {"permissions": {"allow": ["mcp__lab__ask"]}}


def form(model: FakeAnthropic) -> Json:
    """Return what the server received for its form, which it tells the model."""
    text: str = told.result(model, "elicitation")["text"]
    received: Json = json.loads(text.removeprefix("form: "))
    return received


@pytest.mark.parametrize(
    ("words", "received"),
    [
        (
            ("--set", "name=Ada, 1st", "--set", "colour=blue"),
            {"action": "accept", "content": {"name": "Ada, 1st", "colour": "blue"}},
        ),
        (("--decline",), {"action": "decline"}),
        (("--cancel",), {"action": "cancel", "content": {}}),
    ],
    ids=["filled in", "declined", "cancelled"],
)
def test_a_form_reaches_its_server(
    words: tuple[str, ...], received: Json, desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks(**FORMS), mcp=True) as tui:
        tui.say("please SCN:elicitation")
        request = desk.wait_request(kind="elicitation")
        assert [field["name"] for field in request["fields"]] == ["name", "colour"]
        desk.answer(request, *words)
        tui.wait_for("DONE elicitation")
        assert form(fake_model) == received
        # No event shows that it was accepted: it is never told more than that it was handed over.
        desk.wait_state(request, "unconfirmed")
        assert desk.states(request) == ["pending", "answered", "delivered", "unconfirmed"]


def test_a_form_that_does_not_fit_its_schema_stays_open(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks(**FORMS), mcp=True) as tui:
        tui.say("please SCN:elicitation")
        request = desk.wait_request(kind="elicitation")
        desk.answer(request, "--set", "colour=blue", code=2)  # the name is required
        desk.answer(request, "--set", "name=Ada", "--set", "colour=green", code=2)
        desk.allow(request, code=2)
        assert desk.states(request) == ["pending"]
        desk.answer(request, "--set", "name=Ada")
        tui.wait_for("DONE elicitation")
        assert form(fake_model)["content"]["name"] == "Ada"


def test_a_form_that_nobody_watches_is_asked_in_the_terminal_at_once(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks(**FORMS), mcp=True) as tui:
        tui.say("please SCN:elicitation")
        tui.wait_for("Please introduce yourself")
        desk.wait_for(lambda: desk.requests(state="deferred") or None, "notice")
        (notice,) = desk.requests()
        assert notice["notice"]
        assert notice["reason"] == "nobody_watching"
        tui.type("Ada")
        tui.keys("Enter")
        tui.wait_for("❯   colour")
        tui.keys("Enter")
        tui.wait_for("❯ Accept")
        tui.keys("Enter")
        tui.wait_for("DONE elicitation")
        assert form(fake_model)["content"]["name"] == "Ada"


def test_escape_at_a_form_leaves_no_trace_until_the_next_prompt(desk: Desk, claude: Claude) -> None:
    with desk.somebody_watching(), claude.tui(desk.hooks(**FORMS), mcp=True) as tui:
        tui.say("please SCN:elicitation")
        request = desk.wait_request(kind="elicitation")
        tui.wait_for("esc to interrupt")
        tui.keys("Escape")
        tui.wait_for("Interrupted")
        tui.say("again SCN:hello")
        desk.wait_state(request, "released")
        assert desk.states(request) == ["pending", "released"]
        wait_no_hooks(desk)
        tui.wait_for("DONE hello")
        desk.wait_session("idle", request["session_id"])
