"""The tables of rules: complete, equal in both engines, linear, and true to their examples."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from sayso.mask.engine import MARK, Masker, compile_with_re
from sayso.mask.rules import RULES
from sayso.mask.shape import Rule
from tests.mask.engines import ENGINES
from tests.mask.patterns import SHARED, characters, inner_runs, operations, parse

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def test_names_are_unique_and_plain() -> None:
    assert [name for name, times in Counter(rule.name for rule in RULES).items() if times > 1] == []
    assert [rule.name for rule in RULES if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)] == []


def test_there_are_rules_for_many_vendors() -> None:
    assert len(RULES) >= 60


@each_rule
def test_a_rule_says_where_its_format_is_documented(rule: Rule) -> None:
    assert "https://" in rule.source or rule.name in {"named-value", "option-value"}


@each_rule
def test_hints_are_there_and_lowered_when_the_text_is(rule: Rule) -> None:
    assert rule.hints
    assert all(rule.hints)
    if rule.fold:
        assert [hint for hint in rule.hints if hint != hint.lower()] == []
        assert rule.pattern == re.sub(r"[A-Z]", lambda found: found[0].lower(), rule.pattern)


@each_rule
@pytest.mark.parametrize("engine", ENGINES)
def test_the_example_is_hidden_behind_its_stub(rule: Rule, engine: str) -> None:
    masker = ENGINES[engine]
    alone = Masker((rule,), compile_with_re).mask(rule.example)
    assert alone.hidden
    hidden = masker.mask(rule.example)
    assert hidden.text == alone.text
    assert hidden.hidden == alone.hidden
    if rule.stub:
        shown = hidden.text.split(MARK)[0]
        assert len(shown) >= rule.stub
        assert rule.example.startswith(shown)


@each_rule
def test_the_example_is_hidden_inside_of_a_command_and_of_json(rule: Rule) -> None:
    secret = rule.example
    for around in ("run --now\n{}\n", "x='{}' && y", "echo start\\n{}\\nend"):
        text = around.format(secret)
        masked = ENGINES["re"].mask(text)
        assert masked.hidden, around
        before, after = around.split("{}")
        assert masked.text.startswith(before)
        assert masked.text.endswith(after)


@each_rule
def test_a_pattern_means_the_same_to_both_engines(rule: Rule) -> None:
    found = [(name, argument) for name, argument in operations(parse(rule.pattern))]
    assert {name for name, _ in found} <= SHARED
    assert {str(argument) for name, argument in found if name == "AT"} <= {"AT_BOUNDARY"}
    assert rule.pattern.isascii()


@each_rule
def test_a_pattern_never_matches_nothing(rule: Rule) -> None:
    assert parse(rule.pattern).getwidth()[0] > 0


@each_rule
def test_a_match_ends_where_a_word_ends(rule: Rule) -> None:
    masked = Masker((rule,), compile_with_re).mask(f"{rule.example}Zz9")
    shown = masked.text.rpartition(MARK)[2]
    secret = f"{rule.example}Zz9".removesuffix(shown)
    assert not masked.hidden or not shown[:1].isalnum() or not secret[-1].isalnum()


@each_rule
def test_a_match_that_hides_its_beginning_begins_where_a_word_begins(rule: Rule) -> None:
    if rule.stub == 0 and rule.reader is None and re.compile(rule.pattern).groups == 0:
        assert rule.pattern.startswith(r"\b")


@each_rule
def test_a_pattern_is_linear(rule: Rule) -> None:
    """After a run without a bound it cannot fail, or no match can begin inside of that run."""
    for run in inner_runs(parse(rule.pattern)):
        assert [hint for hint in rule.hints if set(hint) <= run] == []


def test_the_proof_of_linearity_sees_a_quadratic_pattern() -> None:
    runs = list(inner_runs(parse("eyJ[A-Za-z]+[.]")))
    assert len(runs) == 1
    assert set("eyJ") <= runs[0]
    assert list(inner_runs(parse("eyJ[A-Za-z]{8,}[.]?"))) == []
    assert list(inner_runs(parse("(?:a[^b]*c)*"))) == [characters(parse("[^b]"))]
    assert list(inner_runs(parse("(?:x|[a-c]*d|y[^q]z)e"))) == [frozenset("abc")]
    assert characters(parse("(?:a|[^b])")) == characters(parse("[^b]"))
