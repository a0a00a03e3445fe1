"""How `sayso mcp` is made known to Claude Code: through its own commands, which write its own file.

That file (`.claude.json`) is the program's memory and changes all the time, so it is only looked at here.
Where the program is not found, or refuses, the person is told what to run. A server of ours is known by
its command; one of somebody else's that has our name is left alone.

Not here: the permission rules (`claude_rules`). Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING, Any, cast

from sayso.install import InstallRefused, files
from sayso.install.claude_rules import SERVER

if TYPE_CHECKING:
    from pathlib import Path

    from sayso.install.claude_places import Surroundings

PROGRAM = "claude"
_CALL_S = 30.0
_SCOPE = ("--scope", "user")
# A person may take minutes, and each further call costs the model a turn.
TIMEOUT_S, LIMIT_S = 600, 590
_WORDS = ["-m", "sayso", "mcp"]


def server(python: str, home: str = "") -> dict[str, Any]:
    """Return what is registered. `home`: of a private desk, or "".

    Claude Code 2.1.332 heeds `timeout`, in milliseconds.
    """
    entry: dict[str, Any] = {
        "type": "stdio",
        "command": python,
        "args": ["-P", *_WORDS, "--limit", str(LIMIT_S)],
        "timeout": TIMEOUT_S * 1000,
    }
    return {**entry, "env": {"SAYSO_HOME": home}} if home else entry


def printed(entry: dict[str, Any]) -> str:
    """Return the text for `claude --mcp-config`."""
    return json.dumps({"mcpServers": {SERVER: entry}}, ensure_ascii=False)


def check_free(where: Surroundings) -> None:
    """Raise InstallRefused where another server has our name."""
    found = registered(where)
    if found is not None and not is_own(found):
        raise InstallRefused(
            f"Claude Code knows another server named {SERVER} ({memory(where)}). "
            f"Remove it first: {PROGRAM} mcp remove {SERVER} {' '.join(_SCOPE)}"
        )


def register(entry: dict[str, Any], where: Surroundings) -> str:
    """Make a server known, in place of an older one of ours.

    Returns what was done, or what is to be done by hand.
    """
    if registered(where) == entry:
        return f"Claude Code knew the server {SERVER} already."
    words = ["mcp", "add-json", *_SCOPE, SERVER, json.dumps(entry, ensure_ascii=False)]
    old = registered(where) is not None
    if (not old or _ran(_removal(), where)) and _ran(words, where) and registered(where) == entry:
        return f"Made the server {SERVER} known to Claude Code, in every folder; new sessions have its tools."
    by_hand = [*([_removal()] if old else []), words]
    return "\n".join(("Make the server known to Claude Code with:", *(_shown(each) for each in by_hand)))


def unregister(where: Surroundings) -> str:
    """Make Claude Code forget our server; return what was done, or is to be done by hand, "" for nothing."""
    if not is_own(registered(where)):
        return ""
    if _ran(_removal(), where) and registered(where) is None:
        return f"Claude Code no longer knows the server {SERVER}."
    return f"Make Claude Code forget the server with:\n{_shown(_removal())}"


def memory(where: Surroundings) -> Path:
    """Return the file in which Claude Code keeps what it knows."""
    chosen = where.environ.get("CLAUDE_CONFIG_DIR")
    return (where.cwd / chosen if chosen else where.home) / ".claude.json"


def registered(where: Surroundings) -> object:
    """Return what Claude Code knows under our name for every folder of this person, None for nothing."""
    try:
        value: object = json.loads(files.read(memory(where)).text or "{}")
    except (OSError, ValueError, RecursionError, InstallRefused):
        return None
    for name in ("mcpServers", SERVER):
        value = cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
    return value


def is_own(entry: object) -> bool:
    """Tell whether a registered server is ours, of any version."""
    args: object = cast("dict[str, object]", entry).get("args") if isinstance(entry, dict) else None
    if not isinstance(args, list):
        return False
    words = cast("list[object]", args)
    return any(words[at : at + len(_WORDS)] == _WORDS for at in range(len(words)))


def _removal() -> list[str]:
    return ["mcp", "remove", *_SCOPE, SERVER]


def _shown(words: list[str]) -> str:
    return f"  {PROGRAM} {shlex.join(words)}"


def _ran(words: list[str], where: Surroundings) -> bool:
    """Run a command of Claude Code; tell whether it went well."""
    program = shutil.which(PROGRAM, path=where.environ.get("PATH"))
    if program is None:
        return False
    try:
        done = subprocess.run(
            [program, *words],
            cwd=where.cwd,
            env=dict(where.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_CALL_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
