"""The page of requirements: what sayso must do, and which tests say that it does."""

from __future__ import annotations

from tests.docs.markdown import code, joined, table
from tests.requirements import AREAS, Requirement


def page() -> str:
    """Return the page."""
    every = [row for rows in AREAS.values() for row in rows]
    held = sum(row.held for row in every)
    return joined(
        "# Requirements",
        f"""What sayso must do: {len(every)} requirements, of which {held} are held by tests and
        {len(every) - held} are planned: not built, or not tested yet. A source is a document of the
        protocols that sayso speaks (`000` and so on), `measured` (what the agent was seen to do), or a
        public report of what went wrong for users of a program of this kind.""",
        *(section(title, rows) for title, rows in AREAS.items()),
    )


ABOUT = {
    "Numbers": "Bars for `make bench`; only what a test can hold without a clock is held here.",
    "Later": "Designed, not begun: a row each, to be split when work on it starts.",
}


def section(title: str, rows: tuple[Requirement, ...]) -> str:
    """Return one area."""
    return joined(
        f"## {title}",
        ABOUT.get(title, ""),
        table(
            ("id", "what", "source", "held by"),
            [(code(row.id), row.text, row.source or "–", tests(row)) for row in rows],
        ),
    )


def tests(row: Requirement) -> str:
    """Return the tests that hold a requirement, each as file and name."""
    return "<br>".join(code(test.removeprefix("tests/")) for test in row.tests) or "*planned*"
