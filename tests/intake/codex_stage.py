"""A real desk and a conversation with an app server that a test plays, word by word, without a socket.

What the server says are Codex's own messages (tests/golden/codex_app_server), or made like them.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from sayso.agents import codex
from sayso.core.digest import Number, dumps, loads, members
from sayso.core.states import State
from sayso.core.types import Answerer, EventType, HookEvent, Message, Reply, Request, Session, Settings
from sayso.daemon.agents import AgentProcesses
from sayso.daemon.inside_asks import InsideAsks
from sayso.daemon.lifecycle import masked
from sayso.daemon.runtime import Runtime
from sayso.intake.codex_conversation import Conversation
from sayso.intake.codex_link import CALLS, NOTIFICATIONS, Answered, Then
from tests.agents.codex_samples import CAPTURED

Json = dict[str, Any]
PROCESS = "7:70"
ADA = Answerer(channel="web", name="Ada's phone", credential="c1")
ROOT, TURN = "root-thread", "turn-1"


def plain(value: object) -> Any:
    return json.loads(dumps(value))


def read(value: Json) -> Json:
    """Return a message as the connection reads it: numbers as they are written."""
    return members(loads(json.dumps(value).encode()))


def described(thread_id: str = ROOT, **more: Any) -> Json:
    return {"id": thread_id, "sessionId": ROOT, "cwd": "/home/dev/project", "ephemeral": False, **more}


class Link:
    """The connection: what was said on it; calls are answered by the test, or as `threads` has it."""

    def __init__(self) -> None:
        self.process = PROCESS
        self.threads: dict[str, Json] = {}
        """Results of `thread/resume`, of those that can be resumed."""
        self.loaded: list[str] = []
        self.replies: list[tuple[object, Any]] = []
        self.calls: list[tuple[str, Json, Then]] = []
        self.is_open = True

    def call(self, method: str, params: Json, then: Then) -> None:
        assert method in CALLS
        self.calls.append((method, plain(params), then))
        if method == "initialize":
            then(Answered(result={}))
        elif method == "thread/loaded/list":
            then(Answered(result={"data": self.loaded}))
        elif method == "thread/resume" and params["threadId"] in self.threads:
            then(Answered(result=read(self.threads[params["threadId"]])))

    def notify(self, method: str) -> None:
        assert method in NOTIFICATIONS

    def reply(self, request_id: object, result: Json) -> bool:
        if self.is_open:
            self.replies.append((request_id, plain(result)))
        return self.is_open

    def close(self) -> None:
        self.is_open = False

    def said(self, *methods: str) -> list[Json]:
        return [params for method, params, _ in self.calls if method in methods]


class Stage:
    """A desk with the setting on, and a conversation that has begun."""

    def __init__(self, *, begins: bool = True) -> None:
        self.now_s = 1000.0
        self.runtime = Runtime(Settings(codex_server=True), lambda _settings: "", None, self._now)
        self.desk = InsideAsks(self.runtime, AgentProcesses(lambda _name: None), masked)
        self.link = Link()
        self.talk = Conversation(self.desk, self.link)
        if begins:
            self.link.threads[ROOT] = {"thread": described()}
            self.link.loaded = [ROOT]
            self.talk.begin()

    def _now(self) -> float:
        self.now_s += 0.001
        return self.now_s

    def close(self) -> None:
        self.runtime.end()

    # --- the server ------------------------------------------------------------------------

    def tell(self, method: str, **params: Any) -> None:
        self.talk.hear(method, None, read(params))

    def turn(self, thread_id: str = ROOT, turn_id: str = TURN) -> None:
        self.tell("turn/started", threadId=thread_id, turn={"id": turn_id})

    def turn_over(self, status: str = "completed", thread_id: str = ROOT) -> None:
        self.tell("turn/completed", threadId=thread_id, turn={"id": TURN, "status": status})

    def ask(self, name: str = "command", number: int = 0, thread_id: str = ROOT, **changes: Any) -> None:
        """Send a captured request, after the item that it is about."""
        one = CAPTURED[name]
        if one["item"]:
            self.tell("item/started", threadId=thread_id, turnId=TURN, item=plain(one["item"]))
        params = {**plain(one["params"]), "threadId": thread_id, "turnId": TURN, **changes}
        self.talk.hear(one["method"], Number(str(number)), read(params))

    def resolved(self, number: int = 0) -> None:
        self.tell("serverRequest/resolved", threadId=ROOT, requestId=number)

    def item_over(self, name: str = "command", thread_id: str = ROOT, **changes: Any) -> None:
        """End the item of a captured request, as it was captured or otherwise."""
        item = {**plain(CAPTURED[name]["ended"]), **changes}
        self.tell("item/completed", threadId=thread_id, turnId=TURN, item=item)

    def answer_call(self, method: str, result: Json | None = None, error: str = "") -> None:
        """Answer the last call of a method."""
        then = next(then for name, _, then in reversed(self.link.calls) if name == method)
        then(Answered(result=read(result) if result is not None else None, error=error))

    # --- the person ------------------------------------------------------------------------

    async def answer(self, reply: Reply, nth: int = 1) -> None:
        """Answer the nth request, and let its answer be sent."""
        self.runtime.desk.answer(self.requests()[nth - 1].id, reply, ADA, self._now())
        self.runtime.settle()
        await asyncio.sleep(0)

    async def rest(self) -> None:
        """Let everything happen that is due."""
        for _ in range(5):
            await asyncio.sleep(0)

    def queue(self, text: str, when: str = "soon") -> None:
        message = self.runtime.desk.queue(codex.NAME, ROOT, text, when, self._now())
        self.runtime.settle()
        self.talk.queued(ROOT, message.number)

    # --- what came of it -------------------------------------------------------------------

    def requests(self) -> list[Request]:
        kept = self.runtime.desk.snapshot().requests.values()
        return sorted(kept, key=lambda request: request.created_s)

    def request(self, nth: int = 1) -> Request:
        return self.requests()[nth - 1]

    def states(self) -> list[State]:
        return [request.state for request in self.requests()]

    def sessions(self) -> list[Session]:
        return list(self.runtime.desk.snapshot().sessions.values())

    def session(self) -> Session:
        (session,) = self.sessions()
        return session

    def message(self) -> Message:
        return self.runtime.desk.snapshot().messages[codex.NAME, ROOT]

    def notes(self) -> list[str]:
        return [note.title for note in self.runtime.snapshot().notes]

    def observe_prompt(self, text: str) -> None:
        event = HookEvent(
            agent=codex.NAME, session_id=ROOT, type=EventType.PROMPT, at_s=self._now(), prompt=text
        )
        self.runtime.desk.observe(event, self._now(), PROCESS)
