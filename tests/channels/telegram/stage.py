"""The channel before a real desk in the test's process, and people at a bot that is played in memory.

Not here: Telegram's limits and its wire, which a server of its own enforces (`tests.telegram`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, cast

from sayso.channels.telegram.channel import Conversation
from sayso.channels.telegram.ports import (
    Bot,
    Entity,
    KeptCard,
    Keyboard,
    Sender,
    Tap,
    Text,
    Undelivered,
)
from sayso.channels.telegram.ports import (
    Inside as Port,
)
from sayso.channels.telegram.tokens import Tokens
from sayso.core.types import Answerer, Ask, Decision, Reply, Row, Settings
from sayso.daemon.chats import Chats
from sayso.daemon.devices import Devices
from sayso.daemon.inside import Inside
from sayso.daemon.methods import Methods
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.wire.protocol import Power

WAIT_S = 10.0
BOT = 4200000001
HERE = Caller(power=Power.ADMIN, channel="cli", name="this computer", credential="", pid=1)
ADA, BOB = 701, 702
CHATS_OF_GROUPS = -1001


class Shown:
    """A message as it is in a chat now. `was`: what it said before."""

    def __init__(self, chat_id: int, message_id: int, text: str) -> None:
        self.chat_id = chat_id
        self.id = message_id
        self.text = text
        self.entities: Sequence[Entity] = ()
        self.keyboard: Keyboard = ()
        self.was: list[str] = []
        self.reply_to: int | None = None
        self.force_reply = False
        self.silent = False
        self.file = b""

    @property
    def buttons(self) -> dict[str, str]:
        return {button.text: button.data for row in self.keyboard for button in row}

    def has(self, label: str) -> bool:
        return any(label in text for text in self.buttons)


class PlayedBot:
    """A bot in memory: everything arrives at once, unless a test holds it or refuses it."""

    def __init__(self) -> None:
        self.messages: dict[tuple[int, int], Shown] = {}
        self.toasts: dict[str, tuple[str, bool]] = {}
        self.refuse: Callable[[str, int], str] = lambda _what, _chat: ""
        self.gates: dict[int, asyncio.Event] = {}
        """By the number of a message: it is there, and what sent it is told once this is set."""
        self._numbers = count(1)
        self._changed = asyncio.Condition()

    async def send(
        self,
        chat_id: int,
        text: str,
        entities: Sequence[Entity] = (),
        keyboard: Keyboard | None = None,
        reply_to: int | None = None,
        force_reply: bool = False,
        silent: bool = False,
    ) -> int:
        self._check("send", chat_id)
        shown = self._put(chat_id, text)
        shown.entities, shown.keyboard = entities, keyboard or ()
        shown.reply_to, shown.force_reply, shown.silent = reply_to, force_reply, silent
        return await self._told(shown)

    async def send_file(
        self, chat_id: int, name: str, data: bytes, caption: str, reply_to: int | None, silent: bool
    ) -> int:
        self._check("send", chat_id)
        shown = self._put(chat_id, f"{name}\n{caption}")
        shown.file, shown.reply_to, shown.silent = data, reply_to, silent
        return await self._told(shown)

    async def edit(
        self,
        chat_id: int,
        message_id: int,
        text: str,
        entities: Sequence[Entity] = (),
        keyboard: Keyboard | None = None,
    ) -> None:
        self._check("edit", chat_id)
        shown = self.messages.get((chat_id, message_id))
        if shown is None:
            raise Undelivered("message to edit not found")
        assert not shown.force_reply, "what forces a reply cannot be edited"
        shown.was.append(shown.text)
        shown.text, shown.entities, shown.keyboard = text, entities, keyboard or ()
        await self._tell()

    async def delete(self, chat_id: int, message_id: int) -> None:
        self._check("delete", chat_id)
        self.messages.pop((chat_id, message_id), None)
        await self._tell()

    async def toast(self, callback_id: str, text: str = "", alert: bool = False) -> None:
        assert callback_id not in self.toasts, "answered twice"
        self.toasts[callback_id] = text, alert
        await self._tell()

    def _check(self, what: str, chat_id: int) -> None:
        words = self.refuse(what, chat_id)
        if words:
            raise Undelivered(words)

    def _put(self, chat_id: int, text: str) -> Shown:
        shown = Shown(chat_id, next(self._numbers), text)
        self.messages[chat_id, shown.id] = shown
        return shown

    async def _told(self, shown: Shown) -> int:
        await self._tell()
        if gate := self.gates.get(shown.id):
            await asyncio.wait_for(gate.wait(), WAIT_S)
        return shown.id

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def until(self, wanted: Callable[[], Any]) -> Any:
        """Return what is wanted, once it is there."""
        async with asyncio.timeout(WAIT_S), self._changed:
            await self._changed.wait_for(lambda: bool(wanted()))
            return wanted()

    def skip_to(self, number: int) -> None:
        """Give the next message another number than any that a test brought in has."""
        self._numbers = count(number + 1)

    def gate(self) -> asyncio.Event:
        """Hold the word that the next message was sent, though it is there."""
        number = next(self._numbers)
        self._numbers = count(number)
        self.gates[number] = asyncio.Event()
        return self.gates[number]


class Person:
    """Somebody at the chat with the bot, or in a group."""

    def __init__(self, stage: Stage, sender: int, chat_id: int = 0) -> None:
        self._stage = stage
        self.bot = stage.bot
        self.sender = Sender(sender, "Ada")
        self.chat_id = chat_id or sender
        self._numbers = count(10_000 * sender)

    def sees(self) -> list[Shown]:
        return [one for key, one in self.bot.messages.items() if key[0] == self.chat_id]

    async def card(self, part: str = "") -> Shown:
        """Return the newest message with buttons, or that says something, once it is there."""

        def found() -> Shown | None:
            fitting = [one for one in self.sees() if part in one.text and (part or one.keyboard)]
            return fitting[-1] if fitting else None

        shown: Shown = await self.bot.until(found)
        return shown

    async def until(self, shown: Shown, part: str) -> Shown:
        """Wait until a message says something."""
        await self.bot.until(lambda: part in shown.text)
        return shown

    async def tap(self, shown: Shown, label: str) -> tuple[str, bool]:
        """Tap the button that says this; return what is told at once."""
        await self.bot.until(lambda: shown.has(label))
        data = next(data for text, data in shown.buttons.items() if label in text)
        return await self.send_data(shown.id, data)

    async def send_data(self, message_id: int, data: str) -> tuple[str, bool]:
        name = f"q{next(self._numbers)}"
        tap = Tap(
            callback_id=name, chat_id=self.chat_id, message_id=message_id, sender=self.sender, data=data
        )
        await self._stage.talk.on_update(tap)
        told: tuple[str, bool] = await self.bot.until(lambda: self.bot.toasts.get(name))
        return told

    async def write(self, text: str, reply_to: Shown | None = None) -> None:
        written = Text(
            chat_id=self.chat_id,
            message_id=next(self._numbers),
            sender=self.sender,
            text=text,
            reply_to_message_id=reply_to.id if reply_to is not None else None,
            private=self.chat_id > 0,
        )
        await self._stage.talk.on_update(written)

    async def answer_prompt(self, text: str) -> None:
        """Reply to the newest message that forces a reply, once there is one that is new."""
        prompt: Shown = await self.bot.until(
            lambda: ([one for one in self.sees() if one.force_reply] or [None])[-1]
        )
        await self.write(text, prompt)
        prompt.force_reply = False  # it is used


class Stage:
    """A desk, the channel in it, and the bot."""

    def __init__(
        self, kept: Sequence[KeptCard] = (), resume_s: float = 600.0, bot: Bot | None = None
    ) -> None:
        self.bot = PlayedBot()
        self.devices = Devices("")
        self.chats = Chats(self.devices, note=self._note)
        self.notes: list[tuple[str, str]] = []
        for card in kept:
            self.chats.keep(card)
        self.runtime = Runtime(Settings(pending_per_agent=1000), lambda _: "", None)
        methods = Methods(self.runtime, self.devices, lambda _: None, list)
        self.inside = Inside(self.runtime, None, methods, self.chats)
        self.tokens = Tokens()
        self.talk = Conversation(
            cast("Port", self.inside), bot or self.bot, resume_s=resume_s, tokens=self.tokens
        )
        self.decisions: dict[str, Decision | None] = {}
        self._numbers = count(1)

    def _note(self, title: str, body: str) -> None:
        self.notes.append((title, body))

    async def pair(self, sender: int = ADA, name: str = "Ada's phone") -> Person:
        if not self.chats.wanted:
            token = {"token": f"{BOT}:{'A' * 35}", "bot_id": BOT, "bot": "sayso_test_bot"}
            await self.chats.call(HERE, token)
        opened = self.chats.call(HERE, {"pair": True, "name": name})
        assert self.chats.offer(sender, name, opened.code) == "paired"
        return Person(self, sender)

    # --- who asks ----------------------------------------------------------------------

    def ask(self, kind: str = "permission", number: int = 0, **changes: Any) -> str:
        """Ask; return the id."""
        asked: dict[str, Any] = {"agent": "claude-code", "session_id": "s1", "kind": kind}
        if kind == "permission":
            asked |= {"tool": "Bash", "input": (Row(label="Command", value="touch x", code=True),)}
        asked |= {
            "id": f"{number or next(self._numbers):032x}",
            "started_s": self.runtime.now(),
            "cwd": "/w/app",
        }
        ask = Ask(**{**asked, **changes})
        self.runtime.wait(ask.id, lambda decision: self.decisions.__setitem__(ask.id, decision))
        self.runtime.desk.ask(ask, f"w{ask.id}", self.runtime.now(), "77:1")
        self.runtime.settle()
        return ask.id

    def answer(self, request_id: str, **reply: Any) -> None:
        """Answer at the page."""
        by = Answerer(channel="web", name="laptop")
        self.runtime.desk.answer(request_id, Reply(**reply), by, self.runtime.now())
        self.runtime.settle()

    def withdraw(self, request_id: str) -> None:
        """The agent no longer asks."""
        self.runtime.waiter_gone(f"w{request_id}")

    async def decision(self, request_id: str) -> Decision | None:
        await asyncio.wait_for(self.runtime.until_settled(request_id), WAIT_S)
        return self.decisions[request_id]

    def state(self, request_id: str) -> str:
        return str(self.runtime.desk.snapshot().requests[request_id].state)


@asynccontextmanager
async def running(
    *senders: int, kept: Sequence[KeptCard] = (), resume_s: float = 600.0
) -> AsyncGenerator[tuple[Stage, *tuple[Person, ...]]]:
    """Run the channel until the block ends, with these people paired."""
    stage = Stage(kept, resume_s)
    people = [await stage.pair(sender, f"phone {sender}") for sender in senders]
    task = asyncio.create_task(stage.talk.run())
    try:
        yield stage, *people
        assert not task.done(), task
    finally:
        stage.runtime.end()
        stage.runtime.close_feeds()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
