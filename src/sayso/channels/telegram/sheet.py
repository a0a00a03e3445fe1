"""A request as messages: who asks, all that it would do, in as many parts as it takes, or in a file.

The last part is the card itself: it carries the buttons, and has room for the words of its steps. Not
here: those words (`steps`), sending. Imports `base`, `card`, `replies`, `text` and `wire.views`.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import msgspec

from sayso.channels import card
from sayso.channels.base import Line, agent_name, asker, count, lined, short, summary, what
from sayso.channels.telegram.text import (
    COLUMNS,
    MOST_MARKS,
    MOST_UNITS,
    Message,
    Piece,
    beginning,
    clipped,
    length,
    message,
    pieces_of,
    plain,
    split,
)
from sayso.core.types import Row
from sayso.wire.views import RequestView

STEP_UNITS = 1300
"""Room that is kept on the card for the words of its steps."""
MOST_PARTS = 4
"""What takes more messages comes as a file."""
BEGINNING_UNITS = 1500
"""What is shown of a text that comes as a file."""
GIST_COLUMNS = 200
_LEAD_UNITS = 40
_CUT = Piece("\n⚠ Cut here: not all of these words fit on the card.", "bold")


class File(NamedTuple):
    name: str
    data: bytes
    caption: str


class Sheet(NamedTuple):
    """`parts` come before the card, in this order; `base` is what the card says above its step."""

    parts: tuple[Message | File, ...]
    base: tuple[Piece, ...]


def lay_out(view: RequestView) -> Sheet:
    """Return a request, all rows of which are there whole, as it is sent."""
    lines = card.heading(view, COLUMNS, None), card.body(view, COLUMNS)
    head, body = map(pieces_of, lines)
    marks = sum(1 for piece in (*head, *body) if piece.style)
    if length(head) + length(body) > MOST_PARTS * MOST_UNITS:
        return _filed(view, *lines)
    if length(head) + length(body) <= MOST_UNITS - STEP_UNITS and marks <= MOST_MARKS:
        return Sheet((), (*head, *body))
    parts = split([*head, *body], MOST_UNITS - _LEAD_UNITS)
    *before, last = parts
    parts = [*before, *split(last, MOST_UNITS - STEP_UNITS)]
    if len(parts) > MOST_PARTS:
        return _filed(view, *lines)
    numbered = [_numbered(part, number, len(parts)) for number, part in enumerate(parts, 1)]
    return Sheet(tuple(message(part) for part in numbered[:-1]), tuple(numbered[-1]))


def _numbered(part: list[Piece], number: int, of: int) -> list[Piece]:
    return [Piece(f"Part {number} of {of}\n", "italic"), *part]


def _filed(view: RequestView, heading: list[Line], lines: list[Line]) -> Sheet:
    whole = "".join(f"{line.text}\n" for line in (*heading, *lines))  # its rules mark what is quoted
    head, body = pieces_of(heading), pieces_of(lines)
    name = f"request-{short(view.id)}.txt"
    file = File(name, whole.encode("utf-8", "replace"), f"All of request {short(view.id)}.")
    shown = beginning(body, BEGINNING_UNITS)
    missing = count(len(plain(body)) - len(plain(shown)), "character")
    told = pieces_of(
        lined(
            f"CUT HERE: {missing} more. All of it is in the file {name} above: read it first.",
            COLUMNS,
            style="loud",
        )
    )
    lead = beginning(head, MOST_UNITS - STEP_UNITS - BEGINNING_UNITS - length(told) - 1)
    return Sheet((file,), (*lead, *shown, Piece("\n"), *told))


def gist(view: RequestView) -> str:
    """Return a request on one line, which stays when it is over and the desk has forgotten the rest."""
    return f"{short(view.id)} · {asker(view)} {what(view)}: {summary(view, GIST_COLUMNS)}"


def name_of(view: RequestView) -> str:
    """Return which request it was, without a word that its agent wrote: this is kept on disk."""
    return f"{short(view.id)} · {agent_name(view.agent)} {what(view)}"


def asked(view: RequestView) -> str:
    """Return a digest of what an answer is an answer to: who asks chooses the id, so that says little."""
    agents = view.tool, view.suggestions, view.questions, view.fields, view.modes, view.url
    whole = view.kind, view.session_id, view.input, *agents, view.title, view.choices, view.default
    return hashlib.sha256(msgspec.json.encode([*whole, view.unsafe])).hexdigest()


def with_rows(view: RequestView, rows: dict[int, Row]) -> RequestView:
    """Return a request with rows that were fetched whole."""
    whole = tuple(rows.get(index, row) for index, row in enumerate(view.input))
    return msgspec.structs.replace(view, input=whole)


def whole(base: tuple[Piece, ...], step: list[Line]) -> Message:
    """Return a card: what it asks, and below it the words of its step, shortened where they must be."""
    words = pieces_of(step)
    room = MOST_UNITS - length(base) - 1
    if length(words) > room:
        words = [*beginning(words, room - length([_CUT])), _CUT]
    return message([*base, Piece("\n"), *words])


def ended(base: tuple[Piece, ...], end: str) -> Message:
    """Return a card whose request is over: how it ended stands first; of the rest what fits."""
    first = Piece(clipped(end, MOST_UNITS // 2) + "\n\n", "bold")
    room = MOST_UNITS - first.units
    rest = list(base)
    if length(rest) > room:
        rest = [*beginning(rest, room - 20), Piece("\n[cut here]")]
    return message([first, *rest])
