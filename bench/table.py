"""What was measured, as a table: for a terminal and for a page. Pure. Imports the standard library."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles
from typing import NamedTuple


class Row(NamedTuple):
    """One figure. `is_met` None: it has no bar, it is there to compare with. `note`: how it was
    measured, where that is not plain. `failure`: why there is no figure."""

    what: str
    measured: str = ""
    bar: str = ""
    is_met: bool | None = None
    note: str = ""
    failure: str = ""

    @property
    def verdict(self) -> str:
        if self.failure:
            return "not measured"
        return {None: "", True: "met", False: "MISSED"}[self.is_met]


def ratio(what: str, times_s: Sequence[float], base_s: Sequence[float], most: float, of: str) -> Row:
    """Return a row that compares medians of the same run."""
    found, base = median(times_s), median(base_s)
    return Row(
        what,
        f"{found / base:.2f} x {of} ({ms(found)} to {ms(base)})",
        f"{most:g} x",
        found / base <= most,
    )


def percentiles(what: str, times_s: Sequence[float], most_s: dict[int, float], note: str = "") -> Row:
    """Return a row of percentiles, each with its bar."""
    found = {percent: percentile(times_s, percent) for percent in most_s}
    return Row(
        what,
        ", ".join(f"p{percent} {ms(value)}" for percent, value in found.items()),
        ", ".join(f"p{percent} {ms(value)}" for percent, value in most_s.items()),
        all(value <= most_s[percent] for percent, value in found.items()),
        note,
    )


def percentile(values: Sequence[float], percent: int) -> float:
    if len(values) < 2:
        return values[0]
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def ms(value_s: float) -> str:
    return f"{value_s * 1000:.3g} ms"


def notes(rows: Sequence[Row]) -> list[str]:
    return [f"{row.what}: {row.failure or row.note}" for row in rows if row.failure or row.note]


def plain(rows: Sequence[Row], about: Sequence[str]) -> str:
    """Return the table for a terminal."""
    cells = [("what", "measured", "bar", ""), *((r.what, r.measured, r.bar, r.verdict) for r in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(4)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    return "\n".join([*about, "", *lines, "", *notes(rows)])


def page(rows: Sequence[Row], about: Sequence[str], command: str) -> str:
    """Return the page of the documentation."""
    lines = [
        "# Performance",
        "",
        f"Written by `{command}`: a record of one run on one machine. `make bench` measures yours.",
        "",
        *(f"- {line}" for line in about),
        "",
        "| what | measured | bar | |",
        "|---|---|---|---|",
        *(f"| {row.what} | {row.measured} | {row.bar} | {row.verdict} |" for row in rows),
        "",
        "Figures of processes are whole processes, from the call that starts one to the moment its end is",
        "seen, with everything in between. What is compared was started in turns, in the same run; the",
        "figures are medians, so a busy machine changes both sides of a ratio alike.",
        "",
        *(f"- {note}" for note in notes(rows)),
    ]
    return "\n".join(lines).rstrip() + "\n"
