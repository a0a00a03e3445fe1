"""A session's start opens a desk where the settings say so; nothing else does, and nobody waits for it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.client.blocking import Desk
from sayso.daemon import processes
from sayso.errors import Unavailable
from tests.desks import Home, sample
from tests.standin import WAIT_S, StandIn

SILENT = (0, b"", b"")
MARKS = {"CLAUDECODE": "1", "AI_AGENT": "claude-code", "ANTHROPIC_API_KEY": "secret", "PYTHONPATH": "/x"}
RECORD = """#!/bin/sh
printf '%s\\n' "$$" "$PPID" "$*" "$PWD" "$SAYSO_HOME" > "{told}.new"
env > "{told}.env"
mv "{told}.new" "{told}"
"""


def until(look: Callable[[], int]) -> int:
    """Return what a look finds, looking again for a while."""
    until_s = time.monotonic() + WAIT_S
    while not (found := look()):
        assert time.monotonic() < until_s
        time.sleep(0.01)
    return found


class Scene:
    """A home without a desk, an agent in it, and a program that notes that it was to start one."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.told = home.path / "told"
        self.program = home.path / "starter"
        self.program.write_text(RECORD.format(told=self.told))
        self.program.chmod(0o700)

    def handlers(self, program: Path) -> dict[str, Any]:
        done = self.home.sayso("install", "claude-code", "--print", "--lazy-start")
        assert done.returncode == 0, done.stderr
        hooks = json.loads(done.stdout)["hooks"]
        for groups in hooks.values():
            args = groups[0]["hooks"][0]["args"]
            args[args.index("--start") + 1] = str(program)
        return hooks

    def fire(self, agent: StandIn, name: str = "SessionStart", **changes: Any) -> None:
        payload = sample(name, **changes)
        env = {**agent.env(payload["session_id"]), **MARKS}
        hook = agent.start(agent.command(payload["hook_event_name"]), env)
        hook.write(json.dumps(payload).encode())
        assert hook.result() == SILENT

    def words(self) -> list[str]:
        until(self.told.exists)
        return self.told.read_text().splitlines()


@pytest.fixture
def scene() -> Iterator[Scene]:
    with Home() as home:
        yield Scene(home)


def test_a_session_that_starts_without_a_desk_starts_one_and_does_not_wait(scene: Scene) -> None:
    with StandIn(scene.handlers(scene.program)) as agent:
        scene.fire(agent)  # which includes that its output ended
        _, _, command, folder, home = scene.words()
    assert (command, folder, home) == ("-P -m sayso start", "/", str(scene.home.path))
    env = Path(f"{scene.told}.env").read_text()
    assert not any(f"{name}=" in env for name in (*MARKS, "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID"))


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("SessionStart", {"source": "compact"}),
        ("SessionStart", {"source": "probe"}),
        ("SessionEnd", {}),
        ("Stop", {}),
        ("PermissionRequest.Bash", {}),
    ],
)
def test_nothing_else_starts_one(scene: Scene, name: str, changes: dict[str, str]) -> None:
    with StandIn(scene.handlers(scene.program)) as agent:
        scene.fire(agent, name, **changes)
    assert not scene.told.exists()


def test_without_the_option_none_is_started(scene: Scene) -> None:
    hooks = scene.home.handlers()
    assert "--start" not in json.dumps(hooks)


def test_a_program_that_is_gone_is_silence(scene: Scene) -> None:
    with StandIn(scene.handlers(scene.home.path / "gone")) as agent:
        scene.fire(agent)
    assert not scene.home.places.socket.exists()


def test_where_a_desk_runs_none_is_started(scene: Scene) -> None:
    with StandIn(scene.handlers(scene.program)) as agent:
        scene.home.up("--agents-only", str(agent.pid))
        scene.fire(agent)
    assert not scene.told.exists()


def test_the_desk_is_nobodys_child_and_people_reach_it(scene: Scene) -> None:
    real = scene.home.path / "real"
    with StandIn(scene.handlers(real)) as agent:
        real.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@" --no-http --agents-only {agent.pid}\n')
        real.chmod(0o700)
        scene.fire(agent)
        pid = until(lambda: _desk_pid(scene.home))
        assert agent.pid not in processes.ancestors(pid)
        assert not {*MARKS, "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID"} & processes.environment(pid)
        status = scene.home.sayso("status")
        assert (status.returncode, f"process {pid}" in status.stdout) == (0, True)
    assert _desk_pid(scene.home) == pid  # it outlives the agent


def _desk_pid(home: Home) -> int:
    try:
        with Desk(str(home.places.socket)) as desk:
            return int(desk.call("desk.health", {})["pid"])
    except Unavailable:
        return 0
