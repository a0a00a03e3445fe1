"""Where hooks of ours were put: the paths, one a line, so that other folders' settings are not forgotten.

A list of places to look at, no more: what stands there is read anew each time. Lost, it is missed by nobody
but a person with settings in several projects.

Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import os
from pathlib import Path

from sayso.install import InstallRefused, files

_NAME = "placements"


def known(state: Path, name: str = _NAME) -> list[Path]:
    """Return the paths of settings, and of plugins' hooks, that were written and not removed since.

    `name`: of the list; each agent has its own.
    """
    try:
        text = files.read(state / name).text or ""
    except (OSError, InstallRefused):
        return []
    return [Path(line) for line in text.splitlines() if line.startswith("/")]


def note(state: Path, path: Path, name: str = _NAME) -> None:
    """Remember a path. One that does not fit on a line is left out."""
    path = Path(os.path.realpath(path))
    if str(path).isprintable():
        _change(state, name, [*(each for each in known(state, name) if each != path), path])


def forget(state: Path, path: Path, name: str = _NAME) -> None:
    path = Path(os.path.realpath(path))
    if path in (before := known(state, name)):
        _change(state, name, [each for each in before if each != path])


def _change(state: Path, name: str, paths: list[Path]) -> None:
    text = "".join(f"{path}\n" for path in paths) or None
    files.edit(state / name, lambda _: text, state, lambda _: True)
