"""Whether a filled-in form fits its fields. Pure."""

from __future__ import annotations

from sayso.core.types import Field
from sayso.errors import BadReply

Value = str | int | float | bool | list[str] | None
Content = dict[str, Value]


def check_form(fields: tuple[Field, ...], content: Content) -> Content:
    """Return the content to hand over: every field checked, blanks of optional ones left out.

    Raises:
        BadReply: a field is unknown, missing, or its value does not fit; names it.
    """
    known = {field.name: field for field in fields}
    for name in content:
        if name not in known:
            raise BadReply(f"the form has no field {name!r}", f"content.{name}")
    filled: Content = {}
    for field in fields:
        value = content.get(field.name)
        if value is None:
            if field.required:
                raise BadReply(f"{label(field)} is required", f"content.{field.name}")
            continue
        check_value(field, value)
        filled[field.name] = value
    return filled


def label(field: Field) -> str:
    return field.title or field.name


def check_value(field: Field, value: Value) -> None:
    """Raises BadReply when the value does not fit the field."""
    problem = _PROBLEMS[field.type](field, value)
    if problem:
        raise BadReply(f"{label(field)} {problem}", f"content.{field.name}")


def _string(field: Field, value: Value) -> str:
    if not isinstance(value, str):
        return "must be text"
    return _bounds(field, len(value), "characters")


def _integer(field: Field, value: Value) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return "must be a whole number"
    return _bounds(field, value, "")


def _number(field: Field, value: Value) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "must be a number"
    if value != value or value in (float("inf"), float("-inf")):
        return "must be a finite number"
    return _bounds(field, value, "")


def _boolean(_field: Field, value: Value) -> str:
    return "" if isinstance(value, bool) else "must be yes or no"


def _choice(field: Field, value: Value) -> str:
    return "" if any(value == choice.value for choice in field.choices) else "must be one of the choices"


def _choices(field: Field, value: Value) -> str:
    if not isinstance(value, list):
        return "must be a list of choices"
    if len(set(value)) != len(value):
        return "names a choice twice"
    if not set(value) <= {choice.value for choice in field.choices}:
        return "holds something that is not among the choices"
    return _bounds(field, len(value), "choices")


def _bounds(field: Field, size: float, unit: str) -> str:
    unit = f" {unit}" if unit else ""
    if field.minimum is not None and size < field.minimum:
        return f"must be at least {field.minimum:g}{unit}"
    if field.maximum is not None and size > field.maximum:
        return f"must be at most {field.maximum:g}{unit}"
    return ""


_PROBLEMS = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "choice": _choice,
    "choices": _choices,
}
FIELD_TYPES = frozenset(_PROBLEMS)
