"""The ends of processes, told once each: by the kernel where it can, else nobody here is told.

Whoever watches looks now and then as well: a pane can be closed while its process lives on.
Imports the standard library.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path


class Ends:
    """`on_end` is called with the key of each watched process that ended."""

    def __init__(self, on_end: Callable[[str], None]) -> None:
        self._on_end = on_end
        self._descriptors: dict[str, int] = {}

    def watch(self, key: str, pid: int) -> None:
        if not hasattr(os, "pidfd_open"):
            return
        loop = asyncio.get_running_loop()
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            loop.call_soon(self._on_end, key)
            return
        except OSError:
            return  # an old kernel, or too many open files
        self._descriptors[key] = descriptor
        loop.add_reader(descriptor, partial(self._ended, key))

    def forget(self, key: str) -> None:
        descriptor = self._descriptors.pop(key, -1)
        if descriptor >= 0:
            asyncio.get_running_loop().remove_reader(descriptor)
            os.close(descriptor)

    def close(self) -> None:
        for key in list(self._descriptors):
            self.forget(key)

    def _ended(self, key: str) -> None:
        self.forget(key)
        self._on_end(key)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and that nobody collects does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError):  # not every system has /proc
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return fields[0] not in ("Z", "X")
    return True
