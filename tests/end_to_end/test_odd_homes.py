"""The real agents in a home whose name holds what shells, JSON and TOML trip over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.codex_hooked import Hooked
from tests.end_to_end.desk import Desk
from tests.lab import claude as claude_lab
from tests.lab import codex as codex_lab
from tests.odd_homes import ALL_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.lab.claude import Claude
    from tests.lab.codex import Codex
    from tests.lab.fake_anthropic import FakeAnthropic
    from tests.lab.fake_openai import FakeOpenAI

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def person(root: Path) -> Path:
    """The home of a person of such a name."""
    home = root / ALL_AT_ONCE
    home.mkdir()
    return home


@pytest.fixture
def desk(person: Path) -> Iterator[Desk]:
    desk = Desk(person / ".sayso")
    try:
        desk.up()
        yield desk
    finally:
        desk.close()


def test_case_38_claude_code_asks_from_it(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic, person: Path
) -> None:
    claude = replace(claude, home=claude_lab.make_home(person, claude.project))
    desk.run("install", "claude-code", env={**desk.env, "HOME": str(person)})
    with claude.tui() as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(kind="permission", tool="Bash")
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")
    assert claude.made("touched")


def test_case_38_codex_asks_from_it(desk: Desk, codex: Codex, model: FakeOpenAI, person: Path) -> None:
    codex = replace(codex, home=codex_lab.make_home(person, codex.project, model.port))
    hooked = Hooked(desk, codex, model)
    assert "Codex trusts them" in hooked.install()
    outside = codex.project.parent / "made"
    model.scripts["odd"] = [
        [
            {
                "tool": "exec_command",
                "input": {
                    "cmd": f"touch {outside}",
                    "sandbox_permissions": "require_escalated",
                    "justification": "May I make it?",
                },
            }
        ]
    ]
    with codex.tui() as tui, desk.somebody_watching():
        tui.say("please SCN:odd")
        request = desk.wait_request()
        desk.allow(request)
        tui.wait_for("DONE odd")
    assert outside.exists()
