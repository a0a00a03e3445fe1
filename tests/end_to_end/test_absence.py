"""Without a desk, a hook or an interpreter Claude Code is as it would be without sayso."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.hooks import Counter, with_interpreter
from tests.end_to_end.terminal import choose

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.end_to_end.desk import Desk, Json
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end

FELT_S = 0.1
"""What a person might feel at a tool call."""
TURN_OVER = re.compile(r"DONE loop_reads\n(?:.*\n)*?✻ .* done ")
# "Churned for 2s" is a word drawn by lot; the other is a hint that comes and goes.
PASSING = re.compile(r"^(?:✻|.*tmux focus-events).*\n", re.MULTILINE)


def no_desk(desk: Desk, settings: Json) -> Json:
    desk.stop()
    return settings


def no_script(desk: Desk, settings: Json) -> Json:
    (desk.places.data / "hook/current").unlink()
    return settings


def no_interpreter(desk: Desk, settings: Json) -> Json:
    return with_interpreter(settings, desk.places.data / "python-that-was-removed")


def play(claude: Claude, model: FakeAnthropic, settings: Json) -> tuple[str, float]:
    """Have the agent ask once and call ten tools; return what it showed, and what a call usually took."""
    model.requests.clear()
    with claude.tui(settings) as tui:
        tui.say("please SCN:bash")
        choose(tui, "Yes")
        tui.wait_for("DONE bash")
        tui.say("now SCN:loop_reads")
        screen = tui.wait_for(TURN_OVER)
    assert claude.made("touched")
    (claude.project / "touched").unlink()
    turns = [r for r in model.requests if r["scenario"] == "loop_reads"]
    calls_s = [after["received_at"] - before["answered_at"] for before, after in pairwise(turns)]
    assert len(calls_s) == 10
    return PASSING.sub("", screen), min(calls_s)  # what else the machine does only makes some of them longer


@pytest.mark.parametrize("without", [no_desk, no_script, no_interpreter])
def test_case_36_what_is_missing_is_silent_and_costs_nothing_anyone_feels(
    without: Callable[[Desk, Json], Json], desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    settings = without(desk, desk.hooks())
    plain, plain_s = play(claude, fake_model, {})
    shown, shown_s = play(claude, fake_model, settings)
    assert shown == plain
    assert shown_s < plain_s + FELT_S
    if desk.answers():
        assert "Nothing waits for you." in desk.run("list")


def test_no_interpreter_is_started_for_a_tool_call_while_nothing_is_pending(
    desk: Desk, claude: Claude, root: Path
) -> None:
    counter = Counter(root)
    with claude.tui(with_interpreter(desk.hooks(), counter.path)) as tui:
        tui.say("please SCN:loop_reads")
        tui.wait_for("DONE loop_reads")
        session_id = desk.wait_for(lambda: next(iter(desk.stream.sessions), None), "session")
        desk.wait_session("idle", session_id)
        # SessionStart, UserPromptSubmit, Stop; none of ten tool calls with two events each.
        assert counter.starts() == 3
        assert list(desk.places.flags.iterdir()) == []
        # With something pending they speak.
        tui.say("now SCN:write")
        request = desk.wait_request()
        assert [path.name for path in desk.places.flags.iterdir()] == [session_id]
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        desk.wait_session("idle", session_id)
        # UserPromptSubmit, PermissionRequest, PostToolUse, Stop; and PostToolBatch if it was quick.
        assert counter.starts() in (3 + 4, 3 + 5)
        assert list(desk.places.flags.iterdir()) == []
