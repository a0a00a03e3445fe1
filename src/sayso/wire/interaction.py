"""Document 004 on the wire: what is sent to the interaction bridge, and requests as it tells of them.

The names of the fields are the document's. What a payload asks stands in `interaction_asks`, what a
response means in `interaction_answers`. Imports msgspec, `core` and `views`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct

from sayso.core.bounds import MAX_MESSAGE_CHARS
from sayso.core.states import State
from sayso.core.types import Kind, Question, Row
from sayso.errors import BadRequest
from sayso.wire.codec import MAX_NAME_CHARS, MaskFunction, mask_named
from sayso.wire.interaction_answers import Response
from sayso.wire.interaction_asks import ID
from sayso.wire.views import NoteView, RequestView

DEFAULT_MS, LEAST_MS, MOST_MS = 110_000.0, 1_000.0, 600_000.0
"""How long a call waits: what it asks for is moved into these bounds."""
SUMMARY_CHARS = 200
"""Of a summary in an alert; it is masked whole, and cut then."""

Payload = dict[str, Any]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_CHARS, pattern=r"\S")]
"""Of a session, as its caller calls it."""
OwnId = Annotated[str, Meta(pattern=f"^$|^{ID}$")]
Summary = Annotated[str, Meta(max_length=MAX_MESSAGE_CHARS)]
Type = Literal["permission", "exit_plan", "question", "input"]
TYPES: dict[Kind, Type] = {
    Kind.PERMISSION: "permission",
    Kind.PLAN: "exit_plan",
    Kind.QUESTION: "question",
    Kind.ELICITATION: "input",
    Kind.YESNO: "question",
    Kind.CHOICE: "question",
    Kind.TEXT: "input",
    Kind.CONFIRM: "permission",
}
"""What the document calls a request of each of our kinds; its readers know these four."""


# --- what is sent ------------------------------------------------------------------------


class RegisterBody(Struct, frozen=True, kw_only=True):
    """A request that waits, whether or not somebody waits for its answer.

    `session`: what the caller calls the session it is for. `id` is the caller's own, else one is made.
    `timeoutMs`: how long it is kept when nobody waits for it.
    """

    session: Name
    type: Type
    payload: Payload = {}
    summary: Summary | None = None
    id: OwnId | None = None
    timeout_ms: float | None = msgspec.field(default=None, name="timeoutMs")


class RequestBody(RegisterBody, frozen=True, kw_only=True):
    """A request whose answer is waited for at once, for `timeoutMs` at most."""


class RespondBody(Struct, frozen=True, kw_only=True):
    """A person's answer to the request with this id."""

    id: str
    response: Response = Response()


class NotifyBody(Struct, frozen=True, kw_only=True):
    """What a person is told; nothing waits for them."""

    session: Name
    summary: Summary | None = None
    payload: Payload = {}


class WaitQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which request, and how long to wait for its end."""

    id: str
    timeout_ms: float | None = msgspec.field(default=None, name="timeoutMs")


class PendingQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which session; "" for all."""

    session_id: str = msgspec.field(default="", name="sessionId")


class HookQuery(Struct, frozen=True, kw_only=True):
    """What happened, where the payload does not say so, and what the caller calls the session."""

    action: str = ""
    session: str = ""
    session_id: str = msgspec.field(default="", name="sessionId")


def wait_ms(asked_ms: float | None) -> float:
    """Return how long a call waits, in milliseconds."""
    if asked_ms is None:
        return DEFAULT_MS
    if isnan(asked_ms):
        raise BadRequest("timeoutMs must be a number", "timeoutMs")
    return min(max(asked_ms, LEAST_MS), MOST_MS)


# --- what is told ------------------------------------------------------------------------


class Interaction(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A request, as document 004 has it, with what else the desk knows.

    `status`: pending, resolved, timed_out or cancelled; `reason` says why where nothing was decided, or
    what became of the answer. `kind` and `state` are the desk's own words. `askerAway`: nobody waits for
    the answer now. In `payload` every text is masked.
    """

    id: str
    session_id: str
    type: Type
    payload: Payload
    summary: str
    status: str
    created_at: str
    agent: str
    kind: str
    state: str
    reason: str = ""
    ending: str = ""
    resolved_at: str = ""
    expires_at: str = ""
    asker_away: bool = False
    response: Response | None = None


class Answered(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The request as it is now. `watching` false: nobody is there who could answer, so nothing waits."""

    ok: bool
    watching: bool = True
    request: Interaction | None = None


class Listed(Struct, frozen=True, kw_only=True):
    """The pending requests, oldest first."""

    ok: bool = True
    requests: tuple[Interaction, ...] = ()


class Alert(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What calls a person: a request that waits (`kind` interaction_request), or a word that waits for
    nothing (`kind` notification). `interaction` names the request once more, where readers look for it."""

    kind: str
    session_id: str
    summary: str
    at: str
    id: str = ""
    type: str = ""
    interaction: Payload | None = None


class DesktopSession(Struct, frozen=True, kw_only=True, rename="camel"):
    """A session, and what it wants of its person: error, blocked, needs_input, needs_response or normal."""

    session_id: str
    agent: str
    attention: str
    state: str
    cwd: str = ""
    project: str = ""


class DesktopState(Struct, frozen=True, kw_only=True, rename="camel"):
    """Everything that a person's other program shows of this desk."""

    ok: bool = True
    sessions: tuple[DesktopSession, ...] = ()
    pending_interactions: tuple[Interaction, ...] = ()
    alerts: tuple[Alert, ...] = ()


_STATUS = {
    State.PENDING: "pending",
    State.EXPIRED: "timed_out",
    State.WITHDRAWN: "cancelled",
    State.RELEASED: "cancelled",
    State.DEFERRED: "cancelled",
}
"""In the document's words; every other state is a resolved one."""


def interaction(view: RequestView, payload: Payload | None, response: Response | None) -> Interaction:
    """Return a request as the bridge tells of it; without a payload of its own, from what is shown of it."""
    return Interaction(
        id=view.id,
        session_id=view.session_id,
        type=TYPES[Kind(view.kind)],
        payload=payload_of(view) if payload is None else payload,
        summary=summary(view),
        status=_STATUS.get(State(view.state), "resolved"),
        created_at=view.created_at,
        agent=view.agent,
        kind=view.kind,
        state=view.state,
        reason=view.reason,
        ending=view.ending,
        resolved_at=view.answered_at or view.ended_at,
        expires_at=view.expires_at,
        asker_away=view.asker_away,
        response=response,
    )


def summary(view: RequestView) -> str:
    """Return a request in one line; what it is made of is masked already."""
    words = view.title or _asked(view.questions) or _told(view)
    return " ".join(words.split())[:SUMMARY_CHARS]


def _asked(questions: tuple[Question, ...]) -> str:
    more = f" (and {len(questions) - 1} more)" if len(questions) > 1 else ""
    return next((one.question + more for one in questions), "")


def _told(view: RequestView) -> str:
    first = next((row.value for row in view.input), "")
    return f"{view.tool}: {first}" if view.tool and first else view.tool or first


def payload_of(view: RequestView) -> Payload:
    """Return what a request shows, in the shape that readers of the document know for its type."""
    made = _PAYLOADS[Kind(view.kind)](view)
    if view.cwd:
        made["cwd"] = view.cwd
    return made


def named(rows: tuple[Row, ...]) -> Payload:
    """Return rows by their labels; of two with one label, both."""
    found: Payload = {}
    for row in rows:
        name, number = row.label, 2
        while name in found:
            name, number = f"{row.label} ({number})", number + 1
        found[name] = row.value
    return found


def _permission(view: RequestView) -> Payload:
    made: Payload = {"toolName": view.tool, "input": named(view.input)}
    if view.suggestions:
        made["suggestions"] = [one.label for one in view.suggestions]
    return made


def _plan(view: RequestView) -> Payload:
    plan, rest = view.input[0], view.input[1:]  # a plan without its text is never shown
    return {"plan": plan.value, "modes": list(view.modes), **_more(rest)}


def _questions(view: RequestView) -> Payload:
    questions = [
        {
            "question": one.question,
            "header": one.header,
            "multiSelect": one.multi_select,
            "options": [msgspec.to_builtins(option) for option in one.options],
        }
        for one in view.questions
    ]
    return {"questions": questions, **_more(view.input)}


def _choose(view: RequestView) -> Payload:
    labels = [one.label for one in view.choices] or ["yes", "no"]
    options = [{"label": label} for label in labels]
    question = {"question": view.title, "header": "", "multiSelect": False, "options": options}
    return {"questions": [question], **_more(view.input)}


def _text(view: RequestView) -> Payload:
    return {"title": view.title, "default": view.default, **_more(view.input)}


def _form(view: RequestView) -> Payload:
    fields = [msgspec.to_builtins(one) for one in view.fields]
    return {"fields": fields, "url": view.url, **_more(view.input)}


def _command(view: RequestView) -> Payload:
    return {"toolName": view.title, "unsafe": view.unsafe, "steps": ["ack", "run"], **_more(view.input)}


def _more(rows: tuple[Row, ...]) -> Payload:
    return {"input": named(rows)} if rows else {}


_PAYLOADS: dict[Kind, Callable[[RequestView], Payload]] = {
    Kind.PERMISSION: _permission,
    Kind.PLAN: _plan,
    Kind.QUESTION: _questions,
    Kind.ELICITATION: _form,
    Kind.YESNO: _choose,
    Kind.CHOICE: _choose,
    Kind.TEXT: _text,
    Kind.CONFIRM: _command,
}


def masked(value: Any, mask: MaskFunction) -> Any:
    """Return JSON's own types with every text in them masked, names included."""
    if isinstance(value, str):
        return mask(value)[0]
    if isinstance(value, list):
        return [masked(one, mask) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {mask(name)[0]: _member(name, one, mask) for name, one in cast("Payload", value).items()}
    return value


def _member(name: str, value: Any, mask: MaskFunction) -> Any:
    return mask_named(name, value, mask)[0] if isinstance(value, str) else masked(value, mask)


# --- the stream --------------------------------------------------------------------------

_EVENTS = {
    State.WITHDRAWN: "withdrawn",
    State.RELEASED: "released",
    State.EXPIRED: "released",
}
"""What a stream calls a request's end; every other is resolved."""
_LOUD = frozenset({State.LOST, State.OVERRULED})
"""What became of an answer, and is told once more: it is not what the person believes."""


def event_of(type_: str, view: RequestView) -> str:
    """Return what a change of a request is called on a stream; "" for one that is not told."""
    if type_ == "shown":
        return "interaction" if view.state == State.PENDING else ""
    if type_ == "changed":
        return "resolved" if view.state in _LOUD else ""
    return _EVENTS.get(State(view.state), "resolved") if type_ == "resolved" else ""


def alert_of(view: RequestView) -> Alert:
    """Return what calls a person to a request."""
    type_, words = TYPES[Kind(view.kind)], summary(view)
    return Alert(
        kind="interaction_request",
        id=view.id,
        session_id=view.session_id,
        type=type_,
        summary=words,
        at=view.created_at,
        interaction={"id": view.id, "type": type_, "summary": words},
    )


def alert_of_note(note: NoteView) -> Alert:
    words = f"{note.title}: {note.body}" if note.body else note.title
    return Alert(
        kind="notification",
        session_id=note.surface_id,
        summary=" ".join(words.split())[:SUMMARY_CHARS],
        at=note.at,
    )


def encode_event(name: str, data: Any) -> bytes:
    """Return one server-sent event."""
    return f"event: {name}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"
