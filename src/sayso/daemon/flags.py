"""The flags of sessions: files that tell gated observers to speak, and hold their journal.

A flag is a file named like its session. While it is there, the observers of that
session's tool calls start; without it they end in the shell. An observer that finds no
desk appends its event to the flag, one line of JSON without content; a desk that is
there again reads them. Imports the standard library.
"""

from __future__ import annotations

import os
from pathlib import Path

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
MAX_NAME_CHARS = 64
MAX_JOURNAL_BYTES = 1024 * 1024
UNCLAIMED_S = 30.0
"""After a start, how long flags of an earlier desk may stay unclaimed."""


def is_name(session_id: str) -> bool:
    """Whether a session may have a flag: its id must be safe as the name of a file."""
    return 0 < len(session_id) <= MAX_NAME_CHARS and _LETTERS.issuperset(session_id)


class Flags:
    """The folder of flags. Raises OSError where the folder cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._unclaimed = {path.name for path in folder.iterdir() if is_name(path.name)}

    def raise_(self, session_id: str) -> None:
        """Make the flag; one that is there keeps its journal."""
        if is_name(session_id):
            self._unclaimed.discard(session_id)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
            os.close(os.open(self._folder / session_id, flags, 0o600))

    def lower(self, session_id: str) -> None:
        if is_name(session_id):
            self._unclaimed.discard(session_id)
            (self._folder / session_id).unlink(missing_ok=True)

    def journal(self, session_id: str) -> list[bytes]:
        """Return the lines that observers left while there was no desk."""
        if not is_name(session_id):
            return []
        try:
            descriptor = os.open(self._folder / session_id, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            return []
        with os.fdopen(descriptor, "rb") as file:
            return [line for line in file.read(MAX_JOURNAL_BYTES).split(b"\n") if line]

    def clear(self) -> None:
        """Remove all flags: nobody is there any more who would be told."""
        for path in self._folder.iterdir():
            if is_name(path.name):
                path.unlink(missing_ok=True)
        self._unclaimed.clear()

    def remove_unclaimed(self) -> None:
        """Remove the flags of an earlier desk that nobody claimed since the start."""
        for name in self._unclaimed:
            (self._folder / name).unlink(missing_ok=True)
        self._unclaimed.clear()
