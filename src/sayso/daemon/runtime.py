"""Runs the desk: gives it the time, carries out its effects, tells the channels.

One object, used from the event loop alone. Everything the core asks for is done at once
and in order, so that a flag is there before its ask is acknowledged and no channel hears
of an answer before the waiter. Not here: who may call (`access`), what calls look like
(`methods`, `control`, `http`). Imports `core` and `wire`.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import secrets
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from math import isfinite

from msgspec.structs import replace

from sayso.core.desk import Desk
from sayso.core.effects import Effect, Hint, Persist, Publish, Resolve
from sayso.core.grants import Grant
from sayso.core.requests import ending
from sayso.core.states import State
from sayso.core.types import Decision, Request, Session, Settings
from sayso.daemon.alerts import Alerts
from sayso.daemon.changes import Changes, size_of
from sayso.daemon.feed import Feed
from sayso.daemon.flags import UNCLAIMED_S, Flags
from sayso.daemon.mutes import Mutes
from sayso.daemon.notes import Notes
from sayso.daemon.repositories import Repositories
from sayso.daemon.shown import ALL, LEAVES, Shown
from sayso.daemon.silence import Silence
from sayso.errors import Gone
from sayso.wire.ask_user import Note
from sayso.wire.views import (
    Change,
    Clock,
    GrantView,
    RequestView,
    SessionView,
    Snapshot,
    grant_view,
    located,
    message_view,
    request_view,
    session_view,
)

log = logging.getLogger(__name__)

Tell = Callable[[Decision | None], None]
"""Told the decision, None for "nothing was decided"."""
Settled = asyncio.Future[Request | None]
"""Done with the request as it was settled; None where it is not kept any more, or the desk is over."""
DRIFT_S = 1.0
"""Clocks that differ by less from what they did are left alone, so that no instant shown wavers."""

_TERMINAL = "the agent's terminal"
_GRANT = "a grant"
_BY_TERMINAL = frozenset(
    {"answered_in_terminal", "batch_done", "closed_in_terminal", "declined_in_terminal", "tool_ran"}
)
"""Reasons of an end that say that somebody answered there."""


class Runtime:
    """The desk with its clock, timer, waiters, watchers and flags.

    Args:
        settings: those to begin with.
        persist: keeps settings; returns "" or why it could not, in words.
    """

    forgotten: Callable[[str], None] | None = None
    """Told of requests that are not kept any more."""

    def __init__(
        self,
        settings: Settings,
        persist: Callable[[Settings], str],
        flags: Flags | None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.desk = Desk(settings)
        self.settings = settings
        self.boot = secrets.token_hex(8)
        self.now = now
        self._clock = Clock(time.time() - now())
        self.started_s = now()
        self.started_at = self.clock.at(self.started_s)
        self.flags = flags
        self.seq = 0
        self.totals: Counter[str] = Counter()
        self.answered_from: Counter[str] = Counter()
        self._host = platform.node()
        self._persist = persist
        self._waiters: dict[str, Tell] = {}
        self._listeners: dict[str, set[Settled]] = {}
        self._repositories = Repositories()
        self._alerts = Alerts()
        self._notes = Notes()
        self.mutes = Mutes(now, self._tell_session)
        self.silence = Silence(self)
        self._hinted: set[str] = set()
        self._feeds: set[Feed] = set()
        self._inside: set[Feed] = set()
        self._changes = Changes()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_s: float | None = None
        self._over = False
        self.covers: Callable[[str, str], bool] = lambda _agent, _session_id: False
        """Whether a session's hooks are to be silent: another way in hears all of it (agent, session_id)."""
        if flags is not None:
            asyncio.get_running_loop().call_later(UNCLAIMED_S, flags.remove_unclaimed)

    @property
    def clock(self) -> Clock:
        """How far the wall clock is from ours, which stands still while the machine sleeps."""
        offset_s = time.time() - self.now()
        if abs(offset_s - self._clock.offset_s) > DRIFT_S:
            self._clock = Clock(offset_s)
        return self._clock

    # --- waiters -----------------------------------------------------------------------

    def wait(self, request_id: str, tell: Tell) -> None:
        """Know how to tell who waits for a request; before the effects of its ask are done."""
        self._waiters[request_id] = tell

    def waiter_gone(self, waiter: str, reason: str = "") -> None:
        """A connection ended, or says that it will."""
        if self._over:  # it is the desk that goes: hooks and flags wait for the next one
            return
        self.desk.waiter_gone(waiter, self.now(), reason)
        self.settle()

    def until_settled(self, request_id: str) -> Settled:
        """Return what is done once a request pends no more: for those who only listen.

        Its result has the end, since of many that end at once only some are kept.
        """
        done: Settled = asyncio.get_running_loop().create_future()
        if self._over or not self.desk.is_pending(request_id):
            done.set_result(self.kept(request_id))
            return done
        listeners = self._listeners.setdefault(request_id, set())
        listeners.add(done)
        done.add_done_callback(listeners.discard)  # whoever stops listening leaves nothing behind
        return done

    def _settled(self, request_id: str, request: Request | None) -> None:
        for done in self._listeners.pop(request_id, set()):
            if not done.done():
                done.set_result(request)

    def kept(self, request_id: str) -> Request | None:
        """Return a request, if it is kept."""
        with suppress(Gone):
            return self.desk.request(request_id)
        return None

    # --- effects -----------------------------------------------------------------------

    def settle(self) -> None:
        """Carry out what the desk asks for, and set the timer anew; after every call of it."""
        for effect in self.desk.effects():
            try:
                self._carry_out(effect)
            except Exception as error:  # noqa: BLE001 - one failed effect must not lose the others
                log.error("%s failed: %s", type(effect).__name__, trail(error))
        self._set_timer()

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Resolve():
                tell = self._waiters.pop(effect.request_id, None)
                if tell is not None:
                    tell(effect.decision)
            case Publish():
                self._publish(effect)
            case Persist():
                self.settings = effect.settings
                trouble = self._persist(effect.settings)
                if trouble:
                    log.warning("%s", trouble)
            case Hint():
                self._flag(effect)

    def _flag(self, hint: Hint) -> None:
        (self._hinted.add if hint.raised else self._hinted.discard)(hint.session_id)
        self.set_flag(hint.session_id)

    def set_flag(self, session_id: str) -> None:
        """Have a session's flag up where anything needs it, and down where nothing does."""
        if self.flags is None:
            return
        try:
            if session_id in self._hinted or self.silence.wants_flag(session_id):
                self.flags.raise_(session_id)
            else:
                self.flags.lower(session_id)
        except OSError as error:
            log.warning("a flag could not be written, so cards may stay too long: %s", error)

    def _set_timer(self) -> None:
        due_s = self.desk.next_deadline()
        if due_s == self._timer_s and self._timer is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_s = None, due_s
        if due_s is not None:
            delay_s = max(0.0, due_s - self.now())
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self.desk.tick(self.now())
        self.settle()

    # --- channels ----------------------------------------------------------------------

    def subscribe(self, after: str, shown: Shown = ALL) -> Feed:
        """Return the changes from now on; first a snapshot, or what was missed since `after`."""
        feed = Feed(self._snapshot_change, self._feeds.discard, shown.change)
        boot, _, number = after.rpartition("-")
        missed = self._changes.since(int(number)) if boot == self.boot else []
        if boot == self.boot and len(missed) == self.seq - int(number):
            feed.begin(missed)
        else:
            feed.begin([(self._snapshot_change(), 0)])
        self._feeds.add(feed)
        return feed

    def listen(self) -> Feed:
        """Return the changes from now on, for a channel inside the desk: it is nobody who watches."""
        feed = self.subscribe("", LEAVES)
        self._inside.add(feed)
        return feed

    def close_feeds(self) -> None:
        for feed in list(self._feeds):
            feed.close()

    @property
    def watchers(self) -> int:
        return len(self._feeds - self._inside)

    def _publish(self, effect: Publish) -> None:
        self.seq += 1
        request = effect.request
        change = Change(
            type=effect.type,
            boot=self.boot,
            seq=self.seq,
            request=self.view(request) if request is not None else None,
            session=self.session(effect.session) if effect.session is not None else None,
            message=message_view(effect.message, self.clock) if effect.message is not None else None,
            settings=effect.settings,
            grants=self._grants(effect.grants) if effect.grants is not None else None,
        )
        if request is not None:
            self._count(effect.type, request)
            if request.state is not State.PENDING:
                self._settled(request.id, request)
            if effect.type == "forgotten" and self.forgotten is not None:
                self.forgotten(request.id)
        self._tell(change)
        if effect.session is not None:
            self.silence.changed(effect.session)
            if effect.type == "session_forgotten":
                self._forget_mute(effect.session)

    def _forget_mute(self, gone: Session) -> None:
        known = self.desk.snapshot().sessions.values()
        if not any((one.agent, one.session_id) == (gone.agent, gone.session_id) for one in known):
            self.mutes.end(gone.agent, gone.session_id)

    def _tell(self, change: Change) -> None:
        size_bytes = size_of(change)
        self._changes.keep(change, size_bytes)
        for feed in self._feeds:
            feed.put(change, size_bytes)

    def tried(self, process: str, method: str) -> None:
        """Tell the channels that an agent's program called what only a person may; not each time."""
        now = self.now()
        if not self._alerts.is_due(process, now):
            return
        sessions = (
            one for one in self.desk.snapshot().sessions.values() if process and one.process == process
        )
        session = max(sessions, key=lambda one: one.since_s, default=None)
        alert = self._alerts.note(process, method, session, now, self.clock)
        log.warning("an agent (process %s) called %s, and was refused", process or "unknown", method)
        self.seq += 1
        self._tell(Change(type="alert", boot=self.boot, seq=self.seq, alert=alert))

    def note(self, note: Note, agent: str, of_desk: bool = False) -> None:
        """Tell the channels what a program, or the desk itself, wants a person to know; it is masked."""
        view = self._notes.note(note, agent, self.now(), self.clock, of_desk)
        self.seq += 1
        self._tell(Change(type="note", boot=self.boot, seq=self.seq, note=view))

    def _count(self, type_: str, request: Request) -> None:
        """Count ends by state, and where people answered, for `status`; never what it was about."""
        if type_ == "shown":
            self.totals["asked"] += 1
        elif type_ in ("resolved", "changed"):
            self.totals[str(request.state)] += 1
            if request.state is State.ANSWERED and request.by is not None:
                granted = request.granted_until_s is not None
                self.answered_from[_GRANT if granted else request.by.name or request.by.channel] += 1
            elif request.state is State.WITHDRAWN and request.reason in _BY_TERMINAL:
                self.answered_from[_TERMINAL] += 1

    def _snapshot_change(self) -> Change:
        return Change(type="snapshot", boot=self.boot, seq=self.seq, snapshot=self.snapshot())

    def snapshot(self) -> Snapshot:
        """Return everything a channel shows, as of now."""
        kept = self.desk.snapshot()
        requests = sorted(kept.requests.values(), key=lambda request: request.ask.started_s)
        shown = [r for r in requests if r.state is State.PENDING or r.notice]
        return Snapshot(
            boot=self.boot,
            seq=self.seq,
            requests=tuple(self.view(request) for request in shown),
            ended=tuple(self.view(r) for r in requests if r.state is not State.PENDING and not r.notice),
            sessions=tuple(self.session(session) for session in kept.sessions.values()),
            messages=tuple(message_view(message, self.clock) for message in kept.messages.values()),
            settings=kept.settings,
            alerts=self._alerts.kept(self.now()),
            notes=self._notes.kept(self.now()),
            grants=self._grants(kept.grants),
        )

    def _grants(self, grants: tuple[Grant, ...]) -> tuple[GrantView, ...]:
        return tuple(grant_view(one, self._repositories.of(one.cwd), self.clock) for one in grants)

    def view(self, request: Request) -> RequestView:
        session = self.desk.session_of(request)
        prompt = session.prompt if session is not None else ""
        said = ending(request)
        view = request_view(request, said, self.desk.expires_s(request), prompt, self.clock)
        return located(replace(view, host=self._host), self._repositories.of(request.ask.cwd))

    def session(self, session: Session) -> SessionView:
        view = session_view(session, self.desk.pending_of(session), self.clock)
        muted = self.mutes.until_s(session.agent, session.session_id)
        if muted is not None:
            view = replace(view, muted=True, muted_until=self.clock.at(muted) if isfinite(muted) else "")
        return located(view, self._repositories.of(session.cwd))

    def _tell_session(self, agent: str, session_id: str) -> None:
        """Tell of a session of which something changed that the core does not know."""
        for session in self.desk.snapshot().sessions.values():
            if (session.agent, session.session_id) == (agent, session_id):
                self._publish(Publish(type="session", session=session))

    # --- the end -----------------------------------------------------------------------

    def release_all(self) -> None:
        """Withdraw everything that waits, tell the waiters, and let observers be silent."""
        self.desk.shutdown(self.now())
        self.settle()
        if self.flags is not None:
            self.flags.clear()

    def drop_messages(self) -> None:
        """Tell that what is queued is lost with this desk: it is kept in memory alone."""
        self.desk.drop_messages(self.now())
        self.settle()

    def end(self) -> None:
        """Stop the timer and the feeds. The desk is used no more; flags stay as they are."""
        self._over = True
        self.mutes.end_all()
        self.silence.end()
        if self._timer is not None:
            self._timer.cancel()
        self.close_feeds()
        self._waiters.clear()
        for request_id in list(self._listeners):
            self._settled(request_id, None)
        self._repositories.end()


def trail(error: BaseException) -> str:
    """Return what kind of error happened where, and not what it says: that may quote a request."""
    places = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{place.name}:{place.lineno}" for place in reversed(places))
    return f"{type(error).__name__} at {where}"
