"""A Bot API server on the loopback, and what a person does at its other end.

Faithful in what a bot can notice: results, refusals and their words, rates, the queue of updates. It
serves one bot, from threads, so tests may be of either kind: each method for tests returns at once, but
`wait`. Not here: what is refused for its size or rate (`limits`), HTTP (`http`), people (`people`).

Source: Telegram Bot API documentation, Getting updates, Available methods, Updating messages; and for
the words of refusals telegram-bot-api's own source (tdlib/telegram-bot-api, Client.cpp).
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.telegram.chats import Chat, Message, Query, User
from tests.telegram.http import WAIT_S, Dropped, Params, serving
from tests.telegram.limits import (
    MAX_FILE_BYTES,
    Rates,
    Refusal,
    checked_answer,
    checked_caption,
    checked_entities,
    checked_markup,
    checked_text,
    cleaned,
)

TOKEN = f"{4_200_000_000 + os.getpid()}:AAF-this-is-the-token-of-no-bot-0000000"
"""Each run of tests has a bot of its own: desks of one computer wait for each other where it is the same."""
KEPT_S = 24 * 3600.0
QUERY_S = 15.0
"""How long a tap may be answered. The documentation gives no figure; this is ours."""
LONGEST_POLL_S = 50
MAX_LIMIT = 100
CONFLICT = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook "
    "first"
)
TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"
NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the "
    "same as a current content and reply markup of the message"
)
USUAL_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member")


class Call(NamedTuple):
    """A call as it came; `at_s` on the server's clock."""

    method: str
    params: Params
    at_s: float


class BotServer:
    """One bot's server.

    Args:
        clock: seconds; rates and lifetimes go by it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, token: str = TOKEN) -> None:
        self.token = token
        self.me = User(
            id=int(token.partition(":")[0]), first_name="sayso", username="sayso_test_bot", is_bot=True
        )
        self.port = 0
        self.changed = threading.Condition(threading.RLock())
        self.clock = clock
        self.rates = Rates()
        self.calls: list[Call] = []
        self.chats: dict[int, Chat] = {}
        self.queries: dict[str, Query] = {}
        self.commands: list[dict[str, str]] = []
        self.webhook = ""
        self.faults: list[tuple[str, Exception, bool]] = []
        self.is_offline = False
        self.ends = False
        self._updates: list[tuple[Params, float]] = []
        self._history: dict[int, Params] = {}
        self._allowed: tuple[str, ...] = USUAL_UPDATES
        self._next_update = random.randint(10_000, 900_000_000)
        self._poll = 0
        self._numbers = 0

    @property
    def url(self) -> str:
        """Where the server is, as a bot is told."""
        return f"http://127.0.0.1:{self.port}"

    # --- for tests ---------------------------------------------------------------------

    def wait(self, until: Callable[[], Any], timeout_s: float = WAIT_S) -> Any:
        """Return what a function returns once that is something. Raises: AssertionError, after a time."""
        with self.changed:
            found = self.changed.wait_for(until, timeout_s)
        assert found, f"it did not come to that within {timeout_s:.0f} s: {self.calls[-3:]}"
        return found

    def called(self, method: str) -> list[Call]:
        """Return the calls of a method so far."""
        with self.changed:
            return [call for call in self.calls if call.method == method]

    def shown(self, chat_id: int) -> list[Message]:
        """Return the bot's messages in a chat, oldest first, as they are now."""
        with self.changed:
            chat = self.chats.get(chat_id)
            return [one for one in chat.messages.values() if one.sender is self.me] if chat else []

    def fail_next(self, method: str, error: Exception | None = None, done: bool = False) -> None:
        """Have the next call of a method fail; dropped without an answer unless an error is given.

        Args:
            done: what the call wants is carried out all the same.
        """
        with self.changed:
            self.faults.append((method, error or Dropped(), done))

    def offline(self, is_offline: bool) -> None:
        """Have every connection end without an answer, those that wait, too."""
        with self.changed:
            self.is_offline = is_offline
            self.changed.notify_all()

    def put(self, kind: str, what: Params) -> int:
        """Queue an update; return its id. Ids are taken up by chance after a week without any."""
        with self.changed:
            now = self.clock()
            if self._updates and now - self._updates[-1][1] > 7 * KEPT_S:
                self._next_update = random.randint(10_000, 900_000_000)
            number = self._next_update
            self._next_update += 1
            self._history[number] = {kind: what}
            if kind in self._allowed:
                self._updates.append(({"update_id": number, kind: what}, now))
            self.changed.notify_all()
            return number

    def repeat(self, number: int) -> None:
        """Queue an update again that was confirmed, as if that had not arrived. Raises: KeyError."""
        with self.changed:
            self._updates.append(({"update_id": number, **self._history[number]}, self.clock()))
            self.changed.notify_all()

    def jump(self, to: int) -> None:
        """Go on with another update id, as after a week without updates."""
        with self.changed:
            self._updates.clear()
            self._next_update = to

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    # --- the wire ----------------------------------------------------------------------

    def serve(self, token: str, method: str, params: Params) -> Any:
        """Carry out a call. Raises: Refusal, Dropped."""
        with self.changed:
            if self.is_offline:
                raise Dropped
            self.calls.append(Call(method, params, self.clock()))
            self.changed.notify_all()
            if token != self.token:
                raise Refusal(401, "Unauthorized") if ":" in token else Refusal(404, "Not Found")
            fault = next((one for one in self.faults if one[0] == method), None)
            if fault is not None:
                self.faults.remove(fault)
                if fault[2]:
                    self._do(method, params)
                raise fault[1]
            return self._do(method, params)

    def _do(self, method: str, params: Params) -> Any:
        do = _METHODS.get(method.lower())
        if do is None:
            raise Refusal(404, "Not Found")
        result = do(self, params)
        self.changed.notify_all()
        return result

    # --- updates -----------------------------------------------------------------------

    def get_updates(self, params: Params) -> list[Params]:
        if self.webhook:
            raise Refusal(409, WEBHOOK)
        offset, limit = int(params.get("offset", 0)), int(params.get("limit", MAX_LIMIT))
        timeout_s = min(max(int(params.get("timeout", 0)), 0), LONGEST_POLL_S)
        if "allowed_updates" in params:
            self._allowed = tuple(params["allowed_updates"]) or USUAL_UPDATES
        self._confirm(offset)
        if timeout_s and not self._updates:  # a short poll, or one that is answered at once, ends nobody's
            self._poll += 1
        number = self._poll
        self.changed.notify_all()
        until = time.monotonic() + timeout_s
        while not self._updates and not self.webhook and not self.ends and not self.is_offline:
            if number != self._poll:
                raise Refusal(409, CONFLICT)
            left_s = until - time.monotonic()
            if left_s <= 0 or not self.changed.wait(left_s):
                break
        if self.ends or self.is_offline:
            raise Dropped
        if self.webhook:
            raise Refusal(409, "Conflict: terminated by setWebhook request")
        if number != self._poll:
            raise Refusal(409, CONFLICT)
        return [update for update, _ in self._updates[: min(max(limit, 1), MAX_LIMIT)]]

    def _confirm(self, offset: int) -> None:
        """Forget what was received; an offset that lies in the future says nothing."""
        old = self.clock() - KEPT_S
        self._updates = [one for one in self._updates if one[1] > old]
        if offset < 0:
            self._updates = self._updates[offset:]
        elif 0 < offset <= self._next_update + 10:
            self._updates = [one for one in self._updates if one[0]["update_id"] >= offset]

    # --- messages ----------------------------------------------------------------------

    def send_message(self, params: Params) -> Params:
        text = checked_text(params.get("text"))
        text, entities = cleaned(text, checked_entities(params.get("entities"), text))
        return self._post(params, text=text, entities=entities)

    def send_document(self, params: Params) -> Params:
        document = params.get("document")
        if not isinstance(document, bytes) or not document:
            raise Refusal(400, "Bad Request: there is no document in the request")
        if len(document) > MAX_FILE_BYTES:
            raise Refusal(413, "Request Entity Too Large")
        caption = checked_caption(str(params.get("caption", "")))
        return self._post(params, caption=caption, document=document)

    def _post(self, params: Params, **content: Any) -> Params:
        markup = checked_markup(params.get("reply_markup"))
        chat = self._chat(params)
        reply_to = self._reply_to(chat, params.get("reply_parameters"))
        self.rates.take(chat.id, self.clock())
        message = Message(
            chat, chat.next_id(), self.me, int(time.time()), reply_to=reply_to, markup=markup, **content
        )
        message.is_silent = params.get("disable_notification") in (True, "true")
        chat.messages[message.id] = message
        return message.wire()

    def _reply_to(self, chat: Chat, given: Params | None) -> Message | None:
        if not given:
            return None
        found = chat.messages.get(int(given["message_id"]))
        if found is None and not given.get("allow_sending_without_reply"):
            raise Refusal(400, "Bad Request: message to be replied not found")
        return found

    def _chat(self, params: Params) -> Chat:
        chat = self.chats.get(int(params.get("chat_id", 0)))
        if chat is None:
            raise Refusal(400, "Bad Request: chat not found")
        if chat.blocked:
            raise Refusal(403, chat.blocked)
        return chat

    def edit_text(self, params: Params) -> Params:
        text = checked_text(params.get("text"))
        text, entities = cleaned(text, checked_entities(params.get("entities"), text))
        message, markup = self._edited(params)
        if message.document is not None:
            raise Refusal(400, "Bad Request: there is no text in the message to edit")
        return self._change(message, text=text, entities=entities, markup=markup)

    def edit_markup(self, params: Params) -> Params:
        message, markup = self._edited(params)
        return self._change(message, text=message.text, entities=message.entities, markup=markup)

    def delete_message(self, params: Params) -> bool:
        chat = self._chat(params)
        message = chat.messages.get(int(params.get("message_id", 0)))
        if message is None:
            raise Refusal(400, "Bad Request: message to delete not found")
        if message.sender is not self.me and chat.id < 0:
            raise Refusal(400, "Bad Request: message can't be deleted")
        self.rates.take(chat.id, self.clock())
        del chat.messages[message.id]
        return True

    def _edited(self, params: Params) -> tuple[Message, Params | None]:
        markup = checked_markup(params.get("reply_markup"))
        chat = self._chat(params)
        message = chat.messages.get(int(params.get("message_id", 0)))
        if message is None:
            raise Refusal(400, "Bad Request: message to edit not found")
        if message.sender is not self.me or "force_reply" in (message.markup or {}):
            raise Refusal(400, "Bad Request: message can't be edited")
        self.rates.take(chat.id, self.clock())
        return message, markup

    def _change(self, message: Message, text: str, entities: list[Params], markup: Params | None) -> Params:
        markup = markup if markup and markup.get("inline_keyboard") else None
        if (text, entities, markup) == (message.text, message.entities, message.markup):
            raise Refusal(400, NOT_MODIFIED)
        message.history.append((message.text, message.markup))
        message.text, message.entities, message.markup = text, entities, markup
        return message.wire()

    def answer_query(self, params: Params) -> bool:
        text = checked_answer(str(params.get("text", "")))
        query = self.queries.get(str(params.get("callback_query_id")))
        if query is None or query.answer is not None or self.clock() - query.at_s > QUERY_S:
            raise Refusal(400, TOO_OLD)
        query.answer = text
        query.is_alert = bool(params.get("show_alert"))
        query.answered_s = self.clock()
        return True

    # --- the bot -----------------------------------------------------------------------

    def get_me(self, _params: Params) -> Params:
        more = {
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
        }
        return {**self.me.wire(), **more}

    def get_webhook(self, _params: Params) -> Params:
        pending = len(self._updates)
        return {"url": self.webhook, "has_custom_certificate": False, "pending_update_count": pending}

    def delete_webhook(self, params: Params) -> bool:
        self.webhook = ""
        if params.get("drop_pending_updates"):
            self._updates.clear()
        return True

    def get_commands(self, _params: Params) -> list[dict[str, str]]:
        return self.commands

    def set_commands(self, params: Params) -> bool:
        self.commands = params["commands"]
        return True


_METHODS: dict[str, Callable[[BotServer, Params], Any]] = {
    "getme": BotServer.get_me,
    "getupdates": BotServer.get_updates,
    "sendmessage": BotServer.send_message,
    "senddocument": BotServer.send_document,
    "editmessagetext": BotServer.edit_text,
    "deletemessage": BotServer.delete_message,
    "editmessagereplymarkup": BotServer.edit_markup,
    "answercallbackquery": BotServer.answer_query,
    "getwebhookinfo": BotServer.get_webhook,
    "deletewebhook": BotServer.delete_webhook,
    "getmycommands": BotServer.get_commands,
    "setmycommands": BotServer.set_commands,
}


@contextmanager
def served(clock: Callable[[], float] = time.monotonic, port: int = 0) -> Generator[BotServer]:
    """A bot's server that runs until the block ends."""
    server = BotServer(clock)
    with serving(server.serve, port) as server.port:
        try:
            yield server
        finally:
            with server.changed:
                server.ends = True
                server.changed.notify_all()
