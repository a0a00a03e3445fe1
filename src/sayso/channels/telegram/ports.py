"""What the two halves of the Telegram channel know of each other, and of the desk.

One half sends and receives (`Bot`; it turns what comes into updates and hands them to `Talk`); the other
says what is shown and what a tap means. Not here: anything that does something. Imports `wire`, `core`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from sayso.core.types import Settings
from sayso.wire.chats import KeptCard as KeptCard
from sayso.wire.views import Change

# --- what is sent ----------------------------------------------------------------------


class Entity(Struct, frozen=True):
    """How a part of a text looks: bold, italic, code, pre, blockquote. Offset and length in UTF-16 units."""

    type: str
    offset: int
    length: int


class Button(Struct, frozen=True):
    """A button under a message; `data`, 1 to 64 bytes, comes back with the tap."""

    text: str
    data: str


Keyboard = tuple[tuple[Button, ...], ...]


class Undelivered(Exception):
    """What was to be sent can never be sent, or an edited message is gone; `words` say why to a person."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class Bot(Protocol):
    """The way out. Everything waits for its turn there; what is sent to one chat keeps its order.

    Raises from all but `toast`: Undelivered. A lost network and a rate that is used up are waited for.
    """

    async def send(
        self,
        chat_id: int,
        text: str,
        entities: Sequence[Entity] = (),
        keyboard: Keyboard | None = None,
        reply_to: int | None = None,
        force_reply: bool = False,
        silent: bool = False,
    ) -> int:
        """Send a message; return its id. A `reply_to` that is gone is left out."""
        ...

    async def send_file(
        self, chat_id: int, name: str, data: bytes, caption: str, reply_to: int | None, silent: bool
    ) -> int:
        """Send a file; return the id of its message."""
        ...

    async def edit(
        self,
        chat_id: int,
        message_id: int,
        text: str,
        entities: Sequence[Entity] = (),
        keyboard: Keyboard | None = None,
    ) -> None:
        """Put another text and keyboard (None: no buttons) there.

        Returns, too, when a newer edit of the same message took its place, or nothing was changed by it.
        """
        ...

    async def delete(self, chat_id: int, message_id: int) -> None:
        """Take a message away; returns, too, when it is gone already."""
        ...

    async def toast(self, callback_id: str, text: str = "", alert: bool = False) -> None:
        """Answer a tap: goes before everything else. Too late for it, nothing happens."""
        ...


# --- what comes ------------------------------------------------------------------------


class Sender(Struct, frozen=True):
    """A person, by the id that Telegram vouches for; the name is their own word."""

    id: int
    name: str = ""


class Text(Struct, frozen=True, kw_only=True):
    """A message that somebody wrote to the bot, or in a group where it is. `private`: to it alone."""

    chat_id: int
    message_id: int
    sender: Sender
    text: str
    reply_to_message_id: int | None = None
    private: bool = True


class Tap(Struct, frozen=True, kw_only=True):
    """A button was tapped; `data` may be forged. `message_id` 0: the message is too old to be told."""

    callback_id: str
    chat_id: int
    message_id: int
    sender: Sender
    data: str


class Talk(Protocol):
    """The half that talks with people."""

    async def run(self) -> None:
        """Follow the desk and keep the cards, until cancelled or until the desk's changes end."""
        ...

    async def on_update(self, update: Text | Tap) -> None:
        """Handle an update, of whomever; it is over within moments, sending goes on by itself.

        Pairing comes first: what it takes (a code, a stranger's words) does not come here.
        """
        ...

    def troubles(self) -> list[str]: ...


# --- the desk --------------------------------------------------------------------------


class Chats(Protocol):
    """Who is paired and what is kept of the chats, as the desk knows it. A paired sender's private chat
    has the sender's id."""

    def senders(self) -> Mapping[int, str]:
        """Return the device of each paired sender, by the sender's id."""
        ...

    def watch(self, on_change: Callable[[], None]) -> None:
        """Have `on_change` called when a sender is paired or revoked."""
        ...

    def cards(self) -> Sequence[KeptCard]:
        """Return what was kept, of this run of the desk and of those before."""
        ...

    def keep(self, card: KeptCard) -> None:
        """Keep a card; one of the same chat and message is replaced."""
        ...

    def forget(self, chat_id: int, message_id: int) -> None: ...

    def muted_until(self, sender_id: int) -> float:
        """Return until when (seconds since 1970) a sender wants no sound; 0 for not."""
        ...

    def mute(self, sender_id: int, until_s: float) -> None: ...

    def note(self, title: str, body: str) -> None:
        """Tell the person something by every other channel: a note of the desk's own."""
        ...


class Changes(Protocol):
    """A stream of the desk's changes, a snapshot first; it ends with the desk."""

    async def __anext__(self) -> Change: ...

    def close(self) -> None: ...


class Inside(Protocol):
    """The desk, as this channel needs it. `daemon.inside.Inside` is one, once it has `chats`."""

    @property
    def settings(self) -> Settings: ...

    @property
    def chats(self) -> Chats: ...

    def now(self) -> float:
        """Return the desk's time: monotonic seconds."""
        ...

    def listen(self) -> Changes: ...

    async def call(self, device_id: str, channel: str, method: str, params: dict[str, Any]) -> Any:
        """Carry out what the person of a device wants; `channel` is "telegram".

        Raises:
            SaysoError: of the method; Unauthorized when the device was taken back.
        """
        ...

    def processes(self) -> Mapping[str, str]:
        """Return which process asks, for each request where that is known."""
        ...

    def person_within(self, length_s: float) -> bool:
        """Return whether a channel said within this time that its person is there."""
        ...

    @property
    def has_pushes(self) -> bool:
        """Whether any device wants to be told by push."""
        ...

    def was_pushed(self, request_id: str) -> bool:
        """Whether a push of this request reached a push service."""
        ...

    def reaches(self, watcher: str, reached: bool) -> None:
        """Say whether somebody is reached. The half that receives says it: it knows whether it does."""
        ...
