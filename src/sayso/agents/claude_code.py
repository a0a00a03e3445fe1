"""Claude Code: its hooks' payloads, and what it expects back. Speaks of 2.1.332 and before.

Events are read here; what it asks stands in `claude_asks` and `claude_forms`, the answers in
`claude_answers`. Those are imported when something is asked: an observer, which runs at every tool call,
must not pay for them. Not here: sockets, clocks and the environment of this process.
May import `core.digest` and its siblings.
"""

from sayso.core.digest import digest, digest_of, digest_text, is_object, items, members, shown, text

NAME = "claude-code"
PID_VARIABLE = "CLAUDE_PID"
"""Where the agent tells its pid."""

POLICY: dict[str, object] = {
    # Events that wait for an answer. `timeout_s` is what the settings tell Claude Code, which kills the
    # hook then; `hold_s` is when the hook gives up by itself. Holds are named for the main agent with a
    # person at its terminal, without one, and for a background agent, which shows no dialog meanwhile.
    "asks": {
        "PermissionRequest": {
            "timeout_s": 3600,
            "hold_s": 3590.0,
            "attended": "parallel",
            "unattended": "exclusive",
            "subagent": "exclusive",
        },
        "Elicitation": {
            "timeout_s": 600,
            "hold_s": 595.0,
            "attended": "exclusive",
            "unattended": "exclusive",
            "subagent": "exclusive",
        },
    },
    # Events that are told and decide nothing; `matcher` narrows one down in the settings.
    "observes": {
        "PostToolUse": {"timeout_s": 5},
        "PostToolUseFailure": {"timeout_s": 5},
        "PostToolBatch": {"timeout_s": 5},
        "Stop": {"timeout_s": 5},
        "StopFailure": {"timeout_s": 5},
        "SubagentStop": {"timeout_s": 5},
        "UserPromptSubmit": {"timeout_s": 5},
        "SessionStart": {"timeout_s": 5},
        "SessionEnd": {"timeout_s": 5},
        "ElicitationResult": {"timeout_s": 5},
        "Notification": {"timeout_s": 5, "matcher": "idle_prompt"},
    },
    "kinds": ("permission", "question", "plan", "elicitation"),
    # A deny may stop the turn.
    "interrupts": ("permission", "question", "plan"),
    # Events that can hand the main agent a message.
    "messages": ("PostToolUse", "Stop"),
}

TASK_NOTIFICATION = "<task-notification>"
PROMPT_CHARS = 4000
SESSION_ID_CHARS = 64
SESSION_ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

Event = dict[str, object]


def parse(payload: object, env: dict[str, str]) -> tuple[str, Event] | None:
    """Return ("ask", Ask) or ("event", HookEvent) as plain dicts, or None for nothing of ours.

    Never raises: what makes no sense is None, what cannot be shown is an ask that says why.
    """
    told = members(payload)
    session_id = text(told.get("session_id"))
    name = text(told.get("hook_event_name"))
    if not is_session_id(session_id):
        return None
    if name in ("PermissionRequest", "Elicitation"):
        # The answers' module comes along now: the files may be others when a person has decided.
        from sayso.agents import claude_answers, claude_asks  # noqa: F401  # pyright: ignore[reportUnusedImport]

        return "ask", claude_asks.ask(told, env)
    reader = _READERS.get(name)
    event = reader(told) if reader else None
    if event is None:
        return None
    return "event", {"agent": NAME, "session_id": session_id, **_common(told), **event}


def render(payload: object, decision: dict[str, object]) -> tuple[bytes, str]:
    """Return the line for Claude Code, and the digest that an agreeing event will show ("" for none).

    Raises:
        ValueError: the decision does not fit; nothing must be written then.
    """
    from sayso.agents import claude_answers

    return claude_answers.render(members(payload), decision)


def message(payload: object, words: str) -> bytes:
    """Return the line that hands a person's message to the agent; b"" where this event cannot."""
    if not takes(payload):
        return b""
    from sayso.agents import claude_answers

    name = text(members(payload).get("hook_event_name"))
    return claude_answers.line({"hookEventName": name, "additionalContext": words})


def takes(payload: object) -> bool:
    """Tell whether the hook of this event can hand the main agent a message."""
    told = members(payload)
    return text(told.get("hook_event_name")) in ("PostToolUse", "Stop") and not told.get("agent_id")


def is_session_id(value: str) -> bool:
    """Tell whether this may name a session, and thus a file."""
    return 0 < len(value) <= SESSION_ID_CHARS and not value.strip(SESSION_ID_ALPHABET)


def elicitation_digest(payload: dict[str, object]) -> str:
    """Return what an elicitation and its result have in common: the server and the way it asks."""
    return digest(text(payload.get("mcp_server_name")), text(payload.get("mode")) or "form")


_COMMON = (
    ("agent_id", "agent_id"),
    ("prompt_id", "prompt_id"),
    ("mode", "permission_mode"),
    ("cwd", "cwd"),
)


def _common(payload: Event) -> Event:
    found: Event = {}
    for name, member in _COMMON:
        value = text(payload.get(member))
        if value:
            found[name] = shown(value)
    return found


# --- one reader for each event -----------------------------------------------------------------


def _prompt(payload: Event) -> Event:
    prompt = text(payload.get("prompt"))
    if prompt.startswith(TASK_NOTIFICATION):
        return {"type": "task-notification"}
    # A prompt may be megabytes. The desk masks it and then cuts it to what a card shows, so what is cut
    # here is far more than that: half a secret at the end would not be recognised.
    return {"type": "user-prompt-submit", "prompt": shown(prompt[:PROMPT_CHARS])}


def _tool_done(payload: Event) -> Event:
    event = _tool_call(payload, "post-tool-use")
    if event["tool"] == "AskUserQuestion":
        answers = members(payload.get("tool_input")).get("answers")
        event["answers"] = digest_of(answers) if is_object(answers) else ""
    return event


def _tool_failed(payload: Event) -> Event:
    return _tool_call(payload, "post-tool-use-failure")


def _tool_call(payload: Event, type: str) -> Event:
    tool = text(payload.get("tool_name"))
    return {"type": type, "tool": shown(tool), "digest": digest(tool, payload.get("tool_input"))}


def _batch(payload: Event) -> Event:
    responses: list[str] = []
    for call in items(payload.get("tool_calls")):
        response = members(call).get("tool_response")
        if isinstance(response, str):
            responses.append(digest_text(response))
        for block in items(response):
            words = members(block).get("text")
            if isinstance(words, str):
                responses.append(digest_text(words))
    return {"type": "post-tool-batch", "responses": responses}


def _stop(payload: Event) -> Event:
    # Whatever hook made it go on at the stop before: Claude Code counts them all.
    event: Event = {"type": "stop"}
    if payload.get("stop_hook_active") is True:
        event["continued"] = True
    return event


def _stop_failure(payload: Event) -> Event:
    return {"type": "stop-failure"}


def _subagent_stop(payload: Event) -> Event:
    return {"type": "subagent-stop"}


def _session_start(payload: Event) -> Event:
    return {"type": "session-start", "reason": shown(text(payload.get("source")))}


def _session_end(payload: Event) -> Event:
    return {"type": "session-end", "reason": shown(text(payload.get("reason")))}


def _elicitation_result(payload: Event) -> Event:
    return {
        "type": "elicitation-result",
        "tool": shown(text(payload.get("mcp_server_name"))),
        "digest": elicitation_digest(payload),
        "reason": shown(text(payload.get("action"))),
    }


def _notification(payload: Event) -> Event | None:
    return {"type": "idle"} if payload.get("notification_type") == "idle_prompt" else None


_READERS = {
    "UserPromptSubmit": _prompt,
    "PostToolUse": _tool_done,
    "PostToolUseFailure": _tool_failed,
    "PostToolBatch": _batch,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "SubagentStop": _subagent_stop,
    "SessionStart": _session_start,
    "SessionEnd": _session_end,
    "ElicitationResult": _elicitation_result,
    "Notification": _notification,
}
