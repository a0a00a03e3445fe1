"""From the bytes of a terminal to keys, pastes and reports of focus.

A paste that the terminal marks is one event, never keys. Sequences that are not known are
swallowed whole, so that no part of them counts as a key. Sans-IO. Imports codecs alone.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import NamedTuple

PASTED_KEYS = 4
"""So many different keys at once, where single keys are expected, were pasted by a terminal
that does not mark it."""
_PASTE_BEGIN, _PASTE_END = "\x1b[200~", "\x1b[201~"
_NAMES = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\x1b[H": "home",
    "\x1b[F": "end",
    "\x1bOH": "home",
    "\x1bOF": "end",
    "\x1b[1~": "home",
    "\x1b[4~": "end",
    "\x1b[3~": "delete",
    "\x1b[5~": "page-up",
    "\x1b[6~": "page-down",
}


class Key(NamedTuple):
    """A key: the character it types, or a name of at least two letters."""

    name: str


class Paste(NamedTuple):
    text: str


class Focus(NamedTuple):
    """The terminal says whether a person looks at it."""

    here: bool


Typed = Key | Paste | Focus


class Decoder:
    """Takes bytes as they come, in any pieces."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def waits(self) -> bool:
        """Whether what came last may be the beginning of more; see `flush`."""
        return bool(self._rest) and not self._rest.startswith(_PASTE_BEGIN)

    def feed(self, data: bytes) -> list[Typed]:
        """Return what the bytes complete."""
        self._rest += self._utf8.decode(data)
        found: list[Typed] = []
        while self._rest:
            used, typed = self._next(self._rest)
            if not used:
                break
            self._rest = self._rest[used:]
            if typed is not None:
                found.append(typed)
        return found

    def flush(self) -> list[Typed]:
        """Return what a pause ends: a lone escape is the key of that name."""
        if not self.waits:
            return []
        rest, self._rest = self._rest, ""
        return [Key("escape")] if rest == "\x1b" else []

    def _next(self, text: str) -> tuple[int, Typed | None]:
        """Return how many characters are used up, and what they are; (0, None) waits for more."""
        if text.startswith(_PASTE_BEGIN):
            end = text.find(_PASTE_END)
            return (0, None) if end < 0 else (end + len(_PASTE_END), Paste(text[len(_PASTE_BEGIN) : end]))
        if text[0] == "\x1b":
            return self._escape(text)
        return 1, _plain(text[0])

    def _escape(self, text: str) -> tuple[int, Typed | None]:
        length = _sequence_length(text)
        if not length:
            return 0, None
        sequence = text[:length]
        if sequence in ("\x1b[I", "\x1b[O"):
            return length, Focus(sequence == "\x1b[I")
        name = _NAMES.get(sequence)
        return length, Key(name) if name else None


def _plain(char: str) -> Key | None:
    if char in _NAMES:
        return Key(_NAMES[char])
    if char < " ":
        return Key(f"ctrl-{chr(ord(char) + 96)}") if "\x01" <= char <= "\x1a" else None
    return Key(char) if char.isprintable() else None


def _sequence_length(text: str) -> int:
    """Return how long the escape sequence at the beginning is; 0 while it is not complete."""
    if len(text) < 2:
        return 0
    if text[1] == "\x1b":
        return 1 if len(text) > 2 else 0  # an escape before another sequence
    if text[1] == "O":
        return 3 if len(text) > 2 else 0
    if text[1] != "[":
        return 2
    for index in range(2, len(text)):
        if "@" <= text[index] <= "~":
            return index + 1
    return 0


def looks_pasted(typed: Sequence[Typed]) -> bool:
    """Return whether what came at once is more than a person types: other keys than one held down."""
    names = [each.name for each in typed if isinstance(each, Key)]
    return len(names) >= PASTED_KEYS and len(set(names)) > 1


def pasted_text(typed: Sequence[Typed]) -> str:
    """Return the characters of keys that turned out to be a paste."""
    return "".join(each.name for each in typed if isinstance(each, Key) and len(each.name) == 1)
