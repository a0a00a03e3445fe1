"""Runs the real Codex as it runs by default: one app server for a home, and terminals that are its clients.

The server is started here, so that its end is ours; Codex's own terminal finds it where its daemon would
be. Not for terminals that run the agent themselves (`codex`). May import the lab only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tests.lab.codex import CodexTui
from tests.lab.terminal import Terminal, end_process

if TYPE_CHECKING:
    from tests.lab.codex import Codex

WAIT_S = 15.0
FEATURES = "default_mode_request_user_input = true\nrequest_permissions_tool = true\nmulti_agent = true\n"
"""What the model may use in these tests, beside the defaults."""


MORE = """
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true

[mcp_servers.lab]
command = {python}
args = [{script}, "--changes-things"]
"""
"""Only the project may be written to, and there is an MCP server that asks."""


def allow_all_tools(codex: Codex) -> None:
    """Let the model ask questions, ask for permissions, start agents and use an MCP server."""
    script = Path(__file__).with_name("mcp_server.py")
    more = MORE.format(python=json.dumps(sys.executable), script=json.dumps(str(script)))
    text = codex.config.read_text().replace("[features]\n", f"[features]\n{FEATURES}")
    codex.config.write_text(text + more)


class CodexServer:
    """The app server of one home; use it with `with`."""

    def __init__(self, codex: Codex) -> None:
        self.codex = codex
        self.socket = codex.home / ".codex/app-server-control/app-server-control.sock"
        self.pid = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> None:
        with (self.codex.home / "server.log").open("ab") as log:
            process = subprocess.Popen(
                [str(self.codex.binary), "app-server", "--listen", "unix://"],
                cwd=self.codex.project,
                env=self.codex.env(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._process = process
        self.pid = process.pid
        end = time.monotonic() + WAIT_S
        while not self.socket.exists():
            if time.monotonic() > end or process.poll() is not None:
                raise TimeoutError((self.codex.home / "server.log").read_text())
            time.sleep(0.02)

    def end(self) -> None:
        """End it, and what it leaves behind when it is told to."""
        if self._process.poll() is None:
            end_process(os.pidfd_open(self.pid))
        self._process.wait(WAIT_S)
        if self.socket.is_symlink():
            target = self.socket.resolve()
            self.socket.unlink()
            for left in (target, target.with_name(f"{target.name}.lock")):
                left.unlink(missing_ok=True)

    def tui(self) -> Terminal:
        """Start a terminal, a client of this server, and wait until it takes prompts."""
        return Terminal([str(self.codex.binary)], self.codex.project, self.codex.env(), CodexTui.READY)
