"""What stands in the settings of Claude Code: which hooks, and how one of ours is known again.

Claude Code 2.1.332 reads strict JSON with an optional byte order mark (one comment and it ignores the whole
file), takes the last of two members with the same name, and runs identical commands of several settings
files once.

Not here: what the hook does, and the edits themselves (`hooktext`). Imports the standard library and its
neighbours alone.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any, NamedTuple, cast

from sayso.install import InstallRefused, hooktext

AGENT = "claude-code"
Json = dict[str, Any]

# Without these a missing interpreter or hook would print an error at every event. `sh -c TEXT A B …` makes A
# the text's $0, B its $1, and so on.
#   guard: $0 python  $1 -I  $2 -S  $3 hook  $4 claude-code …       "$@" lacks $0, the program
#   gate:  $0 flags   $1 python  $2 -I  $3 -S  $4 hook  $5 …        "$@" is the program and its arguments
GUARD = '[ -x "$0" ] && [ -r "$3" ] || exit 0; exec "$0" "$@"'
# Tool calls are many, and most sessions have nothing pending: the shell looks for the session's flag and no
# Python is started without one. -f, since with no session id in the environment -e would find the folder.
GATE = '[ -f "$0/$CLAUDE_CODE_SESSION_ID" ] && [ -x "$1" ] && [ -r "$4" ] || exit 0; exec "$@"'


class _Event(NamedTuple):
    name: str
    timeout_s: int
    gated: bool = False
    matcher: str | None = None


# The hook holds a permission for 3,590 s: ten seconds to end by itself, before it would be killed.
EVENTS = (
    _Event("PermissionRequest", 3600),
    _Event("Elicitation", 600),
    _Event("PostToolUse", 5, gated=True),
    _Event("PostToolUseFailure", 5, gated=True),
    _Event("PostToolBatch", 5, gated=True),
    _Event("Stop", 5),
    _Event("StopFailure", 5),
    _Event("SubagentStop", 5),
    _Event("UserPromptSubmit", 5),
    _Event("SessionStart", 5),
    _Event("SessionEnd", 5),
    _Event("ElicitationResult", 5),
    _Event("Notification", 5, matcher="idle_prompt"),
)


def hook_settings(python: str, hook: str, socket: str, flags: str, start: str = "", home: str = "") -> Json:
    """Return the value of `hooks`, as it stands in settings. All are absolute paths.

    `start`: the interpreter with which a session's start may start a desk, "" when it may not; `home`: where
    that desk is a private one. Every entry has them, so that the agent still runs one command.
    """
    paths = {"interpreter": python, "hook": hook, "socket": socket, "flag folder": flags}
    options = {"--start": start, "--home": home if start else ""}
    for what, path in (paths | {what: path for what, path in options.items() if path}).items():
        _check_path(what, path)
    tail = [python, "-I", "-S", hook, AGENT, "--socket", socket, "--flags", flags]
    tail += [word for name, path in options.items() if path for word in (name, path)]
    return {event.name: [_group(event, tail, flags)] for event in EVENTS}


def _check_path(what: str, path: str) -> None:
    if not PurePosixPath(path).is_absolute():
        raise InstallRefused(f"The path of the {what} is not absolute: {path!r}")
    if (
        not path.isprintable()
    ):  # a newline, a NUL, bytes that are not UTF-8: JSON or a shell would change them
        raise InstallRefused(f"The path of the {what} holds characters that settings cannot carry: {path!r}")


def _group(event: _Event, tail: list[str], flags: str) -> Json:
    args = ["-c", GATE, flags, *tail] if event.gated else ["-c", GUARD, *tail]
    handler = {"type": "command", "command": "/bin/sh", "args": args, "timeout": event.timeout_s}
    matcher = {} if event.matcher is None else {"matcher": event.matcher}
    return {**matcher, "hooks": [handler]}


def printed(hooks: Json) -> str:
    """Return the text for `claude --settings`."""
    return json.dumps({"hooks": hooks}, ensure_ascii=False)


# --- recognising ours ---------------------------------------------------------------------------


def own_command(handler: object) -> tuple[str, ...] | None:
    """Return the command behind the guard of one of our entries, of any version; None if it is not ours."""
    if not isinstance(handler, dict):
        return None
    fields = cast("Json", handler)
    args: object = fields.get("args")
    if fields.get("command") != "/bin/sh" or not isinstance(args, list):
        return None
    words = [word if isinstance(word, str) else "" for word in cast("list[object]", args)]
    at = words.index(AGENT) if AGENT in words else 0
    if (
        at < 5
        or words[0] != "-c"
        or words[at - 3 : at - 1] != ["-I", "-S"]
        or words[at + 1 : at + 2] != ["--socket"]
    ):
        return None
    return tuple(words[at - 4 :])


def is_own(handler: object) -> bool:
    """Tell whether a hook is one of ours."""
    return own_command(handler) is not None


# --- text to text -------------------------------------------------------------------------------

_TEXT = hooktext.HookText("Claude Code", own_command)
placement = _TEXT.placement
removal = _TEXT.removal
placed = _TEXT.placed
created = _TEXT.created
parse = _TEXT.parse
is_blank = hooktext.is_blank
CREATED = hooktext.CREATED
