"""A QR code in a terminal is the code, square by square."""

from __future__ import annotations

import pytest
import segno

from sayso.channels import qr

TEXT = "https://desk.example/#code=M87T-XY6R-1T8G-Y9D0-M8QC-069Z-50GC-HRPV"
SQUARES = {" ": (False, False), "▄": (False, True), "▀": (True, False), "█": (True, True)}


def dark(lines: list[str], styled: bool) -> list[list[bool]]:
    """Return which squares a camera would see dark, on the terminal that it is drawn for."""
    rows: list[list[bool]] = []
    for line in lines:
        text = line.removeprefix("\x1b[38;5;16;48;5;231m").removesuffix("\x1b[0m")
        assert "\x1b" not in text
        for half in (0, 1):
            rows.append([SQUARES[char][half] is styled for char in text])
    return rows


@pytest.mark.parametrize("styled", [True, False])
def test_every_square_is_there(styled: bool) -> None:
    lines = qr.lines(TEXT, styled)

    expected = [
        [bool(one) for one in row] for row in segno.make(TEXT, error="l", micro=False).matrix_iter(border=2)
    ]
    seen = dark(lines, styled)
    assert seen[: len(expected)] == expected
    assert not any(any(row) for row in seen[len(expected) :])  # a row more, of margin


@pytest.mark.parametrize("styled", [True, False])
def test_lines_are_as_wide_as_it_is_said(styled: bool) -> None:
    lines = qr.lines(TEXT, styled)

    assert qr.columns(lines) == len(dark(lines, styled)[0]) <= 60
    assert len({len(line) for line in lines}) == 1


def test_colours_are_given_only_where_there_are_some() -> None:
    assert all(line.startswith("\x1b[") and line.endswith("\x1b[0m") for line in qr.lines(TEXT, True))
    assert "\x1b" not in "".join(qr.lines(TEXT, False))
