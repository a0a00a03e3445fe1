"""What programs ask themselves: yesno, choice, text, confirm-command.

What a reply to them means, what cannot be asked, how they end, and the two steps of a command:
who acknowledged it may have it run, on the same channel, for a while. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from sayso.core.bounds import ACKNOWLEDGED_S, MAX_CHOICES, MAX_MESSAGE_CHARS, MAX_TEXT_CHARS
from sayso.core.states import State
from sayso.core.types import Answerer, Ask, Behavior, Decision, Kind, Reply
from sayso.errors import BadReply, BadRequest

ACK, RUN = "ack", "run"
YESNO = ("yes", "no")

OWN_FIELDS: dict[str, frozenset[str]] = {
    Kind.YESNO: frozenset({"value"}),
    Kind.CHOICE: frozenset({"value"}),
    Kind.TEXT: frozenset({"value"}),
    Kind.CONFIRM: frozenset({"step"}),
}
"""The fields that a reply of each of these kinds may have beside those of every kind."""

ENDINGS: dict[State, str] = {
    State.ANSWERED: "answered, on its way to the program that asked",
    State.DELIVERED: "handed to the program that asked",
    State.LOST: "lost: the program that asked ended before it had the answer",
    State.UNCONFIRMED: "handed to the program that asked; nothing shows what it did then",
    State.EXPIRED: "timed out: nobody answered",
    State.RELEASED: "given back: nothing was decided",
}
"""What people are told of these kinds, where it differs from an agent's own requests."""


# --- what a reply means ------------------------------------------------------------------


def fit(ask: Ask, reply: Reply) -> Decision:
    """Return the decision a reply means; its fields fit the kind.

    Raises:
        BadReply: with the field.
    """
    if reply.behavior == Behavior.ALLOW:
        return Decision(behavior=Behavior.ALLOW, value=_VALUES[ask.kind](ask, reply))
    if reply.behavior not in (Behavior.DENY, Behavior.CANCEL):
        raise BadReply("behavior must be allow or cancel", "behavior")
    message = reply.message or ""
    if len(message) > MAX_MESSAGE_CHARS:
        raise BadReply(f"a message has at most {MAX_MESSAGE_CHARS} characters", "message")
    return Decision(behavior=Behavior.CANCEL, message=message if message.strip() else "")


def _yesno(_ask: Ask, reply: Reply) -> str:
    if reply.value not in YESNO:
        raise BadReply("value must be yes or no", "value")
    return reply.value


def _choice(ask: Ask, reply: Reply) -> str:
    ids = [choice.value for choice in ask.choices]
    if reply.value is None or reply.value not in ids:
        raise BadReply(f"value must be one of {', '.join(ids)}", "value")
    return reply.value


def _text(_ask: Ask, reply: Reply) -> str:
    if reply.value is None:
        raise BadReply("value must be the text; an empty one is an answer, too", "value")
    if len(reply.value) > MAX_TEXT_CHARS:
        raise BadReply(f"a text has at most {MAX_TEXT_CHARS} characters", "value")
    return reply.value


def _command(_ask: Ask, reply: Reply) -> str:
    if reply.step not in (ACK, RUN):
        raise BadReply("step must be ack, and then run", "step")
    return RUN


_VALUES: dict[str, Callable[[Ask, Reply], str]] = {
    Kind.YESNO: _yesno,
    Kind.CHOICE: _choice,
    Kind.TEXT: _text,
    Kind.CONFIRM: _command,
}


# --- the two steps -----------------------------------------------------------------------


class Acknowledgements:
    """Who acknowledged which command, and when: of a request, by credential and channel."""

    def __init__(self) -> None:
        self._all: dict[str, dict[tuple[str, str], float]] = {}

    def note(self, request_id: str, by: Answerer, now: float) -> None:
        self._all.setdefault(request_id, {})[by.credential, by.channel] = now

    def check(self, request_id: str, by: Answerer, now: float) -> None:
        """Return if this person, on this channel, acknowledged it lately. Raises BadReply."""
        at_s = self._all.get(request_id, {}).get((by.credential, by.channel))
        if at_s is None:
            raise BadReply("acknowledge the command first (ack), then have it run", "step")
        if now - at_s > ACKNOWLEDGED_S:
            raise BadReply(
                f"it was acknowledged more than {ACKNOWLEDGED_S:.0f} s ago: acknowledge it again", "step"
            )

    def forget(self, request_id: str) -> None:
        self._all.pop(request_id, None)


# --- what cannot be asked ----------------------------------------------------------------


def check(ask: Ask) -> None:
    """Return if a person could answer this. Raises BadRequest, naming the field."""
    if ask.unshowable:
        raise BadRequest(f"this cannot be asked: {ask.unshowable}", _FIELDS.get(ask.kind, "payload"))
    if ask.kind != Kind.CHOICE:
        return
    if not 0 < len(ask.choices) <= MAX_CHOICES:
        raise BadRequest(f"choices are up to {MAX_CHOICES}, and at least one", "choices")
    shown = {" ".join(choice.label.split()) for choice in ask.choices}
    if len(shown) < len(ask.choices) or "" in shown:
        raise BadRequest("two choices look alike, or one is blank", "choices")


_FIELDS: dict[str, str] = {
    Kind.YESNO: "default",
    Kind.CHOICE: "choices",
    Kind.TEXT: "default",
    Kind.CONFIRM: "default",
}
"""Which field holds what would have to be shown as it is, and cannot be."""
