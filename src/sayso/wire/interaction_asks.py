"""What a payload of document 004 asks, as a person is shown it.

Nothing of a payload is left out: what has no place of its own becomes a row. What is malformed is an
error that names its field. Not here: who asks, and for how long. Imports msgspec and `core`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import msgspec

from sayso.core.bounds import MAX_CHOICES, MAX_MESSAGE_CHARS, MAX_QUESTIONS
from sayso.core.types import Ask, Kind, Option, Question, Row
from sayso.errors import BadRequest
from sayso.wire.codec import MAX_NAME_CHARS, MAX_ROWS, MAX_SHOWN_CHARS

Payload = dict[str, Any]
PROGRAM = "program"
"""The agent of what comes over the bridge: only its own word says which one it is."""
MAX_DEPTH = 32
MAX_TITLE_CHARS = 1000
MAX_CWD_CHARS = 4096
KINDS = {
    "permission": Kind.PERMISSION,
    "exit_plan": Kind.PLAN,
    "question": Kind.QUESTION,
    "input": Kind.TEXT,
}
SUMMARY = "Summary"
PLAIN = ("default",)
"""What a plan is approved into that names no modes: nothing changes."""
NOTHING = Row(label="Warning", value="The program says nothing of what this would do.")

ID = "[A-Za-z0-9][A-Za-z0-9_.:-]{15,63}"
"""Long enough that it is not the beginning of another's id, by which people name a request."""
_ID = re.compile(ID)
_CODE = frozenset({"command", "file_path", "path", "content", "old_string", "new_string", "url"})


def check_id(own: str | None) -> str:
    """Return a caller's own id, "" for none. Raises BadRequest."""
    if not own:
        return ""
    if not _ID.fullmatch(own):
        raise BadRequest("id has from 16 to 64 letters, digits, and - _ . : between them", "id")
    return own


def session_name(given: str) -> str:
    """Return what a caller calls its session. Raises BadRequest."""
    name = given.strip()
    if not name or len(name) > MAX_NAME_CHARS:
        raise BadRequest(f"session must be a name of up to {MAX_NAME_CHARS} characters", "session")
    return name


def check_summary(given: str | None) -> str:
    """Return a summary, "" for none. Raises BadRequest."""
    words = (given or "").strip()
    if len(words) > MAX_MESSAGE_CHARS:
        raise BadRequest(f"summary has at most {MAX_MESSAGE_CHARS} characters", "summary")
    return words


def ask_of(session: str, type_: str, payload: Payload, summary: str) -> Ask:
    """Return what is asked, without an id, a start and a hold. Raises BadRequest, naming the field."""
    check_payload(payload)
    rest = dict(payload)
    cwd = _taken(rest, "cwd", MAX_CWD_CHARS)
    name = session_name(session)
    ask = Ask(agent=PROGRAM, session_id=name, surface_id=name, kind=KINDS[type_], cwd=cwd)
    return _bounded(_SHOWN[ask.kind](ask, rest, check_summary(summary)))


def check_payload(payload: Payload) -> None:
    """Raises BadRequest when a payload is too deep or too long to be shown."""
    level: list[Any] = [payload]
    for _ in range(MAX_DEPTH):
        level = [one for value in level for one in _inside(value)]
        if not level:
            break
    else:
        raise BadRequest("payload is nested too deeply", "payload")
    if len(msgspec.json.encode(payload)) > MAX_SHOWN_CHARS:
        raise BadRequest(f"payload has at most {MAX_SHOWN_CHARS} bytes", "payload")


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(cast("Payload", value).values())
    return cast("list[Any]", value) if isinstance(value, list) else []


def _bounded(ask: Ask) -> Ask:
    if len(ask.input) > MAX_ROWS:
        raise BadRequest(f"payload makes more than {MAX_ROWS} rows", "payload")
    if len(ask.tool) > MAX_NAME_CHARS:
        raise BadRequest(f"toolName has at most {MAX_NAME_CHARS} characters", "payload.toolName")
    return ask


# --- one for each type -------------------------------------------------------------------


def _permission(ask: Ask, rest: Payload, summary: str) -> Ask:
    tool = _taken(rest, "toolName") or _taken(rest, "tool_name")
    given = rest.pop("input", {})
    inner = cast("Payload", given) if isinstance(given, dict) else {"input": given}
    rows = (*_summary_row(summary), *_rows(inner), *_rows(rest))
    if not rows:
        rows = (NOTHING,)
    return msgspec.structs.replace(ask, tool=tool, title=_line(summary), input=rows)


def _plan(ask: Ask, rest: Payload, summary: str) -> Ask:
    plan = _taken(rest, "plan") or summary
    if not plan.strip():
        raise BadRequest("payload.plan is needed: the text of the plan", "payload.plan")
    modes = _texts(rest.pop("modes", []), "payload.modes") or PLAIN
    rows = (Row(label="Plan", value=plan), *_summary_row("" if plan == summary else summary), *_rows(rest))
    return msgspec.structs.replace(ask, title=_line(summary), input=rows, modes=modes)


def _texts(value: Any, place: str) -> tuple[str, ...]:
    texts = cast("list[Any]", value) if isinstance(value, list) else [value]
    if not isinstance(value, list) or not all(isinstance(one, str) for one in texts):
        raise BadRequest(f"{place} must be an array of texts", place)
    return tuple(texts)


def _question(ask: Ask, rest: Payload, summary: str) -> Ask:
    if "questions" in rest:
        listed = rest.pop("questions")
        if not isinstance(listed, list) or not 0 < len(cast("list[Any]", listed)) <= MAX_QUESTIONS:
            raise BadRequest(
                f"payload.questions must be up to {MAX_QUESTIONS} questions", "payload.questions"
            )
        places = [(one, f"payload.questions[{n}]") for n, one in enumerate(cast("list[Any]", listed))]
    else:
        names = ("question", "header", "options", "multiSelect", "multi_select")
        one = {name: rest.pop(name) for name in names if name in rest}
        places = [({"question": summary, **one}, "payload")]
    more: Payload = {}
    questions = tuple(_one_question(one, place, more) for one, place in places)
    shown = "" if questions[0].question == summary else summary
    rows = (*_summary_row(shown), *_rows({**more, **rest}))
    return msgspec.structs.replace(ask, title=_line(summary), questions=questions, input=rows)


def _input(ask: Ask, rest: Payload, summary: str) -> Ask:
    """A text is asked for by one line; whatever else is said stands in one row below it."""
    names = [name for name in ("prompt", "question", "message", "title") if _is_text(rest.get(name))]
    words = summary or (rest.pop(names[0]) if names else "")
    default = _taken(rest, "default", MAX_MESSAGE_CHARS)
    title = _line(words) or f"{ask.session_id} asks for a text"
    parts = [f"{row.label}: {row.value}" for row in _rows(rest)]
    if words.strip() and words.strip() != title:
        parts.insert(0, words)
    rows = (Row(label="Details", value="\n".join(parts)),) if parts else ()
    return msgspec.structs.replace(ask, title=title, default=default, input=rows)


_SHOWN: dict[str, Callable[[Ask, Payload, str], Ask]] = {
    Kind.PERMISSION: _permission,
    Kind.PLAN: _plan,
    Kind.QUESTION: _question,
    Kind.TEXT: _input,
}


# --- questions ---------------------------------------------------------------------------


def _one_question(value: Any, place: str, more: Payload) -> Question:
    parts = _object(value, place)
    words = parts.pop("question", "")
    if not _is_text(words):
        raise BadRequest(f"{place}.question must be a text that is not blank", f"{place}.question")
    several = parts.pop("multiSelect", parts.pop("multi_select", False))
    if not isinstance(several, bool):
        raise BadRequest(f"{place}.multiSelect must be true or false", f"{place}.multiSelect")
    listed = parts.pop("options", [])
    if not isinstance(listed, list) or len(cast("list[Any]", listed)) > MAX_CHOICES:
        raise BadRequest(f"{place}.options must be an array", f"{place}.options")
    header = _taken(parts, "header")
    options = tuple(
        _option(one, f"{place}.options[{number}]", more)
        for number, one in enumerate(cast("list[Any]", listed))
    )
    _keep(parts, place, more)
    return Question(question=words, header=header, multi_select=several, options=options)


def _option(value: Any, place: str, more: Payload) -> Option:
    """Return an option, which may be a bare label."""
    parts = {"label": value} if isinstance(value, str) else _object(value, place)
    label = parts.pop("label", "")
    if not _is_text(label):
        raise BadRequest(f"{place}.label must be a text that is not blank", f"{place}.label")
    option = Option(label=label, description=_taken(parts, "description"), preview=_taken(parts, "preview"))
    _keep(parts, place, more)
    return option


def _keep(parts: Payload, place: str, more: Payload) -> None:
    """Have what has no place of its own shown as rows."""
    for name, value in parts.items():
        more[f"{place.removeprefix('payload.')}.{name}"] = value


def _object(value: Any, place: str) -> Payload:
    if not isinstance(value, dict):
        raise BadRequest(f"{place} must be an object", place)
    return dict(cast("Payload", value))


# --- rows --------------------------------------------------------------------------------


def _rows(members: Payload) -> tuple[Row, ...]:
    return tuple(_row(name, value) for name, value in members.items())


def _row(name: str, value: Any) -> Row:
    """Return a row: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return Row(label=name or '""', value=value, code=name in _CODE)
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    return Row(label=name or '""', value=text, code=True)


def _summary_row(summary: str) -> tuple[Row, ...]:
    return (Row(label=SUMMARY, value=summary),) if summary else ()


def _line(words: str) -> str:
    """Return a text's first line, as long as a title may be."""
    lines = words.strip().splitlines()
    return lines[0].strip()[:MAX_TITLE_CHARS] if lines else ""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _taken(rest: Payload, name: str, most_chars: int = MAX_SHOWN_CHARS) -> str:
    """Take a text out of what is left; what is none, or too long, stays, and becomes a row."""
    value = rest.get(name)
    if not isinstance(value, str) or len(value) > most_chars:
        return ""
    del rest[name]
    return value
