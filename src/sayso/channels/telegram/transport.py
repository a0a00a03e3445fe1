"""The Telegram channel's half that sends and receives, and the pairing in the chat itself.

It runs while there is a bot and somebody it is for: whoever is paired, or a code that waits. A stranger is
told one neutral line and then nothing, a wrong code nothing at all. What is asked is the other half's
(`Talk`), who is paired the desk's. What is heavy is imported once it is needed. Imports `ports`, `updates`.
"""

from __future__ import annotations

import asyncio
import platform
import re
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from sayso.channels.telegram import ports
from sayso.channels.telegram.errors import ApiError, Unreachable
from sayso.channels.telegram.lock import PollLock
from sayso.channels.telegram.pace import Clock
from sayso.channels.telegram.ports import Bot, Sender, Talk, Tap, Text, Undelivered
from sayso.channels.telegram.updates import Standing, read
from sayso.channels.text import visible
from sayso.errors import SaysoError
from sayso.web.threads import in_thread
from sayso.wire.chats import BotState

if TYPE_CHECKING:
    from sayso.channels.telegram.api import BotApi
    from sayso.channels.telegram.outbox import Outbox

CHANNEL = "telegram"
AGAIN_S = 10.0
"""How often it is tried again to get what somebody else on this computer has."""
KEYRING_S = 60.0
"""A keyring may have to ask for a password."""
ONCE_MORE_S = 1.0
"""After so long it starts anew, when the desk gave its stream of changes up."""
TURN_S, MOST_TURNS = 1.05, 10
"""After wrong codes none is looked at for a second: a right one is tried again so often."""
MOST_STRANGERS, STRANGERS_S = 20, 3600.0
"""How many strangers are told something in that time; the others are not."""
COMMANDS = (
    ("pending", "what waits for you"),
    ("sessions", "the sessions of your agents"),
    ("send", "a message to a session"),
    ("mute", "no sound for a while"),
    ("help", "what can be done here"),
)
STRANGER = "This bot is private. It answers those alone who were paired with it at its computer."
KNOWN = "You are paired already."
_CODE = re.compile(r"(?:/start(?:@\w+)?\s+)?([0-9a-z]{4}[-\s]?[0-9a-z]{4})", re.IGNORECASE)
_LINK = re.compile(r"/start(?:@\w+)?\s+\S+")


class Chats(ports.Chats, Protocol):
    """Who is paired, as the half that receives needs it; also its `Progress`."""

    api: str
    health: BotState
    revision: int

    @property
    def wanted(self) -> bool: ...

    def token(self) -> str: ...

    def name_of(self, sender: int) -> str: ...

    def offer(self, sender: int, name: str, code: str) -> Literal["paired", "known", "no", "later"]: ...

    def last_update(self) -> tuple[int, float] | None: ...

    def is_done(self, number: int) -> bool: ...

    def done(self, number: int) -> None: ...


class Desk(ports.Inside, Protocol):
    """The desk, as this half needs it."""

    @property
    def chats(self) -> Chats: ...


MakeTalk = Callable[[ports.Inside, Bot], Talk]


class Transport:
    """The channel that runs in a desk.

    Args:
        make_talk: makes the half that talks.
        folder: where the locks of pollers are.
    """

    def __init__(self, desk: Desk, make_talk: MakeTalk, folder: Path, clock: Clock | None = None) -> None:
        self._desk = desk
        self._chats = desk.chats
        self._make_talk = make_talk
        self._folder = folder
        self._clock = clock or Clock()
        self._changed = asyncio.Event()
        self._session: _Session | None = None
        self._words = ""
        self._is_asking = False

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        own = [self._words] if self._words else []
        return [
            f"Telegram: {words}" for words in [*own, *(self._session.troubles() if self._session else [])]
        ]

    async def run(self) -> None:
        """Run until cancelled."""
        self._chats.watch(self._changed.set)
        while True:
            self._changed.clear()
            if not self._chats.wanted:
                await self._changed.wait()
                continue
            await self._while_wanted(self._chats.revision)

    async def _while_wanted(self, revision: int) -> None:
        """Run until nobody is left, or the token is another one."""
        running = asyncio.get_running_loop().create_task(self._once())
        try:
            while self._chats.wanted and self._chats.revision == revision and not running.done():
                self._changed.clear()
                changing = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait({changing, running}, return_when=asyncio.FIRST_COMPLETED)
                changing.cancel()
                if self._session is not None:
                    self._session.reach()
        finally:
            running.cancel()
            await asyncio.wait({running})
            self._report(BotState())
        if not running.cancelled():
            running.result()
            await self._clock.wait(asyncio.Event(), ONCE_MORE_S)

    async def _once(self) -> None:
        """Send and receive with the token as it is now."""
        token = await self._token()
        lock = PollLock(self._folder, token)
        try:
            await self._lock(lock)
            self._session = _Session(self._desk, self._make_talk, token, self._clock)
            await self._session.run()
        finally:
            self._session = None
            lock.leave()
            self._desk.reaches(CHANNEL, False)

    async def _token(self) -> str:
        while True:
            token, words = "", "the system's keyring does not answer"
            if not self._is_asking:  # a thread that hangs there is enough
                with suppress(TimeoutError):
                    token, words = await in_thread(self._kept_token, KEYRING_S, "telegram-token")
            if token:
                return token
            self._trouble(words)
            await self._clock.wait(asyncio.Event(), AGAIN_S)

    def _kept_token(self) -> tuple[str, str]:
        """Return the token, or why there is none."""
        self._is_asking = True
        try:
            token = self._chats.token()
        except SaysoError as error:
            return "", error.text
        finally:
            self._is_asking = False
        return token, "" if token else "the bot's token is gone: `sayso telegram pair --new-token`"

    async def _lock(self, lock: PollLock) -> None:
        while True:
            try:
                if lock.take():
                    break
                self._trouble(
                    f"another desk on this computer polls this bot ({lock.holder}): end one of the two"
                )
            except OSError as error:  # Telegram itself still tells when another one polls
                self._trouble(f"nothing keeps another desk here from polling this bot, too: {error}")
                return
            await self._clock.wait(asyncio.Event(), AGAIN_S)
        self._words = ""

    def _trouble(self, words: str) -> None:
        self._words = words
        self._chats.health = BotState(state="trouble", words=words)

    def _report(self, state: BotState) -> None:
        self._words = ""
        self._chats.health = state


class _Session:
    """The bot at work, with one token."""

    def __init__(self, desk: Desk, make_talk: MakeTalk, token: str, clock: Clock) -> None:
        from sayso.channels.telegram.api import PUBLIC_URL, BotApi
        from sayso.channels.telegram.outbox import Outbox
        from sayso.channels.telegram.poller import Poller

        self._desk = desk
        self._chats = desk.chats
        self._clock = clock
        self._api: BotApi = BotApi(token, desk.chats.api or PUBLIC_URL)
        self._outbox: Outbox = Outbox(self._api, clock)
        self._poller = Poller(self._api, self._on_update, desk.chats, self._on_state, clock)
        self._talk = make_talk(desk, self._outbox)
        self._group = asyncio.TaskGroup()
        self._senders = set(desk.chats.senders())
        self._blocked: set[int] = set()
        self._told: set[int] = set()
        self._tellings: deque[float] = deque()
        self._reached = False
        self._is_new = True

    async def run(self) -> None:
        """Run until cancelled, or until the desk's changes end."""
        try:
            async with self._group as group:
                tasks = [group.create_task(part.run()) for part in (self._outbox, self._poller)]
                await self._talk.run()
                for task in tasks:
                    task.cancel()
        finally:
            self._api.close()

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        state = self._poller.state
        blocked = [
            f"{visible(name)} has blocked the bot"
            for one in self._blocked
            if (name := self._chats.name_of(one))
        ]
        return [
            *([state.words] if state.words else []),
            *blocked,
            *self._outbox.troubles(),
            *self._talk.troubles(),
        ]

    # --- whether anybody is reached ----------------------------------------------------

    def _on_state(self, state: BotState) -> None:
        self._chats.health = state
        if state.state == "well":
            self._outbox.wake()
            if self._is_new:
                self._is_new = False
                self._start(self._name_commands())
        self.reach()

    def reach(self) -> None:
        """Say whether a paired sender is reached now; who was taken back gets nothing any more."""
        senders = set(self._chats.senders())
        for gone in self._senders - senders:
            self._outbox.drop(gone)
        self._senders = senders
        well = self._poller.state.state == "well"
        reached = well and any(sender not in self._blocked for sender in senders)
        if reached != self._reached:
            self._reached = reached
            self._desk.reaches(CHANNEL, reached)

    async def _name_commands(self) -> None:
        """Have Telegram show the commands beside the field of text; without them all works the same."""
        commands = [{"command": name, "description": words} for name, words in COMMANDS]
        try:
            await self._api.call("setMyCommands", {"commands": commands})
        except (ApiError, Unreachable):
            self._is_new = True  # at the next time that all is well

    # --- what comes --------------------------------------------------------------------

    async def _on_update(self, raw: Any) -> None:
        update = read(raw)
        if isinstance(update, Standing):
            self._note_block(update)
        elif isinstance(update, Text) and update.private and not self._is_for_talk(update):
            self._greet(update)
        elif isinstance(update, Text | Tap):
            await self._talk.on_update(update)

    def _note_block(self, update: Standing) -> None:
        """Keep in mind who of the paired blocked the bot; strangers do as they like."""
        self._blocked.discard(update.sender.id)
        if update.blocked and self._chats.name_of(update.sender.id):
            self._blocked.add(update.sender.id)
        self.reach()

    def _is_for_talk(self, update: Text) -> bool:
        """Whether a message to the bot alone is a paired sender's, and no use of a link that pairs."""
        return bool(self._chats.name_of(update.sender.id)) and not _LINK.fullmatch(update.text.strip())

    def _greet(self, update: Text) -> None:
        """Take a code; tell a stranger once that there is nothing here for them."""
        sender = update.sender
        code = _CODE.fullmatch(update.text.strip())
        if code is not None:
            self._start(self._offer(update, code[1]))
        elif not self._chats.name_of(sender.id) and self._may_tell(sender.id):
            self._start(self._say(update.chat_id, STRANGER))

    async def _offer(self, update: Text, code: str) -> None:
        sender = update.sender
        try:
            offered = await self._offered(sender, code)
        except SaysoError as error:
            await self._say(update.chat_id, f"It could not be kept that you are paired: {error.text}")
            return
        if offered == "known":
            await self._say(update.chat_id, KNOWN)
        elif offered == "paired":
            self._blocked.discard(sender.id)
            self.reach()
            await self._say(update.chat_id, welcome(self._chats.name_of(sender.id)))

    async def _offered(self, sender: Sender, code: str) -> str:
        """Return what became of a code; where others had too many wrong ones it takes its turn."""
        for _ in range(MOST_TURNS):
            offered = self._chats.offer(sender.id, visible(sender.name), code)
            if offered != "later":
                return offered
            await self._clock.wait(asyncio.Event(), TURN_S)
        return "no"

    def _may_tell(self, sender: int) -> bool:
        now = self._clock.now()
        while self._tellings and now - self._tellings[0] >= STRANGERS_S:
            self._tellings.popleft()
        if sender in self._told or len(self._tellings) >= MOST_STRANGERS:
            return False
        self._told.add(sender)
        self._tellings.append(now)
        return True

    async def _say(self, chat_id: int, text: str) -> None:
        try:
            await self._outbox.send(chat_id, text)
        except Undelivered:
            return

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._group.create_task(work)


def welcome(name: str) -> str:
    """Return what somebody is told who was just paired."""
    return (
        f"You are paired with the desk on {platform.node()}, as {name}: you may see and answer what agents "
        "ask. It passes through Telegram's servers, as your answers do; what looks like a secret is hidden "
        "before. /help tells what can be done here."
    )


def telegram(folder: Path) -> Callable[[Any], Transport]:
    """Return what makes the channel in a desk."""
    return lambda desk: Transport(cast("Desk", desk), _talk, folder)


def _talk(desk: ports.Inside, bot: Bot) -> Talk:
    from sayso.channels.telegram.channel import Conversation  # much, and nobody may be paired

    return Conversation(desk, bot)
