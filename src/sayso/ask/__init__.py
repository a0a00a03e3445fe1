"""Ask a person, from a Python program.

Each function waits until somebody answered, and returns the answer; in `sayso.ask.aio` there are
the same for asyncio. A desk must run (`sayso start`). One that is started anew meanwhile is asked
again. A program that ends, or is interrupted, has withdrawn its question.

All of them take, beside the title, which is one line:

- `body`: more about it, of any length.
- `default`: what is filled in or chosen at first, and what is returned when there is no answer: when
  the time is over, and when a person cancels. Without one these raise.
- `timeout_s`: wait at most so long.
- `unsafe`: it may do harm for good, and is shown so.
- `surface`: where it is asked from; else the variable SAYSO_SURFACE, the pane of tmux, or the process.
- `label`: a name for who asks.

And all raise, beside what they say: NoDesk; BadRequest, which names the field that no desk takes.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sayso.ask import questions
from sayso.ask.errors import Cancelled, NoDesk, NotAnswered, TimedOut
from sayso.ask.questions import About, Choices, Question
from sayso.client import asking
from sayso.client.address import socket_path
from sayso.errors import BadRequest, Unavailable

if TYPE_CHECKING:
    from sayso.ask import aio

__all__ = [
    "BadRequest",
    "Cancelled",
    "NoDesk",
    "NotAnswered",
    "TimedOut",
    "aio",
    "choice",
    "confirm_command",
    "text",
    "yesno",
]

RUN_IT = "Run this command?"
_T = TypeVar("_T")


def yesno(
    title: str,
    *,
    body: str = "",
    default: bool | None = None,
    timeout_s: float | None = None,
    unsafe: bool = False,
    surface: str = "",
    label: str = "",
) -> bool:
    """Ask for yes or no.

    Raises:
        NotAnswered: it timed out, or was cancelled, and there is no default.
    """
    return _ask(questions.yesno(title, default, About(body, timeout_s, unsafe, surface, label)))


def choice(
    title: str,
    choices: Choices,
    *,
    body: str = "",
    default: str | None = None,
    timeout_s: float | None = None,
    unsafe: bool = False,
    surface: str = "",
    label: str = "",
) -> str:
    """Ask for one of several choices; return its id.

    Args:
        choices: ids, pairs of an id and a label, or a mapping of ids to labels.

    Raises:
        NotAnswered: it timed out, or was cancelled, and there is no default.
    """
    return _ask(questions.choice(title, choices, default, About(body, timeout_s, unsafe, surface, label)))


def text(
    title: str,
    *,
    body: str = "",
    default: str | None = None,
    timeout_s: float | None = None,
    unsafe: bool = False,
    surface: str = "",
    label: str = "",
) -> str:
    """Ask for a text, which may be empty and may have lines.

    Raises:
        NotAnswered: it timed out, or was cancelled, and there is no default.
    """
    return _ask(questions.text(title, default, About(body, timeout_s, unsafe, surface, label)))


def confirm_command(
    command: str,
    *,
    title: str = RUN_IT,
    timeout_s: float | None = None,
    unsafe: bool = False,
    surface: str = "",
    label: str = "",
) -> Literal[True]:
    """Have a command confirmed: a person acknowledges it first, and then has it run.

    It returns only when they did. This runs nothing: the program does, after it.

    Raises:
        NotAnswered: it timed out, or was cancelled. There is no default.
    """
    return _ask(questions.confirm_command(title, About(command, timeout_s, unsafe, surface, label)))


def _ask(question: Question[_T]) -> _T:
    try:
        outcome = asking.ask(socket_path(os.environ), question.params)
    except Unavailable as error:
        raise NoDesk(error.text) from None
    return question.ended(outcome.action, outcome.value, outcome.reason)


def __getattr__(name: str) -> Any:
    if name == "aio":  # asyncio and what it needs, for programs that use it
        return import_module("sayso.ask.aio")
    raise AttributeError(f"module 'sayso.ask' has no attribute {name!r}")
