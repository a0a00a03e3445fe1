"""The list of generated pages, their writing and their comparison.

A page is a function that returns its text. Not here: what stands in one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.docs import (
    agents,
    bounds,
    commands,
    errors,
    events,
    hooks,
    http,
    keys,
    masking,
    python,
    required,
    settings,
    shapes,
    socket,
    states,
)

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reference"
MARK = "<!-- Made from the code by `python -m tests.docs`: change the code, not this page. -->"

PAGES: dict[str, Callable[[], str]] = {
    "agents.md": agents.page,
    "bounds.md": bounds.page,
    "commands.md": commands.page,
    "errors.md": errors.page,
    "events.md": events.page,
    "hooks.md": hooks.page,
    "http.md": http.page,
    "keys.md": keys.page,
    "masking.md": masking.page,
    "python.md": python.page,
    "requirements.md": required.page,
    "settings.md": settings.page,
    "shapes.md": shapes.page,
    "socket.md": socket.page,
    "states.md": states.page,
}


def text_of(name: str) -> str:
    """Return what a page must hold."""
    title, _, rest = PAGES[name]().partition("\n")
    return f"{title}\n\n{MARK}\n{rest.rstrip()}\n"


def stale() -> list[str]:
    """Return the pages that are missing or are not what the code says."""
    return [name for name in PAGES if _read(name) != text_of(name)]


def write() -> list[str]:
    """Write the pages that differ; return their names."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    changed = stale()
    for name in changed:
        (FOLDER / name).write_text(text_of(name), encoding="utf-8")
    return changed


def _read(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.exists() else ""
