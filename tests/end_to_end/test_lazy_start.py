"""A session of the real Claude Code opens the desk that is missing, where its hooks were installed so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sayso.daemon import processes
from tests.end_to_end.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def closed(root: Path) -> Iterator[Desk]:
    """A home without a desk; whichever is opened there is closed in the end."""
    desk = Desk(root / "desk")
    try:
        yield desk
    finally:
        desk.close()


def test_a_session_opens_the_desk_that_answers_it(closed: Desk, claude: Claude) -> None:
    env = {**closed.env, "HOME": str(claude.home)}
    closed.run("install", "claude-code", "--lazy-start", env=env)
    assert "the next session that starts opens one" in closed.run("doctor", env=env)
    assert not closed.answers()  # the doctor opens none
    with claude.tui() as tui:
        closed.wait_for(lambda: closed.answers() or None, "desk")
        tui.say("please SCN:bash")
        request = closed.wait_request(kind="permission", tool="Bash")
        closed.allow(request)
        closed.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")
        pid = _pid(closed)
        assert tui.pid not in processes.ancestors(pid)
    assert _pid(closed) == pid
    assert "The agent runs one command" in closed.run("doctor", env=env)
    said = closed.run("status")
    assert f"process {pid}" in said
    assert "Waiting: 0." in said
    assert "Answered from: this computer 1." in said
    kept = [path for path in closed.places.run.parent.rglob("*") if path.is_file()]
    assert closed.places.log in kept
    assert [path for path in kept if str(claude.project).encode() in path.read_bytes()] == []


def _pid(desk: Desk) -> int:
    with desk.connect() as client:
        return int(client.call("desk.health", {})["pid"])
