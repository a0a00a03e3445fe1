"""The private file from which a hook's command reads where the server is, at every call.

Beside it lies a lock, which a server holds as long as it lives: another one leaves the file alone,
and a forwarder believes no URL whose server has ended, since anybody may listen on its port by then.
Imports `sayso.client.places`, its siblings and the standard library.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path

from sayso.client.places import check_private
from sayso.hook_server.errors import UnsafeFolder, UrlFileInUse

TRIES = 25
TRY_AGAIN_S = 0.02
"""A forwarder that looks whether a server lives has the lock for a moment."""


class UrlFile:
    """A file of one server at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().absolute()
        self.lock_path = self.path.with_name(f"{self.path.name}.lock")
        self._lock = -1
        self._written = b""
        self._pid = 0

    async def take(self) -> None:
        """Have it for ourselves. Raises: UrlFileInUse, UnsafeFolder, OSError."""
        folder = self.path.parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        trouble = check_private(folder)
        if trouble:
            raise UnsafeFolder(f"the URL of a hook server is not written there: {trouble}")
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        lock = os.open(self.lock_path, flags, 0o600)
        try:
            await self._locked(lock)
            # Of a server that ended without a word: whoever finds our lock would believe it.
            if not self.path.is_dir():  # which is told when it is written
                self.path.unlink(missing_ok=True)
        except BaseException:
            os.close(lock)
            raise
        self._lock, self._pid = lock, os.getpid()

    async def _locked(self, lock: int) -> None:
        for _ in range(TRIES):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                await asyncio.sleep(TRY_AGAIN_S)
            else:
                return
        raise UrlFileInUse(f"another hook server writes its URL to {self.path}: give this one another file")

    def write(self, url: str) -> None:
        """Write it, in one step: who reads it meanwhile sees the old or the new one."""
        content = url.encode() + b"\n"
        fresh = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
            descriptor = os.open(fresh, flags, 0o600)
            with open(descriptor, "wb") as file:  # noqa: PTH123 - of a descriptor
                file.write(content)
            fresh.replace(self.path)
        except BaseException:
            with suppress(FileNotFoundError):
                fresh.unlink()
            raise
        self._written = content

    def remove(self) -> None:
        """Remove it if it is still what was written here."""
        if self._pid != os.getpid():  # a copy of our process ends, and not the server
            return
        with suppress(OSError):
            if self._written and self.path.read_bytes() == self._written:
                self.path.unlink()
        self._written = b""

    def leave(self) -> None:
        """Remove it, and let go of it."""
        if self._lock < 0:
            return
        self.remove()
        if self._pid == os.getpid():
            fcntl.flock(self._lock, fcntl.LOCK_UN)  # copies of our process have it open, too
        os.close(self._lock)
        self._lock = -1
