"""Starts the very commands that stand in settings, as the agent would, for a session that does not exist.

The agent's part is played by a shell of its own, not by this process: the desk takes whoever starts a hook
for an agent, and an agent may not look at the desk.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

TIMEOUT_S = 5.0
"""What the settings give the hooks that are tried here."""
SLOW_S = 0.5
"""Ten times what it usually takes."""

_STAND_IN = 'CLAUDE_PID=$$; export CLAUDE_PID; "$@"; exit $?'


class Ran(NamedTuple):
    """How a command ended. `code` None: it did not, in time."""

    code: int | None
    wrote: bytes
    took_s: float

    @property
    def trouble(self) -> str:
        """What the agent would not like, in words; "" when there is nothing."""
        if self.code is None:
            return f"it did not end within {TIMEOUT_S:.0f} s"
        if self.code:
            return f"it ended with code {self.code}" + (f" and wrote {_short(self.wrote)}" * bool(self.wrote))
        return f"it wrote {_short(self.wrote)}" if self.wrote else ""


def _short(wrote: bytes) -> str:
    return repr(wrote.decode("utf-8", "replace").strip()[-200:])


def payload(event: str, session: str, cwd: str) -> dict[str, Any]:
    """Return what Claude Code gives a hook of some events."""
    more: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": "probe"},  # nothing that starts a desk
        "SessionEnd": {"reason": "other"},
        "PostToolUse": {
            "tool_name": "Read",
            "tool_input": {},
            "tool_response": {},
            "tool_use_id": "toolu_sayso_doctor",
            "permission_mode": "default",
        },
    }
    common = {"session_id": session, "transcript_path": "", "cwd": cwd, "hook_event_name": event}
    return {**common, **more.get(event, {})}


def environment(environ: Mapping[str, str], session: str, cwd: str) -> dict[str, str]:
    """Return the environment in which Claude Code starts hooks."""
    return {
        **environ,
        "CLAUDECODE": "1",
        "CLAUDE_CODE_SESSION_ID": session,
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_PROJECT_DIR": cwd,
    }


def run(argv: Sequence[str], given: dict[str, Any], environ: Mapping[str, str], cwd: Path) -> Ran:
    """Run a hook's command with a payload. Raises OSError."""
    started_s = time.monotonic()
    process = subprocess.Popen(
        ["/bin/sh", "-c", _STAND_IN, "sayso-doctor", *argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env=dict(environ),
        start_new_session=True,
    )
    try:
        wrote, _ = process.communicate(json.dumps(given).encode(), TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Ran(None, b"", time.monotonic() - started_s)
    return Ran(process.returncode, wrote, time.monotonic() - started_s)
