"""Webhooks: what is kept of one, what the desk says of it, and the events that it is told.

The bodies and their signature follow the Standard Webhooks specification. Members are only ever
added to them; `VERSION` is raised if that promise had to be broken. Not here: what becomes which
event (a channel), connections (`web`). Imports msgspec.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Literal

import msgspec
from msgspec import Struct

from sayso.core.types import Answerer

VERSION = 1
EVENTS: dict[str, str] = {
    "request.shown": "something waits for a person, or waits in an agent's own terminal (`notice`)",
    "request.resolved": "it waits no more; `state` says why",
    "request.changed": "what became of it after that: handed over, confirmed, overruled, lost",
    "note": "a program left a note",
    "alert": "a program of an agent tried what only a person may, and was refused",
}
"""What a webhook can be told."""
TEST = "test"
"""The event that `sayso webhook test` sends: no data, and outside of the order (`seq` 0)."""
SECRET_PREFIX = "whsec_"
Content = Literal["who", "what"]


class Webhook(Struct, frozen=True, kw_only=True):
    """A webhook as the desk keeps it. `events` empty: all. `ended`: its receiver wanted no more."""

    id: str
    url: str
    secret: str
    events: tuple[str, ...] = ()
    content: Content = "who"
    ended: bool = False


class WebhooksParams(Struct, frozen=True, kw_only=True):
    """Without any of these, the list. `add`: an address; `events` (empty for all) and `content` go with it.
    `remove`, `test`: an id, or enough of its beginning."""

    add: str | None = None
    events: tuple[str, ...] = ()
    content: Content = "who"
    remove: str | None = None
    test: str | None = None


class WebhookView(Struct, frozen=True, kw_only=True):
    """A webhook as it is listed: its address without password and query, never its secret.

    `waiting`: events that it has not taken yet; `dropped`: those that it will never get, since the desk
    was opened; `trouble`: why it does not take them, in words.
    """

    id: str
    url: str
    events: tuple[str, ...]
    content: Content
    ended: bool = False
    waiting: int = 0
    dropped: int = 0
    trouble: str = ""


class WebhookAdded(Struct, frozen=True, kw_only=True):
    """A new webhook and its secret, which is not shown again."""

    webhook: WebhookView
    secret: str


class WebhookTested(Struct, frozen=True, kw_only=True):
    """What its receiver said to a test: its HTTP status, or why there was none."""

    ok: bool
    status: int = 0
    trouble: str = ""


# --- bodies ----------------------------------------------------------------------------


class EventRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row of a card, masked and cut. `length`: how many characters it really has, if it was cut."""

    label: str
    value: str
    length: int = 0


class EventQuestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question of an agent, with the labels of its options."""

    question: str
    options: tuple[str, ...] = ()


class EventRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request. `state`: one of those on the page of states; `reason`: the machine's word for an end.

    From `tool` on only with the content `what`. `asked`: what a person chose, of permissions and plans.
    """

    id: str
    agent: str
    session_id: str
    kind: str
    state: str
    created_at: str
    reason: str = ""
    label: str = ""
    confirmed: bool = True
    subagent: str = ""
    project: str = ""
    branch: str = ""
    worktree: str = ""
    host: str = ""
    surface_id: str = ""
    notice: bool = False
    unsafe: bool = False
    expires_at: str = ""
    answered_at: str = ""
    ended_at: str = ""
    by: Answerer | None = None
    tool: str = ""
    title: str = ""
    prompt: str = ""
    rows: tuple[EventRow, ...] = ()
    questions: tuple[EventQuestion, ...] = ()
    choices: tuple[str, ...] = ()
    asked: str = ""


class EventNote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A note. `title` and `body` only with the content `what`; what the desk itself says has its title."""

    agent: str
    at: str
    label: str = ""
    surface_id: str = ""
    project: str = ""
    title: str = ""
    body: str = ""


class EventAlert(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was tried (`method`), and by which agent, as far as that is known."""

    method: str
    at: str
    agent: str = ""
    session_id: str = ""
    project: str = ""


class EventData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the event is about: the member that its type is named after."""

    request: EventRequest | None = None
    note: EventNote | None = None
    alert: EventAlert | None = None


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of every event.

    `timestamp`: when it happened. `boot` names a run of the desk; `seq` counts the events for this
    webhook within it, from 1. `gap`: so many before this one, or more, will never come.
    """

    version: int
    type: str
    timestamp: str
    boot: str
    seq: int
    data: EventData
    gap: int = 0


def body_of(event: Event) -> bytes:
    """Return an event as it is sent. The version is always in it."""
    return msgspec.json.encode(event)


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return what the header webhook-signature says."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
