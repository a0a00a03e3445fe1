"""What an app server asks of its clients, held for the desk: asked here, answered there, whoever is first.

Only what is handled is ever answered. A request that the server says is settled, without an answer of
ours, was settled in the terminal. Not here: what is shown and what a decision makes (`agents.codex`).
Imports asyncio, `agents`, `core`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from sayso.agents import codex
from sayso.core.digest import dumps, text
from sayso.errors import BadRequest
from sayso.intake.codex_desk import Desk, Speaks
from sayso.intake.codex_threads import Thread, Threads
from sayso.intake.hook_ask import fit

log = logging.getLogger(__name__)

Dict = dict[str, object]

EVIDENCE_S = 2.0
"""How long a person's words wait for the sign that their refusal took effect."""
Say = Callable[[Thread, str], None]
"""Passes a person's words on to a thread."""


class Request:
    """One request of the server. `id` is its own, `desk_id` the desk's."""

    def __init__(self, request_id: object, method: str, params: Dict, thread: Thread) -> None:
        self.id = request_id
        self.method = method
        self.params = params
        self.thread = thread
        self.item: Dict = {}
        self.identity = ""
        self.desk_id = ""
        self.is_answered = False
        self.words = ""
        """What the model is told after a refusal, once that has taken effect."""
        self.stops = False


class Requests:
    """All open requests of a connection."""

    def __init__(self, desk: Desk, link: Speaks, threads: Threads, say: Say) -> None:
        self._desk = desk
        self._link = link
        self._threads = threads
        self._say = say
        self._open: dict[object, Request] = {}
        self._held: dict[str, list[Request]] = {}
        self._to_say: list[Request] = []

    def hear(self, request_id: object, method: str, params: Dict) -> None:
        """Take in a request; one that is not handled here is left to others, without a word."""
        if method not in codex.METHODS or request_id in self._open or not text(params.get("threadId")):
            return
        thread = self._threads.get(text(params.get("threadId")))
        request = self._open[request_id] = Request(request_id, method, params, thread)
        if thread.is_known:
            self._ask(request)
        elif not thread.is_skipped:
            self._held.setdefault(thread.id, []).append(request)

    def known(self, thread: Thread) -> None:
        """Ask what waited until it was known whose session a thread is of."""
        for request in self._held.pop(thread.id, []):
            if request.id in self._open and not thread.is_skipped:
                self._ask(request)

    def resolved(self, request_id: object) -> None:
        """The server says that a request is settled."""
        request = self._open.pop(request_id, None)
        if request is None:
            return
        if not request.is_answered:
            self._over(request, "resolved")
        elif request.words and not request.identity and not request.stops:
            self._pass_on(request)

    def done(self, identity: str) -> None:
        """A call ended: whoever refused it may say why now."""
        for request in [one for one in self._to_say if one.identity == identity and not one.stops]:
            self._pass_on(request)

    def turn(self, thread: Thread) -> None:
        """A turn began or ended; who stopped one may say why at its end."""
        if not thread.turn_id:
            for request in [one for one in self._to_say if one.thread is thread]:
                self._pass_on(request)

    def lost(self, word: str) -> None:
        """There is no connection any more: the terminal alone asks."""
        for request in self._open.values():
            if not request.is_answered:
                self._over(request, word)
        for request in list(self._to_say):
            self._pass_on(request)
        self._open.clear()
        self._held.clear()

    # --- asking ----------------------------------------------------------------------------

    def _ask(self, request: Request) -> None:
        thread = request.thread
        request.item = codex.item_of(request.method, request.params, thread.items)
        asked = codex.ask(request.method, request.params, request.item)
        assert asked is not None  # its method is handled
        asked["session_id"] = thread.session_id
        asked["agent_id"] = thread.agent_id
        asked["agent_type"] = thread.agent_type
        asked["cwd"] = asked.get("cwd") or thread.cwd
        request.identity = text(asked.get("digest"))
        fit(asked)
        try:
            request.desk_id = self._desk.ask(
                dumps(asked), self._link.process, lambda decision: self._decided(request, decision)
            )
        except BadRequest as error:
            log.warning("a request of Codex could not be shown (%s): it asks in its terminal", error.field)

    def _over(self, request: Request, word: str) -> None:
        if request.desk_id:
            self._desk.over(request.desk_id, word)

    # --- answering -------------------------------------------------------------------------

    def _decided(self, request: Request, decision: Dict | None) -> None:
        if decision is not None:
            # Later: this runs while the desk's effects are carried out, in their order.
            asyncio.get_running_loop().call_soon(self._answer, request, decision)

    def _answer(self, request: Request, decision: Dict) -> None:
        """Send an answer, if it is still asked for."""
        if self._open.get(request.id) is not request:
            self._desk.not_written(request.desk_id)
            return
        try:
            result = codex.result(request.method, request.params, request.item, decision)
        except ValueError as reason:
            log.warning("an answer for Codex was not sent: %s", reason)
            self._desk.not_written(request.desk_id)
            return
        if not self._link.reply(request.id, result):
            self._desk.not_written(request.desk_id)
            return
        request.is_answered = True
        self._desk.written(request.desk_id)
        request.words = text(decision.get("message"))
        request.stops = decision.get("interrupt") is True
        if request.words:
            self._to_say.append(request)
            asyncio.get_running_loop().call_later(EVIDENCE_S, self._pass_on, request)

    def _pass_on(self, request: Request) -> None:
        """Tell the model what a person said with their refusal: the second step, told on its own."""
        if request not in self._to_say:
            return
        self._to_say.remove(request)
        if self._desk.contradicted(request.desk_id):
            title = "Codex was not told what you wrote: the terminal answered first"
            self._desk.note(codex.NAME, title, request.words, request.thread.cwd)
        else:
            self._say(request.thread, request.words)
