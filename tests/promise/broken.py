"""What a change breaks of what was promised. Imports nothing of sayso.

Adding is free; taking away, renaming, and another type are not, nor is more power for what needed
less. A member that is added to a shape must be one that may be left out: programs that send the
shape do not know it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def broken(promised: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return what is broken, in words."""
    if promised["protocol"] != now["protocol"]:
        return []  # another protocol: hooks of the old one decide nothing, and say so
    found: list[str] = []
    for kind in ("methods", "routes"):
        found += [f"{kind}: {name}: {why}" for name, why in _changed(promised[kind], now[kind])]
    for name, members in promised["shapes"].items():
        given = now["shapes"].get(name)
        if given is None:
            found.append(f"shapes: {name}: it is gone")
            continue
        found += [f"shapes: {name}.{member}: {why}" for member, why in _changed(members, given)]
        added = sorted(given.keys() - members.keys())
        found += [
            f"shapes: {name}.{member}: it is new, and may not be left out"
            for member in added
            if given[member].endswith("!")
        ]
    return found


def _changed(before: dict[str, str], after: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, what in before.items():
        if name not in after:
            yield name, "it is gone"
        elif after[name] != what:
            yield name, f"it was {what!r} and is {after[name]!r}"
