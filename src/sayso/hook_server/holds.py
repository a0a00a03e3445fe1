"""What waits for an answer, and ends once: in one way, whoever is first, on whichever thread.

Not here: what an event says (`events`), and how its caller is answered (`connection`). May import the
standard library only.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

NOTHING = b"{}"
"""What a caller is told when nothing was decided."""


class Ending(StrEnum):
    """How an event ended."""

    ANSWERED = "answered"
    """It was answered, and the answer given to its caller."""
    DROPPED = "dropped"
    """The program let go of it: nothing was decided."""
    GONE = "gone"
    """Its caller went away: the agent asks no more, or its time was over."""
    STOPPED = "stopped"
    """The server was stopped: nothing was decided."""


class Hold:
    """A caller that waits.

    There is no lock: what ends a hold may be the collection of garbage, which comes at any moment on any
    thread, inside of a lock too. Putting the first entry into a dictionary is one step, and so is
    taking the last one from a list.
    """

    __slots__ = ("_end", "_tell")

    def __init__(self) -> None:
        self._end: dict[str, tuple[Ending, bytes]] = {}
        self._tell: list[Callable[[], None]] = []

    @property
    def ending(self) -> Ending | None:
        """How it ended; None while somebody waits."""
        end = self._end.get("end")
        return end[0] if end else None

    @property
    def answer(self) -> bytes:
        """What the caller is told."""
        end = self._end.get("end")
        return end[1] if end else NOTHING

    def end(self, ending: Ending, answer: bytes = NOTHING) -> bool:
        """End it; return whether it had not ended before."""
        mine = (ending, answer)
        if self._end.setdefault("end", mine) is not mine:
            return False
        self._tell_all()
        return True

    def when_over(self, tell: Callable[[], None]) -> None:
        """Call this once, when it ended, on whichever thread; at once if it has."""
        self._tell.append(tell)
        if self._end:
            self._tell_all()

    def forget(self, tell: Callable[[], None]) -> None:
        """Do not call this any more."""
        try:
            self._tell.remove(tell)
        except ValueError:
            return

    def _tell_all(self) -> None:
        while True:
            try:
                tell = self._tell.pop()
            except IndexError:
                return
            tell()
