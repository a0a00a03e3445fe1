"""The page of hooks: events, timeouts, holds and the command, from installer and adapter."""

from __future__ import annotations

import json
from typing import Any, cast

from sayso.agents import claude_code as adapter
from sayso.agents import codex_hook
from sayso.install import claude_code as installer
from sayso.install import codex
from tests.docs.markdown import code, fence, joined, table

EXAMPLE = (
    "/usr/bin/python3",
    "/home/ada/.local/share/sayso/hook.py",
    "/run/user/1000/sayso/desk.sock",
    "/flags",
)
HOLDS = {
    "parallel": "parallel: the dialog in the terminal is live too",
    "exclusive": "exclusive: nothing is shown there meanwhile",
}


def page() -> str:
    """Return the page."""
    return joined(
        "# Hooks",
        """What `sayso install claude-code` puts into the settings of Claude Code, for every event one
        entry. `--print` prints the same for `claude --settings`. Codex's are [below](#codex).""",
        *_asks(),
        *_observers(),
        *_command(),
        *_codex(),
    )


def _policy(name: str) -> dict[str, dict[str, Any]]:
    return cast("dict[str, dict[str, Any]]", adapter.POLICY[name])


def _asks() -> tuple[str, ...]:
    rows = [
        (
            code(name),
            f"{row['timeout_s']} s",
            f"{row['hold_s']:g} s",
            *(HOLDS[row[who]] for who in ("attended", "unattended", "subagent")),
        )
        for name, row in _policy("asks").items()
    ]
    head = ("event", "killed after", "gives up after", "at a terminal", "without one", "background agent")
    return (
        "## Hooks that ask",
        """They wait for an answer. How long an exclusive one waits is told in [who holds, and for how
        long](../explanation/holds.md).""",
        table(head, rows),
    )


def _observers() -> tuple[str, ...]:
    carries = cast("tuple[str, ...]", adapter.POLICY["messages"])
    gated = {event.name for event in installer.EVENTS if event.gated}
    rows = [
        (
            code(name) + (f", only `{row['matcher']}`" if "matcher" in row else ""),
            f"{row['timeout_s']} s",
            "only while its session has something to settle" if name in gated else "always",
            "yes" if name in carries else "",
        )
        for name, row in _policy("observes").items()
    ]
    return (
        "## Hooks that observe",
        """They tell the desk what happened and decide nothing. Two of them can hand the main agent a
        [message](../howto/send-a-message.md) that you sent to its session.""",
        table(("event", "killed after", "starts", "carries a message"), rows),
        """Tool calls are many, so their hooks stand behind a gate: the shell looks for a file that is
        named like the session, and starts nothing while there is none. The desk makes that file before
        it acknowledges a request, and removes it when nothing of the session is open any more.""",
    )


def _command() -> tuple[str, ...]:
    groups = installer.hook_settings(*EXAMPLE)
    shown = {name: groups[name] for name in ("PermissionRequest", "PostToolUse")}
    return (
        "## The command",
        """`/bin/sh -c` with a guard, so that an interpreter or a hook that was moved is silence and not an
        error at every event:""",
        fence(installer.GUARD, "sh"),
        "and for tool calls the gate:",
        fence(installer.GATE, "sh"),
        "Two entries, as they stand in the settings:",
        fence(json.dumps({"hooks": shown}, indent=2), "json"),
        "## What a hook does",
        """A hook that asks prints one line of JSON, when a person decided; one that carries
        a message, when there is one; otherwise a hook prints nothing. It
        ends with 0 always, and never writes to its standard error. Without a desk it ends at once, and
        the agent asks in its own terminal. Installed with `--lazy-start` the command ends in `--start` and an
        interpreter, with which the hook of `SessionStart` [opens a desk](../howto/keep-it-running.md) where
        there is none.""",
    )


def _codex() -> tuple[str, ...]:
    launcher = "/home/ada/.local/share/sayso/codex/sayso-hook.sh"
    groups = codex.hook_settings(launcher)
    asks = cast("dict[str, dict[str, Any]]", codex_hook.POLICY["asks"])
    carries = cast("tuple[str, ...]", codex_hook.POLICY["messages"])
    rows = [
        (
            code(name) + (f", only `{group['matcher']}`" if "matcher" in group else ""),
            f"{group['hooks'][0]['timeout']} s",
            "asks" if name in asks else "observes",
            "yes" if name in carries else "",
        )
        for name, (group,) in groups.items()
    ]
    shown = {name: groups[name] for name in ("PermissionRequest", "PostToolUse")}
    return (
        "## Codex",
        """What `sayso install codex` puts into Codex's `hooks.json`, behind the hooks that are there. They
        are for sessions that run inside of their own terminal's process; see [Codex's
        hooks](../howto/codex-hooks.md).""",
        table(("event", "killed after", "what it does", "carries a message"), rows),
        """The hook that asks is exclusive: Codex shows nothing in its terminal until it ends, so it is given
        back after 25 seconds, and at once where nobody watches or `codex_approvals` is off. Codex trusts an
        entry by its place and its text, so the entries name a launcher, which is written anew when paths
        change, and without which they are silent:""",
        fence(json.dumps({"hooks": shown}, indent=2), "json"),
        "The launcher:",
        fence(codex.launcher_text(*EXAMPLE), "sh"),
    )
