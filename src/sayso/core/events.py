"""What the desk does with an agent's events, however late and in whatever order they come.

An event moves its session, settles what is pending, proves or disproves what was
answered. The last ones of each session are kept a while: an ask that was started before
an event may arrive after it (a slow hook, a restarted desk). Pure.
"""

from __future__ import annotations

from collections import deque

from msgspec import structs

from sayso.core import attention, evidence
from sayso.core.bounds import ABSENCE_S, KEEP_EVENTS_CHARS, KEEP_EVENTS_COUNT, KEEP_EVENTS_S
from sayso.core.evidence import MOOT_REASONS, Later
from sayso.core.ledger import Ledger
from sayso.core.sessions import origin_of, trigger_of
from sayso.core.states import LIVE, SessionTrigger, State, Trigger
from sayso.core.types import EventType, HookEvent, Message, Request

CALLS = frozenset({EventType.TOOL_DONE, EventType.TOOL_FAILED, EventType.TOOL_DECLINED})
_PAUSES = frozenset({EventType.TOOL_DONE, EventType.STOP})
"""Where a message may be handed to the main agent, if the hook can."""
ONE_ONLY = CALLS | {EventType.ELICITATION_RESULT}
"""Events that settle one request: the oldest of equal ones."""


Key = tuple[str, str]
"""Agent and session."""
_OVERHEAD_CHARS = 500
"""What an event takes beside its texts, about."""
_OVERHEAD_OF_TEXT_CHARS = 50


def _size(text: str) -> int:
    return _OVERHEAD_OF_TEXT_CHARS + len(text)


class Seen:
    """An event that came, when, and whether it has settled the one request that it can settle."""

    __slots__ = ("came_s", "chars", "event", "process", "used")

    def __init__(self, event: HookEvent, process: str, came_s: float) -> None:
        self.event = event
        self.process = process
        self.came_s = came_s
        self.used = False
        strings = (value for value in structs.astuple(event) if isinstance(value, str))
        self.chars = _OVERHEAD_CHARS + sum(map(_size, (*strings, *event.responses)))

    @property
    def name(self) -> tuple[object, ...]:
        """What makes it the same event when it comes again, from a journal."""
        event = self.event
        return event.type, event.at_s, event.agent_id, event.digest


class Recent:
    """The last events of each session, all of them within one bound: the oldest make room."""

    def __init__(self) -> None:
        self._all: dict[Key, deque[Seen]] = {}
        self._chars = 0

    def of(self, key: Key) -> list[Seen]:
        return list(self._all.get(key, ()))

    def add(self, key: Key, seen: Seen) -> bool:
        """Keep an event; False if it came before."""
        recent = self._all.pop(key, None) or deque[Seen]()
        self._all[key] = recent  # last: its session was heard of last
        # By arrival: a journal's events may be old, and its ask comes right after them.
        while recent and (len(recent) >= KEEP_EVENTS_COUNT or recent[0].came_s + KEEP_EVENTS_S < seen.came_s):
            self._drop(recent)
        if any(earlier.name == seen.name for earlier in recent):
            return False
        recent.append(seen)
        self._chars += seen.chars
        while self._chars > KEEP_EVENTS_CHARS:
            oldest = next(iter(self._all))
            self._drop(self._all[oldest])
            if not self._all[oldest]:
                del self._all[oldest]
        return True

    def forget(self, key: Key) -> None:
        for seen in self._all.pop(key, ()):
            self._chars -= seen.chars

    def _drop(self, recent: deque[Seen]) -> None:
        self._chars -= recent.popleft().chars


class Events:
    """Applies events to the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._recent = Recent()
        self._held: dict[str, list[HookEvent]] = {}

    def process_gone(self, process: str, now: float) -> None:
        """An agent's process ended: so did each of its sessions."""
        for session in self._ledger.sessions.of_process(process):
            end = HookEvent(
                agent=session.agent,
                session_id=session.session_id,
                type=EventType.SESSION_END,
                at_s=now,
                reason="process_gone",
            )
            self.observe(end, process, now)

    def observe(self, event: HookEvent, process: str, now: float, taker: str = "") -> Message | None:
        """Apply an event; one that came before is ignored. Return the message its taker is given."""
        seen = Seen(event, process, now)
        if not self._recent.add((event.agent, event.session_id), seen):
            return None
        message = self._move_session(event, process, now, taker)
        requests = self._ledger.book.of_session(event.agent, event.session_id)
        self._settle(seen, [r for r in requests if evidence.touches(event, process, r)], now)
        return message

    def replay(self, request: Request, now: float) -> None:
        """Apply to a new request the events that came before it but happened after it began."""
        key = (request.ask.agent, request.ask.session_id)
        for seen in self._recent.of(key):
            current = self._ledger.book.need(request.id)
            if not seen.used and evidence.touches(seen.event, seen.process, current):
                self._settle(seen, [current], now)

    def judge_held(self, request_id: str, now: float) -> None:
        """Judge the events that waited for the hook's word on what it wrote."""
        for event in self._held.pop(request_id, []):
            request = self._ledger.book.need(request_id)
            self._apply(event, request, evidence.judge(event, request), now)

    def forget(self, request_id: str) -> None:
        self._held.pop(request_id, None)

    def forget_session(self, agent: str, session_id: str) -> None:
        self._recent.forget((agent, session_id))

    def _move_session(self, event: HookEvent, process: str, now: float, taker: str) -> Message | None:
        """Move a session; a turn goes on in which its hook takes a message, even at its end."""
        ledger = self._ledger
        described = (event.cwd, event.mode, event.prompt, origin_of(event))
        told = ("",) * 3 if event.agent_id else described
        session = ledger.see_session(event.agent, event.session_id, process, event.at_s, told)
        if not event.agent_id and event.at_s >= session.seen_s:
            session = ledger.want_session(session, attention.wants(event, session.wants))
        ends_elsewhere = event.type is EventType.SESSION_END and ledger.sessions.lives_elsewhere(session)
        if not event.agent_id and not ends_elsewhere:
            ledger.continuations.note(event)
            ledger.flag_row(event.agent, event.session_id)
        message = None
        if taker and not event.agent_id and event.type in _PAUSES:
            message = ledger.take_message(session, taker, now, at_stop=event.type is EventType.STOP)
        elif event.type in (EventType.PROMPT, EventType.SESSION_END):
            ledger.publish_message(ledger.messages.turn_over(event, session.process))
        trigger = trigger_of(event) if message is None else SessionTrigger.CONTINUED
        if trigger is not None:
            ledger.session_trigger(session, trigger, event.at_s if message is None else now)
        return message

    def _settle(self, seen: Seen, requests: list[Request], now: float) -> None:
        """Apply an event to the requests it touches, given oldest first."""
        event = seen.event
        for request in sorted(requests, key=lambda request: _rank(event, request)):
            verdict = evidence.judge(event, request)
            if verdict is not None:
                self._apply(event, request, verdict, now)
            elif request.notice and evidence.clears_notice(event, request):
                self._ledger.clear_notice(request)
            else:
                continue
            if event.type in ONE_ONLY:
                seen.used = True
                return

    def _apply(self, event: HookEvent, request: Request, verdict: Trigger | Later | None, now: float) -> None:
        if verdict is Later.ABSENT:
            if request.absent_s is None and request.id not in self._held:
                self._ledger.change(request, absent_s=now + ABSENCE_S)
        elif verdict is Later.UNKNOWN:
            held = self._held.setdefault(request.id, [])
            if len(held) < KEEP_EVENTS_COUNT:
                held.append(event)
            self._ledger.change(request, absent_s=None)  # its call was seen
        elif verdict is Trigger.RELEASE:
            self._ledger.move(request, verdict, now, reason="prompt_typed", notice=True)
        elif verdict is not None:
            pending = request.state is State.PENDING
            reason = MOOT_REASONS[event.type] if pending else ""
            # The end of a turn does not make up for a call that its batch ended without.
            absent_s = request.absent_s if verdict is Trigger.LAPSE else None
            self._ledger.move(request, verdict, now, reason=reason, absent_s=absent_s)


def _rank(event: HookEvent, request: Request) -> int:
    """Return whose turn it is when an event fits several requests; equal ones go by age.

    What is live comes first, and of equal calls the one that the event does not
    contradict: of two, one denied and one allowed, the one that ran was allowed. A notice
    comes before what was given up on, which may be of an earlier call.
    """
    if request.state in LIVE:
        return 1 if evidence.judge(event, request) is Trigger.CONTRADICTS else 0
    return 2 if request.notice else 3
