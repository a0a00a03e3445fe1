"""The sessions the desk knows: what each one's main agent does, as its events tell.

A session is (agent, session_id, process). A resumed session keeps its id under a new
process and takes over from a dead one; two living processes are two sessions. A process
that the kernel did not confirm is "", and is taken for the only session of its id. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sayso.core.bounds import KEEP_SESSION_S, KEEP_SILENT_S, MOST_SESSIONS
from sayso.core.states import SESSION, SessionState, SessionTrigger, step
from sayso.core.types import EventType, HookEvent, Session

Key = tuple[str, str, str]

_TRIGGERS = {
    EventType.PROMPT: SessionTrigger.PROMPTED,
    EventType.TASK: SessionTrigger.PROMPTED,
    EventType.TOOL_DONE: SessionTrigger.ACTIVE,
    EventType.TOOL_FAILED: SessionTrigger.ACTIVE,
    EventType.TOOL_DECLINED: SessionTrigger.ACTIVE,
    EventType.BATCH: SessionTrigger.ACTIVE,
    EventType.STOP: SessionTrigger.STOPPED,
    EventType.STOP_FAILED: SessionTrigger.FAILED,
    EventType.IDLE: SessionTrigger.FAILED,
    EventType.SESSION_START: SessionTrigger.STARTED,
    EventType.SESSION_END: SessionTrigger.ENDED,
    EventType.ELICITATION_RESULT: SessionTrigger.ACTIVE,
}
_SIGNS = frozenset(
    {SessionTrigger.STARTED, SessionTrigger.PROMPTED, SessionTrigger.ACTIVE, SessionTrigger.CONTINUED}
)
"""What the agent did by itself, or took from us: it was at work then, whatever comes in later."""
_COMPACT = "compact"
"""A SessionStart in the middle of a turn: the conversation was summarised."""
_ORIGINS = frozenset({"startup", "resume", "fork", "clear"})


def trigger_of(event: HookEvent) -> SessionTrigger | None:
    """Return what an event means for its session; a subagent's means nothing."""
    if event.agent_id or event.type is EventType.SUBAGENT_STOP:
        return None
    if event.type is EventType.SESSION_START and event.reason == _COMPACT:
        return SessionTrigger.ACTIVE
    return _TRIGGERS[event.type]


def origin_of(event: HookEvent) -> str:
    """Return how the session begins with this event; "" if it does not, or in no known way."""
    begins = event.type is EventType.SESSION_START and not event.agent_id
    return event.reason if begins and event.reason in _ORIGINS else ""


class Sessions:
    """All sessions, by agent, id and process; each method returns the one it changed."""

    def __init__(self) -> None:
        self._all: dict[Key, Session] = {}
        self._forgotten: list[Session] = []

    def __iter__(self) -> Iterator[Session]:
        return iter(self._all.values())

    def get(self, agent: str, session_id: str, process: str = "") -> Session | None:
        """Return the session; of an unconfirmed process, the living one that was used last."""
        exact = self._all.get((agent, session_id, process))
        if exact is not None:
            return exact
        same = [s for s in self._all.values() if (s.agent, s.session_id) == (agent, session_id)]
        if not process:
            return max(same, key=lambda s: (s.state is not SessionState.ENDED, s.seen_s), default=None)
        unconfirmed = [session for session in same if not session.process]
        return unconfirmed[0] if unconfirmed else None

    def lives_elsewhere(self, session: Session) -> bool:
        """Whether another living process has a session of this id."""
        return any(
            s.process != session.process and s.state is not SessionState.ENDED
            for s in self._all.values()
            if (s.agent, s.session_id) == (session.agent, session.session_id)
        )

    def is_confirmed(self, agent: str, session_id: str) -> bool:
        """Whether a living process that the kernel confirmed has this session."""
        return any(
            s.process and s.state is not SessionState.ENDED
            for s in self._all.values()
            if (s.agent, s.session_id) == (agent, session_id)
        )

    def seen(self, agent: str, session_id: str, process: str, at_s: float) -> Session:
        """Return the session, made or taken over if need be."""
        found = self.get(agent, session_id, process)
        if found is None:
            found = Session(agent=agent, session_id=session_id, process=process, since_s=at_s)
        elif process and not found.process:
            self._forget(found)
        process = process or found.process
        for other in [s for s in self._all.values() if s.state is SessionState.ENDED]:
            if (other.agent, other.session_id) == (agent, session_id) and other.process != process:
                self._forget(other)  # its id lives on in another process
        return self._keep(replace(found, process=process, seen_s=max(at_s, found.seen_s)))

    def trigger(self, session: Session, trigger: SessionTrigger, at_s: float) -> Session | None:
        """Apply a trigger that happened at `at_s`; None if it changes nothing, or is old.

        An end is old, too, if the agent did something after it.
        """
        if at_s < (session.since_s if trigger in _SIGNS else max(session.since_s, session.active_s)):
            return None
        if trigger in _SIGNS:
            session = self._keep(replace(session, active_s=max(at_s, session.active_s)))
        outcome = step(SESSION, session.state, trigger)
        if not isinstance(outcome, SessionState):
            return None
        return self._keep(replace(session, state=outcome, since_s=at_s))

    def describe(
        self, session: Session, cwd: str, mode: str, prompt: str, origin: str = ""
    ) -> Session | None:
        """Note where a session works, what it was told, how it began; None if that is not new."""
        told = replace(
            session,
            cwd=cwd or session.cwd,
            mode=mode or session.mode,
            prompt=prompt or session.prompt,
            origin=origin or session.origin,
        )
        return None if told == session else self._keep(told)

    def want(self, session: Session, wants: str) -> Session:
        """Note what a session wants of its person, as its agent's last word was."""
        return self._keep(replace(session, wants=wants)) if session.wants != wants else session

    def reach(self, session: Session, wakes: bool) -> Session | None:
        """Note whether a message begins a turn in a session while it is idle; None if that is not new."""
        return self._keep(replace(session, wakes=wakes)) if session.wakes is not wakes else None

    def of_process(self, process: str) -> list[Session]:
        return [session for session in self._all.values() if session.process == process]

    def expire(self, now: float) -> None:
        """Forget sessions that ended long ago, or were not heard of for very long, or are too many."""
        for session in [session for session in self._all.values() if _expiry(session) <= now]:
            self._forget(session)
        if len(self._all) > MOST_SESSIONS:
            for session in sorted(self._all.values(), key=_worth)[: len(self._all) - MOST_SESSIONS]:
                self._forget(session)

    def next_expiry(self) -> float | None:
        """Return when the next session is to be forgotten."""
        return min(map(_expiry, self._all.values()), default=None)

    def take_forgotten(self) -> list[Session]:
        """Return the sessions forgotten since the last call."""
        forgotten, self._forgotten = self._forgotten, []
        return forgotten

    def _forget(self, session: Session) -> None:
        self._forgotten.append(self._all.pop((session.agent, session.session_id, session.process)))

    def _keep(self, session: Session) -> Session:
        self._all[session.agent, session.session_id, session.process] = session
        return session


def _worth(session: Session) -> tuple[bool, bool, float]:
    """Return what a session is kept for: that it goes on, that a process has it, that it was heard of."""
    return session.state is not SessionState.ENDED, bool(session.process), session.seen_s


def _expiry(session: Session) -> float:
    if session.state is SessionState.ENDED:
        return session.since_s + KEEP_SESSION_S
    return session.seen_s + KEEP_SILENT_S
