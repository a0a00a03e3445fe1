"""A hook command as programs that speak document 004 put it into agents' settings.

A shell script around curl: it reads its input whole, takes the address from the first line of a file, names
the session in a header, and prints `{}` where anything goes wrong. Not here: what comes back.
"""

from __future__ import annotations

import shlex
from typing import Any

ENDPOINT = "BRIDGE_ENDPOINT_FILE"
SESSION = "BRIDGE_SESSION"
"""The variables in which the script finds both."""
ASKING_S, TELLING_S = 120, 5
TELLING = {
    "SessionStart": "session-start",
    "Stop": "stop",
    "SessionEnd": "session-end",
    "Notification": "notification",
    "UserPromptSubmit": "prompt-submit",
    "PreToolUse": "pre-tool-use",
}


def script(agent: str, action: str, most_s: int = ASKING_S) -> str:
    """Return what a shell runs."""
    return f"""
        input=$(cat)
        fall_back() {{ echo "hook: $1" >&2; echo '{{}}'; exit 0; }}
        [ -f "${ENDPOINT}" ] || fall_back 'no address'
        IFS= read -r endpoint <"${ENDPOINT}" || endpoint=
        [ -n "$endpoint" ] || fall_back 'empty address'
        printf %s "$input" | curl --silent --show-error --fail --max-time {most_s} \\
            -H 'content-type: application/json' -H "x-aimux-session-id: ${SESSION}" \\
            --data-binary @- "$endpoint/hooks/{agent}?action={action}" || fall_back 'not sent'
    """


def settings(agent: str, *, telling: tuple[str, ...] = tuple(TELLING)) -> dict[str, Any]:
    """Return an agent's hooks: one that asks, and those that tell."""

    def entry(action: str, most_s: int) -> list[dict[str, Any]]:
        command = f"sh -lc {shlex.quote(script(agent, action, most_s))}"
        return [{"hooks": [{"type": "command", "command": command, "timeout": most_s}]}]

    hooks = {"PermissionRequest": entry("permission-request", ASKING_S)}
    return {"hooks": {**hooks, **{event: entry(TELLING[event], TELLING_S) for event in telling}}}
