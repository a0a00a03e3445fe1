"""A person's words on their way to a thread: into the turn that runs, or as the beginning of one.

Nothing is sent twice: what the server refused goes back into the queue, and of what a lost connection
swallowed nobody knows. Imports `agents`, `core`.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable

from sayso.agents import codex
from sayso.intake.codex_desk import Desk, Speaks
from sayso.intake.codex_link import Answered
from sayso.intake.codex_threads import OURS, Thread, Threads

Dict = dict[str, object]
Handed = Callable[[bool | None, str], None]
"""Told whether words were taken, None if that is not known; and why not."""


class Words:
    """What is said to the threads of a connection."""

    def __init__(self, desk: Desk, link: Speaks, threads: Threads) -> None:
        self._desk = desk
        self._link = link
        self._threads = threads
        self._names = (f"{OURS}{os.urandom(8).hex()}-{number}" for number in itertools.count(1))
        self._on_their_way: set[str] = set()
        self._newest: dict[str, int] = {}
        """Of a session, the number of its newest message."""
        self._refused: dict[str, tuple[str, int | None]] = {}
        """Of a thread, the turn in which it took a message not, and which one that was."""

    def queued(self, session_id: str, number: int) -> None:
        """A message may wait for a session: hand it over, if this is the moment for it."""
        self._newest[session_id] = number
        thread = self._threads.of_session(session_id)
        if thread is not None:
            self.pump(thread)

    def pump(self, thread: Thread) -> None:
        """Hand a thread the message that is due."""
        if thread.agent_id or thread.id in self._on_their_way or not thread.takes_messages:
            return
        if self._refused.get(thread.id) == self._moment(thread):
            return  # it was told once, and nothing is new since
        due = self._desk.take(codex.NAME, thread.session_id, self._link.process, not thread.turn_id)
        if due is None:
            return
        taker, words = due
        moment = self._moment(thread)
        self._on_their_way.add(thread.id)

        def handed(written: bool | None, why: str) -> None:
            self._on_their_way.discard(thread.id)
            self._desk.handed(taker, written)
            if written is False:
                self._refused[thread.id] = moment
                if not thread.turn_id:
                    self._desk.note(codex.NAME, "Codex took no message", why, thread.cwd)
            self.pump(thread)

        self._send(thread, words, handed)

    def _moment(self, thread: Thread) -> tuple[str, int | None]:
        return thread.turn_id, self._newest.get(thread.session_id)

    def say(self, thread: Thread, words: str) -> None:
        """Pass on what a person said with a refusal: as a message of the session, where that can be told."""
        if not thread.agent_id and self._desk.queue(codex.NAME, thread.session_id, words):
            self.pump(thread)
            return

        def handed(written: bool | None, why: str) -> None:
            if not written:
                title = "Codex was told no, and perhaps not what you wrote"
                self._desk.note(codex.NAME, title, f"{why}\n{words}".strip(), thread.cwd)

        self._send(thread, words, handed)

    def _send(self, thread: Thread, words: str, handed: Handed) -> None:
        said: Dict = {"type": "text", "text": words, "text_elements": []}
        params: Dict = {"threadId": thread.id, "input": [said], "clientUserMessageId": next(self._names)}

        def then(answered: Answered) -> None:
            handed(
                True if answered.result is not None else (False if answered.error else None), answered.error
            )

        if thread.turn_id:
            self._link.call("turn/steer", {**params, "expectedTurnId": thread.turn_id}, then)
        else:
            self._link.call("turn/start", params, then)
