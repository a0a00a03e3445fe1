"""What Telegram sends, as the updates of `ports`; what nobody here has a use for becomes None.

Whom Telegram does not vouch for is nobody: bots, and those who write in the name of a group or channel.
What somebody forwards, or has another bot write, are not their words: they say nothing, and answer nothing.
Imports `ports`.

Source: Telegram Bot API documentation, Update, Message, CallbackQuery, ChatMemberUpdated.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType, ValidationError, convert, field

from sayso.channels.telegram.ports import Sender, Tap, Text

WANTED = ("message", "callback_query", "my_chat_member")
"""The types of updates that are asked for."""


class Standing(Struct, frozen=True, kw_only=True):
    """Somebody blocked the bot in their private chat, or no longer does."""

    sender: Sender
    blocked: bool


class _User(Struct):
    id: int
    is_bot: bool = False
    first_name: str = ""
    last_name: str = ""


class _Chat(Struct):
    id: int
    type: str = ""


class _Ref(Struct):
    message_id: int
    chat: _Chat


class _Message(Struct):
    message_id: int
    chat: _Chat
    from_: _User | None = field(name="from", default=None)
    sender_chat: _Chat | UnsetType = UNSET
    forward_origin: object = UNSET
    via_bot: object = UNSET
    text: str = ""
    caption: str = ""
    reply_to_message: _Ref | None = None


class _Query(Struct):
    id: str
    from_: _User = field(name="from")
    message: _Ref | None = None
    data: str = ""


class _Member(Struct):
    status: str = ""


class _Membership(Struct):
    chat: _Chat
    from_: _User = field(name="from")
    new_chat_member: _Member = field(default_factory=_Member)


class _Numbered(Struct):
    update_id: int


class Raw(Struct):
    """An update with what is known of it."""

    update_id: int
    message: _Message | None = None
    callback_query: _Query | None = None
    my_chat_member: _Membership | None = None


def number_of(given: object) -> int | None:
    """Return an update's id; None for what is none."""
    try:
        return convert(given, _Numbered).update_id
    except ValidationError:
        return None


def read(given: object) -> Text | Tap | Standing | None:
    """Return an update; None for one that says nothing here."""
    try:
        raw = convert(given, Raw)
    except ValidationError:
        return None
    if raw.message is not None:
        return _text(raw.message)
    if raw.callback_query is not None:
        return _tap(raw.callback_query)
    if raw.my_chat_member is not None and raw.my_chat_member.chat.type == "private":
        member = raw.my_chat_member
        return Standing(sender=_sender(member.from_), blocked=member.new_chat_member.status == "kicked")
    return None


def _text(message: _Message) -> Text | None:
    sender = message.from_
    if sender is None or sender.is_bot or message.sender_chat is not UNSET:
        return None
    below = message.reply_to_message
    is_own = message.forward_origin is UNSET and message.via_bot is UNSET
    text = (message.text or message.caption) if is_own else ""
    if is_own and not text and below is None:  # a picture, somebody joined: nothing that was said to us
        return None
    return Text(
        chat_id=message.chat.id,
        message_id=message.message_id,
        sender=_sender(sender),
        text=text,
        reply_to_message_id=below.message_id
        if below is not None and below.chat.id == message.chat.id and is_own
        else None,
        private=message.chat.type == "private",
    )


def _tap(query: _Query) -> Tap:
    where = query.message
    return Tap(
        callback_id=query.id,
        chat_id=where.chat.id if where is not None else query.from_.id,
        message_id=where.message_id if where is not None else 0,
        sender=_sender(query.from_),
        data=query.data,
    )


def _sender(user: _User) -> Sender:
    return Sender(user.id, f"{user.first_name} {user.last_name}".strip())
