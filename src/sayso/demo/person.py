"""Who answers in the demo: a person at the interactive screen, or nobody, and then we play them.

Either way the answer goes the way of any other: `sayso watch`, or `sayso allow ID` and its
like, each in a process of its own. Imports `scenes`, `stage`, `client` and `channels`.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from typing import Protocol

from sayso.channels.base import Line, lined
from sayso.channels.output import INTERRUPTED, Output
from sayso.demo.scenes import ID, Scene
from sayso.demo.stage import Broken, Stage

PATIENCE_S = 600.0
"""How long nobody need answer before the demo ends by itself."""
LINGER_S = 4.0
"""How long the screen stays after the last answer, for what became of it to be read."""
ASK_S = 15.0
"""How long an ask may take to reach the desk."""
_LOOK_S = 0.1
_SAYSO = (sys.executable, "-P", "-m", "sayso")


class Absent(Exception):
    """Nobody answers any more; says why and how to go on."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class Person(Protocol):
    """Called in this order: come, then scene, answer and tell for each, then leave."""

    def come(self) -> None: ...

    def scene(self, title: str) -> None: ...

    def answer(self, scene: Scene) -> None:
        """Return once the agent has its answer, and reports. Raises Absent."""
        ...

    def tell(self, lines: list[Line]) -> None:
        """Take what the agent reports."""
        ...

    def leave(self) -> None: ...


class CommandLine:
    """Plays the person, in commands."""

    def __init__(self, stage: Stage, out: Output) -> None:
        self._stage = stage
        self._out = out

    def come(self) -> None:
        words = "This is no terminal, so the person is played as well, on the command line."
        self._out.lines(lined(words, self._out.columns))

    def scene(self, title: str) -> None:
        self._out.say("")
        self._out.lines(lined(f"── {title}", self._out.columns, style="strong"))

    def answer(self, scene: Scene) -> None:
        request_id = self._pending()
        for words in scene.answers:
            self._type([request_id[:8] if word == ID else word for word in words])

    def _pending(self) -> str:
        """Return the id of what waits, once something does."""
        until_s = time.monotonic() + ASK_S
        with self._stage.connect() as desk:
            desk.subscribe()
            while (change := desk.next_change(max(0.0, until_s - time.monotonic()))) is not None:
                for request in (*change.get("snapshot", {}).get("requests", ()), change.get("request", {})):
                    if request.get("state") == "pending":
                        return str(request["id"])
        raise Broken(f"what the agent asked did not reach the desk within {ASK_S:.0f} s")

    def _type(self, words: list[str]) -> None:
        shown = " ".join(f'"{word}"' if " " in word else word for word in words)
        self._out.lines([Line(""), *lined(f"$ sayso {shown}", self._out.columns, style="strong")])
        sys.stdout.flush()
        done = subprocess.run([*_SAYSO, *words], env=self._stage.env, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise Broken(f"`sayso {shown}` ended with {done.returncode}")

    def tell(self, lines: list[Line]) -> None:
        self._out.lines([Line(""), *lines])

    def leave(self) -> None:
        self._out.say("")


class Screen:
    """A person at `sayso watch`. What the agent reports is kept until the screen is closed."""

    def __init__(self, stage: Stage, out: Output) -> None:
        self._stage = stage
        self._out = out
        self._pid = 0
        self._code = 0
        self._told: list[Line] = []

    def come(self) -> None:
        words = (
            "In a moment the agent asks four times, on the screen of `sayso watch`. Answer as you "
            "like: the keys stand at the bottom, ? shows all of them, q leaves."
        )
        self._out.lines([*lined(words, self._out.columns), Line("")])
        self._out.say("Press Enter to begin.", "strong")
        sys.stdout.flush()
        ready, _, _ = select.select([sys.stdin], [], [], PATIENCE_S)
        if not ready or not sys.stdin.readline():
            raise _nobody()
        self._pid = os.posix_spawn(_SAYSO[0], [*_SAYSO, "watch"], self._stage.env)

    def scene(self, title: str) -> None:
        self._told += [Line(""), *lined(f"── {title}", self._out.columns, style="strong")]

    def answer(self, scene: Scene) -> None:  # noqa: ARG002 - a person decides for themselves
        self._wait(PATIENCE_S)
        if not self._reports(0):
            raise _nobody()

    def _reports(self, timeout_s: float) -> bool:
        return bool(select.select([self._stage.report], [], [], timeout_s)[0])

    def _wait(self, most_s: float, for_report: bool = True) -> None:
        """Wait for a report of the agent, or for some time. Raises Absent when the person leaves."""
        until_s = time.monotonic() + most_s
        while (left_s := until_s - time.monotonic()) > 0:
            self._look_after()
            if not self._pid:
                raise _left(self._code)
            if for_report and self._reports(min(left_s, _LOOK_S)):
                return
            if not for_report:
                time.sleep(min(left_s, _LOOK_S))

    def _look_after(self) -> None:
        """See whether the screen ended, or was stopped as Ctrl-Z does: then so are we."""
        pid, status = os.waitpid(self._pid, os.WNOHANG | os.WUNTRACED)
        if not pid:
            return
        if os.WIFSTOPPED(status):
            os.kill(os.getpid(), signal.SIGSTOP)
            os.kill(self._pid, signal.SIGCONT)
        else:
            self._pid, self._code = 0, os.waitstatus_to_exitcode(status)

    def tell(self, lines: list[Line]) -> None:
        self._told += lines

    def leave(self) -> None:
        """Close the screen, after a while in which the last answer's way can be read."""
        try:
            if self._pid and sys.exc_info()[0] is None:
                self._wait(LINGER_S, for_report=False)
        except Absent:
            pass  # the person was quicker
        finally:
            if self._pid:
                os.kill(self._pid, signal.SIGTERM)
                os.waitpid(self._pid, 0)
                self._pid = 0
            self._out.lines([*self._told, Line("")])


def _nobody() -> Absent:
    minutes = PATIENCE_S / 60
    return Absent(
        f"Nobody answered for {minutes:.0f} minutes, so the demo has ended; nothing is left of it. "
        "`sayso demo` begins it again; `sayso demo </dev/null` plays the person as well.",
        1,
    )


def _left(code: int) -> Absent:
    text = "You left the demo; nothing is left of it. `sayso demo` begins it again."
    return Absent(text, INTERRUPTED if code == INTERRUPTED else 0)
