"""The driver's end of recorder_hook: settings, behaviour, answers and the records.

Not a hook. May import the standard library and the lab only.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

Json = dict[str, Any]
HOOK = Path(__file__).resolve().parent / "recorder_hook.py"
POLL_S = 0.02
EVENTS = (
    "PermissionRequest",
    "Elicitation",
    "ElicitationResult",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Stop",
    "StopFailure",
    "SubagentStop",
    "UserPromptSubmit",
    "SessionStart",
    "SessionEnd",
    "Notification",
)


def output(event: str, **members: object) -> Json:
    """Return what a hook prints for an event that takes `hookSpecificOutput`."""
    return {"hookSpecificOutput": {"hookEventName": event, **members}}


def decide(behavior: str, **members: object) -> Json:
    """Return the output with which a PermissionRequest hook decides."""
    return output("PermissionRequest", decision={"behavior": behavior, **members})


class Recorder:
    """Records of the hooks of one test, and what these hooks are to do."""

    def __init__(self, root: Path) -> None:
        self.log = root / "hooks.jsonl"
        self.behaviour = root / "behaviour.json"
        self.answers = root / "hooks.jsonl.answers"
        self.answers.mkdir()
        self.behave({})

    def behave(self, behaviour: Json) -> None:
        """Say what hooks that start from now on do; see recorder_hook."""
        self._replace(self.behaviour, behaviour)

    def settings(self, events: Iterable[str] = EVENTS, timeout_s: int = 60) -> Json:
        """Return {"hooks": …} with the recorder on these events, in exec form."""
        args = ["-I", "-S", str(HOOK), str(self.log), str(self.behaviour)]
        hook = {"type": "command", "command": sys.executable, "args": args, "timeout": timeout_s}
        return {"hooks": {event: [{"hooks": [hook]}] for event in events}}

    def answer(self, start: Json, out: Json | None = None, **todo: object) -> None:
        """Have a hook that holds go on, print `out` and end."""
        content = {**todo, **({} if out is None else {"out": out})}
        self._replace(self.answers / f"{start['hook']}.json", content)

    def note(self, kind: str, **more: object) -> None:
        """Put a record of the driver's own between those of the hooks."""
        record = json.dumps({"kind": kind, "at": time.monotonic(), **more})
        log = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(log, record.encode() + b"\n")
        os.close(log)

    def records(self, kind: str | None = None, event: str | None = None) -> list[Json]:
        """Return the records so far, of one kind and event, in the order they were written.

        The nth stays the nth. Hooks that start together may be written in another order
        than that of their `at`.
        """
        text = self.log.read_text() if self.log.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # a line may be on its way
        found: list[Json] = [json.loads(line) for line in whole.splitlines()]
        return [r for r in found if kind in (None, r["kind"]) and event in (None, r.get("event"))]

    def wait_for(self, kind: str, event: str, nth: int = 1, timeout_s: float = 20) -> Json:
        """Wait for the nth record of a kind ("start", "signal", …) and event; return it."""
        end = time.monotonic() + timeout_s
        while len(found := self.records(kind, event)) < nth:
            if time.monotonic() > end:
                seen = [f"{r['kind']} {r.get('event')}" for r in self.records()]
                raise TimeoutError(f"no {kind} {nth} of {event} within {timeout_s} s, only {seen}")
            time.sleep(POLL_S)
        return found[nth - 1]

    def _replace(self, path: Path, content: Json) -> None:
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(content))
        fresh.replace(path)  # never half a file
