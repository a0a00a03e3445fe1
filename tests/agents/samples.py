"""The captured payloads of Claude Code 2.1.332, and what sayso makes of them.

`parsed.json` and `rendered.json` in the folder of the samples are what `parse` and `render` returned when
a person last compared them with the payloads. To write them anew after a change that is meant:

    python -m tests.agents.samples

and read the difference before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sayso.agents.claude_code import parse, render
from sayso.core.digest import dumps, loads

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "claude_code_samples"
PARSED = FOLDER / "parsed.json"
RENDERED = FOLDER / "rendered.json"
NOT_PAYLOADS = ("hook_process_env.", "parsed.", "rendered.")

DECISIONS: list[tuple[str, dict[str, Any]]] = [
    ("PermissionRequest.Bash", {"behavior": "allow"}),
    ("PermissionRequest.Bash", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.Bash", {"behavior": "allow", "suggestion": 1}),
    ("PermissionRequest.Bash", {"behavior": "deny"}),
    ("PermissionRequest.Bash", {"behavior": "deny", "message": "use\nmkdir, “please”"}),
    ("PermissionRequest.Bash", {"behavior": "deny", "message": " \n", "interrupt": True}),
    ("PermissionRequest.Bash.compound", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.Bash.rules", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.Edit", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.Read.outside", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.WebFetch", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.Write", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.Write.outside", {"behavior": "allow", "suggestion": 1}),
    ("PermissionRequest.mcp", {"behavior": "allow", "suggestion": 0}),
    ("PermissionRequest.subagent", {"behavior": "deny", "message": "no"}),
    (
        "PermissionRequest.AskUserQuestion",
        {"behavior": "allow", "answers": [{"picked": [1]}, {"picked": [0, 2]}]},
    ),
    (
        "PermissionRequest.AskUserQuestion",
        {
            "behavior": "allow",
            "answers": [{"picked": [1], "notes": "please make it dark"}, {"text": "all of them, B too"}],
        },
    ),
    (
        "PermissionRequest.AskUserQuestion",
        {"behavior": "allow", "answers": [{"notes": "my note"}, {"picked": [2, 1]}]},
    ),
    ("PermissionRequest.AskUserQuestion", {"behavior": "deny", "message": "ask me later"}),
    ("PermissionRequest.ExitPlanMode", {"behavior": "allow"}),
    ("PermissionRequest.ExitPlanMode", {"behavior": "allow", "mode": "default"}),
    ("PermissionRequest.ExitPlanMode", {"behavior": "allow", "mode": "acceptEdits"}),
    (
        "PermissionRequest.ExitPlanMode",
        {"behavior": "allow", "mode": "auto", "plan": "# Edited plan\n1. do other\n"},
    ),
    ("PermissionRequest.ExitPlanMode", {"behavior": "deny", "message": "smaller steps"}),
    ("PermissionRequest.ExitPlanMode", {"behavior": "deny", "interrupt": True}),
    (
        "Elicitation.form",
        {"behavior": "allow", "content": {"name": "Ada", "age": 36, "ok": False, "color": "blue"}},
    ),
    ("Elicitation.form", {"behavior": "allow", "content": {"name": "Ada"}}),
    ("Elicitation.form", {"behavior": "deny"}),
    ("Elicitation.form", {"behavior": "cancel"}),
    ("Elicitation.url", {"behavior": "allow"}),
    ("Elicitation.url", {"behavior": "deny"}),
]
"""Every way to answer, for the payloads that ask."""


def names() -> list[str]:
    """The samples that are a hook's payload, without their suffix."""
    return sorted(path.stem for path in FOLDER.glob("*.json") if not path.name.startswith(NOT_PAYLOADS))


def sample(name: str) -> dict[str, Any]:
    """A payload, read as the hook reads it: numbers as written."""
    value: Any = loads((FOLDER / f"{name}.json").read_bytes())
    return value


def environment(kind: str) -> dict[str, str]:
    """The environment a hook had: "tui" with a person at the terminal, "print" without."""
    value: dict[str, Any] = json.loads((FOLDER / f"hook_process_env.{kind}.json").read_text())
    return value["env"]


def plain(value: object) -> Any:
    """The value as it arrives on the other side."""
    return json.loads(dumps(value))


def parsed(name: str) -> Any:
    """What `parse` makes of a sample in front of a person."""
    return plain(parse(sample(name), environment("tui")))


def rendered(name: str, decision: dict[str, Any]) -> dict[str, Any]:
    """What `render` makes of a sample and a decision."""
    read: Any = loads(dumps(decision))  # as the hook has it from the desk
    stdout, expects = render(sample(name), read)
    return {"payload": name, "decision": decision, "output": json.loads(stdout), "expects": expects}


def write() -> None:
    """Write both golden files."""
    for path, content in (
        (PARSED, {name: parsed(name) for name in names()}),
        (RENDERED, [rendered(name, decision) for name, decision in DECISIONS]),
    ):
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
