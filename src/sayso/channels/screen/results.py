"""What a key may make of a step, beside the next step; and how what is typed is shown.

Imports `base`, `editor` and `replies`.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.channels.base import Line, lined
from sayso.channels.replies import Reply
from sayso.channels.screen.editor import Editor


class Answered(NamedTuple):
    reply: Reply


class Worded(NamedTuple):
    """Words for one question: the answer itself, or a note beside it."""

    place: int
    text: str
    notes: bool


class Accepted(NamedTuple):
    """The person takes a request although a part of it cannot be shown."""


class Closed(NamedTuple):
    """Nothing is answered."""


def edited(words: str, editor: Editor, columns: int) -> list[Line]:
    """Return the line that is being typed, below what it is for."""
    return [
        *lined(words, columns, style="strong"),
        *(Line(f"> {piece}") for piece in editor.shown(columns - 2)),
    ]
