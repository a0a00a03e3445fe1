"""Users, chats, messages and taps as a Bot API server keeps them, and their shapes on the wire.

Source: Telegram Bot API documentation, User, Chat, Message, InaccessibleMessage, CallbackQuery.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

Params = dict[str, Any]


@dataclass(eq=False)
class User:
    """Somebody, or a bot."""

    id: int
    first_name: str
    username: str = ""
    is_bot: bool = False

    def wire(self) -> Params:
        said: Params = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        return {**said, "username": self.username} if self.username else said


@dataclass(eq=False)
class Chat:
    """A private chat, which has its person's id, or a group. `blocked`: what a bot that writes is told."""

    id: int
    title: str
    blocked: str = ""
    messages: dict[int, Message] = field(default_factory=dict)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def is_private(self) -> bool:
        return self.id > 0

    def next_id(self) -> int:
        return next(self._ids)

    def wire(self) -> Params:
        if self.is_private:
            return {"id": self.id, "first_name": self.title, "type": "private"}
        return {"id": self.id, "title": self.title, "type": "supergroup"}


@dataclass(eq=False)
class Message:
    """A message as it is shown now; `history`: text and keyboard before each edit."""

    chat: Chat
    id: int
    sender: User
    date: int
    text: str = ""
    entities: list[Params] = field(default_factory=list)
    caption: str = ""
    document: bytes | None = None
    reply_to: Message | None = None
    markup: Params | None = None
    is_silent: bool = False
    history: list[tuple[str, Params | None]] = field(default_factory=list)

    @property
    def buttons(self) -> dict[str, str]:
        """The data of each button by what is written on it."""
        rows = (self.markup or {}).get("inline_keyboard", [])
        return {button["text"]: button["callback_data"] for row in rows for button in row}

    def wire(self) -> Params:
        said: Params = {
            "message_id": self.id,
            "from": self.sender.wire(),
            "chat": self.chat.wire(),
            "date": self.date,
        }
        if self.document is None:
            said["text"] = self.text
        else:
            name = getattr(self.document, "name", "")
            said["document"] = {"file_id": f"F{self.id}", "file_unique_id": f"U{self.id}", "file_name": name}
        said.update({"caption": self.caption} if self.caption else {})
        said.update({"entities": self.entities} if self.entities else {})
        if self.reply_to is not None:
            below = {k: v for k, v in self.reply_to.wire().items() if k != "reply_to_message"}
            said["reply_to_message"] = below
        keyboard = (self.markup or {}).get("inline_keyboard")
        return {**said, "reply_markup": {"inline_keyboard": keyboard}} if keyboard else said


@dataclass(eq=False)
class Query:
    """A tap. `answer` None: nobody answered it yet."""

    id: str
    at_s: float
    answer: str | None = None
    is_alert: bool = False
    answered_s: float = 0.0
