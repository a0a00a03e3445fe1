"""Panes on a tmux server of the test's own, which ends with the test.

Not here: a desk. May import the product's panes only.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from sayso.panes import Panes, Tmux

WAIT_S = 10.0
STAYS = "sleep 1000"
MARKS = ("CLAUDECODE", "AI_AGENT")


async def until(true: Callable[[], bool], about: str) -> None:
    """Wait for something that another process brings about."""
    end_s = asyncio.get_running_loop().time() + WAIT_S
    while not true():
        assert asyncio.get_running_loop().time() < end_s, about
        await asyncio.sleep(0.01)


class Server:
    """A tmux server at a socket, as a person at another terminal uses it."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket

    def run(self, *words: str, env: dict[str, str] | None = None) -> str:
        command = ["tmux", "-S", str(self.socket), "-f", "/dev/null", *words]
        done = subprocess.run(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=WAIT_S,
        )
        assert done.returncode == 0, f"tmux {' '.join(words)}: {done.stderr}"
        return done.stdout.strip()

    def start(self, session: str = "mine", **more: str) -> str:
        """Start it with a session that has nothing to do with sayso; return the session's pane."""
        env = {**os.environ, **more}
        return self.run(
            "new-session", "-d", "-P", "-F", "#{pane_id}", "-s", session, "sleep", "1000", env=env
        )

    def ask(self, pane: str, format_: str) -> str:
        return self.run("display-message", "-p", "-t", pane, format_)

    def windows(self, session: str = "sayso") -> int:
        return len(self.run("list-windows", "-t", f"={session}").splitlines())

    def pane_of(self, surface_id: str) -> str:
        """Return tmux's own name of a pane."""
        rows = self.run("list-panes", "-a", "-F", "#{pane_id} #{@sayso}").splitlines()
        found = [row.partition(" ")[0] for row in rows if surface_id in row]
        assert len(found) == 1, rows
        return found[0]

    def end(self) -> None:
        if self.socket.exists():
            command = ["tmux", "-S", str(self.socket), "kill-server"]
            subprocess.run(command, capture_output=True, check=False, timeout=WAIT_S)


class Stage:
    """A folder, the server of the session `sayso` in it, and panes that come and go with desks."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder).resolve()
        self.run = self.folder / "run"
        self.run.mkdir(mode=0o700)
        self.own = Server(self.folder / "tmux.sock")
        self.closed: asyncio.Queue[str] = asyncio.Queue()
        self._panes: list[Panes] = []
        self._servers = [self.own]

    def server(self, name: str) -> Server:
        """Return another tmux server, which need not run."""
        made = Server(self.folder / name)
        self._servers.append(made)
        return made

    async def panes(self, run: Path | None = None, apart: bool = False, **environment: str) -> Panes:
        """Return the panes of a desk that starts now."""
        given = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **environment}
        tmux = Tmux(str(self.own.socket), given, apart)
        made = Panes(
            tmux, run or self.run, {"SAYSO_HOME": str(self.folder / "home")}, MARKS, self.closed.put_nowait
        )
        self._panes.append(made)
        await made.start()
        return made

    def inside(self, surface_id: str) -> dict[str, str]:
        """Return the environment of a pane's program."""
        pid = self.own.ask(self.own.pane_of(surface_id), "#{pane_pid}")
        pairs = Path(f"/proc/{pid}/environ").read_text("utf-8").split("\0")
        return dict(pair.split("=", 1) for pair in pairs if pair)

    async def restart(self, panes: Panes) -> Panes:
        """End a desk's panes, and return those of the next desk of that home."""
        self._panes.remove(panes)
        await panes.end()
        return await self.panes()

    async def was_closed(self, surface_id: str) -> None:
        """Wait until this pane is the next that is told to have closed."""
        assert await asyncio.wait_for(self.closed.get(), WAIT_S) == surface_id

    def program(self, name: str, body: str) -> Path:
        """Write a program of the shell."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(0o755)
        return path

    async def end(self) -> None:
        for panes in self._panes:
            await panes.end()
        for server in self._servers:
            server.end()


@asynccontextmanager
async def on_stage() -> AsyncGenerator[Stage]:
    folder = tempfile.mkdtemp(prefix="sayso-p-")  # short: a socket's path is
    stage = Stage(folder)
    try:
        yield stage
    finally:
        await stage.end()
        shutil.rmtree(folder, ignore_errors=True)
