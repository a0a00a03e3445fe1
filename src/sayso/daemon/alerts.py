"""What people are told of agents that tried to act for them.

A try changes nothing and was refused already; this only sees to it that somebody hears of
it, without an agent being able to drown anything in such words. Not here: who is refused
(`access`). Imports `core.types` and `wire`.
"""

from __future__ import annotations

from collections import deque

from sayso.core.types import Session
from sayso.wire.views import AlertView, Clock, project_of

EVERY_S = 60.0
"""An agent's process is told of once in this time, however often it tries."""
KEPT_S = 300.0
"""How long a channel that connects is still told."""
MOST = 32
"""How many agents' processes are told of in EVERY_S, and how many alerts are kept."""


class Alerts:
    """The alerts of one desk, oldest first."""

    def __init__(self) -> None:
        self._told: dict[str, float] = {}
        self._kept: deque[tuple[float, AlertView]] = deque(maxlen=MOST)

    def is_due(self, process: str, now: float) -> bool:
        """Whether a try is to be told; not when it was told lately.

        Args:
            process: of the agent, "" when it cannot be told which: all such are one.
        """
        self._told = {one: at_s for one, at_s in self._told.items() if now - at_s < EVERY_S}
        return process not in self._told and len(self._told) < MOST

    def note(self, process: str, method: str, session: Session | None, now: float, clock: Clock) -> AlertView:
        """Return what to tell of a try. `session`: what the agent works on, as far as the desk knows."""
        self._told[process] = now
        alert = AlertView(
            method=method,
            at=clock.at(now),
            agent=session.agent if session is not None else "",
            session_id=session.session_id if session is not None else "",
            project=project_of(session.cwd) if session is not None else "",
        )
        self._kept.append((now, alert))
        return alert

    def kept(self, now: float) -> tuple[AlertView, ...]:
        """Return those of the last minutes."""
        return tuple(alert for at_s, alert in self._kept if now - at_s < KEPT_S)
