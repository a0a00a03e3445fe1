"""What a check finds. Imports the standard library alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

C = TypeVar("C")


class Level(IntEnum):
    """How much it matters. NOTE: it works, and a person may want to know."""

    OK = 0
    NOTE = 1
    FAIL = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, in words, and what to do about it."""

    level: Level
    text: str
    todo: str = ""


def ok(text: str) -> Finding:
    return Finding(Level.OK, text)


def note(text: str, todo: str = "") -> Finding:
    return Finding(Level.NOTE, text, todo)


def fail(text: str, todo: str) -> Finding:
    return Finding(Level.FAIL, text, todo)


def worst(found: Iterable[Finding], fine: str) -> Finding:
    """Return several findings as one; `fine` is what is said when there is none."""
    troubles = [finding for finding in found if finding.level]
    if not troubles:
        return ok(fine)
    return Finding(
        max(finding.level for finding in troubles),
        " ".join(finding.text for finding in troubles),
        " ".join(dict.fromkeys(finding.todo for finding in troubles if finding.todo)),
    )


class Check(NamedTuple, Generic[C]):
    """One row of the table. The name is for programs, and stays."""

    name: str
    run: Callable[[C], Finding]
