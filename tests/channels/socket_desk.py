"""The scripted desk behind a real socket, and `sayso` in a pseudo-terminal before it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ, tcgetattr
from typing import Any

from sayso.errors import SaysoError
from sayso.wire.views import RequestView
from tests.channels.fake_desk import FakeDesk

WAIT_S = 10.0
RUN = (
    "import argparse, sys\n"
    "from sayso.channels.cli import add_commands\n"
    "from sayso.client.blocking import Desk\n"
    "parser = argparse.ArgumentParser(prog='sayso')\n"
    "add_commands(parser.add_subparsers(required=True))\n"
    "args = parser.parse_args(sys.argv[2:])\n"
    "args.connect = lambda: Desk(sys.argv[1])\n"
    "sys.exit(args.run(args))\n"
)


def until(true: Callable[[], bool], about: str) -> None:
    """Wait for something that another thread or process brings about."""
    end_s = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < end_s, about
        time.sleep(0.01)


class SocketDesk(FakeDesk):
    """Serves every connection from one thread each; changes go to all that subscribed."""

    def __init__(self, path: Path, *views: RequestView) -> None:
        super().__init__(*views)
        self.path = path
        self.boot = "b1"
        self._lock = threading.RLock()
        self._connections: list[socket.socket] = []
        self._subscribed: list[socket.socket] = []
        self.start()

    def start(self) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def stop(self) -> None:
        """End every connection without a word, as a crash does."""
        self._listener.close()
        self.path.unlink()
        with self._lock:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()
            self._connections.clear()
            self._subscribed.clear()

    def told(self, method: str) -> list[dict[str, Any]]:
        with self._lock:
            return [params for name, params in self.calls if name == method]

    def happen(self, what: Callable[[], None]) -> None:
        """Let something happen, and tell it."""
        with self._lock:
            what()
            self._push()

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "boot": self.boot}

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                self._connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), connection.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                with self._lock:
                    self._send(connection, self._result(connection, message))
                    self._push()

    def _result(self, connection: socket.socket, message: dict[str, Any]) -> dict[str, Any]:
        try:
            if message["method"] == "desk.subscribe":
                self.changes.append(
                    {"type": "snapshot", "boot": self.boot, "seq": 1, "snapshot": self.snapshot()}
                )
                self._subscribed.append(connection)
                result: Any = {}
            else:
                result = self.call(message["method"], message["params"])
        except SaysoError as error:
            data = {"code": error.code, **error.data}
            return {"id": message["id"], "error": {"code": error.rpc, "message": error.text, "data": data}}
        return {"id": message["id"], "result": result}

    def _presence(self, params: dict[str, Any]) -> Any:
        return {}

    def _push(self) -> None:
        while self.changes:
            change = self.changes.popleft()
            for connection in self._subscribed:
                with contextlib.suppress(OSError):
                    self._send(connection, {"method": "desk.change", "params": change})

    def _send(self, connection: socket.socket, message: dict[str, Any]) -> None:
        connection.sendall(json.dumps(message).encode() + b"\n")


class Pty:
    """A command in a terminal of its own; `rows` is what stands on its screen."""

    def __init__(self, desk: SocketDesk, *words: str, size: tuple[int, int] = (80, 24)) -> None:
        self._master, self.slave = pty.openpty()
        self.resize(*size)
        self.before = self.modes()
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(desk.path), *words],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""},
        )
        self.raw = ""
        self.rows: dict[int, str] = {}

    def __enter__(self) -> Pty:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(WAIT_S)
        os.close(self._master)
        os.close(self.slave)

    def modes(self) -> list[Any]:
        return tcgetattr(self.slave)

    def resize(self, columns: int, rows: int) -> None:
        ioctl(self._master, TIOCSWINSZ, pack("HHHH", rows, columns, 0, 0))

    def type(self, data: str) -> None:
        os.write(self._master, data.encode())

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def read(self, timeout_s: float = 0.05) -> None:
        """Take in what was written since."""
        while select.select([self._master], [], [], timeout_s)[0]:
            timeout_s = 0
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            text = data.decode("utf-8", "replace")
            self.raw += text
            for row, content in re.findall(r"\x1b\[(\d+);1H(.*?)\x1b\[K", text, re.DOTALL):
                self.rows[int(row)] = re.sub(r"\x1b\[[0-9;]*m", "", content)

    @property
    def screen(self) -> str:
        return "\n".join(self.rows[row] for row in sorted(self.rows))

    def shows(self, text: str) -> None:
        """Wait until this stands on the screen, and not only stood there."""
        end_s = time.monotonic() + WAIT_S
        while text not in self.screen:
            assert time.monotonic() < end_s, f"{text!r} never came:\n{self.screen}"
            self.read()

    def hides(self, text: str) -> None:
        """Wait until this does not stand on the screen any more."""
        end_s = time.monotonic() + WAIT_S
        while text in self.screen:
            assert time.monotonic() < end_s, f"{text!r} stays:\n{self.screen}"
            self.read()

    def ended(self) -> int:
        """Wait for its end; return the exit code."""
        end_s = time.monotonic() + WAIT_S
        while self.process.poll() is None:
            assert time.monotonic() < end_s, f"it goes on:\n{self.screen}"
            self.read()
        self.read()
        return self.process.returncode

    def restored(self) -> bool:
        """Return whether the terminal is as it was before."""
        tail = self.raw[self.raw.rfind("\x1b[?1049h") :]
        given_back = all(mode in tail for mode in ("?1004l", "?2004l", "?25h", "?1049l"))
        return given_back and self.modes() == self.before
