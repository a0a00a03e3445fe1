"""How many files the desk may have open, and which way in stops before none is left.

A connection has the lowest number that is free, so its number tells how many are taken. HTTP stops first:
anybody on this computer may connect there, while hooks and people's programs need the socket.
Imports the standard library alone.
"""

from __future__ import annotations

import resource
from contextlib import suppress

MOST_FILES = 32_768
"""Enough for 10,000 connections that wait, each with a watched process, and as many over HTTP."""
HTTP_SHARE = 0.75
"""Of all files: with more than these taken, HTTP takes no connection in."""
SOCKET_SHARE = 0.9
"""The same of the control socket; the rest is for what the desk opens itself."""
ACCEPTED_AT_ONCE = 64
"""Connections that asyncio takes in before it looks at the first: fewer than what is left then, mostly."""


def allow_many() -> None:
    """Raise the soft limit of open files: every hook that waits is one, and often it is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):  # macOS has a lower limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def is_crowded(number: int, share: float) -> bool:
    """Return whether more than this share of all files is open, by the number of a new one."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft != resource.RLIM_INFINITY and number >= soft * share
