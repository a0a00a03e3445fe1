"""The engine: which library it takes, how it settles overlaps, what it never hides."""

from __future__ import annotations

import importlib
import re
import sys

import pytest

from sayso.mask import MARK, Masked, mask, mask_text
from sayso.mask.engine import Masker, best_compiler, compile_with_re, compile_with_re2
from sayso.mask.shape import Rule
from tests.mask.engines import ENGINES

GITHUB = "ghp_" + "Examp1e" * 5 + "x"


def rule(name: str, pattern: str, stub: int = 0, hint: str = "") -> Rule:
    return Rule(name=name, hints=(hint or pattern[:1],), pattern=pattern, stub=stub, source="", example="")


def masked_by(*rules: Rule, text: str) -> str:
    return Masker(rules, compile_with_re).mask(text).text


def test_nothing_to_hide_gives_the_same_text() -> None:
    text = "git commit -m 'tidy up'"
    assert mask(text) == Masked(text, ())
    assert mask("") == Masked("", ())


def test_the_lengths_of_what_is_hidden_are_told_in_order() -> None:
    masked = mask(f"PASSWORD=hunter2 gh auth {GITHUB} && psql postgres://u:secret-word@h/db")
    assert masked.text == f"PASSWORD={MARK} gh auth ghp_{MARK} && psql postgres://u:{MARK}@h/db"
    assert masked.hidden == (7, 36, 11)


def test_mask_text_gives_the_text_alone() -> None:
    assert mask_text(f"use {GITHUB}") == f"use ghp_{MARK}"


def test_re2_is_taken_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not isinstance(best_compiler()("a"), re.Pattern)
    monkeypatch.setitem(sys.modules, "re2", None)
    assert isinstance(best_compiler()("a"), re.Pattern)


def test_a_pattern_is_compiled_when_its_hint_occurs_and_once() -> None:
    compiled: list[str] = []

    def compiler(pattern: str) -> re.Pattern[str]:
        compiled.append(pattern)
        return re.compile(pattern, re.ASCII)

    masker = Masker((rule("a", "aaa"), rule("b", "bbb")), compiler)
    assert masker.mask("ccc").text == "ccc"
    assert compiled == []
    assert masker.mask("aaa").text == masker.mask("aaa").text == MARK
    assert compiled == ["aaa"]


def test_overlapping_secrets_are_hidden_as_one_with_the_first_stub() -> None:
    assert masked_by(rule("a", "abcd", stub=1), rule("b", "cdef"), text="-abcdef-") == f"-a{MARK}-"
    assert masked_by(rule("a", "abcdef", stub=1), rule("b", "cd"), text="-abcdef-") == f"-a{MARK}-"


def test_of_two_that_start_together_the_first_rule_keeps_its_stub() -> None:
    assert masked_by(rule("a", "abc", stub=2), rule("b", "abcd"), text="abcd") == f"ab{MARK}"
    assert mask_text(f"TOKEN={GITHUB}") == f"TOKEN=ghp_{MARK}"
    assert mask_text(f"TOKEN={GITHUB}-and-more") == f"TOKEN=ghp_{MARK}"


def test_neighbours_stay_two() -> None:
    assert Masker((rule("a", "aa"), rule("b", "bb")), compile_with_re).mask("aabb").hidden == (2, 2)


@pytest.mark.parametrize("structure", [*" \t\n\r\v\f\0\x1b\x7f\"'$`;|&<>()\\…", "\u00a0", "\u2028"])
def test_a_rule_that_would_hide_structure_hides_nothing(structure: str) -> None:
    text = f"a{structure}b"
    assert masked_by(rule("wild", "a[^c]b", hint="a"), text=text) == text


@pytest.mark.parametrize("name", ENGINES)
def test_other_scripts_and_lone_surrogates_do_not_shift_anything(name: str) -> None:
    text = f"\ud800 ключ 🔑 {GITHUB} é\udfff PASSWORD=hunter2 日本"
    masked = ENGINES[name].mask(text)
    assert masked.text == f"\ud800 ключ 🔑 ghp_{MARK} é\udfff PASSWORD={MARK} 日本"


def test_dense_and_sparse_stretches_take_turns_and_nothing_is_lost_between_them() -> None:
    given = rule("a", r"\b(?:a[0-9])+", hint="a")
    with_re = Masker((given,), compile_with_re)
    with_re2 = Masker((given,), compile_with_re2(importlib.import_module("re2")))
    for dense in (1, 15, 16, 17, 31, 32, 33, 100):
        text = ("a1 a2xa3 " * dense + "a4" + "-" * 2000) * 3 + ("a5" + "." * 100) * 40 + "a6 xa7"
        assert with_re2.mask(text) == with_re.mask(text)
        assert len(with_re2.mask(text).hidden) == 3 * (2 * dense + 1) + 41


@pytest.mark.parametrize("name", ENGINES)
def test_an_escaped_line_break_ends_a_word_and_a_value(name: str) -> None:
    text = rf'printf "\nnpm_{GITHUB[4:]}\n\\nPASSWORD=hunter2\tX=1"'
    assert ENGINES[name].mask(text).text == rf'printf "\nnpm_{MARK}\n\\nPASSWORD={MARK}\tX=1"'


@pytest.mark.parametrize("name", ENGINES)
def test_five_megabytes_are_fine(name: str) -> None:
    line = f"2026-01-01 worker finished {'0123456789abcdef' * 4} in 3 ms\n"
    text = line * (5_000_000 // len(line)) + GITHUB
    assert ENGINES[name].mask(text).hidden == (36,)
