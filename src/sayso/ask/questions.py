"""What can be asked, as parameters of the wire, and what an answer to it means in Python.

Not here: how it is asked (the package itself blocks, `aio` does not). Imports `client.asking` and
`errors`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

from sayso.ask.errors import Cancelled, TimedOut
from sayso.client.asking import parameters
from sayso.errors import BadRequest

T = TypeVar("T")
Choices = Iterable[str | tuple[str, str]] | Mapping[str, str]
"""Ids, or ids with their labels."""


@dataclass(frozen=True)
class Question(Generic[T]):
    """A question. `default` None: without an answer it raises."""

    params: dict[str, Any]
    read: Callable[[str], T]
    default: T | None = None

    @property
    def timeout_s(self) -> float | None:
        timeout_ms: float | None = self.params.get("timeout_ms")
        return None if timeout_ms is None else timeout_ms / 1000

    def ended(self, action: str, value: str | None, reason: str) -> T:
        """Return what the end of the question means.

        Raises:
            NotAnswered: nobody answered, and there is no default.
        """
        if action == "ok" and value is not None:
            return self.read(value)
        if self.default is not None:
            return self.default
        raise Cancelled(reason) if action == "cancel" else TimedOut("timed out: nobody answered")


@dataclass(frozen=True)
class About:
    """What questions of every kind have beside their title."""

    body: str
    timeout_s: float | None
    unsafe: bool
    surface: str
    label: str

    def params(self, kind: str, title: str, default: str | None, **more: object) -> dict[str, Any]:
        return parameters(
            os.environ,
            kind,
            title,
            body=self.body,
            default=default,
            timeout_ms=_milliseconds(self.timeout_s),
            unsafe=self.unsafe,
            agent_id=self.label,
            **({"surface_id": self.surface} if self.surface else {}),
            **more,
        )


def _milliseconds(timeout_s: float | None) -> float | None:
    if timeout_s is None:
        return None
    if not 0 < timeout_s < math.inf:
        raise BadRequest("timeout_s must be more than 0; None waits for ever", "timeout_s")
    return timeout_s * 1000


def yesno(title: str, default: bool | None, about: About) -> Question[bool]:
    if about.unsafe and default:
        raise BadRequest("what destroys something has no yes for its default", "default")
    word = None if default is None else ("yes" if default else "no")
    return Question(about.params("yesno", title, word), lambda value: value == "yes", default)


def choice(title: str, choices: Choices, default: str | None, about: About) -> Question[str]:
    params = about.params("choice", title, default, choices=_choices(choices))
    return Question(params, str, default)


def text(title: str, default: str | None, about: About) -> Question[str]:
    return Question(about.params("text", title, default), str, default)


def confirm_command(title: str, about: About) -> Question[Literal[True]]:
    return Question(about.params("confirm-command", title, None), _run)


def _run(value: str) -> Literal[True]:
    if value != "run":
        raise Cancelled(f"the desk said {value!r} instead of run")
    return True


def _choices(choices: Choices) -> list[dict[str, str]]:
    if isinstance(choices, str):
        raise BadRequest("choices must be several: a list of ids, or a mapping of ids to labels", "choices")
    if isinstance(choices, Mapping):
        labels = cast("Mapping[str, str]", choices)
        return [{"id": name, "label": label} for name, label in labels.items()]
    return [{"id": name, "label": label} for name, label in map(_pair, choices)]


def _pair(choice: str | tuple[str, str]) -> tuple[str, str]:
    return (choice, "") if isinstance(choice, str) else choice
