"""Text that somebody else wrote, made safe and measured for a terminal.

Not here: what a card says (`base`). Whatever passes through `visible` holds no character
that a terminal obeys and none that a reader cannot see. Imports the standard library alone.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST_GAP_CHARS = 40
"""More spaces than this in a row are counted instead of shown."""
MOST_BLANK_LINES = 3
"""More blank lines than this in a row are counted instead of shown."""
MOST_MARKS = 2
"""More combining marks than this on one letter are written out."""
TAB_COLUMNS = 4

_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_SYMBOLS = frozenset({"So", "Sk"})
_MARKS = frozenset({"Mn", "Me"})
_EMOJI_STYLE, _JOINER = "\ufe0f", "\u200d"
_GAP = re.compile(f" {{{LONGEST_GAP_CHARS + 1},}}")


def visible(text: str, *, lines: bool = False) -> str:
    """Return the text with every character that hides, moves or commands written out.

    Args:
        lines: keep newlines and put spaces for tabs; otherwise both are written out, too.
    """
    if lines:
        text = text.replace("\t", " " * TAB_COLUMNS)
    if not (text.isascii() and text.isprintable()):
        text = "\n".join(map(_written_out, text.split("\n"))) if lines else _written_out(text)
    return _GAP.sub(lambda gap: f"⟨{len(gap[0])} spaces⟩", text)


def _written_out(line: str) -> str:
    parts: list[str] = []
    before, marks = "", 0
    for index, char in enumerate(line):
        category = unicodedata.category(char)
        marks = marks + 1 if category in _MARKS else 0
        if char in (_EMOJI_STYLE, _JOINER) and _inside_emoji(before, line[index + 1 : index + 2], char):
            continue  # how a symbol is drawn, nothing else; terminals disagree about its width
        parts.append(_mark(char) if _hides(char, category, before, marks) else char)
        before = char
    return "".join(parts)


def _hides(char: str, category: str, before: str, marks: int) -> bool:
    if char == " ":
        return False
    if category in _MARKS and (
        marks > MOST_MARKS or not before or unicodedata.category(before)[0] not in "LMN"
    ):
        return True  # a mark upon nothing, or a pile of them that covers other lines
    return category in _HIDDEN_CATEGORIES or char in _INVISIBLE_LETTERS or _selects(char)


def _selects(char: str) -> bool:
    """Return whether this is a variation selector: invisible, and free to carry data."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _inside_emoji(before: str, after: str, char: str) -> bool:
    if not before or unicodedata.category(before) not in _SYMBOLS:
        return False
    return char == _EMOJI_STYLE or (after != "" and unicodedata.category(after) in _SYMBOLS)


def _mark(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def turns_direction(text: str) -> bool:
    """Return whether letters in it are written from right to left: a terminal may reorder them."""
    return not text.isascii() and any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def width(text: str) -> int:
    """Return how many columns a visible text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in _MARKS:
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def wrap(line: str, columns: int) -> list[str]:
    """Return a visible line in pieces of at most so many columns; joined they are the line again."""
    columns = max(columns, 2)
    pieces: list[str] = []
    start = 0
    while (end := start + _fitting(line, start, columns)) < len(line):
        space = line.rfind(" ", start, end) + 1
        if (space - start) * 2 > end - start:
            end = space  # after the last space, if that is far enough along
        pieces.append(line[start:end])
        start = end
    return [*pieces, line[start:]]


def _fitting(line: str, start: int, columns: int) -> int:
    """Return how many characters from `start` on fit into the columns."""
    if line.isascii():
        return min(columns, len(line) - start)
    end, used = start, 0
    while end < len(line) and (used := used + _columns(line[end])) <= columns:
        end += 1
    return end - start


def clip(text: str, columns: int) -> str:
    """Return a text of agents on one line, cut to the columns with "…" when it is longer."""
    shown = visible(text)
    if width(shown) <= columns:
        return shown
    return shown[: _fitting(shown, 0, columns - 1)] + "…"


def block(text: str, columns: int) -> list[str]:
    """Return a text of agents as lines behind a rule, so that it cannot pass for words of ours.

    "│" begins a line of the text, "┆" goes on with a line that was too long.
    """
    rows: list[str] = []
    blank = 0
    for line in visible(text, lines=True).split("\n"):
        if not line.strip():
            blank += 1
            continue
        rows += _blanks(blank)
        blank = 0
        first, *rest = wrap(line, columns - 2)
        rows += [f"│ {first}", *(f"┆ {piece}" for piece in rest)]
    return rows + _blanks(blank)


def _blanks(count: int) -> list[str]:
    return [f"│ ⟨{count} blank lines⟩"] if count > MOST_BLANK_LINES else ["│"] * count
