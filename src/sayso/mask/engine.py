"""Masks the secrets in a text: the engine that walks the rules.

It knows how to try rules, settle overlaps and write the result; what a secret looks like
is in the tables (`rules`). It uses google-re2 where that can be imported and `re`
otherwise, with equal output. It may import the standard library, `re2`, and `mask`.

What holds for every text, whatever the rules say:

- only token characters are hidden: a span with white space, a quote, a backslash, `$`,
  a backtick, `;`, `|`, `&`, `<`, `>` or a parenthesis in it is dropped, so a person always
  sees the structure of the command that they allow;
- masking what is masked already changes nothing;
- what a vendor's secret is hidden in as base64 is hidden whole;
- the time grows in proportion to the length of the text.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from sayso.mask import encoded
from sayso.mask.rules import RULES, VENDORS
from sayso.mask.shape import Found, Rule, Span

MARK = "…[masked]"
"""Stands for what is hidden. It starts with a character that no secret contains: so a rule
can neither run into a mark nor take one for a value."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A masked text, and the lengths in characters of what was hidden, in order."""

    text: str
    hidden: tuple[int, ...]


class Pattern(Protocol):
    """The part of a compiled pattern that both engines offer."""

    @property
    def groups(self) -> int: ...

    def finditer(self, text: str, /) -> Iterator[Found]: ...


Compile = Callable[[str], Pattern]
Hint = tuple[str, frozenset[str], bool, int]
"""What must occur for a rule to be tried: a text, its letters, whether the rule folds, which rule it is."""
_TELLING = frozenset(rule.name for rule in VENDORS)


def compile_with_re(pattern: str) -> Pattern:
    """Compiles for the standard library's engine, with the meaning that RE2 gives it."""
    return re.compile(pattern, re.ASCII)


_STRETCH_COUNT = 16
_DENSE_CHARS = 1024
"""So many matches within so many characters, and `re` takes the next ones: RE2 is quick to pass
over text, but hands a match over at several times the price."""


class _Re2Pattern:
    """A pattern of RE2 for ASCII text, which as bytes costs a tenth of what `str` does.

    Either engine goes on where the other stopped: a pattern means the same to both, is linear
    in both, and never matches nothing.
    """

    def __init__(self, compiled: Any, pattern: str) -> None:
        self._compiled = compiled
        self._pattern = pattern
        self._plain: re.Pattern[str] | None = None
        self.groups: int = compiled.groups

    def finditer(self, text: str, /) -> Iterator[Found]:
        encoded = text.encode("ascii")
        found: Iterator[Found] = self._compiled.finditer(encoded)
        while stretch := list(islice(found, _STRETCH_COUNT)):
            yield from stretch
            if len(stretch) < _STRETCH_COUNT:
                return
            end = stretch[-1].span()[1]
            if end - stretch[0].span()[0] > _DENSE_CHARS:
                found = self._compiled.finditer(encoded, end)
            else:
                found = self._in_plain().finditer(text, end)

    def _in_plain(self) -> re.Pattern[str]:
        if self._plain is None:
            self._plain = re.compile(self._pattern, re.ASCII)
        return self._plain


def compile_with_re2(module: Any) -> Compile:
    """Makes the compiler of an imported `re2` module."""
    options = module.Options()
    options.log_errors = False  # it would write to our standard error
    options.encoding = options.Encoding.LATIN1
    return lambda pattern: _Re2Pattern(module.compile(pattern.encode("ascii"), options), pattern)


def best_compiler() -> Compile:
    """RE2 if it can be imported, else `re`."""
    try:
        return compile_with_re2(importlib.import_module("re2"))
    except ImportError:
        return compile_with_re


class Masker:
    """Rules and an engine to try them with. Patterns are compiled when first needed."""

    def __init__(self, rules: Iterable[Rule] = RULES, compiler: Compile | None = None) -> None:
        self._rules = tuple(rules)
        self._hints: tuple[Hint, ...] = tuple(
            (hint, frozenset(hint), rule.fold, index)
            for index, rule in enumerate(self._rules)
            for hint in rule.hints
        )
        self._telling = tuple(hint for hint in self._hints if self._rules[hint[3]].name in _TELLING)
        self._compiler = best_compiler() if compiler is None else compiler
        self._compiled: dict[str, Pattern] = {}

    def mask(self, text: str) -> Masked:
        """Hides the secrets of a text.

        Args:
            text: any text, of any length; lone surrogates are fine.

        Returns:
            The text with each secret cut to its stub and `MARK`.
        """
        spans = _settle(self._spans(text))
        if not spans:
            return Masked(text, ())
        return Masked(_cut(text, spans), tuple(span.end - span.hide for span in spans))

    def _spans(self, text: str) -> list[Span]:
        text = _with_real_breaks(text)
        plain = _in_ascii(text)
        return [*self._spans_in(text, plain, self._hints), *self._spans_around(plain)]

    def _spans_around(self, plain: str) -> Iterator[Span]:
        """Yield the runs of base64 in which a vendor's secret is."""
        if not self._telling:
            return
        inner = encoded.read(plain, self._pattern("", encoded.RUN).finditer(plain))
        if inner.runs:
            yield from inner.outer(self._spans_in(inner.text, inner.text, self._telling))

    def _spans_in(self, text: str, plain: str, hints: tuple[Hint, ...]) -> list[Span]:
        folded = plain.lower()
        # There are many hints, and most have a letter that the text has not.
        letters = frozenset(plain)
        letters |= frozenset("".join(letters).lower())
        hinted = {
            index
            for hint, needed, fold, index in hints
            if needed <= letters and hint in (folded if fold else plain)
        }
        spans: list[Span] = []
        for rule in (self._rules[index] for index in sorted(hinted)):
            spans += self._spans_of(rule, folded if rule.fold else plain, text)
        return spans

    def _pattern(self, name: str, pattern: str) -> Pattern:
        compiled = self._compiled.get(name)
        if compiled is None:
            compiled = self._compiled[name] = self._compiler(pattern)
        return compiled

    def _spans_of(self, rule: Rule, tried: str, text: str) -> Iterator[Span]:
        pattern = self._pattern(rule.name, rule.pattern)
        found = pattern.finditer(tried)
        read = rule.reader
        for span in _tokens(rule, pattern.groups, text, found) if read is None else read(text, found):
            if not _STRUCTURE.search(text, span.hide, span.end):
                yield span


_STRUCTURE = re.compile(r"""[\s\x00-\x1f\x7f"'$`;|&<>()\\…]""")
_NOT_ASCII = re.compile("[^\\x00-\\x7f]+")
_ESCAPED_BREAK = re.compile(r"\\{1,4}[nrt]")


def _with_real_breaks(text: str) -> str:
    """The text with escaped line breaks and tabs made real ones, at its old length.

    In JSON within a command, or in source code, they separate words, though the last
    character of an escape is a letter.
    """
    if "\\" not in text:
        return text
    return _ESCAPED_BREAK.sub(lambda found: "\n".rjust(found.end() - found.start()), text)


def _in_ascii(text: str) -> str:
    """The text as patterns see it, at its old length: they need not tell other characters apart.

    Readers do, and get the real ones.
    """
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda found: "\x7f" * (found.end() - found.start()), text)


def _tokens(rule: Rule, groups: int, text: str, found: Iterable[Found]) -> Iterator[Span]:
    """The default reader: the match, or its first group, is the secret."""
    group = min(groups, 1)
    for match in found:
        start, end = match.span(group)
        if rule.check is None or rule.check(text[start:end]):
            yield Span(start, start + rule.stub, end)


def _settle(spans: list[Span]) -> list[Span]:
    """Joins overlapping spans: the stub of the first, everything hidden to the last end.

    Spans that start together are in the order of the rules, so a vendor's stub wins over
    a general rule that saw the same value.
    """
    settled: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if settled and span.start < settled[-1].end:
            last = settled[-1]
            settled[-1] = last._replace(end=max(last.end, span.end))
        else:
            settled.append(span)
    return settled


def _cut(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    shown_to = 0
    for span in spans:
        parts += (text[shown_to : span.hide], MARK)
        shown_to = span.end
    parts.append(text[shown_to:])
    return "".join(parts)


_DEFAULT = Masker()


def mask(text: str) -> Masked:
    """Masks a text with all rules. See `Masker.mask`."""
    return _DEFAULT.mask(text)


def mask_text(text: str) -> str:
    """Masks a text with all rules and gives the text alone."""
    return _DEFAULT.mask(text).text
