"""The interaction bridge: requests of programs that speak document 004, and its readers.

One desk behind it: what is asked here is shown on every channel, and what any agent asks is seen and
answered here. A payload stays here: the desk is told what is shown of it, masked, and answers in
positions. Not here: bytes and connections (`http_bridge`), agents' hooks (`hook_routes`). Imports
`runtime`, `core`, `wire`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sayso.core.bounds import MAX_MESSAGE_CHARS, MAX_VALUE_CHARS
from sayso.core.states import State
from sayso.core.types import Ask, Hold, Presence, Question, Reply, Request
from sayso.core.types import Bridge as Way
from sayso.daemon.asks import MOST_WHOLE_CHARS, answerer
from sayso.daemon.bridge_sessions import BridgeSessions
from sayso.daemon.feed import Feed
from sayso.daemon.notes import Allowance
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.daemon.shown import shown_to
from sayso.errors import Gone, IdTaken, OutOfTurn
from sayso.wire import interaction as wire
from sayso.wire import interaction_asks as asks
from sayso.wire.ask_user import MAX_TITLE_CHARS, Note
from sayso.wire.codec import MaskFunction, mask_ask
from sayso.wire.interaction_answers import reply_of, response_of
from sayso.wire.protocol import Power
from sayso.wire.views import Change, RequestView


class Outcome(Struct, frozen=True):
    """What a call is answered with. `sent` is told whether the client was there to take it."""

    body: Any
    sent: Callable[[bool], None] = lambda _there: None


class Own(Struct, frozen=True):
    """What is kept of a payload: masked, for readers, and the questions as they were asked."""

    payload: wire.Payload | None
    size: int
    questions: tuple[Question, ...]


class Budget:
    """How many characters one answer may still hold whole; what is beyond is cut as in any list."""

    def __init__(self) -> None:
        self._left = MOST_WHOLE_CHARS

    def take(self, chars: int) -> bool:
        if chars > self._left:
            return False
        self._left -= chars
        return True


def asker_of(caller: Caller) -> str:
    """Return the name under which the desk knows who asks over the bridge."""
    return f"device:{caller.credential}"


class Bridge:
    """Document 004's routes, of one desk."""

    def __init__(self, runtime: Runtime, mask: MaskFunction) -> None:
        self.runtime = runtime
        self.mask = mask
        self.sessions = BridgeSessions(runtime)
        self._own: dict[str, Own] = {}
        runtime.forgotten = self._forget
        self._waits: Counter[str] = Counter()
        self._allowance = Allowance()

    # --- asking ------------------------------------------------------------------------

    async def register(self, caller: Caller, body: wire.RegisterBody) -> Outcome:
        """Leave a request here; nobody waits for it yet."""
        request = self._take_in(caller, body, Way.REGISTERED, None)
        return Outcome(wire.Answered(ok=True, request=self._told(request, caller, Budget())))

    async def request(self, caller: Caller, body: wire.RequestBody) -> Outcome:
        """Ask, and wait as long as somebody watches."""
        waiter = f"bridge:{secrets.token_hex(8)}"
        request = self._take_in(caller, body, Way.HELD, waiter)
        del body  # what was said, unmasked, is not kept while it waits
        if request.state is not State.PENDING:
            return Outcome(wire.Answered(ok=True, watching=False))
        request = await self.held(request.id, waiter)
        watching = (request.state, request.reason) != (State.RELEASED, "nobody_watching")
        told = wire.Answered(ok=True, watching=watching, request=self._told(request, caller, Budget()))
        return Outcome(told, partial(self.receipt, request.id, waiter))

    async def held(self, request_id: str, waiter: str) -> Request:
        """Return a request once it pends no more; it goes along with whoever stops waiting."""
        settled = False
        try:
            request = await self.runtime.until_settled(request_id)
            settled = True
        finally:
            if not settled:
                self.runtime.waiter_gone(waiter)
        return _still(request)

    def receipt(self, request_id: str, waiter: str, there: bool) -> None:
        """Say what became of an answer: handed over, or not since its client had gone."""
        desk, now = self.runtime.desk, self.runtime.now()
        with suppress(OutOfTurn):  # nothing was answered, or it is no longer kept
            if there:
                desk.written(request_id, waiter, "", now)
            else:
                desk.not_written(request_id, waiter, now)
        self.runtime.settle()

    def _take_in(self, caller: Caller, body: wire.RegisterBody, way: Way, waiter: str | None) -> Request:
        own = asks.check_id(body.id)
        ask = asks.ask_of(body.session, body.type, body.payload, body.summary or "")
        ask = replace(ask, id=own or secrets.token_hex(16), hold_s=wire.wait_ms(body.timeout_ms) / 1000)
        if own and self._is_taken(own):
            raise IdTaken(f"another request has the id {own}: leave it out, or choose one at random")
        request = self.take_in(caller, ask, way, waiter)
        payload = wire.masked(body.payload, self.mask)
        self._keep(ask.id, Own(payload, len(msgspec.json.encode(payload)), ask.questions))
        return request

    def take_in(self, caller: Caller, ask: Ask, way: Way, waiter: str | None) -> Request:
        """Ask the desk. Raises BadRequest, TooMany."""
        runtime, now = self.runtime, self.runtime.now()
        hold = Hold.EXCLUSIVE if way is Way.HELD else Hold.PARALLEL
        ask = replace(ask, bridge=way, hold=hold, started_s=now, label=caller.name)
        ask = mask_ask(ask, self.mask)
        ask = replace(ask, session_id=ask.surface_id)  # the caller's own word, as any other
        request = runtime.desk.ask(ask, waiter, now, "", asker_of(caller))
        runtime.settle()
        return request

    # --- what is kept of payloads ---------------------------------------------------------

    def _is_taken(self, own: str) -> bool:
        """Whether a request has this id, or one that people who type it could not tell from it."""
        return any(name.lower() == own.lower() for name in self.runtime.desk.snapshot().requests)

    def _keep(self, request_id: str, own: Own) -> None:
        self._own[request_id] = own
        self.runtime.until_settled(request_id).add_done_callback(lambda _end: self._shorten(request_id))

    def _forget(self, request_id: str) -> None:
        self._own.pop(request_id, None)

    def _shorten(self, request_id: str) -> None:
        """Forget a long payload once its request is over, as the desk does with long rows."""
        own = self._own.get(request_id)
        if own is not None and own.size > MAX_VALUE_CHARS:
            self._own[request_id] = replace(own, payload=None)

    # --- fetching ----------------------------------------------------------------------

    async def wait(self, caller: Caller, query: wire.WaitQuery) -> Outcome:
        """Wait for a request's end; who registered it fetches the answer, others end nothing."""
        wait_s = wire.wait_ms(query.timeout_ms) / 1000
        request = self.runtime.desk.request(query.id)
        mine = request.caller == asker_of(caller)
        if not mine and caller.power < Power.SEE:
            raise Gone("there is no such request any more")
        fetches = mine and self._attach(request)
        ended = False
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    request = _still(await self.runtime.until_settled(query.id))
            request = self.runtime.kept(query.id) or request
            told = wire.Answered(ok=True, request=self._told(request, caller, Budget()))
            ended = fetches and request.state is not State.PENDING
        finally:
            if fetches and not ended:
                self._leave(query.id)
        return Outcome(told, partial(self._fetched, query.id)) if ended else Outcome(told)

    def _attach(self, request: Request) -> bool:
        """Wait in the name of who registered it; False where that changes nothing."""
        waiter = _waiter(request.id)
        if not request.ask.is_registered:
            return False
        with suppress(Gone):
            self.runtime.desk.attach(request.id, waiter, self.runtime.now())
            self._waits[request.id] += 1
            self.runtime.settle()
            return True
        return False

    def _leave(self, request_id: str) -> None:
        """One wait ended; with the last one nobody waits any more."""
        self._waits[request_id] -= 1
        if self._waits[request_id] <= 0:
            del self._waits[request_id]
            self.runtime.waiter_gone(_waiter(request_id))

    def _fetched(self, request_id: str, there: bool) -> None:
        if there:
            self.receipt(request_id, _waiter(request_id), there)
        self._leave(request_id)

    # --- answering ---------------------------------------------------------------------

    async def respond(self, caller: Caller, body: wire.RespondBody) -> Outcome:
        """Answer a request in document 004's words."""
        runtime, by = self.runtime, answerer(caller)
        request = runtime.desk.request(body.id)
        pending = request.state is State.PENDING
        # Of one that is settled the desk says how, whatever the response is.
        reply = reply_of(runtime.view(request), body.response) if pending else Reply()
        request = runtime.desk.answer(body.id, reply, by, runtime.now())
        runtime.settle()
        return Outcome(wire.Answered(ok=True, request=self._told(request, caller, Budget())))

    async def pending(self, caller: Caller, query: wire.PendingQuery) -> Outcome:
        return Outcome(wire.Listed(requests=self._pending(caller, self.mask(query.session_id.strip())[0])))

    def _pending(self, caller: Caller, session_id: str = "") -> tuple[wire.Interaction, ...]:
        budget, kept = Budget(), self.runtime.desk.snapshot().requests.values()
        pending = (one for one in kept if one.state is State.PENDING)
        return tuple(
            self._told(request, caller, budget)
            for request in sorted(pending, key=lambda one: one.ask.started_s)
            if session_id in ("", request.ask.session_id)
        )

    # --- telling -----------------------------------------------------------------------

    async def notify(self, caller: Caller, body: wire.NotifyBody) -> Outcome:
        """Tell the person something; nothing waits."""
        session, runtime = asks.session_name(body.session), self.runtime
        words = asks.check_summary(body.summary)
        ask = asks.ask_of(session, "permission", body.payload, "")
        rows = [f"{row.label}: {row.value}" for row in ask.input if row is not asks.NOTHING]
        title, _, rest = (words or ask.tool or "It needs a look").partition("\n")
        self._allowance.take(asker_of(caller), runtime.now())
        told = {"title": title, "body": "\n".join(filter(None, (rest.strip(), *rows))), "cwd": ask.cwd}
        told |= {"surface_id": session, "label": caller.name}
        note = Note(**{name: self.mask(text)[0] for name, text in told.items()})
        cut = replace(note, title=note.title[:MAX_TITLE_CHARS], body=note.body[:MAX_MESSAGE_CHARS])
        runtime.note(cut, asks.PROGRAM)
        return Outcome({"ok": True})

    async def desktop_state(self, caller: Caller, _query: None) -> Outcome:
        """Return everything that another program shows of this desk."""
        snapshot = self.runtime.snapshot()
        pending = [view for view in snapshot.requests if view.state == State.PENDING]
        return Outcome(
            wire.DesktopState(
                sessions=self.sessions.listed(),
                pending_interactions=self._pending(caller),
                alerts=(*map(wire.alert_of, pending), *map(wire.alert_of_note, snapshot.notes)),
            )
        )

    # --- the stream --------------------------------------------------------------------

    def subscribe(self, caller: Caller) -> Feed:
        return self.runtime.subscribe("", shown_to(caller))

    def event(self, caller: Caller, change: Change) -> bytes:
        """Return what a stream tells of a change; b"" for nothing."""
        if change.snapshot is not None:
            return wire.encode_event("ready", {"pending": self._pending(caller)})
        if change.note is not None:
            return wire.encode_event("note", wire.alert_of_note(change.note))
        view = change.request
        name = wire.event_of(change.type, view) if view is not None else ""
        if view is None or not name:
            return b""
        if name == "interaction":
            return wire.encode_event(name, wire.alert_of(view))
        return wire.encode_event(name, {"request": self._as_told(view, self.runtime.kept(view.id), caller)})

    def watch(self, caller: Caller, watcher: str, there: bool) -> None:
        """Note that a stream's reader is there, or has gone; one that cannot answer does not count."""
        if caller.power < Power.ANSWER:
            return
        now = self.runtime.now()
        self.runtime.desk.watch(watcher, Presence(present_s=now) if there else None, now)
        self.runtime.settle()

    # --- requests as they are told ------------------------------------------------------------

    def _told(self, request: Request, caller: Caller, budget: Budget) -> wire.Interaction:
        """Return a request for a caller: to who may answer whole, and thereby seen."""
        view = self.runtime.view(request)
        mine = request.caller == asker_of(caller)
        if caller.power >= Power.ANSWER and request.state is State.PENDING:
            view = self._whole(view, request, caller, budget)
        own = self._own.get(request.id)
        fits = own is not None and (mine or budget.take(own.size))
        return self._as_told(view, request, caller, fits)

    def _whole(self, view: RequestView, request: Request, caller: Caller, budget: Budget) -> RequestView:
        """Return a view with the rows that a list cuts, as long as the budget lasts."""
        rows = list(view.input)
        for index, row in enumerate(request.ask.input):
            if len(row.value) > MAX_VALUE_CHARS and budget.take(len(row.value)):
                rows[index] = self.runtime.desk.row(request.id, index, caller.credential)
        return replace(view, input=tuple(rows))

    def _as_told(
        self, view: RequestView, request: Request | None, caller: Caller, fits: bool = True
    ) -> wire.Interaction:
        own = self._own.get(view.id)
        payload = own.payload if own is not None and fits else None
        if request is None or request.decision is None:
            return wire.interaction(view, payload, None)
        ask, decision = request.ask, request.decision
        questions = ask.questions
        if request.caller == asker_of(caller):
            questions = own.questions if own is not None else questions
        else:  # what a person wrote is for who asked, and for where it was written
            decision = shown_to(caller).decision(decision, view)
        return wire.interaction(view, payload, response_of(ask.kind, decision, questions, ask.suggestions))


def _still(request: Request | None) -> Request:
    """Return a request that somebody waited for. Raises Gone."""
    if request is None:
        raise Gone("there is no such request any more")
    return request


def _waiter(request_id: str) -> str:
    return f"bridge:{request_id}"
