"""What asyncio reports that nobody caught, in the log: where, not what, and not thousands of times.

Imports `runtime`.
"""

from __future__ import annotations

import asyncio
import errno
import logging
from typing import Any

from sayso.daemon.runtime import trail

log = logging.getLogger(__name__)

AGAIN_S = 60.0
"""How often the same is said: asyncio reports each connection that finds no file left, and tries on."""
MOST_KEPT = 100
_NO_FILES = frozenset({errno.EMFILE, errno.ENFILE})


class Reports:
    """The exception handler of a loop."""

    def __init__(self) -> None:
        self._said_at: dict[str, float] = {}

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log a mistake that ended a connection or a callback."""
        text, now_s = _words(context), loop.time()
        said_s = self._said_at.get(text)
        if said_s is not None and now_s - said_s < AGAIN_S:
            return
        if len(self._said_at) >= MOST_KEPT:
            self._said_at.clear()
        self._said_at[text] = now_s
        log.error("%s", text)


def _words(context: dict[str, Any]) -> str:
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in _NO_FILES:
        return "too many files are open, so new connections wait; a higher limit helps (ulimit -n)"
    return trail(error) if isinstance(error, BaseException) else str(context.get("message"))
