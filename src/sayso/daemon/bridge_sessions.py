"""The sessions as the bridge tells of them: the desk's own, and those that its callers name.

What a session wants is derived from what the desk knows each time it is asked for, so nothing that is
settled leaves anything behind. Of a session that only hooks over HTTP tell of, its last words are kept
here. Imports `runtime`, `core`, `wire`.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from msgspec import Struct

from sayso.core.attention import attention, wants
from sayso.core.states import SessionState
from sayso.core.types import EventType, HookEvent, Request, Session
from sayso.daemon.runtime import Runtime
from sayso.wire.interaction import DesktopSession
from sayso.wire.views import project_of

KEPT = 1000
"""How many sessions of callers are remembered; of who tells of most, the one heard of longest ago goes."""
WAITING = "waiting"
_STATES = {
    EventType.PROMPT: SessionState.WORKING,
    EventType.SESSION_START: SessionState.IDLE,
    EventType.STOP: SessionState.IDLE,
    EventType.STOP_FAILED: SessionState.IDLE,
    EventType.IDLE: SessionState.IDLE,
}

Key = tuple[str, str]
"""Who tells of a session, and what it is called."""


class Heard(Struct, frozen=True, kw_only=True):
    """The last words of a session's hooks."""

    agent: str
    state: str = str(SessionState.WORKING)
    wants: str = ""
    cwd: str = ""


class BridgeSessions:
    """What the bridge tells of sessions, of one desk."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._heard: dict[Key, Heard] = {}

    def hear(self, caller: str, event: HookEvent) -> None:
        """Note an event of a session that is known by its caller's word alone."""
        key = (caller, event.session_id)
        before = self._heard.pop(key, Heard(agent=event.agent))
        if event.type is EventType.SESSION_END:
            return
        if len(self._heard) >= KEPT:
            self._forget_one()
        state = _STATES.get(event.type)
        self._heard[key] = Heard(
            agent=event.agent,
            state=str(state) if state is not None else before.state,
            wants=before.wants if event.agent_id else wants(event, before.wants),
            cwd=event.cwd or before.cwd,
        )

    def _forget_one(self) -> None:
        """Forget a session of who tells of most: nobody crowds out another's."""
        ((most, _),) = Counter(caller for caller, _ in self._heard).most_common(1)
        del self._heard[next(key for key in self._heard if key[0] == most)]

    def listed(self) -> tuple[DesktopSession, ...]:
        """Return all sessions: the desk's, then those of callers."""
        kept, desk = self._runtime.desk.snapshot(), self._runtime.desk
        inside: defaultdict[int, list[Request]] = defaultdict(list)
        outside: defaultdict[Key, list[Request]] = defaultdict(list)
        for request in kept.requests.values():
            session = desk.session_of(request)
            if session is not None:
                inside[id(session)].append(request)
            elif request.ask.is_own and desk.is_pending(request.id):
                outside[request.caller, request.ask.session_id].append(request)
        own = (self._own(session, inside[id(session)]) for session in kept.sessions.values())
        keys = dict.fromkeys((*self._heard, *outside))
        return (*own, *(self._of_caller(key, outside[key]) for key in keys))

    def _own(self, session: Session, requests: list[Request]) -> DesktopSession:
        view = self._runtime.session(session)
        return DesktopSession(
            session_id=view.session_id,
            agent=view.agent,
            attention=attention(session.wants, requests),
            state=view.state,
            cwd=view.cwd,
            project=view.project,
        )

    def _of_caller(self, key: Key, pending: list[Request]) -> DesktopSession:
        asks = [request.ask for request in pending]
        heard = self._heard.get(key) or Heard(agent=asks[0].agent, cwd=asks[0].cwd)
        return DesktopSession(
            session_id=key[1],
            agent=heard.agent,
            attention=attention(heard.wants, pending),
            state=WAITING if pending else heard.state,
            cwd=heard.cwd,
            project=project_of(heard.cwd),
        )
