"""The desk as an object in a Python program: ask, answer, observe, queue.

`Store` is thin. What may happen to a request, a message or a session is decided by the
core; the clock, the timer and the waiters are the daemon's (`inside`). Not here: sockets,
agents' processes, flags, devices; those are of a desk of its own, `sayso up`.
Imports `daemon`, `wire` and `core`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from collections.abc import AsyncIterable, Callable
from types import TracebackType
from typing import Any

import msgspec
from msgspec.structs import asdict, replace
from starlette.types import ASGIApp

from sayso.core.bounds import HOLD_MARGIN_S
from sayso.core.effects import Publish
from sayso.core.messages import check_text
from sayso.core.states import MessageState, MessageTrigger, SessionState, State
from sayso.core.types import Answerer, Ask, Decision, EventType, Hold, HookEvent, Reply, Row, Settings
from sayso.daemon.agents import AgentProcesses
from sayso.daemon.hooks import Hooks
from sayso.daemon.service import Caller
from sayso.errors import NotRunning
from sayso.store.handler import make_handler
from sayso.store.inside import Asker, Inside
from sayso.store.names import (
    AGENT_CLAUDE_CODE,
    AGENT_CODEX,
    DEFAULT_CODEX_WAIT,
    METHOD_REQUEST,
    METHOD_TAKE_MESSAGE,
)
from sayso.store.served import Served
from sayso.store.shapes import Method, Params, Sessions, Told, Wait, as_json, ask_of, match
from sayso.wire.jsonrpc import decode_params
from sayso.wire.protocol import Power, TakeParams
from sayso.wire.views import MessageView as Message
from sayso.wire.views import RequestView as Request
from sayso.wire.views import Snapshot, message_view

_WORKS = frozenset({"working", "waiting"})
_LISTED = frozenset({"shown", "resolved", "message", "session_forgotten"})
"""Changes of what `Store.list` returns."""
_PROGRAM = Answerer(channel="program", credential="program")
_CALLER = Caller(power=Power.ADMIN, channel="program", name="", credential="program")


class Store:
    """Pending requests and queued messages, in the memory of this process.

    It belongs to one event loop: none of this may be called from another thread. Its
    fields may be set at any time; `now`, `database` and `log` before its first use.

    Args:
        sessions: decides which sessions can be sent a message; None leaves it to what
            was observed.
        mask: hides secrets in what an agent wrote; None keeps it as it is.
        notify: called after requests or messages changed. It must not block, and must
            not call the store: let it wake what does.
        database: the file that keeps the settings, "" for memory.
        codex_wait: seconds that a request of Codex waits, instead of DEFAULT_CODEX_WAIT.
        interrupted: told of a session of Claude Code whose main agent's request ended
            with its hook, long before CLAUDE_HOLD: turned down in the terminal, which ends
            the turn without a stop.
        answered: told of a session of which a request was answered: it works again.
        resumed: told of a session whose Stop hook was handed its message: its turn goes on.
        now: the clock in seconds by which `Ask.started_s` and `HookEvent.at_s` count; None
            is `time.monotonic`.
        log: where troubles with the database are told, never what was asked.
    """

    def __init__(
        self,
        *,
        sessions: Sessions | None = None,
        mask: Callable[[str], str] | None = None,
        notify: Callable[[], None] | None = None,
        database: str | os.PathLike[str] = "",
        codex_wait: float | None = None,
        interrupted: Told | None = None,
        answered: Told | None = None,
        resumed: Told | None = None,
        now: Callable[[], float] | None = None,
        log: logging.Logger | None = None,
    ) -> None:
        self.sessions = sessions
        self.mask = mask
        self.notify = notify
        self.database = database
        self.codex_wait = codex_wait
        self.interrupted = interrupted
        self.answered = answered
        self.resumed = resumed
        self.now = now
        self.log = log
        self._made: Inside | None = None
        self._hook_ends = False

    # --- asking ------------------------------------------------------------------------

    async def ask(self, ask: Ask) -> Decision:
        """Show a request, and wait until it is answered.

        An empty `behavior` is returned when nobody decided: it was withdrawn or given
        back, its time is over, or it cannot be shown safely. A request of Codex is not
        shown unless the person switched `codex_approvals` on. Cancelling withdraws it.
        What is returned counts as handed to the agent.

        Raises: BadRequest, for an ask that is none.
        """
        inside = self._inside
        decided: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        asker = Asker(secrets.token_hex(16))
        ask = self._bounded(replace(ask, id=ask.id or secrets.token_hex(16)))
        self._hooks.request(asker, _raw(ask), lambda told: _settle(decided, told))
        try:
            inside.open(ask.id, ask.agent == AGENT_CODEX)  # our field says how long it waits, no setting
            decision = await decided
            if isinstance(decision, Decision):
                inside.desk.written(ask.id, asker.waiter, "", inside.now())
                inside.settle()
                return decision
            return Decision(behavior="")
        finally:
            self._ended(ask.id, asker)

    def _ended(self, request_id: str, asker: Asker) -> None:
        self._inside.open(request_id, False)
        self._hook_ends = True
        self._inside.waiter_gone(asker.waiter)
        self._hook_ends = False

    def _bounded(self, ask: Ask) -> Ask:
        """Codex shows no prompt of its own while its hook waits, so it waits for a short time."""
        if ask.agent != AGENT_CODEX:
            return ask
        wait_s = DEFAULT_CODEX_WAIT if self.codex_wait is None else self.codex_wait
        return replace(ask, hold=Hold.EXCLUSIVE, hold_s=min(ask.hold_s, wait_s + HOLD_MARGIN_S))

    # --- answering ---------------------------------------------------------------------

    def answer(self, id: str, reply: Reply) -> None:
        """Decide a pending request.

        Raises:
            Gone: it is not pending any more.
            BadRequest: the reply does not fit; the request stays pending.
        """
        self._inside.desk.answer(id, reply, _PROGRAM, self._inside.now())
        self._inside.settle()

    def row(self, id: str, number: int) -> Row:
        """Return a row whole, where a list has it cut; it then counts as seen.

        Raises: Gone, BadRequest.
        """
        return self._inside.desk.row(id, number, _PROGRAM.credential)

    def release(self, id: str) -> None:
        """Give a request back to the agent's own prompt: nothing is decided. Raises Gone."""
        self._inside.desk.release(id, self._inside.now())
        self._inside.settle()

    def list(self) -> tuple[tuple[Request, ...], tuple[Message, ...]]:
        """Return the pending requests, oldest first, and the queued messages, masked."""
        shown = self._shown()
        return shown.requests, shown.messages

    def _shown(self) -> Snapshot:
        found = self._inside.snapshot()
        return replace(
            found,
            requests=tuple(one for one in found.requests if one.state == State.PENDING),
            messages=tuple(
                replace(one, text=self._masked(one.text)[0])
                for one in found.messages
                if one.state == MessageState.QUEUED and self._is_listed(one)
            ),
        )

    def _is_listed(self, message: Message) -> bool:
        return self.sessions is None or self.sessions.lookup(message.agent, message.session_id) is not None

    # --- what happens ------------------------------------------------------------------

    def observe(self, event: HookEvent) -> None:
        """Apply an agent's event, however late it comes; one that `match` refuses does nothing.

        Only requests whose hook started before the event are touched. The main agent's
        turn boundaries withdraw the main agent's requests, a subagent's stop that
        subagent's, the session's end all; a finished or failed tool call the request for
        the same call, the oldest of several. A new prompt and the session's end drop the
        message queued before them; a stop leaves it.

        Raises: BadRequest, for an event that is none.
        """
        if match(event):
            self._hooks.event(Asker(""), _raw(event), _ignore)

    async def run(self, events: AsyncIterable[HookEvent]) -> None:
        """Observe events until there are no more, or until this is cancelled."""
        async for event in events:
            self.observe(event)

    # --- messages ----------------------------------------------------------------------

    def queue(self, agent: str, session_id: str, text: str, when: str = "soon") -> None:
        """Queue a message for a session, in place of one queued before.

        Raises:
            BadRequest: it is blank, or longer than MAX_MESSAGE.
            NotRunning: the session does not work on a turn.
        """
        check_text(text)
        if self.sessions is not None:
            self._believe(self.sessions, agent, session_id)
        self._inside.desk.queue(agent, session_id, text, when, self._inside.now())
        self._inside.settle()

    def _believe(self, sessions: Sessions, agent: str, session_id: str) -> None:
        """Have the desk know what the program knows of a session. Raises NotRunning."""
        if sessions.lookup(agent, session_id) not in _WORKS:
            raise NotRunning("the session is not working on a turn, so nothing would take the message")
        known = self._inside.desk.snapshot().sessions.values()
        if not any(
            (one.agent, one.session_id, one.state) == (agent, session_id, SessionState.WORKING)
            for one in known
        ):
            # The one event that makes a session work and is no boundary of a turn.
            now = self._inside.now()
            self.observe(HookEvent(agent=agent, session_id=session_id, type=EventType.TASK, at_s=now))

    def take_message(self, agent: str, session_id: str) -> Message | None:
        """Take the message queued for a session, for its Stop hook. It counts as delivered."""
        inside = self._inside
        taken = inside.desk.take(agent, session_id, _taker(agent, session_id), inside.now())
        inside.settle()
        return message_view(taken, inside.clock) if taken is not None else None

    def requeue(self, message: Message) -> None:
        """Put back a message that was taken and not delivered.

        Unless a newer one was queued since, or its turn ended: then nothing happens.
        """
        agent, session_id = message.agent, message.session_id
        kept = self._inside.desk.snapshot().messages.get((agent, session_id))
        if kept is None or kept.number != message.number:
            return
        self._inside.desk.message_receipt(
            _taker(agent, session_id), MessageTrigger.NOT_WRITTEN, self._inside.now()
        )
        self._inside.settle()

    def delete_message(self, agent: str, session_id: str) -> None:
        """Take back the message queued for a session, if there is one."""
        self._inside.desk.delete_message(agent, session_id, self._inside.now())
        self._inside.settle()

    # --- settings ----------------------------------------------------------------------

    def settings(self) -> Settings:
        """Return what the person chose."""
        return self._inside.settings

    def set_settings(self, settings: Settings) -> Settings:
        """Keep new settings, and return them. Switching Codex off lets its requests go.

        Raises: BadRequest, naming the setting that makes no sense.
        """
        changed = self._inside.desk.change(asdict(settings), self._inside.now())
        self._inside.settle()
        return changed

    # --- for a daemon and a server ------------------------------------------------------

    def methods(self) -> dict[str, Method]:
        """Return what a daemon's hooks call and are answered at once, by the method's name."""
        return {METHOD_TAKE_MESSAGE: self._take}

    def waits(self) -> dict[str, Wait]:
        """Return what a daemon's hooks call and wait for. Cancel the call when its hook goes away."""
        return {METHOD_REQUEST: self._request}

    def _take(self, params: Params) -> dict[str, Any]:
        wanted = decode_params(as_json(params), TakeParams)
        taken = self.take_message(wanted.agent, wanted.session_id)
        return {"message": taken.text} if taken is not None else {}

    async def _request(self, params: Params) -> dict[str, Any]:
        decision = await self.ask(ask_of(params))
        found: dict[str, Any] = msgspec.to_builtins(decision)
        return found if decision.behavior else {}

    def handler(self) -> ASGIApp:
        """Return the routes under /api/agent-requests and /api/agent-messages, as an ASGI application.

        THERE IS NO AUTHENTICATION IN IT. Whoever reaches it sees what agents ask and
        allows what they want to do. Mount it behind the authentication of your program,
        keep the pages of other sites out as well (a cookie alone does not), and never
        serve it by itself: not on the loopback either, where every agent is.
        """
        return make_handler(Served(self._inside, self._shown, self.queue), _CALLER)

    # --- the inside --------------------------------------------------------------------

    def close(self) -> None:
        """Let go of whoever waits: nothing is decided. The store is of no use after that."""
        self._inside.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _inside(self) -> Inside:
        if self._made is None:
            log = self.log or logging.getLogger("sayso.store")
            clock = self.now or time.monotonic
            self._made = Inside(os.fspath(self.database), clock, self._heard, log)
        return self._made

    @property
    def _hooks(self) -> Hooks:
        return Hooks(self._inside, AgentProcesses(_ignore), self._masked)

    def _masked(self, text: str) -> tuple[str, tuple[int, ...]]:
        return (text if self.mask is None else self.mask(text)), ()

    def _heard(self, change: Publish) -> None:
        """Tell the program of a change: what it is for a session first, then that there is one."""
        try:
            self._tell_of_session(change)
        finally:
            if change.type in _LISTED and self.notify is not None:
                self.notify()

    def _tell_of_session(self, change: Publish) -> None:
        request, message, session = change.request, change.message, change.session
        if request is not None and change.type == "resolved" and request.state is State.ANSWERED:
            _tell(self.answered, request.ask.agent, request.ask.session_id, request.answered_s)
        if message is not None and message.state is MessageState.TAKEN and not message.stale:
            _tell(self.resumed, message.agent, message.session_id, message.stop_s)
        if session is not None and self._hook_ends and session.state is SessionState.PRESUMED_IDLE:
            told = self.interrupted if session.agent == AGENT_CLAUDE_CODE else None
            _tell(told, session.agent, session.session_id, session.since_s)


def _tell(told: Told | None, agent: str, session_id: str, at_s: float | None) -> None:
    if told is not None and at_s is not None:
        told(agent, session_id, at_s)


def _taker(agent: str, session_id: str) -> str:
    """Return the taker of a session's messages: each one takes the place of the one before."""
    return f"{agent} {session_id}"


def _settle(decided: asyncio.Future[Any], told: Any) -> None:
    if not decided.done():
        decided.set_result(told)


def _raw(said: Ask | HookEvent) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(said))


def _ignore(_told: object) -> None:
    return
