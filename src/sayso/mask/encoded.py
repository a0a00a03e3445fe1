"""Texts within a text that are written in base64, read back in one piece.

A secret in them is one that any program reads at a glance (`base64 -d`, a Kubernetes secret), and no rule
sees. Not here: what a secret is (`rules`). Imports the standard library alone.

Bounded: each character is looked at once, what does not decode to ASCII is no text, and nothing is
decoded twice.
"""

from __future__ import annotations

import binascii
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sayso.mask.shape import Found, Span

RUN = "[A-Za-z0-9+/_-]{27,}={0,2}"
"""Both alphabets, and no run that is too short for a secret of 20 characters. Whole: nothing of a word is
left before or behind one that is hidden."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the runs of a text say, a line each: `text`, where each line begins, and where its run is."""

    text: str
    begins: list[int]
    runs: list[tuple[int, int]]

    def outer(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield for secrets in `text` the runs that they are in, whole."""
        for index in sorted({bisect_right(self.begins, span.start) - 1 for span in spans}):
            start, end = self.runs[index]
            yield Span(start, start, end)


def read(text: str, found: Iterable[Found]) -> Encoded:
    """Return what the matches of RUN in a text say, of those that say something."""
    lines: list[str] = []
    begins: list[int] = []
    runs: list[tuple[int, int]] = []
    length = 0
    for match in found:
        run = match.span()
        line = _decoded(text[run[0] : run[1]])
        if line:
            lines.append(line)
            begins.append(length)
            runs.append(run)
            length += len(line) + 1
    return Encoded("\n".join(lines), begins, runs)


def _decoded(run: str) -> str:
    """Return the text that a run says, "" for none; a character too many counts as cut off."""
    if "-" in run or "_" in run:
        run = run.replace("-", "+").replace("_", "/")
    over = len(run) % 4
    if over:
        run = run[:-1] if over == 1 else f"{run}=="
    try:
        data = binascii.a2b_base64(run)
    except binascii.Error:  # padding where none belongs
        return ""
    return data.decode("ascii") if data.isascii() else ""
