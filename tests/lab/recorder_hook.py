"""A hook that records how it was called, and does what it is told.

    recorder_hook.py LOG.jsonl BEHAVIOUR.json

It appends one JSON object a line to LOG, each with kind, event, hook (the name of
this process among all hooks), pid and at (CLOCK_MONOTONIC, seconds):

    start     with `input` (the payload), `env` (the names, not the values, of its
              environment), `ppid`, `by_agent` (is the parent CLAUDE_PID?)
    signal    with `signal`; it ends then
    orphaned  its parent is gone; it ends then
    hangup    nobody can read its standard output any more; it goes on
    end       with `exit` and `out`

BEHAVIOUR maps "<event>:<tool>" or "<event>" (the first that is there wins) to

    {"hold": true,       wait for the file LOG.answers/<hook>.json, at most 120 s; it
                         holds more members of this object
     "sleep": seconds,   then sleep
     "out": JSON,        then print this JSON value…
     "raw": text,        …or this text
     "err": text,        and this to standard error
     "exit": code}       and exit with this code (default 0)

The file is read when the hook starts; where it has no entry the hook says nothing.
Not the product's hook. May import the standard library only, for it runs without
the project's environment.
"""

# pathlib would add to the start of every hook.
# ruff: noqa: PTH110, PTH123

from __future__ import annotations

import time

STARTED_AT = time.monotonic()  # before the imports below, which take a while

import json  # noqa: E402
import os  # noqa: E402
import select  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402

TYPE_CHECKING = False  # typing itself would double the time to start
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

LONGEST_HOLD_S = 120.0
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE)


class Recorder:
    def __init__(self, log: str, behaviour: str) -> None:
        self.log = log
        self.parent = os.getppid()
        self.hook = f"{os.getpid()}-{STARTED_AT:.6f}"
        self.hung_up = False
        self.input: dict[str, Any] = json.load(sys.stdin)
        event, tool = self.input.get("hook_event_name"), self.input.get("tool_name")
        with open(behaviour) as file:
            known: dict[str, Any] = json.load(file)
        self.todo: dict[str, Any] = known.get(f"{event}:{tool}") or known.get(str(event)) or {}

    def write(self, kind: str, at: float | None = None, **more: object) -> None:
        """Append one record, in one write: several hooks may run at once."""
        record = {
            "kind": kind,
            "event": self.input.get("hook_event_name"),
            "hook": self.hook,
            "pid": os.getpid(),
            "at": time.monotonic() if at is None else at,
            **more,
        }
        log = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(log, json.dumps(record).encode() + b"\n")
        os.close(log)

    def on_signal(self, number: int, _frame: FrameType | None) -> None:
        self.write("signal", signal=signal.Signals(number).name)
        os._exit(128 + number)

    def watch(self) -> None:
        """Wait a moment; notice that the agent has gone."""
        gone = select.POLLHUP | select.POLLERR
        poll = select.poll()
        if not self.hung_up:
            poll.register(1, 0)
        if poll.poll(10) and not self.hung_up:
            self.hung_up = True
            self.write("hangup", revents=[e for _, e in poll.poll(0) if e & gone])
        if (parent := os.getppid()) != self.parent:
            self.write("orphaned", ppid=parent)
            os._exit(1)

    def hold(self) -> None:
        """Wait for the answer of whoever drives the test."""
        answer = f"{self.log}.answers/{self.hook}.json"
        end = time.monotonic() + LONGEST_HOLD_S
        while not os.path.exists(answer) and time.monotonic() < end:
            self.watch()
        if os.path.exists(answer):
            with open(answer) as file:
                self.todo |= json.load(file)

    def run(self) -> int:
        for number in SIGNALS:
            signal.signal(number, self.on_signal)
        by_agent = str(self.parent) == os.environ.get("CLAUDE_PID")
        names = sorted(os.environ)
        self.write("start", STARTED_AT, input=self.input, env=names, ppid=self.parent, by_agent=by_agent)
        if self.todo.get("hold"):
            self.hold()
        end = time.monotonic() + self.todo.get("sleep", 0)
        while time.monotonic() < end:
            self.watch()
        out = json.dumps(self.todo["out"]) if "out" in self.todo else self.todo.get("raw", "")
        code: int = self.todo.get("exit", 0)
        self.write("end", exit=code, out=self.todo.get("out", out or None))
        print(out, end="", flush=True)
        print(self.todo.get("err", ""), end="", file=sys.stderr, flush=True)
        return code


if __name__ == "__main__":
    sys.exit(Recorder(sys.argv[1], sys.argv[2]).run())
