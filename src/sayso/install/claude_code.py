"""What stands in the settings of Claude Code: which hooks, how they are put in, how they come out again.

The edits are text to text and know no files; `placing` carries them out. Claude Code 2.1.332 reads strict
JSON with an optional byte order mark (one comment and it ignores the whole file), takes the last of two
members with the same name, and runs identical commands of several settings files once.

Not here: what the hook does. Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any, NamedTuple, cast

from sayso.install import InstallRefused, foreign, jsontext

AGENT = "claude-code"
CREATED = "{\n\n"
"""How a file begins that came with our hooks: nobody else leaves a blank line there."""
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


def placed(text: str) -> frozenset[tuple[str, ...]]:
    """Return the different commands of ours in the text of some settings."""
    return frozenset(place.command for place in _own(text, parse(text)))


class _Place(NamedTuple):
    """One entry of ours: the way down to the handler, as containers and the index in each of them."""

    parents: tuple[jsontext.Node, ...]  # document, hooks, list of an event, group, its hooks
    indexes: tuple[int, ...]
    command: tuple[str, ...]

    @property
    def event(self) -> str | None:
        return self.parents[1].children[self.indexes[1]].key

    @property
    def alone(self) -> bool:
        """Is it the only one of its group? Then the group is ours as well."""
        lists = [child for child in self.parents[3].children if child.key == "hooks"]
        return len(lists) == 1 and len(self.parents[4].children) == 1


def _own(text: str, root: jsontext.Node) -> list[_Place]:
    """Find all entries of ours, in the order of the text."""
    found: list[_Place] = []
    # A place is a path through object, object, array, object, array.
    ways: list[tuple[tuple[jsontext.Node, ...], tuple[int, ...]]] = [((root,), ())]
    for keys in ({"hooks"}, None, None, {"hooks"}):
        ways = [
            ((*nodes, child.value), (*indexes, i))
            for nodes, indexes in ways
            for i, child in enumerate(nodes[-1].children)
            if keys is None or child.key in keys
        ]
    for nodes, indexes in ways:
        kinds = [node.kind for node in nodes]
        if kinds != ["object", "object", "array", "object", "array"]:
            continue
        for i, child in enumerate(nodes[-1].children):
            if command := own_command(_value(text, child.value)):
                found.append(_Place(nodes, (*indexes, i), command))
    return found


def is_blank(text: str) -> bool:
    """Tell whether a file holds nothing. Claude Code takes it for one without settings."""
    return not text.removeprefix(jsontext.BOM).strip(" \t\r\n")


def _value(text: str, node: jsontext.Node) -> object:
    return json.loads(text[node.start : node.end])


def parse(text: str) -> jsontext.Node:
    """Parse settings, or say why they are left alone."""
    if is_blank(text):
        raise InstallRefused("The file is empty, so it is not JSON. Remove it, and a new one will be made.")
    try:
        root = jsontext.parse(text)
    except jsontext.NotJson as error:
        raise InstallRefused(
            f"These settings are not plain JSON: {error}. "
            "Claude Code ignores such a file as a whole; mend it first."
        ) from None
    if root.kind != "object":
        raise InstallRefused("These settings are JSON, but not an object { … }. Mend the file first.")
    return root


# --- text to text -------------------------------------------------------------------------------


def placement(text: str | None, hooks: Json) -> str:
    """Put our hooks into the text of some settings; None means that there is no file yet.

    Entries of ours that are there already are replaced where they stand; the same twice changes nothing.
    """
    if text is None:
        return CREATED + json.dumps({"hooks": hooks}, ensure_ascii=False, indent=2)[2:] + "\n"
    after = _without_strays(text, hooks)
    for event, (group,) in hooks.items():
        after = _placed_one(after, event, group)
    foreign.check(text, after, is_own)
    if {event: groups for event, groups in _effective(after).items() if groups} != hooks:
        raise InstallRefused("The changed settings do not hold what was to be put in; nothing was written.")
    return after


def removal(text: str) -> str:
    """Take our hooks out of the text of some settings, and what came with them."""
    after = text
    # From the end to the start, so that each step meets what the placing of this entry left behind.
    while places := _own(after, parse(after)):
        after = _cut(after, places[-1])
    foreign.check(text, after, is_own)
    return after


def created(text: str) -> bool:
    """Tell whether the file itself came with our hooks, and holds nothing else: then it goes with them."""
    return text.startswith(CREATED) and removal(text) == "{}\n"


def _without_strays(text: str, hooks: Json) -> str:
    """Leave at most one entry of ours for each event, and only where it can be replaced as a whole."""
    while True:
        root = parse(text)
        kept: set[str | None] = set()
        strays: list[_Place] = []
        for place in _own(text, root):
            if place.alone and place.event in hooks and place.event not in kept and _is_effective(place):
                kept.add(place.event)
            else:
                strays.append(place)
        if not strays:
            return text
        text = _cut(text, strays[-1])


def _is_effective(place: _Place) -> bool:
    """Is it in the list that Claude Code reads, and not in one that a later one of that name hides?"""
    root, hooks, events, *_ = place.parents
    return root.last("hooks") is hooks and hooks.last(place.event or "") is events


def _placed_one(text: str, event: str, group: Json) -> str:
    root = parse(text)
    if (hooks := root.last("hooks")) is None:
        return jsontext.append(text, (root,), "hooks", {event: [group]})
    _expect(hooks, "object", "hooks")
    if (groups := hooks.last(event)) is None:
        return jsontext.append(text, (root, hooks), event, [group])
    _expect(groups, "array", f"hooks.{event}")
    for place in _own(text, root):
        if place.parents[2] is groups:
            return _replaced(text, place, group)
    return jsontext.append(text, (root, hooks, groups), None, group)


def _expect(node: jsontext.Node, kind: str, name: str) -> None:
    if node.kind != kind:
        raise InstallRefused(
            f"In these settings {name} is not an {kind}, so Claude Code ignores it. Mend it first."
        )


def _replaced(text: str, place: _Place, group: Json) -> str:
    old = place.parents[3]
    if _value(text, old) == group:
        return text
    indent = jsontext.indent_of(text, place.parents[:3])
    new = jsontext.render(text, group, indent, jsontext.unit(text, place.parents[0]))
    return text[: old.start] + new + text[old.end :]


def _cut(text: str, place: _Place) -> str:
    """Take out an entry and every container around it that holds nothing else, unless it was there before."""
    if not place.alone:
        return jsontext.cut(text, place.parents, place.indexes[4])
    level = 2  # the list that holds the group
    while (
        level and len(place.parents[level].children) == 1 and not jsontext.marked(text, place.parents[level])
    ):
        level -= 1
    return jsontext.cut(text, place.parents[: level + 1], place.indexes[level])


def _effective(text: str) -> Json:
    """Return our groups as Claude Code reads them: of members with the same name the last counts."""
    settings: Json = json.loads(text.removeprefix(jsontext.BOM))
    events = cast("dict[str, object]", settings["hooks"])
    lists = {
        event: cast("list[object]", groups) for event, groups in events.items() if isinstance(groups, list)
    }
    return {event: [group for group in groups if _is_own_group(group)] for event, groups in lists.items()}


def _is_own_group(group: object) -> bool:
    handlers: object = cast("Json", group).get("hooks") if isinstance(group, dict) else None
    return isinstance(handlers, list) and any(map(is_own, cast("list[object]", handlers)))
