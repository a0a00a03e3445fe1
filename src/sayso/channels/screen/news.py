"""What programs wanted the person to know: told for a while, or until it is taken away.

Pure: time is an argument. Imports `wire.views`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from sayso.wire.views import NoteView

TELL_S = 60.0
MOST = 3
"""How many are shown at once, the latest."""
REMEMBERED = 256
"""A desk that one connects to again tells its latest notes again."""


class News:
    def __init__(self) -> None:
        self._heard: deque[tuple[NoteView, float]] = deque(maxlen=REMEMBERED)
        self._since = 0.0

    def hear(self, notes: Sequence[NoteView], now_s: float) -> None:
        """Take notes of the desk; what was heard before is not news."""
        known = {note for note, _ in self._heard}
        self._heard += [(note, now_s) for note in notes if note not in known]

    def told(self, now_s: float) -> list[NoteView]:
        """Return what is to be shown, the latest last."""
        fresh = [note for note, at_s in self._heard if now_s - at_s < TELL_S and at_s > self._since]
        return fresh[-MOST:]

    def dismiss(self, now_s: float) -> None:
        self._since = now_s
