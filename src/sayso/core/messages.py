"""The messages queued for sessions: one each, the newest wins, never handed over twice.

Pure; imports `states` and `types`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sayso.core.states import MESSAGE, MessageState, MessageTrigger, step
from sayso.core.types import MAX_MESSAGE_CHARS, Message
from sayso.errors import BadRequest

Key = tuple[str, str]
_OPEN = frozenset({MessageState.QUEUED, MessageState.TAKEN})


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

    def __iter__(self) -> Iterator[Message]:
        return iter(self._newest.values())

    def get(self, agent: str, session_id: str) -> Message | None:
        return self._newest.get((agent, session_id))

    def is_open(self, agent: str, session_id: str) -> bool:
        """Whether a message waits, or is on its way."""
        message = self.get(agent, session_id)
        return message is not None and message.state in _OPEN

    def queue(self, message: Message) -> Message:
        """Queue a message in place of an older one."""
        return self._keep(message)

    def take(self, agent: str, session_id: str, taker: str, at_stop: bool) -> Message | None:
        """Hand the queued message to a taker; None when nothing is queued, or not for now."""
        message = self.get(agent, session_id)
        if message is None or (message.when == "stop" and not at_stop):
            return None
        taken = self._move(replace(message, taker=taker), MessageTrigger.TAKE)
        if taken is not None:
            self._taken[taker] = taken
        return taken

    def receipt(self, taker: str, trigger: MessageTrigger) -> Message | None:
        """Apply what a taker says, or its silent end; None if it holds nothing that is kept."""
        message = self._taken.pop(taker, None)
        if message is None or self.get(message.agent, message.session_id) != message:
            return None  # a newer one took its place: nobody is told of two
        if trigger is MessageTrigger.NOT_WRITTEN and message.stale:
            trigger = MessageTrigger.DROP
        return self._move(message, trigger)

    def drop(self, agent: str, session_id: str) -> Message | None:
        """Take back what is queued; what is on its way is only kept from being put back."""
        message = self.get(agent, session_id)
        if message is None:
            return None
        if message.state is MessageState.TAKEN:
            self._taken[message.taker] = stale = self._keep(replace(message, stale=True))
            return stale
        return self._move(message, MessageTrigger.DROP)

    def turn_over(self, agent: str, session_id: str, at_s: float) -> Message | None:
        """Drop what was queued before a prompt or the session's end: its turn is over."""
        message = self.get(agent, session_id)
        if message is None or message.queued_s >= at_s or message.state not in _OPEN:
            return None
        return self.drop(agent, session_id)

    def forget(self, agent: str, session_id: str) -> None:
        self._newest.pop((agent, session_id), None)

    def _move(self, message: Message, trigger: MessageTrigger) -> Message | None:
        outcome = step(MESSAGE, message.state, trigger)
        return self._keep(replace(message, state=outcome)) if isinstance(outcome, MessageState) else None

    def _keep(self, message: Message) -> Message:
        self._newest[message.agent, message.session_id] = message
        return message
