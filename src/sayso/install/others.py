"""What sayso can do for which agent: for some, nothing, and then it says so.

A hook that cannot approve would make every command look as if it waited. Imports the standard library.
"""

from __future__ import annotations

from typing import NamedTuple


class Reach(NamedTuple):
    """`can`: answer, ask, or nothing. `how` is for people: why, and what there is instead."""

    name: str
    can: str
    how: str


REACHES: dict[str, Reach] = {
    "claude-code": Reach(
        "Claude Code",
        "answer",
        "its hooks hand over what it asks, beside its own dialog: `sayso install claude-code`",
    ),
    "codex": Reach(
        "Codex",
        "answer",
        "its app server tells every client what its terminal asks: `sayso install codex`; its hook is for "
        "sessions without that server",
    ),
    "pi": Reach(
        "pi",
        "ask",
        "it asks for no permission; it asks you through the ask protocol, by TauMux' extension or "
        "by `sayso ask`",
    ),
    "gemini": Reach(
        "Gemini CLI",
        "nothing",
        "its hooks can forbid a call and cannot allow one, so its own dialog stays all there is",
    ),
    "opencode": Reach(
        "opencode", "nothing", "it asks on a server of its own, which sayso does not speak to yet"
    ),
    "copilot": Reach(
        "Copilot CLI",
        "nothing",
        "its hooks run before its own rules, for calls that it would never have asked about",
    ),
    "cursor": Reach(
        "Cursor", "nothing", "its hooks run for every call and tell nothing of what a person is asked"
    ),
}
"""By the word that `sayso install` takes."""

INSTALLED = ("claude-code", "codex")


def refusal(agent: str) -> str:
    """Return why there is nothing to install for an agent, in words."""
    reach = REACHES[agent]
    return f"there is nothing to install for {reach.name}: {reach.how}. Its own prompts work as ever"
