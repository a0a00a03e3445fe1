"""What programs want a person to know: bounded, so that none can drown the others.

Not here: how a note looks (`wire.views`), who may send one (`wire.protocol`).
"""

from __future__ import annotations

from collections import deque

from sayso.errors import TooMany
from sayso.wire.ask_user import Note
from sayso.wire.views import Clock, NoteView, project_of

EVERY_S = 60.0
"""The time in which notes are counted."""
MOST = 20
"""How many notes of one process are taken in EVERY_S."""
MOST_IN_ALL = 200
"""The same of all processes together."""
KEPT = 50
"""How many, the latest, a channel that connects is told."""
KEPT_S = 300.0
"""How long a channel that connects is still told."""


class Allowance:
    """Who sent how many notes lately."""

    def __init__(self) -> None:
        self._sent: deque[tuple[float, str]] = deque()

    def take(self, process: str, now: float) -> None:
        """Count a note of a process. Raises TooMany."""
        while self._sent and now - self._sent[0][0] >= EVERY_S:
            self._sent.popleft()
        own = sum(1 for _, sender in self._sent if sender == process)
        if own >= MOST or len(self._sent) >= MOST_IN_ALL:
            raise TooMany(f"more than {MOST} notes within {EVERY_S:.0f} s: send fewer")
        self._sent.append((now, process))


class Notes:
    """The notes of the last minutes, oldest first."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, NoteView]] = deque(maxlen=KEPT)

    def note(self, note: Note, agent: str, now: float, clock: Clock, of_desk: bool = False) -> NoteView:
        """Keep a note, whose texts are masked; return it as it is shown."""
        view = NoteView(
            agent=agent,
            title=note.title,
            at=clock.at(now),
            body=note.body,
            label=note.label,
            surface_id=note.surface_id,
            project=project_of(note.cwd),
            of_desk=of_desk,
        )
        self._kept.append((now, view))
        return view

    def kept(self, now: float) -> tuple[NoteView, ...]:
        return tuple(view for at_s, view in self._kept if now - at_s < KEPT_S)
