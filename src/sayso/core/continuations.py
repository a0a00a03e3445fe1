"""How often each session's turn was made to go on at its end, in a row, without a tool call.

An agent that is stopped from stopping again and again ends its turn in spite of its hooks
(Claude Code the ninth time), and what it was handed then is lost. So who hands something
over at the end of a turn counts: what it handed over itself, and what other hooks did, as
far as the agent tells. In doubt the count is too high: a message then waits a little longer.
Pure; imports `types`.
"""

from __future__ import annotations

from sayso.core.bounds import MOST_CONTINUATIONS
from sayso.core.types import EventType, HookEvent

Key = tuple[str, str]
_CALLS = frozenset({EventType.TOOL_DONE, EventType.TOOL_FAILED, EventType.BATCH})


class _Row:
    """The continuations of one session since its last tool call."""

    __slots__ = ("called", "count", "handed", "stop_s")

    def __init__(self) -> None:
        self.count = 0
        self.handed = False
        """Whether we made it go on at its last end, which is counted already."""
        self.called = False
        """Whether a tool call was seen since its last end."""
        self.stop_s = float("-inf")

    @property
    def runs(self) -> bool:
        """Whether a tool call now would end the row: until then its observers must speak."""
        return self.count > 0 and not self.called


class Continuations:
    """The rows of all sessions that have one."""

    def __init__(self) -> None:
        self._rows: dict[Key, _Row] = {}

    def note(self, event: HookEvent) -> None:
        """Take in an event of a main agent."""
        key = (event.agent, event.session_id)
        if event.type is EventType.SESSION_END:
            self._rows.pop(key, None)
        elif event.type is EventType.STOP:
            self._stopped(key, event)
        elif event.type in _CALLS and key in self._rows:
            row = self._rows[key]
            if event.at_s >= row.stop_s:
                row.called, row.count, row.handed = True, 0, False
        elif event.type is EventType.PROMPT and key in self._rows:
            # It may have been typed into the turn that goes on: the next stop tells.
            self._rows[key].handed = False

    def _stopped(self, key: Key, event: HookEvent) -> None:
        row = self._rows.setdefault(key, _Row())
        if event.at_s < row.stop_s:
            return
        if event.continued and not row.called and not row.handed:
            row.count += 1  # another hook did it
        elif not event.continued and not row.handed:
            row.count = 0
        row.stop_s, row.called, row.handed = event.at_s, False, False

    def hand_over(self, agent: str, session_id: str) -> None:
        """Count that the turn is made to go on."""
        row = self._rows.setdefault((agent, session_id), _Row())
        row.count += 1
        row.handed = True

    def take_back(self, agent: str, session_id: str) -> None:
        """What was to make the turn go on could not be handed over after all."""
        row = self._rows.get((agent, session_id))
        if row is not None and row.handed:
            row.count -= 1
            row.handed = False

    def is_full(self, agent: str, session_id: str) -> bool:
        """Whether the turn must not be made to go on once more."""
        row = self._rows.get((agent, session_id))
        return row is not None and row.count >= MOST_CONTINUATIONS

    def runs(self, agent: str, session_id: str) -> bool:
        """Whether a row is being counted, so that a tool call has to be seen."""
        row = self._rows.get((agent, session_id))
        return row is not None and row.runs

    def forget(self, agent: str, session_id: str) -> None:
        self._rows.pop((agent, session_id), None)
