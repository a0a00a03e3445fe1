"""The commands of the chat: what waits, which sessions there are, a message to one, and quiet.

None that stands alone changes anything: an agent's text may hold one, and a tap on it sends it. Not
here: who may give one (`channel`). Imports `acts`, `cards`, `sessions`, `shower`, `ports`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import count

from sayso.channels.base import Line, short, span
from sayso.channels.telegram.acts import Told
from sayso.channels.telegram.agent_steps import WHILE_S
from sayso.channels.telegram.board import Board
from sayso.channels.telegram.cards import Card, Shelf
from sayso.channels.telegram.ports import Bot, Button, Inside, Keyboard, Text
from sayso.channels.telegram.sessions import Sessions
from sayso.channels.telegram.sheet import gist, whole
from sayso.channels.telegram.shower import Shower
from sayso.channels.telegram.steps import said
from sayso.channels.telegram.tokens import Action
from sayso.channels.text import visible

COMMANDS = (
    ("pending", "what waits for you"),
    ("sessions", "the sessions that run, and to write to one"),
    ("send", "SESSION TEXT: a message to a session"),
    ("mute", "no sound for a while: 30m, 8h, 2d, or off"),
    ("help", "how this works"),
)
"""What the bot tells Telegram that it understands."""
HELP = """What an agent asks comes here as a message with buttons. Words count only as a reply to it: \
to say why you deny, to answer in your own words, to fill in a form. Whoever answers first wins, here \
or anywhere else; the message then says so.

"""
CANCEL = "cancel"
MOST_AT_ONCE = 3
MOST_LISTED = 20
SHOW, MUTE, GRANT = "\0show", "\0mute", "\0grant"
_MUTES = (("1 hour", 3600.0), ("8 hours", 28_800.0), ("2 days", 172_800.0), ("Sound on", 0.0))
_UNITS_S = {"m": 60.0, "h": 3600.0, "d": 86_400.0}
_KNOWN = frozenset(name for name, _ in COMMANDS) | {"start", CANCEL}


def parsed(text: str) -> tuple[str, str] | None:
    """Return a known command and what follows it, None for any other text."""
    match = re.fullmatch(r"/([a-z]+)(?:@\w+)?(?:\s+(.*))?", text.strip(), re.DOTALL)
    return (match[1], match[2] or "") if match is not None and match[1] in _KNOWN else None


class Commands:
    """The commands, in all chats."""

    def __init__(
        self,
        desk: Inside,
        bot: Bot,
        shelf: Shelf,
        board: Board,
        shower: Shower,
        sessions: Sessions,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._desk = desk
        self._bot = bot
        self._shelf = shelf
        self._board = board
        self._shower = shower
        self._sessions = sessions
        self._wall = wall
        self._numbers = count(1)

    async def run(self, command: str, rest: str, update: Text, device: str) -> None:
        """Carry a command out."""
        match command:
            case "pending":
                await self._pending(update.chat_id, device)
            case "sessions":
                await self._sessions.list(update.chat_id)
            case "send":
                await self._send(rest, update, device)
            case "mute":
                await self._mute(rest, update)
            case "cancel":
                await self._say(update.chat_id, "Nothing was answered.")
            case _:
                listed = "\n".join(f"/{name} {about}" for name, about in COMMANDS)
                await self._say(update.chat_id, HELP + listed)

    async def _say(self, chat_id: int, text: str, keyboard: Keyboard | None = None) -> int:
        return await self._bot.send(chat_id, text, (), keyboard, silent=True)

    # --- what waits --------------------------------------------------------------------

    async def _pending(self, chat_id: int, device: str) -> None:
        pending = self._board.pending()
        if not pending:
            await self._say(chat_id, "Nothing waits for you.")
        elif len(pending) <= MOST_AT_ONCE:
            for view in pending:
                self.show(chat_id, view.id, device)
        else:
            await self._list(chat_id)

    async def _list(self, chat_id: int) -> None:
        pending = self._board.pending()
        subject = f"{SHOW}-{next(self._numbers)}"
        lines: list[Line] = []
        keys: list[Button] = []
        for number, view in enumerate(pending[:MOST_LISTED], 1):
            lines += said(f"{number}. {gist(view)}")
            token = self._shelf.tokens.give(Action(chat_id, subject, view.id))
            keys.append(Button(f"Show {number} ({short(view.id)})", token))
        if len(pending) > MOST_LISTED:
            lines += said(
                f"{len(pending) - MOST_LISTED} more wait: /pending lists them once these are answered."
            )
        text = whole((), lines)
        rows = tuple(tuple(keys[at : at + 2]) for at in range(0, len(keys), 2))
        sent = await self._bot.send(chat_id, text.text, text.entities, rows, silent=True)
        self._shelf.tokens.bind(chat_id, subject, sent)

    def show(self, chat_id: int, request_id: str, device: str) -> Told:
        """Show a request's card at the end of the chat."""
        view = self._board.requests.get(request_id)
        if view is None or view.state != "pending":
            return Told("This is over: /pending shows what waits.", True)
        card = self._shelf.find(chat_id, request_id)
        if card is not None and not card.end:
            self._shower.show_again(card)
        else:
            self._shower.show(Card(chat_id, device, view))
        return Told()

    async def granted(self, chat_id: int, request_id: str) -> None:
        """Say that a call is allowed for a while, with a button that ends it."""
        subject = f"{GRANT}-{next(self._numbers)}"
        button = Button("End that now", self._shelf.tokens.give(Action(chat_id, subject, request_id)))
        words = f"{short(request_id)}: this very call is allowed for {span(WHILE_S)}."
        sent = await self._say(chat_id, words, ((button,),))
        self._shelf.tokens.bind(chat_id, subject, sent)

    # --- a message to a session --------------------------------------------------------

    async def _send(self, rest: str, update: Text, device: str) -> None:
        named, _, text = rest.strip().partition(" ")
        if not text.strip():
            await self._say(
                update.chat_id, "Say to whom, and what: /send SESSION TEXT. /sessions lists them."
            )
            return
        told = self._sessions.send_to(named, text.strip(), device, update.chat_id)
        if told.words:
            await self._say(update.chat_id, told.words)

    # --- quiet -------------------------------------------------------------------------

    async def _mute(self, rest: str, update: Text) -> None:
        length_s = _length_s(rest)
        if length_s is not None:
            await self._say(update.chat_id, self.mute(update.sender.id, length_s))
            return
        subject = f"{MUTE}-{next(self._numbers)}"
        keys = tuple(
            Button(label, self._shelf.tokens.give(Action(update.chat_id, subject, str(length_s))))
            for label, length_s in _MUTES
        )
        lead = f"{visible(rest)!r} is no length of time. " if rest.strip() else ""
        words = f"{lead}{self._how_muted(update.sender.id)} For how long shall what comes make no sound?"
        sent = await self._say(update.chat_id, words, (keys[:2], keys[2:]))
        self._shelf.tokens.bind(update.chat_id, subject, sent)

    def mute(self, sender_id: int, length_s: float) -> str:
        """Have what comes make no sound for a while; 0 for sound. Return that in words."""
        self._desk.chats.mute(sender_id, self._wall() + length_s if length_s else 0.0)
        return self._how_muted(sender_id)

    def _how_muted(self, sender_id: int) -> str:
        left_s = self._desk.chats.muted_until(sender_id) - self._wall()
        if left_s <= 0:
            return "What comes makes a sound."
        return f"What comes makes no sound for {span(left_s)}; it comes all the same."


def _length_s(text: str) -> float | None:
    """Return the length that was typed, 0 for off; None where it is none."""
    word = text.strip().lower()
    if word == "off":
        return 0.0
    match = re.fullmatch(r"([0-9]{1,4})\s*([mhd])", word)
    return int(match[1]) * _UNITS_S[match[2]] if match is not None else None
