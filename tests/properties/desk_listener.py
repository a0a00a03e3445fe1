"""A listener of the desk: what it knows from the changes alone."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from sayso.core.effects import Publish
from sayso.core.grants import Grant
from sayso.core.types import Message, Request, Session, Settings


def told(request: Request) -> Request:
    """A request without what channels have no business with."""
    return replace(request, waiter=None, absent_s=None)


def described(session: Session) -> Session:
    return replace(session, seen_s=0.0, active_s=0.0)


class Listener:
    """What somebody knows who began with a snapshot of nothing and heard every change since."""

    def __init__(self) -> None:
        self.requests: dict[str, Request] = {}
        self.sessions: dict[tuple[str, str, str], Session] = {}
        self.messages: dict[tuple[str, str], Message] = {}
        self.settings = Settings()
        self.grants: tuple[Grant, ...] = ()
        self.flags: set[str] = set()
        self.resolved: Counter[str] = Counter()

    def apply(self, effect: Publish) -> None:
        request, session, message = effect.request, effect.session, effect.message
        if request is not None:
            self.requests[request.id] = told(request)
            if effect.type == "forgotten":
                del self.requests[request.id]
                del self.resolved[request.id]  # the id may be used again
        if session is not None:
            key = (session.agent, session.session_id, session.process)
            self.sessions[key] = described(session)
            if effect.type == "session_forgotten":
                del self.sessions[key]
                if not any(other[:2] == key[:2] for other in self.sessions):
                    self.messages.pop(key[:2], None)
        if message is not None:
            self.messages[message.agent, message.session_id] = message
        if effect.settings is not None:
            self.settings = effect.settings
        if effect.grants is not None:
            self.grants = effect.grants
