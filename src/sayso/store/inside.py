"""The desk inside of a `Store`: the daemon's runtime, with neither socket nor flags.

What is added is for the program around it: it is told of every change, it may call where
no event loop runs, and it counts as somebody who watches. Imports `daemon` and `core`.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from typing import Any

from sayso.core.effects import Effect, Publish
from sayso.core.types import Presence, Settings
from sayso.daemon.devices import Devices
from sayso.daemon.runtime import Runtime
from sayso.daemon.settings import Store as KeptSettings

_PROGRAM = "program"


class Inside(Runtime):
    """A desk of this process alone.

    Args:
        path: of the database, "" for memory.
        heard: called with every change, after the waiters were told.
    """

    def __init__(
        self,
        path: str,
        now: Callable[[], float],
        heard: Callable[[Publish], None],
        log: logging.Logger,
    ) -> None:
        self._kept = KeptSettings(path)
        self._log = log
        self._heard = heard
        self._loop: asyncio.AbstractEventLoop | None = None
        self.devices = Devices("")  # none: whoever reaches the handler was let in by the program
        chosen = self._kept.load()
        for trouble in self._kept.troubles:
            log.warning("%s", trouble)
        super().__init__(chosen, self._save, None, now)
        self._open: set[str] = set()
        self._watch()

    def open(self, request_id: str, is_open: bool) -> None:
        """Have a card looked at, or not any more; one that is may wait for longer than the setting says."""
        if is_open is not (request_id in self._open):
            (self._open.add if is_open else self._open.discard)(request_id)
            self._watch()
            self.settle()

    def _watch(self) -> None:
        # A program that asks its own desk shows what it is asked: somebody watches as long as it runs.
        presence = Presence(present_s=math.inf, open=tuple(self._open))
        self.desk.watch(_PROGRAM, presence, self.now())

    def close(self) -> None:
        """Let go of whoever waits, and of the database."""
        self.release_all()
        self.end()
        self.devices.close()
        self._kept.close()

    def _save(self, settings: Settings) -> str:
        trouble = self._kept.save(settings)
        if trouble:
            self._log.warning("%s", trouble)
        return ""  # told, in the program's own log

    def _carry_out(self, effect: Effect) -> None:
        super()._carry_out(effect)
        if isinstance(effect, Publish):
            self._heard(effect)

    def _set_timer(self) -> None:
        loop = _running_loop()
        if loop is None:
            return  # nobody waits here; the next call lets happen what is due by then
        if loop is not self._loop:  # a timer of a loop that ended never rings
            self._loop, self._timer, self._timer_s = loop, None, None
        super()._set_timer()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class Asker:
    """The asking side of one `Store.ask`, as the hooks' methods know it: nothing has to be pushed to it."""

    pid = 0

    def __init__(self, waiter: str) -> None:
        self.waiter = waiter

    def push(self, method: str, params: Any) -> None:
        """Asks are known to wait by the future they wait for."""
