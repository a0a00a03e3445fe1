"""Private desks as processes of their own, for tests: started, killed, started again.

Not here: what a test asks or answers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sayso.client.blocking import Desk
from sayso.client.places import Places, places
from tests.standin import WAIT_S

SAYSO = [sys.executable, "-m", "sayso"]
SAMPLES = Path(__file__).parent / "golden" / "claude_code_samples"


def sample(name: str, **changes: Any) -> dict[str, Any]:
    """Return a captured payload, changed."""
    payload: dict[str, Any] = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return {**payload, **changes}


class Home:
    """A private home, and the desk in it when there is one."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="sayso-t-"))  # short: a socket's path is
        self.env = {**os.environ, "SAYSO_HOME": str(self.path)}
        self.places: Places = places(self.env)
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        if self.places.socket.exists():  # of a crashed desk, or one that a command started
            self.sayso("stop")
        shutil.rmtree(self.path)

    # --- the desk ----------------------------------------------------------------------

    def up(self, *options: str, http: bool = False) -> None:
        """Start the desk, and wait until it is open."""
        words = [*SAYSO, "up", *([] if http else ["--no-http"]), *options]
        self.places.state.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.places.log.open("a") as log:
            self._process = subprocess.Popen(
                words, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert said.startswith("sayso: the desk is open"), self.log()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End the desk as a crash would."""
        if self._process is not None:
            self._process.kill()
            self.wait()

    def wait(self) -> int:
        """Wait for the desk's end; return its exit code."""
        assert self._process is not None
        code = self._process.wait(WAIT_S)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None
        return code

    def log(self) -> str:
        return self.places.log.read_text(encoding="utf-8")

    def flag(self, session_id: str) -> Path:
        return self.places.flags / session_id

    # --- its people ----------------------------------------------------------------------

    def desk(self) -> Desk:
        return Desk(str(self.places.socket))

    def sayso(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of sayso to its end."""
        return subprocess.run(
            [*SAYSO, *words], env=self.env, capture_output=True, text=True, check=False, timeout=WAIT_S
        )

    def handlers(self) -> dict[str, Any]:
        """Return the hooks that `sayso install claude-code --print` prints."""
        done = self.sayso("install", "claude-code", "--print")
        assert done.returncode == 0, done.stderr
        hooks: dict[str, Any] = json.loads(done.stdout)["hooks"]
        return hooks


class Watcher:
    """A person's connection: what is known of requests, kept right by the desk's changes."""

    def __init__(self, home: Home) -> None:
        self._desk = home.desk()
        self._desk.subscribe()
        self.requests: dict[str, dict[str, Any]] = {}
        self.sessions: dict[str, dict[str, Any]] = {}
        self.messages: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._desk.close()

    def call(self, method: str, **params: Any) -> Any:
        return self._desk.call(method, params)

    def be_there(self) -> None:
        self.call("desk.presence", present=True)

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first request that is as wanted, waiting for it."""
        until_s = time.monotonic() + WAIT_S
        while True:
            for request in self.requests.values():
                if wanted(request):
                    return request
            change = self._desk.next_change(until_s - time.monotonic())
            assert change is not None, f"it did not happen: {self.requests}"
            self._note(change)

    def pending(self, session_id: str) -> dict[str, Any]:
        """Return the pending request of a session, waiting for it."""
        return self.until(lambda r: r["session_id"] == session_id and r["state"] == "pending")

    def state(self, request_id: str, *states: str) -> dict[str, Any]:
        """Return a request once it is in one of these states."""
        return self.until(lambda r: r["id"] == request_id and r["state"] in states)

    def until_message(self, session_id: str, *states: str) -> None:
        """Wait until these are the states in which a session's message was told."""
        until_s = time.monotonic() + WAIT_S
        while [m["state"] for m in self.messages if m["session_id"] == session_id] != list(states):
            change = self._desk.next_change(until_s - time.monotonic())
            assert change is not None, f"it did not happen: {self.messages}"
            self._note(change)

    def answer(self, request_id: str, **reply: Any) -> Any:
        return self.call("desk.answer", id=request_id, reply=reply)

    def _note(self, change: dict[str, Any]) -> None:
        if change["type"] == "snapshot":
            shown = change["snapshot"]
            self.requests = {one["id"]: one for one in (*shown["requests"], *shown["ended"])}
            self.messages = list(shown["messages"])
        elif "request" in change:
            self.requests[change["request"]["id"]] = change["request"]
        elif "session" in change:
            self.sessions[change["session"]["session_id"]] = change["session"]
        elif "message" in change:
            self.messages.append(change["message"])
