"""Starts processes and takes their time: the process that the measured desk takes for the agent.

Small on purpose, and apart from everything that measures: `posix_spawn` from here costs what
it costs an agent, and nothing else runs here meanwhile. One order a line, one report a line.
Imports the standard library.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

Command = dict[str, Any]
"""argv, env, and the paths of standard input and output."""


def start(command: Command) -> tuple[int, float]:
    """Start a command; return its pid and the instant before."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, command["stdin"], os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, command["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    argv, env = command["argv"], {**command["env"], "CLAUDE_PID": str(os.getpid())}
    begun_s = time.monotonic()
    return os.posix_spawn(argv[0], argv, env, file_actions=actions), begun_s


def end(pid: int) -> tuple[float, int]:
    """Wait for a process; return the instant its end was seen, and its exit code."""
    _, status = os.waitpid(pid, 0)
    return time.monotonic(), os.waitstatus_to_exitcode(status)


def timed(commands: list[Command], times: int) -> list[list[float]]:
    """Run commands in turns; return how long each took each time."""
    took: list[list[float]] = [[] for _ in commands]
    for turn in range(times + 1):
        for index, command in enumerate(commands):
            pid, begun_s = start(command)
            ended_s, code = end(pid)
            if code:
                raise SystemExit(f"{command['argv']} ended with {code}")
            if turn:  # the first turn only warms the caches
                took[index].append(ended_s - begun_s)
    return took


def main() -> None:
    """Obey until the orders end."""
    pid = 0
    for line in sys.stdin:
        match json.loads(line):
            case {"time": commands, "times": times}:
                report: Any = timed(commands, times)
            case {"start": command}:
                pid, report = start(command)
            case {"end": _}:
                report = end(pid)
            case order:
                raise SystemExit(f"what is {order}?")
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
