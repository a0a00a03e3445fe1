"""A QR code in a terminal: two rows of squares to a line of half blocks.

Colours are given where the terminal has them, since a code on a light ground is what every
camera reads; without, light squares are drawn and dark ones left out, which is right for light
text on dark. Imports segno.
"""

from __future__ import annotations

import segno

_COLOURS = "\x1b[38;5;16;48;5;231m"
"""Black on white, in the colours that no theme changes."""
_PLAIN = "\x1b[0m"
_BLOCKS = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
"""By whether the upper and the lower square are to be drawn."""
_MARGIN = 2
"""Less than the standard asks for; cameras need no more, and terminals are narrow."""


def lines(text: str, styled: bool) -> list[str]:
    """Return a QR code of a text, line by line, each as wide as the first."""
    code = segno.make(text, error="l", micro=False)
    rows = [[bool(square) for square in row] for row in code.matrix_iter(border=_MARGIN)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [_line(upper, lower, styled) for upper, lower in pairs]


def columns(drawn: list[str]) -> int:
    """Return how wide a code is."""
    return len(drawn[0].removeprefix(_COLOURS).removesuffix(_PLAIN))


def _line(upper: list[bool], lower: list[bool], styled: bool) -> str:
    # Styled, the dark squares are ink; plain, the light ones are.
    drawn = "".join(_BLOCKS[high is styled, low is styled] for high, low in zip(upper, lower, strict=True))
    return f"{_COLOURS}{drawn}{_PLAIN}" if styled else drawn
