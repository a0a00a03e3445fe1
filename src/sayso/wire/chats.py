"""Chats with a bot, as the desk keeps them and its channel uses them. Shapes alone; imports msgspec."""

from __future__ import annotations

from msgspec import Struct


class KeptCard(Struct, frozen=True, kw_only=True):
    """A card in a chat, as it survives a restart of the desk.

    `asked` is a digest of what it asks; `text` what it says once its request is over, before the end
    (no word that its agent wrote).
    """

    chat_id: int
    message_id: int
    request_id: str
    asked: str
    text: str


class BotState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a bot fares. `state`: off, connecting, well, trouble; `words`: what is wrong.

    `reached_at`: when it last received something or was told that there is nothing; `heard_at`: when
    somebody last wrote or tapped. Seconds since 1970, 0 for never.
    """

    state: str = "off"
    words: str = ""
    reached_at: float = 0.0
    heard_at: float = 0.0


class ChatSender(Struct, frozen=True, kw_only=True):
    """Somebody who was paired: the id that Telegram vouches for, and the device that they are here."""

    sender: int
    device: str
    name: str


class BotInfo(Struct, frozen=True, kw_only=True):
    """The bot and those who may answer through it. `bot`: its name, "" while there is none.

    `kept_in`: where its token is: keyring, file, or "". `api`: the address of the Bot API.
    """

    bot: str
    kept_in: str
    api: str
    senders: tuple[ChatSender, ...] = ()
    health: BotState = BotState()


class OpenedChat(Struct, frozen=True, kw_only=True):
    """A code that waits to be typed to the bot. `link` opens the chat with it."""

    id: str
    code: str
    bot: str
    link: str
    expires_s: float


class ChatPaired(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a code: `state` is used, with who it was, or closed."""

    state: str
    name: str = ""
    sender: int = 0
