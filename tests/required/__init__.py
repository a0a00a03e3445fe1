"""What sayso must do, an area a file; `tests.requirements` puts them together and explains the rows.

Data alone: nothing is imported but the shape of a row, which stands here.
"""

from __future__ import annotations

from typing import NamedTuple


class Requirement(NamedTuple):
    """One thing that must be true.

    `source`: a document of the protocols by its number, "measured" for what an agent was seen to do, or the
    public report that it was learned from, as owner/name#number. `tests` are the ids of tests, as pytest has
    them, that fail without it.
    """

    id: str
    text: str
    source: str
    held: bool
    tests: tuple[str, ...]


def held(name: str, text: str, source: str, *tests: str) -> Requirement:
    """Return a requirement that is built, and the tests that say so."""
    return Requirement(name, text, source, True, tests)


def planned(name: str, text: str, source: str = "") -> Requirement:
    """Return a requirement that is not built, or that no test holds yet."""
    return Requirement(name, text, source, False, ())
