"""Text as Telegram counts and marks it: UTF-16 units, entities beside it, in pieces that fit a message.

Marks are entities and never markup, so nothing that an agent wrote has to be escaped, and nothing of it
is cut without a word. A quotation (lines behind a rule, as channels of plain text show an agent's words)
becomes a block of its own. Not here: what is said. Imports `base`, `ports`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sayso.channels.base import Line
from sayso.channels.telegram.ports import Entity

COLUMNS = 4000
"""As wide as lines are laid out here: the program that shows them wraps them."""
MOST_UNITS = 4096
"""What a message holds."""
MOST_ENTITIES = 100
MOST_MARKS = 80
"""Of these, for what is asked: what Telegram leaves unmarked could pass for words of ours."""
MOST_TOAST_CHARS = 200
MOST_BUTTON_UNITS = 48
"""A button shows one line; a phone has no room for more."""
_STYLES = {"strong": "bold", "loud": "bold", "faint": "italic"}
_LOUD = "⚠ "
_PRE = "pre"
_RULE, _WRAPPED = "│", "┆"
_TAKEN_AWAY = {code: f"⟨U+{code:04X}⟩" for code in (0x030A, 0x0333, 0x033F)}
"""Marks that Telegram leaves out of every message, so they are written out. Source: tdlib/td,
td/telegram/misc.cpp, clean_input_string; what else it leaves out is written out anyway."""


class Piece(NamedTuple):
    """A part of a text in one style: "", bold, italic or pre."""

    text: str
    style: str = ""

    @property
    def units(self) -> int:
        return units(self.text)


class Message(NamedTuple):
    """A text as it is sent."""

    text: str
    entities: tuple[Entity, ...] = ()


def units(text: str) -> int:
    """Return how long Telegram says that a text is."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def length(pieces: Iterable[Piece]) -> int:
    return sum(piece.units for piece in pieces)


def clipped(text: str, most_units: int) -> str:
    """Return a text that fits, with "…" where something is left out."""
    if units(text) <= most_units:
        return text
    return text[: _fitting(text, most_units - 1)] + "…"


def toast(text: str) -> str:
    """Return words that fit above the chat."""
    return clipped(text, MOST_TOAST_CHARS)


# --- from lines ------------------------------------------------------------------------


def pieces_of(lines: Iterable[Line]) -> list[Piece]:
    """Return lines as pieces, each with the newline after it; neighbours of one style are one piece."""
    pieces: list[Piece] = []
    for line in lines:
        piece = _piece(line)
        if pieces and piece.style == _PRE == pieces[-1].style:
            between = "" if line.text.lstrip().startswith(_WRAPPED) else "\n"
            pieces[-1] = Piece(pieces[-1].text + between + piece.text, _PRE)
        elif pieces and piece.style == pieces[-1].style:
            pieces[-1] = Piece(pieces[-1].text + piece.text, piece.style)
        else:
            pieces.append(piece)
    return _closed(pieces)


def _piece(line: Line) -> Piece:
    text = line.text if line.text.isascii() else line.text.translate(_TAKEN_AWAY)
    quoted = text.lstrip()
    if quoted[:1] in (_RULE, _WRAPPED):
        return Piece(quoted[2:], _PRE)
    if not text.strip():
        return Piece("\n")
    mark = _LOUD if line.style == "loud" else ""
    return Piece(f"{mark}{text}\n", _STYLES.get(line.style, ""))


def _closed(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces with a newline after each block, outside of it; two blocks never touch."""
    closed: list[Piece] = []
    for piece in pieces:
        closed.append(piece)
        if piece.style == _PRE:
            closed.append(Piece("\n"))
    return closed


# --- to messages -----------------------------------------------------------------------


def message(pieces: Iterable[Piece]) -> Message:
    """Return pieces that fit as a message: without blank ends, which Telegram takes away, too."""
    kept = _trimmed([piece for piece in pieces if piece.text])
    offset = 0
    entities: list[Entity] = []
    for piece in kept:
        marked = piece.text.rstrip("\n") if piece.style != _PRE else piece.text
        if piece.style and marked.strip():
            entities.append(Entity(piece.style, offset, units(marked)))
        offset += piece.units
    return Message("".join(piece.text for piece in kept), tuple(entities[:MOST_ENTITIES]))


def _trimmed(pieces: list[Piece]) -> list[Piece]:
    while pieces and not pieces[-1].text.strip():
        pieces.pop()
    while pieces and not pieces[0].text.strip():
        pieces.pop(0)
    if pieces:
        pieces[-1] = Piece(pieces[-1].text.rstrip(), pieces[-1].style)
        pieces[0] = Piece(pieces[0].text.lstrip(), pieces[0].style)
    return pieces


def split(pieces: Iterable[Piece], most_units: int) -> list[list[Piece]]:
    """Return pieces in as few parts as hold so many units and entities; nothing is left out."""
    parts: list[list[Piece]] = [[]]
    left = most_units
    for piece in pieces:
        rest = piece
        while rest.text:
            if sum(1 for one in parts[-1] if one.style) >= MOST_MARKS:
                parts.append([])
                left = most_units
            end = _end(rest.text, left, most_units)
            if end:
                parts[-1].append(Piece(rest.text[:end], rest.style))
                left -= units(rest.text[:end])
            rest = Piece(rest.text[end:], rest.style)
            if rest.text:
                parts.append([])
                left = most_units
    return [part for part in parts if part]


def _end(text: str, left: int, most_units: int) -> int:
    """Return how much of a text goes here: all, whole lines, or nothing where a new part has more room."""
    if units(text) <= left:
        return len(text)
    end = _fitting(text, left)
    newline = text.rfind("\n", 0, end) + 1
    if newline:
        return newline
    return 0 if left < most_units and units(text.partition("\n")[0]) <= most_units else end


def _fitting(text: str, most_units: int) -> int:
    """Return how many characters fit."""
    if text.isascii():
        return min(len(text), max(most_units, 0))
    used = 0
    for index, char in enumerate(text):
        used += 2 if ord(char) > 0xFFFF else 1
        if used > most_units:
            return index
    return len(text)


def beginning(pieces: Iterable[Piece], most_units: int) -> list[Piece]:
    """Return as much as fits, whole lines where that is possible."""
    kept: list[Piece] = []
    left = most_units
    for piece in pieces:
        end = _fitting(piece.text, left)
        if end < len(piece.text):
            end = piece.text.rfind("\n", 0, end) + 1 or end
            return [*kept, Piece(piece.text[:end], piece.style)] if end else kept
        kept.append(piece)
        left -= piece.units
    return kept


def plain(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)
