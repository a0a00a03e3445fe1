"""What Codex 0.171.0 makes of what a hook of PermissionRequest prints: a model of the real one.

`outputs.json` holds what the program did with each output; a test compares the two. So what sayso prints
can be judged for any decision, not only for the recorded ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "codex_samples"
INPUTS: dict[str, dict[str, Any]] = json.loads((FOLDER / "inputs.json").read_text(encoding="utf-8"))
OUTPUTS: dict[str, dict[str, Any]] = json.loads((FOLDER / "outputs.json").read_text(encoding="utf-8"))
PROMPT = "prompt"
"""Nothing was decided: the person is asked in the terminal."""
_TOP = {"continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"}
_DECISION = {"behavior", "message", "updatedInput", "updatedPermissions", "interrupt"}


def outcome(stdout: str, code: int = 0, stderr: str = "") -> str:
    """Return allow, deny or PROMPT."""
    if code:
        return "deny" if code == 2 and stderr else PROMPT
    try:
        said = json.loads(stdout)
    except ValueError:
        return PROMPT
    return _decided(said) if isinstance(said, dict) else PROMPT


def _decided(said: dict[str, Any]) -> str:
    own = said.get("hookSpecificOutput") or {}
    decision = own.get("decision") or {}
    if said.keys() - _TOP or said.get("continue") is False or said.get("suppressOutput"):
        return PROMPT
    if own.get("hookEventName") != "PermissionRequest" or own.keys() - {"hookEventName", "decision"}:
        return PROMPT
    if decision.keys() - _DECISION or decision.get("interrupt"):
        return PROMPT
    if any(decision.get(name) is not None for name in ("updatedInput", "updatedPermissions")):
        return PROMPT
    behavior = decision.get("behavior")
    return behavior if behavior in ("allow", "deny") else PROMPT
