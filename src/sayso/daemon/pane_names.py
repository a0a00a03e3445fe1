"""What ran in the panes of the desk before: processes that are agents, known before tmux is asked.

A name ("pid:start") is of this run of the computer, and is never another process's. Not here: panes
(`pane_methods`). Imports the standard library.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
"""Where there is none, a process's start is a date."""


class PaneNames:
    """A file of them.

    Args:
        path: of the file; None keeps none.
        is_first: whether no desk was here before, so that there is nothing to know.
    """

    def __init__(self, path: Path | None, is_first: bool) -> None:
        self._path = path
        self._is_first = is_first
        self._boot = _boot()
        self._kept: list[str] | None = None

    def read(self) -> list[str] | None:
        """Return what was kept; None when a desk was here before and nobody knows what it kept."""
        if self._path is None:
            return []
        try:
            boot, *names = self._path.read_text("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            return [] if self._is_first else None
        return [name for name in names if name] if boot == self._boot else []

    def keep(self, names: Iterable[str]) -> None:
        """Write them down; where that fails nothing is there, and the next desk knows that."""
        wanted = sorted(set(names))
        if self._path is None or wanted == self._kept:
            return
        draft = self._path.with_name(f"{self._path.name}.new")
        try:
            draft.touch(mode=0o600)
            draft.write_text("\n".join((self._boot, *wanted)), "utf-8")
            draft.replace(self._path)
            self._kept = wanted
        except OSError:
            self._kept = None
            for each in (draft, self._path):
                with suppress(OSError):
                    each.unlink()


def _boot() -> str:
    with suppress(OSError):
        return _BOOT.read_text("ascii").strip()
    return "none"
