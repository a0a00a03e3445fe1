"""The played agent: `python -m sayso.demo.agent`, the process that the demo's desk takes for one.

It starts its hooks as Claude Code would: with the commands that `sayso install` writes, the
payload at their input, its marks in their environment. One order a line comes in at its
input, one report a line goes out; an empty line ends it, and its hook. Should its input end
without one, the demo died, and it ends the desk as well. Imports `scenes` and the standard
library.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

from sayso.demo import scenes

Json = dict[str, Any]
_CHUNK = 65536


class Agent:
    """`hooks`: the settings' commands by event. `desk_pid`: whom to end when nobody is left."""

    def __init__(self, hooks: dict[str, list[str]], desk_pid: int) -> None:
        self._hooks = hooks
        self._desk_pid = desk_pid

    def turn(self, name: str, prompt: str) -> Json:
        """Play a turn: a prompt, an ask, and what comes of the answer."""
        self._hook(scenes.prompted(prompt))
        asked = scenes.payload(name)
        output = self._hook(asked)
        reaction = scenes.react(asked, output)
        for event in reaction.events:
            self._hook(event)
        return {"output": output.decode("utf-8", "replace"), "words": reaction.words}

    def _hook(self, payload: Json) -> bytes:
        """Run an event's hook; return what it wrote."""
        hook = subprocess.Popen(
            self._hooks[payload["hook_event_name"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=_environment(payload["session_id"]),
        )
        assert hook.stdin is not None
        assert hook.stdout is not None
        with suppress(BrokenPipeError):  # with nothing pending, some end before they read
            hook.stdin.write(json.dumps(payload).encode())
        hook.stdin.close()
        output = b""
        while True:
            ready, _, _ = select.select([hook.stdout, 0], [], [])
            if 0 in ready:  # no order comes in the middle of a turn: it is the end
                hook.terminate()
                hook.wait()
                self.end(os.read(0, _CHUNK))
            data = os.read(hook.stdout.fileno(), _CHUNK)
            if not data:
                hook.wait()
                return output
            output += data

    def end(self, farewell: bytes) -> None:
        """End; and the desk with us, if nobody said farewell."""
        if not farewell:
            with suppress(ProcessLookupError):
                os.kill(self._desk_pid, signal.SIGTERM)
        raise SystemExit(0)


def _environment(session_id: str) -> dict[str, str]:
    """Return what a hook of Claude Code finds; the demo may itself run under an agent."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "LC_ALL") if name in os.environ}
    marks = {
        "CLAUDECODE": "1",
        "CLAUDE_PID": str(os.getpid()),
        "CLAUDE_CODE_SESSION_ID": session_id,
        "CLAUDE_CODE_SESSION_ATTENDED": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
    }
    return {**kept, **marks}


def main() -> None:
    """Obey orders until they end."""
    first = sys.stdin.readline()
    if not first:
        return
    agent = Agent(**json.loads(first))
    while order := (line := sys.stdin.readline()).strip():
        report = agent.turn(**json.loads(order))
        print(json.dumps(report), flush=True)
    agent.end(line.encode())


if __name__ == "__main__":
    main()
