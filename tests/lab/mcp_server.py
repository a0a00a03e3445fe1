"""A small MCP server on stdin and stdout whose tool "ask" has the user fill in a form.

The agents start it themselves (`mcp=True` in claude.arguments). With --changes-things it says that its tool
does, so that an agent asks before it calls it. Not a general
server: it knows what an agent sends during a test. May import the standard library
only, for it runs without the project's environment.
"""

from __future__ import annotations

import json
import sys
from typing import Any

Json = dict[str, Any]
TOOL: Json = {
    "name": "ask",
    "description": "Ask the user for a name and a colour",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": "--changes-things" not in sys.argv},
}
FORM: Json = {
    "mode": "form",
    "message": "Please introduce yourself",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Your name"},
            "colour": {"type": "string", "enum": ["red", "blue"]},
        },
        "required": ["name"],
    },
}


def send(message: Json) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def result_of(method: str, params: Json) -> Json:
    """Return the result of a request that needs nobody else."""
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "lab", "version": "1"},
        }
    return {"tools": [TOOL]} if method == "tools/list" else {}


def main() -> None:
    calls: dict[str, Any] = {}  # id of our form -> id of the tool call that waits for it
    for line in sys.stdin:
        message: Json = json.loads(line)
        number, method = message.get("id"), message.get("method")
        if number in calls:
            text = f"form: {json.dumps(message.get('result', message.get('error')))}"
            send({"id": calls.pop(number), "result": {"content": [{"type": "text", "text": text}]}})
        elif number is None or method is None:
            pass  # a notification
        elif method == "tools/call":
            calls[f"form-{number}"] = number
            send({"id": f"form-{number}", "method": "elicitation/create", "params": FORM})
        else:
            send({"id": number, "result": result_of(method, message.get("params", {}))})


if __name__ == "__main__":
    main()
