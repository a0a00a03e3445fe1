"""A private desk in a process of its own, and a person who answers it on the command line.

Everything goes the way it goes for a user: `sayso up`, the hooks that `sayso install`
prints, `sayso allow ID`. What the desk tells its channels is followed on a connection of
this process. Not a stand-in for anything. May import the product's client only.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, TypeVar

from sayso.client.blocking import Desk as Client
from sayso.client.places import places
from sayso.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Json = dict[str, Any]
T = TypeVar("T")
WAIT_S = 15.0
COMMAND_S = 20.0
_LOOK_S = 0.02


class Stream:
    """What the desk tells a channel: every request and session as last shown, each state a request
    had, every word on the messages of a session, and every alert."""

    def __init__(self, path: str) -> None:
        self.requests: dict[str, Json] = {}
        self.sessions: dict[str, Json] = {}
        self.states: dict[str, list[str]] = {}
        self.messages: dict[str, list[Json]] = {}
        self.alerts: list[Json] = []
        self._path = path
        self._client: Client | None = None

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def read(self, timeout_s: float) -> None:
        """Take in the next change, if one comes in time; connect anew where the desk was another."""
        try:
            if self._client is None:
                self._client = Client(self._path)
                self._client.subscribe()
            change = self._client.next_change(timeout_s)
        except Unavailable:
            self.close()
            time.sleep(min(timeout_s, _LOOK_S))
            return
        if change is not None:
            self._take(change)

    def _take(self, change: Json) -> None:
        snapshot: Json = change.get("snapshot") or {}
        for request in (*snapshot.get("requests", ()), *snapshot.get("ended", ())):
            self._note(request)
        for session in snapshot.get("sessions", ()):
            self.sessions[session["session_id"]] = session
        for message in (*snapshot.get("messages", ()), *([change["message"]] if "message" in change else ())):
            self.messages.setdefault(message["session_id"], []).append(message)
        self.alerts += [*snapshot.get("alerts", ()), *([change["alert"]] if "alert" in change else ())]
        if change["type"] == "session":
            self.sessions[change["session"]["session_id"]] = change["session"]
        elif "request" in change:
            self._note(change["request"])

    def _note(self, request: Json) -> None:
        self.requests[request["id"]] = request
        states = self.states.setdefault(request["id"], [])
        if not states or states[-1] != request["state"]:
            states.append(request["state"])


class Desk:
    """A desk under a home of its own. `up` starts it; `close` ends whichever runs there then."""

    def __init__(self, home: Path) -> None:
        home.mkdir(mode=0o700)
        self.env = {**os.environ, "SAYSO_HOME": str(home)}
        self.places = places(self.env)
        self.stream = Stream(str(self.places.socket))
        self._log = home / "up.log"
        self._process: subprocess.Popen[bytes] | None = None

    # --- its life ----------------------------------------------------------------------

    def up(self, *options: str) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "sayso", "up", "--port", "0", *options]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        end = time.monotonic() + WAIT_S
        while not self.answers():
            if time.monotonic() > end or self._process.poll() is not None:
                raise TimeoutError(f"the desk did not start; it says:\n{self._log.read_text()}")
            time.sleep(_LOOK_S)

    def answers(self) -> bool:
        """Tell whether a desk runs."""
        try:
            self.connect().close()
        except Unavailable:
            return False
        return True

    def connect(self) -> Client:
        return Client(str(self.places.socket))

    def kill(self) -> None:
        """End it without a warning (SIGKILL)."""
        assert self._process is not None
        self._process.kill()
        self._ended()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, and wait until it has ended."""
        assert self._process is not None
        self._process.send_signal(number)
        self._ended()

    def stop(self) -> None:
        self.run("stop")
        self._ended()

    def restart(self) -> None:
        self.run("restart", "--port", "0")
        self._ended()

    def _ended(self) -> None:
        """Collect the process, and forget what it told: the next desk tells all that it knows."""
        if self._process is not None:
            self._process.wait(WAIT_S)
            self._process = None
        self.stream.close()
        self.stream = Stream(str(self.places.socket))

    def close(self) -> None:
        """End whichever desk runs now, and see that it did."""
        if self.answers():
            self.run("stop")
        elif self._process is not None:
            self._process.kill()  # it never answered
        self._ended()

    def log(self) -> str:
        """Return what it wrote for people to read after a failure."""
        logs = [path for path in (self._log, self.places.log) if path.exists()]
        return "".join(path.read_text() for path in logs)

    # --- the command line --------------------------------------------------------------

    def run(self, *words: str, code: int = 0, env: dict[str, str] | None = None) -> str:
        """Run a command of sayso, see that it ends with this code, and return all it wrote."""
        done = subprocess.run(
            [sys.executable, "-m", "sayso", *words],
            env=env or self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        said = f"{done.stdout}\n{done.stderr}".strip()
        assert done.returncode == code, f"sayso {' '.join(words)} ended with {done.returncode}:\n{said}"
        return said

    def allow(self, request: Json, *options: str, code: int = 0) -> str:
        return self.run("allow", request["id"], *options, code=code)

    def deny(self, request: Json, *options: str, code: int = 0) -> str:
        return self.run("deny", request["id"], *options, code=code)

    def answer(self, request: Json, *options: str, code: int = 0) -> str:
        return self.run("answer", request["id"], *options, code=code)

    def hooks(self, **more: object) -> Json:
        """Return settings for the agent: the hooks as `sayso install` prints them, and more."""
        settings: Json = json.loads(self.run("install", "claude-code", "--print"))
        return {**settings, **more}

    # --- watching ----------------------------------------------------------------------

    @contextlib.contextmanager
    def somebody_watching(self) -> Iterator[None]:
        """Have a person at a channel for a while; then the channel goes away."""
        with self.connect() as client:
            client.call("desk.presence", {"present": True, "open": []})
            yield

    def wait_for(self, look: Callable[[], T | None], what: str, timeout_s: float = WAIT_S) -> T:
        """Follow the desk until `look` finds something, and return it.

        Raises:
            TimeoutError: with every request and session as last shown.
        """
        end = time.monotonic() + timeout_s
        while (found := look()) is None:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no {what} within {timeout_s} s; {self._told()}")
            self.stream.read(min(left, 0.2))
        return found

    def _told(self) -> str:
        requests = [
            (r["kind"], r["tool"], self.stream.states[i], r.get("ending"))
            for i, r in self.stream.requests.items()
        ]
        sessions = [(s["session_id"], s["state"]) for s in self.stream.sessions.values()]
        return f"requests {requests}, sessions {sessions}, log:\n{self.log()}"

    def requests(self, **fields: object) -> list[Json]:
        """Return the requests told so far, the oldest first, with these values."""
        every = self.stream.requests.values()
        found = [r for r in every if all(r.get(name) == value for name, value in fields.items())]
        return sorted(found, key=lambda request: request["created_at"])

    def wait_request(self, nth: int = 1, **fields: object) -> Json:
        """Wait until the nth of the requests with these values is there, pending."""

        def look() -> Json | None:
            found = self.requests(**fields)
            return found[nth - 1] if len(found) >= nth else None

        request = self.wait_for(look, f"request {nth} with {fields}")
        assert self.stream.states[request["id"]][0] == "pending", self._told()
        return request

    def wait_state(self, request: Json, state: str, timeout_s: float = WAIT_S) -> Json:
        """Wait until a request was shown in a state, and return it as it is then."""
        told = self.stream.states
        self.wait_for(lambda: state in told.get(request["id"], ()) or None, f"{state} request", timeout_s)
        return self.stream.requests[request["id"]]

    def wait_session(self, state: str, session_id: str) -> Json:
        """Wait until a session is shown in a state."""

        def look() -> Json | None:
            found = self.stream.sessions.get(session_id)
            return found if found is not None and found["state"] == state else None

        return self.wait_for(look, f"session that is {state}")

    def wait_message(self, session_id: str, state: str, reason: str = "") -> Json:
        """Wait until the last word on a session's message is this one."""

        def look() -> Json | None:
            told = self.stream.messages.get(session_id)
            found = told[-1] if told else None
            return found if found and (found["state"], found.get("reason", "")) == (state, reason) else None

        return self.wait_for(look, f"message that is {state} {reason}")

    def states(self, request: Json) -> list[str]:
        """Return the states a request was shown in, in order."""
        return self.stream.states[request["id"]]
