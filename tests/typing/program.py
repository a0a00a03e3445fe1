"""A program that uses every public part of a store. It is never run: a type checker reads it, strictly."""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, assert_type

from sayso import (
    CLAUDE_HOLD,
    DEFAULT_CODEX_WAIT,
    MAX_MESSAGE,
    METHOD_REQUEST,
    METHOD_TAKE_MESSAGE,
    Answer,
    Ask,
    BadRequest,
    Decision,
    EventType,
    Gone,
    HookEvent,
    ListedAnswer,
    Message,
    NotRunning,
    Question,
    Reply,
    Request,
    Row,
    Sessions,
    Settings,
    Store,
    Suggestion,
    __version__,
    digest,
    match,
)

assert_type(__version__, str)
method: str = METHOD_REQUEST
bound: int = MAX_MESSAGE
assert_type(DEFAULT_CODEX_WAIT + CLAUDE_HOLD, float)


class Known:
    def lookup(self, agent: str, session_id: str, /) -> str | None:
        return "working" if agent and session_id else None


class Unfit:
    def lookup(self, agent: str) -> bool:
        return bool(agent)


def told(agent: str, session_id: str, at_s: float) -> None:
    print(agent, session_id, at_s)


known: Sessions = Known()
unfit: Sessions = Unfit()  # pyright: ignore[reportAssignmentType]

store = Store(
    sessions=known,
    mask=str.upper,
    notify=lambda: None,
    database=Path("app.db"),
    codex_wait=20,
    interrupted=told,
    answered=told,
    resumed=told,
    now=lambda: 0.0,
    log=logging.getLogger(),
)
store.mask = None
store.mask = 7  # pyright: ignore[reportAttributeAccessIssue]
Store("app.db")  # pyright: ignore[reportCallIssue]


async def events() -> AsyncIterator[HookEvent]:
    yield HookEvent(agent="claude-code", session_id="s1", type=EventType.STOP, at_s=1.0)


async def use() -> None:
    ask = Ask(agent="claude-code", session_id="s1", kind="permission", input=(Row(label="a", value="b"),))
    decision = await store.ask(ask)
    assert_type(decision, Decision)
    assert_type(decision.behavior, str)
    assert_type(decision.suggestion, int | None)
    assert_type(decision.answers, tuple[Answer, ...])
    await store.ask("ls")  # pyright: ignore[reportArgumentType]
    await store.run(events())
    assert_type(await store.waits()[METHOD_REQUEST](b"{}"), dict[str, Any])


def answer() -> None:
    requests, messages = store.list()
    assert_type(requests, tuple[Request, ...])
    assert_type(messages, tuple[Message, ...])
    assert_type(requests[0].suggestions, tuple[Suggestion, ...])
    assert_type(requests[0].questions, tuple[Question, ...])
    try:
        store.answer(requests[0].id, Reply(behavior="allow", answers=[ListedAnswer(picked=("Red",))]))
    except Gone as gone:
        assert_type(gone.state, str)
    except BadRequest as bad:
        assert_type(bad.field, str)
    store.release(requests[0].id)
    assert_type(store.row(requests[0].id, 0), Row)


def send() -> None:
    try:
        store.queue("claude-code", "s1", "hello", when="stop")
    except NotRunning as error:
        assert_type(error.text, str)
    taken = store.take_message("claude-code", "s1")
    assert_type(taken, Message | None)
    store.requeue(taken)  # pyright: ignore[reportArgumentType]
    if taken is not None:
        store.requeue(taken)
    store.delete_message("claude-code", "s1")
    assert_type(store.methods()[METHOD_TAKE_MESSAGE]({"agent": "a", "session_id": "s"}), dict[str, Any])


def choose() -> None:
    assert_type(store.settings(), Settings)
    assert_type(store.set_settings(Settings(codex_approvals=True)), Settings)
    assert_type(digest("Bash", b"{}") + digest("Bash", "{}"), str)
    assert_type(match(HookEvent(agent="a", session_id="s", type=EventType.STOP, at_s=1.0)), bool)
    with store as same:
        assert_type(same, Store)
