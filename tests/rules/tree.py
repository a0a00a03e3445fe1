"""The files of this repository, for tests of rules about them."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE_BY_TOOLS = {"build", "dist", "htmlcov", "node_modules", "__pycache__"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file under version control; in a copy without it, every file that no tool made."""
    command = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    if listed.returncode == 0 and listed.stdout:
        names = (ROOT / name for name in listed.stdout.split("\0") if name)
        return tuple(path for path in names if path.is_file())  # not one that is being removed
    return tuple(_walk())


def _walk() -> list[Path]:
    found: list[Path] = []
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if not name.startswith(".") and name not in MADE_BY_TOOLS]
        found += [Path(folder) / name for name in names]
    return sorted(found)


def python_files(*folders: str) -> list[Path]:
    """What is there now, tracked or not."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if "node_modules" not in path.parts)
