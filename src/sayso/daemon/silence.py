"""Sessions at work of which nothing is heard for long: a tool runs on, or waits for what nobody was asked.

Tool calls of a session without a flag are not heard of, since that costs each of them time. So the flag of
a session at work is raised now and then, until the next call has ended: at most once in LOOK_S. Silence
counts from when the flag was raised. Not here: requests, and what the core needs flags for. Imports `core`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from sayso.core.desk import Desk
from sayso.core.states import SessionState
from sayso.core.types import Session, Settings
from sayso.daemon.mutes import Mutes
from sayso.wire.ask_user import Note

Key = tuple[str, str]
LOOK_S = 60.0


class Host(Protocol):
    """The runtime, as this needs it."""

    desk: Desk
    settings: Settings
    now: Callable[[], float]
    mutes: Mutes

    def set_flag(self, session_id: str) -> None: ...

    def note(self, note: Note, agent: str, of_desk: bool = False) -> None: ...


class Silence:
    """Notices silence, and tells of it once, until something is heard again."""

    def __init__(self, host: Host, look_s: float = LOOK_S) -> None:
        self._host = host
        self._look_s = look_s
        self._since: dict[Key, float] = {}
        self._told: set[Key] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._looks = False

    def begin(self) -> None:
        """Look from now on, in the loop that runs; until then nothing is noticed."""
        self._looks = True

    def wants_flag(self, session_id: str) -> bool:
        """Whether the next call of a session is to be heard of."""
        return any(known == session_id for _, known in self._since)

    def changed(self, session: Session) -> None:
        """A session changed, and so it lives."""
        self.heard(session.agent, session.session_id)
        if session.state is SessionState.WORKING:
            self._go_on()

    def heard(self, agent: str, session_id: str) -> None:
        """Something was heard of a session."""
        self._told.discard((agent, session_id))
        if self._since.pop((agent, session_id), None) is not None:
            self._host.set_flag(session_id)

    def end(self) -> None:
        """Look no more. Flags stay as they are."""
        if self._timer is not None:
            self._timer.cancel()

    def _go_on(self) -> None:
        if self._looks and self._timer is None and self._host.settings.silent_after_s:
            self._timer = asyncio.get_running_loop().call_later(self._look_s, self.look)

    def look(self) -> None:
        """Look at each session that is at work, and nobody is asked, here or in its terminal."""
        self._timer = None
        after_s, now = self._host.settings.silent_after_s, self._host.now()
        working = self._working() if after_s else {}
        for gone in [key for key in self._since if key not in working]:
            self.heard(*gone)
        for key, session in working.items():
            since_s = self._since.setdefault(key, now)
            if since_s == now:
                self._host.set_flag(session.session_id)
            elif now - since_s >= after_s and key not in self._told:
                self._told.add(key)
                self._tell(session, now - since_s)
        if working:
            self._go_on()

    def _working(self) -> dict[Key, Session]:
        desk = self._host.desk
        kept = desk.snapshot()
        in_terminal = {
            (request.ask.agent, request.ask.session_id)
            for request in kept.requests.values()
            if request.notice and request.reason != "bypass_mode"  # nothing waits there
        }
        return {
            key: session
            for session in kept.sessions.values()
            if session.state is SessionState.WORKING
            and not desk.pending_of(session)[0]
            and (key := (session.agent, session.session_id)) not in in_terminal
        }

    def _tell(self, session: Session, silent_s: float) -> None:
        if self._host.mutes.until_s(session.agent, session.session_id) is not None:
            return
        body = f"Its last prompt: {session.prompt}" if session.prompt else ""
        title = f"It works, and nothing was heard of it for {max(1, round(silent_s / 60))} min"
        self._host.note(Note(title=title, body=body, cwd=session.cwd), session.agent, of_desk=True)
