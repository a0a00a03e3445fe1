"""The page of shapes: what goes over socket and HTTP, from the types."""

from __future__ import annotations

import typing

import msgspec

from sayso.core import fit
from sayso.core.types import EventType, Kind
from tests.docs.markdown import code, joined, prose, table
from tests.docs.types import GROUPS, words


def page() -> str:
    """Return the page."""
    return joined(
        "# Shapes",
        f"""The JSON that goes over the [socket](socket.md) and over [HTTP](http.md). A member whose value
        is the one in the column *otherwise* may be left out. Instants whose name ends in `_at` are RFC
        3339 in UTC; those in `_s` are seconds of the machine's monotonic clock. The kinds of requests
        are {listed(Kind)}; the types of events {listed(EventType)}.""",
        *(group(title, shapes) for title, shapes in GROUPS.items()),
        *_replies(),
    )


def listed(names: type[Kind] | type[EventType]) -> str:
    return ", ".join(code(str(name)) for name in names)


def group(title: str, shapes: tuple[type[msgspec.Struct], ...]) -> str:
    """Return one part of the page."""
    return joined(f"## {title}", *map(shape, shapes))


def shape(of: type[msgspec.Struct]) -> str:
    """Return one shape: its docstring and its members."""
    hints = typing.get_type_hints(of)
    rows = [
        (code(field.encode_name), words(hints[field.name]), otherwise(field))
        for field in msgspec.structs.fields(of)
    ]
    head = ("member", "type", "otherwise")
    about = "" if (prose(of.__doc__)).startswith(f"{of.__name__}(") else prose(of.__doc__)
    return joined(f"### {of.__name__}", about, table(head, rows))


def otherwise(field: msgspec.structs.FieldInfo) -> str:
    """Return what a member is when it is left out; "always there" if it may not be."""
    if field.required:
        return "always there"
    if field.default is msgspec.NODEFAULT:
        return "empty"
    value = field.default
    if value is None or isinstance(value, bool):
        return code({None: "null", True: "true", False: "false"}[value])
    if isinstance(value, str):
        return code(f'"{value}"')
    return "empty" if value == () else code(str(value))


def _replies() -> tuple[str, ...]:
    both = ", ".join(code(name) for name in sorted(fit.EVERY_KIND))
    rows = [
        (code(str(kind)), ", ".join(code(name) for name in sorted(own)))
        for kind, own in fit.OWN_FIELDS.items()
    ]
    denying = ", ".join(code(name) for name in sorted(fit.ON_DENY))
    modes = ", ".join(map(code, fit.PLAN_MODES))
    return (
        "## Which members a reply may have",
        f"Every kind: {both}; of these {denying} go with a deny. And its own:",
        table(("kind", "members"), rows),
        f"""A plan is approved into one of {modes}. A member that its kind does not have, or that does not
        fit what was asked, is an error that names it, and the request goes on waiting.""",
    )
