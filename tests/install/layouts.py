"""Settings files as people and programs leave them: generated text with foreign hooks in every layout."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from sayso.install import claude_code

HOOKS = claude_code.hook_settings(
    "/usr/bin/python3",
    "/home/dev/.local/share/sayso/hook/current/sayso/intake/hook.py",
    "/run/user/1000/sayso/desk.sock",
    "/home/dev/.local/state/sayso/flags",
)
OTHER_HOOKS = claude_code.hook_settings(
    "/opt/Python mit Lücken/bin/python3", "/srv/h.py", "/run/d.sock", "/srv/flags é"
)

EVENTS = [*HOOKS, "PreToolUse", "PreCompact"]
NAMES = st.sampled_from(
    ["model", "env", "permissions", "statusLine", "Hooks", "hook", "ключ", "a b", "", 'q"t']
)
# Literals that a parser would not write back the same.
LITERALS = st.sampled_from(
    ["1.0", "1e3", "-0", "10000000000000000000001", "0.10", "true", "null", r'"\/\u00e9"']
)
SPACE = st.text(" \t\n\r", max_size=4)


@st.composite
def handlers(draw: st.DrawFn) -> Any:
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return {"type": "command", "command": draw(st.text(max_size=12))}
    if kind == 1:  # nearly ours
        return {"type": "command", "command": "/bin/sh", "args": ["-c", "true", "claude-code", "--socket"]}
    if kind == 2:
        return {"type": "http", "url": "http://127.0.0.1:1/", "timeout": draw(st.integers(1, 99))}
    return draw(st.sampled_from([None, 3, "text", [], {}]))


@st.composite
def groups(draw: st.DrawFn) -> Any:
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([None, 7, {}, [], {"hooks": None}]))
    group: dict[str, Any] = {}
    if draw(st.booleans()):
        group["matcher"] = draw(st.sampled_from(["", "*", "Bash|Edit", "idle_prompt"]))
    group["hooks"] = draw(st.lists(handlers(), max_size=3))
    return group


def event_maps() -> st.SearchStrategy[Any]:
    return st.dictionaries(st.sampled_from(EVENTS), st.lists(groups(), max_size=3), max_size=4)


@st.composite
def values(draw: st.DrawFn) -> Any:
    leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8))
    return draw(
        st.recursive(
            leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
        )
    )


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    document = draw(st.dictionaries(NAMES, values(), max_size=3))
    if draw(st.booleans()):
        items = [*document.items(), ("hooks", draw(event_maps()))]
        document = dict(draw(st.permutations(items)))
    return document


@st.composite
def tidy(draw: st.DrawFn) -> str:
    """As a program writes it."""
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, 8, "\t"]))
    tight = indent is None and draw(st.booleans())
    text = json.dumps(
        draw(documents()),
        indent=indent,
        ensure_ascii=draw(st.booleans()),
        separators=(",", ":") if tight else None,
    )
    return _ends(draw, text)


@st.composite
def untidy(draw: st.DrawFn) -> str:
    """As nobody writes it: white space anywhere, duplicate names, odd literals, escaped names."""

    def space() -> str:
        return draw(SPACE)

    def write(value: Any, depth: int) -> str:
        if isinstance(value, dict):
            members = [
                f"{space()}{name(key)}{space()}:{space()}{write(v, depth + 1)}{space()}"
                for key, v in value.items()
            ]
            if members and draw(st.integers(0, 4)) == 0:
                members.append(draw(st.sampled_from(members)))  # a duplicate
            return "{" + (",".join(members) or space()) + "}"
        if isinstance(value, list):
            return (
                "[" + (",".join(f"{space()}{write(v, depth + 1)}{space()}" for v in value) or space()) + "]"
            )
        return draw(LITERALS) if draw(st.integers(0, 3)) == 0 and depth < 3 else json.dumps(value)

    def name(key: str) -> str:
        if key == "hooks" and draw(st.booleans()):
            return r'"\u0068ooks"'
        return json.dumps(key)

    return _ends(draw, space() + write(draw(documents()), 0) + space())


def _ends(draw: st.DrawFn, text: str) -> str:
    """Give the text its line ends, its last line end and perhaps a byte order mark."""
    text += draw(st.sampled_from(["", "\n", "\n\n"]))
    if draw(st.booleans()):
        text = text.replace("\r", "").replace("\n", "\r\n")
    return draw(st.sampled_from(["", "", "\ufeff"])) + text


def texts() -> st.SearchStrategy[str]:
    return tidy() | untidy()


def merged(settings: Any, hooks: dict[str, Any]) -> Any:
    """Say what settings should mean after the placement: every list of an event with our group behind it."""
    events = dict(settings.get("hooks", {}))
    for event, (group,) in hooks.items():
        events[event] = [*events.get(event, []), group]
    return {**settings, "hooks": events}
