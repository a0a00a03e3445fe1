"""What the screen asks a person before a program that asked itself is answered: which choice, what
text, and a command once more before it runs.

Frozen values as in `steps`, which knows them all. Imports `base`, `direct`, `editor`, `results`,
`values`, `core`, `errors` and `wire.views`.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.channels.base import DESTRUCTIVE, Line, lined
from sayso.channels.direct import choice_words
from sayso.channels.screen.editor import CURSOR, Editor
from sayso.channels.screen.results import Answered, Closed, edited
from sayso.channels.values import stepped, valued
from sayso.core.direct import RUN
from sayso.errors import BadReply
from sayso.wire.views import RequestView

_MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}


class Choose(NamedTuple):
    """The number of a choice, which Enter confirms."""

    digits: str

    def key(self, name: str, view: RequestView) -> Choose | Answered | Closed:
        number, of = int(self.digits or "0"), len(view.choices)
        if name == "enter":
            if not 1 <= number <= of:
                raise BadReply(f"there is no choice {number}", "value")
            return Answered(valued(view.choices[number - 1].value))
        if len(name) == 1 and name.isascii() and name.isdigit():
            return Choose((self.digits + name)[-len(str(of)) :])
        if name in _MOVES:
            return Choose(str(max(1, min(number + _MOVES[name], of))))
        if name == "backspace" and len(self.digits) > 1:
            return Choose(self.digits[:-1])
        return Closed()

    def lines(self, view: RequestView, columns: int) -> list[Line]:
        number = int(self.digits)
        if not 1 <= number <= len(view.choices):
            return lined(f"There is no choice {self.digits}. Any other key goes back.", columns)
        words = "Enter answers it; a number, j or k choose another; any other key goes back."
        return [
            *lined("The answer:", columns, style="strong"),
            *lined(f"{number}  {choice_words(view, number)}", columns, "  "),
            *lined(words, columns),
        ]


class Text(NamedTuple):
    """The text that a program asked for."""

    editor: Editor

    def key(self, name: str, _view: RequestView) -> Text | Blank | Answered | Closed:
        if name == "escape":
            return Closed()
        if name == "enter":
            text = self.editor.text
            return Answered(valued(text)) if text.strip() else Blank(text)
        return Text(self.editor.key(name))

    def lines(self, _view: RequestView, columns: int) -> list[Line]:
        return edited("Your text. Enter answers with it, Esc goes back.", self.editor, columns)


class Blank(NamedTuple):
    """A text of which nothing can be seen is an answer, but not by accident."""

    text: str

    def key(self, name: str, _view: RequestView) -> Text | Answered:
        return Answered(valued(self.text)) if name == "e" else Text(Editor.of(self.text))

    def lines(self, _view: RequestView, columns: int) -> list[Line]:
        words = "only blanks" if self.text else "an empty text"
        return [
            *lined(f"The answer is {words}.", columns, style="loud"),
            *lined("e answers with it; any other key goes back.", columns),
        ]


class Run(NamedTuple):
    """The second step of a command: its word, typed out. No single key runs it, and Enter none."""

    typed: str = ""

    def key(self, name: str, _view: RequestView) -> Run | Answered | Closed:
        if name == "escape":
            return Closed()
        if name == "enter":
            raise BadReply("Enter runs nothing: type the word run, or Esc goes back", "step")
        if name == "backspace":
            return Run(self.typed[:-1])
        if len(name) > 1:
            return self
        typed = self.typed + name
        if typed == RUN:
            return Answered(stepped(RUN))
        return Run(typed if RUN.startswith(typed) else "")

    def lines(self, view: RequestView, columns: int) -> list[Line]:
        lines = lined(DESTRUCTIVE, columns, style="loud") if view.unsafe else []
        words = "You understood the command above. Type run, and it runs; Esc goes back."
        return [*lines, *lined(words, columns, style="strong"), Line(f"> {self.typed}{CURSOR}")]


DirectStep = Choose | Text | Blank | Run
