"""Hooks put into the real Codex beside others', trusted by its own calls, and taken out again."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from tests.end_to_end.codex_hooked import PROMPT, Hooked

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.codex import Codex
    from tests.lab.fake_openai import FakeOpenAI

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def hooked(desk: Desk, codex: Codex, model: FakeOpenAI) -> Hooked:
    return Hooked(desk, codex, model)


def foreign(hooked: Hooked) -> str:
    """Return hooks of somebody else's that leave a line each time, as a person would lay them out."""
    command = f"echo hook >> {hooked.path('theirs')}"
    groups = [{"hooks": [{"type": "command", "command": command, "timeout": 5}]}]
    hooks: dict[str, Any] = {"PermissionRequest": groups, "Stop": groups}
    return json.dumps({"description": "mine", "hooks": hooks}, indent=4) + "\n\n"


def hooks_noted(hooked: Hooked) -> Any:
    return tomllib.loads(hooked.codex.config.read_text()).get("hooks")


def finding(hooked: Hooked, name: str) -> str:
    """Return what the doctor says of one thing."""
    said = json.loads(hooked.run("doctor", "--json", code=None))
    (text,) = [each["text"] for each in said["findings"] if each["name"] == name]
    return text


def test_case_35_others_hooks_stay_as_they_are_and_ours_are_trusted_by_consent(hooked: Hooked) -> None:
    theirs = foreign(hooked)
    hooked.hooks.write_text(theirs)
    with hooked.codex.tui() as tui:  # the person has trusted what was there
        tui.wait_for("Trust all and continue")
        tui.keys("2", "Enter")
        tui.wait_for("Trust all and continue", gone=True)
    noted = hooks_noted(hooked)

    said = hooked.run("install", "codex", "--no-server")
    assert "/hooks and press t" in said
    assert hooks_noted(hooked) == noted
    said = hooked.install()
    assert said.count("sayso-hook.sh") == 6
    assert "Codex trusts them" in said
    hooked.hooks.write_text(hooked.hooks.read_text().replace('"timeout": 30', '"timeout": 31'))
    assert "were changed" in finding(hooked, "codex_trust")
    hooked.install()

    with hooked.codex.tui() as tui, hooked.desk.somebody_watching():
        tui.say(hooked.play("both"))
        request = hooked.desk.wait_request()
        hooked.desk.allow(request)
        tui.wait_for("DONE both")
        hooked.wait(lambda: hooked.path("theirs").read_text() == "hook\n" * 2, "their hooks")

        said = hooked.run("uninstall", "codex")
        assert "silent from now on" in said
        assert hooked.hooks.read_text() == theirs
        assert hooks_noted(hooked) == noted
        tui.say(hooked.play("silent"))  # the session knows our hooks still
        tui.wait_for(PROMPT, timeout_s=5)
        tui.keys("y")
        tui.wait_for("DONE silent")
    assert len(hooked.desk.requests()) == 1


def test_case_35_hooks_that_codex_cannot_read_are_refused(hooked: Hooked) -> None:
    broken = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true", "timeout": 2.5}]}]}}'
    hooked.hooks.write_text(broken)
    assert "Codex ignores this file as a whole" in hooked.run("install", "codex", "--trust", code=1)
    assert hooked.hooks.read_text() == broken
    assert "hooks.state" not in hooked.codex.config.read_text()
