"""What a caller is told for a program's answer: bytes, in the format that its event needs.

Claude Code decides by two events, each with an answer of its own; the old form stands in for that of
PreToolUse. Other events decide nothing and get nothing. Never here: an allow of a question, which would
be taken for an answer without a word in it; a bare allow of a plan, which is ignored. Imports `agents`,
`core.digest` and `sayso.errors`.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.agents.claude_answers import line
from sayso.core.digest import NotJson, dumps, is_object, loads, members
from sayso.errors import BadReply

PRE_TOOL_USE = "PreToolUse"
PERMISSION_REQUEST = "PermissionRequest"
QUESTION = "AskUserQuestion"
PLAN = "ExitPlanMode"
NO_REASON = "This was denied, and no reason was given."
"""Said where a program gives none: without it an agent makes up its own."""


class HookResponse(NamedTuple):
    """A program's answer. `reason`: what the agent reads about a deny; unused with an allow."""

    allow: bool
    reason: str = ""


class Asked(NamedTuple):
    """What of an event makes its answer: what it is, and the body it came with."""

    type: str
    tool: str
    body: bytes
    legacy: bool


def can_deny(asked: Asked) -> bool:
    """Whether its event decides anything. A caller of the old kind may not say which event it is."""
    return asked.type in (PRE_TOOL_USE, PERMISSION_REQUEST) or (asked.legacy and not asked.type)


def can_allow(asked: Asked) -> bool:
    """Whether an allow means something: a question needs answers, a plan more than the old form has."""
    if not can_deny(asked) or asked.tool == QUESTION:
        return False
    return asked.tool != PLAN or not _is_old(asked)


def rendered(asked: Asked, response: HookResponse) -> bytes:
    """Return what the caller of an event that decides is told. Raises BadReply."""
    if response.allow is not True and response.allow is not False:  # "no" counts as true
        raise BadReply("an answer's allow is True or False, and nothing else")
    if response.allow and not can_allow(asked):
        what = "a question" if asked.tool == QUESTION else "a plan in the old format"
        raise BadReply(f"{what} is not answered by an allow: deny it, or let the agent ask by itself")
    if _is_old(asked):
        return _old(response)
    updated: dict[str, object] = {}
    if response.allow and asked.tool == PLAN:
        updated["updatedInput"] = _input(asked)
    if asked.type == PRE_TOOL_USE:
        return _pre_tool_use(response, updated)
    return _permission_request(response, updated)


def _is_old(asked: Asked) -> bool:
    return asked.legacy and asked.type != PERMISSION_REQUEST


def _reason(response: HookResponse) -> str:
    return response.reason if response.reason.strip() else NO_REASON


def _old(response: HookResponse) -> bytes:
    if response.allow:
        return dumps({"decision": "approve"}) + b"\n"
    return dumps({"decision": "block", "reason": _reason(response)}) + b"\n"


def _pre_tool_use(response: HookResponse, updated: dict[str, object]) -> bytes:
    made: dict[str, object] = {"hookEventName": PRE_TOOL_USE}
    if response.allow:
        return line({**made, "permissionDecision": "allow", **updated})
    return line({**made, "permissionDecision": "deny", "permissionDecisionReason": _reason(response)})


def _permission_request(response: HookResponse, updated: dict[str, object]) -> bytes:
    if response.allow:
        decision: dict[str, object] = {"behavior": "allow", **updated}
    else:
        decision = {"behavior": "deny", "message": _reason(response)}
    return line({"hookEventName": PERMISSION_REQUEST, "decision": decision})


def _input(asked: Asked) -> dict[str, object]:
    """Return a tool's input as it came, to the letter. Raises BadReply."""
    try:
        found = members(loads(asked.body)).get("tool_input")
        if is_object(found):
            dumps(found)  # too deep to be written is no answer either
            return members(found)
    except NotJson:
        pass
    raise BadReply("this plan has no input that could be given back, and is not allowed without")
