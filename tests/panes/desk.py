"""A private desk of its own process whose panes are real, and a person's terminal before its tmux.

Not here: what a test does in them.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from fcntl import ioctl
from struct import pack
from termios import TIOCSWINSZ
from typing import Any

from tests.desks import Home, Watcher
from tests.panes.stage import WAIT_S, Server

NOBODY = str(2**22 + 1)
"""A pid that no process has: all that run here are people's."""
ASKS = [sys.executable, "-m", "sayso", "ask", "yesno", "--title", "May I go on?"]
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|.)")


class Panes:
    """A desk's panes, the way a person uses them: by the command line."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.watcher = Watcher(home)
        self.tmux = Server(home.places.socket.with_name("tmux.sock"))

    def run(self, *words: str, code: int = 0) -> str:
        done = self.home.sayso("panes", *words)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def ids(self) -> list[str]:
        return self.run("list").split() if self.run("count") != "0\n" else []

    def programs(self, *command: str) -> None:
        """Choose what panes run from now on."""
        done = self.home.sayso("settings", "pane_program", shlex.join(command))
        assert done.returncode == 0, done.stderr

    def asked(self, surface_id: str) -> dict[str, Any]:
        """Return what is asked inside of a pane, once it is pending."""
        return self.watcher.until(lambda r: r["surface_id"] == surface_id and r["state"] == "pending")

    def watch_again(self) -> None:
        """Connect to the desk that runs now."""
        self.close()
        self.watcher = Watcher(self.home)

    def close(self) -> None:
        self.watcher.__exit__(None, None, None)


@contextmanager
def panes(*options: str, **environment: str) -> Iterator[Panes]:
    """Run a desk for as long as the block."""
    with Home() as home:
        home.env |= environment
        tmux = Server(home.places.socket.with_name("tmux.sock"))
        try:
            home.up(*(options or ("--agents-only", NOBODY)))
            with closing(Panes(home)) as made:
                yield made
        finally:
            tmux.end()


class Client:
    """A person attached to a tmux server, in a terminal of 100 columns and 30 lines."""

    def __init__(self, tmux: Server) -> None:
        self._master, slave = pty.openpty()
        ioctl(self._master, TIOCSWINSZ, pack("HHHH", 30, 100, 0, 0))
        self._process = subprocess.Popen(
            ["tmux", "-S", str(tmux.socket), "-u", "attach", "-t", "sayso"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(slave)
        self._shown = ""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(WAIT_S)
        os.close(self._master)

    def press(self, keys: str) -> None:
        self._shown = ""
        os.write(self._master, keys.encode())

    def shows(self, text: str) -> None:
        """Wait until this was written to the terminal since the last key."""
        end_s = time.monotonic() + WAIT_S
        while text not in self._shown:
            assert time.monotonic() < end_s, f"{text!r} never came:\n{self._shown}"
            if select.select([self._master], [], [], 0.05)[0]:
                said = os.read(self._master, 1 << 16).decode("utf-8", "replace")
                self._shown += _ESCAPES.sub("", said)
