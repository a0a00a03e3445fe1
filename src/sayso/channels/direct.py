"""What programs ask themselves, in plain text: a title, what may be answered, and how it is said.

The body is a row as any other (`card`). Not here: who asks and how it ended (`base`), and what
a typed word means (`values`). Imports `core.types`, `wire.views`, `base` and `text`.
"""

from __future__ import annotations

from sayso.channels.base import DESTRUCTIVE, Line, lined, quoted
from sayso.channels.text import visible
from sayso.core.types import Kind
from sayso.wire.views import RequestView

WAYS: dict[str, str] = {
    Kind.YESNO: "sayso answer ID yes, or no",
    Kind.CHOICE: "sayso answer ID NUMBER, or the choice's id",
    Kind.TEXT: "sayso answer ID --text '…'",
    Kind.CONFIRM: "sayso answer ID ack, and then sayso answer ID run",
}
"""How each of these kinds is answered from the command line."""
OWN_WORD = "Where the program runs, and what it calls itself, is its own word."
AWAY = "The program that asked is not waiting now; it comes for the answer later."
NO_COMMAND = "Nothing says which command: there is no text to show."


def title_lines(view: RequestView, columns: int) -> list[Line]:
    """Return the question, which stands above its body; and that a command destroys something."""
    lines = [Line(""), *quoted(view.title, columns)]
    if view.unsafe:
        lines += lined(DESTRUCTIVE, columns, style="loud")
    if view.kind == Kind.CONFIRM and not any(row.value.strip() for row in view.input):
        lines += lined(NO_COMMAND, columns, style="loud")
    return lines


def answer_lines(view: RequestView, columns: int) -> list[Line]:
    """Return what may be answered, with what the program suggests."""
    match view.kind:
        case Kind.CHOICE:
            return [Line(""), *lined("Choose one:", columns, style="strong"), *choice_lines(view, columns)]
        case Kind.TEXT:
            lines = [Line(""), *lined("Any text answers it, also an empty one.", columns, style="strong")]
            if view.default:
                lines += [*lined("Its default:", columns), *quoted(view.default, columns)]
            return lines
        case Kind.CONFIRM:
            words = "Two steps: say that you understand the command; then have it run."
            return [Line(""), *lined(words, columns, style="strong")]
        case _:
            default = f" Its default: {visible(view.default)}." if view.default else ""
            return [Line(""), *lined(f"Yes or no?{default}", columns, style="strong")]


def choice_lines(view: RequestView, columns: int) -> list[Line]:
    """Return the choices by their numbers; the id is what the program gets."""
    lines: list[Line] = []
    for number, choice in enumerate(view.choices, 1):
        words = choice_words(view, number)
        lead = f"{number:>4}  "
        style = "strong" if view.default and choice.value == view.default else ""
        first, *rest = lined(words, columns, " " * len(lead), style)
        lines += [Line(lead + first.text[len(lead) :], style), *rest]
    return lines


def choice_words(view: RequestView, number: int) -> str:
    """Return a choice on one line: its label, its id where that differs, whether it is the default."""
    choice = view.choices[number - 1]
    label = choice.label or choice.value
    called = f" [{visible(choice.value)}]" if label != choice.value else ""
    default = " (default)" if view.default and choice.value == view.default else ""
    return visible(label) + called + default


def default_number(view: RequestView) -> int:
    """Return the number of the choice that is the default, 0 when none is."""
    ids = [choice.value for choice in view.choices]
    return ids.index(view.default) + 1 if view.default in ids else 0
