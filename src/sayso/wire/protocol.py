"""The methods of the desk and the power each needs: one table for socket and HTTP.

Shapes of parameters and results are msgspec types or described in a line. Imports msgspec.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from msgspec import Struct

from sayso.core.types import Reply

PROTOCOL = 1
"""Raised when hook and desk would misunderstand each other.

1: the first.
"""

MAX_LINE_BYTES = 1024 * 1024
"""A line to the desk; a longer one is an error and the connection closes."""
MAX_CHUNK_BYTES = 256 * 1024
"""A chunk of a snapshot."""
ACK_S = 0.25
"""A desk that has not acknowledged within this counts as absent, for a hook."""


class Power(IntEnum):
    """What a caller may do; each includes what is below it, except that ASK is apart."""

    NONE = 0
    ASK = 1
    SEE = 2
    ANSWER = 3
    ADMIN = 4


class Method(Struct, frozen=True, kw_only=True):
    """A row of the table. `holds`: the answer may take as long as a person does.
    `notifies`: the caller expects no answer."""

    power: Power
    about: str
    holds: bool = False
    notifies: bool = False


METHODS: dict[str, Method] = {
    # For hooks.
    "agent.request": Method(power=Power.ASK, holds=True, about="an ask; its result is the decision, or {}"),
    "agent.event": Method(
        power=Power.ASK, about="an event of an agent: {message} for a hook that takes one, or {}"
    ),
    "agent.written": Method(power=Power.ASK, notifies=True, about="{id, expects}: the answer was written"),
    "agent.not_written": Method(power=Power.ASK, notifies=True, about="{id, reason}: it could not be"),
    "agent.gone": Method(power=Power.ASK, notifies=True, about="{id, reason}: the hook was told to end"),
    "agent.take-message": Method(power=Power.ASK, about="{agent, session_id, agent_pid?}: {message} or {}"),
    # For programs that ask themselves: document 001.
    "agent.ask_user": Method(
        power=Power.ASK,
        holds=True,
        about="{surface_id, kind, title, …}: asks; its result is {request_id, action, value?, reason?}",
    ),
    "agent.ask_cancel": Method(
        power=Power.ASK, about="{request_id, reason?}: takes one's own back, or any with the power to answer"
    ),
    "agent.notify": Method(power=Power.ASK, about="{title, body?, …}: a note for the person"),
    # Panes that agents run in.
    "agent.create": Method(power=Power.ADMIN, about="{cwd?}: an agent in a new window; answers OK"),
    "agent.create_split": Method(
        power=Power.ADMIN,
        about="{direction?, surface_id?, tmux?, cwd?}: an agent beside a pane; answers OK",
    ),
    "agent.list": Method(power=Power.ADMIN, about="{}: the ids of the panes that live"),
    "agent.count": Method(power=Power.ADMIN, about="{}: how many"),
    "agent.close": Method(
        power=Power.ADMIN,
        about="{agent_id | surface_id}: closes a pane, and withdraws what it asked; answers OK",
    ),
    # For people.
    "agent.ask_pending": Method(power=Power.SEE, about="{surface_id?}: {pending}"),
    "agent.ask_answer": Method(
        power=Power.ANSWER,
        about="{request_id, value}: {resolved, reason?, acknowledged?}; a command by ack, run",
    ),
    "askUserRequestSnapshot": Method(
        power=Power.SEE,
        holds=True,
        about="{}: pushes askUserEvent: a snapshot first, then shown and resolved",
    ),
    "desk.list": Method(power=Power.SEE, about="{}: a snapshot"),
    "desk.row": Method(power=Power.SEE, about="{id, row}: the whole row, which then counts as seen"),
    "desk.subscribe": Method(power=Power.SEE, holds=True, about="{after?}: pushes changes, a snapshot first"),
    "desk.sessions": Method(power=Power.SEE, about="{}: {sessions}"),
    "desk.health": Method(power=Power.SEE, about="{}: what runs, since when, and what is wrong"),
    "desk.presence": Method(power=Power.SEE, about="{present, open}: whether a person is there"),
    "desk.answer": Method(power=Power.ANSWER, about="{id, reply}: {ok, state}"),
    "desk.release": Method(power=Power.ANSWER, about="{id}: gives it back to the agent's own prompt"),
    "desk.queue": Method(power=Power.ANSWER, about="{agent, session_id, text, when?}: queues a message"),
    "desk.unqueue": Method(power=Power.ANSWER, about="{agent, session_id}: takes it back"),
    "desk.mute": Method(
        power=Power.ANSWER, about="{agent, session_id, for_s? | off?}: nobody is called for this session"
    ),
    "desk.ungrant": Method(
        power=Power.ANSWER, about="{id}: ends what was allowed for a while, if it still is"
    ),
    "desk.away": Method(power=Power.ANSWER, about="{away}: answer from afar, hold exclusive requests longer"),
    "desk.settings": Method(power=Power.ADMIN, about="{settings?}: the settings, after the change"),
    "desk.devices": Method(power=Power.ADMIN, about="{create|list|revoke}: devices and their credentials"),
    "desk.me": Method(power=Power.SEE, about="{}: who the caller is: {id, name, power}"),
    "desk.pairing": Method(
        power=Power.ADMIN,
        holds=True,
        about="{power?, name? | wait | cancel}: opens a one-time code, waits for its use, or closes it",
    ),
    "desk.push": Method(
        power=Power.SEE,
        about="{subscription? | end?}: the key for Web Push; subscribes the calling device, or ends that",
    ),
    "desk.push_answer": Method(
        power=Power.NONE, about="{ticket, behavior}: answers the one request that a notice's ticket is for"
    ),
    "desk.webhooks": Method(
        power=Power.ADMIN,
        about="{add?, events?, content? | remove? | test?}: {webhooks}, or one; over this socket alone",
    ),
    "desk.telegram": Method(
        power=Power.ADMIN,
        holds=True,
        about="{list | token, bot_id, bot | pair, name? | wait | cancel | revoke | forget}: the bot and who "
        "answers through it",
    ),
    "desk.pair": Method(power=Power.NONE, about="{code, name?}: a one-time code for {device, token}"),
    "desk.stop": Method(
        power=Power.ADMIN, about="{restart?}: releases what waits and ends; a restart keeps it"
    ),
}


class AnswerParams(Struct, frozen=True, kw_only=True):
    id: str
    reply: Reply


class AskPendingParams(Struct, frozen=True, kw_only=True):
    surface_id: str | None = None


class AskAnswerParams(Struct, frozen=True, kw_only=True):
    request_id: str
    value: str


class AskCancelParams(Struct, frozen=True, kw_only=True):
    request_id: str
    reason: str | None = None


class IdParams(Struct, frozen=True, kw_only=True):
    id: str


class RowParams(Struct, frozen=True, kw_only=True):
    id: str
    row: int


class PresenceParams(Struct, frozen=True, kw_only=True):
    """`page` tells the pages of one device apart."""

    present: bool
    open: tuple[str, ...] = ()
    page: str = ""


class SubscribeParams(Struct, frozen=True, kw_only=True):
    """`after`: the last change already seen, "<boot>-<seq>", or "" for a snapshot."""

    after: str = ""


class WrittenParams(Struct, frozen=True, kw_only=True):
    """`id` "" is the message that this connection took."""

    id: str = ""
    expects: str = ""


class GoneParams(Struct, frozen=True, kw_only=True):
    """`reason`: term, hangup, orphan or bad."""

    id: str = ""
    reason: str = ""


class TakeParams(Struct, frozen=True, kw_only=True):
    agent: str
    session_id: str
    agent_pid: int = 0


class QueueParams(Struct, frozen=True, kw_only=True):
    agent: str
    session_id: str
    text: str
    when: str = "soon"


class SessionParams(Struct, frozen=True, kw_only=True):
    agent: str
    session_id: str


class MuteParams(Struct, frozen=True, kw_only=True):
    """`for_s`: for how long; null until it is taken back (`off`) or the session ends."""

    agent: str
    session_id: str
    for_s: float | None = None
    off: bool = False


class AwayParams(Struct, frozen=True, kw_only=True):
    away: bool


class StopParams(Struct, frozen=True, kw_only=True):
    restart: bool = False


class DevicesParams(Struct, frozen=True, kw_only=True):
    """One of the three; `power` goes with `create`."""

    create: str | None = None
    power: str = ""
    revoke: str | None = None
    list: bool = False


class PairingParams(Struct, frozen=True, kw_only=True):
    """`power`: see, answer or admin, of the device that uses the code; `name` "" leaves its name to it.
    `wait` and `cancel` name a code by its id instead."""

    power: str = "answer"
    name: str = ""
    wait: str | None = None
    cancel: str | None = None


class TelegramParams(Struct, frozen=True, kw_only=True):
    """One of these. `token` goes with the `bot_id` and name that Telegram gives for it; `name` "" leaves the
    name of whoever is paired to them; `wait` and `cancel` name a code by its id; `revoke` a sender by name,
    device or id; `forget` takes the bot's token and everybody back."""

    list: bool = False
    token: str | None = None
    bot_id: int = 0
    bot: str = ""
    pair: bool = False
    name: str = ""
    wait: str | None = None
    cancel: str | None = None
    revoke: str | None = None
    forget: bool = False


class PairParams(Struct, frozen=True, kw_only=True):
    """`name`: what the device would be called, unless whoever made the code said."""

    code: str
    name: str = ""


class PushKeys(Struct, frozen=True, kw_only=True):
    """What a browser gives out with a subscription, as base64url."""

    p256dh: str
    auth: str


class PushSubscription(Struct, frozen=True, kw_only=True):
    """A browser's subscription: where its push service takes messages, and what they are encrypted with."""

    endpoint: str
    keys: PushKeys


class PushParams(Struct, frozen=True, kw_only=True):
    """Without either, the key with which a browser subscribes."""

    subscription: PushSubscription | None = None
    end: bool = False


class PushAnswerParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`ticket`: what a notice with buttons carries; good for one answer to one request."""

    ticket: str
    behavior: Literal["allow", "deny"]
