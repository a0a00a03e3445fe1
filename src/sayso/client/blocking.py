"""The desk for a program that waits: the command line and the terminal UI.

Imports msgspec, `asking`, `line`, `results`, `wire`, `errors`.
"""

from __future__ import annotations

import time
from collections import deque
from types import TracebackType
from typing import Any, Self

import msgspec

from sayso import errors
from sayso.client.asking import NO_DESK
from sayso.client.line import Absent, Line, connect
from sayso.client.results import result_of
from sayso.wire.chunks import join

_TAKEN_S = 10.0
"""A person can wait longer than a hook for a desk that is busy."""
_AWAY = "the desk went away; what was sent may or may not have arrived"


class Desk:
    """A connection to a running desk. Not for several threads at once.

    Args:
        taken_s: how long a busy desk may take to let us in.

    Raises Unavailable when there is no desk, and from every method when it goes away.
    """

    def __init__(self, path: str, taken_s: float = _TAKEN_S) -> None:
        self.path = path
        try:
            self._line: Line = connect(path, taken_s)
        except Absent as error:
            raise errors.Unavailable(f"{NO_DESK} ({error})") from None
        self._number = 0
        self._changes: deque[dict[str, Any]] = deque()
        self._pieces: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._line.close()

    def fileno(self) -> int:
        """Readable when a change may have come; lines read already do not show here."""
        return self._line.socket.fileno()

    def call(self, method: str, params: dict[str, Any], timeout_s: float = 10) -> Any:
        """Return the result of a method, in JSON's own types.

        Raises:
            SaysoError: what the desk said, as the class that it raised; or Unavailable.
        """
        self._number += 1
        number = self._number
        call = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        try:
            self._line.send(msgspec.json.encode(call))
        except OSError as error:
            raise errors.Unavailable(f"{_AWAY} ({error})") from None
        until_s = time.monotonic() + timeout_s
        while True:
            message = self._next(until_s)
            if message is None:
                raise errors.Unavailable(f"the desk did not answer within {timeout_s:.0f} s")
            if message.get("method") == "desk.change":
                self._changes.append(message["params"])
            elif message.get("id") == number:
                return result_of(message)

    def subscribe(self, after: str = "") -> None:
        """Ask for changes: a snapshot first, or what came after a change ("<boot>-<seq>")."""
        self.call("desk.subscribe", {"after": after})

    def next_change(self, timeout_s: float) -> dict[str, Any] | None:
        """Return the next change, None after a time. Raises Unavailable."""
        until_s = time.monotonic() + timeout_s
        while True:
            while self._changes:
                change = self._changes.popleft()
                self._pieces.append(change)
                if not change.get("more"):
                    pieces, self._pieces = self._pieces, []
                    return join(pieces)
            message = self._next(until_s)
            if message is None:
                return None
            if message.get("method") == "desk.change":
                self._changes.append(message["params"])

    def snapshot(self) -> dict[str, Any]:
        """Return everything a channel shows, as of now; for one look, without a stream."""
        self.subscribe()
        change = self.next_change(10)
        if change is None:
            raise errors.Unavailable("the desk sent no snapshot")
        snapshot: dict[str, Any] = change["snapshot"]
        return snapshot

    def _next(self, until_s: float) -> dict[str, Any] | None:
        line = self._line.wait(until_s, time.monotonic)
        if line is not None:
            try:
                return msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.DecodeError, RecursionError):
                raise errors.Unavailable(f"what listens at {self.path} is not a desk") from None
        if self._line.closed:
            raise errors.Unavailable(_AWAY)
        return None
