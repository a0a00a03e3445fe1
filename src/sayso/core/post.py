"""A message's way: written to a session at work, given to a hook of its main agent, told of after that.

The desk's methods for messages end here. Not here: what may become of a message (`states`,
`messages`), how often in a row a turn is made to go on (`continuations`). Pure.
"""

from __future__ import annotations

from sayso.core.ledger import Ledger
from sayso.core.messages import check_text
from sayso.core.states import MessageState, MessageTrigger, SessionState, SessionTrigger
from sayso.core.types import Message
from sayso.errors import BadRequest, NotRunning

_UNKNOWN = "no such session is known: `sayso sessions` lists those that are"
_ENDED = "the session has ended: start or resume it, and type the message there"
_IDLE = "the session is idle, and nothing in it would take the message: type it in its terminal"


class Post:
    """Messages, in the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def queue(self, agent: str, session_id: str, text: str, when: str, now: float) -> Message:
        """Queue a message in place of an older one. Raises BadRequest, NotRunning."""
        check_text(text)
        if when not in ("soon", "stop"):
            raise BadRequest("when is soon or stop", "when")
        session = self._ledger.sessions.get(agent, session_id)
        if session is None:
            raise NotRunning(_UNKNOWN)
        if session.state is SessionState.ENDED:
            raise NotRunning(_ENDED)
        if session.state is not SessionState.WORKING and not session.wakes:
            raise NotRunning(_IDLE)
        message = self._ledger.messages.queue(
            Message(
                agent=agent,
                session_id=session_id,
                text=text,
                queued_s=now,
                when=when,
                process=session.process,
            )
        )
        self._ledger.publish_message(message)
        return message

    def take(
        self, agent: str, session_id: str, process: str, taker: str, now: float, at_stop: bool
    ) -> Message | None:
        """Give a message that is due to a taker; its turn goes on."""
        session = self._ledger.sessions.get(agent, session_id, process)
        message = self._ledger.take_message(session, taker, now, at_stop) if session is not None else None
        if session is not None and message is not None:
            self._ledger.session_trigger(session, SessionTrigger.CONTINUED, now)
        return message

    def receipt(self, taker: str, trigger: MessageTrigger) -> None:
        """Note what a taker says, or its silent end; a turn that was to go on may not."""
        message = self._ledger.messages.receipt(taker, trigger)
        self._ledger.publish_message(message)
        if message is None or message.state is MessageState.HANDED_OVER:
            return
        if message.stop_s is not None:
            self._turn_ended(message, message.stop_s)
        session = self._ledger.sessions.get(message.agent, message.session_id, message.process)
        if session is not None:
            self._ledger.explain_message(session)

    def _turn_ended(self, message: Message, stop_s: float) -> None:
        """The turn that a message was to make go on has ended with it, or so it seems."""
        agent, session_id = message.agent, message.session_id
        trigger = SessionTrigger.INTERRUPTED
        if message.state is not MessageState.UNCERTAIN:
            trigger = SessionTrigger.STOPPED
            self._ledger.continuations.take_back(agent, session_id)
            self._ledger.flag_row(agent, session_id)
        session = self._ledger.sessions.get(agent, session_id, message.process)
        if session is not None:  # what the agent did since shows that it went on: the trigger is old then
            self._ledger.session_trigger(session, trigger, stop_s)

    def drop(self, agent: str, session_id: str) -> None:
        """Take a message back, if there is one."""
        self._ledger.publish_message(self._ledger.messages.drop(agent, session_id, "taken_back"))

    def drop_all(self) -> None:
        """Drop what is queued, as the desk ends: the next one knows nothing of it."""
        for message in list(self._ledger.messages):
            if message.state is MessageState.QUEUED:
                dropped = self._ledger.messages.drop(message.agent, message.session_id, "shutdown")
                self._ledger.publish_message(dropped)
