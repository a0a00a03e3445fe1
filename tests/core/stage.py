"""A desk on a stage: asks, answers and events in one short line each, and what the desk did about them.

Instants are seconds; asks of these tests begin at 100 unless they say otherwise.
"""

from __future__ import annotations

import math
from typing import Any

from sayso.core.desk import Desk
from sayso.core.effects import Hint, Publish, Resolve
from sayso.core.states import SessionState, State
from sayso.core.types import (
    Answerer,
    Ask,
    Decision,
    EventType,
    Hold,
    HookEvent,
    Kind,
    Message,
    Option,
    Presence,
    Question,
    Reply,
    Request,
    Row,
    Session,
    Settings,
)

AGENT = "claude-code"
SESSION = "s1"
PROCESS = "7:70"
ADA = Answerer(channel="web", name="Ada's phone", credential="c1")
BOB = Answerer(channel="cli", credential="c2")
COLOURS = Question(question="Which colour?", options=(Option(label="Red"), Option(label="Blue")))
ALLOW = Reply(behavior="allow")
DENY = Reply(behavior="deny", message="not today")
DENY_AND_STOP = Reply(behavior="deny", interrupt=True)
RED = Reply(behavior="allow", answers={"Which colour?": "Red"})


def permission(name: str = "r1", **fields: Any) -> Ask:
    """An ask for a shell command; `started_s` 100 unless given."""
    given: dict[str, Any] = {
        "agent": AGENT,
        "session_id": SESSION,
        "kind": Kind.PERMISSION,
        "tool": "Bash",
        "digest": "d1",
        "started_s": 100.0,
        "interrupt": True,
        "input": (Row(label="Command", value="ls", code=True),),
    }
    return Ask(**{**given, "id": name, **fields})


def question(name: str = "r1", **fields: Any) -> Ask:
    return permission(
        name,
        **{
            "kind": Kind.QUESTION,
            "tool": "AskUserQuestion",
            "questions": (COLOURS,),
            "input": (),
            **fields,
        },
    )


def plan(name: str = "r1", **fields: Any) -> Ask:
    return permission(
        name,
        **{
            "kind": Kind.PLAN,
            "tool": "ExitPlanMode",
            "modes": ("default", "acceptEdits", "auto"),
            "input": (Row(label="Plan", value="first this"),),
            **fields,
        },
    )


def form(name: str = "r1", **fields: Any) -> Ask:
    return permission(
        name,
        **{
            "kind": Kind.ELICITATION,
            "tool": "server",
            "hold": Hold.EXCLUSIVE,
            "hold_s": 595.0,
            "interrupt": False,
            **fields,
        },
    )


def asked(kind: Kind, name: str = "r1", **fields: Any) -> Ask:
    """What a program asks itself, without a timeout."""
    given: dict[str, Any] = {
        "agent": "program",
        "session_id": "surface",
        "surface_id": "surface",
        "kind": kind,
        "title": "Go on?",
        "hold_s": math.inf,
        "started_s": 100.0,
    }
    return Ask(**{**given, "id": name, **fields})


def event(kind: EventType, at_s: float, **fields: Any) -> HookEvent:
    return HookEvent(**{"agent": AGENT, "session_id": SESSION, "type": kind, "at_s": at_s, **fields})


def ran(at_s: float, **fields: Any) -> HookEvent:
    """The call of `permission()` ran."""
    return event(EventType.TOOL_DONE, at_s, **{"tool": "Bash", "digest": "d1", **fields})


def batch(at_s: float, **fields: Any) -> HookEvent:
    return event(EventType.BATCH, at_s, **fields)


def prompt(at_s: float, **fields: Any) -> HookEvent:
    return event(EventType.PROMPT, at_s, **{"prompt": "go on", **fields})


def stop(at_s: float, **fields: Any) -> HookEvent:
    return event(EventType.STOP, at_s, **fields)


class Stage:
    """A desk, and every effect it asked for, oldest first."""

    def __init__(self, *, watched_at: float | None = None, **settings: Any) -> None:
        self.desk = Desk(Settings(**settings))
        self.effects: list[Any] = []
        self._read = 0
        if watched_at is not None:
            self.watch(watched_at)

    def take_effects(self) -> list[Any]:
        """Return the effects since the last call of this."""
        self.settle()
        taken, self._read = self.effects[self._read :], len(self.effects)
        return taken

    def settle(self) -> None:
        """Take what the desk asks for, as its shell does after every call."""
        self.effects += self.desk.effects()

    # --- what happens ------------------------------------------------------------------

    def ask(self, asked: Ask, now: float | None = None, *, process: str = PROCESS) -> Request:
        """Ask; the waiter is named after the request."""
        when = asked.started_s if now is None else now
        self.desk.ask(asked, f"w-{asked.id}", when, process)
        self.settle()
        return self.request(asked.id)

    def answer(self, reply: Reply, now: float, *, name: str = "r1", by: Answerer = ADA) -> Request:
        answered = self.desk.answer(name, reply, by, now)
        self.settle()
        return answered

    def written(self, now: float, expects: str = "", *, name: str = "r1") -> None:
        self.desk.written(name, f"w-{name}", expects, now)
        self.settle()

    def gone(self, now: float, reason: str = "", *, name: str = "r1") -> None:
        self.desk.waiter_gone(f"w-{name}", now, reason)
        self.settle()

    def observe(
        self, event: HookEvent, now: float | None = None, *, process: str = PROCESS, taker: str = ""
    ) -> Message | None:
        """An event; it arrives when it happened unless `now` says otherwise."""
        message = self.desk.observe(event, event.at_s if now is None else now, process, taker)
        self.settle()
        return message

    def watch(self, at_s: float, *cards: str, watcher: str = "page", reaches: bool = False) -> None:
        self.desk.watch(watcher, Presence(present_s=at_s, open=cards, reaches=reaches), at_s)
        self.settle()

    def delivered(self, asked: Ask, reply: Reply, expects: str = "") -> None:
        """Asked at its start, answered 1 s and written 1.1 s later, the hook's end at 1.2 s."""
        self.ask(asked)
        self.answer(reply, asked.started_s + 1, name=asked.id)
        self.written(asked.started_s + 1.1, expects, name=asked.id)
        self.gone(asked.started_s + 1.2, name=asked.id)

    # --- what came of it ---------------------------------------------------------------

    def request(self, name: str = "r1") -> Request:
        return self.desk.snapshot().requests[name]

    def state(self, name: str = "r1") -> State:
        return self.request(name).state

    def end(self, name: str = "r1") -> tuple[State, str]:
        """How a request ended: state and reason."""
        request = self.request(name)
        return request.state, request.reason

    def session(self, process: str = PROCESS, session_id: str = SESSION) -> Session:
        return self.desk.snapshot().sessions[AGENT, session_id, process]

    def session_state(self, process: str = PROCESS) -> SessionState:
        return self.session(process).state

    def resolutions(self, name: str = "r1") -> list[Decision | None]:
        """What the waiter of a request was told, from the first effect on."""
        self.settle()
        return [e.decision for e in self.effects if isinstance(e, Resolve) and e.request_id == name]

    def hints(self) -> list[bool]:
        """How the session's flag went up and down."""
        self.settle()
        return [e.raised for e in self.effects if isinstance(e, Hint) and e.session_id == SESSION]

    def published(self) -> list[str]:
        """The types of what channels were told."""
        self.settle()
        return [e.type for e in self.effects if isinstance(e, Publish)]
