"""What the model was told: tool results as they stand in its requests.

Not about what it answers, which is scripted. May import the lab only.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.lab.model_server import ModelServer

Json = dict[str, Any]
WAIT_S = 10.0
_LOOK_S = 0.02


def results(model: ModelServer, scenario: str) -> list[Json]:
    """Return the tool results of a scenario's last request: {"text", "is_error"}, in order."""
    messages: list[Json] = json.loads(model.told(scenario) or "[]")
    blocks = [block for m in messages if isinstance(m["content"], list) for block in m["content"]]
    return [
        {"text": _text(block.get("content")), "is_error": bool(block.get("is_error"))}
        for block in blocks
        if block.get("type") == "tool_result"
    ]


def result(model: ModelServer, scenario: str, nth: int = 1) -> Json:
    """Wait until the model was told the nth tool result of a scenario, and return it."""
    end = time.monotonic() + WAIT_S
    while len(found := results(model, scenario)) < nth:
        assert time.monotonic() < end, f"only {found} were told"
        time.sleep(_LOOK_S)
    return found[nth - 1]


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks: list[Json] = content if isinstance(content, list) else []
    return "\n".join(block.get("text", "") for block in blocks)
