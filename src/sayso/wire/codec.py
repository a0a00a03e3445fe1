"""What hooks send, as the core wants it: bounds checked, strings masked by the caller.

Imports msgspec and `core`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sayso.core.bounds import MAX_SUGGESTIONS
from sayso.core.types import Ask, Choice, Field, HookEvent, Option, Question, Row
from sayso.errors import BadRequest
from sayso.wire.jsonrpc import decode_params
from sayso.wire.protocol import PROTOCOL

MAX_ID_CHARS = 64
MAX_NAME_CHARS = 256
MAX_PROMPT_CHARS = 200
MAX_SHOWN_CHARS = 256 * 1024
"""Of all rows' values of an ask together; a hook sends no more, and masking takes time."""
MAX_NAMED_CHARS = 4096
"""Of a text whose name is looked at, too; a longer secret is known by itself."""
MAX_ROWS = 256
MAX_RESPONSES = 1024
"""Of one batch of tool calls."""
BOUNDS = {
    "agent_id": 256,
    "agent_type": 256,
    "tool": 256,
    "prompt_id": 128,
    "digest": 128,
    "content": 128,
    "answers": 128,
    "mode": 64,
    "reason": 256,
    "surface_id": 256,
    "cwd": 4096,
    "url": 8192,
    "unshowable": 1000,
}
"""Of the strings of asks and events, in characters: whoever may ask may not fill the memory."""

MaskFunction = Callable[[str], tuple[str, tuple[int, ...]]]
"""Text -> (masked text, lengths of what was masked)."""


class Envelope(Struct, frozen=True, kw_only=True):
    """What a hook says beside its ask or event: protocol, its agent's pid, a journal.

    `takes`: it can hand the main agent a message now.
    """

    version: int = PROTOCOL
    agent_pid: int = 0
    journal: tuple[str, ...] = ()
    takes: bool = False


def decode_ask(params: msgspec.Raw | bytes) -> tuple[Ask, Envelope]:
    """Return an ask and what came with it. Raises BadRequest, naming the field."""
    params = _in_seconds(params)
    envelope = _envelope(params)
    ask = decode_params(params, Ask)
    for name in ("agent", "session_id", "kind"):
        _check_name(name, getattr(ask, name))
    if ask.is_direct:
        raise BadRequest(f"a {ask.kind} is asked with agent.ask_user", "kind")
    if ask.bridge:
        raise BadRequest("a hook asks by itself, not over the bridge", "bridge")
    if ask.id and not (len(ask.id) <= MAX_ID_CHARS and ask.id.isascii() and ask.id.isalnum()):
        raise BadRequest("an id is up to 64 letters and digits", "id")
    if not 0 < ask.hold_s < 1e6:
        raise BadRequest("hold_s is in seconds, up to a million", "hold_s")
    _check_bounds(ask)
    if len(ask.input) > MAX_ROWS or sum(len(row.value) for row in ask.input) > MAX_SHOWN_CHARS:
        raise BadRequest(f"the rows hold more than {MAX_SHOWN_CHARS} characters, or are too many", "input")
    return replace(ask, suggestions=ask.suggestions[:MAX_SUGGESTIONS]), envelope


class _Start(Struct, frozen=True):
    started_at: float | str = 0.0


def _in_seconds(params: msgspec.Raw | bytes) -> msgspec.Raw | bytes:
    """Return an ask whose start is in seconds since 1970; document 000 has it as RFC 3339."""
    start = decode_params(params, _Start).started_at
    if not isinstance(start, str):
        return params
    try:
        instant = datetime.fromisoformat(start)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise BadRequest("started_at is an instant as RFC 3339 has it, or seconds since 1970", "started_at")
    given = decode_params(params, dict[str, msgspec.Raw])
    return msgspec.json.encode({**given, "started_at": instant.timestamp()})


def decode_event(params: msgspec.Raw | bytes) -> tuple[HookEvent, Envelope]:
    """Return an event and what came with it. Raises BadRequest, naming the field."""
    envelope = _envelope(params)
    event = decode_params(params, HookEvent)
    for name in ("agent", "session_id"):
        _check_name(name, getattr(event, name))
    _check_bounds(event)
    if len(event.responses) > MAX_RESPONSES or any(len(r) > BOUNDS["digest"] for r in event.responses):
        raise BadRequest(f"responses are up to {MAX_RESPONSES} digests", "responses")
    return event, envelope


def decode_journal(line: str | bytes, session_id: str) -> tuple[HookEvent, int] | None:
    """Return the event of a journal's line and its agent's pid; None if it is none."""
    data = line.encode("utf-8", "replace") if isinstance(line, str) else line
    try:
        event, envelope = decode_event(data)
    except BadRequest:
        return None  # torn by a crash, or written by something else
    return (event, envelope.agent_pid) if event.session_id == session_id else None


def _envelope(params: msgspec.Raw | bytes) -> Envelope:
    envelope = decode_params(params, Envelope)
    if envelope.version > PROTOCOL:
        raise BadRequest("this hook is newer than the desk: restart sayso", "version")
    return envelope


def _check_name(field: str, value: str) -> None:
    if not value or len(value) > MAX_NAME_CHARS:
        raise BadRequest(f"{field} must be a name of up to {MAX_NAME_CHARS} characters", field)


def _check_bounds(said: Ask | HookEvent) -> None:
    for name in said.__struct_fields__:
        most = BOUNDS.get(name)
        if most is not None and len(getattr(said, name)) > most:
            raise BadRequest(f"{name} has at most {most} characters", name)


# --- masking: every string an agent wrote ----------------------------------------------


def mask_ask(ask: Ask, mask: MaskFunction) -> Ask:
    """Return an ask in which every string that is shown is masked."""

    def text(value: str) -> str:
        return mask(value)[0] if value else value

    if any(text(word) != word for field in ask.fields for word in _answered_with(field)):
        # They go back as they are, so they would have to be shown as they are.
        ask = replace(
            ask, fields=(), unshowable=ask.unshowable or "a name, choice or default in its form is a secret"
        )
    if any(text(word) != word for word in (ask.default, *(choice.value for choice in ask.choices))):
        ask = replace(ask, unshowable="a default, or the id of a choice, is a secret")
    return replace(
        ask,
        tool=text(ask.tool),
        agent_type=text(ask.agent_type),
        input=tuple(_mask_row(row, mask) for row in ask.input),
        suggestions=tuple(text(label) for label in ask.suggestions),
        questions=tuple(_mask_question(question, text) for question in ask.questions),
        fields=tuple(_mask_field(field, text) for field in ask.fields),
        url=text(ask.url),
        cwd=text(ask.cwd),
        surface_id=text(ask.surface_id),
        unshowable=text(ask.unshowable),
        title=text(ask.title),
        choices=tuple(Choice(value=one.value, label=text(one.label or one.value)) for one in ask.choices),
        default=text(ask.default),
        label=text(ask.label),
    )


def mask_event(event: HookEvent, mask: MaskFunction) -> HookEvent:
    """Return an event in which what is shown is masked, and its prompt then cut."""
    if not event.prompt and not event.cwd:
        return event
    return replace(event, prompt=mask(event.prompt)[0][:MAX_PROMPT_CHARS], cwd=mask(event.cwd)[0])


def mask_named(name: str, value: str, mask: MaskFunction) -> tuple[str, tuple[int, ...]]:
    """Return a text masked, whose name may be all that tells that it is a secret."""
    words, hidden = mask(value)
    if hidden or len(value) > MAX_NAMED_CHARS:
        return words, hidden
    begin = f"{name}: "
    line, hidden = mask(begin + value)
    return (line[len(begin) :], hidden) if hidden and line.startswith(begin) else (words, ())


def _mask_row(row: Row, mask: MaskFunction) -> Row:
    value, hidden = mask_named(row.label, row.value, mask)
    return replace(row, label=mask(row.label)[0], value=value, hidden=hidden)


def _mask_question(question: Question, text: Callable[[str], str]) -> Question:
    options = tuple(
        Option(
            label=text(option.label),
            description=text(option.description),
            preview=text(option.preview),
        )
        for option in question.options
    )
    return replace(question, question=text(question.question), header=text(question.header), options=options)


def _answered_with(field: Field) -> tuple[str, ...]:
    default = (field.default,) if isinstance(field.default, str) else field.default
    proposed = default if isinstance(default, tuple) else ()
    return (field.name, *(choice.value for choice in field.choices), *proposed)


def _mask_field(field: Field, text: Callable[[str], str]) -> Field:
    choices = tuple(
        Choice(value=choice.value, label=text(choice.label or choice.value)) for choice in field.choices
    )
    return replace(
        field,
        title=text(field.title or field.name),
        description=text(field.description),
        format=text(field.format),
        choices=choices,
    )
