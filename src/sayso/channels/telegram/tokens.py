"""What a button carries: a short random word that means something to this run of the desk alone.

Whatever an agent calls a choice, the word has the same few bytes. It is bound to one chat, one message,
one request and one action; it says nothing of them, so none can be made up, and none of an earlier
run of the desk is taken for one of this. Not here: what an action does. Imports the standard library alone.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import NamedTuple

BOOT_BYTES = 4
TOKEN_BYTES = 12
MOST = 20_000
"""With more than these, what is about the oldest is forgotten."""


class Action(NamedTuple):
    """`subject`: the request, or what else the message is about; `name`: what the button does."""

    chat_id: int
    subject: str
    name: str


class Tokens:
    """The words of one run of the desk."""

    def __init__(self) -> None:
        self._boot = secrets.token_hex(BOOT_BYTES)
        self._actions: OrderedDict[str, Action] = OrderedDict()
        self._tokens: dict[tuple[int, str], dict[str, str]] = {}
        self._messages: dict[str, int] = {}

    def give(self, action: Action) -> str:
        """Return the word for an action; the same one each time."""
        known = self._tokens.setdefault(action[:2], {})
        if action.name not in known:
            token = f"{self._boot}.{secrets.token_urlsafe(TOKEN_BYTES)}"
            known[action.name] = token
            self._actions[token] = action
            if len(self._actions) > MOST:
                oldest = next(iter(self._actions.values()))
                self.end(oldest.chat_id, oldest.subject)
        return known[action.name]

    def find(self, token: str, chat_id: int, message_id: int) -> Action | None:
        """Return what a tap means; None where this word was never in that message of that chat.

        The tap may be sooner than we are told which message it was: then it is bound to that one.
        """
        action = self._actions.get(token)
        if action is None or action.chat_id != chat_id:
            return None
        return action if self._messages.setdefault(token, message_id) == message_id else None

    def is_elsewhere(self, token: str, chat_id: int) -> bool:
        """Whether a word counts in another message of this chat: one that was sent twice, as networks do."""
        action = self._actions.get(token)
        return action is not None and action.chat_id == chat_id

    def is_of_earlier(self, token: str) -> bool:
        """Whether a word looks like one of another run."""
        boot, dot, _ = token.partition(".")
        return bool(dot) and boot != self._boot

    def bind(self, chat_id: int, subject: str, message_id: int) -> None:
        """Have every word about something in a chat count in this message alone."""
        for token in self._tokens.get((chat_id, subject), {}).values():
            self._messages[token] = message_id

    def end(self, chat_id: int, subject: str) -> None:
        """Forget every word about something in a chat."""
        for token in self._tokens.pop((chat_id, subject), {}).values():
            del self._actions[token]
            self._messages.pop(token, None)
