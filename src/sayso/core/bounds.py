"""How much, how many and how long: the bounds of the core, each with its unit.

Characters unless the name says otherwise. Imports nothing.
"""

from __future__ import annotations

MAX_VALUE_CHARS = 4000
"""A row's value in a list; the whole value is served on its own."""
MAX_MESSAGE_CHARS = 4000
"""A queued message, a deny's reason, a plan's feedback."""
MAX_PLAN_CHARS = 256 * 1024
"""A plan as a person edited it."""
MAX_TEXT_CHARS = 256 * 1024
"""What a person writes for a program that asked for a text."""
MAX_QUESTIONS = 8
MAX_OPTIONS = 16
MAX_CHOICES = 64
"""Of a program's own choice."""
MAX_SUGGESTIONS = 16
MAX_FIELDS = 32
"""Fields of an elicitation form."""
MAX_GRANT_CHARS = 200
"""What a grant tells of the call that it is for."""
LEAST_GRANT_S = 60.0
"""The shortest while for which a call may be allowed."""
MOST_GRANT_S = 3600.0
"""The longest one."""
MOST_GRANTS = 64
"""Calls that are allowed for a while, at once."""
KEEP_ENDED_S = 300.0
"""How long an ended request answers "how did it end?"."""
KEEP_UNPROVEN_S = 600.0
"""How long LOST and UNCONFIRMED may still be corrected by evidence."""
KEEP_ENDED_COUNT = 1000
KEEP_ENDED_BYTES = 8 * 1024 * 1024
"""Of all ended requests together, as JSON."""
KEEP_EVENTS_S = 60.0
"""How long an event waits for an ask that was started before it and arrives after."""
KEEP_EVENTS_COUNT = 256
"""Of one session."""
KEEP_EVENTS_CHARS = 4 * 1024 * 1024
"""Of all sessions together: whoever may ask may send events, and may not fill the memory."""
KEEP_SESSION_S = 3600.0
"""How long an ended session is listed."""
KEEP_SILENT_S = 86_400.0
"""How long a session is listed that says nothing: its end may never be told."""
MOST_SESSIONS = 1000
"""Listed at once; every event looks through them, and names of sessions cost nothing."""
REATTACH_S = 10.0
"""After a restart, how long an exclusive request waits for its watchers to be back."""
WATCH_S = 120.0
"""How long one sign of a person counts as "somebody watches"."""
MOST_WATCHERS = 1000
"""Channels and pages whose word on their person is kept."""
MOST_OPEN_CARDS = 1000
"""Cards that one of them may have open."""
ACKNOWLEDGED_S = 60.0
"""How long after a command was acknowledged the same person may have it run."""
OPEN_CARD_S = 300.0
"""How long, after the ask, an open card may keep an exclusive request waiting."""
HOLD_MARGIN_S = 5.0
"""An exclusive hold ends this long before the hook's own timeout."""
WRITE_S = 5.0
"""How long a hook may take from a decision to its receipt."""
ABSENCE_S = 1.0
"""How long after a finished batch the proof of one of its calls may still come."""
UNPROVEN_S = 3600.0
"""A delivered answer without evidence lapses after this."""
MOST_CONTINUATIONS = 7
"""In a row, without a tool call between: how often a turn that ends may have been made to go on
for a message to be handed over at its next end. Claude Code ends it by itself the ninth time."""
INTERRUPT_S = 60.0
"""A hook that ends more than this before its hold does was turned down in the terminal."""
