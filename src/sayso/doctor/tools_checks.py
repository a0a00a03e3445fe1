"""Checks of what `install claude-code --mcp` puts in: the server of the tools, and the rules for them.

Not here: how both are put in (`install.claude_mcp`, `install.claude_rules`), and the tools (`intake.mcp`).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from sayso.doctor.context import Context, Source
from sayso.doctor.findings import Finding, fail, note, ok, worst
from sayso.install import claude_mcp
from sayso.install.claude_mcp import SERVER
from sayso.install.claude_rules import RULES

_AGAIN = "Run `sayso install claude-code --mcp` again."
_START_S = 10.0
_LOOK = "import importlib.util as u, sayso; print(sayso.__version__, u.find_spec('mcp') is not None)"
_PREFIX = f"mcp__{SERVER}"
_EVERY = (_PREFIX, f"{_PREFIX}__*")
"""Rules for all tools of the server, as Claude Code reads them."""


def server(context: Context) -> Finding:
    """What Claude Code starts for the tools: is it ours, of this version, and does it start?"""
    found = claude_mcp.registered(context.where)
    memory = claude_mcp.memory(context.where)
    if found is None:
        return ok("Claude Code has no tools of sayso's (`sayso install claude-code --mcp` gives it some).")
    if not claude_mcp.is_own(found):
        return note(f"The server that Claude Code knows as {SERVER} ({memory}) is not sayso's.")
    entry = cast("dict[str, Any]", found)
    return worst(
        _server(context, entry), f"Claude Code knows the server of sayso's tools, which starts ({memory})."
    )


def _server(context: Context, entry: dict[str, Any]) -> Iterator[Finding]:
    python, home = str(entry.get("command", "")), _home(entry)
    here = str(context.places.run.parent) if context.places.private else ""
    if home != here:
        theirs, this = (f"the one of {each}" if each else "yours everywhere" for each in (home, here))
        yield fail(
            f"The tools ask another desk ({theirs}) than this ({this}).",
            f"{_AGAIN} If SAYSO_HOME is set by mistake, unset it.",
        )
    if not os.access(python, os.X_OK):
        yield fail(f"The tools are started by {python}, which is not there (any more).", _AGAIN)
        return
    yield from _starts(context, python)
    if entry != claude_mcp.server(python, home):
        text = f"The server in {claude_mcp.memory(context.where)} is not what this sayso makes known: it is"
        yield note(f"{text} of another version, or was changed.", _AGAIN)


def _home(entry: dict[str, Any]) -> str:
    env: object = entry.get("env")
    return str(cast("dict[str, object]", env).get("SAYSO_HOME", "")) if isinstance(env, dict) else ""


def _starts(context: Context, python: str) -> Iterator[Finding]:
    """Start the interpreter as the agent would, as far as finding what the tools need."""
    try:
        done = subprocess.run(
            [python, "-P", "-c", _LOOK],
            cwd=context.where.cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_START_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        yield fail(f"The tools are started by {python}, which does not run.", _AGAIN)
        return
    version, _, has_sdk = done.stdout.strip().partition(" ")
    if done.returncode or has_sdk not in ("True", "False"):
        yield fail(f"The tools are started by {python}, which has no sayso (any more).", _AGAIN)
    elif has_sdk == "False":
        todo = "Install sayso with the MCP SDK, as 'sayso[mcp]'."
        yield fail(f"The tools are started by {python}, which has no MCP SDK.", todo)
    elif version != context.version:
        yield note(f"The tools are of sayso {version} ({python}), this sayso is {context.version}.", _AGAIN)


def allowed(context: Context) -> Finding:
    """Without its rule Claude Code asks whether a tool may ask; without a server a rule is for any other."""
    rules = {name: _rules(context, name) for name in ("allow", "ask", "deny")}
    placed = {
        rule: source for rule, source in rules["allow"].items() if f"{rule}__".startswith(f"{_PREFIX}__")
    }
    found = claude_mcp.registered(context.where)
    if not placed and not claude_mcp.is_own(found):
        return ok("No settings hold rules for sayso's tools.")
    troubles = [*_others(context, found, placed), *_stale(placed)]
    if claude_mcp.is_own(found):
        troubles += _missing(placed)
        troubles += _against(rules)
    return worst(troubles, "Claude Code may call each of sayso's tools without asking first.")


def _rules(context: Context, name: str) -> dict[str, Source]:
    """Return the rules of one kind, each with settings that hold it."""
    found: dict[str, Source] = {}
    for source in (*context.own, *context.managed):
        permissions: object = source.settings.get("permissions")
        rules: object = (
            cast("dict[str, object]", permissions).get(name) if isinstance(permissions, dict) else None
        )
        for rule in cast("list[object]", rules) if isinstance(rules, list) else ():
            if isinstance(rule, str):
                found[rule] = source
    return found


def _others(context: Context, found: object, placed: dict[str, Source]) -> Iterator[Finding]:
    """Rules go by names: whatever server has ours may have its tools called."""
    if not placed:
        return
    where = ", ".join(sorted({str(source.path) for source in placed.values()}))
    if found is None:
        todo = f"{_AGAIN} Or `sayso uninstall claude-code`, which takes the rules out as well."
        yield note(f"{where} allows sayso's tools, and Claude Code knows no server of them.", todo)
    elif not claude_mcp.is_own(found):
        yield _alien(where, claude_mcp.memory(context.where))
    for path, entry in _nearer(context):
        if entry is not None and not claude_mcp.is_own(entry):
            yield _alien(where, path)


def _alien(where: str, path: Path) -> Finding:
    return fail(
        f"{where} allows the tools of a server named {SERVER}, and the one in {path} is not sayso's.",
        "Rename or remove that server, or take the rules out: `sayso uninstall claude-code`.",
    )


def _nearer(context: Context) -> Iterator[tuple[Path, object]]:
    """Yield what has our name for this folder alone, which goes before what is known everywhere."""
    memory, project = claude_mcp.memory(context.where), context.where.cwd / ".mcp.json"
    yield memory, _member(_read(memory), "projects", str(context.where.cwd), "mcpServers", SERVER)
    yield project, _member(_read(project), "mcpServers", SERVER)


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _member(value: object, *names: str) -> object:
    for name in names:
        value = cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
    return value


def _stale(placed: dict[str, Source]) -> Iterator[Finding]:
    gone = [rule for rule in placed if rule not in (*RULES, *_EVERY)]
    if gone:
        where = ", ".join(sorted({str(placed[rule].path) for rule in gone}))
        yield note(f"{where} allows {', '.join(gone)}, and there is no such tool.", "Take that rule out.")


def _missing(placed: dict[str, Source]) -> Iterator[Finding]:
    missing = [rule for rule in RULES if rule not in placed]
    if missing and not any(rule in placed for rule in _EVERY):
        yield note(f"Claude Code asks first whether it may call {', '.join(missing)}.", _AGAIN)


def _against(rules: dict[str, dict[str, Source]]) -> Iterator[Finding]:
    """What denies goes before what asks, and that before what allows."""
    for name, does in (("deny", "may not call"), ("ask", "asks first whether it may call")):
        for rule, source in rules[name].items():
            if rule in (*RULES, *_EVERY):
                yield note(
                    f"Claude Code {does} {rule}: a rule in {source.path} ({name}).", "Take that rule out."
                )
