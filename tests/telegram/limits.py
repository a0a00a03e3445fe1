"""What Telegram refuses: lengths, counts, rates. Each limit is one that its documentation states.

Where the documentation gives no figure ("short bursts"), ours stands beside it and says so. Not here:
chats, messages, updates (`bot_api`).

Source: Telegram Bot API documentation, sendMessage, sendDocument, InlineKeyboardButton,
answerCallbackQuery, ResponseParameters; Bots FAQ, "My bot is hitting limits".
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any

MAX_TEXT_UNITS = 4096
MAX_CAPTION_UNITS = 1024
MAX_ENTITIES = 100
"""What comes after the first hundred is not shown; nothing refuses it."""
MAX_DATA_BYTES = 64
MAX_ANSWER_CHARS = 200
MAX_BUTTONS = 100
MAX_ROW = 8
MAX_FILE_BYTES = 50 << 20

CHAT_EVERY_S = 1.0
CHAT_BURST = 5
"""The documentation allows "short bursts" and gives no figure; this is ours."""
OVERALL_MOST, OVERALL_S = 30, 1.0
GROUP_MOST, GROUP_S = 20, 60.0

ENTITY_TYPES = frozenset(
    {"bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote"}
    | {"code", "pre", "text_link", "url", "bot_command", "mention", "hashtag", "email", "phone_number"}
)


_LEFT_OUT: dict[int, None] = dict.fromkeys((0x030A, 0x0333, 0x033F))


class Refusal(Exception):
    """An answer that is no success."""

    def __init__(self, code: int, description: str, retry_after: int = 0) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.retry_after = retry_after

    def body(self) -> dict[str, Any]:
        """Return the answer as it is on the wire."""
        said: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        return {**said, "parameters": {"retry_after": self.retry_after}} if self.retry_after else said


def units(text: str) -> int:
    """Return a length as Telegram counts it: UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def checked_text(text: object) -> str:
    """Return the text of a message, as it was sent. Raises: Refusal."""
    if not isinstance(text, str) or not text.translate(_LEFT_OUT).strip():
        raise Refusal(400, "Bad Request: message text is empty")
    if units(text) > MAX_TEXT_UNITS:
        raise Refusal(400, "Bad Request: message is too long")
    return text


def cleaned(text: str, entities: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Return a text as Telegram shows it: without blank ends and without some marks; its entities move along.

    Source: tdlib/td, td/telegram/misc.cpp, clean_input_string; MessageEntity.cpp, fix_formatted_text.
    """
    shown = text.translate(_LEFT_OUT)
    kept, lead = shown.strip(), len(shown) - len(shown.lstrip())
    moved: list[int] = []  # for each unit of the text: how many of the result stand before it
    seen = -lead
    for char in text:
        moved += [min(max(seen, 0), units(kept))] * units(char)
        seen += 0 if ord(char) in _LEFT_OUT else units(char)
    moved.append(min(seen, units(kept)))
    found: list[dict[str, Any]] = []
    for one in entities:
        start, end = moved[one["offset"]], moved[one["offset"] + one["length"]]
        found += [{**one, "offset": start, "length": end - start}] if end > start else []
    return kept, found


def checked_caption(caption: str) -> str:
    if units(caption) > MAX_CAPTION_UNITS:
        raise Refusal(400, "Bad Request: message caption is too long")
    return caption


def checked_entities(given: object, text: str) -> list[dict[str, Any]]:
    """Return the entities that are shown. Raises: Refusal.

    Telegram is milder with one that ends beyond its text; for a test it is a mistake.
    """
    entities: list[dict[str, Any]] = given if isinstance(given, list) else []
    for entity in entities:
        if entity.get("type") not in ENTITY_TYPES:
            raise Refusal(400, f"Bad Request: unsupported entity type {entity.get('type')!r}")
        start, length = int(entity["offset"]), int(entity["length"])
        if start < 0 or length <= 0 or start + length > units(text):
            raise Refusal(400, f"Bad Request: entity at {start} of {length} is not within the text")
    return entities[:MAX_ENTITIES]


def checked_markup(markup: object) -> dict[str, Any] | None:
    """Return a keyboard. Raises: Refusal."""
    if markup is None:
        return None
    if not isinstance(markup, dict):
        raise Refusal(400, "Bad Request: object expected as reply markup")
    rows: list[list[dict[str, Any]]] = markup.get("inline_keyboard", [])
    if sum(map(len, rows)) > MAX_BUTTONS or any(len(row) > MAX_ROW for row in rows):
        raise Refusal(400, "Bad Request: reply markup is too long")
    for button in (button for row in rows for button in row):
        if not str(button.get("text", "")).strip():
            raise Refusal(400, "Bad Request: text buttons are unallowed in the inline keyboard")
        data = button.get("callback_data")
        if not isinstance(data, str) or not 1 <= len(data.encode()) <= MAX_DATA_BYTES:
            raise Refusal(400, "Bad Request: BUTTON_DATA_INVALID")
    return markup


def checked_answer(text: str) -> str:
    if len(text) > MAX_ANSWER_CHARS:
        raise Refusal(400, "Bad Request: MESSAGE_TOO_LONG")
    return text


class Rates:
    """How fast a bot sends. Time is an argument."""

    def __init__(self) -> None:
        self.refused = 0
        self._overall: deque[float] = deque()
        self._groups: dict[int, deque[float]] = {}
        self._left: dict[int, tuple[float, float]] = {}
        self._until: dict[int, float] = {}

    def take(self, chat_id: int, now: float) -> None:
        """Count what goes to a chat. Raises: Refusal, with how long nothing is taken there."""
        wait_s = max(self._until.get(chat_id, 0.0) - now, self._wait(chat_id, now))
        if wait_s > 0:
            self.refused += 1
            whole_s = math.ceil(wait_s)
            self._until[chat_id] = max(self._until.get(chat_id, 0.0), now + whole_s)
            raise Refusal(429, f"Too Many Requests: retry after {whole_s}", whole_s)
        left, _ = self._now_left(chat_id, now)
        self._left[chat_id] = (left - 1, now)
        self._overall.append(now)
        if chat_id < 0:
            self._groups.setdefault(chat_id, deque()).append(now)

    def hold(self, chat_id: int, until: float) -> None:
        """Take nothing for a chat for a time, as Telegram may do for reasons of its own."""
        self._until[chat_id] = until

    def _now_left(self, chat_id: int, now: float) -> tuple[float, float]:
        left, at = self._left.get(chat_id, (float(CHAT_BURST), now))
        return min(CHAT_BURST, left + (now - at) / CHAT_EVERY_S), now

    def _wait(self, chat_id: int, now: float) -> float:
        left, _ = self._now_left(chat_id, now)
        waits = [(1 - left) * CHAT_EVERY_S] if left < 1 - 1e-9 else []
        waits.append(_window(self._overall, OVERALL_MOST, OVERALL_S, now))
        if chat_id < 0:
            waits.append(_window(self._groups.setdefault(chat_id, deque()), GROUP_MOST, GROUP_S, now))
        return max(waits)


def _window(sent: deque[float], most: int, length_s: float, now: float) -> float:
    while sent and now - sent[0] >= length_s:
        sent.popleft()
    return sent[0] + length_s - now if len(sent) >= most else 0.0
