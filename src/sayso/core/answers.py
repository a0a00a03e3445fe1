"""A person's answer: taken once, by who saw what it allows; and what it allows for a while.

Not here: what a reply means (`fit`), when grants end (`desk`). Pure.
"""

from __future__ import annotations

from sayso.core import direct
from sayso.core.fit import fit
from sayso.core.ledger import Ledger
from sayso.core.requests import ending
from sayso.core.seen import Seen
from sayso.core.states import SessionTrigger, State, Trigger
from sayso.core.types import Answerer, Behavior, Decision, Reply, Request, Row
from sayso.errors import BadRequest, Gone


class Answers:
    """The answers to one desk's requests."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._acknowledged = direct.Acknowledgements()
        self._seen = Seen()
        self._results: dict[str, dict[tuple[str, str], Request]] = {}

    def take(self, request_id: str, reply: Reply, by: Answerer, now: float) -> Request:
        """Decide a pending request with a person's reply. Raises Gone, BadReply, NotSeen."""
        once = (by.credential, reply.key) if reply.key else None
        first = self._results.get(request_id, {}).get(once) if once else None
        if first is not None:
            return first
        request = self._ledger.book.need(request_id)
        if request.state is not State.PENDING:
            raise Gone(_how_settled(request, now), str(request.state))
        decision = self._checked(request, reply, by)
        if reply.step == direct.ACK:
            self._acknowledged.note(request_id, by, now)
            return request
        if reply.step == direct.RUN:
            self._acknowledged.check(request_id, by, now)
        moved = self._decide(request, decision, by, now)
        if reply.for_s is not None:
            self._ledger.grants.add(request, by, now + reply.for_s)
            self._ledger.publish_grants()
        if once:
            self._results.setdefault(request_id, {})[once] = moved
        return moved

    def _checked(self, request: Request, reply: Reply, by: Answerer) -> Decision:
        decision = fit(request.ask, reply)
        if reply.for_s is not None:
            self._ledger.grants.check(request)
        if decision.behavior == Behavior.ALLOW and not reply.unseen:
            self._seen.check(request, by.credential)
        return decision

    def by_grant(self, request: Request, now: float) -> Request:
        """Answer a request that just came, if a grant is open for its very call; return it as it is then."""
        grant = self._ledger.grants.match(request, now) if request.state is State.PENDING else None
        if grant is None:
            return request
        allow = Decision(behavior=Behavior.ALLOW)
        return self._decide(request, allow, grant.by, now, granted_until_s=grant.until_s)

    def _decide(
        self, request: Request, decision: Decision, by: Answerer, now: float, **more: float
    ) -> Request:
        moved = self._ledger.move(
            request, Trigger.REPLY, now, decision=decision, by=by, answered_s=now, **more
        )
        assert moved is not None  # a pending request takes a reply: the table
        session = self._ledger.session_of(moved)
        # A program may run on when its agent's turn is over: its answer begins none.
        if session is not None and not moved.ask.agent_id and not moved.ask.is_own:
            self._ledger.session_trigger(session, SessionTrigger.ANSWERED, now)
        return moved

    def row(self, request_id: str, index: int, credential: str) -> Row:
        """Return a whole row, which then counts as seen by this credential."""
        rows = self._ledger.book.need(request_id).ask.input
        if not 0 <= index < len(rows):
            raise BadRequest(f"there is no row {index}", "row")
        self._seen.note(request_id, credential, index)
        return rows[index]

    def forget(self, request_id: str) -> None:
        self._acknowledged.forget(request_id)
        self._seen.forget(request_id)
        self._results.pop(request_id, None)


def _how_settled(request: Request, now: float) -> str:
    said = f"this request is settled: {ending(request)}"
    if request.by is None or request.answered_s is None:
        return said
    who = request.by.name or request.by.channel
    return f"{said} (answered by {who} {now - request.answered_s:.0f} s ago)"
