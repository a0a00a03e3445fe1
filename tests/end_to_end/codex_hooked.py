"""The real Codex with sayso's hooks in it, put in and trusted as a person would.

The terminal runs the agent in its own process, as with `--no-daemon`, so nothing but the hooks tells the
desk of it. Not here: the server that terminals share. May import the lab and the desk.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.desk import Desk, Json
    from tests.lab.codex import Codex
    from tests.lab.fake_openai import FakeOpenAI

PROMPT = "Would you like to run the following command?"
COMMAND_S = 30.0
WAIT_S = 15.0


class Hooked:
    """A desk, Codex, its model, and commands of sayso in Codex's surroundings."""

    def __init__(self, desk: Desk, codex: Codex, model: FakeOpenAI) -> None:
        self.desk = desk
        self.codex = codex
        self.model = model
        self.hooks = codex.config.with_name("hooks.json")

    def run(self, *words: str, code: int | None = 0) -> str:
        """Run a command of sayso where Codex is on the PATH; return all it wrote."""
        env = {
            **self.codex.env(),
            "SAYSO_HOME": self.desk.env["SAYSO_HOME"],
            "PATH": f"{self.codex.binary.parent}:/usr/bin:/bin",
        }
        done = subprocess.run(
            [sys.executable, "-m", "sayso", *words],
            env=env,
            cwd=self.codex.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        assert code in (None, done.returncode), f"sayso {words} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def install(self, *, on: bool = True) -> str:
        """Put the hooks in, have them trusted, and let them ask."""
        said = self.run("install", "codex", "--trust", "--no-server")
        self.desk.run("settings", "codex_approvals", "on" if on else "off")
        return said

    def path(self, name: str) -> Path:
        """Return a path outside of where Codex may write."""
        return self.codex.home / name

    def play(self, name: str, *turns: list[Json]) -> str:
        """Have the model ask for leave to make the file of this name; return the prompt for it."""
        self.model.scripts[name] = [self.touch(name), *turns]
        return f"please SCN:{name}"

    def touch(self, name: str) -> list[Json]:
        asked: Json = {
            "cmd": f"touch {self.path(name)}",
            "sandbox_permissions": "require_escalated",
            "justification": f"May I make {name}?",
        }
        return [{"tool": "exec_command", "input": asked}]

    def told(self) -> str:
        """Return everything the model was sent last."""
        return str(self.model.requests[-1]["body"]["input"])

    def wait(self, look: Callable[[], Any], what: str) -> Any:
        end = time.monotonic() + WAIT_S
        while not (found := look()):
            assert time.monotonic() < end, f"no {what}"
            time.sleep(0.02)
        return found
