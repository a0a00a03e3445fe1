"""What the desk says of itself, and what can be seen without one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import sayso
from sayso.daemon.access import Access
from sayso.doctor import desk_checks as checks
from sayso.doctor import settings_checks
from sayso.doctor.context import Context
from sayso.doctor.findings import Level
from sayso.install import claude_code
from tests.doctor.scene import PACKAGE, Scene

STARTED = datetime.now().astimezone() - timedelta(seconds=100)
HEALTH: dict[str, Any] = {
    "version": sayso.__version__,
    "pid": 7,
    "started_at": STARTED.isoformat(),
    "uptime_s": 100.0,
    "http": "http://127.0.0.1:7297",
    "troubles": [],
}


def test_a_desk_that_is_well(scene: Scene) -> None:
    context = scene.context(HEALTH)
    for check in (
        checks.runs,
        checks.version,
        checks.terminal,
        checks.http,
        checks.database,
        checks.clock,
        checks.folders,
    ):
        assert check(context).level is Level.OK, check
    assert "process 7" in checks.runs(context).text


def test_no_desk(scene: Scene) -> None:
    found = checks.runs(scene.context())
    assert found.level is Level.FAIL
    assert "sayso start" in found.todo
    for check in (checks.version, checks.http, checks.database, checks.clock):
        assert check(scene.context()).level is Level.OK, check


@pytest.mark.parametrize(("start", "level"), [(sys.executable, Level.NOTE), ("/gone/python", Level.FAIL)])
def test_no_desk_where_a_session_opens_one(scene: Scene, start: str, level: Level) -> None:
    here = scene.places
    hooks = claude_code.hook_settings("/p", "/h", str(here.socket), str(here.flags), start, "/home")
    scene.write(scene.user, {"hooks": hooks})
    found = checks.runs(scene.context())
    assert (found.level, "--lazy-start" in found.todo) == (level, level is Level.FAIL)
    assert settings_checks.whole(scene.context()).level is Level.OK
    assert settings_checks.one_command(scene.context()).level is Level.OK


def test_nobody_listens(scene: Scene) -> None:
    context = Context(scene.environ, scene.where, scene.places, PACKAGE, sayso.__version__)
    assert not context.runs
    assert context.health is None
    assert "no desk is running" in context.why_no_health


def test_another_version_runs(scene: Scene) -> None:
    found = checks.version(scene.context({**HEALTH, "version": "0.0.0"}))
    assert found.level is Level.FAIL
    assert "sayso restart" in found.todo


def test_a_terminal_that_the_desk_refuses(scene: Scene) -> None:
    context = scene.context(why="this was started from inside an agent")
    assert checks.runs(context).level is Level.OK
    found = checks.terminal(context)
    assert found.level is Level.NOTE
    assert found.text.startswith("Answers from this terminal are refused, because this was started")


def test_agents_marks_are_seen_without_a_desk(scene: Scene) -> None:
    """A process of its own: a mark counts in the environment that a process was started with."""
    code = (
        "import sys; from pathlib import Path; from tests.doctor.scene import Scene;"
        "from sayso.doctor.desk_checks import terminal;"
        "print(terminal(Scene(Path(sys.argv[1])).context()).text)"
    )
    root = scene.where.home / "inner"
    root.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code, str(root)],
        env={**os.environ, "CLAUDECODE": "1"},
        cwd=PACKAGE.parent.parent,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert "Answers from this terminal are refused" in done.stdout
    assert "CLAUDECODE" in done.stdout


def test_a_terminal_that_no_agent_started(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Access, "check", lambda _self, pid, _name: asked.append(pid))
    assert checks.terminal(scene.context()).level is Level.OK
    assert asked == [os.getpid()]


def test_a_port_that_is_held(scene: Scene) -> None:
    found = checks.http(scene.context({**HEALTH, "http": "off: port 7297 is held by nginx"}))
    assert found.level is Level.NOTE
    assert "held by nginx" in found.text
    assert checks.http(scene.context({**HEALTH, "http": "off"})).level is Level.OK


def test_troubles_of_the_desk(scene: Scene) -> None:
    found = checks.database(scene.context({**HEALTH, "troubles": ["the database is read-only"]}))
    assert found.level is Level.FAIL
    assert "read-only" in found.text


@pytest.mark.parametrize("content", [b"no database at all" * 100, None])
def test_the_database_without_a_desk(scene: Scene, content: bytes | None) -> None:
    path = scene.places.database
    path.parent.mkdir(parents=True)
    if content is None:
        sqlite3.connect(path).close()
    else:
        path.write_bytes(content)
    assert checks.database(scene.context()).level is (Level.OK if content is None else Level.FAIL)


def test_folders_that_others_may_enter(scene: Scene) -> None:
    for folder in (scene.places.run, scene.places.data / "hook"):
        folder.mkdir(parents=True)
        folder.chmod(0o777)
    found = checks.folders(scene.context())
    assert found.level is Level.FAIL
    assert "open to others" in found.text
    assert "decide what agents run" in found.text


def test_paths_with_odd_names_reach_the_database(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "a b?c#d%.db"
    sqlite3.connect(path).close()
    assert checks.sqlite_trouble(path) == ""
