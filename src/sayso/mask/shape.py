"""The shape of a masking rule: what every table of rules is made of.

A rule says where one kind of secret stands in a text. It is data; the engine walks it.
This module is not a rule and decides nothing about a text. It may import the standard
library only.

Writing a pattern
-----------------
- It must mean the same to `re` (with `re.ASCII`) and to RE2: no look-around, no
  backreference, no flag, no `.`, `$`, `\\s`, `\\w` or `\\d` (name the characters).
- The whole match is the secret, or group 1 when the pattern has groups.
- It must never fail after a long run: an unbounded repetition is the last item, or its
  characters cannot occur in what starts the match. So each character is looked at a
  bounded number of times, in `re` too. What needs to see the whole run goes into `check`.
- Two conditions keep masking idempotent, whatever stands side by side. The match takes the
  whole run of letters and digits, or ends in a word boundary: what follows a mark was then
  never the middle of a word. And where nothing of a word's beginning stays (no stub, no
  group), the match begins at a word boundary: what precedes a mark was never one either.
- With `fold`, hints and pattern are in lower case and are tried on the text with its
  ASCII letters lowered. There is no other kind of case folding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Span(NamedTuple):
    """One secret in a text, in character offsets.

    `start` is where its stub begins, `hide` the first hidden character, `end` one past
    the last.
    """

    start: int
    hide: int
    end: int


class Found(Protocol):
    """The part of a match that both engines offer."""

    def span(self, group: int = ..., /) -> tuple[int, int]: ...


Reader = Callable[[str, Iterable[Found]], Iterator[Span]]
"""Finds the secrets behind the matches of a pattern: (text, matches in order) -> spans."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of secret.

    Args:
        name: unique, lower case with dashes.
        hints: at least one of these must occur, else the pattern is not tried.
        pattern: see the module's docstring.
        stub: how many leading characters of the secret stay, so that a person sees its kind.
        source: who documents the format, and where.
        example: a made-up text of this kind, with nothing real in it.
        fold: whether hints and pattern are tried on lowered text.
        check: refuses a match by its text.
        reader: for rules whose pattern only finds where a secret begins.
    """

    name: str
    hints: tuple[str, ...]
    pattern: str
    stub: int
    source: str
    example: str
    fold: bool = False
    check: Callable[[str], bool] | None = None
    reader: Reader | None = None
