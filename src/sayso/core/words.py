"""The words of which there are only so many: kinds, behaviours, holds, events, attention.

Not here: the nouns they describe (`types`), states (`states`). Imports nothing of sayso.
"""

from __future__ import annotations

from enum import StrEnum


class Behavior(StrEnum):
    ALLOW = "allow"
    DENY = "deny"
    CANCEL = "cancel"


class Hold(StrEnum):
    """How a request waits: beside the agent's own prompt, or instead of it."""

    PARALLEL = "parallel"
    EXCLUSIVE = "exclusive"


class Kind(StrEnum):
    PERMISSION = "permission"
    QUESTION = "question"
    PLAN = "plan"
    ELICITATION = "elicitation"
    YESNO = "yesno"
    CHOICE = "choice"
    TEXT = "text"
    CONFIRM = "confirm-command"


DIRECT = frozenset({Kind.YESNO, Kind.CHOICE, Kind.TEXT, Kind.CONFIRM})
"""Kinds that a program asks itself, on a connection it holds: it has no prompt of its own beside
us, no events that could settle or prove anything, and takes its answer without a receipt."""


class Bridge(StrEnum):
    """How a request came over the interaction bridge: held by a call, or left there to be asked for."""

    HELD = "held"
    REGISTERED = "registered"


class Attention(StrEnum):
    """What a session wants of its person; of several the first that is true."""

    ERROR = "error"
    """Its last turn failed."""
    BLOCKED = "blocked"
    """Something waits that is answered in its terminal alone."""
    NEEDS_INPUT = "needs_input"
    """Its agent says that it waits for a prompt."""
    NEEDS_RESPONSE = "needs_response"
    """A request of it is pending."""
    NORMAL = "normal"


class EventType(StrEnum):
    """What an agent's event means; the words of document 000 and the agents."""

    PROMPT = "user-prompt-submit"
    TASK = "task-notification"
    """A pseudo-prompt: a background task reports. No turn boundary."""
    TOOL_DONE = "post-tool-use"
    TOOL_FAILED = "post-tool-use-failure"
    TOOL_DECLINED = "tool-declined"
    """The call did not run, because somebody said no."""
    BATCH = "post-tool-batch"
    STOP = "stop"
    STOP_FAILED = "stop-failure"
    SUBAGENT_STOP = "subagent-stop"
    SESSION_START = "session-start"
    SESSION_END = "session-end"
    ELICITATION_RESULT = "elicitation-result"
    IDLE = "idle"
