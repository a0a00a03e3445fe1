"""The desk as an intake inside of it sees it: asking, telling, and taking messages, without a socket.

What it says is checked and masked like what hooks say. Not here: what such an intake does, and how it
reaches its agent. Imports `runtime` and `agents`.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from math import inf

import msgspec
from msgspec.structs import replace

from sayso.core.states import MessageState, MessageTrigger, State
from sayso.core.types import Decision, Settings
from sayso.daemon import processes
from sayso.daemon.agents import AgentProcesses
from sayso.daemon.feed import Feed
from sayso.daemon.inside import Channel
from sayso.daemon.runtime import Runtime
from sayso.errors import NotRunning, OutOfTurn
from sayso.wire.ask_user import Note
from sayso.wire.codec import MaskFunction, decode_ask, decode_event, mask_ask, mask_event

Tell = Callable[[dict[str, object] | None], None]
"""Told the decision as JSON has it, None for "nothing was decided here"."""


class InsideAsks:
    """The asking side of the desk, for what runs inside it."""

    def __init__(self, runtime: Runtime, agents: AgentProcesses, mask: MaskFunction) -> None:
        self._runtime = runtime
        self._agents = agents
        self._mask = mask
        self._covered: set[tuple[str, str]] = set()
        runtime.covers = lambda agent, session_id: (agent, session_id) in self._covered

    @property
    def settings(self) -> Settings:
        return self._runtime.settings

    def listen(self) -> Feed:
        """Return the changes from now on, a snapshot first; it does not count as somebody who watches."""
        return self._runtime.listen()

    def peer(self, connection: socket.socket) -> str:
        """Return the process at the other end of a connection, which is an agent from now on.

        "" where it cannot be told which one. Raises PermissionError when it is another user's.
        """
        pid, uid = processes.peer_of(connection)
        if uid != os.getuid():
            raise PermissionError("another user listens there")
        return self._agents.known(pid)

    # --- asks ------------------------------------------------------------------------------

    def ask(self, ask: bytes, process: str, tell: Tell) -> str:
        """Ask, for as long as it takes; return the id. What is left to the agent's prompt is told at once.

        Args:
            ask: JSON in the shape of `core.types.Ask`; it begins now.

        Raises:
            BadRequest: it is malformed; nobody is told.
        """
        runtime = self._runtime
        given, now = mask_ask(decode_ask(ask)[0], self._mask), runtime.now()
        asked = replace(given, id=secrets.token_hex(16), started_s=now, hold_s=inf)
        runtime.desk.ask(asked, _waiter(asked.id), now, process)
        runtime.wait(asked.id, lambda decision: tell(_plain(decision)))
        runtime.settle()
        return asked.id

    def written(self, request_id: str) -> None:
        """The answer went to the agent."""
        with suppress(OutOfTurn):  # it is no longer kept
            self._runtime.desk.written(request_id, _waiter(request_id), "", self._runtime.now())
        self._runtime.settle()

    def not_written(self, request_id: str) -> None:
        """The answer could not be sent."""
        with suppress(OutOfTurn):
            self._runtime.desk.not_written(request_id, _waiter(request_id), self._runtime.now())
        self._runtime.settle()

    def over(self, request_id: str, word: str) -> None:
        """The agent no longer asks; `word` is one of `core.requests.LAST_WORDS`."""
        self._runtime.waiter_gone(_waiter(request_id), word)

    def contradicted(self, request_id: str) -> bool:
        """Tell whether the agent is known to have done something else than was answered."""
        kept = self._runtime.desk.snapshot().requests.get(request_id)
        return kept is not None and kept.state is State.OVERRULED

    # --- sessions --------------------------------------------------------------------------

    def observe(self, event: bytes, process: str) -> None:
        """Tell of an event, which happens now: JSON in the shape of `core.types.HookEvent`.

        Raises:
            BadRequest: it is malformed.
        """
        runtime = self._runtime
        now = runtime.now()
        told = mask_event(replace(decode_event(event)[0], at_s=now), self._mask)
        runtime.silence.heard(told.agent, told.session_id)
        runtime.desk.observe(told, now, process)
        runtime.settle()

    def reach(self, agent: str, session_id: str, process: str, reached: bool) -> None:
        """Say that a session is heard and spoken to from here, or no longer.

        Its hooks are silent meanwhile, and it takes messages while it is idle.
        """
        (self._covered.add if reached else self._covered.discard)((agent, session_id))
        self._runtime.desk.reach(agent, session_id, process, reached, self._runtime.now())
        self._runtime.settle()

    # --- messages --------------------------------------------------------------------------

    def queue(self, agent: str, session_id: str, text: str) -> bool:
        """Queue a person's words for a session; False where another message waits, or it takes none."""
        waiting = self._runtime.desk.snapshot().messages.get((agent, session_id))
        if waiting is not None and waiting.state in (MessageState.QUEUED, MessageState.TAKEN):
            return False
        try:
            self._runtime.desk.queue(agent, session_id, text, "soon", self._runtime.now())
        except NotRunning:
            return False
        self._runtime.settle()
        return True

    def take(self, agent: str, session_id: str, process: str, at_stop: bool) -> tuple[str, str] | None:
        """Return who has the message that is due in a session from now on, and its text; None for none."""
        taker, now = f"inside:{secrets.token_hex(8)}", self._runtime.now()
        message = self._runtime.desk.take(agent, session_id, taker, now, at_stop, process)
        self._runtime.settle()
        return (taker, message.text) if message is not None else None

    def handed(self, taker: str, written: bool | None) -> None:
        """Tell what became of a message; None if that is not known."""
        triggers = {True: MessageTrigger.WRITTEN, False: MessageTrigger.NOT_WRITTEN}
        trigger = triggers[written] if written is not None else MessageTrigger.TAKER_DIED
        self._runtime.desk.message_receipt(taker, trigger, self._runtime.now())
        self._runtime.settle()

    def note(self, agent: str, title: str, body: str, cwd: str) -> None:
        """Tell the person something that waits for nothing."""
        words = {"title": title, "body": body, "cwd": cwd}
        masked = {name: self._mask(text)[0] for name, text in words.items()}
        self._runtime.note(Note(**masked), agent)


MakeIntake = Callable[[InsideAsks], Channel]
"""What runs inside the desk like a channel, and asks."""


def _waiter(request_id: str) -> str:
    return f"inside:{request_id}"


def _plain(decision: Decision | None) -> dict[str, object] | None:
    if decision is None:
        return None
    plain: dict[str, object] = msgspec.to_builtins(decision)
    return plain
