"""What the played agent asks, and what Claude Code would do with each answer.

The payloads are Claude Code's own, recorded, of one session. Pure but for reading them:
an answer in, words and the events that would follow out. Nothing is ever carried out.
Imports the standard library.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]

ID = "ID"
"""Stands for the request's id in what a person types."""
_FOLDER = Path(__file__).parent / "payloads"
_COMMON = ("session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "effort")


class Scene(NamedTuple):
    """`name` is its payload's; `prompt` what the agent was told to do; `answers` the words of
    each command with which the person answers where there is no terminal."""

    name: str
    title: str
    prompt: str
    answers: tuple[tuple[str, ...], ...]


SCENES = (
    Scene(
        "permission",
        "a command",
        "touch a file in the project",
        (("list",), ("allow", ID, "--suggestion", "1")),
    ),
    Scene(
        "question",
        "two questions",
        "paint the shed, and ask me how",
        (("answer", ID, "2", "1,3"),),
    ),
    Scene(
        "plan",
        "a plan",
        "make a plan first",
        (("allow", ID, "--mode", "acceptEdits"),),
    ),
    Scene(
        "compound",
        "a command of several parts",
        "try it out in my home",
        (("show", ID), ("deny", ID, "--message", "Not in my home. Use the project's folder.")),
    ),
)


def payload(name: str) -> Json:
    """Return a payload as the agent's hook is given it."""
    told: Json = json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))
    return told


def prompted(words: str) -> Json:
    """Return the event of a prompt."""
    return {**payload("prompt"), "prompt": words}


class Reaction(NamedTuple):
    """What the agent does, in words, and the events of which it tells its hooks then."""

    words: str
    events: tuple[Json, ...]


def react(asked: Json, output: bytes) -> Reaction:
    """Return what Claude Code would do with what its hook wrote.

    Raises:
        ValueError: that was not an answer at all.
    """
    stop = payload("stop")
    if not output:
        return Reaction("The agent got no answer: its own prompt would decide in its terminal.", (stop,))
    decision: Json = json.loads(output)["hookSpecificOutput"]["decision"]
    if decision["behavior"] == "deny":
        return _denied(asked, decision, stop)
    words, given, response = _DONE[asked["tool_name"]](asked, decision)
    call = _call(asked, given, response)
    ran = {**_event(asked, "PostToolUse"), **call, "duration_ms": 19}
    return Reaction(words, (ran, _batch(asked, call), stop))


def _denied(asked: Json, decision: Json, stop: Json) -> Reaction:
    told = decision["message"]
    if decision.get("interrupt"):
        return Reaction(f"The agent stops its turn, and was told: {told}", ())
    batch = _batch(asked, _call(asked, asked["tool_input"], told))
    return Reaction(f"The agent leaves it, goes on, and was told: {told}", (batch, stop))


def _event(asked: Json, name: str) -> Json:
    common = {member: asked[member] for member in _COMMON if member in asked}
    return {**common, "hook_event_name": name}


def _call(asked: Json, given: Json, response: object) -> Json:
    return {
        "tool_name": asked["tool_name"],
        "tool_input": given,
        "tool_response": response,
        "tool_use_id": "toolu_000601AAAAAAAAAAAAAAAA",
    }


def _batch(asked: Json, call: Json) -> Json:
    return {**_event(asked, "PostToolBatch"), "tool_calls": [call]}


# --- one for each tool: words, the input it ran with, its response ----------------------


def _command(asked: Json, decision: Json) -> tuple[str, Json, object]:
    given: Json = asked["tool_input"]
    words = f"The agent runs it (here it only says so): {given['command']}"
    for update in decision.get("updatedPermissions", ()):
        words += f"\nand keeps to its suggestion from now on: {_update(update)}"
    return words, given, {"stdout": "done", "stderr": "", "interrupted": False, "isImage": False}


def _update(update: Json) -> str:
    match update["type"]:
        case "addDirectories":
            what = f"it may work in {', '.join(update['directories'])}"
        case "setMode":
            what = f"its mode is {update['mode']}"
        case _:
            rules = [f"{rule['toolName']}({rule['ruleContent']})" for rule in update.get("rules", ())]
            what = f"{update.get('behavior', 'allow')} {', '.join(rules)}"
    return f"{what} ({update['destination']})"


def _answers(_asked: Json, decision: Json) -> tuple[str, Json, object]:
    given: Json = decision["updatedInput"]
    said = "\n".join(f"{question} {answer}" for question, answer in given["answers"].items())
    return f"The agent goes on with the answers:\n{said}", given, given


def _plan(_asked: Json, decision: Json) -> tuple[str, Json, object]:
    given: Json = decision["updatedInput"]
    modes = [update["mode"] for update in decision.get("updatedPermissions", ())]
    words = f"The agent begins with the plan, in the mode {modes[0] if modes else 'default'}."
    return words, {"plan": given["plan"]}, {"plan": given["plan"], "isAgent": False}


_DONE = {"Bash": _command, "AskUserQuestion": _answers, "ExitPlanMode": _plan}
