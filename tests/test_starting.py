"""`sayso start`, where it is less simple: a home that is named in passing, a terminal inside an agent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.desks import Home

SAYSO = [sys.executable, "-m", "sayso"]


def ran(home: Home, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SAYSO, *words],
        env={**home.env, **env},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_home_may_be_named_from_where_one_stands() -> None:
    with Home() as home:
        started = ran(home, "start", "--no-http", cwd=home.path.parent, SAYSO_HOME=home.path.name)
        assert started.returncode == 0, started.stderr
        assert home.places.socket.exists()


@pytest.mark.parametrize("times", [1, 2])
def test_case_51_started_inside_an_agent_it_runs_and_tells_nothing_there(times: int) -> None:
    with Home() as home:
        for _ in range(times):
            started = ran(home, "start", "--no-http", CLAUDECODE="1")
            assert started.returncode == 0, started.stderr
            assert "The desk is open" in started.stdout
            assert "carries CLAUDECODE" in started.stdout
        assert ran(home, "status", CLAUDECODE="1").returncode == 1
