"""The messages queued for sessions: one each, the newest wins, never handed over twice.

Also why one waits on, was dropped, or is uncertain, in words. Pure; imports `states` and `types`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sayso.core.bounds import MAX_MESSAGE_CHARS
from sayso.core.states import MESSAGE, MessageState, MessageTrigger, step
from sayso.core.types import EventType, HookEvent, Message
from sayso.errors import BadRequest

Key = tuple[str, str]
_OPEN = frozenset({MessageState.QUEUED, MessageState.TAKEN})
REASONS: dict[str, str] = {
    "idle": "the session is idle: delivered when it works again by itself; a prompt typed there drops it",
    "continuations": (
        "the agent ends a turn that hooks made to go on too often in a row: "
        "kept until it has used a tool, or works again"
    ),
    "new_prompt": "dropped: a new prompt was typed in the session",
    "session_ended": "dropped: the session has ended",
    "taken_back": "taken back",
    "shutdown": "dropped: sayso was stopped, and keeps messages in memory alone",
    "hook_gone": (
        "the agent's hook ended before it said whether it passed the message on: "
        "it is not sent again by itself, send it again if the agent does not know of it"
    ),
}
"""What people are told, by the machine's word."""
_TURN_ENDS = {EventType.PROMPT: "new_prompt", EventType.SESSION_END: "session_ended"}


def check_text(text: str) -> None:
    """Raises BadRequest when a text is no message."""
    if not text.strip():
        raise BadRequest("a blank message says nothing", "text")
    if len(text) > MAX_MESSAGE_CHARS:
        raise BadRequest(f"a message has at most {MAX_MESSAGE_CHARS} characters", "text")


class Messages:
    """The newest message of each session, and those on their way to one."""

    def __init__(self) -> None:
        self._newest: dict[Key, Message] = {}
        self._taken: dict[str, Message] = {}
        self._count = 0

    def __iter__(self) -> Iterator[Message]:
        return iter(self._newest.values())

    def get(self, agent: str, session_id: str) -> Message | None:
        return self._newest.get((agent, session_id))

    def is_open(self, agent: str, session_id: str) -> bool:
        """Whether a message waits, or is on its way."""
        message = self.get(agent, session_id)
        return message is not None and message.state in _OPEN

    def queue(self, message: Message) -> Message:
        """Queue a message in place of an older one, and return it with its number."""
        self._count += 1
        return self._keep(replace(message, number=self._count))

    def due(self, agent: str, session_id: str, process: str, at_stop: bool) -> Message | None:
        """Return the queued message if a hook of this process may take it now."""
        message = self.get(agent, session_id)
        if message is None or message.state is not MessageState.QUEUED or not _is_of(message, process):
            return None
        return message if at_stop or message.when != "stop" else None

    def take(self, message: Message, taker: str, stop_s: float | None) -> Message:
        """Hand a message that is due to a taker."""
        taken = self._move(replace(message, taker=taker, stop_s=stop_s, reason=""), MessageTrigger.TAKE)
        assert taken is not None  # what is queued can be taken: the table
        self._taken[taker] = taken
        return taken

    def explain(self, message: Message, reason: str) -> Message | None:
        """Note why a queued message waits on, "" for no reason; None if that is not new."""
        return self._keep(replace(message, reason=reason)) if message.reason != reason else None

    def receipt(self, taker: str, trigger: MessageTrigger) -> Message | None:
        """Apply what a taker says, or its silent end; None if it holds nothing that is kept."""
        message = self._taken.pop(taker, None)
        if message is None or self.get(message.agent, message.session_id) != message:
            return None  # a newer one took its place: nobody is told of two
        if trigger is MessageTrigger.NOT_WRITTEN and message.stale:
            trigger, message = MessageTrigger.DROP, replace(message, reason=message.stale)
        if trigger is MessageTrigger.TAKER_DIED:
            message = replace(message, reason="hook_gone")
        return self._move(message, trigger)

    def drop(self, agent: str, session_id: str, reason: str) -> Message | None:
        """Take back what is queued; what is on its way is only kept from being put back."""
        message = self.get(agent, session_id)
        if message is None:
            return None
        if message.state is MessageState.TAKEN:
            self._taken[message.taker] = stale = self._keep(replace(message, stale=reason))
            return stale
        return self._move(replace(message, reason=reason), MessageTrigger.DROP)

    def turn_over(self, event: HookEvent, process: str) -> Message | None:
        """Drop what was queued before a prompt or the session's end: its turn is over."""
        message = self.get(event.agent, event.session_id)
        if message is None or message.queued_s >= event.at_s or message.state not in _OPEN:
            return None
        if not _is_of(message, process):
            return None
        return self.drop(event.agent, event.session_id, _TURN_ENDS[event.type])

    def forget(self, agent: str, session_id: str) -> None:
        self._newest.pop((agent, session_id), None)

    def _move(self, message: Message, trigger: MessageTrigger) -> Message | None:
        outcome = step(MESSAGE, message.state, trigger)
        return self._keep(replace(message, state=outcome)) if isinstance(outcome, MessageState) else None

    def _keep(self, message: Message) -> Message:
        self._newest[message.agent, message.session_id] = message
        return message


def _is_of(message: Message, process: str) -> bool:
    """Whether a message may be of a process: two living ones may have sessions of one id."""
    return process == message.process or not message.process
