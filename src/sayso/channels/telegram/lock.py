"""One poller for each bot on this computer: a lock that goes by the bot's token, whichever desk it is.

Its file lies where all desks of a user look, private ones, too, and its name tells nothing of the token.
Between computers and users nothing can be locked: there Telegram itself says that another one polls.
Imports the standard library.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import suppress
from pathlib import Path


class PollLock:
    """The lock of one token. `holder`: who has it, where it is not ours, in words."""

    def __init__(self, folder: Path, token: str) -> None:
        digest = hashlib.sha256(b"sayso telegram " + token.encode()).hexdigest()[:24]
        self._path = folder / f"sayso-{os.getuid()}-telegram-{digest}.lock"
        self._descriptor: int | None = None
        self.holder = ""

    def take(self) -> bool:
        """Return whether the lock is ours now. Raises: OSError, where there can be no lock."""
        if self._descriptor is not None:
            return True
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(self._path, flags, 0o600)
        try:
            if os.fstat(descriptor).st_uid != os.getuid():  # somebody put it there before us
                raise PermissionError(f"{self._path} belongs to somebody else")
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            self.holder = f"process {said}" if said.isdigit() else "another process"
            os.close(descriptor)
            return False
        except OSError:
            os.close(descriptor)
            raise
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor
        return True

    def leave(self) -> None:
        """Give the lock back; its file stays, or two might have it."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None
