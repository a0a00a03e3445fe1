"""Cards on their way into the chats: shown part by part, kept right by edits, and kept over restarts.

In a chat one card is shown after the other, so that parts of two never mix. A card can be answered only
once all its parts were taken by Telegram, and its long rows were fetched from the desk for whoever
answers. What cannot be sent decides nothing. Not here: taps (`acts`). Imports `cards`, `sheet`, `ports`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from sayso.channels import replies
from sayso.channels.base import short
from sayso.channels.telegram.board import Board
from sayso.channels.telegram.cards import Card, Look, Prompt, Shelf
from sayso.channels.telegram.ports import Bot, Inside, KeptCard, Undelivered
from sayso.channels.telegram.sheet import File, ended, gist, lay_out, name_of, with_rows
from sayso.channels.telegram.steps import Step
from sayso.channels.telegram.text import Message, Piece
from sayso.core.types import Row
from sayso.errors import SaysoError

CHANNEL = "telegram"
UNSENT = "Telegram: what waits could not be shown"
AGAIN = "Shown again below."
MOST_WAITING = 500
"""With so many cards that wait for their turn in a chat, those are looked for whose request has ended."""
Spawn = Callable[[Coroutine[Any, Any, None]], object]


class Shower:
    """Shows cards. `spawn` runs something beside; `again` has what has no card shown; `wall` as time.time."""

    def __init__(
        self,
        desk: Inside,
        bot: Bot,
        shelf: Shelf,
        board: Board,
        spawn: Spawn,
        again: Callable[[], None],
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._desk = desk
        self._bot = bot
        self._shelf = shelf
        self._board = board
        self._spawn = spawn
        self._again = again
        self._wall = wall
        self._waiting: dict[int, deque[Card]] = {}
        self._unreached: dict[int, str] = {}

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        senders = self._desk.chats.senders()
        unreached = {words: None for chat, words in self._unreached.items() if chat in senders}
        return [f"a chat of Telegram gets nothing: {words}" for words in unreached]

    # --- showing -----------------------------------------------------------------------

    def show(self, card: Card) -> None:
        """Show a card, after those that wait in its chat."""
        self._shelf.put(card)
        if (waiting := self._waiting.get(card.chat_id)) is not None:
            waiting.append(card)
            if len(waiting) >= MOST_WAITING:  # a network may be gone for days
                alive = [one for one in waiting if self._is_wanted(one)]
                waiting.clear()
                waiting.extend(alive)
            return
        self._waiting[card.chat_id] = deque([card])
        self._spawn(self._show_all(card.chat_id))

    def show_again(self, card: Card) -> None:
        """Show a card anew, below; the one that is there says so."""
        if not (card.is_complete and card.message_id):
            return  # it is on its way
        message = Message(f"{AGAIN}\n\n{gist(card.view)}")
        self.change(card.chat_id, card.message_id, message)
        self._desk.chats.forget(card.chat_id, card.message_id)
        self.show(Card(card.chat_id, card.device, card.view))

    async def _show_all(self, chat_id: int) -> None:
        waiting = self._waiting[chat_id]
        while waiting:
            card = waiting.popleft()
            if not self._is_wanted(card):
                continue  # it ended before it could be shown
            try:
                await self._show(card)
            except Undelivered as error:
                self._undelivered(card, error.words)
        del self._waiting[chat_id]

    def _is_wanted(self, card: Card) -> bool:
        return not card.end and self._shelf.find(*card.place) is card

    async def _show(self, card: Card) -> None:
        try:
            rows = await self.rows(card, card.device)
        except SaysoError:  # it ended, or the device was taken back: told by others
            return
        sheet = lay_out(with_rows(card.view, rows))
        for part in sheet.parts:
            await self._send_part(card, part)
            if card.end:
                await self._end_halfway(card)
                return
        card.base = sheet.base
        await self._complete(card)

    async def _send_part(self, card: Card, part: Message | File) -> None:
        if isinstance(part, File):
            sent = await self._bot.send_file(card.chat_id, *part, reply_to=None, silent=True)
        else:
            keyboard = None if card.parts else card.locked(self._shelf.tokens)
            sent = await self._send(card.chat_id, Look(part, keyboard))
            if not card.parts:
                card.shown = Look(part, keyboard)
                self._is_at(card, sent)
        card.parts.append(sent)
        self._shelf.place(card.chat_id, sent, card)
        self.reached(card.chat_id)

    async def _end_halfway(self, card: Card) -> None:
        """Say how it ended although not all of it was sent."""
        if card.message_id:
            self.refresh(card)
        else:
            await self._send(card.chat_id, card.look(self._shelf.tokens))

    async def _complete(self, card: Card) -> None:
        """Send the card itself, with all its buttons; the first part loses those that it had.

        Who sees these buttons has all of it: a tap may come before we are told that they were sent.
        """
        first, was = card.message_id, card.shown
        self._shelf.tokens.end(*card.place)
        card.message_id, card.is_complete = 0, True
        look = card.look(self._shelf.tokens)
        sent = await self._send(card.chat_id, look)
        card.shown = look
        self._is_at(card, sent)
        self.reached(card.chat_id)
        if first and was is not None:
            self.change(card.chat_id, first, was.message)
        self._keep(card)
        self.refresh(card)

    def _is_at(self, card: Card, message_id: int) -> None:
        card.message_id = message_id
        self._shelf.place(card.chat_id, message_id, card)
        self._shelf.tokens.bind(*card.place, message_id)

    def _keep(self, card: Card) -> None:
        kept = KeptCard(
            chat_id=card.chat_id,
            message_id=card.message_id,
            request_id=card.view.id,
            asked=card.asked,
            text=name_of(card.view),
        )
        self._desk.chats.keep(kept)

    async def rows(self, card: Card, device: str) -> dict[int, Row]:
        """Return the rows that the list cuts, whole; they count as seen by a device. Raises SaysoError."""
        rows: dict[int, Row] = {}
        for index in replies.unread(card.view) if device else ():
            params = {"id": card.view.id, "row": index}
            rows[index] = msgspec.convert(await self._desk.call(device, CHANNEL, "desk.row", params), Row)
        return rows

    def is_muted(self, chat_id: int) -> bool:
        return self._desk.chats.muted_until(chat_id) > self._wall()

    def audible(self) -> list[int]:
        """Return the chats that may be called: of the paired, those whose person did not mute theirs."""
        return [chat_id for chat_id in self._desk.chats.senders() if not self.is_muted(chat_id)]

    def card_at(self, chat_id: int, request_id: str) -> int | None:
        """Return the message of a request's card in a chat."""
        card = self._shelf.find(chat_id, request_id)
        return (card.message_id or None) if card is not None else None

    async def _send(self, chat_id: int, look: Look) -> int:
        """Send a part of a card, without a sound: who does not see it is called (`bell`)."""
        message, keyboard = look
        return await self._bot.send(chat_id, message.text, message.entities, keyboard, silent=True)

    def _undelivered(self, card: Card, words: str) -> None:
        """Tell by other channels that this one could not: nothing is decided by it."""
        self._shelf.drop(card)
        if card.chat_id not in self._desk.chats.senders():
            return  # a group, where somebody wanted to see it, or who was taken back meanwhile
        known = self._unreached.get(card.chat_id)
        self._unreached[card.chat_id] = words
        if known != words:
            self._desk.chats.note(UNSENT, f"{words} ({gist(card.view)})")

    def reached(self, chat_id: int) -> None:
        """Note that a chat takes messages: what could not be shown there before comes now."""
        if self._unreached.pop(chat_id, None) is not None:
            self._again()

    # --- keeping right -----------------------------------------------------------------

    def refresh(self, card: Card) -> None:
        """Have a card show what it should; what its buttons mean changes at once."""
        if card.is_complete or card.end:
            card.look(self._shelf.tokens)
        if card.message_id and not card.is_editing and (card.is_complete or card.end):
            card.is_editing = True
            self._spawn(self._edit_until_right(card))

    async def _edit_until_right(self, card: Card) -> None:
        try:
            while (look := card.look(self._shelf.tokens)) != card.shown:
                self._shelf.tokens.bind(*card.place, card.message_id)
                await self._edit(card.chat_id, card.message_id, look)
                card.shown = look
        finally:
            card.is_editing = False
        if card.end:
            self._desk.chats.forget(card.chat_id, card.message_id)

    async def _edit(self, chat_id: int, message_id: int, look: Look) -> bool:
        """Edit a message; return whether it is there. One that somebody deleted decides nothing."""
        message, keyboard = look
        try:
            await self._bot.edit(chat_id, message_id, message.text, message.entities, keyboard)
        except Undelivered:
            self._desk.chats.forget(chat_id, message_id)
            return False
        return True

    def change(self, chat_id: int, message_id: int, message: Message) -> None:
        """Have a message say something else, without buttons."""
        self._spawn(self._changed(chat_id, message_id, message))

    async def _changed(self, chat_id: int, message_id: int, message: Message) -> None:
        await self._edit(chat_id, message_id, Look(message))

    # --- asking for words --------------------------------------------------------------

    def ask(self, card: Card, step: Step, asks: str) -> None:
        """Ask for words; in a chat with one person, so that their keyboard opens at once."""
        self._spawn(self._ask(card, step, asks))

    async def _ask(self, card: Card, step: Step, asks: str) -> None:
        private = card.chat_id > 0
        text = f"{asks}\n({short(card.view.id)}: reply to this message.)"
        try:
            sent = await self._bot.send(
                card.chat_id, text, reply_to=card.message_id, force_reply=private, silent=True
            )
        except Undelivered:
            return  # a reply to the card itself does the same
        self._shelf.place(card.chat_id, sent, Prompt(card, step))

    # --- what an earlier run of the desk left ------------------------------------------

    def adopt(self, kept: KeptCard, card: Card) -> None:
        """Go on with a card of an earlier run, where it is one message; else show it anew."""
        self._spawn(self._adopt(kept, card))

    async def _adopt(self, kept: KeptCard, card: Card) -> None:
        self._shelf.put(card)  # at once, or it is shown beside it, or its end is missed
        try:
            sheet = lay_out(with_rows(card.view, await self.rows(card, card.device)))
        except SaysoError:
            self.close(kept, card.end or AGAIN)
            return
        if card.end or self._shelf.find(*card.place) is not card:
            self.close(kept, card.end or AGAIN)
            return
        if sheet.parts:
            self.close(kept, AGAIN)
            self.show(card)
            return
        card.base, card.is_complete = sheet.base, True
        look = card.look(self._shelf.tokens)
        self._is_at(card, kept.message_id)
        if await self._edit(card.chat_id, card.message_id, look):
            card.shown = look
            self.refresh(card)
        elif not card.end:
            self.show(Card(card.chat_id, card.device, card.view))

    def close(self, kept: KeptCard, words: str) -> None:
        """Have a card of an earlier run say that it is over."""
        self._desk.chats.forget(kept.chat_id, kept.message_id)
        message = ended((Piece(kept.text),), words)
        self.change(kept.chat_id, kept.message_id, message)
