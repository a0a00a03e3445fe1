"""A desk that a test plays itself, line by line, and `sayso ask` before it as a process.

Not here: what a desk decides. The test is the desk: it accepts, reads, answers and hangs up.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

WAIT_S = 10.0
SAYSO = [sys.executable, "-m", "sayso"]


class Peer:
    """One connection to the desk, and the call that came over it."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._connection.settimeout(WAIT_S)
        self._file = connection.makefile("rb")
        self.call: dict[str, Any] = self.next_call()

    @property
    def params(self) -> dict[str, Any]:
        return self.call["params"]

    def next_call(self) -> dict[str, Any]:
        line = self._file.readline()
        assert line.endswith(b"\n"), "it hung up"
        self.line = line
        self.call = json.loads(line)
        return self.call

    def say(self, **message: Any) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)

    def pend(self) -> Self:
        self.say(method="agent.pending", params={"id": self.params["id"]})
        return self

    def end(self, action: str, **more: Any) -> None:
        """Answer an ask."""
        result = {"request_id": self.params["id"], "action": action, **more}
        self.say(jsonrpc="2.0", id=self.call["id"], result=result)

    def give(self, result: Any) -> None:
        """Answer any call."""
        self.say(jsonrpc="2.0", id=self.call["id"], result=result)

    def refuse(self, text: str, code: str, **data: Any) -> None:
        error = {"code": -32000, "message": text, "data": {"code": code, **data}}
        self.say(jsonrpc="2.0", id=self.call["id"], error=error)

    def is_gone(self) -> bool:
        """Wait for the other side to hang up, whatever it says before; return True."""
        try:
            self._file.read()
        except ConnectionResetError:  # it had not read all that it was told
            return True
        return True

    def hang_up(self) -> None:
        self._file.close()
        self._connection.close()


class PlayedDesk:
    """A private home whose desk is the test."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="sayso-a-")).resolve()
        (self.home / "run").mkdir(mode=0o700)
        self.path = str(self.home / "run" / "desk.sock")
        self.env = {**os.environ, "SAYSO_HOME": str(self.home)}
        self._listener: socket.socket | None = None
        self._peers: list[Peer] = []
        self._asking: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for asking in self._asking:
            if asking.poll() is None:
                asking.kill()
            asking.communicate(timeout=WAIT_S)
        self.close()
        shutil.rmtree(self.home)

    def open(self) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(8)
        self._listener.settimeout(WAIT_S)

    def close(self) -> None:
        """Hang up on everybody, as a crash does."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
            Path(self.path).unlink()
        while self._peers:
            self._peers.pop().hang_up()

    def fileno(self) -> int:
        """Readable when somebody connects."""
        assert self._listener is not None
        return self._listener.fileno()

    def accept(self) -> Peer:
        """Return the next connection, with its first call."""
        assert self._listener is not None
        connection, _ = self._listener.accept()
        peer = Peer(connection)
        self._peers.append(peer)
        return peer

    def ask(self, *words: str, **options: Any) -> subprocess.Popen[bytes]:
        """Start `sayso ask`."""
        given: dict[str, Any] = {
            "env": self.env,
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            **options,
        }
        command = [*SAYSO, "ask", *words]
        asking = subprocess.Popen[bytes](command, stderr=subprocess.PIPE, **given)
        self._asking.append(asking)
        return asking

    def asked(self, *words: str, **options: Any) -> tuple[subprocess.Popen[bytes], Peer]:
        """Start `sayso ask`, and take its question in."""
        asking = self.ask(*words, **options)
        return asking, self.accept().pend()


def ended(asking: subprocess.Popen[bytes], stdin: bytes | None = None) -> tuple[int, bytes, str]:
    """Return the exit code, standard output and standard error."""
    output, errors = asking.communicate(stdin, timeout=WAIT_S)
    return asking.returncode, output, errors.decode()
