"""What stands in Codex's `hooks.json`: which hooks, how one of ours is known again, what Codex can read.

Codex 0.171.0 trusts a hook by its place in the list and by a sum over its entry, so ours stand last, their
numbers are whole seconds, and the command is the same for good: it names a launcher of ours, and everything
that changes stands in there. One thing that Codex does not expect, and it ignores the file as a whole.

Not here: the edits themselves (`hooktext`), where files are (`codex_places`), trust (`codex_trust`). Imports
the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple, cast

from sayso.install import InstallRefused, hooktext, jsontext

AGENT = "codex"
LAUNCHER = "sayso-hook.sh"
"""The name of the launcher, by which an entry of ours is known."""
Json = dict[str, Any]

# `$SHELL -c` starts the command, so whatever needs a shell's grammar stands in one quoted word. A launcher
# that is gone is silence: sessions that run keep the hooks they began with.
GUARD = '[ -r "$0" ] || exit 0; . "$0"'
GATED = "gated"
"""The word with which a tool call's hook starts nothing while nothing of any session is open."""
STATUS = "sayso asks elsewhere too, for 25 s at most"


class _Event(NamedTuple):
    name: str
    timeout_s: int
    gated: bool = False
    matcher: str | None = None
    status: str | None = None


EVENTS = (
    _Event("PermissionRequest", 30, status=STATUS),
    _Event("PostToolUse", 5, gated=True, matcher="^(Bash|apply_patch|mcp__.+)$"),
    _Event("Stop", 5),
    _Event("UserPromptSubmit", 5),
    _Event("SessionStart", 5),
    _Event("Interrupt", 3),
)


def hook_settings(launcher: str) -> Json:
    """Return the value of `hooks`, as it stands in `hooks.json`."""
    _check_path(launcher)
    return {event.name: [_group(event, launcher)] for event in EVENTS}


def _check_path(path: str) -> None:
    if not PurePosixPath(path).is_absolute() or not path.isprintable():
        raise InstallRefused(f"Codex's hooks cannot name this path: {path!r}")


def _group(event: _Event, launcher: str) -> Json:
    words = ["/bin/sh", "-c", GUARD, launcher, *([GATED] if event.gated else [])]
    handler: Json = {"type": "command", "command": shlex.join(words), "timeout": event.timeout_s}
    if event.status is not None:
        handler["statusMessage"] = event.status
    matcher = {} if event.matcher is None else {"matcher": event.matcher}
    return {**matcher, "hooks": [handler]}


def launcher_text(python: str, hook: str, socket: str, flags: str) -> str:
    """Return the launcher: what a hook starts, and for tool calls whether it starts anything."""
    command = shlex.join([python, "-I", "-S", hook, AGENT, "--socket", socket, "--flags", flags])
    return (
        "# Written by `sayso install codex`: what its hooks in Codex run.\n"
        f'if [ "$1" = {GATED} ]; then\n'
        f'    set -- {shlex.quote(flags)}/*\n    [ -f "$1" ] || exit 0\nfi\n'
        f"[ -x {shlex.quote(python)} ] && [ -r {shlex.quote(hook)} ] || exit 0\n"
        f"exec {command}\n"
    )


def launched(text: str) -> tuple[str, ...]:
    """Return the command in a launcher; () where there is none."""
    lines = [line for line in text.splitlines() if line.startswith("exec ")]
    try:
        return tuple(shlex.split(lines[0])[1:]) if lines else ()
    except ValueError:
        return ()


def printed(hooks: Json) -> str:
    """Return the text of a `hooks.json` that holds our hooks alone."""
    return json.dumps({"hooks": hooks}, ensure_ascii=False, indent=2)


# --- recognising ours ---------------------------------------------------------------------------


def own_command(handler: object) -> tuple[str, ...] | None:
    """Return the words of the command of one of our entries, of any version; None if it is not ours."""
    command = cast("Json", handler).get("command") if isinstance(handler, dict) else None
    return own_words(command)


def own_words(command: object) -> tuple[str, ...] | None:
    """Return the words of a command of ours, None for another's."""
    if not isinstance(command, str) or LAUNCHER not in command:
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    is_ours = words[:2] == ["/bin/sh", "-c"] and PurePosixPath(words[3] if words[3:] else "").name == LAUNCHER
    return tuple(words) if is_ours else None


_TEXT = hooktext.HookText("Codex", own_command, keeps_places=True)
placed = _TEXT.placed
created = _TEXT.created


def placement(text: str | None, hooks: Json) -> str:
    """Put our hooks into the text of a `hooks.json`, behind everything else."""
    if text is not None:
        check(text)
    return _TEXT.placement(text, hooks)


def removal(text: str) -> str:
    """Take our hooks out of the text of a `hooks.json`; what stands behind them keeps its place."""
    return _TEXT.removal(text)


# --- what Codex can read ------------------------------------------------------------------------

_WHOLE = re.compile(r"0|[1-9][0-9]*")
_KINDS = ("command", "mcp_tool", "prompt", "agent")
_KNOWN = frozenset(event.name for event in EVENTS) | {
    *("PreToolUse", "PreCompact", "PostCompact", "SessionEnd", "SubagentStart", "SubagentStop"),
    *("PreModelRequest", "PostModelRequest"),
}


def check(text: str) -> None:
    """Refuse a file that Codex ignores as a whole, by what the program was seen to refuse.

    Raises:
        InstallRefused: with what it does not read.
    """
    root = _TEXT.parse(text)
    if trouble := next(_troubles(text, root), ""):
        raise InstallRefused(f"Codex ignores this file as a whole: {trouble}. Mend it first.")


def _troubles(text: str, root: jsontext.Node) -> Iterator[str]:
    if text.startswith(jsontext.BOM):
        yield "it begins with a byte order mark"
    names = [child.key for child in root.children]
    yield from (f"it knows no {name!r} there" for name in names if name not in ("hooks", "description"))
    yield from _twice(names)
    hooks = root.last("hooks")
    if hooks is not None:
        yield from _in_events(text, hooks)


def _twice(names: list[str | None]) -> Iterator[str]:
    yield from (f"{name!r} is there twice" for name in dict.fromkeys(names) if names.count(name) > 1)


def _in_events(text: str, hooks: jsontext.Node) -> Iterator[str]:
    if hooks.kind != "object":
        yield "its hooks are no object"
        return
    events = [child for child in hooks.children if child.key in _KNOWN]
    yield from _twice([child.key for child in events])
    for child in events:
        if child.value.kind != "array":
            yield f"{child.key} is no list"
        for group in child.value.children:
            yield from _in_group(text, str(child.key), group.value)


def _in_group(text: str, event: str, group: jsontext.Node) -> Iterator[str]:
    if group.kind != "object":
        yield f"a group of {event} is no object"
        return
    yield from _twice([child.key for child in group.children if child.key in ("hooks", "matcher")])
    matcher = group.last("matcher")
    if matcher is not None and matcher.kind != "string" and text[matcher.start : matcher.end] != "null":
        yield f"a matcher of {event} is no text"
    handlers = group.last("hooks")
    if handlers is not None and handlers.kind != "array":
        yield f"the hooks of a group of {event} are no list"
        return
    for handler in handlers.children if handlers is not None else ():
        yield from _in_handler(text, event, handler.value)


def _in_handler(text: str, event: str, handler: jsontext.Node) -> Iterator[str]:
    if handler.kind != "object":
        yield f"a hook of {event} is no object"
        return
    yield from _twice(
        [child.key for child in handler.children if child.key in ("type", "command", "timeout")]
    )
    kind, command, timeout = (handler.last(name) for name in ("type", "command", "timeout"))
    said = json.loads(text[kind.start : kind.end]) if kind is not None and kind.kind == "string" else None
    if said not in _KINDS:
        yield f"a hook of {event} is of no type that it knows"
    if said == "command" and (command is None or command.kind != "string"):
        yield f"a hook of {event} has no command"
    number = "null" if timeout is None else text[timeout.start : timeout.end]
    if number != "null" and not _WHOLE.fullmatch(number):
        yield f"a hook of {event} has the timeout {number}, which is no whole number of seconds"
