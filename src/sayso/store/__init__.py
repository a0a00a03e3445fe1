"""The desk inside of a Python program, under its public names.

All of them can be imported from `sayso` itself, which loads this when it is asked for one.
Stands on the top floor: it brings a desk and the routes of its HTTP server together.
"""

from __future__ import annotations

from sayso.core.digest import digest_json
from sayso.core.types import (
    Answer,
    Ask,
    Decision,
    EventType,
    HookEvent,
    ListedAnswer,
    Option,
    Question,
    Reply,
    Row,
    Settings,
)
from sayso.errors import BadRequest, Gone, NotRunning
from sayso.store.names import (
    AGENT_CLAUDE_CODE,
    AGENT_CODEX,
    BEHAVIOR_ALLOW,
    BEHAVIOR_DENY,
    CLAUDE_HOLD,
    DEFAULT_CODEX_WAIT,
    KIND_ELICITATION,
    KIND_PERMISSION,
    KIND_PLAN,
    KIND_QUESTION,
    MAX_MESSAGE,
    MAX_OPTIONS,
    MAX_QUESTIONS,
    MAX_SUGGESTIONS,
    MAX_VALUE,
    METHOD_REQUEST,
    METHOD_TAKE_MESSAGE,
)
from sayso.store.shapes import Sessions, match
from sayso.store.store import Message, Request, Store
from sayso.wire.protocol import TakeParams
from sayso.wire.views import SuggestionView as Suggestion

__all__ = [
    "AGENT_CLAUDE_CODE",
    "AGENT_CODEX",
    "BEHAVIOR_ALLOW",
    "BEHAVIOR_DENY",
    "CLAUDE_HOLD",
    "DEFAULT_CODEX_WAIT",
    "KIND_ELICITATION",
    "KIND_PERMISSION",
    "KIND_PLAN",
    "KIND_QUESTION",
    "MAX_MESSAGE",
    "MAX_OPTIONS",
    "MAX_QUESTIONS",
    "MAX_SUGGESTIONS",
    "MAX_VALUE",
    "METHOD_REQUEST",
    "METHOD_TAKE_MESSAGE",
    "Answer",
    "Ask",
    "BadRequest",
    "Decision",
    "EventType",
    "Gone",
    "HookEvent",
    "ListedAnswer",
    "Message",
    "NotRunning",
    "Option",
    "Question",
    "Reply",
    "Request",
    "Row",
    "Sessions",
    "Settings",
    "Store",
    "Suggestion",
    "TakeParams",
    "digest",
    "match",
]


def digest(tool: str, input_json: bytes | str) -> str:
    """Return what identifies a tool call by its name and its input; "" for what is not JSON.

    The order of members does not count, the way numbers are written does. A call of
    AskUserQuestion is identified by its questions, since what ran carries the answers too.
    """
    try:
        data = input_json.encode() if isinstance(input_json, str) else input_json
    except UnicodeEncodeError:  # half of a surrogate pair, bare: JSON would have escaped it
        return ""
    return digest_json(tool, data)
