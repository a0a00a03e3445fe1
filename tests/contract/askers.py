"""Who asks: an agent by its hook, or a program over the socket. Each tells to the letter what it was told.

Not here: what is asked and answered (`rows`, `direct_rows`), desks.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import uuid
from contextlib import suppress
from typing import Any, Protocol

from sayso.errors import Unavailable
from tests.contract.rows import Row
from tests.desks import Home
from tests.standin import WAIT_S, StandIn


class Asker(Protocol):
    """`session_id`: what the desk knows it by."""

    session_id: str

    def check(self, says: dict[str, Any], request_id: str) -> None:
        """Wait for its end, and for these words alone."""
        ...

    def leave(self) -> None:
        """End it, whatever it still waits for."""
        ...


class Agent:
    """Asks by a hook, started as the agent starts them."""

    def __init__(self, agent: StandIn, row: Row, session_id: str = "") -> None:
        self.session_id = session_id or str(uuid.uuid4())
        self._hook = agent.hook({**row.payload, "session_id": self.session_id})

    def check(self, says: dict[str, Any], request_id: str) -> None:
        line = json.dumps({"hookSpecificOutput": says}, separators=(",", ":")).encode() + b"\n"
        assert self._hook.result() == (0, line, b"")

    def signal(self, number: int) -> None:
        os.kill(self._hook.pid, number)

    def leave(self) -> None:
        if self._hook.is_running():
            os.kill(self._hook.pid, 9)
            self._hook.code()


class Program:
    """Asks over a connection that it holds."""

    def __init__(self, home: Home, row: Row) -> None:
        self.session_id = str(uuid.uuid4())
        self._desk = home.desk()
        self._told: list[dict[str, Any]] = []
        params = {**row.payload, "surface_id": self.session_id, "agent_id": "deploy.sh"}
        self._waits = threading.Thread(target=self._ask, args=(params,), daemon=True)
        self._waits.start()

    def _ask(self, params: dict[str, Any]) -> None:
        with suppress(Unavailable):  # it left, or the desk did: then nothing was told
            self._told.append(self._desk.call("agent.ask_user", params, WAIT_S))

    def check(self, says: dict[str, Any], request_id: str) -> None:
        self._waits.join(WAIT_S)
        assert self._told == [{"request_id": request_id, **says}]

    def leave(self) -> None:
        if self._waits.is_alive():
            with socket.socket(fileno=os.dup(self._desk.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
            self._waits.join(WAIT_S)
        self._desk.close()
