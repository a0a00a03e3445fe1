"""What is told by a notice, and when: a grace first, bursts in one, nothing twice.

Pure: time is an argument, and who looks at what is told. Few notices are the aim, and yet no
request without a place where it is seen: whoever sees it anyway is not called, for a while.
Not here: what a notice says (`notice_text`), how it is sent (`notice_senders`), who looks
where (`tmux_focus`). Imports `wire` and `core.types`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sayso.core.types import Settings
from sayso.wire.views import Change, NoteView, RequestView, SessionView, Snapshot

GAP_S = 3.0
"""Between two notices; what comes sooner goes into one."""
LOOK_S = 5.0
"""After this it is looked again whether somebody still sees a request."""
TRUST_S = 120.0
"""A request that somebody seems to see for this long is told all the same: they may have left."""
MOST_NOTES = 16
"""Of those that wait for their notice; more than these are counted, and not kept."""
_AT_WORK = frozenset({"working", "waiting"})
SETTLED_BY_HAND = frozenset({"bypass_mode", "by_hand", "prompt_typed"})
"""Reasons of notices without buttons of which nobody need be called: nothing waits, or they know."""


Note = NoteView | SessionView
"""What is told once: a program's note, or a session whose turn has ended."""


class Batch(NamedTuple):
    """What one notice tells, the oldest first. `waiting`: how many wait in all, told before or not.

    `notes` are kept up to MOST_NOTES; `note_count` counts them all.
    """

    requests: tuple[RequestView, ...] = ()
    notes: tuple[Note, ...] = ()
    note_count: int = 0
    waiting: int = 0


class _New(NamedTuple):
    view: RequestView
    since_s: float
    look_s: float
    """Not before this: it was seen when it was looked at last."""


class _Ended(NamedTuple):
    """A turn that has ended, and nothing came after it."""

    view: SessionView
    since_s: float


class Notices:
    """What waits and was not told yet."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._new: dict[str, _New] = {}
        self._told: set[str] = set()
        self._notes: list[Note] = []
        self._note_count = 0
        self._ended: dict[str, _Ended] = {}
        self._at_work: set[str] = set()
        self._muted: set[tuple[str, str]] = set()
        self._free_s = float("-inf")
        self._next_s: float | None = None
        self._counted = True

    @property
    def wanted(self) -> bool:
        """Whether anything is to be told by anything."""
        return self.settings.desktop_notices or bool(self.settings.on_request)

    # --- what happens ------------------------------------------------------------------

    def hear(self, change: Change, now: float) -> None:
        """Take note of a change."""
        if change.snapshot is not None or change.settings is not None or change.note is not None:
            self._counted = False
        if change.snapshot is not None:
            self._begin(change.snapshot, now)
        if change.settings is not None:
            self.settings = change.settings
        if change.request is not None:
            self._follow(change.request, change.type == "forgotten", now)
        if change.session is not None:
            self._hear_session(change.session, change.type == "session_forgotten", now)
        if change.note is not None and self.wanted:
            self._note(change.note)

    def _note(self, note: Note) -> None:
        self._note_count += 1
        self._notes = [*self._notes, note][:MOST_NOTES]

    def _begin(self, snapshot: Snapshot, now: float) -> None:
        self.settings = snapshot.settings
        there = {view.id for view in snapshot.requests}
        for gone in [one for one in (*self._new, *self._told) if one not in there]:
            self._forget(gone)
        for view in snapshot.requests:
            self._follow(view, False, now)
        self._muted = {(view.agent, view.session_id) for view in snapshot.sessions if view.muted}
        self._at_work = {turn_id(view) for view in snapshot.sessions if view.state in _AT_WORK}
        self._ended.clear()

    def _hear_session(self, view: SessionView, over: bool, now: float) -> None:
        key, session = turn_id(view), (view.agent, view.session_id)
        was_muted, was_at_work = session in self._muted, key in self._at_work
        (self._muted.add if view.muted and not over else self._muted.discard)(session)
        (self._at_work.add if view.state in _AT_WORK and not over else self._at_work.discard)(key)
        if was_muted != (session in self._muted):
            self._counted = False
        if view.state != "idle" or over:
            self._ended.pop(key, None)
        elif was_at_work and self.settings.notice_turn_ends:
            self._ended[key] = _Ended(view, now)
            self._expect(now + self.settings.notice_grace_s)

    def _follow(self, view: RequestView, over: bool, now: float) -> None:
        if over or not calls(view):
            self._forget(view.id)
        elif view.id not in self._told:
            one = (self._new.get(view.id) or _New(view, now, now))._replace(view=view)
            self._new[view.id] = one
            self._expect(self._due_s(one))

    def _forget(self, request_id: str) -> None:
        self._new.pop(request_id, None)
        self._told.discard(request_id)

    # --- what is due -------------------------------------------------------------------

    def next_s(self) -> float | None:
        """Return when to look again; None as long as nothing is due.

        It may be sooner than anything is due: what ends does not change it, or each of thousands
        that end would be counted through.
        """
        if not self._counted:
            self._next_s, self._counted = self._count(), True
        return self._next_s

    def is_due(self, now: float) -> bool:
        """Return whether something is due, counted anew."""
        self._counted = False
        due_s = self.next_s()
        return due_s is not None and due_s <= now

    def _count(self) -> float | None:
        if not self.wanted:
            return None
        due = [self._due_s(one) for one in self._new.values() if not self._is_muted(one.view)]
        due += [self._turn_due_s(one) for one in self._ended.values() if not self._is_muted(one.view)]
        if self._note_count:
            due.append(self._free_s)
        return max(self._free_s, min(due)) if due else None

    def _expect(self, due_s: float) -> None:
        if self._counted and self.wanted:
            due_s = max(self._free_s, due_s)
            self._next_s = due_s if self._next_s is None else min(self._next_s, due_s)

    def _due_s(self, one: _New) -> float:
        return max(one.since_s + self.grace_s(one.view), one.look_s)

    def grace_s(self, view: RequestView) -> float:  # noqa: ARG002 - others look at the request
        """Return how long a request may go untold after it came."""
        return self.settings.notice_grace_s

    def _turn_due_s(self, one: _Ended) -> float:
        return one.since_s + self.settings.notice_grace_s

    def _is_muted(self, view: RequestView | SessionView) -> bool:
        return (view.agent, view.session_id) in self._muted

    def new(self) -> tuple[RequestView, ...]:
        """Return what would be told if one is due: also what came a moment ago."""
        return tuple(one.view for one in self._new.values() if not self._is_muted(one.view))

    def turns(self) -> tuple[SessionView, ...]:
        """Return the sessions whose turn has ended, and of which that would be told."""
        return tuple(one.view for one in self._ended.values() if not self._is_muted(one.view))

    def take(self, seen: Collection[str], now: float) -> Batch | None:
        """Return what is to be told now, which then counts as told; None if nothing is.

        Args:
            seen: ids of requests that somebody sees anyway, and of turns (`turn_id`).
        """
        if not self.is_due(now):
            return None
        self._counted = False
        if self._calls_for(seen, now):
            told = [
                one
                for one in self._new.values()
                if not (self._is_seen(one, seen, now) or self._is_muted(one.view))
            ]
            return self._tell(told, now)
        self._note_turns(seen, now)
        return self._tell_notes(now) if self._note_count else None

    def _calls_for(self, seen: Collection[str], now: float) -> bool:
        """Whether one is due that nobody sees. What is seen is looked at again later."""
        found = False
        for request_id, one in self._new.items():
            if self._due_s(one) > now or self._is_muted(one.view):
                continue
            if not self._is_seen(one, seen, now):
                found = True
            else:
                self._new[request_id] = one._replace(look_s=min(now + LOOK_S, one.since_s + TRUST_S))
        return found

    def _note_turns(self, seen: Collection[str], now: float) -> None:
        """Make notes of the turns whose end is due; who sees one ended is not called for it."""
        for key, one in list(self._ended.items()):
            if self._turn_due_s(one) <= now and not self._is_muted(one.view):
                del self._ended[key]
                if key not in seen:
                    self._note(one.view)

    def _is_seen(self, one: _New, seen: Collection[str], now: float) -> bool:
        return one.view.id in seen and now < one.since_s + TRUST_S

    def _tell(self, told: Iterable[_New], now: float) -> Batch:
        views = tuple(one.view for one in told)
        for view in views:
            del self._new[view.id]
            self._told.add(view.id)
        self._free_s = now + GAP_S
        return Batch(requests=views, waiting=self.waiting)

    def _tell_notes(self, now: float) -> Batch:
        batch = Batch(notes=tuple(self._notes), note_count=self._note_count, waiting=self.waiting)
        self._notes, self._note_count = [], 0
        self._free_s = now + GAP_S
        return batch

    @property
    def waiting(self) -> int:
        """How many wait, told or not."""
        return len(self._new) + len(self._told)

    def still(self, batch: Batch) -> Batch:
        """Return a batch without what has ended since it was taken."""
        left = tuple(view for view in batch.requests if view.id in self._told)
        return batch._replace(requests=left, waiting=self.waiting)


def calls(view: RequestView) -> bool:
    """Whether a person is needed: a request that waits, or one that an agent's terminal shows."""
    if view.notice:
        return view.reason not in SETTLED_BY_HAND
    return view.state == "pending"


def turn_id(view: SessionView) -> str:
    """Return what names a session's turn among what somebody may see."""
    return f"turn {view.agent} {view.session_id} {view.process}"


def in_terminal(view: RequestView) -> bool:
    """Whether who looks at the agent's terminal sees it: of an exclusive request nothing is there."""
    return view.notice or view.hold == "parallel"


def together(first: Batch, second: Batch) -> Batch:
    """Return two batches as one, for what could not be told in time."""
    known = {view.id for view in first.requests}
    return Batch(
        requests=(*first.requests, *(view for view in second.requests if view.id not in known)),
        notes=(*first.notes, *second.notes)[:MOST_NOTES],
        note_count=first.note_count + second.note_count,
        waiting=second.waiting,
    )
