"""What `sayso watch --json` writes: a line of JSON for each change, for programs.

A line is the desk's own change, with what a status bar would have to count put beside it. Members and
types are only ever added; `VERSION` is raised if that promise had to be broken. Pure. Imports msgspec.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

VERSION = 1
LINES: dict[str, str] = {
    "snapshot": "everything, as of now: the first line, the first after the desk came back, and the whole of "
    "what `--once` writes",
    "shown": "a request or notice appeared",
    "resolved": "a request waits no more",
    "changed": "it moved on after that: handed over, confirmed, overruled, lost",
    "forgotten": "it is no longer kept; nothing happened to it",
    "session": "a session began, works, waits, is idle or has ended",
    "session_forgotten": "it is no longer kept",
    "message": "a message to a session is queued, taken, handed over or dropped",
    "settings": "a setting was changed",
    "grants": "all that is allowed for a while, after any of it changed",
    "alert": "a program of an agent tried what only a person may, and was refused",
    "note": "a program left a note",
    "absent": "the desk went away two seconds ago, and has not come back",
}
"""The types of lines."""


class Beside(Struct, frozen=True, kw_only=True):
    """What a line has beside the change itself.

    `waiting`: how many requests wait for a person now; on lines of the types snapshot, shown, resolved,
    changed, forgotten and absent. `version`: on snapshots, and so on the first line. `reconnected`: on a
    snapshot before which the desk had gone away; its `boot` says whether it is another run of it.
    """

    waiting: int | None = None
    version: int | None = None
    reconnected: bool = False


class Absent(Struct, frozen=True, kw_only=True):
    """A line of the type `absent`. `waiting` is 0: nothing can be answered until the next snapshot."""

    type: str = "absent"
    waiting: int = 0


class Stream:
    """Makes lines of changes, and counts what waits."""

    def __init__(self) -> None:
        self._waiting: set[str] = set()

    def line(self, change: dict[str, Any], reconnected: bool = False) -> dict[str, Any]:
        """Return the line of a change, as the wire has it. A snapshot begins the count anew."""
        if (snapshot := change.get("snapshot")) is not None:
            self._waiting = {view["id"] for view in snapshot["requests"] if _waits(view)}
            again = {"reconnected": True} if reconnected else {}
            return {"version": VERSION, **again, "waiting": len(self._waiting), **change}
        if (request := change.get("request")) is None:
            return change
        if change["type"] != "forgotten" and _waits(request):
            self._waiting.add(request["id"])
        else:
            self._waiting.discard(request["id"])
        return {**change, "waiting": len(self._waiting)}


def _waits(view: dict[str, Any]) -> bool:
    return view["state"] == "pending" and not view.get("notice", False)
