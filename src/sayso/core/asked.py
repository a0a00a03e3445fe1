"""The way of what programs ask themselves: taken in, taken back, over.

Not here: what a reply to it means (`direct`). Pure.
"""

from __future__ import annotations

from sayso.core.admission import check_direct
from sayso.core.ledger import Ledger
from sayso.core.requests import ending
from sayso.core.states import State, Trigger
from sayso.core.types import Ask, Request
from sayso.errors import Gone


class Asked:
    """What programs ask themselves, of one desk."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def take_in(self, ask: Ask, waiter: str | None, now: float, process: str, caller: str) -> Request:
        """Take in an ask, which then pends. Raises BadRequest, TooMany."""
        check_direct(self._ledger, ask, process or caller)
        request = Request(
            id=ask.id,
            ask=ask,
            state=State.PENDING,
            created_s=now,
            process=process,
            caller=caller,
            waiter=waiter,
        )
        self._ledger.admit(request)
        return request

    def caller_gone(self, request: Request, now: float) -> None:
        """Whoever asked ended, or its connection did: nobody is left to be told."""
        why = "caller_gone" if request.state is State.PENDING else "caller_lost"
        if self._ledger.move(request, Trigger.WAITER_GONE, now, reason=why, waiter=None) is None:
            self._ledger.book.change(request, waiter=None)

    def withdraw(self, request_id: str, words: str, now: float) -> Request:
        """Take an ask back, with its program's own words why. Raises Gone."""
        request = self._ledger.book.need(request_id)
        if not request.ask.is_direct:
            raise Gone("no program asks under this id")
        moved = self._ledger.move(request, Trigger.MOOT, now, reason="cancelled", words=words)
        if moved is None:
            raise Gone(f"this request is settled: {ending(request)}", str(request.state))
        return moved

    def close_surface(self, surface_id: str, now: float) -> None:
        """A pane was closed: what was asked from it is over."""
        book = self._ledger.book
        for request in [book.need(request_id) for request_id in book.pending]:
            if request.ask.is_direct and request.ask.surface_id == surface_id:
                self._ledger.move(request, Trigger.MOOT, now, reason="surface_closed")
