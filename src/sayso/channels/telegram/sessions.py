"""Sessions in the chat: listed, written to by a reply or a command, and what becomes of the message.

Not here: which command it was (`commands`). Imports `base`, `letters`, `cards`, `ports`, `errors`.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import msgspec

from sayso.channels import letters
from sayso.channels.base import Line, agent_name, message_words, session_line, short, where
from sayso.channels.telegram.acts import HALF, Told
from sayso.channels.telegram.board import Board
from sayso.channels.telegram.cards import About, Shelf
from sayso.channels.telegram.ports import Bot, Button, Inside, Keyboard, Undelivered
from sayso.channels.telegram.shower import CHANNEL, Spawn
from sayso.channels.telegram.steps import said
from sayso.channels.telegram.text import (
    COLUMNS,
    MOST_BUTTON_UNITS,
    MOST_UNITS,
    Message,
    beginning,
    clipped,
    message,
    pieces_of,
    units,
)
from sayso.channels.telegram.tokens import Action
from sayso.channels.text import visible
from sayso.errors import SaysoError
from sayso.wire.views import MessageView, SessionView

MOST_LISTED = 15
MOST_LETTERS = 100
"""Of the messages sent from here, so many are followed."""
SESSION = "\0session"
LETTER = "\0letter"
"""What these buttons are about begins as no request's id does."""


class Letter:
    """A message to a session, and the words in the chat that say where it stands."""

    def __init__(self, chat_id: int, subject: str, session: str, view: MessageView) -> None:
        self.chat_id = chat_id
        self.subject = subject
        self.session = session
        self.view = view
        self.message_id = 0
        self.is_editing = False
        self.shown = ""

    def words(self) -> str:
        said_ = message_words(self.view)
        return f"To {self.session}: {said_}"


class Sessions:
    """The sessions, in all chats."""

    def __init__(
        self,
        desk: Inside,
        bot: Bot,
        shelf: Shelf,
        board: Board,
        spawn: Spawn,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._desk = desk
        self._bot = bot
        self._shelf = shelf
        self._board = board
        self._spawn = spawn
        self._wall = wall
        self._numbers = count(1)
        self._letters: OrderedDict[tuple[str, str, int], Letter] = OrderedDict()

    # --- what there is -----------------------------------------------------------------

    async def list(self, chat_id: int) -> None:
        """Send the list of what lives, with a button for each."""
        living = self._board.living()
        lines: list[Line] = [] if living else said("No session is known.")
        keys: list[Button] = []
        subject = f"{SESSION}s-{next(self._numbers)}"
        for number, view in enumerate(living[:MOST_LISTED], 1):
            lines += [*_numbered(view, number, self._wall()), Line("")]
            label = clipped(f"Write to {number}: {visible(view.project or view.cwd)}", MOST_BUTTON_UNITS)
            token = self._shelf.tokens.give(Action(chat_id, subject, f"{view.agent} {view.session_id}"))
            keys.append(Button(label, token))
        if len(living) > MOST_LISTED:
            lines += said(f"{len(living) - MOST_LISTED} more: /send SESSION TEXT writes to any.")
        sent = await self._send(chat_id, _fitted(lines), tuple((key,) for key in keys))
        self._shelf.tokens.bind(chat_id, subject, sent)

    async def open(self, chat_id: int, name: str) -> None:
        """Send the card of a session, to which a reply is a message to it."""
        agent, _, session_id = name.partition(" ")
        view = self._of(agent, session_id)
        if view is None:
            await self._send(chat_id, Message("This session is not known any more: /sessions"))
            return
        lines = session_line(view, COLUMNS, self._wall())
        lines += [Line(""), *said("Reply to this message with what you want to tell it.")]
        text = _fitted(lines)
        sent = await self._bot.send(chat_id, text.text, text.entities, force_reply=chat_id > 0, silent=True)
        self._shelf.place(chat_id, sent, About(agent, session_id))

    def _of(self, agent: str, session_id: str) -> SessionView | None:
        """Return a session; of several processes of it, the one that lives."""
        of = [
            one for one in self._board.sessions.values() if (one.agent, one.session_id) == (agent, session_id)
        ]
        return min(of, key=lambda one: one.state == "ended", default=None)

    # --- messages ----------------------------------------------------------------------

    def send_to(self, named: str, text: str, device: str, chat_id: int) -> Told:
        """Send to the session that somebody named."""
        try:
            view = letters.find(named, self._board.sessions.values())
        except SaysoError as error:
            return Told(visible(error.text, lines=True), True)
        self._spawn(self._write(About(view.agent, view.session_id), text, device, chat_id))
        return Told()

    def write(self, about: About, text: str, device: str, chat_id: int) -> None:
        """Send to a session."""
        self._spawn(self._write(about, text, device, chat_id))

    async def _write(self, about: About, text: str, device: str, chat_id: int) -> None:
        if units(text) >= MOST_UNITS:
            await self._send(chat_id, Message(HALF))
            return
        params = {"agent": about.agent, "session_id": about.session_id, "text": text}
        try:
            raw = await self._desk.call(device, CHANNEL, "desk.queue", params)
        except SaysoError as error:
            await self._send(chat_id, Message(f"Not sent: {visible(error.text)}"))
            return
        await self._follow(chat_id, about, msgspec.convert(raw, MessageView))

    async def _follow(self, chat_id: int, about: About, view: MessageView) -> None:
        session = self._of(*about)
        name = f"{agent_name(about.agent)}{f' in {where(session)}' if session else ''}"
        subject = f"{LETTER}-{next(self._numbers)}"
        letter = Letter(chat_id, subject, f"{name}, session {short(about.session_id)}", view)
        self._letters[*about, view.number] = letter
        while len(self._letters) > MOST_LETTERS:
            self._shelf.tokens.end(chat_id, self._letters.popitem(last=False)[1].subject)
        letter.shown = letter.words()
        letter.message_id = await self._send(chat_id, Message(letter.shown), self._keyboard(letter))
        self._shelf.tokens.bind(chat_id, subject, letter.message_id)
        self._shelf.place(chat_id, letter.message_id, about)
        self._refresh(letter)

    def _keyboard(self, letter: Letter) -> Keyboard:
        if letter.view.state not in ("queued", "taken"):
            return ()
        about = f"{letter.view.agent} {letter.view.number} {letter.view.session_id}"
        token = self._shelf.tokens.give(Action(letter.chat_id, letter.subject, about))
        return ((Button("Take it back", token),),)

    async def take_back(self, name: str, device: str) -> Told:
        """Take back the message that waits for a session."""
        agent, number, session_id = name.split(" ", 2)
        now = self._board.messages.get((agent, session_id))
        if now is not None and now.number != int(number):
            return Told("Another message has taken its place.", True)
        params = {"agent": agent, "session_id": session_id}
        try:
            await self._desk.call(device, CHANNEL, "desk.unqueue", params)
        except SaysoError as error:
            return Told(visible(error.text), True)
        return Told("Taken back.")

    def hear(self, view: MessageView) -> None:
        """Take note of what became of a message."""
        letter = self._letters.get((view.agent, view.session_id, view.number))
        if letter is not None and (letter.chat_id < 0 or letter.chat_id in self._desk.chats.senders()):
            letter.view = view
            self._refresh(letter)

    def _refresh(self, letter: Letter) -> None:
        if letter.message_id and not letter.is_editing and letter.words() != letter.shown:
            letter.is_editing = True
            self._spawn(self._edit(letter))

    async def _edit(self, letter: Letter) -> None:
        while letter.shown != (text := letter.words()):
            keyboard = self._keyboard(letter)
            self._shelf.tokens.bind(letter.chat_id, letter.subject, letter.message_id)
            with suppress(Undelivered):  # somebody deleted it
                await self._bot.edit(letter.chat_id, letter.message_id, text, (), keyboard)
            letter.shown = text
        letter.is_editing = False

    async def _send(self, chat_id: int, text: Message, keyboard: Keyboard = ()) -> int:
        return await self._bot.send(chat_id, text.text, text.entities, keyboard or None, silent=True)


def _numbered(view: SessionView, number: int, now_s: float) -> list[Line]:
    first, *rest = session_line(view, COLUMNS, now_s)
    return [Line(f"{number}. {first.text}", first.style), *rest]


def _fitted(lines: list[Line]) -> Message:
    return message(beginning(pieces_of(lines), MOST_UNITS))
