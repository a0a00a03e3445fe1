"""Every kind that Codex's app server asks, and an answer of each: as in `rows`, which has every answer.

`payload` is a request as it was captured, `says` the result that the server gets, whole.
"""

from __future__ import annotations

from typing import Any

from sayso.agents import codex
from sayso.core.types import Kind
from tests.agents.codex_samples import CAPTURED
from tests.contract.rows import ENTER, WHY, WHY_KEYS, Dict, Keys, Row
from tests.intake.codex_stage import plain

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "title": "Your name"}, "age": {"type": "integer"}},
    "required": ["name"],
}
FORM = {
    "method": codex.ELICITATION,
    "params": {"serverName": "lab", "mode": "form", "_meta": None, "message": "Who are you?"}
    | {"turnId": None, "environmentId": None, "requestedSchema": SCHEMA},
    "item": {},
}
COMMAND: Dict = plain(CAPTURED["command"])
COLOUR = "Which colour?"


def _row(kind: Kind, name: str, of: str, says: Dict, cli: tuple[str, ...], keys: Keys, http: Dict) -> Row:
    payload = FORM if of == "form" else plain(CAPTURED[of])
    return Row(kind, f"Codex {name}", payload, says, cli, keys, http)


def _answers(*answers: str) -> Dict:
    return {"answers": {"c": {"answers": list(answers)}}}


def _form(action: str, content: Any = None) -> Dict:
    return {"action": action, "content": content, "_meta": None}


ALLOW, DENY = {"behavior": "allow"}, {"behavior": "deny"}
SECOND = (("", "1"), ("Enter allows it", ENTER))
PERMISSIONS = tuple(
    _row(Kind.PERMISSION, name, of, says, cli, keys, http)
    for name, of, says, cli, keys, http in (
        ("allowed", "command", {"decision": "accept"}, ("allow", "ID"), (("touch /home", "a"),), ALLOW),
        (
            "always",
            "command",
            {"decision": COMMAND["params"]["availableDecisions"][1]},
            ("allow", "ID", "--suggestion", "1"),
            SECOND,
            {**ALLOW, "suggestion": "0"},
        ),
        (
            "denied with words",
            "command",
            {"decision": "decline"},
            ("deny", "ID", "-m", WHY),
            WHY_KEYS,
            {**DENY, "message": WHY},
        ),
        (
            "stopped",
            "file_change",
            {"decision": "cancel"},
            ("deny", "ID", "--stop"),
            (("", "s"), ("stops the turn", ENTER)),
            {**DENY, "interrupt": True},
        ),
        (
            "permissions",
            "permissions",
            {"permissions": plain(CAPTURED["permissions"])["params"]["permissions"], "scope": "session"},
            ("allow", "ID", "--suggestion", "1"),
            SECOND,
            {**ALLOW, "suggestion": "0"},
        ),
        (
            "tool",
            "tool_call",
            {"action": "accept", "content": {}, "_meta": {"persist": "always"}},
            ("allow", "ID", "--suggestion", "2"),
            (("", "2"), ("Enter allows it", ENTER)),
            {**ALLOW, "suggestion": "1"},
        ),
        ("input", "write_stdin", {"decision": "accept"}, ("allow", "ID"), (("hello", "a"),), ALLOW),
    )
)
QUESTIONS = (
    _row(
        Kind.QUESTION,
        "own words",
        "question",
        _answers("None of the above", "user_note: neither: grün"),
        ("answer", "ID", "--text", "neither: grün"),
        (("", "t"), ("Your own words.", "neither: grün" + ENTER), ("Your words: neither", ENTER)),
        {**ALLOW, "answers": [{"text": "neither: grün"}]},
    ),
)
FORMS = (
    _row(
        Kind.ELICITATION,
        "form accepted",
        "form",
        _form("accept", {"name": "Ada", "age": 36}),
        ("answer", "ID", "--set", "name=Ada", "--set", "age=36"),
        (
            ("Who are you?", "a"),
            ("Field 1 of 2", "Ada" + ENTER),
            ("Field 2 of 2", "36" + ENTER),
            ("This goes to the server:", "a"),
        ),
        {**ALLOW, "content": {"name": "Ada", "age": 36}},
    ),
    _row(
        Kind.ELICITATION,
        "form cancelled",
        "form",
        _form("cancel"),
        ("answer", "ID", "--cancel"),
        (("", "c"),),
        {"behavior": "cancel"},
    ),
)
ROWS: tuple[Row, ...] = (*PERMISSIONS, *QUESTIONS, *FORMS)
