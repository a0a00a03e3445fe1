"""Records what a desk tells, for the tests of the page: `python -m tests.web.recorder`.

A desk is driven at random; after every few changes stands the snapshot as of then. The page's
reducer must come from one to the next by the changes between. Not here: what is shown of it.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from pathlib import Path
from typing import Any

import msgspec

from sayso.core.states import MessageTrigger
from sayso.core.types import Answerer, Ask, EventType, Hold, HookEvent, Presence, Reply, Row, Settings
from sayso.daemon.runtime import Runtime
from sayso.errors import SaysoError
from sayso.wire.ask_user import Note
from sayso.wire.views import Change, Clock

PLACE = Path(__file__).parents[2] / "web" / "tests" / "recorded" / "changes.json"
STEPS = 160
EVERY = 20
BY = Answerer(channel="web", name="phone", credential="c1")
ENDS = (EventType.STOP, EventType.PROMPT, EventType.SESSION_END, EventType.TOOL_DONE, EventType.IDLE)


class Steady(Runtime):
    """A desk whose wall clock keeps pace with the steps."""

    @property
    def clock(self) -> Clock:
        return Clock(1.8e9)


class Walk:
    """A desk, and somebody who does this and that to it. Its clock goes in steps."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.now_s = 1000.0
        self.runtime = Steady(Settings(), lambda _settings: "", None, lambda: self.now_s)
        self.told: deque[Change] = deque()
        self.asked = 0

    def step(self) -> None:
        """Do one thing; what cannot be done now is left."""
        self.now_s += self.random.choice((0.01, 0.5, 3.0, 30.0, 200.0))
        do = self.random.choice(
            (self.ask, self.ask, self.answer, self.answer, self.event, self.event, self.person, self.message)
        )
        try:
            do()
            self.runtime.desk.tick(self.now_s)
        except SaysoError:
            return
        finally:
            self.runtime.settle()

    def ask(self) -> None:
        self.asked += 1
        again = self.random.random() < 0.1
        number = self.random.randint(1, self.asked) if again else self.asked
        ask = Ask(
            agent="claude-code",
            session_id=f"s{self.random.randint(1, 3)}",
            kind="permission",
            tool="Bash",
            id=f"request-{number}",
            started_s=self.now_s,
            digest=f"d{number}",
            hold=self.random.choice((Hold.PARALLEL,) * 5 + (Hold.EXCLUSIVE,)),
            input=(Row(label="Command", value=f"make part-{number}", code=True),),
            cwd=f"/home/ada/project-{number % 3}",
        )
        self.runtime.desk.ask(ask, f"waiter {number}", self.now_s, f"{100 + number % 3}:1")

    def answer(self) -> None:
        waiting = [one.id for one in self.runtime.snapshot().requests]
        over = [one.id for one in self.runtime.snapshot().ended if one.state == "answered"]
        desk = self.runtime.desk
        if over and self.random.random() < 0.7:
            chosen = self.random.choice(over)
            desk.written(chosen, f"waiter {chosen.rpartition('-')[2]}", "", self.now_s)
        elif waiting:
            chosen = self.random.choice(waiting)
            if self.random.random() < 0.2:
                desk.release(chosen, self.now_s)
            else:
                desk.answer(chosen, Reply(behavior=self.random.choice(("allow", "deny"))), BY, self.now_s)

    def event(self) -> None:
        event = HookEvent(
            agent="claude-code",
            session_id=f"s{self.random.randint(1, 3)}",
            type=self.random.choice(ENDS),
            at_s=self.now_s,
            tool="Bash",
            digest=f"d{self.random.randint(1, self.asked + 1)}",
            prompt="and now the tests",
        )
        self.runtime.desk.observe(event, self.now_s, f"{self.random.randint(100, 102)}:1")

    def person(self) -> None:
        self.runtime.desk.watch("web", Presence(present_s=self.now_s), self.now_s)
        if self.random.random() < 0.3:
            self.runtime.desk.change({"away": self.random.random() < 0.5}, self.now_s)
        if self.random.random() < 0.2:
            note = Note(surface_id="", title=f"note {self.asked}")
            self.runtime.note(note, "program")

    def message(self) -> None:
        session_id, desk = f"s{self.random.randint(1, 3)}", self.runtime.desk
        match self.random.randint(0, 3):
            case 0:
                desk.delete_message("claude-code", session_id, self.now_s)
            case 1:
                desk.take("claude-code", session_id, "hook", self.now_s)
                desk.message_receipt("hook", MessageTrigger.WRITTEN, self.now_s)
            case _:
                desk.queue("claude-code", session_id, "mind the gap", "soon", self.now_s)


async def record(seed: int) -> list[dict[str, Any]]:
    """Return changes, and between them snapshots as of then."""
    walk = Walk(seed)
    feed = walk.runtime.subscribe("")
    said: list[dict[str, Any]] = []
    for number in range(STEPS):
        before = walk.runtime.seq
        walk.step()
        for _ in range(walk.runtime.seq - before + (number == 0)):
            said.append(msgspec.to_builtins(await anext(feed)))
        if number % EVERY == 0:
            said.append({"check": msgspec.to_builtins(walk.runtime.snapshot())})
    walk.runtime.end()
    return said


def main() -> None:
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    PLACE.write_bytes(msgspec.json.encode(asyncio.run(record(7))) + b"\n")


if __name__ == "__main__":
    main()
