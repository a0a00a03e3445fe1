"""What the core asks its shell to do; the shell does it in this order.

Imports `types` and `grants`.
"""

from __future__ import annotations

from msgspec import Struct

from sayso.core.grants import Grant
from sayso.core.types import Decision, Message, Request, Session, Settings


class Resolve(Struct, frozen=True):
    """Tell the waiting process: this decision, or None for "nothing was decided"."""

    request_id: str
    waiter: str
    decision: Decision | None


class Publish(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tell every channel what changed.

    `type`: shown (a request or notice appeared), resolved (it waits no more), changed
    (it moved on after that), forgotten (it is no longer kept), session, session_forgotten
    (and with the last process of a session its message), message, settings, grants (all
    that are open, whatever changed of them). Exactly the
    entity named by the type is set; `request` for the first four.
    """

    type: str
    request: Request | None = None
    session: Session | None = None
    message: Message | None = None
    settings: Settings | None = None
    grants: tuple[Grant, ...] | None = None


class Persist(Struct, frozen=True):
    """Keep these settings."""

    settings: Settings


class Hint(Struct, frozen=True):
    """Raise or lower the flag of a session, which tells its gated observers to speak."""

    session_id: str
    raised: bool


Effect = Resolve | Publish | Persist | Hint
