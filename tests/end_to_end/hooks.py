"""The hooks of a desk as the system sees them: processes, and starts that can be counted.

May import the standard library only.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk


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
