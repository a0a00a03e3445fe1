"""Codex's hooks: their payloads, and what Codex expects back. Speaks of 0.171.0.

For sessions that run inside of their own terminal's process. Codex shows no prompt while its hook of
PermissionRequest waits, and takes whatever it does not know for a failed hook: one line in exactly these
shapes, or none. A command is known again by itself alone: what Codex tells before and after it ran
differs in a reason and in a line end. Not here: its app server, sockets, clocks and the environment of
this process. May import `core.digest` and its package.
"""

from sayso.agents import Unrenderable, Unshowable
from sayso.core.digest import NotJson, digest, dumps, is_object, items, members, readable, shown, text

NAME = "codex"
PID_VARIABLE = ""
"""It does not tell its pid; what another agent above it told is not its own."""

POLICY: dict[str, object] = {
    # The desk lets go five seconds before `hold_s`, which is thus 25, and the hook two before it.
    "asks": {
        "PermissionRequest": {
            "timeout_s": 30,
            "hold_s": 30.0,
            "attended": "exclusive",
            "unattended": "exclusive",
            "subagent": "exclusive",
        },
    },
    "observes": {
        "PostToolUse": {"timeout_s": 5, "matcher": "^(Bash|apply_patch|mcp__.+)$"},
        "Stop": {"timeout_s": 5},
        "UserPromptSubmit": {"timeout_s": 5},
        "SessionStart": {"timeout_s": 5},
        "Interrupt": {"timeout_s": 3},
    },
    "kinds": ("permission",),
    "interrupts": (),
    # Events that can hand the main agent a message.
    "messages": ("PostToolUse", "Stop"),
}

COMMANDS = ("Bash", "apply_patch")
"""Tools whose input is one text, named `command`."""
REASON = "description"
"""The member in which the model says why it wants a command to run."""
LABELS = {"Bash": {"command": "Command", REASON: "Reason"}, "apply_patch": {"command": "Patch"}}
NO_REASON = "The user denied this and gave no reason."
PROMPT_CHARS = 4000
SESSION_ID_CHARS = 64
SESSION_ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_MCP = "mcp__"

Dict = dict[str, object]


def parse(payload: object, env: dict[str, str]) -> tuple[str, Dict] | None:
    """Return ("ask", Ask) or ("event", HookEvent) as plain dicts, or None for nothing of ours.

    Never raises. The environment tells nothing: it is that of whoever started the server.
    """
    told = members(payload)
    session_id = text(told.get("session_id"))
    name = text(told.get("hook_event_name"))
    if not is_session_id(session_id):
        return None
    if name == "PermissionRequest":
        return "ask", ask(told)
    reader = _READERS.get(name)
    if reader is None:
        return None
    return "event", {"agent": NAME, "session_id": session_id, **_common(told), **reader(told)}


def is_session_id(value: str) -> bool:
    """Tell whether this may name a session, and thus a file."""
    return 0 < len(value) <= SESSION_ID_CHARS and not value.strip(SESSION_ID_ALPHABET)


_COMMON = (
    ("agent_id", "agent_id"),
    ("prompt_id", "turn_id"),
    ("mode", "permission_mode"),
    ("cwd", "cwd"),
)


def _common(payload: Dict) -> Dict:
    found = {name: shown(text(payload.get(member))) for name, member in _COMMON}
    return {name: value for name, value in found.items() if value}


def identity(payload: Dict) -> str:
    """Return what the request for a tool call and the call that ran have in common; "" for nothing."""
    tool, tool_input = text(payload.get("tool_name")), payload.get("tool_input")
    if tool in COMMANDS:
        return digest(tool, text(members(tool_input).get("command")).strip())
    return digest(tool, tool_input)


def content(tool: str, tool_input: object) -> str:
    """Return what the requests for two same commands have in common: everything but the model's reason."""
    given = members(tool_input)
    return digest(tool, {name: given[name] for name in given if name != REASON})


# --- what is asked -----------------------------------------------------------------------------


def ask(payload: Dict) -> Dict:
    """Return the ask of a PermissionRequest, in the shape of `core.types.Ask`."""
    tool = text(payload.get("tool_name"))
    asked: Dict = {
        "agent": NAME,
        "session_id": text(payload.get("session_id")),
        "kind": "permission",
        "tool": shown(tool),
        "digest": identity(payload),
        "hold": "exclusive",
        "hold_s": 30.0,
        "attended": True,
        "agent_type": shown(text(payload.get("agent_type"))),
        **_common(payload),
    }
    if tool in COMMANDS:  # elsewhere the identity is all of the input
        asked["content"] = content(tool, payload.get("tool_input"))
    try:
        asked["input"] = rows(tool, payload.get("tool_input"))
    except Unshowable as reason:
        asked["unshowable"] = str(reason)
    except NotJson:
        asked["unshowable"] = "its input is nested too deeply"
    return asked


def rows(tool: str, tool_input: object) -> list[Dict]:
    """Return a row for every member of a tool's input, the known ones first.

    Raises:
        Unshowable: it is not what such a call holds.
    """
    if not tool:
        raise Unshowable("it does not name the tool")
    if not is_object(tool_input):
        raise Unshowable("its input is not an object")
    given = members(tool_input)
    known = LABELS.get(tool, {})
    names = [name for name in known if name in given] + [name for name in given if name not in known]
    found = [_row(known.get(name, name), given[name], name == "command") for name in names]
    if tool in COMMANDS and not text(given.get("command")).strip():
        found.insert(0, _row("Warning", "There is no command in this request.", False))
    server = tool.removeprefix(_MCP).partition("__")[0] if tool.startswith(_MCP) else ""
    return [_row("MCP server", server, False), *found] if server else found


def _row(label: str, value: object, code: bool) -> Dict:
    """Return a row: a string as it is, anything else as JSON."""
    made: Dict = {"label": shown(label) or '""'}
    made["value"] = shown(value) if isinstance(value, str) else readable(value)
    if code or not isinstance(value, str):
        made["code"] = True
    return made


# --- what is answered --------------------------------------------------------------------------


def render(payload: object, decision: Dict) -> tuple[bytes, str]:
    """Return the line for Codex, and "": no event tells that it took an answer but the call itself.

    Raises:
        Unrenderable: it does not fit; nothing must be written then.
    """
    told = members(payload)
    if told.get("hook_event_name") != "PermissionRequest":
        raise Unrenderable("this event is not answered")
    _check_plain(decision)
    behavior = decision.get("behavior")
    if behavior == "deny":
        message = decision.get("message", "")
        if not isinstance(message, str):
            raise Unrenderable("the message is not text")
        return _decided({"behavior": "deny", "message": message if message.strip() else NO_REASON}), ""
    if behavior != "allow":
        raise Unrenderable("neither allow nor deny")
    if "unshowable" in ask(told):
        raise Unrenderable("what could not be shown is not allowed")
    return _decided({"behavior": "allow"}), ""


def _check_plain(decision: Dict) -> None:
    """Raise Unrenderable for what Codex has no word for: it would take all of it for a failure."""
    if decision.get("suggestion") is not None or items(decision.get("answers")):
        raise Unrenderable("Codex's hook allows or denies, and nothing else")
    if any(decision.get(name) for name in ("interrupt", "mode", "plan", "content", "value")):
        raise Unrenderable("Codex's hook allows or denies, and nothing else")


def _decided(decision: Dict) -> bytes:
    return dumps({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}) + b"\n"


def takes(payload: object) -> bool:
    """Tell whether the hook of this event can hand the main agent a message."""
    told = members(payload)
    return text(told.get("hook_event_name")) in ("PostToolUse", "Stop") and not told.get("agent_id")


def message(payload: object, words: str) -> bytes:
    """Return the line that hands a person's message to the agent; b"" where this event cannot.

    Raises:
        Unrenderable: it is blank, and a turn would go on for nothing.
    """
    if not takes(payload):
        return b""
    if not words.strip():
        raise Unrenderable("the message is blank")
    if text(members(payload).get("hook_event_name")) == "Stop":
        return dumps({"decision": "block", "reason": words}) + b"\n"
    output: Dict = {"hookEventName": "PostToolUse", "additionalContext": words}
    return dumps({"hookSpecificOutput": output}) + b"\n"


# --- one reader for each event -----------------------------------------------------------------


def _prompt(payload: Dict) -> Dict:
    # What is cut here is far more than a card shows: the desk masks it whole, and cuts then.
    return {"type": "user-prompt-submit", "prompt": shown(text(payload.get("prompt"))[:PROMPT_CHARS])}


def _tool_done(payload: Dict) -> Dict:
    tool = text(payload.get("tool_name"))
    return {"type": "post-tool-use", "tool": shown(tool), "digest": identity(payload)}


def _stop(payload: Dict) -> Dict:
    continued: Dict = {"continued": True} if payload.get("stop_hook_active") is True else {}
    return {"type": "stop", **continued}


def _session_start(payload: Dict) -> Dict:
    return {"type": "session-start", "reason": shown(text(payload.get("source")))}


def _interrupt(payload: Dict) -> Dict:
    # The turn ended, and no Stop tells of it.
    return {"type": "stop-failure"}


_READERS = {
    "UserPromptSubmit": _prompt,
    "PostToolUse": _tool_done,
    "Stop": _stop,
    "SessionStart": _session_start,
    "Interrupt": _interrupt,
}
