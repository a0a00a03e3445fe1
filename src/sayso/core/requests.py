"""The requests the desk keeps: by id, by session, by waiter, by when something is due.

Every change of state goes through `move`, which asks the table. Not here: what a reply
means (`fit`), what an event says (`evidence`), who watches (`watchers`). Pure.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from sayso.core import direct
from sayso.core.bounds import (
    KEEP_ENDED_BYTES,
    KEEP_ENDED_COUNT,
    KEEP_ENDED_S,
    KEEP_UNPROVEN_S,
    MAX_VALUE_CHARS,
    UNPROVEN_S,
    WRITE_S,
)
from sayso.core.states import ENDED, REQUEST, UNPROVEN, Outcome, State, Trigger, step
from sayso.core.types import Request, Row
from sayso.errors import Gone, OutOfTurn

SessionKey = tuple[str, str]
"""(agent, session_id): what events and requests of one conversation share."""

ENDINGS: dict[State, str] = {
    State.PENDING: "still pending",
    State.ANSWERED: "answered, on its way to the agent",
    State.DELIVERED: "handed to the agent",
    State.CONFIRMED: "confirmed by the agent",
    State.OVERRULED: "overruled: the terminal answered first",
    State.UNCONFIRMED: "handed to the agent; nothing showed whether it took effect",
    State.LOST: "lost: as far as sayso knows, the answer never reached the agent",
    State.EXPIRED: "timed out; the agent's own prompt decides",
    State.RELEASED: "given back to the agent's own prompt",
}
REASONS: dict[str, str] = {
    "closed_in_terminal": "turned down in the terminal, or decided by another hook",
    "tool_ran": "answered in the terminal: it ran",
    "declined_in_terminal": "turned down in the terminal",
    "batch_done": "answered in the terminal",
    "answered_in_terminal": "answered in the terminal",
    "cut_off": "the connection to the agent was lost; it asks in its terminal",
    "new_prompt": "the session moved on: a new prompt was typed",
    "stopped": "the session moved on: its turn is over",
    "subagent_stopped": "the subagent that asked has ended",
    "session_ended": "the session has ended",
    "setting_off": "answering for this agent was switched off",
    "shutdown": "sayso was stopped; the agent's own prompt decides",
    "nobody_watching": "nobody was watching; the agent's own prompt decides",
    "prompt_typed": "somebody is at the terminal; the agent's own prompt decides",
    "by_hand": "given back to the agent's own prompt",
    "not_opted_in": "answering for this agent is switched off; it asks in its terminal",
    "not_showable": "it cannot be shown here; the agent asks in its terminal",
    "too_many": "too many requests are pending; the agent asks in its terminal",
    "bypass_mode": "this session asked never to be asked",
    "hook_failed": "lost: the agent's hook could not pass the answer on",
    "hook_gone": "lost: the agent's hook ended before it could pass the answer on",
    "caller_gone": "the program that asked has ended",
    "caller_lost": "lost: the program that asked ended before it had the answer",
    "cancelled": "taken back by the program that asked",
    "surface_closed": "the pane that it was asked from was closed",
    "not_fetched": "lost: the program that asked never came for the answer",
    "no_receipt": "lost: the agent's hook never said that it passed the answer on",
}
"""What people are told, by the machine's word."""
LAST_WORDS: dict[str, str] = {
    "orphan": "session_ended",
    "hangup": "session_ended",
    "resolved": "answered_in_terminal",
    "turn_over": "stopped",
    "cut_off": "cut_off",
    "setting_off": "setting_off",
}
"""What whoever waited said as it went, and the reason that this is; without a word it was turned down."""


def ending(request: Request) -> str:
    """Return how a request ended, in words; "" while it is pending."""
    if request.state is State.PENDING:
        return ""
    said = REASONS.get(request.reason, "")
    if request.ask.is_own:
        return _direct_ending(request, said)
    if request.reason == "not_showable" and request.ask.unshowable:
        said = f"it cannot be shown here ({request.ask.unshowable}); the agent asks in its terminal"
    if request.state in {State.WITHDRAWN, State.DEFERRED, State.RELEASED, State.LOST} and said:
        return said
    return ENDINGS.get(request.state, said)


def _direct_ending(request: Request, said: str) -> str:
    if request.reason == "shutdown":
        return "sayso was stopped: nothing was decided"
    if request.words:
        return f"{said}: {request.words}"
    if request.reason == "nobody_watching":
        return "nobody was watching: nothing was decided"
    if request.reason == "not_fetched":
        return said
    if request.state is State.ANSWERED and request.is_alone:
        return "answered; the program that asked has not come for it yet"
    return direct.ENDINGS.get(request.state, said)


class Book:
    """All requests that are kept, and the order in which something is due."""

    def __init__(self) -> None:
        self._all: dict[str, Request] = {}
        self._sessions: dict[SessionKey, dict[str, None]] = {}
        self._waiters: dict[str, set[str]] = {}
        self._heap: list[tuple[float, str]] = []
        self._due: dict[str, float] = {}
        self._ended: dict[str, int] = {}
        self._ended_bytes = 0
        self.pending: dict[str, None] = {}
        self._counts: Counter[tuple[str, ...]] = Counter()

    def __iter__(self) -> Iterator[Request]:
        return iter(self._all.values())

    def __len__(self) -> int:
        return len(self._all)

    def get(self, request_id: str) -> Request | None:
        return self._all.get(request_id)

    def need(self, request_id: str) -> Request:
        """Return a request. Raises Gone when it is not kept, or never was."""
        request = self._all.get(request_id)
        if request is None:
            raise Gone("there is no such request any more")
        return request

    def of_session(self, agent: str, session_id: str) -> list[Request]:
        """Return a session's requests, the oldest hook first."""
        ids = self._sessions.get((agent, session_id), {})
        return sorted((self._all[i] for i in ids), key=lambda request: request.ask.started_s)

    def of_waiter(self, waiter: str) -> list[Request]:
        return [self._all[i] for i in sorted(self._waiters.get(waiter, ()))]

    def pending_of(self, process: str) -> int:
        """Return how many requests of an agent's process are pending."""
        return self._counts[(process,)]

    def pending_in(self, agent: str, session_id: str, process: str) -> tuple[int, int]:
        """Return how many requests of a session are pending, and how many of its main agent."""
        key = (agent, session_id, process)
        return self._counts[key], self._counts[(*key, "")]

    def check_new(self, request_id: str) -> None:
        """Raises OutOfTurn when an id is taken, or none."""
        if request_id in self._all or not request_id:
            raise OutOfTurn("this id is taken", "id")

    def add(self, request: Request) -> Request:
        """Take in a new request, whose id was checked; return it as it is kept."""
        if not request.ask.is_own:  # those are of no session: no event concerns them
            key = (request.ask.agent, request.ask.session_id)
            self._sessions.setdefault(key, {})[request.id] = None
        request = _kept(request)
        self._put(None, request)
        return request

    def move(self, request: Request, trigger: Trigger, **changes: Any) -> Request | None:
        """Apply a trigger; return the request as it is now, or None if nothing happened.

        Raises:
            Gone: the request was settled before; says how.
            OutOfTurn: the caller's receipt makes no sense in this state.
        """
        outcome = step(REQUEST, request.state, trigger)
        if isinstance(outcome, State):
            return self.change(request, state=outcome, **changes)
        if outcome is Outcome.GONE:
            raise Gone(f"this request is settled: {ending(request)}", str(request.state))
        if outcome is Outcome.REFUSED:
            raise OutOfTurn(f"a request that is {request.state} takes no such receipt", "id")
        return None

    def change(self, request: Request, **changes: Any) -> Request:
        """Keep a changed request, whatever changed."""
        changed = _kept(replace(request, **changes))
        self._put(request, changed)
        return changed

    def schedule(self, request_id: str, due_s: float | None) -> None:
        """Note when something is due for a request; None for never."""
        if due_s is None:
            self._due.pop(request_id, None)
        elif self._due.get(request_id) != due_s:
            self._due[request_id] = due_s
            heapq.heappush(self._heap, (due_s, request_id))

    def due(self, now: float) -> Iterator[str]:
        """Yield the ids that are due, in order of time; each has been unscheduled."""
        while (first := self.next_due()) is not None and first <= now:
            request_id = heapq.heappop(self._heap)[1]
            del self._due[request_id]
            yield request_id

    def next_due(self) -> float | None:
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)  # rescheduled since
        return self._heap[0][0] if self._heap else None

    def surplus(self) -> list[str]:
        """Return the ids of ended requests beyond what is kept, the oldest first.

        What nobody was asked goes before what somebody answered.
        """
        beyond = len(self._ended) - KEEP_ENDED_COUNT
        left_bytes = self._ended_bytes
        if beyond <= 0 and left_bytes <= KEEP_ENDED_BYTES:
            return []
        surplus: list[str] = []
        for request_id in sorted(self._ended, key=lambda i: self._all[i].state is not State.DEFERRED):
            if len(surplus) >= beyond and left_bytes <= KEEP_ENDED_BYTES:
                break
            surplus.append(request_id)
            left_bytes -= self._ended[request_id]
        return surplus

    def forget(self, request_id: str) -> Request:
        request = self._all.pop(request_id)
        self._drop(request)
        self._due.pop(request_id, None)
        if request.ask.is_own:
            return request
        key = (request.ask.agent, request.ask.session_id)
        del self._sessions[key][request_id]
        if not self._sessions[key]:
            del self._sessions[key]
        return request

    def _put(self, before: Request | None, after: Request) -> None:
        if before is not None:
            self._drop(before)
        self._all[after.id] = after
        if after.waiter is not None:
            self._waiters.setdefault(after.waiter, set()).add(after.id)
        if after.state is State.PENDING:
            self.pending[after.id] = None
            self._counts.update(_counted(after))
        elif after.is_over:
            size_bytes = self._ended[after.id] = len(msgspec.json.encode(after.ask))
            self._ended_bytes += size_bytes

    def _drop(self, request: Request) -> None:
        """Take a request out of the indexes that depend on its state."""
        if request.waiter is not None:
            held = self._waiters[request.waiter]
            held.discard(request.id)
            if not held:
                del self._waiters[request.waiter]
        if self.pending.pop(request.id, 0) is None:
            for key in _counted(request):
                self._counts[key] -= 1
                if not self._counts[key]:
                    del self._counts[key]
        self._ended_bytes -= self._ended.pop(request.id, 0)


def _counted(request: Request) -> tuple[tuple[str, ...], ...]:
    """Return the keys under which a pending request counts: process, session, (sub)agent."""
    ask = request.ask
    if ask.is_own:
        return ((request.process or request.caller,),)
    key = (ask.agent, ask.session_id, request.process)
    return (request.process,), key, (*key, ask.agent_id)


def _kept(request: Request) -> Request:
    """Return a request as it is kept: once it ended, long values are cut and of choices the one that
    was taken stays, so that memory cannot grow."""
    ask = request.ask
    if ask.choices and request.is_over:
        taken = request.decision.value if request.decision is not None else None
        ask = replace(ask, choices=tuple(choice for choice in ask.choices if choice.value == taken))
        request = replace(request, ask=ask)
    over = request.state in ENDED or (request.state is State.DELIVERED and request.is_over)
    if not over or all(len(row.value) <= MAX_VALUE_CHARS for row in ask.input):
        return request
    return replace(request, ask=replace(ask, input=tuple(_cut(row) for row in ask.input)))


def _cut(row: Row) -> Row:
    if len(row.value) <= MAX_VALUE_CHARS:
        return row
    length = max(row.length, len(row.value))
    return replace(row, value=row.value[:MAX_VALUE_CHARS], length=length, lost=True)


def after_answer_due(request: Request) -> float:
    """Return when something is due for a request that pends no more."""
    if request.state is State.ANSWERED:
        # Whoever registered it may come for the answer as long as it would have waited for one.
        wait_s = max(WRITE_S, request.ask.hold_s) if request.ask.is_registered else WRITE_S
        return _least(request.answered_s, wait_s, request.absent_s)
    if request.state is State.DELIVERED and not request.is_over:
        return _least(request.delivered_s, UNPROVEN_S, request.absent_s)
    keep_s = KEEP_UNPROVEN_S if request.state in UNPROVEN else KEEP_ENDED_S
    return _least(request.ended_s, keep_s, request.absent_s)


def _least(start_s: float | None, wait_s: float, other_s: float | None) -> float:
    assert start_s is not None  # every state here has its instant
    return start_s + wait_s if other_s is None else min(start_s + wait_s, other_s)
