"""What `sayso install` writes works in the real Claude Code, and `uninstall` leaves no trace."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end


def of_user(desk: Desk, claude: Claude) -> dict[str, str]:
    """Return the environment of the person whose home the agent runs with."""
    return {**desk.env, "HOME": str(claude.home)}


def ask_and_allow(desk: Desk, claude: Claude, *args: str, settings: dict[str, Any] | None = None) -> None:
    """Have the agent ask once; see that one request came of it and that the answer is obeyed."""
    with claude.tui(settings, args=args) as tui:
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


def test_hooks_in_settings_of_every_scope_ask_once(desk: Desk, claude: Claude) -> None:
    """Identical commands are run once, those of --settings among them."""
    env = of_user(desk, claude)
    desk.run("install", "claude-code", env=env)
    text = (claude.home / ".claude/settings.json").read_text()
    folder = claude.project / ".claude"
    folder.mkdir()
    for name in ("settings.json", "settings.local.json"):
        (folder / name).write_text(text)
    ask_and_allow(desk, claude, settings=desk.hooks())


def test_a_plugin_beside_settings_asks_twice_and_install_warns(
    desk: Desk, claude: Claude, root: Path
) -> None:
    """The day this fails, Claude Code treats them as one, and the warnings can go."""
    folder = root / "plugin"
    desk.run("install", "claude-code", "--plugin", str(folder), env=of_user(desk, claude))
    said = desk.run("install", "claude-code", env=of_user(desk, claude))
    assert "would ask twice" in said
    assert "asks twice" in desk.run("doctor", code=1, env=of_user(desk, claude))
    with claude.tui(args=["--plugin-dir", str(folder)]) as tui:
        tui.say("please SCN:bash")
        first, second = desk.wait_request(), desk.wait_request(2)
        desk.allow(first)
        tui.wait_for("DONE bash")
        desk.wait_state(second, "withdrawn")


def with_hook(text: str, hook: object) -> str:
    """Put a hook of somebody else before each tool call."""
    settings = json.loads(text)
    settings["hooks"]["PreToolUse"] = [{"hooks": [hook]}]
    return json.dumps(settings)


TRAPS: dict[str, Callable[[str], str]] = {
    "comment": lambda text: text.replace("{", "{ // mine", 1),
    "trailing comma": lambda text: text.rstrip().removesuffix("}") + ",}",
    "switched off": lambda text: json.dumps({**json.loads(text), "disableAllHooks": True}),
    "timeout": lambda text: with_hook(text, {"type": "command", "command": "true", "timeout": 0}),
    "address": lambda text: with_hook(text, {"type": "http", "url": "nonsense"}),
    "no command": lambda text: with_hook(text, {"type": "command"}),
    "no object": lambda text: with_hook(text, "true"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_case_35_what_doctor_fails_on_does_keep_the_hooks_from_running(
    desk: Desk, claude: Claude, trap: str
) -> None:
    desk.run("install", "claude-code", env=of_user(desk, claude))
    path = claude.home / ".claude/settings.json"
    path.write_text(TRAPS[trap](path.read_text()))
    assert str(path) in desk.run("doctor", code=1, env=of_user(desk, claude))
    claude.print("please SCN:bash")
    assert desk.requests() == []
    with desk.connect() as client:
        known = client.call("desk.sessions", {})["sessions"]
    assert [s for s in known if not s["session_id"].startswith("sayso-doctor-")] == []


def test_doctor_is_content_with_what_install_wrote(desk: Desk, claude: Claude) -> None:
    env = {**of_user(desk, claude), "PATH": f"{claude.binary.parent}{os.pathsep}{os.environ['PATH']}"}
    desk.run("install", "claude-code", env=env)
    said = desk.run("doctor", env=env)
    assert "2.1.332" in said
    assert "acknowledged" in said
    with desk.connect() as client:
        assert client.call("desk.health", {})["pending"] == 0
