"""What a program asks itself, as document 001 has it on the wire: parameters in, views and results out.

Strict: whatever is malformed is an error that names its field, and nothing is dropped in silence.
An optional field that is null or "" counts as absent; so does a timeout of 0 or of a lifetime.
Imports msgspec, `core` and `views`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

import msgspec
from msgspec import Struct

from sayso.core.bounds import MAX_CHOICES, MAX_MESSAGE_CHARS
from sayso.core.states import State
from sayso.core.types import DIRECT, Ask, Choice, Kind, Row
from sayso.errors import BadRequest
from sayso.wire.jsonrpc import decode_params
from sayso.wire.views import Change, RequestView, Snapshot

PROGRAM = "program"
"""The agent of an ask that comes from no known agent."""
EVENT = "askUserEvent"
MAX_TITLE_CHARS = 1000
MAX_NAME_CHARS = 256
MAX_BODY_CHARS = 256 * 1024
MAX_DEFAULT_CHARS = 4000
MAX_CWD_CHARS = 4096
NEVER_MS = 1e12
"""A timeout of more than thirty years is none."""

_ID = re.compile(r"[0-9a-f]{32}")
_FIELDS = frozenset(
    {"surface_id", "kind", "title", "body", "agent_id", "choices", "default", "timeout_ms", "unsafe"}
    | {"id", "resumed", "cwd"}
)
_NOTE_FIELDS = frozenset({"surface_id", "title", "body", "agent_id", "cwd"})


class TooLong(BadRequest):
    """A text beyond our bounds; the document has none."""


class AskUser(Struct, frozen=True, kw_only=True):
    """A decoded ask. `id` is the caller's own, or ""; then it can find its ask again."""

    ask: Ask
    id: str = ""


class Note(Struct, frozen=True, kw_only=True):
    """What a program wants a person to know."""

    title: str
    body: str = ""
    surface_id: str = ""
    label: str = ""
    cwd: str = ""


# --- parameters in -----------------------------------------------------------------------


def decode(params: msgspec.Raw | bytes) -> AskUser:
    """Return what is asked, without an id, agent or start. Raises BadRequest, naming the field."""
    given = _known(params, _FIELDS)
    surface = _needed(given, "surface_id", MAX_NAME_CHARS)
    kind = _needed(given, "kind", MAX_NAME_CHARS)
    if kind not in DIRECT:
        raise BadRequest(f"kind must be one of {', '.join(sorted(DIRECT))}", "kind")
    body = _optional(given, "body", MAX_BODY_CHARS)
    timeout_ms = _timeout_ms(given.get("timeout_ms"))
    choices = _choices(given.get("choices")) if kind == Kind.CHOICE else ()
    ask = Ask(
        agent=PROGRAM,
        session_id=surface,
        surface_id=surface,
        kind=kind,
        title=_title(given),
        input=(_body_row(kind, body),) if body else (),
        choices=choices,
        default=_default(given, kind, choices),
        hold_s=timeout_ms / 1000 if timeout_ms else math.inf,
        unsafe=_flag(given, "unsafe"),
        label=_optional(given, "agent_id", MAX_NAME_CHARS),
        cwd=_optional(given, "cwd", MAX_CWD_CHARS),
        resumed=_flag(given, "resumed"),
    )
    return AskUser(ask=ask, id=_own_id(given))


def decode_note(params: msgspec.Raw | bytes) -> Note:
    """Return a note. Raises BadRequest, naming the field."""
    given = _known(params, _NOTE_FIELDS)
    return Note(
        title=_title(given),
        body=_optional(given, "body", MAX_MESSAGE_CHARS),
        surface_id=_optional(given, "surface_id", MAX_NAME_CHARS),
        label=_optional(given, "agent_id", MAX_NAME_CHARS),
        cwd=_optional(given, "cwd", MAX_CWD_CHARS),
    )


def _known(params: msgspec.Raw | bytes, fields: frozenset[str]) -> dict[str, Any]:
    given = decode_params(params, dict[str, Any])
    strange = sorted(given.keys() - fields)
    if strange:
        raise BadRequest(f"there is no field {strange[0][:100]!r}", strange[0][:100])
    return given


def _needed(given: dict[str, Any], name: str, most_chars: int) -> str:
    value = _optional(given, name, most_chars)
    if not value.strip():
        raise BadRequest(f"{name} is needed: a text that is not empty", name)
    return value


def _optional(given: dict[str, Any], name: str, most_chars: int) -> str:
    value = given.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRequest(f"{name} must be a text", name)
    if len(value) > most_chars:
        raise TooLong(f"{name} has at most {most_chars} characters", name)
    return value


def _title(given: dict[str, Any]) -> str:
    title = _needed(given, "title", MAX_TITLE_CHARS).strip()
    if len(title.splitlines()) > 1:
        raise BadRequest("title must be one line; more belongs into body", "title")
    return title


def _flag(given: dict[str, Any], name: str) -> bool:
    value = given.get(name)
    if value is not None and not isinstance(value, bool):
        raise BadRequest(f"{name} must be true or false", name)
    return bool(value)


def _default(given: dict[str, Any], kind: str, choices: tuple[Choice, ...]) -> str:
    """Return what is proposed, which must be an answer."""
    default = _optional(given, "default", MAX_DEFAULT_CHARS)
    fits = {Kind.YESNO: ("yes", "no"), Kind.CHOICE: tuple(one.value for one in choices), Kind.CONFIRM: ()}
    if default and kind in fits and default not in fits[Kind(kind)]:
        what = " or ".join(map(repr, fits[Kind(kind)][:8])) or "left out: a command is never proposed"
        raise BadRequest(f"default must be {what}", "default")
    return default


def _timeout_ms(value: Any) -> float:
    """Return a timeout in milliseconds, 0 for none."""
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise BadRequest("timeout_ms must be a positive number, or 0 or null for none", "timeout_ms")
    return float(value) if value < NEVER_MS else 0.0


def _own_id(given: dict[str, Any]) -> str:
    own = _optional(given, "id", MAX_NAME_CHARS)
    if own and not _ID.fullmatch(own):
        raise BadRequest("id must be 128 random bits as 32 hexadecimal digits", "id")
    if given.get("resumed") and not own:
        raise BadRequest("what is resumed has an id", "id")
    return own


def _body_row(kind: str, body: str) -> Row:
    is_command = kind == Kind.CONFIRM
    return Row(label="Command" if is_command else "Details", value=body, code=is_command)


def _choices(value: Any) -> tuple[Choice, ...]:
    if not isinstance(value, list) or not value:
        raise BadRequest("choices are needed: an array of {id, label}", "choices")
    listed = cast("list[Any]", value)
    if len(listed) > MAX_CHOICES:  # here, too: each is looked at before the desk counts them
        raise BadRequest(f"choices are up to {MAX_CHOICES}", "choices")
    choices = tuple(_choice(item, f"choices[{index}]") for index, item in enumerate(listed))
    ids = [choice.value for choice in choices]
    if len(set(ids)) < len(ids):
        twice = next(index for index, one in enumerate(ids) if one in ids[:index])
        raise BadRequest(f"choices[{twice}].id is another choice's, too", f"choices[{twice}].id")
    return choices


def _choice(item: Any, field: str) -> Choice:
    if not isinstance(item, dict):
        raise BadRequest(f"{field} must be an object with an id, and a label", field)
    given = cast("dict[str, Any]", item)
    strange = sorted(given.keys() - {"id", "label"})
    if strange:
        raise BadRequest(f"{field} has no {strange[0][:100]!r}", f"{field}.{strange[0][:100]}")
    try:
        value = _needed(given, "id", MAX_TITLE_CHARS)
        label = _optional(given, "label", MAX_TITLE_CHARS)
    except BadRequest as error:
        raise BadRequest(f"{field}.{error.text}", f"{field}.{error.field}") from None
    return Choice(value=value, label=label if label.strip() else value)


# --- views and results out ---------------------------------------------------------------


class ChoiceView(Struct, frozen=True):
    id: str
    label: str


class AskUserRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A pending request. `created_at`: milliseconds since 1970. `body_length`: where `body` is cut."""

    request_id: str
    surface_id: str
    kind: str
    title: str
    created_at: int
    body: str = ""
    body_length: int = 0
    agent_id: str = ""
    choices: tuple[ChoiceView, ...] = ()
    default: str = ""
    timeout_ms: int | float = 0
    unsafe: bool = False


class AskUserResponse(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a request ended: ok with a value, cancel perhaps with a reason, or timeout."""

    request_id: str
    action: str
    value: str | None = None
    reason: str = ""


class AskUserEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What subscribers are pushed. `kind`: shown, resolved or snapshot; the fields go with it."""

    kind: str
    request: AskUserRequest | None = None
    request_id: str = ""
    response: AskUserResponse | None = None
    pending: tuple[AskUserRequest, ...] | None = None


def request_of(view: RequestView) -> AskUserRequest:
    """Return a request in the words of document 001."""
    body = view.input[0] if view.input else Row(label="", value="")
    return AskUserRequest(
        request_id=view.id,
        surface_id=view.surface_id,
        kind=view.kind,
        title=view.title,
        created_at=round(datetime.fromisoformat(view.created_at).timestamp() * 1000),
        body=body.value,
        body_length=body.length,
        agent_id=view.label,
        choices=tuple(ChoiceView(choice.value, choice.label) for choice in view.choices),
        default=view.default,
        timeout_ms=view.timeout_ms,
        unsafe=view.unsafe,
    )


def response_of(view: RequestView) -> AskUserResponse:
    """Return how a request ended. Nothing decided is a cancel that says so."""
    if view.value is not None:
        return AskUserResponse(request_id=view.id, action="ok", value=view.value)
    if view.state == State.EXPIRED:
        return AskUserResponse(request_id=view.id, action="timeout")
    if view.by is not None or view.reason == "cancelled":
        return AskUserResponse(request_id=view.id, action="cancel", reason=view.said)
    return AskUserResponse(request_id=view.id, action="cancel", reason=view.ending)


def pending_of(views: Snapshot, surface_id: str = "") -> tuple[AskUserRequest, ...]:
    """Return what programs ask themselves, oldest first; of one surface, or of all."""
    return tuple(
        request_of(view)
        for view in views.requests
        if view.kind in DIRECT and view.state == State.PENDING and surface_id in ("", view.surface_id)
    )


def event_of(change: Change) -> AskUserEvent | None:
    """Return a change in the words of document 001, None if it is not about what programs ask."""
    if change.snapshot is not None:
        return AskUserEvent(kind="snapshot", pending=pending_of(change.snapshot))
    view = change.request
    make = _EVENTS.get(change.type)
    return make(view) if view is not None and view.kind in DIRECT and make is not None else None


def _shown(view: RequestView) -> AskUserEvent:
    return AskUserEvent(kind="shown", request=request_of(view))


def _resolved(view: RequestView) -> AskUserEvent:
    return AskUserEvent(kind="resolved", request_id=view.id, response=response_of(view))


_EVENTS: dict[str, Callable[[RequestView], AskUserEvent]] = {"shown": _shown, "resolved": _resolved}
