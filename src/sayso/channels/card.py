"""A request as a person reads it in plain text: who asks, all it would do, what may be answered.

Not here: what becomes of the answer (`base`), input, sockets, colours. Everything an agent
wrote passes through `text`. Imports `wire.views`, `core.types`, `base`, `direct` and `text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from sayso.channels import direct
from sayso.channels.base import (
    MODES,
    Line,
    age,
    agent_name,
    asker,
    count,
    lined,
    outcome,
    quoted,
    short,
    span,
    suggestions,
    what,
    where,
)
from sayso.channels.text import clip, turns_direction, visible, width
from sayso.core.types import DIRECT, Field, Option, Question, Row
from sayso.wire.views import RequestView


def request_card(view: RequestView, columns: int, now_s: float, place: str = "") -> list[Line]:
    """Return a request as a person reads it: who asks, all it would do, what may be answered.

    Args:
        place: "1 of 3", where it stands in the line, or "".
    """
    return [
        *heading(view, columns, now_s, place),
        *body(view, columns),
        *offers(view, columns),
        Line(""),
        *standing(view, columns, now_s),
    ]


def heading(view: RequestView, columns: int, now_s: float | None, place: str = "") -> list[Line]:
    """Return who asks, and from where. `now_s` None: it stays as it is, so the time of day is told."""
    lines = [*lead(view, columns, now_s, place), *lined(_origin(view), columns)]
    if view.prompt:
        lines += lined("Your last prompt: " + clip(view.prompt, 2 * columns - 20), columns)
    return lines


def lead(view: RequestView, columns: int, now_s: float | None, place: str = "") -> list[Line]:
    """Return who asks what, and how long ago: the line by which a list names a request."""
    parts = [place, short(view.id), f"{asker(view)} {what(view)}", _age(view, now_s)]
    return lined(" · ".join(part for part in parts if part), columns, style="strong")


UNCONFIRMED = (
    "The system could not confirm which process asks this: agent, project and session are its own claim."
)


SURFACE_COLUMNS = 60
"""How much is shown of what a program calls the place where it runs."""
HOST_COLUMNS = 40


def _age(view: RequestView, now_s: float | None) -> str:
    if now_s is None:
        return f"asked at {datetime.fromisoformat(view.created_at).astimezone():%H:%M}"
    passed = age(view.created_at, now_s)
    return f"{passed} ago" if passed else ""


def _origin(view: RequestView) -> str:
    parts: list[str] = []
    if view.project or view.cwd:
        parts.append(f"in {where(view)}")
    if view.project and view.cwd:
        parts[-1] += f" ({visible(view.cwd)})"
    host = [f"on {clip(view.host, HOST_COLUMNS)}"] if view.host else []
    if view.is_own:
        surface = clip(view.surface_id or view.session_id, SURFACE_COLUMNS)
        return " · ".join([*parts, f"surface {surface}", *host])
    if view.agent_id:
        parts.append(f"subagent {visible(view.agent_type)} {visible(view.agent_id[:12])}".replace("  ", " "))
    else:
        parts.append("main agent")
    if view.mode:
        parts.append(f"mode {visible(view.mode)}")
    return " · ".join([*parts, f"session {short(view.session_id)}", *host])


def body(view: RequestView, columns: int) -> list[Line]:
    """Return what it would do, or what it asks."""
    own = view.kind in DIRECT
    lines = direct.title_lines(view, columns) if own else []
    for row in view.input:
        lines += [Line(""), *row_lines(row, columns)]
    for index, question in enumerate(view.questions):
        lines += [Line(""), *question_lines(question, index, len(view.questions), columns)]
    if view.url:
        lines += [Line(""), *lined("It asks you to open this address:", columns, style="strong")]
        lines += quoted(view.url, columns)
    for number, field in enumerate(view.fields, 1):
        lines += [Line(""), *field_lines(field, number, columns)]
    if own:
        return lines + direct.answer_lines(view, columns)
    if not view.confirmed and not view.is_own:
        lines += [Line(""), *lined(UNCONFIRMED, columns, style="loud")]
    if view.kind == "permission" and not any(row.value.strip() for row in view.input):
        lines += [
            Line(""),
            *lined("Nothing says what it would do: there is no text to show.", columns, style="loud"),
        ]
    return lines


def row_lines(row: Row, columns: int) -> list[Line]:
    """Return one row: label, value, and what of it is not there."""
    label = clip(row.label, columns - 2)
    inline = (
        not row.code and "\n" not in row.value and width(label) + width(visible(row.value)) + 2 <= columns
    )
    if not row.value.strip():
        lines = lined(f"{label}: (empty)", columns, style="loud" if row.code else "")
    elif inline:
        lines = [Line(f"{label}: {visible(row.value)}")]
    else:
        lines = [Line(f"{label}:", "strong"), *quoted(row.value, columns)]
    for note in row_notes(row):
        lines += lined(note, columns, "  ", "loud" if "not shown" in note else "faint")
    return lines


def row_notes(row: Row) -> list[str]:
    """Return what a reader of the row must know beside its text."""
    notes: list[str] = []
    missing = row.length - len(row.value)
    if row.length and missing > 0:
        why = "the rest never left the agent's hook" if row.lost else "the whole text is kept"
        notes.append(f"[not shown: the last {missing:,} of {row.length:,} characters; {why}]")
    elif row.lost:
        notes.append("[not shown: a part that never left the agent's hook]")
    if row.hidden:
        lengths = ", ".join(f"{length:,}" for length in row.hidden)
        notes.append(f"[masked: {count(len(row.hidden), 'part')} of {lengths} characters]")
    if turns_direction(row.value):
        notes.append("[holds letters written from right to left: a terminal may show parts in another order]")
    return notes


def question_lines(
    question: Question, index: int, of: int, columns: int, picked: frozenset[int] | None = None
) -> list[Line]:
    """Return a question and its numbered options. `picked`: show marks, set for these."""
    name = f"Question {index + 1} of {of}" if of > 1 else "Question"
    if question.header:
        name += f" ({clip(question.header, 30)})"
    how = "pick one or more" if question.multi_select else "pick one"
    words = f"{how}, or answer in your own words" if question.options else "answer in your own words"
    lines = [*lined(f"{name}: {words}", columns, style="strong"), *quoted(question.question, columns)]
    for number, option in enumerate(question.options):
        mark = "" if picked is None else "[x] " if number in picked else "[ ] "
        lines += _option(option, f"{number + 1:>4}  {mark}", columns)
    return lines


def _option(option: Option, lead: str, columns: int) -> list[Line]:
    indent = " " * len(lead)
    first, *rest = lined(visible(option.label), columns, indent)
    lines = [Line(lead + first.text[len(lead) :]), *rest]
    if option.description:
        lines += lined(visible(option.description), columns, indent, "faint")
    if option.preview:
        lines += quoted(option.preview, columns, indent)
    return lines


def field_lines(field: Field, number: int, columns: int) -> list[Line]:
    """Return one field of a form: its name, what it takes, what it says of itself."""
    need = "required" if field.required else "optional"
    title = visible(field.title or field.name)
    called = f" [{visible(field.name)}]" if field.title and field.title != field.name else ""
    lines = lined(f"{number}. {title}{called}: {_takes(field)}, {need}", columns, style="strong")
    if field.description:
        lines += quoted(field.description, columns, "   ")
    for place, choice in enumerate(field.choices, 1):
        label = f" ({visible(choice.label)})" if choice.label and choice.label != choice.value else ""
        lines += lined(f"{place:>3}  {visible(choice.value)}{label}", columns, "  ")
    if field.default is not None:
        lines += lined(f"if you leave it: {shown_value(field.default)}", columns, "   ", "faint")
    return lines


def _takes(field: Field) -> str:
    names = {
        "string": "text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "yes or no",
        "choice": "one of these",
        "choices": "any of these",
    }
    words = names.get(field.type, visible(field.type))
    if field.format:
        words += f" ({visible(field.format)})"
    unit = {"string": " characters", "choices": " choices"}.get(field.type, "")
    if field.minimum is not None and field.maximum is not None:
        return f"{words}, {field.minimum:g} to {field.maximum:g}{unit}"
    if field.minimum is not None:
        return f"{words}, at least {field.minimum:g}{unit}"
    return words if field.maximum is None else f"{words}, at most {field.maximum:g}{unit}"


def shown_value(value: object) -> str:
    """Return a form's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(shown_value, cast("Sequence[object]", value)))
    return visible(str(value))


def offers(view: RequestView, columns: int) -> list[Line]:
    """Return what the agent lets a person choose beside yes and no."""
    lines: list[Line] = []
    if shown := suggestions(view):
        lines += [Line(""), *lined("With allow you may also choose one of these:", columns, style="strong")]
        for number, label in shown:
            first, *rest = lined(label, columns, "      ")
            lines += [Line(f"{number:>4}  {first.text[6:]}"), *rest]
    if view.kind == "plan" and view.modes:
        lines += [Line(""), *lined("After you approve it:", columns, style="strong")]
        lines += [
            line
            for mode in view.modes
            for line in lined(f"{visible(mode)}: {MODES.get(mode, 'as the agent calls it')}", columns, "  ")
        ]
    return lines


# --- until when it waits ---------------------------------------------------------------


def standing(view: RequestView, columns: int, now_s: float) -> list[Line]:
    """Return where the request stands, and until when it waits."""
    if view.state != "pending":
        return outcome(view, columns)
    lines: list[Line] = []
    if view.expires_at and (left := -_passed_s(view.expires_at, now_s)) > 0:
        lines += lined(f"Waits for {span(left)} more; then {_then(view)}.", columns)
    elif view.is_own and not view.expires_at:
        lines += lined("The program waits until you answer.", columns)
    for note in _pending_notes(view):
        lines += lined(note, columns, style="faint")
    return lines


def _then(view: RequestView) -> str:
    return "it goes on without an answer" if view.is_own else "the agent's own prompt decides"


def _passed_s(since: str, now_s: float) -> float:
    try:
        return now_s - datetime.fromisoformat(since).timestamp()
    except ValueError:
        return 0.0


def _pending_notes(view: RequestView) -> list[str]:
    name = agent_name(view.agent)
    if view.is_own:
        return [*([direct.AWAY] if view.asker_away else []), direct.OWN_WORD]
    if view.kind == "elicitation":
        return [f"{name} may no longer wait: interrupted in its terminal, it leaves no trace."]
    if not view.attended:
        return [f"Nobody is at {name}'s terminal: if nothing is decided, it may take that for a no."]
    if view.hold == "exclusive":
        return [f"{name} shows nothing in its terminal meanwhile; release gives it back."]
    return [f"{name} asks in its terminal, too: the first answer wins."]
