"""The way of what programs ask themselves: taken in, taken back, over.

Not here: what a reply to it means (`direct`). Pure.
"""

from __future__ import annotations

from sayso.core.admission import check_direct
from sayso.core.ledger import Ledger
from sayso.core.requests import ending
from sayso.core.states import State, Trigger
from sayso.core.types import Ask, Hold, Request
from sayso.errors import Gone


class Asked:
    """What programs ask themselves, of one desk."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def take_in(self, ask: Ask, waiter: str | None, now: float, process: str, caller: str) -> Request:
        """Take in an ask, which then pends. Raises BadRequest, TooMany."""
        check_direct(self._ledger, ask, process or caller)
        watched = ask.hold is Hold.PARALLEL or self._ledger.watchers.until(self._ledger.settings) > now
        request = Request(
            id=ask.id,
            ask=ask,
            state=State.PENDING if watched else State.DEFERRED,
            created_s=now,
            process=process,
            caller=caller,
            waiter=waiter,
            reason="" if watched else "nobody_watching",
            ended_s=None if watched else now,
        )
        self._ledger.admit(request)
        return request

    def attach(self, request_id: str, waiter: str) -> Request:
        """Somebody waits, from now on, for the answer to what was registered. Raises Gone."""
        request = self._ledger.book.need(request_id)
        if not request.ask.is_registered or not (request.state is State.PENDING or _is_unfetched(request)):
            raise Gone(f"this request is settled: {ending(request)}", str(request.state))
        return self._ledger.tell(request, waiter=waiter)

    def caller_gone(self, request: Request, now: float) -> None:
        """Whoever asked ended, or its connection did: nobody is left to be told."""
        if request.ask.is_registered:
            self._ledger.tell(request, waiter=None, left_s=now)
            return
        why = "caller_gone" if request.state is State.PENDING else "caller_lost"
        if self._ledger.move(request, Trigger.WAITER_GONE, now, reason=why, waiter=None) is None:
            self._ledger.book.change(request, waiter=None)

    def withdraw(self, request_id: str, words: str, now: float) -> Request:
        """Take an ask back, with its program's own words why. Raises Gone."""
        request = self._ledger.book.need(request_id)
        if not request.ask.is_own:
            raise Gone("no program asks under this id")
        moved = self._ledger.move(request, Trigger.MOOT, now, reason="cancelled", words=words)
        if moved is None:
            raise Gone(f"this request is settled: {ending(request)}", str(request.state))
        return moved

    def move_on(self, session_id: str, caller: str, reason: str, at_s: float, now: float) -> None:
        """Withdraw what a caller asked over the bridge for a session, which has moved on since.

        Only what began before; what is answered stays answered.
        """
        book = self._ledger.book
        for request in [book.need(request_id) for request_id in book.pending]:
            ask = request.ask
            is_its = (ask.session_id, request.caller) == (session_id, caller)
            if ask.bridge and is_its and ask.started_s < at_s:
                self._ledger.move(request, Trigger.MOOT, now, reason=reason)

    def close_surface(self, surface_id: str, now: float) -> None:
        """A pane was closed: what was asked from it is over."""
        book = self._ledger.book
        for request in [book.need(request_id) for request_id in book.pending]:
            if request.ask.is_own and request.ask.surface_id == surface_id:
                self._ledger.move(request, Trigger.MOOT, now, reason="surface_closed")


def _is_unfetched(request: Request) -> bool:
    """Whether there is an answer that nobody has taken along."""
    return request.decision is not None and request.state in (State.ANSWERED, State.LOST)
