"""Where the demo is played: a home for the time being, a desk in it, the played agent; and their end.

Whatever happens, no process and no folder stays. Signals are heard only where waiting is
safe, so that none falls between making a thing and noting that it was made. Imports `client`,
`install` and the standard library.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import sayso
from sayso.client.blocking import Desk
from sayso.client.places import places
from sayso.errors import SaysoError, Unavailable
from sayso.install import InstallRefused, claude_code, stable

START_S = 20.0
END_S = 5.0
_LOOK_S = 0.02


class Broken(SaysoError):
    """A part of the demo did not start, or ended; says what it said."""


class Interrupted(BaseException):
    """A signal asked the demo to end. Not an Exception: nothing goes on after it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Signals:
    """A context that keeps signals until they may be heard."""

    def __init__(self) -> None:
        self._hears = False
        self._came = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self._before[number] = signal.signal(number, self._come)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _come(self, number: int, _frame: FrameType | None) -> None:
        self._came = number
        if self._hears:
            self._hears = False  # one is enough: clearing away is not interrupted
            raise Interrupted(number)

    @contextmanager
    def heard(self) -> Generator[None]:
        """Inside it a signal raises Interrupted; so does one that came before."""
        try:
            self._hears = True
            if self._came:
                raise Interrupted(self._came)
            yield
        finally:
            self._hears = False


class Stage:
    """`env` is what a command of sayso needs to speak to this desk. `report` is the agent's end
    of a pipe: a line on it for every turn that it played."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.env = {**os.environ, "SAYSO_HOME": str(home)}
        self.places = places(self.env)
        self.agent: subprocess.Popen[bytes] | None = None

    def connect(self) -> Desk:
        return Desk(str(self.places.socket))

    def order(self, **order: object) -> None:
        """Give the agent an order; its report follows."""
        assert self.agent is not None
        assert self.agent.stdin is not None
        try:
            self.agent.stdin.write(json.dumps(order).encode() + b"\n")
            self.agent.stdin.flush()
        except BrokenPipeError:
            raise Broken("the played agent ended") from None

    @property
    def report(self) -> int:
        assert self.agent is not None
        assert self.agent.stdout is not None
        return self.agent.stdout.fileno()

    def reported(self) -> dict[str, Any]:
        """Return the agent's report; waits for it."""
        assert self.agent is not None
        assert self.agent.stdout is not None
        line = self.agent.stdout.readline()
        if not line:
            raise Broken("the played agent ended")
        report: dict[str, Any] = json.loads(line)
        return report


@contextmanager
def staged(signals: Signals) -> Generator[Stage]:
    """Set everything up; take it all away at the end. Raises Broken."""
    with ExitStack() as undo:
        stage = Stage(Path(tempfile.mkdtemp(prefix="sayso-demo-")).resolve())
        undo.callback(_remove, stage)
        hooks = _hooks(stage)
        stage.agent = _spawn([sys.executable, "-P", "-m", "sayso.demo.agent"], stage, subprocess.PIPE)
        undo.callback(_end_agent, stage.agent)
        pid = str(stage.agent.pid)
        up = [sys.executable, "-P", "-m", "sayso", "up", "--no-http", "--agents-only", pid]
        with (stage.home / "desk.log").open("wb") as log:
            desk = _spawn(up, stage, log.fileno())
        undo.callback(_end, desk)
        with signals.heard():
            _wait_open(stage, desk)
        stage.order(hooks=hooks, desk_pid=desk.pid)
        yield stage


def _hooks(stage: Stage) -> dict[str, list[str]]:
    """Place the hook as `sayso install` does; return the command of each event."""
    try:
        python = stable.interpreter().path
    except InstallRefused:
        python = sys.executable  # it may be gone tomorrow, which is no matter here
    here = stage.places
    package = Path(sayso.__file__).parent
    placed = stable.place(package, here.data, sayso.__version__, python)
    settings = claude_code.hook_settings(python, str(placed.hook), str(here.socket), str(here.flags))
    handlers = {event: groups[0]["hooks"][0] for event, groups in settings.items()}
    return {event: [handler["command"], *handler["args"]] for event, handler in handlers.items()}


def _spawn(command: list[str], stage: Stage, output: int) -> subprocess.Popen[bytes]:
    """Start a process out of reach of the terminal's signals: we end it ourselves."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE if output == subprocess.PIPE else subprocess.DEVNULL,
        stdout=output,
        stderr=None if output == subprocess.PIPE else output,
        env=stage.env,
        cwd="/",
        start_new_session=True,
    )


def _wait_open(stage: Stage, desk: subprocess.Popen[bytes]) -> None:
    until_s = time.monotonic() + START_S
    while True:
        try:
            with stage.connect() as connection:
                connection.call("desk.health", {}, timeout_s=2)
            return
        except Unavailable:
            if desk.poll() is not None or time.monotonic() > until_s:
                said = (stage.home / "desk.log").read_text("utf-8", "replace").strip()
                raise Broken(f"the desk did not start; it says:\n{said}") from None
        time.sleep(_LOOK_S)


# --- the end ---------------------------------------------------------------------------


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    _gone(process)


def _end_agent(agent: subprocess.Popen[bytes]) -> None:
    """End the agent by an empty order."""
    assert agent.stdin is not None
    assert agent.stdout is not None
    with suppress(BrokenPipeError):
        agent.stdin.write(b"\n")
        agent.stdin.close()
    _gone(agent)
    agent.stdout.close()


def _gone(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process's end, and insist; what it started, in its session, goes with it."""
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _remove(stage: Stage) -> None:
    folder = stage.places.socket.parent
    if not folder.is_relative_to(stage.home):  # a path too long for a socket has its folder elsewhere
        shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(stage.home, ignore_errors=True)
