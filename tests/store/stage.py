"""A store on a stage: its clock stands still until it is moved, and what it tells is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sayso import AGENT_CLAUDE_CODE, Ask, Decision, EventType, HookEvent, Option, Question, Reply, Row, Store

AGENT, SESSION = AGENT_CLAUDE_CODE, "s1"
WAIT_S = 10.0
BEGAN_S = 100.0
COLOURS = Question(question="Which colour?", options=(Option(label="Red"), Option(label="Blue")))
ALLOW, DENY = Reply(behavior="allow"), Reply(behavior="deny", message="not today")
NOTHING = Decision(behavior="")


def permission(**fields: Any) -> Ask:
    """An ask for a shell command, begun at BEGAN_S."""
    given: dict[str, Any] = {
        "agent": AGENT,
        "session_id": SESSION,
        "kind": "permission",
        "tool": "Bash",
        "digest": "d1",
        "started_s": BEGAN_S,
        "input": (Row(label="Command", value="ls", code=True),),
    }
    return Ask(**{**given, **fields})


def question(**fields: Any) -> Ask:
    return permission(
        **{"kind": "question", "tool": "AskUserQuestion", "input": (), "questions": (COLOURS,), **fields}
    )


def event(kind: EventType, at_s: float, **fields: Any) -> HookEvent:
    return HookEvent(**{"agent": AGENT, "session_id": SESSION, "type": kind, "at_s": at_s, **fields})


class Stage:
    """A store, and what it told."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now_s = BEGAN_S
        self.notified = 0
        self.told: list[tuple[str, str, str, float]] = []
        store.now = lambda: self.now_s
        store.notify = self._notified
        store.interrupted = lambda *what: self.told.append(("interrupted", *what))
        store.answered = lambda *what: self.told.append(("answered", *what))
        store.resumed = lambda *what: self.told.append(("resumed", *what))

    def _notified(self) -> None:
        self.notified += 1

    def observe(self, kind: EventType, at_s: float, **fields: Any) -> None:
        """Observe an event that happens now."""
        self.now_s = max(self.now_s, at_s)
        self.store.observe(event(kind, at_s, **fields))

    async def ask(self, ask: Ask) -> asyncio.Task[Decision]:
        """Ask, and return once it was taken in."""
        asking = asyncio.create_task(self.store.ask(ask))
        await asyncio.sleep(0)
        return asking

    def ids(self) -> list[str]:
        return [request.id for request in self.store.list()[0]]

    def texts(self) -> list[str]:
        return [message.text for message in self.store.list()[1]]


@contextmanager
def staged(**fields: Any) -> Iterator[Stage]:
    with Store(**fields) as store:
        yield Stage(store)


async def result(asking: asyncio.Task[Decision]) -> Decision:
    return await asyncio.wait_for(asking, WAIT_S)
