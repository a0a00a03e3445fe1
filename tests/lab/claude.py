"""Runs the real Claude Code: its binary, homes, environment, terminal and print mode.

`Claude` holds what one test works with; ClaudeTui is its terminal interface. Not a
stand-in: everything here drives the program itself. May import the lab only.

Traps:
- The terminal's default mode is `auto`, which asks much less; `arguments` passes
  `--permission-mode manual`, which hooks see as `default`.
- Of two `--settings` options only the last counts: merge them.
- Print mode denies what no hook allows, and has no questions and no plans.
- Sub-agents run in the background: the main agent's Stop comes before they are done.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.lab.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Json = dict[str, Any]
LAB = Path(__file__).resolve().parent
ROOT = LAB.parent.parent
DUMMY_KEY = "loopback-lab-key-of-no-use"
VERSION = "2.1.332"


def installed(name: str = "claude-code") -> Path:
    """Return the binary of an agent that scripts/agents installed; installs nothing.

    Raises:
        FileNotFoundError: it is not installed.
    """
    command = [str(ROOT / "scripts/agents"), "--installed", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    if done.returncode != 0:
        raise FileNotFoundError(done.stderr.strip())
    return Path(done.stdout.strip())


def cut_off() -> bool:
    """Tell whether only the loopback can be reached, as under scripts/hermetic; sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        return probe.connect_ex(("192.0.2.1", 9)) != 0


def make_project(project: Path) -> Path:
    """Create the folder the agent works in, with the file that the scenarios read."""
    project.mkdir(parents=True)
    (project / "notes.txt").write_text("alpha\n")
    return project


def make_home(home: Path, project: Path) -> Path:
    """Create a home folder in which Claude Code starts without first-run screens."""
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    state = {
        "hasCompletedOnboarding": True,
        "customApiKeyResponses": {"approved": [DUMMY_KEY[-20:]], "rejected": []},
        "projects": {str(project.resolve()): {"hasTrustDialogAccepted": True}},
        # Without these two it tries to fetch a plugin marketplace.
        "officialMarketplaceAutoInstallAttempted": True,
        "officialMarketplaceAutoInstalled": True,
    }
    (home / ".claude.json").write_text(json.dumps(state))
    return home


def environment(home: Path, port: int) -> dict[str, str]:
    """Return the whole environment of the agent: nothing is inherited."""
    return {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "TMPDIR": str(home / "tmp"),
        "CLAUDE_CODE_TMPDIR": str(home / "tmp"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": DUMMY_KEY,
    }


def arguments(
    settings: Json | None = None,
    *,
    mcp: bool = False,
    mode: str = "manual",
    resume: str | None = None,
) -> list[str]:
    """Return the options most tests need.

    Args:
        settings: what `--settings` gets; None to leave it to settings files.
        mcp: offer the tool mcp__lab__ask, which has the user fill in a form.
        resume: the id of the session to go on with.
    """
    args = ["--permission-mode", mode]
    if settings is not None:
        args += ["--settings", json.dumps(settings)]
    if mcp:
        server = {"command": sys.executable, "args": ["-I", "-S", str(LAB / "mcp_server.py")]}
        servers = json.dumps({"mcpServers": {"lab": server}})
        args += ["--strict-mcp-config", "--mcp-config", servers]
    if resume is not None:
        args += ["--resume", resume]
    return args


class ClaudeTui(Terminal):
    """Claude Code's terminal interface, ready for a prompt. `pid` is the agent's own."""

    READY = re.compile(r"^❯(?! *\d\.)", re.MULTILINE)

    def __init__(self, claude: Path, project: Path, args: Sequence[str], env: Mapping[str, str]):
        super().__init__([str(claude), *args], project, env, self.READY)


@dataclass(frozen=True, slots=True)
class Claude:
    """Claude Code with a home and a project of its own, talking to a model on `port`."""

    binary: Path
    home: Path
    project: Path
    port: int

    @classmethod
    def create(cls, binary: Path, root: Path, port: int) -> Claude:
        """Make home and project below root (root/home, root/project)."""
        project = make_project(root / "project")
        return cls(binary, make_home(root / "home", project), project, port)

    def env(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return {**environment(self.home, self.port), **(extra or {})}

    def tui(
        self,
        settings: Json | None = None,
        *,
        mcp: bool = False,
        mode: str = "manual",
        resume: str | None = None,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> ClaudeTui:
        """Start the terminal interface and wait until it takes prompts; use it with `with`."""
        options = arguments(settings, mcp=mcp, mode=mode, resume=resume)
        return ClaudeTui(self.binary, self.project, [*options, *args], self.env(env))

    def print(
        self,
        prompt: str,
        settings: Json | None = None,
        *,
        mcp: bool = False,
        mode: str = "manual",
        resume: str | None = None,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        timeout_s: float = 60,
    ) -> subprocess.CompletedProcess[str]:
        """Run `claude -p PROMPT` to its end."""
        options = arguments(settings, mcp=mcp, mode=mode, resume=resume)
        return subprocess.run(
            [str(self.binary), "-p", prompt, *options, *args],
            cwd=self.project,
            env=self.env(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def write_settings(self, settings: Json) -> Path:
        """Write the user's settings file of this home, and return its path."""
        path = self.home / ".claude/settings.json"
        path.parent.mkdir(exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(settings, indent=2))
        fresh.replace(path)  # in one step: the agent may be reading it
        return path

    def made(self, *names: str) -> bool:
        """Tell whether all these files are in the project."""
        return all((self.project / name).exists() for name in names)
