"""The desk as its ways in see it: who calls, what they may call, what they are told.

A protocol, so that sockets and HTTP can be tested without a desk. Not here: which
methods there are and the power each needs (`wire.protocol`), and what they do.
Imports `wire`.
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from sayso.wire.protocol import Power
from sayso.wire.views import Change


class Caller(Struct, frozen=True, kw_only=True):
    """Who calls, as far as the way in knows.

    `channel` is web, cli, …; `name` the device or program, for people; `credential` the
    id of the credential, not the secret. `pid` and `process` ("pid:start") are of the
    calling process, 0 and "" where the way in cannot tell.
    """

    power: Power
    channel: str
    name: str
    credential: str
    pid: int = 0
    process: str = ""


class Subscription(Protocol):
    """A stream of changes for one watcher. The first is a snapshot or what was missed.

    It ends by StopAsyncIteration: after `close`, or when the desk gives the watcher up.
    A cancelled `__anext__` loses no change.
    """

    def __aiter__(self) -> Subscription: ...

    async def __anext__(self) -> Change: ...

    def close(self) -> None:
        """Stop; may be called more than once."""
        ...


class Service(Protocol):
    """The desk. `boot` names this run of it."""

    boot: str

    async def call(self, caller: Caller, method: str, params: dict[str, Any]) -> Any:
        """Carry out one method.

        Returns: what msgspec can encode.
        Raises: the errors of `sayso.errors`; among them Refused, since the method's
            power is checked here, whatever the way in has checked before.
        """
        ...

    def subscribe(self, caller: Caller, after: str) -> Subscription:
        """Return the changes after `after` ("<boot>-<seq>"), or all from a snapshot ("")."""
        ...
