"""The words and bounds that programs use a `Store` with.

They are the core's own, under the names that the protocol of agent requests has for them.
Imports `core` alone.
"""

from __future__ import annotations

from sayso.core import bounds
from sayso.core.types import Behavior, Kind

METHOD_REQUEST = "agent.request"
"""Asks and waits: its parameters are an Ask, its result is the Decision, empty if nobody decided."""
METHOD_TAKE_MESSAGE = "agent.take-message"
"""Takes the message queued for a session, at once."""

AGENT_CLAUDE_CODE = "claude-code"
AGENT_CODEX = "codex"
"""Answered only where the person chose so: see `Settings.codex_approvals`."""

KIND_PERMISSION = Kind.PERMISSION.value
KIND_QUESTION = Kind.QUESTION.value
KIND_PLAN = Kind.PLAN.value
KIND_ELICITATION = Kind.ELICITATION.value
KIND_YESNO = Kind.YESNO.value
KIND_CHOICE = Kind.CHOICE.value
KIND_TEXT = Kind.TEXT.value
KIND_CONFIRM_COMMAND = Kind.CONFIRM.value

BEHAVIOR_ALLOW = Behavior.ALLOW.value
BEHAVIOR_DENY = Behavior.DENY.value

MAX_VALUE = bounds.MAX_VALUE_CHARS
"""Characters of a row's value in a list; `Store.row` gives all of it."""
MAX_MESSAGE = bounds.MAX_MESSAGE_CHARS
"""Characters of a queued message."""
MAX_QUESTIONS = bounds.MAX_QUESTIONS
"""Questions of one request."""
MAX_OPTIONS = bounds.MAX_OPTIONS
"""Options of one question."""
MAX_SUGGESTIONS = bounds.MAX_SUGGESTIONS
"""Suggestions shown, the first ones, so that an index stays the agent's own."""
DEFAULT_CODEX_WAIT = 25.0
"""Seconds that a request of Codex waits; Codex ends its hook after 30."""
CLAUDE_HOLD = 3600.0
"""Seconds after which Claude Code ends the hook of a permission request."""
