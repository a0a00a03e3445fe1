"""The state machines as tables, and the one function that walks them.

The theory. A request waits (PENDING) until a person answers it, time runs out, its hook
goes away, its session moves on, or somebody gives it back. An answer is not delivery:
ANSWERED becomes DELIVERED when the hook reports that it wrote, LOST when we know or must
assume that it did not. Delivery is not obedience: only an event of the agent makes
CONFIRMED, and one that says otherwise OVERRULED. A turn that ends without either leaves
UNCONFIRMED. LOST and UNCONFIRMED are what we believe, not what we know, so later
evidence corrects them; every other end is final.

The rules of the tables:

- every (state, trigger) pair is decided here, once;
- a cell is the next state, or what else happens: IGNORED (nothing), GONE (the caller is
  told how the request ended) or REFUSED (the caller made a mistake);
- nothing in here knows time: the desk decides *when* a trigger fires.

Pure: imports the standard library alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum, auto
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


class State(StrEnum):
    """Where a request stands."""

    PENDING = "pending"
    ANSWERED = "answered"
    DELIVERED = "delivered"
    CONFIRMED = "confirmed"
    OVERRULED = "overruled"
    UNCONFIRMED = "unconfirmed"
    LOST = "lost"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    RELEASED = "released"
    DEFERRED = "deferred"


class Trigger(Enum):
    """What can happen to a request."""

    REPLY = auto()
    DEADLINE = auto()
    WAITER_GONE = auto()
    MOOT = auto()
    RELEASE = auto()
    WRITTEN = auto()
    NOT_WRITTEN = auto()
    AGREES = auto()
    CONTRADICTS = auto()
    LAPSE = auto()


class Outcome(Enum):
    """What a cell says when the state stays as it is."""

    IGNORED = auto()
    GONE = auto()
    REFUSED = auto()


IGNORED, GONE, REFUSED = Outcome.IGNORED, Outcome.GONE, Outcome.REFUSED

ENDED = frozenset(
    {
        State.CONFIRMED,
        State.OVERRULED,
        State.EXPIRED,
        State.WITHDRAWN,
        State.RELEASED,
        State.DEFERRED,
    }
)
"""Final: nothing changes these any more."""

UNPROVEN = frozenset({State.LOST, State.UNCONFIRMED})
"""Over, but what we believe of them may still be corrected."""

LIVE = frozenset({State.PENDING, State.ANSWERED, State.DELIVERED})

_PENDING: dict[Trigger, State | Outcome] = {
    Trigger.REPLY: State.ANSWERED,
    Trigger.DEADLINE: State.EXPIRED,
    Trigger.WAITER_GONE: State.WITHDRAWN,
    Trigger.MOOT: State.WITHDRAWN,
    Trigger.RELEASE: State.RELEASED,
    Trigger.WRITTEN: REFUSED,  # nothing was given to write
    Trigger.NOT_WRITTEN: REFUSED,
    Trigger.AGREES: State.WITHDRAWN,  # the terminal said yes
    Trigger.CONTRADICTS: State.WITHDRAWN,  # the terminal said something else
    Trigger.LAPSE: IGNORED,  # there is no such timer before an answer
}
_ANSWERED: dict[Trigger, State | Outcome] = {
    Trigger.REPLY: GONE,
    Trigger.DEADLINE: IGNORED,
    Trigger.WAITER_GONE: State.LOST,
    Trigger.MOOT: IGNORED,  # the answer is on its way; evidence decides
    Trigger.RELEASE: GONE,
    Trigger.WRITTEN: State.DELIVERED,
    Trigger.NOT_WRITTEN: State.LOST,
    Trigger.AGREES: State.CONFIRMED,  # the event overtook the receipt
    Trigger.CONTRADICTS: State.OVERRULED,
    Trigger.LAPSE: State.LOST,
}
_DELIVERED: dict[Trigger, State | Outcome] = {
    Trigger.REPLY: GONE,
    Trigger.DEADLINE: IGNORED,
    Trigger.WAITER_GONE: IGNORED,  # a hook ends after it wrote
    Trigger.MOOT: IGNORED,
    Trigger.RELEASE: GONE,
    Trigger.WRITTEN: IGNORED,  # said twice
    Trigger.NOT_WRITTEN: REFUSED,  # it said that it had
    Trigger.AGREES: State.CONFIRMED,
    Trigger.CONTRADICTS: State.OVERRULED,
    Trigger.LAPSE: State.UNCONFIRMED,
}
_LOST: dict[Trigger, State | Outcome] = {
    Trigger.REPLY: GONE,
    Trigger.DEADLINE: IGNORED,
    Trigger.WAITER_GONE: IGNORED,
    Trigger.MOOT: IGNORED,
    Trigger.RELEASE: GONE,
    Trigger.WRITTEN: State.DELIVERED,  # a late receipt
    Trigger.NOT_WRITTEN: IGNORED,
    Trigger.AGREES: State.CONFIRMED,
    Trigger.CONTRADICTS: State.OVERRULED,
    Trigger.LAPSE: IGNORED,
}
_UNCONFIRMED: dict[Trigger, State | Outcome] = {**_LOST, Trigger.WRITTEN: IGNORED}
_OVER: dict[Trigger, State | Outcome] = {
    **dict.fromkeys(Trigger, IGNORED),
    Trigger.REPLY: GONE,
    Trigger.RELEASE: GONE,
}

REQUEST: Mapping[State, Mapping[Trigger, State | Outcome]] = {
    State.PENDING: _PENDING,
    State.ANSWERED: _ANSWERED,
    State.DELIVERED: _DELIVERED,
    State.LOST: _LOST,
    State.UNCONFIRMED: _UNCONFIRMED,
    **dict.fromkeys(sorted(ENDED), _OVER),
}


# --- a queued message ------------------------------------------------------------------


class MessageState(StrEnum):
    QUEUED = "queued"
    TAKEN = "taken"
    HANDED_OVER = "handed_over"
    DROPPED = "dropped"
    UNCERTAIN = "uncertain"


class MessageTrigger(Enum):
    TAKE = auto()
    WRITTEN = auto()
    NOT_WRITTEN = auto()
    """The taker says that it could not write, and nothing newer took its place."""
    TAKER_DIED = auto()
    """The taker ended without a word after it had the text."""
    DROP = auto()
    """Replaced, deleted, or its turn is over."""


_M, _MT = MessageState, MessageTrigger
_MESSAGE_OVER: dict[MessageTrigger, MessageState | Outcome] = dict.fromkeys(_MT, IGNORED)

MESSAGE: Mapping[MessageState, Mapping[MessageTrigger, MessageState | Outcome]] = {
    _M.QUEUED: {
        _MT.TAKE: _M.TAKEN,
        _MT.WRITTEN: REFUSED,
        _MT.NOT_WRITTEN: REFUSED,
        _MT.TAKER_DIED: IGNORED,
        _MT.DROP: _M.DROPPED,
    },
    _M.TAKEN: {
        _MT.TAKE: IGNORED,  # one taker only: never twice
        _MT.WRITTEN: _M.HANDED_OVER,
        _MT.NOT_WRITTEN: _M.QUEUED,
        _MT.TAKER_DIED: _M.UNCERTAIN,
        _MT.DROP: _M.DROPPED,
    },
    _M.UNCERTAIN: {**_MESSAGE_OVER, _MT.WRITTEN: _M.HANDED_OVER, _MT.DROP: _M.DROPPED},
    _M.HANDED_OVER: _MESSAGE_OVER,
    _M.DROPPED: _MESSAGE_OVER,
}


# --- a session -------------------------------------------------------------------------


class SessionState(StrEnum):
    """What a session's main agent does, as far as its events tell."""

    IDLE = "idle"
    PRESUMED_IDLE = "presumed_idle"
    """Turned down in the terminal, or stopped by us: no event says so."""
    WORKING = "working"
    ENDED = "ended"


class SessionTrigger(Enum):
    STARTED = auto()
    PROMPTED = auto()
    """A typed prompt, or a background task's report: a turn begins."""
    ACTIVE = auto()
    """Any other sign of the main agent: a tool call, a request."""
    ANSWERED = auto()
    """Our answer: it goes on, we suppose."""
    STOPPED = auto()
    CONTINUED = auto()
    """A Stop whose hook was handed a message: the turn goes on."""
    FAILED = auto()
    """The turn ended in an error, or the agent says that it waits for a prompt."""
    INTERRUPTED = auto()
    """Inferred: the person turned a request down in the terminal."""
    ENDED = auto()


_S, _ST = SessionState, SessionTrigger

SESSION: Mapping[SessionState, Mapping[SessionTrigger, SessionState | Outcome]] = {
    _S.IDLE: {
        _ST.STARTED: IGNORED,
        _ST.PROMPTED: _S.WORKING,
        _ST.ACTIVE: _S.WORKING,
        _ST.ANSWERED: _S.WORKING,
        _ST.STOPPED: IGNORED,
        _ST.CONTINUED: _S.WORKING,
        _ST.FAILED: IGNORED,
        _ST.INTERRUPTED: IGNORED,
        _ST.ENDED: _S.ENDED,
    },
    _S.PRESUMED_IDLE: {
        _ST.STARTED: _S.IDLE,
        _ST.PROMPTED: _S.WORKING,
        _ST.ACTIVE: _S.WORKING,  # the inference was wrong
        _ST.ANSWERED: _S.WORKING,
        _ST.STOPPED: _S.IDLE,
        _ST.CONTINUED: _S.WORKING,
        _ST.FAILED: _S.IDLE,
        _ST.INTERRUPTED: IGNORED,
        _ST.ENDED: _S.ENDED,
    },
    _S.WORKING: {
        _ST.STARTED: _S.IDLE,
        _ST.PROMPTED: IGNORED,
        _ST.ACTIVE: IGNORED,
        _ST.ANSWERED: IGNORED,
        _ST.STOPPED: _S.IDLE,
        _ST.CONTINUED: IGNORED,
        _ST.FAILED: _S.IDLE,
        _ST.INTERRUPTED: _S.PRESUMED_IDLE,
        _ST.ENDED: _S.ENDED,
    },
    _S.ENDED: {
        _ST.STARTED: _S.IDLE,  # a resumed session keeps its id
        _ST.PROMPTED: _S.WORKING,
        _ST.ACTIVE: _S.WORKING,
        _ST.ANSWERED: _S.WORKING,
        _ST.STOPPED: IGNORED,
        _ST.CONTINUED: _S.WORKING,
        _ST.FAILED: IGNORED,
        _ST.INTERRUPTED: IGNORED,
        _ST.ENDED: IGNORED,
    },
}


def step(table: Mapping[S, Mapping[T, S | Outcome]], state: S, trigger: T) -> S | Outcome:
    """Return what the table decides for this pair."""
    return table[state][trigger]
