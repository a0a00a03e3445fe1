"""What the desk keeps, and what every change of it sets off: effects, timers, flags.

`Desk` decides what happens; this carries it through the same way each time, so that no
path can forget to tell the waiter, the channels, the timer or the flag. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from sayso.core.continuations import Continuations
from sayso.core.effects import Effect, Hint, Publish, Resolve
from sayso.core.grants import Grant, Grants
from sayso.core.messages import Messages
from sayso.core.requests import Book, after_answer_due
from sayso.core.sessions import Sessions
from sayso.core.states import LIVE, UNPROVEN, SessionState, SessionTrigger, State, Trigger
from sayso.core.types import Message, Request, Session, Settings
from sayso.core.watchers import Watchers, deadline, unwatched_at


class Kept(Struct, frozen=True):
    """Everything at one moment, for a channel that begins."""

    requests: dict[str, Request]
    sessions: dict[tuple[str, str, str], Session]
    messages: dict[tuple[str, str], Message]
    settings: Settings
    grants: tuple[Grant, ...] = ()


class Ledger:
    """Requests, sessions, messages, grants, watchers, settings; and the effects not yet taken."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.book = Book()
        self.sessions = Sessions()
        self.messages = Messages()
        self.continuations = Continuations()
        self.grants = Grants()
        self.watchers = Watchers()
        self.effects: list[Effect] = []
        self._flags: dict[str, set[str]] = {}

    # --- requests ----------------------------------------------------------------------

    def admit(self, request: Request) -> None:
        """Take in a new request, pending or deferred."""
        request = self.book.add(request)
        self._follow(None, request)
        if request.state is not State.PENDING and request.waiter is not None:
            self.effects.append(Resolve(request.id, request.waiter, None))
        self._publish_request("shown", request)

    def hush(self, request_id: str) -> None:
        """Take back that a request was shown, when it was over as it came: only its end is told.

        Nobody is called to a card that has gone before they can look.
        """
        self.effects = [e for e in self.effects if not _shows(e, request_id)]

    def move(self, request: Request, trigger: Trigger, now: float, **changes: Any) -> Request | None:
        """Apply a trigger and all that follows; None if the table says that nothing happens."""
        moved = self.book.move(request, trigger, **changes)
        if moved is None:
            return None
        if moved.is_over:
            moved = self.book.change(moved, ended_s=now)
        if request.state is State.PENDING and request.waiter is not None:
            decision = moved.decision if moved.state is State.ANSWERED else None
            self.effects.append(Resolve(request.id, request.waiter, decision))
        self._follow(request, moved)
        self._publish_request("resolved" if request.state is State.PENDING else "changed", moved)
        return moved

    def change(self, request: Request, **changes: Any) -> Request:
        """Note something about a request whose state stays."""
        changed = self.book.change(request, **changes)
        self.reschedule(changed)
        return changed

    def tell(self, request: Request, **changes: Any) -> Request:
        """Note something about a request that its channels show, whose state stays."""
        changed = self.change(request, **changes)
        self._publish_request("changed", changed)
        return changed

    def leave(self, request: Request, settled: bool) -> None:
        """Nobody waits for a request that is over; its notice goes with whoever says that it was settled."""
        left = self.book.change(request, waiter=None)
        if settled and left.notice:
            self.clear_notice(left)

    def clear_notice(self, request: Request) -> None:
        cleared = self.book.change(request, notice=False)
        self._follow(request, cleared)
        self._publish_request("changed", cleared)

    def forget(self, request_id: str) -> None:
        request = self.book.forget(request_id)
        if not request.ask.is_own:
            self.flag(request.ask.session_id, request_id, False)
        self._publish_request("forgotten", request)

    def due_of(self, request: Request) -> float:
        """Return when something is due for a request."""
        if request.state is not State.PENDING:
            return after_answer_due(request)
        due_s = deadline(request, self.watchers, self.settings)
        unwatched_s = unwatched_at(request, self.watchers, self.settings)
        return due_s if unwatched_s is None else min(due_s, unwatched_s)

    def reschedule(self, request: Request) -> None:
        due_s = self.due_of(request)
        self.book.schedule(request.id, None if due_s == float("inf") else due_s)

    def _follow(self, before: Request | None, after: Request) -> None:
        if after.ask.is_own:  # no hook observes for it, and no session waits
            self.reschedule(after)
            return
        # A notice needs its observers, too: they tell when the terminal has settled it.
        self.flag(after.ask.session_id, after.id, after.state in LIVE | UNPROVEN or after.notice)
        self.reschedule(after)
        was = before is not None and before.state is State.PENDING
        if was is not (after.state is State.PENDING):
            session = self.session_of(after)
            if session is not None:
                self._publish_session(session)

    def _publish_request(self, type_: str, request: Request) -> None:
        self.effects.append(Publish(type=type_, request=request))

    # --- sessions ----------------------------------------------------------------------

    def session_of(self, request: Request) -> Session | None:
        """Return the session a request is of; what a stranger asks is of none that is confirmed.

        What a program asks itself comes from the session that its agent's process worked on last.
        """
        if request.ask.is_own:
            mine = self.sessions.of_process(request.process) if request.process else []
            return max(mine, key=lambda session: session.seen_s, default=None)
        session = self.sessions.get(request.ask.agent, request.ask.session_id, request.process)
        return None if session is not None and session.process and not request.process else session

    def see_session(
        self, agent: str, session_id: str, process: str, at_s: float, told: tuple[str, ...]
    ) -> Session:
        """Return the session, made if need be; `told` is its folder, mode, last prompt and origin."""
        before = self.sessions.get(agent, session_id, process)
        session = self.sessions.seen(agent, session_id, process, at_s)
        is_news = before is None or at_s >= before.seen_s
        described = self.sessions.describe(session, *told) if is_news else None
        if before is None or described is not None or before.process != session.process:
            self._publish_session(described or session)
        self._tell_forgotten()
        return described or session

    def session_trigger(self, session: Session, trigger: SessionTrigger, at_s: float) -> None:
        """Move a session, if the table says so."""
        moved = self.sessions.trigger(session, trigger, at_s)
        if moved is not None:
            self._publish_session(moved)

    def want_session(self, session: Session, wants: str) -> Session:
        """Note what a session wants of its person; return it as it is then."""
        changed = self.sessions.want(session, wants)
        if changed is not session:
            self._publish_session(changed)
        return changed

    def reach_session(self, agent: str, session_id: str, process: str, wakes: bool) -> None:
        """Note of a session that is known whether a message begins a turn in it while it is idle."""
        session = self.sessions.get(agent, session_id, process)
        changed = self.sessions.reach(session, wakes) if session is not None else None
        if changed is not None:
            self._publish_session(changed)

    def expire_sessions(self, now: float) -> list[Session]:
        """Forget sessions that ended long ago; return those of which no process is left."""
        self.sessions.expire(now)
        gone = [one for one in self._tell_forgotten() if not self.sessions.get(one.agent, one.session_id)]
        for session in gone:
            self.messages.forget(session.agent, session.session_id)
            self.flag(session.session_id, f"message {session.agent}", False)
            self.continuations.forget(session.agent, session.session_id)
            self.flag_row(session.agent, session.session_id)
        return gone

    def _tell_forgotten(self) -> list[Session]:
        forgotten = self.sessions.take_forgotten()
        for gone in forgotten:
            self.flag(gone.session_id, f"idle {gone.process}", False)
            self.effects.append(Publish(type="session_forgotten", session=gone))
        return forgotten

    def _publish_session(self, session: Session) -> None:
        inferred = session.state is SessionState.PRESUMED_IDLE
        self.flag(session.session_id, f"idle {session.process}", inferred)
        self.effects.append(Publish(type="session", session=session))
        self.explain_message(session)

    # --- grants ------------------------------------------------------------------------

    def end_grants(self, is_over: Callable[[Grant], bool]) -> None:
        """End the grants that are over, and tell it."""
        if self.grants.end(is_over):
            self.publish_grants()

    def end_grants_of_ended(self) -> None:
        """End the grants of sessions that have ended, or whose process has."""
        self.end_grants(lambda grant: not self._goes_on(grant))

    def _goes_on(self, grant: Grant) -> bool:
        session = self.sessions.get(grant.agent, grant.session_id, grant.process)
        return session is not None and session.state is not SessionState.ENDED

    def publish_grants(self) -> None:
        self.effects.append(Publish(type="grants", grants=tuple(self.grants)))

    # --- messages, flags ---------------------------------------------------------------

    def publish_message(self, message: Message | None) -> None:
        """Tell of a message that changed, if one did, and keep its session's flag right."""
        if message is None:
            return
        is_open = self.messages.is_open(message.agent, message.session_id)
        self.flag(message.session_id, f"message {message.agent}", is_open)
        self.effects.append(Publish(type="message", message=message))

    def take_message(self, session: Session, taker: str, now: float, at_stop: bool) -> Message | None:
        """Hand a session's message to a taker, if one is due and the agent would go on with it."""
        agent, session_id = session.agent, session.session_id
        message = self.messages.due(agent, session_id, session.process, at_stop)
        if message is None:
            return None
        makes_go_on = at_stop and not session.wakes  # there, a turn is begun: no bound counts those
        if makes_go_on and self.continuations.is_full(agent, session_id):
            self.publish_message(self.messages.explain(message, "continuations"))
            return None
        taken = self.messages.take(message, taker, now if at_stop else None)
        if makes_go_on:
            self.continuations.hand_over(agent, session_id)
            self.flag_row(agent, session_id)
        self.publish_message(taken)
        return taken

    def explain_message(self, session: Session) -> None:
        """Say of a message that waits in an idle session why; a word on the agent's bound stays."""
        message = self.messages.due(session.agent, session.session_id, session.process, at_stop=True)
        if message is None:
            return
        full = self.continuations.is_full(session.agent, session.session_id)
        idle = "continuations" if full and message.reason else "idle"
        reason = "" if session.wakes or session.state is SessionState.WORKING else idle
        self.publish_message(self.messages.explain(message, reason))

    def flag_row(self, agent: str, session_id: str) -> None:
        """While hooks make a turn go on in a row, the next tool call has to be seen: it ends the row."""
        self.flag(session_id, f"row {agent}", self.continuations.runs(agent, session_id))

    def flag(self, session_id: str, why: str, wanted: bool) -> None:
        """Note a reason for a session's flag, or that it is gone."""
        reasons = self._flags.setdefault(session_id, set())
        before = bool(reasons)
        if wanted:
            reasons.add(why)
        else:
            reasons.discard(why)
        if bool(reasons) != before:
            self._hint(session_id, not before)
        if not reasons:
            del self._flags[session_id]

    def _hint(self, session_id: str, raised: bool) -> None:
        """Raise a flag before all else, lower it after; one that is not yet taken is taken back."""
        opposite = Hint(session_id, not raised)
        if opposite in self.effects:
            self.effects.remove(opposite)
        else:
            self.effects.insert(0 if raised else len(self.effects), Hint(session_id, raised))

    def kept(self) -> Kept:
        return Kept(
            requests={request.id: request for request in self.book},
            sessions={(s.agent, s.session_id, s.process): s for s in self.sessions},
            messages={(m.agent, m.session_id): m for m in self.messages},
            settings=self.settings,
            grants=tuple(self.grants),
        )


def _shows(effect: Effect, request_id: str) -> bool:
    if not isinstance(effect, Publish) or effect.type != "shown":
        return False
    return effect.request is not None and effect.request.id == request_id
