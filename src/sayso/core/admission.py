"""Whether an ask may pend at all, and which settings make sense. Pure.

Not here: what a reply must look like (`fit`), how long a request waits (`watchers`).
"""

from __future__ import annotations

from msgspec.structs import asdict

from sayso.core import direct
from sayso.core.fit import unshowable
from sayso.core.ledger import Ledger
from sayso.core.types import Ask, Hold, Kind, Settings
from sayso.errors import BadRequest, TooMany

BYPASS_MODE = "bypassPermissions"
CODEX = "codex"


def check_direct(ledger: Ledger, ask: Ask, asker: str) -> None:
    """Return if what a program asks itself may pend: it has no other prompt to leave it to.

    Raises:
        BadRequest: nobody could answer it; names the field.
        TooMany: so much waits already, of this asker or in all.
    """
    direct.check(ask)
    if ask.bridge and (why := unshowable(ask)):
        raise BadRequest(f"this cannot be asked: {why}", "payload")
    if is_full(ledger, asker):
        raise TooMany("too many requests are pending: answer some, or ask later")


def is_full(ledger: Ledger, asker: str) -> bool:
    """Whether as much as is taken in is pending, of one process or in all."""
    settings, book = ledger.settings, ledger.book
    return (
        book.pending_of(asker) >= settings.pending_per_agent or len(book.pending) >= settings.pending_in_all
    )


def reason_to_defer(ledger: Ledger, ask: Ask, process: str, now: float) -> str:
    """Return why an ask is left to the agent's own prompt at once; "" when it may pend."""
    settings = ledger.settings
    if not opted_in(ask, settings):
        return "not_opted_in"
    if ask.mode == BYPASS_MODE and ask.kind != Kind.QUESTION:
        return "bypass_mode"
    if unshowable(ask):
        return "not_showable"
    if is_full(ledger, process):
        return "too_many"
    if ask.hold is Hold.PARALLEL or ask.resumed or ledger.watchers.until(settings) > now:
        return ""
    return "nobody_watching"


def opted_in(ask: Ask, settings: Settings) -> bool:
    """Whether the person lets us answer for this agent.

    Codex shows nothing while its hook waits, so that is chosen or not done. Through its
    app server it asks beside us, which is another choice.
    """
    if ask.agent != CODEX or settings.codex_approvals or ask.is_direct:
        return True
    return settings.codex_server and ask.hold is Hold.PARALLEL


_MAY_BE_NONE = frozenset({"silent_after_s"})
"""Settings in which 0 is never."""


def checked(settings: Settings) -> Settings:
    """Return settings whose values make sense. Raises BadRequest, naming the setting."""
    for name, value in asdict(settings).items():
        if name in _MAY_BE_NONE and not value:
            continue
        if isinstance(value, int | float) and not isinstance(value, bool) and not 1 <= value <= 1e6:
            raise BadRequest(f"{name} must be between 1 and 1000000", name)
    if settings.notice_content not in ("nothing", "who", "what"):
        raise BadRequest("notice_content is nothing, who or what", "notice_content")
    if settings.answers_from not in ("local", "paired"):
        raise BadRequest("answers_from is local or paired", "answers_from")
    return settings
