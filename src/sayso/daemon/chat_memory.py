"""What is kept of chats beyond one run of the desk: cards, who wants no sound, updates that were handled.

Where it cannot be kept, it is so until the desk ends: a card that is forgotten is a button that says so.
Not here: who is paired (`chats`). Imports `wire`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from sayso.wire.chats import KeptCard

MOST_CARDS = 2000
MOST_UPDATES = 1000
TABLES = (
    """CREATE TABLE IF NOT EXISTS telegram_cards (
        chat INTEGER, message INTEGER, card TEXT NOT NULL, PRIMARY KEY (chat, message)
    )""",
    "CREATE TABLE IF NOT EXISTS telegram_mutes (sender INTEGER PRIMARY KEY, until REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS telegram_updates (id INTEGER PRIMARY KEY, at REAL NOT NULL)",
)


class ChatMemory:
    """The tables, and what they hold in memory. `wall`: seconds since 1970."""

    def __init__(self, connection: sqlite3.Connection, wall: Callable[[], float] = time.time) -> None:
        self._connection = connection
        self._wall = wall
        for table in TABLES:
            self._write(table)
        self._cards = self._load_cards()
        self._mutes = self._numbers("telegram_mutes")
        self._updates = self._numbers("telegram_updates ORDER BY at, id")

    # --- cards -------------------------------------------------------------------------

    def cards(self) -> tuple[KeptCard, ...]:
        """Return what was kept, oldest first."""
        return tuple(self._cards.values())

    def keep(self, card: KeptCard) -> None:
        """Keep a card; one of the same chat and message is replaced."""
        self._cards[card.chat_id, card.message_id] = card
        row = (card.chat_id, card.message_id, msgspec.json.encode(card).decode())
        self._write("INSERT OR REPLACE INTO telegram_cards VALUES (?, ?, ?)", *row)
        while len(self._cards) > MOST_CARDS:
            self.forget(*next(iter(self._cards)))

    def forget(self, chat_id: int, message_id: int) -> None:
        self._cards.pop((chat_id, message_id), None)
        self._write("DELETE FROM telegram_cards WHERE chat = ? AND message = ?", chat_id, message_id)

    def _load_cards(self) -> dict[tuple[int, int], KeptCard]:
        found: dict[tuple[int, int], KeptCard] = {}
        for chat, message, text in self._rows("telegram_cards ORDER BY rowid"):
            with suppress(msgspec.DecodeError):
                card = msgspec.json.decode(str(text), type=KeptCard)
                if (card.chat_id, card.message_id) == (chat, message):
                    found[card.chat_id, card.message_id] = card
        return found

    # --- sound -------------------------------------------------------------------------

    def muted_until(self, sender_id: int) -> float:
        """Return until when (seconds since 1970) a sender wants no sound; 0 for not."""
        until = self._mutes.get(sender_id, 0.0)
        return until if until > self._wall() else 0.0

    def mute(self, sender_id: int, until_s: float) -> None:
        self._mutes[sender_id] = until_s
        self._write("INSERT OR REPLACE INTO telegram_mutes VALUES (?, ?)", sender_id, until_s)

    # --- updates -----------------------------------------------------------------------

    def last_update(self) -> tuple[int, float] | None:
        """Return the update that was handled last, and when (seconds since 1970)."""
        return next(reversed(self._updates.items()), None)

    def is_done(self, number: int) -> bool:
        return number in self._updates

    def done(self, number: int) -> None:
        """Note that an update was handled: it is not handled again, whoever repeats it."""
        self._updates.pop(number, None)
        self._updates[number] = self._wall()
        self._write("INSERT OR REPLACE INTO telegram_updates VALUES (?, ?)", number, self._updates[number])
        while len(self._updates) > MOST_UPDATES:
            oldest = next(iter(self._updates))
            del self._updates[oldest]
            self._write("DELETE FROM telegram_updates WHERE id = ?", oldest)

    # --- the database ------------------------------------------------------------------

    def clear(self) -> None:
        """Forget all of it: it was of another bot."""
        self._cards.clear()
        self._mutes.clear()
        self._updates.clear()
        for table in ("telegram_cards", "telegram_mutes", "telegram_updates"):
            self._write(f"DELETE FROM {table}")

    def _numbers(self, table: str) -> dict[int, float]:
        found: dict[int, float] = {}
        for number, value in self._rows(table):
            with suppress(TypeError, ValueError):
                found[int(number)] = float(value)
        return found

    def _rows(self, table: str) -> list[tuple[Any, ...]]:
        with suppress(sqlite3.Error):
            return self._connection.execute(f"SELECT * FROM {table}").fetchall()
        return []

    def _write(self, statement: str, *values: object) -> None:
        with suppress(sqlite3.Error, OverflowError):  # an id that fits in no table is no id of Telegram's
            self._connection.execute(statement, values)
