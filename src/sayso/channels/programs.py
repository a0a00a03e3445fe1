"""Programs that a channel starts beside the desk: bounded in time, never waited for by it.

Each is started and watched by a thread of its own, so that a file system or a program that
hangs costs its notice and not the desk its life. What went wrong comes back in words, without
what the program wrote: it may quote a request. Imports the standard library.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

_REAP_S = 1.0
MOST_CHARS = 64 * 1024
"""More of an output is not looked at."""


class Program(NamedTuple):
    """What to run. `env` is the whole environment."""

    argv: Sequence[str]
    env: Mapping[str, str]
    patience_s: float
    stdin: str = ""
    listens: bool = False
    """Whether its outputs are wanted; else they go nowhere."""


class Done(NamedTuple):
    """What became of a program: `trouble` in words, "" if it ended well; its outputs."""

    trouble: str = ""
    missing: bool = False
    output: str = ""
    errors: str = ""


class _Job:
    """One run of a program, in its own thread and process group."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def run(self) -> Done:
        """Run it to its end. Raises nothing."""
        try:
            process = self._start()
        except FileNotFoundError:
            return Done("it is not there", missing=True)
        except (OSError, ValueError) as error:
            return Done(f"it cannot be started ({getattr(error, 'strerror', None) or 'no such name'})")
        return Done("the desk ended first") if process is None else self._attend(process)

    def _start(self) -> subprocess.Popen[str] | None:
        program = self._program
        outputs = subprocess.PIPE if program.listens else subprocess.DEVNULL
        with self._lock:
            if self._stopped:
                return None
        process = subprocess.Popen(
            list(program.argv),
            env=dict(program.env),
            stdin=subprocess.PIPE,
            stdout=outputs,
            stderr=outputs,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd="/",
            start_new_session=True,
        )
        with self._lock:
            self._process = process
            stopped = self._stopped
        if stopped:
            self.stop()
        return process

    def _attend(self, process: subprocess.Popen[str]) -> Done:
        try:
            output, errors = process.communicate(self._program.stdin, self._program.patience_s)
        except subprocess.TimeoutExpired:
            self.stop()
            with suppress(subprocess.TimeoutExpired):  # it is not waited for that nothing can end
                process.communicate(timeout=_REAP_S)
            return Done(f"it took longer than {self._program.patience_s:g} s and was ended")
        code = process.returncode
        trouble = "" if code == 0 else f"it ended with {code}" if code > 0 else f"signal {-code} ended it"
        return Done(trouble, output=(output or "")[:MOST_CHARS], errors=(errors or "")[:MOST_CHARS])

    def stop(self) -> None:
        """End it, and what it started in its group."""
        with self._lock:
            self._stopped = True
            process = self._process
        if process is not None and process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


async def run(program: Program) -> Done:
    """Run a program; cancelled, it is ended. Raises nothing of its own."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Done] = loop.create_future()
    job = _Job(program)

    def settle(done: Done) -> None:
        if not ended.done():
            ended.set_result(done)

    def attend() -> None:
        done = job.run()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, done)

    threading.Thread(target=attend, name="program", daemon=True).start()
    try:
        return await ended
    finally:
        job.stop()
