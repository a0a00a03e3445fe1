"""The hooks of a desk as the system sees them: processes, and starts that can be counted.

May import the standard library only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk

Json = dict[str, Any]


def waiting_hooks(desk: Desk) -> list[int]:
    """Return the pids of this desk's hooks that run now."""
    socket = str(desk.places.socket).encode()
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:  # ended meanwhile
            continue
        if socket in words and b"-S" in words[:3]:
            found.append(int(folder.name))
    return found


def wait_no_hooks(desk: Desk) -> None:
    """Wait until none runs any more: the desk knows all of an event before its hook has ended."""
    desk.wait_for(lambda: None if waiting_hooks(desk) else True, "end of the hooks")


def with_interpreter(settings: Json, path: Path) -> Json:
    """Return settings in which the hooks name another interpreter, at the same place of the command."""
    text = json.dumps(settings)
    start = settings["hooks"]["Stop"][0]["hooks"][0]["args"]
    python = start[start.index("-I") - 1]
    changed: Json = json.loads(text.replace(json.dumps(python), json.dumps(str(path))))
    return changed


class Counter:
    """An interpreter that leaves a line each time it is started, and then is the real one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "counting-python"
        self._lines = folder / "starts"
        script = f'#!/bin/sh\necho start >>{self._lines}\nexec {sys.executable} "$@"\n'
        self.path.write_text(script)
        self.path.chmod(0o755)

    def starts(self) -> int:
        return len(self._lines.read_text().splitlines()) if self._lines.exists() else 0
