"""What the desk said to a call, as a value or as the error that it raised there.

Imports `errors`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sayso import errors


def _kinds(kind: type[errors.SaysoError]) -> Iterator[tuple[str, type[errors.SaysoError]]]:
    for below in kind.__subclasses__():
        yield from _kinds(below)
    yield kind.code, kind  # the last counts: of those that share a code, the one above the others


_KINDS = dict(_kinds(errors.SaysoError))


def result_of(message: dict[str, Any]) -> Any:
    """Return the result in an answer of the desk.

    Raises:
        SaysoError: what the desk said, as the class that it raised.
    """
    error = message.get("error")
    if error is None:
        return message.get("result")
    if not isinstance(error, dict):
        raise errors.SaysoError(str(error))
    said: dict[str, Any] = error  # pyright: ignore[reportUnknownVariableType]
    data: dict[str, str] = said.get("data") or {}
    text = str(said.get("message"))
    kind = _KINDS.get(data.get("code", ""), errors.SaysoError)
    if issubclass(kind, errors.BadRequest):
        raise kind(text, data.get("field", ""))
    if issubclass(kind, errors.Gone):
        raise kind(text, data.get("state", ""))
    raise kind(text)
