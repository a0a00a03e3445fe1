"""The requests of the screen: their order, the one in front, and what became of answers.

Pure: time is an argument. The front moves by itself only while `pinned` is off, and every
move is stamped, so that a key meant for one card cannot fall on another. Imports
`actions`, `base`, `replies`, `core.types` and `wire.views`.
"""

from __future__ import annotations

from msgspec.structs import replace

from sayso.channels.base import HANDED_OVER, LOUD
from sayso.channels.replies import unread
from sayso.channels.screen.actions import Action, Bell, Load
from sayso.core.types import Row
from sayso.wire.views import Change, RequestView, Snapshot

READ_END_S = 3.0
"""How long a card that somebody else settled stays in front before the next one comes."""
TELL_S = 60.0
"""How long the line on an answer's way stays; a loud one stays until it is dismissed."""
NEVER_S = float("-inf")


class Deck:
    """`front` is the id of the card in front, "" for none; `front_at_s` when it came there.
    `pinned`: somebody types into it. `returned`: answered here, and asked again by a desk that
    started anew, because it never handed the answer over. `unseen`: taken by the person although
    a part of it cannot be shown."""

    def __init__(self) -> None:
        self.views: dict[str, RequestView] = {}
        self.front = ""
        self.front_at_s = NEVER_S
        self.pinned = False
        self.boot = ""
        self._ended_at_s: float | None = None
        self._whole: dict[str, dict[int, Row]] = {}
        self._told_at_s: dict[str, float] = {}
        self._mine: set[str] = set()
        self.returned: list[str] = []
        self.unseen: set[str] = set()

    # --- what is there

    def pending(self) -> list[str]:
        """Return the ids of what waits for a person, the oldest first."""
        return [view.id for view in self.views.values() if waits(view)]

    def notices(self) -> list[str]:
        return [view.id for view in self.views.values() if view.notice]

    def order(self) -> list[str]:
        """Return the ids one can move through; a front that has ended keeps its place."""
        listed = [view.id for view in self.views.values() if waits(view) or view.id == self.front]
        return listed + [each for each in self.notices() if each != self.front]

    def current(self) -> RequestView | None:
        """Return the card in front, with every row as whole as it is known."""
        view = self.views.get(self.front)
        if view is None or view.id not in self._whole:
            return view
        whole = self._whole[view.id]
        return replace(view, input=tuple(whole.get(index, row) for index, row in enumerate(view.input)))

    def unread(self) -> list[int]:
        """Return the rows of the front that are still to be fetched."""
        view, whole = self.current(), self._whole.get(self.front, {})
        return [index for index in unread(view) if index not in whole] if view else []

    def outcomes(self, now_s: float) -> list[RequestView]:
        """Return the requests whose way is told, loud ones first, then the latest."""
        told = [
            (self.views[each].state not in LOUD, -at_s, each)
            for each, at_s in self._told_at_s.items()
            if each in self.views
            and not waits(self.views[each])
            and (self.views[each].state in LOUD or now_s - at_s < TELL_S)
        ]
        return [self.views[each] for _, _, each in sorted(told)]

    # --- what happens

    def take(self, change: Change, now_s: float) -> list[Action]:
        """Take a change of the desk."""
        actions: list[Action] = []
        if change.snapshot is not None:
            actions = self._reset(change.snapshot, now_s)
        elif change.request is not None and change.type == "forgotten":
            self._forget(change.request.id)
        elif change.request is not None:
            actions = self._shown(change, change.request, now_s)
        return [*actions, *self._settle_front(now_s)]

    def _shown(self, change: Change, view: RequestView, now_s: float) -> list[Action]:
        if change.type != "shown":
            return self._update(view, now_s, self.views.get(view.id))
        self._notice_return(view)
        self._begin_anew(view.id, now_s)
        actions = self._update(view, now_s, self.views.get(view.id))
        return [*actions, *(Load(view.id, index) for index in self.unread() if view.id == self.front)]

    def _begin_anew(self, request_id: str, now_s: float) -> None:
        """Forget what was read under an id: who asks chose it, and may ask something else under it now."""
        self._whole.pop(request_id, None)
        self.unseen.discard(request_id)
        if request_id == self.front:
            self.front_at_s = now_s

    def _reset(self, snapshot: Snapshot, now_s: float) -> list[Action]:
        before, self.views = self.views, {}
        restarted, self.boot = self.boot not in ("", snapshot.boot), snapshot.boot
        actions: list[Action] = []
        for request_id in before if restarted else ():
            self._begin_anew(request_id, now_s)
        for view in (*snapshot.requests, *snapshot.ended):
            if restarted:
                self._notice_return(view)
            actions += self._update(view, now_s, before.get(view.id))
        for request_id in {self.front, *self._told_at_s} - set(self.views):
            if request_id in before:
                actions += self._update(_unknown(before[request_id]), now_s, before[request_id])
        self._whole = {each: rows for each, rows in self._whole.items() if each in self.views}
        return [*actions, *(Load(self.front, index) for index in self.unread())]

    def _notice_return(self, view: RequestView) -> None:
        """See whether a desk that started anew asks again what was answered here."""
        if view.id in self._mine and waits(view):
            self._mine.discard(view.id)
            self.returned.append(view.id)

    def _update(self, view: RequestView, now_s: float, was: RequestView | None) -> list[Action]:
        self.views[view.id] = view
        if was is None or was.state == view.state:
            return []
        if view.id in self._mine or view.id == self.front or view.state in LOUD:
            self._told_at_s[view.id] = now_s
        return [Bell()] if view.state in LOUD else []

    def _forget(self, request_id: str) -> None:
        if request_id != self.front:
            self.views.pop(request_id, None)
            self._whole.pop(request_id, None)
            self._told_at_s.pop(request_id, None)
            self._mine.discard(request_id)

    def _settle_front(self, now_s: float) -> list[Action]:
        """Bring a card to the front where there is none, or only one without buttons."""
        view = self.views.get(self.front)
        if view is not None and waits(view):
            self._ended_at_s = None
            return []
        if view is not None and not view.notice:
            self._ended_at_s = self._ended_at_s or now_s
            return []
        return self._next(now_s)

    def _next(self, now_s: float) -> list[Action]:
        waiting = self.pending() or self.notices()
        if self.pinned or (self.front in waiting and not self.pending()):
            return []
        return self.bring(waiting[0] if waiting else "", now_s)

    def bring(self, request_id: str, now_s: float) -> list[Action]:
        """Bring a card to the front."""
        if request_id == self.front:
            return []
        self.front, self.front_at_s, self._ended_at_s = request_id, now_s, None
        view = self.views.get(request_id)
        if view is not None and not waits(view) and not view.notice:
            self._ended_at_s = now_s
        return [Load(request_id, index) for index in self.unread()]

    def unpin(self, now_s: float) -> list[Action]:
        """Let the front move again."""
        self.pinned = False
        return self._settle_front(now_s)

    def move(self, step: int, now_s: float) -> list[Action]:
        """Go on to the next card, or back to the one before."""
        order = self.order()
        if not order:
            return self.bring("", now_s)
        at = order.index(self.front) if self.front in order else -1
        return self.bring(order[(at + step) % len(order)], now_s)

    def sent(self, request_id: str, now_s: float) -> list[Action]:
        """The desk took an answer: its way is told from now on, and the next card comes."""
        self._mine.add(request_id)
        self._told_at_s[request_id] = now_s
        view = self.views.get(request_id)
        if view is not None and waits(view):  # the change that says so is on its way
            self.views[request_id] = replace(view, state="answered")
        if request_id != self.front or self.pinned:
            return []
        waiting = self.pending()
        return self.bring(waiting[0] if waiting else "", now_s)

    def tick(self, now_s: float) -> list[Action]:
        """Move on from a card that ended a while ago."""
        if self._ended_at_s is None or now_s - self._ended_at_s < READ_END_S or not self.pending():
            return []
        return self._next(now_s)

    def load(self, request_id: str, index: int, row: Row) -> None:
        """Take a row as it was fetched."""
        self._whole.setdefault(request_id, {})[index] = row

    def dismiss(self, now_s: float) -> None:
        """Take the lines on answers away."""
        for view in self.outcomes(now_s):
            self._told_at_s.pop(view.id)


def waits(view: RequestView) -> bool:
    return view.state == "pending" and not view.notice


def _unknown(view: RequestView) -> RequestView:
    """Return a request of which the desk, after a restart or a long break, says nothing."""
    if view.state not in ("pending", "answered") and view.state not in HANDED_OVER:
        return view
    return replace(view, state="withdrawn", reason="unknown", ending="the desk does not know it any more")
