"""Sessions that run in the background (`claude --bg`): no terminal, no person beside it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.end_to_end.desk import Desk, Json
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


def processes_of(claude: Claude) -> list[int]:
    """Return the pids of all that this agent started: they have its home, which nothing else has."""
    mark = f"HOME={claude.home}".encode()
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


@contextlib.contextmanager
def in_background(claude: Claude, prompt: str, settings: Json) -> Iterator[None]:
    """Start a session in the background, and end it with the service that it started."""
    command = [str(claude.binary), "--bg", prompt, "--permission-mode", "manual"]
    try:
        subprocess.run(
            [*command, "--settings", json.dumps(settings)],
            cwd=claude.project,
            env=claude.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=30,
            check=True,
        )
        yield
    finally:
        for pid in processes_of(claude):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_case_16_an_answer_reaches_a_session_in_the_background(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    hooks = desk.hooks()
    with desk.somebody_watching(), in_background(claude, "please SCN:bash", hooks):
        request = desk.wait_request(tool="Bash")
        assert request["attended"] is False
        assert request["hold"] == "exclusive"
        desk.allow(request)
        desk.wait_state(request, "confirmed")
        assert claude.made("touched")
        assert not told.result(fake_model, "bash")["is_error"]
        desk.wait_session("idle", request["session_id"])
