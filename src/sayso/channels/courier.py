"""One answer from a person to the desk, and what becomes of it, over a blocking connection.

Subscribes before it sends, so that nothing is missed; sends again under the same key when the
connection breaks, so that an answer counts once. Not here: words (`base`) and exit codes
(`cli`). Imports `wire.views` and `errors`; the client is handed in.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol

import msgspec

from sayso.core.types import Row
from sayso.errors import Gone, Unavailable
from sayso.wire.views import AlertView, Change, GrantView, NoteView, RequestView, Snapshot

SNAPSHOT_S = 5.0
FOLLOW_S = 2.0
"""How long to watch for what becomes of an answer."""
AFTERMATH_S = 0.5
"""How long to watch on once it was handed over: an agent that acts at once shows it by then."""
REATTACH_S = 6.0
"""How long after a broken connection the request may take to come back: a hook tries every 5 s."""
_MOVING = frozenset({"pending", "answered"})


class Desk(Protocol):
    """A blocking connection to the desk; values are JSON's builtins."""

    def call(self, method: str, params: dict[str, Any], timeout_s: float = 10) -> Any: ...
    def subscribe(self, after: str = "") -> None: ...
    def next_change(self, timeout_s: float) -> dict[str, Any] | None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


Connect = Callable[[], Desk]


class Courier:
    """A connection that knows every request as the desk last told it.

    `views` by id, in the desk's order; `raw` the same as they stood on the wire.
    """

    def __init__(self, connect: Connect, clock: Callable[[], float] = time.monotonic) -> None:
        self._connect = connect
        self._clock = clock
        self.views: dict[str, RequestView] = {}
        self.raw: dict[str, dict[str, Any]] = {}
        self.alerts: tuple[AlertView, ...] = ()
        self.notes: tuple[NoteView, ...] = ()
        self.grants: tuple[GrantView, ...] = ()
        self.raw_grants: dict[str, dict[str, Any]] = {}
        self.desk = self._open()

    def __enter__(self) -> Courier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.desk.close()

    def _open(self) -> Desk:
        desk = self._connect()
        try:
            desk.subscribe()
            first = desk.next_change(SNAPSHOT_S)
            if first is None:
                raise Unavailable("the desk does not answer; `sayso status` says more")
            self._take(first)
        except BaseException:
            desk.close()
            raise
        return desk

    def _take(self, change: dict[str, Any]) -> None:
        told = msgspec.convert(change, Change)
        if told.snapshot is not None:
            self._reset(told.snapshot, change["snapshot"])
        elif told.request is not None:
            self.views[told.request.id] = told.request
            self.raw[told.request.id] = change["request"]

    def _reset(self, snapshot: Snapshot, raw: dict[str, Any]) -> None:
        self.views = {view.id: view for view in (*snapshot.requests, *snapshot.ended)}
        self.alerts, self.notes, self.grants = snapshot.alerts, snapshot.notes, snapshot.grants
        self.raw_grants = {view["id"]: view for view in raw.get("grants", ())}
        self.raw = {view["id"]: view for view in (*raw["requests"], *raw["ended"])}

    def pending(self) -> list[RequestView]:
        """Return what waits for a person, the oldest first."""
        return [view for view in self.views.values() if view.state == "pending" and not view.notice]

    def row(self, request_id: str, index: int) -> Row:
        """Return a row whole; the desk counts it as seen here."""
        return msgspec.convert(self.desk.call("desk.row", {"id": request_id, "row": index}), Row)

    def answer(self, request_id: str, reply: dict[str, object]) -> RequestView:
        """Give the answer and return the request as it stands once it moved on, or after a while.

        The first step of a command moves nothing: it is still pending then.

        Raises:
            SaysoError: the desk refused it, or cannot be reached even at the second try.
            Gone: meanwhile something else is asked under the id; nothing was answered.
        """
        params: dict[str, Any] = {"id": request_id, "reply": {**reply, "key": secrets.token_hex(16)}}
        before = self.views.get(request_id)
        try:
            result = self.desk.call("desk.answer", params)
        except Unavailable:
            self._reconnect(request_id)
            now = self.views.get(request_id)
            if before is not None and now is not None and _asked(now) != _asked(before):
                raise Gone(
                    "the desk started anew, and asks something else under this id: look at it again"
                ) from None
            result = self.desk.call("desk.answer", params)
        if result.get("acknowledged") and before is not None:
            return before
        return self.follow(request_id)

    def _reconnect(self, request_id: str) -> None:
        self.desk.close()
        self.desk = self._open()
        until = self._clock() + REATTACH_S
        while request_id not in self.views and (left := until - self._clock()) > 0:
            change = self.desk.next_change(left)
            if change is None:
                break
            self._take(change)

    def follow(self, request_id: str) -> RequestView:
        """Return the request once its answer's way has ended, or as far as it came in time."""
        until = self._clock() + FOLLOW_S
        handed_over = False
        while (left := until - self._clock()) > 0 and self._moves(request_id):
            if not handed_over and self._state(request_id) == "delivered":
                handed_over = True
                until = min(until, self._clock() + AFTERMATH_S)
                continue
            try:
                change = self.desk.next_change(left)
            except Unavailable:
                return self._after_a_break(request_id)
            if change is None:
                break
            self._take(change)
        if request_id not in self.views:
            raise Gone("the desk does not know this request any more")
        return self.views[request_id]

    def _after_a_break(self, request_id: str) -> RequestView:
        """Return a request whose desk went away after it had taken the answer.

        Raises:
            Unavailable: it waits again, or nobody knows: the answer must be given again.
        """
        if self._state(request_id) == "delivered":
            return self.views[request_id]
        self._reconnect(request_id)
        if self._state(request_id) == "pending":
            raise Unavailable("the desk started anew before it handed the answer over: answer again")
        if request_id not in self.views:
            raise Gone("the desk started anew and does not know this request; look at the agent's terminal")
        return self.views[request_id]

    def _state(self, request_id: str) -> str:
        view = self.views.get(request_id)
        return view.state if view else ""

    def _moves(self, request_id: str) -> bool:
        view = self.views.get(request_id)
        moving = _MOVING if view is not None and view.is_own else _MOVING | {"delivered"}
        return self._state(request_id) in moving


def _asked(view: RequestView) -> tuple[object, ...]:
    """Return what an answer is an answer to. Who asks chooses the id, so that alone says little."""
    agents = view.tool, view.suggestions, view.questions, view.fields, view.url
    return view.kind, view.input, *agents, view.title, view.choices, view.default, view.unsafe
