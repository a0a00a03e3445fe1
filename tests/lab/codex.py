"""Runs the real Codex: its binary, homes, environment and terminal.

`Codex` holds what one test works with; CodexTui is its terminal interface, with the
agent in the terminal's own process. Not a stand-in: everything here drives the
program itself. May import the lab only.

Traps:
- Without `--no-daemon` the terminal is a client of a daemon, one for each home, which
  outlives it and copies 400 MB into that home.
- Only some variables of the environment reach an MCP server; name others in its `env`.
- Outside of scripts/hermetic it looks for announcements and updates, whatever its
  configuration says.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.lab.claude import DUMMY_KEY, make_project
from tests.lab.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]
VERSION = "0.171.0"

# The model is one whose tools Codex calls directly; with newer ones it runs scripts.
CONFIG = """\
model = "gpt-5.5"
model_provider = "lab"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[analytics]
enabled = false

[feedback]
enabled = false

[features]
apps = false
plugins = false
remote_plugin = false
enable_request_compression = false

[model_providers.lab]
name = "Lab"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
requires_openai_auth = false
request_max_retries = 1
stream_max_retries = 0

[projects.{project}]
trust_level = "trusted"

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""


def make_home(home: Path, project: Path, port: int) -> Path:
    """Create a home folder in which Codex starts without first-run screens."""
    (home / "tmp").mkdir(parents=True)
    (home / ".codex").mkdir()
    quoted = json.dumps(str(project.resolve()))
    (home / ".codex/config.toml").write_text(CONFIG.format(port=port, project=quoted))
    return home


class CodexTui(Terminal):
    """Codex's terminal interface, ready for a prompt. `pid` is the agent's own."""

    READY = re.compile(r"^›(?! *\d\.)", re.MULTILINE)

    def __init__(self, codex: Path, project: Path, env: Mapping[str, str]) -> None:
        super().__init__([str(codex), "--no-daemon"], project, env, self.READY)


@dataclass(frozen=True, slots=True)
class Codex:
    """Codex with a home and a project of its own."""

    binary: Path
    home: Path
    project: Path

    @classmethod
    def create(cls, binary: Path, root: Path, port: int) -> Codex:
        """Make home and project below root; the model listens at the port."""
        project = make_project(root / "project")
        return cls(binary, make_home(root / "home", project, port), project)

    @property
    def config(self) -> Path:
        return self.home / ".codex/config.toml"

    def env(self) -> dict[str, str]:
        """Return the whole environment of the agent: nothing is inherited."""
        return {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "SHELL": "/bin/bash",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TMPDIR": str(self.home / "tmp"),
            "CODEX_HOME": str(self.home / ".codex"),
            "LAB_KEY": DUMMY_KEY,
        }

    def tui(self) -> CodexTui:
        """Start the terminal interface and wait until it takes prompts; use it with `with`."""
        return CodexTui(self.binary, self.project, self.env())
