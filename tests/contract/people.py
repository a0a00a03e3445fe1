"""A person at each channel that can answer: the command line, the screen, a device over HTTP.

Each is the real thing in a process of its own, before a real desk. Not here: what they answer.
"""

from __future__ import annotations

import pty
import subprocess
import time
from typing import Any, Protocol

import httpx

from sayso.channels.base import agent_name
from sayso.channels.screen.model import GUARD_S
from sayso.core.types import DIRECT
from tests.channels.socket_desk import Pty
from tests.contract.rows import Row
from tests.desks import SAYSO, Home
from tests.standin import WAIT_S

THINK_S = GUARD_S + 0.02
"""A person takes so long at least: a key right after something new came is not taken for an answer."""


class Person(Protocol):
    """Answers requests of one desk, as a row says."""

    def __init__(self, home: Home) -> None: ...
    def answer(self, request: dict[str, Any], row: Row) -> None: ...
    def close(self) -> None: ...


class CommandLine:
    def __init__(self, home: Home) -> None:
        self._home = home

    def answer(self, request: dict[str, Any], row: Row) -> None:
        if row.ack:
            self._run(["answer", request["id"], "ack"], says="nothing runs yet")
        words = [request["id"] if word == "ID" else word for word in row.cli or ()]
        whom = "the program that asked" if row.kind in DIRECT else "the agent"
        self._run(words, row.stdin, says=f"anded to {whom}")

    def _run(self, words: list[str], stdin: str = "", says: str = "") -> None:
        done = subprocess.run(
            [*SAYSO, *words],
            env=self._home.env,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=WAIT_S,
        )
        assert (done.returncode, done.stderr) == (0, ""), done
        assert says in done.stdout, done

    def close(self) -> None:
        """Each answer was a process that has ended."""


class Screen(Pty):
    """`sayso watch` in a terminal of 100 columns, left alone between the answers."""

    def __init__(self, home: Home) -> None:
        self._master, self.slave = pty.openpty()
        self.resize(100, 50)
        self.before = self.modes()
        self.raw = ""
        self.rows: dict[int, str] = {}
        self.process = subprocess.Popen(
            [*SAYSO, "watch"],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env={**home.env, "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""},
        )
        self.shows("Nothing waits for you.")

    def answer(self, request: dict[str, Any], row: Row) -> None:
        for shown, keys in row.watch or ():
            self.shows(f"1 of 1 · {request['id'][:8]}")
            self.shows(shown)
            time.sleep(THINK_S)
            self.type(keys)
        self.shows("Nothing waits for you.")
        # Whoever plays Codex's server is the process that asks directly, too: then it says "in Codex".
        who = "a program" if request["kind"] in DIRECT else agent_name(request["agent"])
        self.shows(f"{request['id'][:8]} {who}")

    def close(self) -> None:
        try:
            self.type("q")
            assert (self.ended(), self.restored()) == (0, True)
        finally:
            self.__exit__()


class Device:
    """Over HTTP, with a token of its own that may answer and no more."""

    def __init__(self, home: Home) -> None:
        made = home.sayso("token", "create", "phone", "--power", "answer")
        with_desk = home.desk()
        address = with_desk.call("desk.health", {})["http"]
        with_desk.close()
        headers = {"Authorization": f"Bearer {made.stdout.split()[0]}"}
        self._http = httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=WAIT_S)

    def answer(self, request: dict[str, Any], row: Row) -> None:
        listed = self._http.get("/api/agent-requests").json()["requests"]
        assert [one["id"] for one in listed] == [request["id"]]
        if row.ack:
            said = self._answer(request["id"], {"behavior": "allow", "step": "ack"})
            assert said == {"ok": True, "state": "pending", "acknowledged": True}
        assert self._answer(request["id"], row.http) == {"ok": True, "state": "answered"}

    def _answer(self, request_id: str, reply: dict[str, Any] | None) -> dict[str, Any]:
        done = self._http.post(f"/api/agent-requests/{request_id}/answer", json=reply)
        assert done.status_code == 200, done.text
        return done.json()

    def close(self) -> None:
        self._http.close()
