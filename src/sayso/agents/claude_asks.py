"""What Claude Code asks, as a person is shown it: rows, suggestions, questions, a plan.

Nothing of a tool's input is left out: what has no place of its own becomes a row. What cannot be shown
faithfully gets a reason instead, and is then asked in the terminal. Not here: forms (`claude_forms`) and
the answers. May import `core.digest` and its siblings.
"""

from sayso.agents import Unshowable, tell_apart
from sayso.core.digest import NotJson, digest, is_array, is_object, items, members, readable, shown, text

MAX_QUESTIONS = 8
MAX_OPTIONS = 16
MAX_SUGGESTIONS = 16
MODES = ("default", "acceptEdits", "auto")
"""What a plan may be approved into; the mode that asks nothing any more is never among them."""

BYPASS = "bypassPermissions"

Dict = dict[str, object]


def ask(payload: Dict, env: dict[str, str]) -> Dict:
    """Return the ask of a PermissionRequest or an Elicitation, in the shape of `core.types.Ask`."""
    attended = _is_attended(env)
    form = payload.get("hook_event_name") == "Elicitation"
    parallel = attended and not form and not payload.get("agent_id")
    asked: Dict = {
        "agent": "claude-code",
        "session_id": text(payload.get("session_id")),
        "digest": _identity(payload, form),
        "hold": "parallel" if parallel else "exclusive",
        "hold_s": 595.0 if form else 3590.0,
        "attended": attended,
        "interrupt": not form,
    }
    for name, member in _COMMON:
        asked[name] = shown(text(payload.get(member)))
    asked["surface_id"] = shown(env.get("TMUX_PANE", ""))
    asked.update(content(payload))
    return asked


_COMMON = (
    ("agent_id", "agent_id"),
    ("agent_type", "agent_type"),
    ("prompt_id", "prompt_id"),
    ("mode", "permission_mode"),
    ("cwd", "cwd"),
)


def content(payload: Dict) -> Dict:
    """Return what is shown of a payload: kind, tool, rows and the rest, or `unshowable` with the reason."""
    form = payload.get("hook_event_name") == "Elicitation"
    tool = text(payload.get("mcp_server_name" if form else "tool_name"))
    kind = "elicitation" if form else _KINDS.get(tool, "permission")
    seen: Dict = {"kind": kind, "tool": shown(tool)}
    try:
        seen.update(_elicitation(payload) if form else _SEEN[kind](tool, payload))
    except Unshowable as reason:
        seen["unshowable"] = str(reason)
    except NotJson:
        seen["unshowable"] = "its input is nested too deeply"
    return seen


def _is_attended(env: dict[str, str]) -> bool:
    if env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk-"):
        return False
    return env.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"


def _identity(payload: Dict, form: bool) -> str:
    if form:
        from sayso.agents.claude_code import elicitation_digest

        return elicitation_digest(payload)
    return digest(text(payload.get("tool_name")), payload.get("tool_input"))


# --- rows --------------------------------------------------------------------------------------

_FILE = {"file_path": "File"}
LABELS: dict[str, dict[str, str]] = {
    "Bash": {
        "command": "Command",
        "description": "Description",
        "timeout": "Timeout (ms)",
        "run_in_background": "In the background",
        "dangerouslyDisableSandbox": "Without the sandbox",
    },
    "Edit": {
        **_FILE,
        "old_string": "Old text",
        "new_string": "New text",
        "replace_all": "Every occurrence",
    },
    "Write": {**_FILE, "content": "Content"},
    "NotebookEdit": {
        "notebook_path": "Notebook",
        "cell_id": "Cell",
        "cell_type": "Kind of cell",
        "edit_mode": "Edit",
        "new_source": "New source",
    },
    "Read": {**_FILE, "offset": "From line", "limit": "Lines", "pages": "Pages"},
    "WebFetch": {"url": "Address", "prompt": "Prompt"},
    "WebSearch": {
        "query": "Query",
        "allowed_domains": "Only these sites",
        "blocked_domains": "Not these sites",
    },
    "ExitPlanMode": {"plan": "Plan", "planFilePath": "Plan file"},
}
"""How members of known tools are called; the order is that of the card. Others go by their own name."""

CODE = frozenset(
    ("command", "file_path", "old_string", "new_string", "content", "notebook_path", "new_source", "url")
)
"""Members shown in a fixed pitch."""


def row(label: str, value: object, code: bool = False) -> Dict:
    """Return a row: a string as it is, anything else as JSON."""
    made: Dict = {"label": shown(label) or '""'}
    made["value"] = shown(value) if isinstance(value, str) else readable(value)
    if code or not isinstance(value, str):
        made["code"] = True
    return made


def rows(tool: str, tool_input: Dict) -> list[Dict]:
    """Return a row for every member of a tool's input, the known ones first."""
    known = LABELS.get(tool, {})
    names = [name for name in known if name in tool_input]
    names += [name for name in tool_input if name not in known]
    return [row(known.get(name, name), tool_input[name], name in CODE) for name in names]


def _input(payload: Dict) -> Dict:
    tool_input = payload.get("tool_input")
    if not is_object(tool_input):
        raise Unshowable("its input is not an object")
    return members(tool_input)


def _permission(tool: str, payload: Dict) -> Dict:
    if not tool:
        raise Unshowable("it does not name the tool")
    tool_input = _input(payload)
    found = rows(tool, tool_input)
    if tool == "Bash" and not text(tool_input.get("command")).strip():
        found.insert(0, row("Warning", "There is no command in this request."))
    server = members(payload.get("mcp_server"))
    if server:
        found.insert(0, row("MCP server", server.get("name") if server.get("name") else server))
    seen: Dict = {"input": found}
    labels = [suggestion(one) for one in items(payload.get("permission_suggestions"))[:MAX_SUGGESTIONS]]
    if labels:
        seen["suggestions"] = labels
    return seen


def _plan(tool: str, payload: Dict) -> Dict:
    tool_input = _input(payload)
    if not text(tool_input.get("plan")).strip():
        raise Unshowable("there is no plan to read")
    return {"input": rows(tool, tool_input), "modes": list(MODES)}


# --- suggestions -------------------------------------------------------------------------------

WHERE = {
    "session": "for the rest of this session",
    "cliArg": "for the rest of this session",
    "localSettings": "from now on in this project, for you alone",
    "projectSettings": "from now on in this project, for everyone who works in it",
    "userSettings": "from now on in all your projects",
}
RULES = {
    ("addRules", "allow"): "Allow",
    ("addRules", "deny"): "Deny",
    ("addRules", "ask"): "Ask first,",
    ("replaceRules", "allow"): "Allow nothing but this,",
    ("replaceRules", "deny"): "Deny nothing but this,",
    ("replaceRules", "ask"): "Ask about nothing but this,",
    ("removeRules", "allow"): "Allow no longer,",
    ("removeRules", "deny"): "Deny no longer,",
    ("removeRules", "ask"): "Ask no longer about this,",
}
DIRECTORIES = {
    "addDirectories": "Work in these folders too,",
    "removeDirectories": "Work no longer in these folders,",
}
MODE_WORDS = {
    "default": "Ask before edits",
    "acceptEdits": "Accept edits without asking",
    "auto": "Let auto mode decide",
    "plan": "Only plan",
    "dontAsk": "Deny whatever is not allowed already",
}


def suggestion(suggested: object) -> str:
    """Return what a suggestion does, where and for how long; "" for one that must not be offered.

    Words are used where they say all of it; otherwise it is shown as it came. A mode that asks nothing
    any more is never offered: its place is kept, so that positions stay those of the agent.
    """
    words = _words(members(suggested))
    if words:
        return shown(words)
    try:
        written = readable(suggested)
    except NotJson:
        return ""
    return "" if BYPASS in written else written


def _words(suggested: Dict) -> str:
    kind, where = text(suggested.get("type")), WHERE.get(text(suggested.get("destination")))
    names = set(suggested)
    if where is None:
        return ""
    if names == {"type", "rules", "behavior", "destination"}:
        verb = RULES.get((kind, text(suggested.get("behavior"))))
        what = _list([_rule(one) for one in items(suggested.get("rules"))])
        return f"{verb} {where}: {what}" if verb and what else ""
    if names == {"type", "directories", "destination"}:
        verb = DIRECTORIES.get(kind)
        what = _list([text(one) for one in items(suggested.get("directories"))])
        return f"{verb} {where}: {what}" if verb and what else ""
    if names == {"type", "mode", "destination"} and kind == "setMode":
        verb = MODE_WORDS.get(text(suggested.get("mode")))
        return f"{verb}, {where}" if verb else ""
    return ""


def _rule(rule: object) -> str:
    """Return a rule as the agent's settings spell it, "" for what is none."""
    parts = members(rule)
    tool = text(parts.get("toolName"))
    if set(parts) == {"toolName"} and tool:
        return f"{tool} (every use)"
    what = text(parts.get("ruleContent"))
    return f"{tool}({what})" if set(parts) == {"toolName", "ruleContent"} and tool and what else ""


def _list(parts: list[str]) -> str:
    return "" if "" in parts else ", ".join(parts)


# --- questions ---------------------------------------------------------------------------------


def _questions(tool: str, payload: Dict) -> Dict:
    tool_input = _input(payload)
    asked = items(tool_input.get("questions"))
    if not 0 < len(asked) <= MAX_QUESTIONS:
        raise Unshowable(f"it has {len(asked) or 'no'} questions")
    rest = rows(tool, {name: value for name, value in tool_input.items() if name != "questions"})
    questions = [_question(one, f"Question {number}", rest) for number, one in enumerate(asked, 1)]
    tell_apart([text(one["question"]) for one in questions], "two questions look alike")
    seen: Dict = {"questions": questions}
    if rest:
        seen["input"] = rest
    return seen


def _question(asked: object, place: str, rest: list[Dict]) -> Dict:
    """Return a question as shown; whatever it holds beside that goes to the rows in `rest`."""
    parts = members(asked)
    words = text(parts.get("question"))
    options = items(parts.get("options", ()))
    if not words.strip():
        raise Unshowable("a question is empty")
    if not is_array(parts.get("options", ())):
        raise Unshowable("the options of a question are not a list")
    if len(options) > MAX_OPTIONS:
        raise Unshowable(f"a question has {len(options)} options")
    made: Dict = {"question": shown(words)}
    if parts.get("multiSelect") is True:
        made["multi_select"] = True
    _fill(made, parts, ("header",), {"question", "options", "multiSelect", "kind"}, place, rest)
    found = [_option(one, f"{place}, option {number}", rest) for number, one in enumerate(options, 1)]
    tell_apart([text(one["label"]) for one in found], "two options look alike")
    if found:
        made["options"] = found
    return made


def _option(option: object, place: str, rest: list[Dict]) -> Dict:
    parts = members(option)
    label = text(parts.get("label"))
    if not label.strip():
        raise Unshowable("an option has no label")
    made: Dict = {"label": shown(label)}
    _fill(made, parts, ("description", "preview"), {"label"}, place, rest)
    return made


def _fill(
    made: Dict, parts: Dict, names: tuple[str, ...], known: set[str], place: str, rest: list[Dict]
) -> None:
    """Take texts over by name; what is neither one of them nor known becomes a row."""
    for name, value in parts.items():
        if name in names and isinstance(value, str):
            made[name] = shown(value)
        elif name not in known:
            rest.append(row(f"{place}: {name}", value))


# --- forms -------------------------------------------------------------------------------------


def _elicitation(payload: Dict) -> Dict:
    from sayso.agents import claude_forms

    found = [row("MCP server", text(payload.get("mcp_server_name")))]
    found.append(row("Message", text(payload.get("message"))))
    mode = payload.get("mode", "form")
    if mode == "url":
        url = claude_forms.address(payload.get("url"))
        return {"input": [*found, row("Address", url, True)], "url": url}
    if mode != "form":
        raise Unshowable("it asks in a way that is not known here")
    schema = payload.get("requested_schema")
    fields = claude_forms.fields(schema)
    for name in ("title", "description"):
        if text(members(schema).get(name)):
            found.append(row(f"Form: {name}", members(schema)[name]))
    return {"input": found, "fields": fields}


_KINDS = {"AskUserQuestion": "question", "ExitPlanMode": "plan"}
_SEEN = {"permission": _permission, "question": _questions, "plan": _plan}
