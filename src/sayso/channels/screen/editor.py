"""One line of text as a person types it, of any length, with a cursor. Frozen: each key makes
a new one. Imports `text`.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.channels.text import visible, wrap

CURSOR = "▏"


class Editor(NamedTuple):
    """`cursor`: how many characters stand before it. Newlines come by paste alone."""

    text: str = ""
    cursor: int = 0

    @classmethod
    def of(cls, text: str) -> Editor:
        return cls(text, len(text))

    def insert(self, text: str) -> Editor:
        """Put a text where the cursor is."""
        return Editor(self.text[: self.cursor] + text + self.text[self.cursor :], self.cursor + len(text))

    def paste(self, text: str) -> Editor:
        """Put a pasted text where the cursor is; no control character comes with it but newlines."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
        return self.insert("".join(char for char in lines if char == "\n" or char.isprintable()))

    def key(self, name: str) -> Editor:
        """Return the line after this key; keys that edit nothing change nothing."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        match name:
            case "backspace":
                return Editor(before[:-1] + after, max(self.cursor - 1, 0))
            case "delete":
                return Editor(before + after[1:], self.cursor)
            case "left":
                return Editor(self.text, max(self.cursor - 1, 0))
            case "right":
                return Editor(self.text, min(self.cursor + 1, len(self.text)))
            case "home" | "ctrl-a":
                return Editor(self.text, 0)
            case "end" | "ctrl-e":
                return Editor.of(self.text)
            case "ctrl-u":
                return Editor(after, 0)
            case "ctrl-k":
                return Editor(before, self.cursor)
            case "ctrl-w":
                kept = before.rstrip()[: before.rstrip().rfind(" ") + 1]
                return Editor(kept + after, len(kept))
            case _:
                return self.insert(name) if len(name) == 1 else self

    def shown(self, columns: int, most_lines: int = 4) -> list[str]:
        """Return the line wrapped, with the cursor in it; of a long one what is around the cursor."""
        before = visible(self.text[: self.cursor])
        pieces = wrap(before + CURSOR + visible(self.text[self.cursor :]), columns)
        at = passed = 0
        while (passed := passed + len(pieces[at])) <= len(before):
            at += 1
        first = max(0, min(at - most_lines + 2, len(pieces) - most_lines))
        return pieces[first : first + most_lines]
