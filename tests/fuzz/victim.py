"""The desk that is fuzzed: a process of its own, and what must be so of it whatever it was sent.

Not here: what is sent.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import hypothesis

from sayso.wire import sse
from tests.desks import Home

NO_PROCESS = str(2**22 + 1)
"""A pid that no process has: nobody here is an agent."""
BOUND_S = 5.0
"""Within this everybody is answered, whatever others send meanwhile."""
MOST_GROWTH_BYTES = 24 * 1024 * 1024
"""How much larger the desk may be after a test: its caches and kept ends, and nothing that grows with what
was sent."""
TIMES = int(os.environ.get("FUZZ_TIMES", "1"))
"""FUZZ_TIMES=10 takes ten times as many examples, each time others; without it they are the same ones."""
_SLOW = (hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.filter_too_much)


def examples(count: int, **more: Any) -> hypothesis.settings:
    """Return how much is tried: always the same, unless more was asked for."""
    return hypothesis.settings(
        max_examples=count * TIMES,
        deadline=None,
        derandomize=TIMES == 1,
        database=None,
        suppress_health_check=_SLOW,
        **more,
    )


class Victim:
    """A running desk with HTTP, a token that may do everything, and a look at it from the side."""

    def __init__(self, home: Home) -> None:
        self.home = home
        with home.desk() as desk:
            self.port = int(str(desk.call("desk.health", {})["http"]).rpartition(":")[2])
            self.token = str(desk.call("desk.devices", {"create": "fuzz", "power": "admin"})["token"])
            self.asker = str(desk.call("desk.devices", {"create": "asker", "power": "ask"})["token"])
        headers = {"authorization": f"Bearer {self.token}"}
        self.http = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", headers=headers, timeout=BOUND_S, trust_env=False
        )

    def state(self) -> dict[str, Any]:
        """Return everything that a channel is told, and the devices, without when each was used."""
        snapshot: dict[str, Any] = json.loads(self._first_event())["snapshot"]
        if TIMES > 1:  # what ended is forgotten after minutes
            del snapshot["ended"], snapshot["seq"]
        devices = self.http.get("/api/devices").json()["devices"]
        snapshot["devices"] = [(one["id"], one["power"], one.get("foreign")) for one in devices]
        return snapshot

    def _first_event(self) -> str:
        parser = sse.Parser()
        with self.http.stream("GET", "/api/events") as stream:
            for piece in stream.iter_bytes():
                for event in parser.feed(piece):
                    if isinstance(event, sse.Event):
                        return event.data
        raise AssertionError("a stream without an event")

    def calmed(self) -> dict[str, Any]:
        """Release what waits, so that nothing ends by itself later on, and return the state then."""
        until_s = time.monotonic() + BOUND_S
        while requests := self.http.get("/api/agent-requests").json()["requests"]:
            assert time.monotonic() < until_s, "what was released still waits"
            for one in requests:
                self.http.post(f"/api/agent-requests/{one['id']}/release")
        return self.state()

    def is_well(self) -> None:
        """Fail unless it serves on every way in, within the bound."""
        begun_s = time.monotonic()
        assert self.http.get("/api/health").json()["ok"]
        assert time.monotonic() - begun_s < BOUND_S

    def resident_bytes(self) -> int:
        """Return the size of the process; 0 where the system does not tell it by a file."""
        status = Path(f"/proc/{self.home.pid}/status")
        if not status.exists():
            return 0
        found = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(found.split()[1]) * 1024

    def open_files(self) -> int:
        folder = Path(f"/proc/{self.home.pid}/fd")
        return len(list(folder.iterdir())) if folder.exists() else 0

    @contextmanager
    def bounded(self, more_bytes: int = 0) -> Iterator[None]:
        """Fail if the block makes the process larger than it may, or ends it, or leaves a word in its log."""
        before_bytes = self.resident_bytes()
        yield
        self.is_well()
        assert self.resident_bytes() - before_bytes < MOST_GROWTH_BYTES + more_bytes
        self.has_nothing_to_say()

    def has_nothing_to_say(self) -> None:
        """Fail if the desk made a mistake: it logs each, and asyncio what nobody caught."""
        log = self.home.log()
        for word in ("mistake", "failed", "Traceback", "Error", "never", "exception"):
            assert word not in log, log


@contextmanager
def running() -> Iterator[Victim]:
    with Home() as home:
        home.up("--port", "0", "--agents-only", NO_PROCESS, http=True)
        victim = Victim(home)
        yield victim
        victim.http.close()
        victim.has_nothing_to_say()


def check_error(status: int, body: bytes) -> None:
    """Fail unless this is an error in the one shape."""
    said = json.loads(body)
    assert said["ok"] is False
    assert isinstance(said["error"], str)
    assert said["error"]
    assert said["code"] not in ("", "error")
    assert said["status"] == status
    assert set(said) <= {"ok", "error", "code", "status", "field", "state"}
