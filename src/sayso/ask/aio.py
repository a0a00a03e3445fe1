"""Ask a person, from a program that runs asyncio: the functions of `sayso.ask`, to be awaited.

A task that is cancelled meanwhile has withdrawn its question. Any number may be asked at once.
"""

from __future__ import annotations

import asyncio
import os
from typing import Literal, TypeVar

from sayso.ask import RUN_IT, questions
from sayso.ask.errors import NoDesk
from sayso.ask.questions import About, Choices, Question
from sayso.client.address import socket_path
from sayso.client.aio import Desk, Outcome
from sayso.client.asking import LATE_S, NOT_TAKEN, TAKEN_S
from sayso.errors import Unavailable

_T = TypeVar("_T")


async def yesno(
    title: str,
    *,
    body: str = "",
    default: bool | None = None,
    timeout_s: float | None = None,
    unsafe: bool = False,
    surface: str = "",
    label: str = "",
) -> bool:
    """Ask for yes or no. Raises NotAnswered."""
    return await _ask(questions.yesno(title, default, About(body, timeout_s, unsafe, surface, label)))


async def choice(
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
    """Ask for one of several choices; return its id. Raises NotAnswered."""
    about = About(body, timeout_s, unsafe, surface, label)
    return await _ask(questions.choice(title, choices, default, about))


async def text(
    title: str,
    *,
    body: str = "",
    default: str | None = None,
    timeout_s: float | None = None,
    unsafe: bool = False,
    surface: str = "",
    label: str = "",
) -> str:
    """Ask for a text. Raises NotAnswered."""
    return await _ask(questions.text(title, default, About(body, timeout_s, unsafe, surface, label)))


async def confirm_command(
    command: str,
    *,
    title: str = RUN_IT,
    timeout_s: float | None = None,
    unsafe: bool = False,
    surface: str = "",
    label: str = "",
) -> Literal[True]:
    """Have a command confirmed, in two steps; this runs nothing. Raises NotAnswered."""
    about = About(command, timeout_s, unsafe, surface, label)
    return await _ask(questions.confirm_command(title, about))


async def _ask(question: Question[_T]) -> _T:
    try:
        outcome = await _outcome(question)
    except Unavailable as error:
        raise NoDesk(error.text) from None
    return question.ended(outcome.action, outcome.value, outcome.reason or "")


async def _outcome(question: Question[_T]) -> Outcome:
    """Ask over a connection of its own: when that closes, the question is withdrawn. Raises Unavailable."""
    loop = asyncio.get_running_loop()
    limit = asyncio.timeout(TAKEN_S)
    end_s: float | None = None
    is_taken = False

    def taken() -> None:
        nonlocal end_s, is_taken
        if not is_taken and question.timeout_s is not None:
            end_s = loop.time() + question.timeout_s + LATE_S
        is_taken = True
        if not limit.expired():  # at the same moment
            limit.reschedule(end_s)

    try:
        async with limit, Desk.connect(socket_path(os.environ)) as desk:
            return await desk.ask(question.params, taken)
    except TimeoutError:
        if not is_taken:
            raise Unavailable(f"{NOT_TAKEN} within {TAKEN_S:.0f} s") from None
        return Outcome(request_id="", action="timeout")
