"""The rules for our own tools in settings: byte for byte in and out, and nothing beside these tools."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.install import InstallRefused, claude_code, claude_rules, foreign
from sayso.install.claude_rules import RULES, allowed, without
from sayso.intake.mcp.tools import TOOLS
from tests.install.layouts import HOOKS

OTHERS = ["Bash(ls:*)", "mcp__sayso", "mcp__sayso__*", "mcp__other__ask_yesno", 7, None, {"a": 1.0}]
OTHER_RULES = st.lists(st.sampled_from(OTHERS), max_size=3)


@st.composite
def settings(draw: st.DrawFn) -> str:
    """Return settings with permissions in every layout that a person or a program writes."""
    permissions: dict[str, Any] = {}
    for name in draw(st.permutations(["allow", "deny", "defaultMode"])):
        if draw(st.booleans()):
            permissions[name] = "plan" if name == "defaultMode" else draw(OTHER_RULES)
    value: dict[str, Any] = {"model": "opus"} if draw(st.booleans()) else {}
    if draw(st.booleans()):
        value["permissions"] = permissions
    if draw(st.booleans()):
        value["env"] = {}
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(value, indent=indent) + draw(st.sampled_from(["", "\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(settings())
def test_taking_out_what_was_put_in_gives_back_every_byte(text: str) -> None:
    after = allowed(text)
    assert without(after) == text
    assert allowed(after) == after
    rules = json.loads(after)["permissions"]["allow"]
    assert [rule for rule in rules if rule in RULES] == list(RULES)
    assert [rule for rule in rules if rule not in RULES] == json.loads(text).get("permissions", {}).get(
        "allow", []
    )


@given(settings())
def test_with_the_hooks_too(text: str) -> None:
    after = allowed(claude_code.placement(text, HOOKS))
    assert claude_code.removal(without(after)) == text


def test_the_rules_name_our_tools_and_no_pattern() -> None:
    assert len(RULES) == len(TOOLS) == 6
    assert set(RULES) == {f"mcp__sayso__{name}" for name in TOOLS}
    assert not any(mark in rule for rule in RULES for mark in "*?()[]")


def test_a_file_that_came_with_them_is_known_again() -> None:
    text = allowed(claude_code.placement(None, HOOKS))
    assert claude_rules.placed(text)
    assert claude_code.created(without(text))
    assert not claude_rules.placed(without(text))


def test_every_one_of_ours_goes_wherever_it_stands() -> None:
    text = '{"permissions": {"allow": ["mcp__sayso__notify", "Bash"], "allow": ["mcp__sayso__ask_wait"]}}'
    assert without(text) == '{"permissions": {"allow": ["Bash"]}}'


def test_rules_of_ours_in_other_lists_are_a_persons_own() -> None:
    text = '{"permissions": {"deny": ["mcp__sayso__notify"], "ask": ["mcp__sayso__ask_yesno"]}}'
    assert without(text) == text
    assert without(allowed(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"permissions": []}', "permissions is not an object"),
        ('{"permissions": {"allow": "all"}}', "permissions.allow is not an array"),
        ("{ // no\n}", "not plain JSON"),
    ],
)
def test_settings_that_cannot_be_kept_are_refused(text: str, words: str) -> None:
    with pytest.raises(InstallRefused, match=words):
        allowed(text)


@pytest.mark.parametrize(
    "after",
    [
        '{"permissions": {"allow": ["mcp__sayso__notify"]}}',
        '{"permissions": {"allow": ["Bash", "Edit"]}}',
        '{"permissions": {"allow": ["Bash"], "deny": []}}',
        '{"permissions": {"allow": ["Bash"]}, "model": 1}',
        '{"permissions": {"allow": [3]}}',
        '{"permissions": {"allow": {"Bash": 1}}}',
    ],
)
def test_an_edit_that_changes_anything_else_is_refused(after: str) -> None:
    with pytest.raises(InstallRefused, match="not sayso's"):
        foreign.check_rules('{"permissions": {"allow": ["Bash"]}}', after, RULES)
