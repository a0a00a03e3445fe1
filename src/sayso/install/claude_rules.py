"""The permission rules for our own tools in the settings of Claude Code: put in, and taken out again.

Each names one tool that asks a person or tells them something, and nothing else: no pattern, so that a tool
of a later version needs consent of its own. Without them Claude Code asks whether it may ask.

Text to text, like the hooks (`claude_code`). Not here: how the server is made known (`claude_mcp`).
Imports the standard library, its neighbours and the table of tools.
"""

from __future__ import annotations

import json

from sayso.install import InstallRefused, claude_code, foreign, jsontext
from sayso.intake.mcp.tools import TOOLS

SERVER = "sayso"
RULES = tuple(f"mcp__{SERVER}__{tool}" for tool in TOOLS)


def allowed(text: str) -> str:
    """Put the rules that are not there yet into the text of some settings."""
    after = text
    for rule in RULES:
        after = _with(after, rule)
    foreign.check_rules(text, after, RULES)
    return after


def without(text: str) -> str:
    """Take the rules out, whoever put them in: the server they are for goes with them."""
    after = text
    # From the end to the start, so that each step meets what the putting in of this rule left behind.
    while ways := _own(after, claude_code.parse(after)):
        after = _cut(after, *ways[-1])
    foreign.check_rules(text, after, RULES)
    return after


def placed(text: str) -> bool:
    """Tell whether any of the rules is in the text of some settings."""
    return bool(_own(text, claude_code.parse(text)))


def _with(text: str, rule: str) -> str:
    root = claude_code.parse(text)
    if (permissions := root.last("permissions")) is None:
        return jsontext.append(text, (root,), "permissions", {"allow": [rule]})
    _expect(permissions, "object", "permissions")
    if (allow := permissions.last("allow")) is None:
        return jsontext.append(text, (root, permissions), "allow", [rule])
    _expect(allow, "array", "permissions.allow")
    if any(_value(text, child.value) == rule for child in allow.children):
        return text
    return jsontext.append(text, (root, permissions, allow), None, rule)


def _expect(node: jsontext.Node, kind: str, name: str) -> None:
    if node.kind != kind:
        raise InstallRefused(
            f"In these settings {name} is not an {kind}, so Claude Code ignores it. Mend it first."
        )


def _own(text: str, root: jsontext.Node) -> list[tuple[tuple[jsontext.Node, ...], tuple[int, ...]]]:
    """Find all rules of ours: the containers down to each, and its index in each of them."""
    found: list[tuple[tuple[jsontext.Node, ...], tuple[int, ...]]] = []
    for i, permissions in enumerate(root.children):
        for j, allow in enumerate(permissions.value.children):
            if (permissions.key, allow.key, allow.value.kind) != ("permissions", "allow", "array"):
                continue
            nodes = (root, permissions.value, allow.value)
            found += [
                (nodes, (i, j, k))
                for k, child in enumerate(allow.value.children)
                if _value(text, child.value) in RULES
            ]
    return found


def _cut(text: str, parents: tuple[jsontext.Node, ...], indexes: tuple[int, ...]) -> str:
    """Take out a rule and the containers that hold nothing else, unless they were there before."""
    level = len(parents) - 1
    while level and len(parents[level].children) == 1 and not jsontext.marked(text, parents[level]):
        level -= 1
    return jsontext.cut(text, parents[: level + 1], indexes[level])


def _value(text: str, node: jsontext.Node) -> object:
    return json.loads(text[node.start : node.end]) if node.kind == "string" else None
