"""Text made to be slow: much of each, in both engines.

That a pattern is linear is proved in `test_rules`; this is the whole way, readers included. A
quadratic step would take minutes here, so the time limit of every test is all that is needed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sayso.mask.engine import MARK, Masker
from sayso.mask.rules import RULES
from sayso.mask.values import HEAD_CHARS
from tests.mask.engines import ENGINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sayso.mask.shape import Rule

# RE2 is linear by itself, and the readers are the same.
SIZES = {"re": 1_000_000, "re2": 100_000}

SEEDS = {
    "one letter": "a",
    "keywords": "key_",
    "names without a value": "token",
    "names of names": "token=",
    "names of names that go on": "password=$token=",
    "open quotes": 'token="',
    "bearer": "Bearer ",
    "headers": "Authorization: Bearer ",
    "options": "--token ",
    "dashes": "-a",
    "schemes": "://a:",
    "blocks": "-----BEGIN PRIVATE KEY-----\n",
    "digits": "1",
    "digits of bots": "1:AA",
    "dots": "eyJ.",
    "tokens": "-eyJ",
    "escapes": "\\",
    "escaped breaks": "\\n",
    "breaks": "\n",
    "blanks": " ",
    "blanks after a name": "secret       ",
    "short prefixes": "sk-",
    "other scripts": "ключ=",
    "mixed scripts": "é token=ü ",
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
def test_much_of_it_is_masked_in_time(seed: str, engine: str) -> None:
    text = seed * (SIZES[engine] // len(seed))
    masked = ENGINES[engine].mask(text)
    assert len(masked.text) == len(text) - sum(masked.hidden) + len(MARK) * len(masked.hidden)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("tail", ["", "$x"])
@pytest.mark.parametrize(
    "head",
    [
        "x://u:",
        "token=",
        'token="',
        "password=$token=",
        "eyJ",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nA: ",
    ],
)
def test_much_after_a_promising_start(head: str, tail: str, engine: str) -> None:
    text = head + "token=" * (SIZES[engine] // 6) + tail
    masked = ENGINES[engine].mask(text)
    assert masked.text.startswith(head[:3])
    assert masked.text.endswith(tail)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_many_beginnings_of_each_kind(rule: Rule) -> None:
    for length in (4, 12, len(rule.example) - 1):
        text = rule.example[:length] * (20_000 // length)
        assert ENGINES["re"].mask(text) == ENGINES["re2"].mask(text)


class Counting:
    """A pattern that counts how many characters its matches span, the only thing that could be repeated."""

    def __init__(self, pattern: str) -> None:
        self.compiled = re.compile(pattern, re.ASCII)
        self.groups = self.compiled.groups
        self.spanned = 0

    def finditer(self, text: str, /) -> Iterator[re.Match[str]]:
        for found in self.compiled.finditer(text):
            self.spanned += found.end() - found.start()
            yield found


@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
def test_matches_never_span_more_than_the_text(seed: str) -> None:
    patterns: list[Counting] = []

    def compiler(pattern: str) -> Counting:
        patterns.append(Counting(pattern))
        return patterns[-1]

    text = seed * (20_000 // len(seed))
    Masker(RULES, compiler).mask(text)
    assert [each.compiled.pattern for each in patterns if each.spanned > len(text)] == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_value_is_hidden_whole_though_only_its_head_is_judged(engine: str) -> None:
    value = "a1b2" * HEAD_CHARS
    assert ENGINES[engine].mask(f"token={value}").hidden == (len(value),)
    assert ENGINES[engine].mask(f"token='{value}'").hidden == (len(value),)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_name_inside_of_a_value_is_part_of_it(engine: str) -> None:
    mask = ENGINES[engine].mask
    assert mask("password=abc:token=abcdefgh").text == f"password={MARK}"
    assert mask("password=abc:token=abcdefgh$x").text == "password=abc:token=abcdefgh$x"
    assert mask("password==token=abcdefgh").text == f"password==token={MARK}"
