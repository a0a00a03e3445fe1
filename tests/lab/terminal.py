"""A program in a terminal of its own: typed at, looked at, and ended for sure.

Each Terminal has a private tmux server that holds nothing else. Only processes
started here are ended, each by its own handle. Needs Linux (pidfd) and tmux.
May import the standard library only.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

POLL_S = 0.03
SETTLE_S = 0.5


def end_process(handle: int, first: signal.Signals = signal.SIGTERM, grace_s: float = 3) -> None:
    """End the process of a pidfd (ask, wait, kill) and close the pidfd. Gone is fine."""
    for number in (first, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, number)
        if select.select([handle], [], [], grace_s)[0]:
            break
    os.close(handle)


class Terminal:
    """A program in a terminal, ready once a pattern shows on its screen.

    Args:
        size: columns and lines; a smaller screen wraps what wait_for looks for.

    Raises:
        TimeoutError: with the screen, when the program was not ready in time.
    """

    def __init__(
        self,
        argv: Sequence[str],
        cwd: Path,
        env: Mapping[str, str],
        ready: re.Pattern[str],
        size: tuple[int, int] = (150, 50),
    ) -> None:
        self._folder = tempfile.mkdtemp(prefix="sayso-tmux-")  # for tmux's socket
        self._env = {**env, "TMUX_TMPDIR": self._folder}
        self._handles: list[int] = []  # of the program and the tmux server
        # The program gets the environment of this client, and TMUX and TMUX_PANE.
        start = ["new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "-c", str(cwd)]
        start += ["env", "-u", "TMUX_TMPDIR", f"TERM={env['TERM']}", *argv]
        try:
            self._tmux(*start, ";", "set-option", "-g", "remain-on-exit", "on")
            pids = self._tmux("display-message", "-p", "#{pane_pid} #{pid}").split()
            self._handles += [os.pidfd_open(int(pid)) for pid in pids]
            self.pid = int(pids[0])
            self.wait_for(ready)
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _tmux(self, *args: str) -> str:
        command = ["tmux", "-L", "lab", "-f", "/dev/null", "-u", *args]
        return subprocess.run(
            command, env=self._env, check=True, stdout=subprocess.PIPE, text=True, timeout=10
        ).stdout

    def screen(self) -> str:
        """Return what the terminal shows, without its blank lines."""
        lines = self._tmux("capture-pane", "-p").splitlines()
        return "\n".join(line.rstrip() for line in lines if line.strip())

    def keys(self, *names: str, settle_s: float = SETTLE_S) -> None:
        """Press keys, by tmux's names for them: "2", "Down", "Enter", "Escape", "BTab", "C-c".

        A dialog ignores what is pressed just as it appears, and an Enter right after
        text counts as part of a paste: nothing on the screen tells when that is over,
        so this waits for a while first.
        """
        time.sleep(settle_s)
        self._tmux("send-keys", *names)

    def type(self, text: str) -> None:
        """Type text, without submitting it."""
        time.sleep(SETTLE_S)
        self._tmux("send-keys", "-l", text)

    def say(self, text: str) -> None:
        """Type a line and submit it."""
        self.type(text)
        self.wait_for(text[:20], timeout_s=5)
        self.keys("Enter")

    def wait_for(self, what: str | re.Pattern[str], timeout_s: float = 20, *, gone: bool = False) -> str:
        """Wait until the screen shows a text, or no longer does, and return the screen.

        Raises:
            TimeoutError: with the screen as it was in the end.
        """
        pattern = re.compile(re.escape(what)) if isinstance(what, str) else what
        end = time.monotonic() + timeout_s
        while bool(pattern.search(screen := self.screen())) == gone:
            if time.monotonic() > end:
                state = "still there" if gone else "not there"
                raise TimeoutError(f"{what!r} {state} after {timeout_s} s; the screen:\n{screen}")
            time.sleep(POLL_S)
        return screen

    def wait_ended(self, timeout_s: float = 10) -> None:
        """Wait until the program has ended by itself."""
        if not select.select([self._handles[0]], [], [], timeout_s)[0]:
            raise TimeoutError(f"still running after {timeout_s} s; the screen:\n{self.screen()}")

    def kill(self) -> None:
        """End the program without a warning (SIGKILL); the terminal stays."""
        signal.pidfd_send_signal(self._handles[0], signal.SIGKILL)
        self.wait_ended()

    def stop(self) -> None:
        """End the program, as closing its terminal does, and then the tmux server."""
        for handle, first in zip(self._handles, (signal.SIGHUP, signal.SIGTERM), strict=False):
            end_process(handle, first)
        self._handles.clear()
        shutil.rmtree(self._folder, ignore_errors=True)
