"""What Codex wants allowed: a command, input for a terminal, changes of files, more permissions, a tool call.

An "always" is offered where Codex offers it, and named in plain words; what it names in a way that is not
known here keeps its place and is never offered. May import `core.digest` and its siblings.
"""

from sayso.agents import Unrenderable, Unshowable
from sayso.agents.claude_asks import row
from sayso.core.digest import is_object, items, members, readable, shown, text

Dict = dict[str, object]

SESSION = "for the rest of this session"
FOR_GOOD = "from now on"
REASON = "Reason"
"""The label of what the model says for itself."""
_QUIET = ("threadId", "turnId", "itemId", "startedAtMs", "kind", "approvalId", "commandActions")
"""Members that tell a person nothing that is not shown already."""


def deny(_params: Dict) -> Dict:
    return {"decision": "decline"}


def stop() -> Dict:
    """Return a refusal that also ends the turn."""
    return {"decision": "cancel"}


def _rest(params: Dict, known: "tuple[str, ...]") -> "list[Dict]":
    """Return a row for every member that is neither known nor quiet: nothing is left out."""
    names = [name for name in params if name not in known and name not in _QUIET]
    return [row(name, params[name]) for name in names if params[name] is not None]


# --- commands ------------------------------------------------------------------------------------

_COMMAND = (
    *("command", "reason", "cwd", "environmentId", "networkApprovalContext", "additionalPermissions"),
    *("proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments", "availableDecisions"),
)
_TOOLS = {"command": ("Bash", "Command"), "writeStdin": ("write_stdin", "Input for a running terminal")}


def command(params: Dict, _item: Dict) -> Dict:
    """Return what is shown of a command, of input for a terminal, or of a host to be reached."""
    kind = params.get("kind", "command")
    if not isinstance(kind, str) or kind not in _TOOLS:
        raise Unshowable("it wants something approved in a way that is not known here")
    tool, label = _TOOLS[kind]
    words, network = text(params.get("command")), members(params.get("networkApprovalContext"))
    if not words.strip() and not network:
        raise Unshowable("it does not say what would run")
    found = [row(label, words, True)] if words else []
    if network:
        found.append(row("Network", f"{text(network.get('protocol'))} {text(network.get('host'))}", True))
    for member, name in (("reason", REASON), ("cwd", "Folder")):
        if text(params.get(member)):
            found.append(row(name, params[member], member == "cwd"))
    if params.get("environmentId") not in (None, "local"):
        found.append(row("Environment", params["environmentId"]))
    found += _granted(members(params.get("additionalPermissions")))
    seen: Dict = {"tool": tool, "input": [*found, *_rest(params, _COMMAND)]}
    labels = [label for label, _ in _choices(params)]
    if labels:
        seen["suggestions"] = labels
    return seen


def _choices(params: Dict) -> "list[tuple[str, object]]":
    """Return the decisions that are offered beside a plain yes and no, with their words."""
    return [
        (_named(one), one)
        for one in items(params.get("availableDecisions"))
        if one not in ("accept", "decline", "cancel")
    ]


def _named(decision: object) -> str:
    """Return what a decision does, and for how long; "" for one that is never offered."""
    if decision == "acceptForSession":
        return f"Allow this command {SESSION}"
    parts = members(decision)
    if set(parts) == {"acceptWithExecpolicyAmendment"}:
        words = items(members(parts["acceptWithExecpolicyAmendment"]).get("execpolicy_amendment"))
        if words and all(isinstance(word, str) for word in words):
            return shown(f"Allow {FOR_GOOD} every command that begins with: {_joined(words)}")
    if set(parts) == {"applyNetworkPolicyAmendment"}:
        rule = members(members(parts["applyNetworkPolicyAmendment"]).get("network_policy_amendment"))
        if set(rule) == {"host", "action"} and rule["action"] == "allow" and text(rule["host"]):
            return shown(f"Allow {FOR_GOOD} to reach {text(rule['host'])}")
    return ""


def _joined(words: "list[object] | tuple[object, ...]") -> str:
    """Return the words of a command; those that a reader could take for several are quoted."""
    plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+"
    return " ".join(word if word and not word.strip(plain) else readable(word) for word in map(text, words))


def allow_command(params: Dict, _seen: Dict, decision: Dict) -> Dict:
    chosen = decision.get("suggestion")
    if chosen is None:
        return {"decision": "accept"}
    label, offered = _picked(_choices(params), chosen)
    if not label:
        raise Unrenderable("this decision is never offered")
    return {"decision": offered}


def _picked(choices: "list[tuple[str, object]]", chosen: object) -> "tuple[str, object]":
    return choices[position(chosen, len(choices))]


def position(value: object, count: int) -> int:
    """Return a position in what was offered.

    Raises:
        Unrenderable: it lies outside.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise Unrenderable("a position lies outside of what was offered")
    return value


# --- changes of files ----------------------------------------------------------------------------

_CHANGES = {
    "add": ("New file", "Content"),
    "delete": ("Delete file", "Content until now"),
    "update": ("File", "Patch"),
}
_FILES_TOO = f"Allow changes of these files {SESSION}"


def change(params: Dict, item: Dict) -> Dict:
    """Return what is shown of changes of files; they stand in the item, not in the request."""
    changes = items(item.get("changes"))
    if item.get("type") != "fileChange" or not changes:
        raise Unshowable("the changes themselves are not known here")
    found = [row(REASON, params["reason"])] if text(params.get("reason")) else []
    if text(params.get("grantRoot")):
        found.append(row(f"Would allow writing {SESSION} below", params["grantRoot"], True))
    for one in changes:
        found += _changed(members(one))
    found += _rest(params, ("reason", "grantRoot"))
    return {"tool": "apply_patch", "input": found, "suggestions": [_FILES_TOO]}


def _changed(one: Dict) -> "list[Dict]":
    kind, path, diff = members(one.get("kind")), text(one.get("path")), one.get("diff")
    names = _CHANGES.get(text(kind.get("type")))
    if names is None or not path or not isinstance(diff, str):
        raise Unshowable("it changes a file in a way that is not known here")
    found = [row(names[0], path, True)]
    if kind.get("move_path") is not None:
        found.append(row("Moved to", kind["move_path"], True))
    return [*found, row(names[1], diff, True)]


def allow_change(_params: Dict, _seen: Dict, decision: Dict) -> Dict:
    chosen = decision.get("suggestion")
    if chosen is None:
        return {"decision": "accept"}
    return {"decision": _picked([(_FILES_TOO, "acceptForSession")], chosen)[1]}


# --- permissions ---------------------------------------------------------------------------------

_ACCESS = {"read": "Read", "write": "Write", "deny": "Neither read nor write"}
_FOR_SESSION = f"Grant these permissions {SESSION}, not for this turn alone"


def permissions(params: Dict, _item: Dict) -> Dict:
    """Return what is shown of permissions that are asked for."""
    wanted = params.get("permissions")
    found = _granted(members(wanted))
    if not found:
        raise Unshowable("it does not say which permissions it wants")
    if text(params.get("reason")):
        found.insert(0, row(REASON, params["reason"]))
    if params.get("environmentId") not in (None, "local"):
        found.append(row("Environment", params["environmentId"]))
    found += _rest(params, ("permissions", "reason", "cwd", "environmentId"))
    return {"tool": "request_permissions", "input": found, "suggestions": [_FOR_SESSION]}


def _granted(wanted: Dict) -> "list[Dict]":
    """Return a row for each permission in a profile; one that has no words is shown as it came."""
    found: list[Dict] = []
    for name, value in wanted.items():
        parts = members(value)
        if name == "network" and set(parts) == {"enabled"} and isinstance(parts["enabled"], bool):
            found.append(row("Network", "yes" if parts["enabled"] else "no"))
        elif name == "fileSystem" and is_object(value):
            found += _files(parts)
        elif value is not None:
            found.append(row(name, value))
    return found


def _files(parts: Dict) -> "list[Dict]":
    """Return a row for each access. `entries` say all of it; `read` and `write` the same, for old servers."""
    found: list[Dict] = []
    entries = [members(one) for one in items(parts.get("entries"))]
    for entry in entries:
        label, where = _ACCESS.get(text(entry.get("access"))), members(entry.get("path"))
        plain = where.get("path") if where.get("type") == "path" else where.get("pattern")
        if label is None or not isinstance(plain, str) or set(entry) != {"access", "path"}:
            found.append(row("Access to files", entry))
        else:
            found.append(row(label, plain, True))
    told = {(one["label"], one["value"]) for one in found}
    for name, label in (("read", "Read"), ("write", "Write")):
        rows = [row(label, path, True) for path in items(parts.get(name))]
        found += [one for one in rows if (one["label"], one["value"]) not in told]
    found += [
        row(name, value)
        for name, value in parts.items()
        if name not in ("entries", "read", "write") and value is not None
    ]
    return found


def allow_permissions(params: Dict, _seen: Dict, decision: Dict) -> Dict:
    """Grant what was asked for, and no more; for the turn, unless the session was chosen."""
    wanted = members(params["permissions"])
    chosen, scope = decision.get("suggestion"), "turn"
    if chosen is not None:
        scope = _picked([(_FOR_SESSION, "session")], chosen)[1]
    granted = {name: value for name, value in wanted.items() if value is not None}
    return {"permissions": granted, "scope": scope}


def grant_nothing(_params: Dict) -> Dict:
    return {"permissions": {}, "scope": "turn"}


# --- tool calls of MCP servers -------------------------------------------------------------------

_PERSIST = {
    "session": f"Allow this tool {SESSION}",
    "always": f"Allow this tool {FOR_GOOD}",
}
_META = (
    *("codex_approval_kind", "persist", "tool_name", "tool_title", "tool_description", "tool_params"),
    *("tool_params_display", "connector_name", "connector_id", "connector_description"),
)
_REFUSED = ("user rejected MCP tool call", "user cancelled MCP tool call")


def is_tool_call(params: Dict) -> bool:
    return members(params.get("_meta")).get("codex_approval_kind") == "mcp_tool_call"


def tool_call(params: Dict, _item: Dict) -> Dict:
    """Return what is shown of a tool call that is asked for as if it were a form."""
    meta, server = members(params["_meta"]), text(params.get("serverName"))
    tool, given = text(meta.get("tool_name")), meta.get("tool_params")
    schema = members(params.get("requestedSchema"))
    if not tool or not server or params.get("mode") != "form" or members(schema.get("properties")):
        raise Unshowable("it wants a tool call approved in a way that is not known here")
    found = [row("MCP server", server), row("Tool", text(meta.get("tool_title")) or tool)]
    if is_object(given):
        found += [row(name, value) for name, value in members(given).items()]
    elif given is not None:
        found.append(row("Input", given))
    if text(meta.get("tool_description")):
        found.append(row("Description", meta["tool_description"]))
    found += [row(name, meta[name]) for name in meta if name not in _META and meta[name] is not None]
    found.append(row("Message", text(params.get("message"))))
    seen: Dict = {"tool": shown(f"mcp__{server}__{tool}"), "input": found}
    labels = [label for label, _ in _persisted(params)]
    if labels:
        seen["suggestions"] = labels
    return seen


def _persisted(params: Dict) -> "list[tuple[str, object]]":
    offered = members(params["_meta"]).get("persist")
    choices = (offered,) if isinstance(offered, str) else items(offered)
    return [(_PERSIST.get(text(one), ""), one) for one in choices]


def allow_tool_call(params: Dict, _seen: Dict, decision: Dict) -> Dict:
    chosen = decision.get("suggestion")
    if chosen is None:
        return {"action": "accept", "content": {}, "_meta": None}
    label, persist = _picked(_persisted(params), chosen)
    if not label:
        raise Unrenderable("this choice is never offered")
    return {"action": "accept", "content": {}, "_meta": {"persist": persist}}


def called(params: Dict, open_items: "dict[str, Dict]") -> Dict:
    """Return the call that is asked about, the oldest of equal ones; {} if it cannot be told."""
    meta = members(params.get("_meta"))
    wanted = (params.get("serverName"), meta.get("tool_name"), meta.get("tool_params"))
    for item in open_items.values():
        found = (item.get("server"), item.get("tool"), item.get("arguments"))
        if item.get("type") == "mcpToolCall" and found == wanted:
            return item
    return {}


def was_refused(item: Dict) -> bool:
    """Tell whether a call failed because somebody said no."""
    return text(members(item.get("error")).get("message")) in _REFUSED
