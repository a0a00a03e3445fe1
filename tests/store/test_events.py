"""What a store does with an agent's events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from sayso import Ask, Decision, EventType, HookEvent, match
from tests.store.stage import AGENT, BEGAN_S, NOTHING, SESSION, Stage, event, permission, result, staged

MAIN, SUB = permission(id="main"), permission(id="sub", agent_id="a1", digest="d2")


async def both(stage: Stage) -> dict[str, asyncio.Task[Decision]]:
    return {ask.id: await stage.ask(ask) for ask in (MAIN, SUB)}


@pytest.mark.parametrize(
    ("kind", "fields", "left"),
    [
        (EventType.PROMPT, {}, ["sub"]),
        (EventType.STOP, {}, ["sub"]),
        (EventType.SUBAGENT_STOP, {"agent_id": "a1"}, ["main"]),
        (EventType.SUBAGENT_STOP, {"agent_id": "a2"}, ["main", "sub"]),
        (EventType.SESSION_END, {}, []),
        (EventType.TOOL_DONE, {"tool": "Bash", "digest": "d1"}, ["sub"]),
        (EventType.TOOL_FAILED, {"tool": "Bash", "digest": "d1"}, ["sub"]),
        (EventType.TOOL_DONE, {"tool": "Bash", "digest": "d2", "agent_id": "a1"}, ["main"]),
        (EventType.TOOL_DONE, {"tool": "Bash", "digest": "d9"}, ["main", "sub"]),
        (EventType.STOP, {"session_id": "other"}, ["main", "sub"]),
    ],
)
async def test_what_an_event_withdraws(kind: EventType, fields: dict[str, Any], left: list[str]) -> None:
    with staged() as stage:
        asking = await both(stage)
        stage.observe(kind, BEGAN_S + 1, **fields)
        assert stage.ids() == left
        for name in {"main", "sub"} - set(left):
            assert await result(asking[name]) == NOTHING
    assert [await result(one) for one in asking.values()] == [NOTHING, NOTHING]


async def test_a_late_event_never_withdraws_a_newer_request() -> None:
    with staged() as stage:
        stage.now_s = BEGAN_S + 9
        asking = await stage.ask(permission(id="r1", started_s=BEGAN_S + 5))
        for kind in (EventType.PROMPT, EventType.STOP, EventType.SESSION_END):
            stage.observe(kind, BEGAN_S + 4)
        stage.observe(EventType.TOOL_DONE, BEGAN_S + 4, tool="Bash", digest="d1")
        assert stage.ids() == ["r1"]
    assert await result(asking) == NOTHING


async def test_of_equal_calls_the_oldest_is_withdrawn() -> None:
    with staged() as stage:
        stage.now_s = BEGAN_S + 9
        new = await stage.ask(permission(id="new", started_s=BEGAN_S + 1))
        old = await stage.ask(permission(id="old", started_s=BEGAN_S))
        stage.observe(EventType.TOOL_DONE, BEGAN_S + 9, tool="Bash", digest="d1")
        assert await result(old) == NOTHING
        assert stage.ids() == ["new"]
    assert await result(new) == NOTHING


async def test_run_observes_until_there_is_nothing_more() -> None:
    async def events() -> AsyncIterator[HookEvent]:
        yield event(EventType.TOOL_DONE, BEGAN_S + 1, tool="Bash", digest="d9")
        yield event(EventType.STOP, BEGAN_S + 2)

    with staged() as stage:
        asking = await stage.ask(MAIN)
        stage.now_s = BEGAN_S + 5
        await stage.store.run(events())
        assert await result(asking) == NOTHING


async def test_run_ends_when_it_is_cancelled() -> None:
    begun = asyncio.Event()

    async def events() -> AsyncIterator[HookEvent]:
        begun.set()
        await asyncio.Event().wait()
        yield event(EventType.STOP, BEGAN_S + 2)

    with staged() as stage:
        running = asyncio.create_task(stage.store.run(events()))
        await asyncio.wait_for(begun.wait(), 10)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running


@pytest.mark.parametrize("kind", EventType)
def test_what_it_acts_on(kind: EventType) -> None:
    assert match(event(kind, 1.0))


async def test_what_it_does_not_act_on() -> None:
    other = event(cast("EventType", "pre-tool-use"), BEGAN_S + 1)
    assert not match(other)
    nobody = event(EventType.STOP, BEGAN_S + 1, session_id="")
    assert not match(nobody)
    with staged() as stage:
        asking = await stage.ask(MAIN)
        stage.now_s = BEGAN_S + 5
        stage.store.observe(other)
        stage.store.observe(nobody)
        assert stage.ids() == ["main"]
    assert await result(asking) == NOTHING


async def test_an_event_before_its_ask_counts() -> None:
    with staged() as stage:
        stage.observe(EventType.STOP, BEGAN_S + 1)
        late: Ask = permission(id="late", started_s=BEGAN_S)
        assert await result(await stage.ask(late)) == NOTHING


async def test_a_session_is_known_by_its_events() -> None:
    with staged() as stage:
        stage.observe(EventType.PROMPT, BEGAN_S, prompt="go")
        stage.store.queue(AGENT, SESSION, "hello")
        assert stage.texts() == ["hello"]
