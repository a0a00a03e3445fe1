"""Files of hooks as people and programs leave them for Codex, which reads less than others do."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from sayso.install import codex

LAUNCHER = "/home/dev/.local/share/sayso/codex/sayso-hook.sh"
HOOKS = codex.hook_settings(LAUNCHER)
OTHER_HOOKS = codex.hook_settings("/srv/a b/ключ/it's/codex/sayso-hook.sh")
EVENTS = [*HOOKS, "PreToolUse", "SessionEnd", "Notification"]


def handlers() -> st.SearchStrategy[Any]:
    command = st.fixed_dictionaries(
        {"type": st.just("command"), "command": st.text(max_size=12)},
        optional={
            "timeout": st.integers(0, 10**6),
            "async": st.booleans(),
            "x": st.none() | st.just(1.50),
        },
    )
    nearly = st.just({"type": "command", "command": f"/bin/sh {LAUNCHER}"})
    other = st.just({"type": "mcp_tool", "server": "a", "tool": "b"}) | st.just(
        {"type": "prompt", "prompt": "?"}
    )
    return command | nearly | other


def groups() -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {"hooks": st.lists(handlers(), max_size=3)},
        optional={"matcher": st.sampled_from(["", "*", "Bash|Edit", "^mcp__"])},
    )


def documents() -> st.SearchStrategy[Any]:
    events = st.dictionaries(st.sampled_from(EVENTS), st.lists(groups(), max_size=3), max_size=4)
    return st.fixed_dictionaries({}, optional={"hooks": events, "description": st.text(max_size=8)})


@st.composite
def texts(draw: st.DrawFn) -> str:
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, "\t"]))
    tight = indent is None and draw(st.booleans())
    text = json.dumps(
        draw(documents()),
        indent=indent,
        ensure_ascii=draw(st.booleans()),
        separators=(",", ":") if tight else None,
    )
    text = draw(st.sampled_from(["", "\n", "  "])) + text + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text
