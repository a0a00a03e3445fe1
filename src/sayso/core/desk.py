"""The desk: the one object of the core. Methods in, effects out; time is an argument.

No I/O, clock, randomness, threads. After each call the shell takes `effects()` and
carries them out in order; it calls `tick` when `next_deadline()` is reached. `now` and
every instant called `…_s` are seconds of one monotonic clock. Every method first lets
happen what is due, so that an answer and a deadline have one order.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sayso.core.admission import checked, opted_in, reason_to_defer
from sayso.core.answers import Answers
from sayso.core.asked import Asked
from sayso.core.bounds import INTERRUPT_S
from sayso.core.effects import Effect, Persist, Publish
from sayso.core.events import Events
from sayso.core.fit import unshowable
from sayso.core.ledger import Kept, Ledger
from sayso.core.post import Post
from sayso.core.requests import LAST_WORDS
from sayso.core.states import MessageTrigger, SessionTrigger, State, Trigger
from sayso.core.types import (
    Answerer,
    Ask,
    Hold,
    HookEvent,
    Message,
    Presence,
    Reply,
    Request,
    Row,
    Session,
    Settings,
)
from sayso.core.watchers import deadline, unwatched_at
from sayso.errors import OutOfTurn


class Desk:
    """Holds what agents ask until somebody decides, or it is moot."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._ledger = Ledger(settings or Settings())
        self._events = Events(self._ledger)
        self._post = Post(self._ledger)
        self._answers = Answers(self._ledger)
        self._asked = Asked(self._ledger)

    # --- asking ------------------------------------------------------------------------

    def ask(self, ask: Ask, waiter: str | None, now: float, process: str = "", caller: str = "") -> Request:
        """Take in an ask; return its request: pending, deferred, moot already, or answered by a grant.

        `caller`: the process of a program that asks itself.

        Raises:
            OutOfTurn: its id is missing or taken.
            BadRequest, TooMany: what a program asks itself cannot be asked, or not now.
        """
        self.tick(now)
        self._ledger.book.check_new(ask.id)
        if ask.is_own:
            return self._asked.take_in(ask, waiter, now, process, caller)
        self._ask_in_session(ask, process)
        reason = reason_to_defer(self._ledger, ask, process, now)
        if reason == "not_showable":
            ask = replace(ask, unshowable=unshowable(ask))  # told later, when what shows it is gone
        request = Request(
            id=ask.id,
            ask=ask,
            state=State.DEFERRED if reason else State.PENDING,
            created_s=now,
            process=process,
            waiter=waiter,
            reason=reason,
            ended_s=now if reason else None,
            notice=bool(reason),
        )
        self._ledger.admit(request)
        self._events.replay(request, now)
        taken = self._answers.by_grant(self._ledger.book.need(ask.id), now)
        if request.state is State.PENDING and taken.state is not State.PENDING:
            self._ledger.hush(ask.id)
        return taken

    def _ask_in_session(self, ask: Ask, process: str) -> None:
        if not process and self._ledger.sessions.is_confirmed(ask.agent, ask.session_id):
            return  # a stranger that claims the session's name moves nothing of it
        told = ("", "", "") if ask.agent_id else (ask.cwd, ask.mode, "")
        session = self._ledger.see_session(ask.agent, ask.session_id, process, ask.started_s, told)
        if not ask.agent_id:
            self._ledger.session_trigger(session, SessionTrigger.ACTIVE, ask.started_s)

    def written(self, request_id: str, waiter: str, expects: str, now: float) -> None:
        """The waiter says that it wrote the answer; `expects` is the digest of its proof."""
        self.tick(now)
        request = self._of_waiter(request_id, waiter)
        moved = self._ledger.move(
            request, Trigger.WRITTEN, now, expects=expects, delivered_s=now, ended_s=None, reason=""
        )
        if moved is None:
            return
        decision = moved.decision
        if decision is not None and decision.interrupt and not moved.ask.agent_id:
            session = self._ledger.session_of(moved)
            if session is not None:
                self._ledger.session_trigger(session, SessionTrigger.INTERRUPTED, now)
        if moved.ask.bridge and not moved.is_over:
            self._ledger.move(moved, Trigger.LAPSE, now)  # no event will ever prove it
        self._events.judge_held(request_id, now)

    def not_written(self, request_id: str, waiter: str, now: float) -> None:
        """The waiter says that it could not write the answer."""
        self.tick(now)
        request = self._of_waiter(request_id, waiter)
        moved = self._ledger.move(request, Trigger.NOT_WRITTEN, now, reason="hook_failed", expects="")
        if moved is not None:
            self._events.judge_held(request_id, now)

    def _of_waiter(self, request_id: str, waiter: str) -> Request:
        request = self._ledger.book.get(request_id)
        if request is None or request.waiter != waiter:
            raise OutOfTurn("no request of yours has this id", "id")
        return request

    def waiter_gone(self, waiter: str, now: float, reason: str = "") -> None:
        """A waiting process ended, or its connection did; `reason` is its last word."""
        self.tick(now)
        for request in self._ledger.book.of_waiter(waiter):
            if request.ask.is_own:
                self._asked.caller_gone(request, now)
                continue
            why = LAST_WORDS.get(reason, "closed_in_terminal")
            if request.state is not State.PENDING:
                why = "hook_gone"
            moved = self._ledger.move(request, Trigger.WAITER_GONE, now, reason=why, waiter=None)
            if moved is None:
                self._ledger.leave(request, settled=reason in LAST_WORDS)
            elif moved.state is State.LOST:
                self._events.judge_held(request.id, now)
            elif reason not in LAST_WORDS:
                self._infer_interrupted(request, now)
        self._post.receipt(waiter, MessageTrigger.TAKER_DIED)

    def withdraw(self, request_id: str, words: str, now: float) -> Request:
        """Take back what a program asked itself, with its own words why. Raises Gone."""
        self.tick(now)
        return self._asked.withdraw(request_id, words, now)

    def attach(self, request_id: str, waiter: str, now: float) -> Request:
        """Somebody waits for what was registered over the bridge, until `waiter_gone`. Raises Gone."""
        self.tick(now)
        return self._asked.attach(request_id, waiter)

    def move_on(self, session_id: str, caller: str, reason: str, at_s: float, now: float) -> None:
        """A session moved on, as the caller says who asked for it over the bridge: that is moot."""
        self.tick(now)
        self._asked.move_on(session_id, caller, reason, at_s, now)

    def close_surface(self, surface_id: str, now: float) -> None:
        """A pane was closed: what programs asked from it is over."""
        self.tick(now)
        self._asked.close_surface(surface_id, now)

    def _infer_interrupted(self, request: Request, now: float) -> None:
        """A main agent's hook that ends long before its time was turned down in the terminal."""
        ask = request.ask
        early = ask.started_s + ask.hold_s - now > INTERRUPT_S
        session = self._ledger.session_of(request)
        if early and not ask.agent_id and session is not None:
            self._ledger.session_trigger(session, SessionTrigger.INTERRUPTED, now)

    # --- answering ---------------------------------------------------------------------

    def answer(self, request_id: str, reply: Reply, by: Answerer, now: float) -> Request:
        """Decide a pending request with a person's reply; the first step of a command decides nothing yet.

        Raises:
            Gone: it is settled, or never was.
            BadReply: the reply does not fit; the request stays pending.
            NotSeen: it allows something this credential was not shown whole.
        """
        self.tick(now)
        return self._answers.take(request_id, reply, by, now)

    def row(self, request_id: str, index: int, credential: str) -> Row:
        """Return a whole row, which then counts as seen by this credential."""
        return self._answers.row(request_id, index, credential)

    def release(self, request_id: str, now: float) -> Request:
        """Give a request back to the agent's own prompt: nothing is decided. Raises Gone."""
        self.tick(now)
        request = self._ledger.book.need(request_id)
        # An agent's own prompt goes on without us; a program that asked itself has none.
        notice = not request.ask.is_own
        moved = self._ledger.move(request, Trigger.RELEASE, now, reason="by_hand", notice=notice)
        assert moved is not None  # released or Gone: the table
        return moved

    def end_grant(self, grant_id: str, now: float) -> None:
        """End what was allowed for a while, if it still is."""
        self.tick(now)
        self._ledger.end_grants(lambda grant: grant.id == grant_id)

    def end_grants_of(self, credential: str, now: float) -> None:
        """End what somebody allowed for a while who may answer no more."""
        self.tick(now)
        self._ledger.end_grants(lambda grant: grant.by.credential == credential)

    # --- what happens ------------------------------------------------------------------

    def observe(self, event: HookEvent, now: float, process: str = "", taker: str = "") -> Message | None:
        """An agent's event happened, at `event.at_s`; it may come late and in any order.

        `taker`: who tells of it, if it can hand the main agent a message now. Returns the
        one it is given: it is on its way then, and its turn goes on.
        """
        self.tick(now)
        message = self._events.observe(event, process, now, taker)
        self._ledger.end_grants_of_ended()
        return message

    def process_gone(self, process: str, now: float) -> None:
        """An agent's process ended: whatever was its is over."""
        self.tick(now)
        self._events.process_gone(process, now)
        self._ledger.end_grants_of_ended()

    def watch(self, watcher: str, presence: Presence | None, now: float) -> None:
        """A channel's word on its person; None when the channel is gone."""
        self.tick(now)
        self._ledger.watchers.forget_absent(now)
        self._ledger.watchers.set(watcher, presence)
        self._review_exclusive(now)

    def watched_until(self) -> float:
        """Return until when somebody watches, -inf for nobody."""
        return self._ledger.watchers.until(self._ledger.settings)

    def change(self, changes: dict[str, Any], now: float) -> Settings:
        """Change settings by name; the values are of the right type. Raises BadRequest."""
        self.tick(now)
        settings = checked(replace(self._ledger.settings, **changes))
        if settings == self._ledger.settings:
            return settings
        if settings.answers_from != self._ledger.settings.answers_from:
            self._ledger.end_grants(lambda _grant: True)  # who gave one may answer no more
        self._ledger.settings = settings
        self._ledger.effects += [Persist(settings), Publish(type="settings", settings=settings)]
        for request in self._pending():
            if not opted_in(request.ask, settings):
                self._ledger.move(request, Trigger.MOOT, now, reason="setting_off")
        self._review_exclusive(now)
        return settings

    def shutdown(self, now: float) -> None:
        """Withdraw everything that waits, as the desk ends."""
        self.tick(now)
        for request in self._pending():
            self._ledger.move(request, Trigger.MOOT, now, reason="shutdown")
        self._ledger.end_grants(lambda _grant: True)

    # --- messages ----------------------------------------------------------------------

    def queue(self, agent: str, session_id: str, text: str, when: str, now: float) -> Message:
        """Queue a message for a session, in place of an older one.

        Raises:
            BadRequest: the text or `when` is unfit.
            NotRunning: nothing in the session would take it.
        """
        self.tick(now)
        return self._post.queue(agent, session_id, text, when, now)

    def reach(self, agent: str, session_id: str, process: str, wakes: bool, now: float) -> None:
        """Note whether somebody is there who begins a turn with a message in an idle session."""
        self.tick(now)
        self._ledger.reach_session(agent, session_id, process, wakes)

    def take(
        self, agent: str, session_id: str, taker: str, now: float, at_stop: bool = True, process: str = ""
    ) -> Message | None:
        """Hand the queued message to a hook of the main agent, which goes on with its turn.

        `at_stop`: whether that hook is the turn's end, for which some messages wait.
        """
        self.tick(now)
        return self._post.take(agent, session_id, process, taker, now, at_stop)

    def message_receipt(self, taker: str, trigger: MessageTrigger, now: float) -> None:
        """What a taker says of the text it was given."""
        self.tick(now)
        self._post.receipt(taker, trigger)

    def delete_message(self, agent: str, session_id: str, now: float) -> None:
        """Take a queued message back, if there is one."""
        self.tick(now)
        self._post.drop(agent, session_id)

    def drop_messages(self, now: float) -> None:
        """Drop what is queued, as the desk ends."""
        self.tick(now)
        self._post.drop_all()

    # --- time, effects -----------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Let happen what is due."""
        for request_id in self._ledger.book.due(now):
            request = self._ledger.book.need(request_id)
            if request.absent_s is not None and request.absent_s <= now:
                self._ledger.move(request, Trigger.CONTRADICTS, now, reason="", absent_s=None)
            elif request.state is State.PENDING:
                self._end_waiting(request, now)
            elif request.state in (State.ANSWERED, State.DELIVERED) and not request.is_over:
                lost = request.state is State.ANSWERED
                self._ledger.move(request, Trigger.LAPSE, now, reason=_no_receipt(request) if lost else "")
                self._events.judge_held(request_id, now)
            else:
                self._forget(request_id)
        for request_id in self._ledger.book.surplus():
            self._forget(request_id)
        self._ledger.end_grants(lambda grant: grant.until_s <= now)
        for gone in self._ledger.expire_sessions(now):
            self._events.forget_session(gone.agent, gone.session_id)

    def _end_waiting(self, request: Request, now: float) -> None:
        watchers, settings = self._ledger.watchers, self._ledger.settings
        unwatched_s = unwatched_at(request, watchers, settings)
        if unwatched_s is not None and unwatched_s < deadline(request, watchers, settings):
            self._ledger.move(
                request, Trigger.RELEASE, now, reason="nobody_watching", notice=not request.ask.is_own
            )
        else:
            self._ledger.move(request, Trigger.DEADLINE, now, notice=not request.ask.is_own)

    def _forget(self, request_id: str) -> None:
        self._ledger.forget(request_id)
        self._events.forget(request_id)
        self._answers.forget(request_id)

    def _review_exclusive(self, now: float) -> None:
        for request in self._pending():
            if request.ask.hold is Hold.EXCLUSIVE:
                self._ledger.reschedule(request)
        self.tick(now)

    def _pending(self) -> list[Request]:
        return [self._ledger.book.need(request_id) for request_id in self._ledger.book.pending]

    def next_deadline(self) -> float | None:
        """Return when `tick` is to be called at the latest; None for never."""
        ledger = self._ledger
        timers = (ledger.book.next_due(), ledger.sessions.next_expiry(), ledger.grants.next_expiry())
        return min((timer for timer in timers if timer is not None), default=None)

    def expires_s(self, request: Request) -> float | None:
        """Return when a pending request stops waiting by itself; None for another."""
        due_s = self._ledger.due_of(request) if request.state is State.PENDING else None
        return None if due_s == float("inf") else due_s

    def request(self, request_id: str) -> Request:
        """Return a request that is kept. Raises Gone."""
        return self._ledger.book.need(request_id)

    def is_pending(self, request_id: str) -> bool:
        return request_id in self._ledger.book.pending

    def agent_of(self, process: str) -> str:
        """Return the name of the agent that runs in a process; "" if nothing is known of it."""
        return next((session.agent for session in self._ledger.sessions.of_process(process)), "")

    def session_of(self, request: Request) -> Session | None:
        return self._ledger.session_of(request)

    def pending_of(self, session: Session) -> tuple[int, int]:
        """Return how many requests of a session are pending, and how many of its main agent."""
        return self._ledger.book.pending_in(session.agent, session.session_id, session.process)

    def pending_in_all(self) -> int:
        return len(self._ledger.book.pending)

    def effects(self) -> list[Effect]:
        """Return what is to be done, in order, and forget it."""
        effects, self._ledger.effects = self._ledger.effects, []
        return effects

    def snapshot(self) -> Kept:
        """Return everything that is kept."""
        return self._ledger.kept()


def _no_receipt(request: Request) -> str:
    return "not_fetched" if request.ask.is_registered else "no_receipt"
