"""The desk's `Service` for the handler of a `Store`: the daemon's methods, but for what a store says itself.

Imports `daemon`, `wire`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sayso.daemon.feed import Feed
from sayso.daemon.methods import Methods
from sayso.daemon.service import Caller
from sayso.store.inside import Inside
from sayso.wire.jsonrpc import convert
from sayso.wire.protocol import QueueParams
from sayso.wire.views import Snapshot


class Served:
    """A store as its handler sees it.

    Args:
        shown: returns what the store lists.
        queue: the store's own, which asks the program about its sessions.
    """

    def __init__(
        self,
        inside: Inside,
        shown: Callable[[], Snapshot],
        queue: Callable[[str, str, str, str], None],
    ) -> None:
        self.boot = inside.boot
        self._methods = Methods(inside, inside.devices, _ignore, list[str])
        self._shown = shown
        self._queue = queue

    async def call(self, caller: Caller, method: str, params: dict[str, Any]) -> Any:
        """Carry out one method. Raises the errors of `sayso.errors`."""
        if method == "desk.list":
            return self._shown()
        if method == "desk.queue":
            given = convert(params, QueueParams)
            self._queue(given.agent, given.session_id, given.text, given.when)
            return {}
        return await self._methods.call(caller, method, params)

    def subscribe(self, caller: Caller, after: str) -> Feed:
        return self._methods.subscribe(caller, after)


def _ignore(_restart: bool) -> None:
    return
