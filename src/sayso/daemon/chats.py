"""Who may answer from a chat with a bot: the allow-list of senders, their pairing, the bot's token.

Whoever types a code to the bot is paired by the id that Telegram vouches for; each is a device with
the power to answer, and ends with it. A row that the desk did not seal is not taken up: it would let a
stranger answer. No chat is ever on a list. Not here: what is sent and received (a channel), codes
(`chat_codes`), what is kept of the chats themselves (`chat_memory`).
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal

from sayso.daemon.bot_token import TokenStore
from sayso.daemon.chat_codes import ChatCodes
from sayso.daemon.chat_memory import ChatMemory
from sayso.daemon.devices import MAX_NAME_CHARS, Devices
from sayso.daemon.seal import Seal
from sayso.daemon.service import Caller
from sayso.daemon.settings import Database
from sayso.errors import BadRequest, Refused, SaysoError, TooMany, Unavailable
from sayso.web.threads import in_thread
from sayso.wire.chats import BotInfo, BotState, ChatPaired, ChatSender, OpenedChat
from sayso.wire.jsonrpc import convert
from sayso.wire.protocol import Power, TelegramParams

KEYRING_S = 60.0
"""A keyring may have to ask for a password."""
UNNAMED = "somebody on Telegram"
CHAT_LINK = "https://t.me"
Offered = Literal["paired", "known", "no", "later"]
TOKEN = re.compile(r"[0-9]{5,20}:[A-Za-z0-9_-]{30,64}")
_BOT_NAME = re.compile(r"[A-Za-z0-9_]{3,64}")
_SENDERS = """CREATE TABLE IF NOT EXISTS telegram_senders (
    sender INTEGER PRIMARY KEY, device TEXT NOT NULL, name TEXT NOT NULL, seal TEXT NOT NULL
)"""
_BOT = "CREATE TABLE IF NOT EXISTS telegram_bot (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
_HERE = "a bot is set up, and a code for it made, on this computer: `sayso telegram pair`"


class Chats(ChatMemory):
    """The bot of one desk and its people.

    Args:
        database: "" keeps them in memory.
        state: the folder of the token and of the key that seals; "" likewise.
        api: the address of the Bot API; "" for Telegram's own.
        keyring: whether the token may lie in the system's keyring.
        note: tells the person something by the desk's other channels (title, body).
    """

    def __init__(
        self,
        devices: Devices,
        database: str = "",
        state: str = "",
        api: str = "",
        keyring: bool = False,
        note: Callable[[str, str], None] = lambda _title, _body: None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._database = Database(database, _SENDERS)
        with suppress(sqlite3.Error):
            self._database.connection.execute("PRAGMA synchronous = NORMAL")
            self._database.connection.execute(_BOT)
        super().__init__(self._database.connection)
        self.api = api
        self._note = note
        self.health = BotState()
        self.revision = 0
        """Another number once the token has changed."""
        self._devices = devices
        self._store = TokenStore(f"{state}/telegram.token" if state else "", keyring)
        self._seal = Seal(f"{state}/telegram.key" if state else "")
        self._watchers: list[Callable[[], None]] = []
        self._codes = ChatCodes(self._tell, clock)
        self._bot = self._load_bot()
        self._senders = self._load()
        devices.watch(self._device_gone)

    # --- for the channel ---------------------------------------------------------------

    @property
    def wanted(self) -> bool:
        """Whether there is a bot, and somebody it is for."""
        return self._bot[0] != 0 and (bool(self._senders) or self._codes.is_any_open)

    def token(self) -> str:
        """Return the bot's token; may block. Raises: Unavailable."""
        return self._store.read()

    def senders(self) -> Mapping[int, str]:
        """Return the device of each paired sender, by the sender's id."""
        return {sender: one.device for sender, one in self._senders.items()}

    def name_of(self, sender: int) -> str:
        """Return what a paired sender is called here; "" for a stranger."""
        known = self._senders.get(sender)
        return known.name if known is not None else ""

    def note(self, title: str, body: str) -> None:
        """Tell the person something by every other channel."""
        self._note(title, body)

    def watch(self, on_change: Callable[[], None]) -> None:
        """Have `on_change` called when a sender, a code or the token comes or goes."""
        self._watchers.append(on_change)

    def offer(self, sender: int, name: str, code: str) -> Offered:
        """Take what a sender typed for a code; whoever had the right one is paired.

        Returns: known, when they were before; later, when it was not looked at, and may be a moment later.
        Raises: Unavailable, when that cannot be kept.
        """
        try:
            grant = self._codes.redeem(sender, code)
        except TooMany:
            return "later"
        if grant is None:
            return "no"
        known = self._senders.get(sender)
        try:
            found = known or self._paired(sender, grant.name or name)
        except SaysoError:
            self._codes.end(grant.id, ChatPaired(state="closed"))
            raise
        self._codes.end(grant.id, ChatPaired(state="used", name=found.name, sender=sender))
        self._tell()
        return "paired" if known is None else "known"

    # --- the method --------------------------------------------------------------------

    def call(self, caller: Caller, params: dict[str, Any]) -> Any:
        """Carry out `desk.telegram`."""
        given = convert(params, TelegramParams)
        if given.wait is not None:
            return self._codes.wait(given.wait)
        if given.cancel is not None:
            self._codes.end(given.cancel, ChatPaired(state="closed"))
            return {"ok": True}
        if given.revoke is not None:
            return self._revoke(given.revoke)
        if given.forget:
            return self._forget_bot()
        if given.list:
            return self._info()
        if not caller.pid and (given.token is not None or given.pair):
            raise Refused(_HERE)
        if given.token is not None:
            return self._take_token(given.token, given.bot_id, given.bot)
        if given.pair:
            return self._pair(given.name)
        raise BadRequest("one of list, token, pair, wait, cancel, revoke, forget")

    def _info(self) -> BotInfo:
        senders = tuple(self._senders.values())
        kept_in = self._store.kept_in if self._bot[0] else ""
        return BotInfo(bot=self._bot[1], kept_in=kept_in, api=self.api, senders=senders, health=self.health)

    def _pair(self, name: str) -> OpenedChat:
        if name:
            self._devices.check_name(name)
        if not self._bot[0]:
            raise Unavailable("there is no bot yet: give its token first")
        opened = self._codes.open(name)
        bot = self._bot[1]
        link = f"{CHAT_LINK}/{bot}?start={opened.code.replace('-', '')}"
        return OpenedChat(id=opened.id, code=opened.code, bot=bot, link=link, expires_s=opened.expires_s)

    def _revoke(self, which: str) -> ChatSender:
        for one in self._senders.values():
            if which in (one.name, one.device, str(one.sender)):
                self._devices.revoke(one.device)
                return one
        raise BadRequest(f"nobody named {which!r} is paired on Telegram", "revoke")

    async def _take_token(self, token: str, bot_id: int, bot: str) -> dict[str, bool]:
        if not TOKEN.fullmatch(token) or not _BOT_NAME.fullmatch(bot) or bot_id != int(token.split(":")[0]):
            raise BadRequest("this is not the token of a bot", "token")
        if self._bot[0] not in (0, bot_id):
            self._drop_everybody()  # whoever was paired has never written to this one
        await self._in_thread(partial(self._store.write, token))
        self._bot = (bot_id, bot)
        self._keep_bot()
        self.revision += 1
        self._tell()
        return {"ok": True}

    async def _forget_bot(self) -> dict[str, bool]:
        self._drop_everybody()
        self._bot = (0, "")
        self._keep_bot()
        self.revision += 1
        self._tell()
        await self._in_thread(self._store.forget)
        return {"ok": True}

    async def _in_thread(self, work: Callable[[], None]) -> None:
        """Do what a keyring may take long for. Raises: Unavailable."""

        def tried() -> SaysoError | None:
            try:
                work()
            except SaysoError as error:
                return error
            return None

        try:
            error = await in_thread(tried, KEYRING_S, "telegram-token")
        except TimeoutError:
            raise Unavailable("the system's keyring does not answer") from None
        if error is not None:
            raise error

    def _drop_everybody(self) -> None:
        for one in list(self._senders.values()):
            self._devices.revoke(one.device)
        self.clear()

    # --- senders -----------------------------------------------------------------------

    def _paired(self, sender: int, proposed: str) -> ChatSender:
        name = self._free_name(proposed)
        device = self._devices.create(name, Power.ANSWER).device  # nobody needs its token
        found = ChatSender(sender=sender, device=device.id, name=name)
        try:
            row = (sender, device.id, name, self._seal.sign(_sealed(found)))
            self._database.connection.execute(
                "INSERT OR REPLACE INTO telegram_senders VALUES (?, ?, ?, ?)", row
            )
        except (OSError, sqlite3.Error) as error:
            self._devices.revoke(device.id)
            raise Unavailable(f"the sender cannot be kept ({error})") from None
        self._senders[sender] = found
        return found

    def _free_name(self, proposed: str) -> str:
        """Return a device's name: the one it was given, made fit, and not used twice."""
        printable = "".join(char if char.isprintable() else " " for char in proposed)
        base = " ".join(printable.split())[: MAX_NAME_CHARS - 6].strip() or UNNAMED
        taken = {device.name for device in self._devices.list()}
        names = [base, *(f"{base} {number}" for number in range(2, len(taken) + 3))]
        return next(name for name in names if name not in taken)

    def _device_gone(self, device: str) -> None:
        for sender, one in list(self._senders.items()):
            if one.device == device:
                del self._senders[sender]
                with suppress(sqlite3.Error):  # of a device that is gone the row is not taken up either
                    self._database.connection.execute(
                        "DELETE FROM telegram_senders WHERE sender = ?", (sender,)
                    )
                self._tell()

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()

    # --- the database ------------------------------------------------------------------

    def _load(self) -> dict[int, ChatSender]:
        known = {device.id for device in self._devices.list() if not device.foreign}
        found: dict[int, ChatSender] = {}
        for sender, device, name, seal in self._rows("telegram_senders"):
            with suppress(TypeError, ValueError):
                one = ChatSender(sender=int(str(sender)), device=str(device), name=str(name))
                if one.device in known and self._seal.fits(_sealed(one), str(seal)):
                    found[one.sender] = one
        return found

    def _load_bot(self) -> tuple[int, str]:
        rows = self._rows("telegram_bot")
        number, name = rows[0] if rows and self._store.kept_in else (0, "")
        return (int(str(number)), str(name)) if _BOT_NAME.fullmatch(str(name)) else (0, "")

    def _keep_bot(self) -> None:
        with suppress(sqlite3.Error):
            self._database.connection.execute("DELETE FROM telegram_bot")
            if self._bot[0]:
                self._database.connection.execute("INSERT INTO telegram_bot VALUES (?, ?)", self._bot)

    def close(self) -> None:
        self._database.close()


def _sealed(one: ChatSender) -> bytes:
    return json.dumps([one.sender, one.device, one.name]).encode()
