"""What `sayso install` writes works in the real Claude Code, and `uninstall` leaves no trace."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end


def of_user(desk: Desk, claude: Claude) -> dict[str, str]:
    """Return the environment of the person whose home the agent runs with."""
    return {**desk.env, "HOME": str(claude.home)}


def ask_and_allow(desk: Desk, claude: Claude, *args: str) -> None:
    """Have the agent ask once; see that one request came of it and that the answer is obeyed."""
    with claude.tui(args=args) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request(kind="permission", tool="Bash")
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE bash")
    assert claude.made("touched")
    assert len(desk.requests()) == 1


def plugin_command(claude: Claude, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(claude.binary), "plugin", *words],
        cwd=claude.project,
        env=claude.env(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_case_35_the_users_settings_work_and_every_byte_is_back_afterwards(
    desk: Desk, claude: Claude
) -> None:
    before = b'{\r\n\t"env": {"A":1.0 , "B" : "x"},\r\n\t"hooks": {"PreToolUse": []}}\r\n'
    path = claude.home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_bytes(before)
    desk.run("install", "claude-code", env=of_user(desk, claude))
    assert b"PermissionRequest" in path.read_bytes()
    ask_and_allow(desk, claude)
    desk.run("uninstall", "claude-code", env=of_user(desk, claude))
    assert path.read_bytes() == before


def test_case_35_a_fresh_home_is_fresh_again(desk: Desk, claude: Claude) -> None:
    path = claude.home / ".claude/settings.json"
    desk.run("install", "claude-code", env=of_user(desk, claude))
    ask_and_allow(desk, claude)
    desk.run("uninstall", "claude-code", env=of_user(desk, claude))
    assert not path.exists()


def test_a_plugin_folder_is_valid_and_works(desk: Desk, claude: Claude, root: Path) -> None:
    folder = root / "a plugin"
    desk.run("install", "claude-code", "--plugin", str(folder), env=of_user(desk, claude))
    for options in (("--strict",), ("--profile", "directory")):
        done = plugin_command(claude, "validate", *options, "--json", str(folder))
        assert done.returncode == 0, done.stdout + done.stderr
    ask_and_allow(desk, claude, "--plugin-dir", str(folder))
    desk.run("uninstall", "claude-code", "--plugin", str(folder), env=of_user(desk, claude))
    assert not folder.exists()


def test_hooks_in_every_place_at_once_ask_once(desk: Desk, claude: Claude, root: Path) -> None:
    """Identical commands are run once, wherever they stand."""
    folder = root / "plugin"
    desk.run("install", "claude-code", "--plugin", str(folder), env=of_user(desk, claude))
    desk.run("install", "claude-code", env=of_user(desk, claude))
    hooks = json.loads((claude.home / ".claude/settings.json").read_text())
    local = claude.project / ".claude/settings.local.json"
    local.parent.mkdir()
    local.write_text(json.dumps(hooks))
    ask_and_allow(desk, claude, "--plugin-dir", str(folder))


def test_doctor_is_content_with_what_install_wrote(desk: Desk, claude: Claude) -> None:
    env = {**of_user(desk, claude), "PATH": f"{claude.binary.parent}{os.pathsep}{os.environ['PATH']}"}
    desk.run("install", "claude-code", env=env)
    said = desk.run("doctor", env=env)
    assert "2.1.332" in said
    assert "acknowledged" in said
    with desk.connect() as client:
        assert client.call("desk.health", {})["pending"] == 0
