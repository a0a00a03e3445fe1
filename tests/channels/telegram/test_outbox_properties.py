"""Whatever network and server do, all is sent once, in order, and ends as it was last edited."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.channels.telegram.outbox import Outbox
from tests.telegram.bot_api import BotServer
from tests.telegram.http import Dropped
from tests.telegram.limits import Refusal
from tests.telegram.people import Person, group
from tests.telegram.played import PlayedApi, PlayedClock

CHATS = (4711, 4712, -1001234567890)
FAULTS = (Dropped(), Refusal(500, "Internal"), Refusal(429, "Too Many Requests: retry after 7", 7))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), st.sampled_from(CHATS)),
        st.tuples(st.just("edit"), st.integers(0, 20)),
        st.tuples(st.just("fault"), st.sampled_from(FAULTS)),
        st.tuples(st.just("wait"), st.sampled_from([0.1, 2.0, 30.0])),
        st.tuples(st.just("hold"), st.sampled_from(CHATS)),
    ),
    max_size=40,
)


class World:
    """An outbox, what was given to it, and the server that it goes to."""

    def __init__(self) -> None:
        self.clock = PlayedClock()
        self.server = BotServer(self.clock.now)
        Person(self.server, 4711)
        Person(self.server, 4712)
        group(self.server)
        self.box = Outbox(PlayedApi(self.server), self.clock)
        self.sent: dict[int, list[str]] = {chat: [] for chat in CHATS}
        self.last: dict[tuple[int, int], str] = {}
        self.tasks: list[asyncio.Task[Any]] = []
        self.number = 0

    def do(self, kind: str, what: Any) -> None:
        self.number += 1
        if kind == "send":
            self.sent[what].append(f"{self.number}")
            self.start(self.box.send(what, f"{self.number}"))
        elif kind == "fault":
            self.server.fail_next("editMessageText" if self.number % 3 == 0 else "sendMessage", what)
        elif kind == "hold":
            self.server.rates.hold(what, self.clock.now_s + 12)
        elif kind == "edit":
            shown = [message for chat in CHATS for message in self.server.shown(chat)]
            if shown:
                message = shown[what % len(shown)]
                self.last[message.chat.id, message.id] = f"edited {self.number}"
                self.start(self.box.edit(message.chat.id, message.id, f"edited {self.number}"))

    def start(self, work: Any) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(work))


async def play(steps: list[tuple[str, Any]]) -> World:
    world = World()
    running = asyncio.ensure_future(world.box.run())
    for kind, what in steps:
        if kind == "wait":
            await world.clock.advance(what)
        else:
            world.do(kind, what)
            await world.clock.settle()
    await world.clock.pass_until(lambda: all(task.done() for task in world.tasks), most_s=7200)
    running.cancel()
    await asyncio.wait({running})
    assert [task.exception() for task in world.tasks if task.exception()] == []
    return world


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_all_is_sent_once_in_order_and_ends_as_it_was_last_edited(steps: list[tuple[str, Any]]) -> None:
    world = asyncio.run(play(steps))
    for chat in CHATS:
        messages = world.server.shown(chat)
        first = [(message.history[0][0] if message.history else message.text) for message in messages]
        assert first == world.sent[chat]
        for message in messages:
            if (chat, message.id) in world.last:
                assert message.text == world.last[chat, message.id]
