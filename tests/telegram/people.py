"""People at the other end of a Bot API server: they write, tap, forge, and block.

Source: Telegram Bot API documentation, Update, Message, CallbackQuery, ChatMemberUpdated; Bot Features,
Privacy mode.
"""

from __future__ import annotations

import time
from typing import Any

from tests.telegram.bot_api import BotServer
from tests.telegram.chats import Chat, Message, Query, User

BLOCKED = "Forbidden: bot was blocked by the user"


class Person:
    """Somebody with an account, and a private chat with the bot."""

    def __init__(self, server: BotServer, user_id: int, name: str = "Ada") -> None:
        self.server = server
        self.user = User(id=user_id, first_name=name)
        self.id = user_id
        with server.changed:
            self.chat = server.chats.setdefault(user_id, Chat(user_id, name))

    # --- what they do ------------------------------------------------------------------

    def write(self, text: str, chat: Chat | None = None, reply_to: Message | int | None = None) -> Message:
        """Write a message; in a group a bot is told of those alone that are for it."""
        server, where = self.server, chat or self.chat
        with server.changed:
            below = where.messages.get(reply_to) if isinstance(reply_to, int) else reply_to
            message = Message(where, where.next_id(), self.user, int(time.time()), text=text, reply_to=below)
            where.messages[message.id] = message
            if where.is_private or text.startswith("/") or (below is not None and below.sender is server.me):
                server.put("message", message.wire())
            server.changed.notify_all()
        return message

    def tap(self, message: Message, button: str) -> Query:
        """Tap a button by what is written on it, as it is shown now."""
        with self.server.changed:
            assert button in message.buttons, (button, list(message.buttons))
            return self.send_data(message.chat, message.id, message.buttons[button])

    def send_data(self, chat: Chat, message_id: int, data: str) -> Query:
        """Send a tap as a client of one's own making can: any data, of any message."""
        server = self.server
        with server.changed:
            query = Query(str(4_000_000_000 + server.number()), server.clock())
            server.queries[query.id] = query
            known = chat.messages.get(message_id)
            gone = {"chat": chat.wire(), "message_id": message_id, "date": 0}
            what: dict[str, Any] = {
                "id": query.id,
                "from": self.user.wire(),
                "message": known.wire() if known is not None else gone,
                "chat_instance": str(chat.id * 7),
                "data": data,
            }
            server.put("callback_query", what)
        return query

    def block(self, blocked: bool = True) -> None:
        """Block the bot, or no longer."""
        with self.server.changed:
            self.chat.blocked = BLOCKED if blocked else ""
            self.server.put("my_chat_member", self._member("kicked" if blocked else "member"))

    def delete(self, message: Message) -> None:
        """Delete a message; the bot is not told."""
        with self.server.changed:
            message.chat.messages.pop(message.id, None)

    def _member(self, status: str) -> dict[str, Any]:
        me = self.server.me.wire()
        return {
            "chat": self.chat.wire(),
            "from": self.user.wire(),
            "date": int(time.time()),
            "old_chat_member": {"user": me, "status": "kicked" if status == "member" else "member"},
            "new_chat_member": {"user": me, "status": status},
        }

    # --- what they see -----------------------------------------------------------------

    def sees(self) -> list[Message]:
        """Return what the bot shows in the private chat."""
        return self.server.shown(self.id)

    def wait_for(self, count: int) -> list[Message]:
        """Return the bot's messages once there are so many."""
        found: list[Message] = self.server.wait(lambda: len(self.sees()) >= count and self.sees())
        return found

    def wait_text(self, part: str, chat: Chat | None = None) -> Message:
        """Return the newest of the bot's messages that says something, once there is one."""
        chat_id = (chat or self.chat).id

        def found() -> Message | None:
            fitting = (one for one in reversed(self.server.shown(chat_id)) if part in one.text + one.caption)
            return next(fitting, None)

        message: Message = self.server.wait(found)
        return message

    def wait_answer(self, query: Query) -> str:
        """Return what is shown for a tap, once it is answered."""
        self.server.wait(lambda: query.answer is not None)
        return query.answer or ""


def group(server: BotServer, title: str = "Builders", chat_id: int = -1001234567890) -> Chat:
    """Return a group that the bot is in."""
    with server.changed:
        return server.chats.setdefault(chat_id, Chat(chat_id, title))
