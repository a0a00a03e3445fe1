"""What Codex 0.171.0 asked of a second client, and what sayso makes of it.

`captured.json` holds requests with the item they were about and how it ended; `shown.json` and
`results.json` what a person last compared them with. To write these anew after a change that is meant:

    python -m tests.agents.codex_samples

and read the difference before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sayso.agents import codex
from sayso.core.digest import dumps, loads, members

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "codex_app_server"
SHOWN = FOLDER / "shown.json"
RESULTS = FOLDER / "results.json"
CAPTURED: dict[str, Any] = members(loads((FOLDER / "captured.json").read_bytes()))
ALLOW: dict[str, Any] = {"behavior": "allow"}
DENY: dict[str, Any] = {"behavior": "deny"}
DECISIONS: list[tuple[str, dict[str, Any]]] = [
    ("command", ALLOW),
    ("command", {**ALLOW, "suggestion": 0}),
    ("command", DENY),
    ("command", {**DENY, "message": "use make", "interrupt": True}),
    ("write_stdin", ALLOW),
    ("write_stdin", DENY),
    ("file_change", ALLOW),
    ("file_change", {**ALLOW, "suggestion": 0}),
    ("file_change", DENY),
    ("file_change", {**DENY, "interrupt": True}),
    ("permissions", ALLOW),
    ("permissions", {**ALLOW, "suggestion": 0}),
    ("permissions", DENY),
    ("question", {**ALLOW, "answers": [{"picked": [1]}]}),
    ("question", {**ALLOW, "answers": [{"picked": [0], "notes": "a light one"}]}),
    ("question", {**ALLOW, "answers": [{"text": "neither,\nbut “grün”"}]}),
    ("question", DENY),
    ("tool_call", ALLOW),
    ("tool_call", {**ALLOW, "suggestion": 0}),
    ("tool_call", {**ALLOW, "suggestion": 1}),
    ("tool_call", DENY),
]
"""Every way to answer."""


def asked(name: str) -> dict[str, Any]:
    """Return what is shown of a captured request."""
    one = CAPTURED[name]
    shown = codex.ask(one["method"], one["params"], one["item"])
    assert shown is not None
    plain: dict[str, Any] = json.loads(dumps(shown))
    return plain


def result(name: str, decision: dict[str, Any]) -> Any:
    one = CAPTURED[name]
    return json.loads(dumps(codex.result(one["method"], one["params"], one["item"], decision)))


def sample(name: str, **changes: Any) -> dict[str, Any]:
    """Return the parameters of a captured request, changed."""
    return {**CAPTURED[name]["params"], **members(loads(json.dumps(changes).encode()))}


def shown_of(method: str, params: dict[str, Any], item: dict[str, Any] | None = None) -> dict[str, Any]:
    found = codex.ask(method, params, item or {})
    assert found is not None
    plain: dict[str, Any] = json.loads(dumps(found))
    return plain


def rows(asked: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["label"], row["value"]) for row in asked["input"]]


def elicitation(**changes: Any) -> dict[str, Any]:
    return {
        "threadId": "t",
        "turnId": "u",
        "serverName": "lab",
        "environmentId": None,
        "mode": "form",
        "_meta": None,
        "message": "Who are you?",
        "requestedSchema": {
            "type": "object",
            "properties": {"name": {"type": "string", "title": "Your name"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
        **changes,
    }


def shown() -> dict[str, Any]:
    return {name: asked(name) for name in CAPTURED}


def results() -> list[Any]:
    return [[name, decision, result(name, decision)] for name, decision in DECISIONS]


if __name__ == "__main__":
    for path, made in ((SHOWN, shown()), (RESULTS, results())):
        path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
