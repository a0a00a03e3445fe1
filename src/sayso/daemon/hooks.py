"""The methods that hooks call: asks, events, receipts, messages taken.

Synchronous: everything is done when the call returns, so that what a hook says on one
connection is heard in order. Not here: bytes (`control`), what people call (`methods`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from sayso.core.states import MessageTrigger, State
from sayso.core.types import Ask, HookEvent, Message
from sayso.daemon.agents import AgentProcesses
from sayso.daemon.runtime import Runtime
from sayso.wire.codec import (
    Envelope,
    MaskFunction,
    decode_ask,
    decode_event,
    decode_journal,
    mask_ask,
    mask_event,
)
from sayso.wire.jsonrpc import decode_params
from sayso.wire.protocol import GoneParams, TakeParams, WrittenParams


class Connection(Protocol):
    """The caller's side, as far as hooks' methods need it."""

    waiter: str
    pid: int

    def push(self, method: str, params: Any) -> None: ...


MOST_LINES = 1000
"""Of a journal, read at a restart: more would keep everybody else waiting."""
Answer = Callable[[Any], None]
"""Sends a call's result."""


class Hooks:
    """The asking side of the desk."""

    def __init__(self, runtime: Runtime, agents: AgentProcesses, mask: MaskFunction) -> None:
        self._runtime = runtime
        self._agents = agents
        self._mask = mask

    def request(self, connection: Connection, params: msgspec.Raw, answer: Answer) -> None:
        """An ask: acknowledged at once, answered when it is decided or moot."""
        asked, envelope = decode_ask(params)
        if self._runtime.covers(asked.agent, asked.session_id):
            answer({})
            return
        ask = self._completed(mask_ask(asked, self._mask))
        process = self._agents.confirm(envelope.agent_pid, connection.pid)
        if ask.resumed:
            self._read_journal(ask, envelope, process)
        runtime = self._runtime
        request = runtime.desk.ask(ask, connection.waiter, runtime.now(), process)
        runtime.wait(ask.id, lambda decision: answer(decision if decision is not None else {}))
        runtime.settle()  # raises the flag, and answers at once what does not pend
        if request.state is State.PENDING:
            connection.push("agent.pending", {"id": ask.id})

    def _completed(self, ask: Ask) -> Ask:
        """Return an ask with an id and a start on our clock, whatever its sender knows of both."""
        now = self._runtime.now()
        started_s = ask.started_s
        if not started_s and ask.started_at:
            started_s = ask.started_at - self._runtime.clock.offset_s
        # A start in the future would let no event ever touch it.
        started_s = _happened(started_s, now) if started_s else now
        return replace(ask, id=ask.id or secrets.token_hex(16), started_s=started_s)

    def _read_journal(self, ask: Ask, envelope: Envelope, process: str) -> None:
        """Hear what observers left while there was no desk, before the ask they may concern."""
        if not process and self._is_confirmed(ask.agent, ask.session_id):
            return  # a stranger's word on a session that is not its own
        runtime = self._runtime
        kept = runtime.flags.journal(ask.session_id) if runtime.flags is not None else []
        for line in (*envelope.journal[:MOST_LINES], *kept[:MOST_LINES]):
            found = decode_journal(line, ask.session_id)
            if found is None:
                continue
            event, agent_pid = found
            if event.agent == ask.agent and agent_pid in (0, envelope.agent_pid):
                self._observe(event, process)
        runtime.settle()

    def event(self, connection: Connection, params: msgspec.Raw, answer: Answer) -> None:
        """An event of an agent; acknowledged when the desk has acted on it.

        A hook that can hand its agent a message gets the one that is due with the same words.
        """
        event, envelope = decode_event(params)
        process = self._agents.confirm(envelope.agent_pid, connection.pid)
        message = None
        if self._runtime.covers(event.agent, event.session_id):
            answer({})
            return
        if process or not self._is_confirmed(event.agent, event.session_id):
            message = self._observe(event, process, connection.waiter if envelope.takes else "")
            self._runtime.settle()
        answer({"message": message.text} if message is not None else {})

    def _observe(self, event: HookEvent, process: str, taker: str = "") -> Message | None:
        now = self._runtime.now()
        self._runtime.silence.heard(event.agent, event.session_id)
        # One in the future would make everything after it look old.
        event = replace(event, at_s=_happened(event.at_s, now))
        return self._runtime.desk.observe(mask_event(event, self._mask), now, process, taker)

    def _is_confirmed(self, agent: str, session_id: str) -> bool:
        """Whether a session is known to be of one process: then no other speaks for it."""
        sessions = self._runtime.desk.snapshot().sessions.values()
        return any(one.process and (one.agent, one.session_id) == (agent, session_id) for one in sessions)

    def written(self, connection: Connection, params: msgspec.Raw, _answer: Answer) -> None:
        """The hook wrote the answer, or the message that it took."""
        receipt = decode_params(params, WrittenParams)
        runtime = self._runtime
        if receipt.id:
            runtime.desk.written(receipt.id, connection.waiter, receipt.expects, runtime.now())
        else:
            runtime.desk.message_receipt(connection.waiter, MessageTrigger.WRITTEN, runtime.now())
        runtime.settle()

    def not_written(self, connection: Connection, params: msgspec.Raw, _answer: Answer) -> None:
        """The hook could not write the answer, or the message that it took."""
        receipt = decode_params(params, GoneParams)
        runtime = self._runtime
        if receipt.id:
            runtime.desk.not_written(receipt.id, connection.waiter, runtime.now())
        else:
            runtime.desk.message_receipt(connection.waiter, MessageTrigger.NOT_WRITTEN, runtime.now())
        runtime.settle()

    def gone(self, connection: Connection, params: msgspec.Raw, _answer: Answer) -> None:
        """The hook was told to end, and says so before it does."""
        reason = decode_params(params, GoneParams).reason
        self._runtime.waiter_gone(connection.waiter, reason)

    def take_message(self, connection: Connection, params: msgspec.Raw, answer: Answer) -> None:
        """The message queued for a session, which is then on its way."""
        wanted = decode_params(params, TakeParams)
        runtime = self._runtime
        process = self._agents.confirm(wanted.agent_pid, connection.pid)
        message = None
        if process or not self._is_confirmed(wanted.agent, wanted.session_id):
            message = runtime.desk.take(
                wanted.agent, wanted.session_id, connection.waiter, runtime.now(), process=process
            )
            runtime.settle()
        answer({"message": message.text} if message is not None else {})


def _happened(at_s: float, now: float) -> float:
    """Return an instant that has been: neither to come, nor before the clock began, which no calendar has."""
    return min(max(at_s, 0.0), now)


METHODS: dict[str, Callable[[Hooks, Connection, msgspec.Raw, Answer], None]] = {
    "agent.request": Hooks.request,
    "agent.event": Hooks.event,
    "agent.written": Hooks.written,
    "agent.not_written": Hooks.not_written,
    "agent.gone": Hooks.gone,
    "agent.take-message": Hooks.take_message,
}
