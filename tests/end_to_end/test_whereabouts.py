"""Cards say where their session works and how it began; hooks are where the agent's folder is."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, timeout=30)


def make_worktree(claude: Claude, repository: Path, branch: str) -> None:
    """Make the agent's project a worktree of a new repository."""
    shutil.rmtree(claude.project)
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main")
    git(repository, "commit", "-q", "--allow-empty", "-m", "first")
    git(repository, "worktree", "add", "-q", "-b", branch, str(claude.project))


def test_case_60_a_card_names_repository_branch_and_worktree_and_a_fork_is_one(
    desk: Desk, claude: Claude, root: Path
) -> None:
    make_worktree(claude, root / "shop", "fix/the-till")
    hooks = desk.hooks()
    with claude.tui(hooks) as tui:
        tui.say("please SCN:bash")
        first = desk.wait_request()
        assert (first["project"], first["branch"], first["worktree"]) == ("shop", "fix/the-till", "project")
        assert "in worktree project" in desk.run("show", first["id"])
        desk.allow(first)
        tui.wait_for("DONE bash")
        desk.wait_state(first, "confirmed")
    before = desk.wait_session("ended", first["session_id"])
    with claude.tui(hooks, resume=first["session_id"], args=["--fork-session"]) as tui:
        tui.say("please SCN:write")
        second = desk.wait_request(tool="Write")
        after = desk.stream.sessions[second["session_id"]]
        assert (before["origin"], after["origin"]) == ("startup", "fork")
        assert second["session_id"] != first["session_id"]
        assert "forked session" in desk.run("sessions")
        desk.allow(second)
        tui.wait_for("DONE write")


def test_the_folder_that_the_environment_names_holds_the_hooks_and_another_home_has_none(
    desk: Desk, claude: Claude, root: Path
) -> None:
    chosen = {"CLAUDE_CONFIG_DIR": str(root / "ein Ordner für 'Claude'")}
    folder = root / "ein Ordner für 'Claude'"
    folder.mkdir()
    shutil.copy(claude.home / ".claude.json", folder)
    env = {**desk.env, "HOME": str(claude.home), **chosen}
    desk.run("install", "claude-code", env=env)
    assert [path.name for path in folder.glob("settings*")] == ["settings.json"]
    assert "CLAUDE_CONFIG_DIR is" in desk.run("doctor", env=env)
    claude.print("please SCN:bash")  # with the usual folder: no hook, and no card
    assert desk.requests() == []
    with claude.tui(env=chosen) as tui:
        tui.say("please SCN:bash")
        desk.allow(desk.wait_request())
        tui.wait_for("DONE bash")
    desk.run("uninstall", "claude-code", env=env)
    assert not list(folder.glob("settings*"))
