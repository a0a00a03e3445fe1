"""What the desk told so far, as this channel needs it. Imports `base`, `notices` and `wire.views`."""

from __future__ import annotations

from sayso.channels.base import settled_words
from sayso.channels.notices import SETTLED_BY_HAND
from sayso.wire.views import Change, MessageView, RequestView, SessionView, Snapshot

UNKNOWN = "the desk does not know this request any more: look at the agent's terminal"


class Board:
    """Requests by id, in the order in which they came; sessions and their messages."""

    def __init__(self) -> None:
        self.requests: dict[str, RequestView] = {}
        self.sessions: dict[tuple[str, str, str], SessionView] = {}
        self.messages: dict[tuple[str, str], MessageView] = {}

    def hear(self, change: Change) -> None:
        """Take in a change."""
        if change.snapshot is not None:
            self._begin(change.snapshot)
        if (view := change.request) is not None:
            self.requests[view.id] = view
            if change.type == "forgotten":
                del self.requests[view.id]
        if (session := change.session) is not None:
            key = (session.agent, session.session_id, session.process)
            self.sessions[key] = session
            if change.type == "session_forgotten":
                del self.sessions[key]
                if not any(one[:2] == key[:2] for one in self.sessions):
                    self.messages.pop(key[:2], None)
        if (message := change.message) is not None:
            self.messages[message.agent, message.session_id] = message

    def _begin(self, snapshot: Snapshot) -> None:
        self.requests = {view.id: view for view in (*snapshot.ended, *snapshot.requests)}
        self.sessions = {(one.agent, one.session_id, one.process): one for one in snapshot.sessions}
        self.messages = {(one.agent, one.session_id): one for one in snapshot.messages}

    def pending(self) -> list[RequestView]:
        """Return what waits for a person."""
        return [view for view in self.requests.values() if view.state == "pending" and not view.notice]

    def living(self) -> list[SessionView]:
        return [one for one in self.sessions.values() if one.state != "ended"]


def is_shown(view: RequestView) -> bool:
    """Whether there is a card of it: it waits, or an agent's terminal asks what cannot be answered here."""
    if view.notice:
        return view.reason not in SETTLED_BY_HAND
    return view.state == "pending"


def end_words(view: RequestView | None) -> str:
    """Return how a request ended, as a sentence."""
    words = settled_words(view) if view is not None else UNKNOWN
    return words[:1].upper() + words[1:]
