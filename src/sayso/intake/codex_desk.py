"""What Codex's client needs of the desk that it runs in, and of its connection to the app server.

The desk's own side is handed in by whoever starts it. Imports the standard library and `core`.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

from sayso.core.types import Settings
from sayso.intake.codex_link import Then

Dict = dict[str, object]


class Desk(Protocol):
    """The asking side of the desk."""

    @property
    def settings(self) -> Settings: ...

    def listen(self) -> AsyncIterator[Heard]:
        """Return the changes from now on, a snapshot first."""
        ...

    def peer(self, connection: socket.socket) -> str: ...

    def ask(self, ask: bytes, process: str, tell: Callable[[Dict | None], None]) -> str: ...

    def written(self, request_id: str) -> None: ...

    def not_written(self, request_id: str) -> None: ...

    def over(self, request_id: str, word: str) -> None: ...

    def contradicted(self, request_id: str) -> bool: ...

    def observe(self, event: bytes, process: str) -> None: ...

    def reach(self, agent: str, session_id: str, process: str, reached: bool) -> None: ...

    def queue(self, agent: str, session_id: str, text: str) -> bool: ...

    def take(self, agent: str, session_id: str, process: str, at_stop: bool) -> tuple[str, str] | None: ...

    def handed(self, taker: str, written: bool | None) -> None: ...

    def note(self, agent: str, title: str, body: str, cwd: str) -> None: ...


class Heard(Protocol):
    """A change, as far as it is looked at here."""

    @property
    def type(self) -> str: ...

    @property
    def message(self) -> Waiting | None: ...

    @property
    def snapshot(self) -> Everything | None: ...


class Everything(Protocol):
    """All there is, as far as it is looked at here."""

    @property
    def messages(self) -> Sequence[Waiting]: ...


class Waiting(Protocol):
    """A message."""

    @property
    def agent(self) -> str: ...

    @property
    def session_id(self) -> str: ...

    @property
    def number(self) -> int: ...


class Speaks(Protocol):
    """A connection to the app server."""

    @property
    def process(self) -> str: ...

    def call(self, method: str, params: Dict, then: Then) -> None: ...

    def notify(self, method: str) -> None: ...

    def reply(self, request_id: object, result: Dict) -> bool: ...

    def close(self) -> None: ...
