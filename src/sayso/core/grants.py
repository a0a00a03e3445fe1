"""What a person allows for a while: this very call of this very session, until it ends. Pure.

A grant answers nothing that is not the same call in every part: no pattern, no prefix, no other
session, process, folder or agent within it. It lives in memory alone. Not here: who may give one
(`answers`), when one ends before its time (`desk`). Imports `bounds`, `types` and `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from sayso.core.bounds import MAX_GRANT_CHARS, MOST_GRANTS
from sayso.core.types import Answerer, Kind, Request
from sayso.errors import BadReply

Call = tuple[str, ...]
"""What makes two calls the same one."""


class Grant(Struct, frozen=True, kw_only=True):
    """A call that a person allows until `until_s`. `id`: of the request they allowed; `what`: its first
    row, cut."""

    id: str
    call: Call
    agent: str
    session_id: str
    process: str
    tool: str
    cwd: str
    what: str
    by: Answerer
    until_s: float


def call_of(request: Request) -> Call | None:
    """Return what a request asks for, if it can be told from every other; else None."""
    ask = request.ask
    if ask.kind != Kind.PERMISSION or not request.process or not ask.digest:
        return None
    same = ask.content or ask.digest
    return ask.agent, ask.session_id, request.process, ask.agent_id, ask.tool, same, ask.cwd


class Grants:
    """The grants that are open."""

    def __init__(self) -> None:
        self._all: dict[str, Grant] = {}

    def __iter__(self) -> Iterator[Grant]:
        return iter(self._all.values())

    def check(self, request: Request) -> Call:
        """Return the call that a grant may be given for. Raises BadReply."""
        call = call_of(request)
        if call is None:
            raise BadReply("who asks this, or what exactly, is not certain: allow it once", "for_s")
        if len(self._all) >= MOST_GRANTS:
            raise BadReply(f"{MOST_GRANTS} grants are open: end some first", "for_s")
        return call

    def add(self, request: Request, by: Answerer, until_s: float) -> None:
        """Open a grant for the call of a request, which was checked."""
        ask, call = request.ask, call_of(request)
        assert call is not None
        first = ask.input[0].value if ask.input else ""
        self._all[request.id] = Grant(
            id=request.id,
            call=call,
            agent=ask.agent,
            session_id=ask.session_id,
            process=request.process,
            tool=ask.tool,
            cwd=ask.cwd,
            what=first if len(first) <= MAX_GRANT_CHARS else first[: MAX_GRANT_CHARS - 1] + "…",
            by=by,
            until_s=until_s,
        )

    def match(self, request: Request, now: float) -> Grant | None:
        """Return the grant for the very call of a request; of several the one that ends last."""
        call = call_of(request)
        same = [one for one in self._all.values() if call is not None and one.call == call]
        return max((one for one in same if now < one.until_s), key=lambda one: one.until_s, default=None)

    def end(self, is_over: Callable[[Grant], bool]) -> bool:
        """End the grants that are over; return whether one was."""
        over = [name for name, grant in self._all.items() if is_over(grant)]
        for name in over:
            del self._all[name]
        return bool(over)

    def next_expiry(self) -> float | None:
        """Return when the next grant ends by itself; None for never."""
        return min((grant.until_s for grant in self._all.values()), default=None)
