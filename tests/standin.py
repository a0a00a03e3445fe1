"""A stand-in for an agent: a small process that starts hooks the way Claude Code does.

Run as a program it is the agent: it starts what it is told to, each in a session of its own, and tells
when it ended. `StandIn` is the test's side of it. The hooks' descriptors are made by the test and handed
over, so that a test can read slowly, hang up, or leave the input open. Not here: payloads, desks.
"""

from __future__ import annotations

import array
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[1]
WAIT_S = 20.0
_MESSAGE = 1 << 20
_FD = array.array("i").itemsize


# --- the agent ---------------------------------------------------------------------------


def serve(link: socket.socket) -> None:
    """Start what the test asks for, until the test hangs up."""
    lock = threading.Lock()

    def tell(**words: Any) -> None:
        with lock:
            link.send(json.dumps(words).encode())

    def wait(number: int, process: subprocess.Popen[bytes]) -> None:
        tell(number=number, code=process.wait())

    while True:
        data, ancillary, _, _ = link.recvmsg(_MESSAGE, socket.CMSG_LEN(3 * _FD))
        if not data:
            return
        order = json.loads(data)
        descriptors = array.array("i", ancillary[0][2])
        process = subprocess.Popen(
            order["argv"],
            env=order["env"],
            stdin=descriptors[0],
            stdout=descriptors[1],
            stderr=descriptors[2],
            start_new_session=True,
            cwd="/",
        )
        for descriptor in descriptors:
            os.close(descriptor)
        tell(number=order["number"], pid=process.pid)
        threading.Thread(target=wait, args=(order["number"], process), daemon=True).start()


# --- the test's side -----------------------------------------------------------------------


class Hook:
    """A process that the stand-in started, with the other ends of its input and outputs."""

    def __init__(self, agent: StandIn, number: int, ends: tuple[socket.socket, ...]) -> None:
        self.stdin, self.stdout, self.stderr = ends
        self.number = number
        self.pid = 0
        self._agent = agent

    def write(self, data: bytes) -> None:
        """Write the whole input and end it."""
        self.stdin.settimeout(WAIT_S)
        with suppress(BrokenPipeError, ConnectionResetError):  # it did not care for all of it
            self.stdin.sendall(data)
        self.stdin.close()

    def read(self) -> bytes:
        """Return all of the standard output, to its end."""
        return _read(self.stdout)

    def code(self) -> int:
        """Return the exit code, negative for a signal; waits for the end."""
        return self._agent.code_of(self.number)

    def result(self) -> tuple[int, bytes, bytes]:
        """Return (exit code, output, errors); waits for the end."""
        output, errors = self.read(), _read(self.stderr)
        return self.code(), output, errors

    def is_running(self) -> bool:
        return self._agent.is_running(self.number)

    def terminate(self) -> None:
        os.kill(self.pid, 15)

    def hang_up(self) -> None:
        """Close the reading side of its output."""
        self.stdout.close()

    def close(self) -> None:
        for end in (self.stdin, self.stdout, self.stderr):
            end.close()


def _read(end: socket.socket) -> bytes:
    end.settimeout(WAIT_S)
    chunks: list[bytes] = []
    while chunk := end.recv(1 << 16):
        chunks.append(chunk)
    return b"".join(chunks)


class StandIn:
    """A running stand-in agent. `handlers` are the hooks of `sayso install … --print`, by event."""

    def __init__(self, handlers: dict[str, Any] | None = None) -> None:
        self.handlers = handlers or {}
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={"PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        self.pid = self._process.pid
        self._numbers = 0
        self._codes: dict[int, int] = {}
        self._pids: dict[int, int] = {}
        self._hooks: list[Hook] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the agent, and whatever it started that still runs."""
        left = [
            hook for hook in self._hooks if hook.pid and self._process.poll() is None and hook.is_running()
        ]
        for hook in left:
            with suppress(ProcessLookupError):  # it has ended since, and its end is on its way here
                os.kill(hook.pid, 9)
        for hook in left:
            hook.code()
        self.kill()
        for hook in self._hooks:
            hook.close()
        self._link.close()

    def kill(self) -> None:
        """End the agent as a crash would."""
        self._process.kill()
        self._process.wait(WAIT_S)

    # --- starting ----------------------------------------------------------------------

    def env(self, session_id: str = "", **more: str) -> dict[str, str]:
        """Return the environment that the agent gives its hooks."""
        return {
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "CLAUDECODE": "1",
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
            "CLAUDE_CODE_SESSION_ID": session_id,
            "CLAUDE_PID": str(self.pid),
            **more,
        }

    def hook(self, payload: dict[str, Any], **env: str) -> Hook:
        """Start the hook of a payload's event, and give it the payload."""
        hook = self.start(self.command(payload["hook_event_name"]), self.env(payload["session_id"], **env))
        hook.write(json.dumps(payload).encode())
        return hook

    def raw(self, event: str, data: bytes) -> Hook:
        """Start the hook of an event with any input."""
        hook = self.start(self.command(event), self.env("any"))
        hook.write(data)
        return hook

    def command(self, event: str) -> list[str]:
        handler = self.handlers[event][0]["hooks"][0]
        return [handler["command"], *handler["args"]]

    def start(
        self, argv: list[str], env: dict[str, str] | None = None, small: bool = False, stdout: int = -1
    ) -> Hook:
        """Start a program.

        `small`: its output is buffered as little as the kernel allows. `stdout`: a descriptor for
        it, instead of a socket.
        """
        made = [socket.socketpair() for _ in range(3)]
        if small:
            made[1][1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        self._numbers += 1
        hook = Hook(self, self._numbers, tuple(pair[0] for pair in made))
        order = {"number": hook.number, "argv": argv, "env": self.env() if env is None else env}
        descriptors = array.array("i", [pair[1].fileno() for pair in made])
        if stdout >= 0:
            descriptors[1] = stdout
        self._link.sendmsg(
            [json.dumps(order).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors.tobytes())]
        )
        for _, theirs in made:
            theirs.close()
        self._hooks.append(hook)
        while hook.number not in self._pids:
            self._hear(time.monotonic() + WAIT_S)
        hook.pid = self._pids[hook.number]
        return hook

    # --- hearing -----------------------------------------------------------------------

    def code_of(self, number: int) -> int:
        until_s = time.monotonic() + WAIT_S
        while number not in self._codes:
            self._hear(until_s)
        return self._codes[number]

    def is_running(self, number: int) -> bool:
        while select.select([self._link], [], [], 0)[0]:
            self._hear(time.monotonic() + WAIT_S)
        return number not in self._codes

    def _hear(self, until_s: float) -> None:
        self._link.settimeout(max(0.001, until_s - time.monotonic()))
        data = self._link.recv(_MESSAGE)
        if not data:
            raise EOFError("the stand-in has ended")
        said = json.loads(data)
        if "pid" in said:
            self._pids[said["number"]] = said["pid"]
        else:
            self._codes[said["number"]] = said["code"]


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
