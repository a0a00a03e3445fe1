"""The channel of Telegram: it follows the desk, keeps a card of each request in each paired chat, and
takes what people tap and write.

Who may act is decided by the sender alone, in private chats and in groups: a paired one acts with the
power of the device that the desk made for them. Runs inside the desk; an answer is the desk's to take.
Not here: sending and receiving (`ports.Bot`), pairing. Imports its neighbours, `errors`, `wire.views`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from sayso.channels.base import Line, alert_line, note_line
from sayso.channels.telegram import commands as manual
from sayso.channels.telegram import sessions as mail
from sayso.channels.telegram.acts import Acts, Told
from sayso.channels.telegram.bell import Bell
from sayso.channels.telegram.board import Board, end_words, is_shown
from sayso.channels.telegram.cards import About, Card, Prompt, Shelf
from sayso.channels.telegram.commands import CANCEL, Commands
from sayso.channels.telegram.ports import Bot, Inside, KeptCard, Tap, Text, Undelivered
from sayso.channels.telegram.sending import Sending
from sayso.channels.telegram.sessions import Sessions
from sayso.channels.telegram.sheet import asked
from sayso.channels.telegram.shower import UNSENT, Shower
from sayso.channels.telegram.text import MOST_UNITS, beginning, message, pieces_of, toast
from sayso.channels.telegram.tokens import Action, Tokens
from sayso.wire.views import Change, RequestView

RESUME_S = 15.0
"""After a restart whoever asks has asked again by then."""
NOTE_COLUMNS = 1000
MOST_TOLD = 20
"""Of the notes that came meanwhile, so many are told."""
NOT_PAIRED = "This bot answers only to whom it is paired with."
UNPAIRED = "This chat is no longer paired."
EARLIER = "The desk has started anew since: /pending shows what waits."
ELSEWHERE = "There is a newer message of this: use its buttons."
OVER = "This is over: /pending shows what waits."
NO_REPLY = (
    "Nothing was answered: words count only as a reply to a card. /pending shows what waits, /help more."
)
ANOTHER = "The desk started anew, and something else is asked under this name."


class Conversation:
    """The `Talk` of `ports`. `resume_s`: how long an earlier run's requests may take to come back."""

    def __init__(
        self,
        desk: Inside,
        bot: Bot,
        wall: Callable[[], float] = time.time,
        resume_s: float = RESUME_S,
        tokens: Tokens | None = None,
    ) -> None:
        self._desk = desk
        self._bot = bot = Sending(bot)
        self._resume_s = resume_s
        self._group: asyncio.TaskGroup | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._ready = asyncio.Event()
        self._board = Board()
        self._shelf = Shelf(tokens or Tokens())
        self._shower = Shower(desk, bot, self._shelf, self._board, self._spawn, self._show_all, wall)
        self._acts = Acts(desk, self._shower)
        self._sessions = Sessions(desk, bot, self._shelf, self._board, self._spawn, wall)
        self._commands = Commands(desk, bot, self._shelf, self._board, self._shower, self._sessions, wall)
        self._bell = Bell(desk, bot, self._shower)
        self._orphans: dict[tuple[int, str], KeptCard] = {}
        self._paired: dict[int, str] = {}
        self._untold: dict[int, list[Line]] = {}

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        return self._shower.troubles()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        if self._group is None:  # it has ended meanwhile
            work.close()
            return
        task = self._group.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    # --- following the desk ------------------------------------------------------------

    async def run(self) -> None:
        """Follow the desk to its end, or until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                self._desk.chats.watch(self._pairs_changed)
                self._spawn(self._bell.run())
                await self._follow()
                for task in self._work:
                    task.cancel()
        finally:
            self._group = None

    async def _follow(self) -> None:
        changes = self._desk.listen()
        try:
            with suppress(StopAsyncIteration):
                while True:
                    self._hear(await changes.__anext__())
        finally:
            changes.close()

    def _hear(self, change: Change) -> None:
        self._board.hear(change)
        if change.snapshot is not None:
            self._begin()
        if change.request is not None:
            self._request(change.request, is_over=change.type == "forgotten")
        if change.message is not None:
            self._sessions.hear(change.message)
        if change.note is not None and change.note.title != UNSENT:
            self._tell(note_line(change.note, NOTE_COLUMNS))
        if change.alert is not None:
            self._tell(alert_line(change.alert))

    def _begin(self) -> None:
        if not self._ready.is_set():
            self._paired = dict(self._desk.chats.senders())
            self._orphans = {(one.chat_id, one.request_id): one for one in self._desk.chats.cards()}
            self._spawn(self._close_orphans())
        for view in self._board.requests.values():
            self._request(view)
        for card in self._shelf.all():
            if card.view.id not in self._board.requests and not card.end:
                self._end(card, end_words(None))
        self._ready.set()

    def _request(self, view: RequestView, is_over: bool = False) -> None:
        """Have every chat show a request as it is now."""
        if is_over or not is_shown(view):
            self._over(view)
            return
        for card in self._shelf.of(view.id):
            if asked(view) != card.asked:
                self._end(card, ANOTHER)
                self._shelf.drop(card)
            elif not card.end:
                card.follow(view)
                self._shower.refresh(card)
        for chat_id, device in self._paired.items():
            if self._shelf.find(chat_id, view.id) is None:
                self._show(Card(chat_id, device, view))

    def _show_all(self) -> None:
        """Have every chat show what it does not show yet."""
        for view in list(self._board.requests.values()):
            self._request(view)

    def _over(self, view: RequestView) -> None:
        for card in self._shelf.of(view.id):
            card.follow(view)
            self._end(card, end_words(view))
        self._close({place for place in self._orphans if place[1] == view.id})

    def _end(self, card: Card, words: str) -> None:
        self._shelf.end(card, words)
        self._shower.refresh(card)

    def _show(self, card: Card) -> None:
        kept = self._orphans.pop(card.place, None)
        if kept is None:
            self._shower.show(card)
        elif kept.asked == card.asked:
            self._shower.adopt(kept, card)
        else:
            self._shower.close(kept, ANOTHER)
            self._shower.show(card)

    async def _close_orphans(self) -> None:
        """Say of what an earlier run left, and nobody asks any more, how it ended."""
        await asyncio.sleep(self._resume_s)
        self._close(set(self._orphans))

    def _close(self, places: set[tuple[int, str]]) -> None:
        for place in places:
            kept = self._orphans.pop(place)
            is_told = kept.chat_id < 0 or kept.chat_id in self._paired
            words = end_words(self._board.requests.get(kept.request_id)) if is_told else UNPAIRED
            self._shower.close(kept, words)

    def _tell(self, line: Line) -> None:
        """Tell everybody; what comes while something is on its way goes along in the next message."""
        for chat_id in self._paired:
            if chat_id in self._untold:
                self._untold[chat_id].append(line)
            else:
                self._untold[chat_id] = [line]
                self._spawn(self._tell_all(chat_id))

    async def _tell_all(self, chat_id: int) -> None:
        waiting = self._untold[chat_id]
        while waiting and chat_id in self._paired:
            lines = waiting[:MOST_TOLD]
            if len(waiting) > MOST_TOLD:
                lines.append(Line(f"{len(waiting) - MOST_TOLD} more: sayso list tells them."))
            waiting.clear()
            text = message(beginning(pieces_of(lines), MOST_UNITS))
            with suppress(Undelivered):  # cards tell of it
                await self._bot.send(chat_id, text.text, text.entities, silent=self._shower.is_muted(chat_id))
        del self._untold[chat_id]

    async def _say(self, chat_id: int, line: str, reply_to: int | None = None) -> None:
        text = message(pieces_of([Line(line)]))
        with suppress(Undelivered):  # cards tell of it
            await self._bot.send(chat_id, text.text, text.entities, reply_to=reply_to, silent=True)

    # --- who is paired -----------------------------------------------------------------

    def _pairs_changed(self) -> None:
        before, self._paired = self._paired, dict(self._desk.chats.senders())
        if not self._ready.is_set() or self._group is None:
            return
        for card in self._shelf.all():
            was = card.chat_id in before and self._paired.get(card.chat_id) != before[card.chat_id]
            if was or card.device not in self._paired.values():  # in a group: who had it shown
                self._end(card, card.end or UNPAIRED)
                self._shelf.drop(card)
        self._show_all()
        self._bell.look_again()

    # --- what comes --------------------------------------------------------------------

    async def on_update(self, update: Text | Tap) -> None:
        """Handle an update, of whomever."""
        await self._ready.wait()
        device = self._desk.chats.senders().get(update.sender.id)
        if isinstance(update, Tap):
            told = await self._tap(update, device)
            self._spawn(self._bot.toast(update.callback_id, toast(told.words), told.went_wrong))
        elif device is not None:
            await self._text(update, device)

    async def _tap(self, tap: Tap, device: str | None) -> Told:
        if device is None:
            return Told(NOT_PAIRED, True)
        action = self._shelf.tokens.find(tap.data, tap.chat_id, tap.message_id)
        if action is None:
            return Told(self._why_dead(tap), True)
        await self._acts.is_there(device)
        if action.subject.startswith("\0"):
            return await self._other(action, tap, device)
        card = self._shelf.find(tap.chat_id, action.subject)
        if card is None:
            return Told(OVER, True)
        told = await self._acts.tap(card, action.name, device)
        if told.grant:
            self._spawn(self._undertake(self._commands.granted(tap.chat_id, told.grant)))
        return told

    def _why_dead(self, tap: Tap) -> str:
        place = self._shelf.at(tap.chat_id, tap.message_id)
        if isinstance(place, Card) and place.end:
            return place.end
        if self._shelf.tokens.is_elsewhere(tap.data, tap.chat_id):
            return ELSEWHERE
        return EARLIER if self._shelf.tokens.is_of_earlier(tap.data) else OVER

    async def _other(self, action: Action, tap: Tap, device: str) -> Told:
        """Do what a button does that is on no card."""
        kind = action.subject.partition("-")[0]
        if kind == manual.SHOW:
            return self._commands.show(tap.chat_id, action.name, device)
        if kind == manual.MUTE:
            return Told(self._commands.mute(tap.sender.id, float(action.name)))
        if kind == manual.GRANT:
            return await self._acts.end_grant(action.name, device)
        if kind == mail.LETTER:
            return await self._sessions.take_back(action.name, device)
        self._spawn(self._undertake(self._sessions.open(tap.chat_id, action.name)))
        return Told()

    async def _undertake(self, work: Coroutine[Any, Any, None]) -> None:
        with suppress(Undelivered):
            await work

    async def _text(self, update: Text, device: str) -> None:
        self._shower.reached(update.chat_id)  # whoever blocked it does so no more
        await self._acts.is_there(device)
        command = manual.parsed(update.text)
        if update.reply_to_message_id is not None and (command is None or command[0] == CANCEL):
            await self._reply_to(update, update.reply_to_message_id, device, is_cancel=command is not None)
        elif command is not None:
            self._spawn(self._undertake(self._commands.run(*command, update, device)))
        elif update.private:
            self._spawn(self._say(update.chat_id, NO_REPLY))

    async def _reply_to(self, update: Text, message_id: int, device: str, is_cancel: bool) -> None:
        """Take a reply. The message may be so new that we are not yet told which it is."""
        place = self._shelf.at(update.chat_id, message_id)
        if place is None and self._bot.is_sending(update.chat_id):
            self._spawn(self._reply_once_sent(update, message_id, device, is_cancel))
        else:
            await self._reply(update, place, device, is_cancel)

    async def _reply_once_sent(self, update: Text, message_id: int, device: str, is_cancel: bool) -> None:
        await self._bot.settled(update.chat_id)
        if device in self._desk.chats.senders().values():  # it may have been long
            await self._reply(update, self._shelf.at(update.chat_id, message_id), device, is_cancel)

    async def _reply(self, update: Text, place: object, device: str, is_cancel: bool) -> None:
        card = place.card if isinstance(place, Prompt) else place
        told = Told(OVER, True)
        if is_cancel:
            if isinstance(card, Card):
                self._acts.start_again(card)
            told = Told("Nothing was answered.", True)
        elif isinstance(card, Card) and (card.end or self._shelf.find(*card.place) is card):
            step = place.step if isinstance(place, Prompt) else None
            told = await self._acts.words(card, step, update.text, device)
        elif isinstance(place, About):
            self._sessions.write(place, update.text, device, update.chat_id)
            return
        if told.went_wrong:
            lead = "" if is_cancel else "Nothing was answered: "
            self._spawn(self._say(update.chat_id, lead + told.words, update.message_id))
