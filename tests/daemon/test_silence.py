"""Sessions at work of which nothing is heard: noticed once, and at the cost of one call a minute."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sayso.core.types import Ask, EventType, HookEvent, Settings
from sayso.daemon.flags import Flags
from sayso.daemon.runtime import Runtime
from sayso.daemon.silence import LOOK_S, Silence
from sayso.errors import BadRequest
from sayso.wire.protocol import MuteParams
from sayso.wire.views import NoteView
from tests.daemon.stage import desk

AGENT, SESSION = "claude-code", "s1"
AFTER_S = Settings().silent_after_s
WAIT_S = 10.0


class Stage:
    def __init__(self, folder: Path) -> None:
        self.now_s = 1000.0
        self.folder = folder
        self.runtime = Runtime(Settings(), lambda _: "", Flags(folder), now=lambda: self.now_s)

    def event(self, type_: EventType, **more: Any) -> None:
        """Tell of an event as a hook's observer does."""
        event = HookEvent(agent=AGENT, session_id=SESSION, type=type_, at_s=self.now_s, **more)
        self.runtime.silence.heard(AGENT, SESSION)
        self.runtime.desk.observe(event, self.now_s)
        self.runtime.settle()

    def look(self, after_s: float = 0.0) -> None:
        self.now_s += after_s
        self.runtime.silence.look()

    @property
    def flag(self) -> bool:
        return (self.folder / SESSION).exists()

    @property
    def notes(self) -> tuple[NoteView, ...]:
        return self.runtime.snapshot().notes


@pytest_asyncio.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.runtime.end()


async def test_case_57_a_session_that_works_in_silence_is_noticed_once(stage: Stage) -> None:
    stage.event(EventType.PROMPT, prompt="build it", cwd="/home/ada/shop")
    stage.look()
    stage.look(AFTER_S - 1)
    assert stage.notes == ()
    stage.look(1)
    (note,) = stage.notes
    assert (note.agent, note.project, note.of_desk) == (AGENT, "shop", True)
    assert note.title == "It works, and nothing was heard of it for 20 min"
    assert note.body == "Its last prompt: build it"
    stage.look(100)
    assert stage.notes == (note,)


async def test_case_57_one_that_is_heard_of_is_not(stage: Stage) -> None:
    stage.event(EventType.PROMPT)
    for _ in range(60):
        stage.look(LOOK_S)
        stage.event(EventType.TOOL_DONE, digest=str(stage.now_s))
    assert stage.notes == ()


async def test_after_a_sign_of_life_it_is_noticed_anew(stage: Stage) -> None:
    stage.event(EventType.PROMPT)
    stage.look()
    stage.look(AFTER_S)
    stage.event(EventType.TOOL_DONE)
    stage.look()
    stage.look(AFTER_S)
    assert len(stage.notes) == 1  # the first is older than what is still told
    assert "20 min" in stage.notes[0].title


async def test_one_call_is_heard_of_and_the_next_ones_are_not(stage: Stage) -> None:
    stage.event(EventType.PROMPT)
    assert not stage.flag
    stage.look(LOOK_S)
    assert stage.flag
    stage.event(EventType.TOOL_DONE)
    assert not stage.flag


async def test_a_flag_that_something_else_needs_stays(stage: Stage) -> None:
    stage.event(EventType.PROMPT)
    stage.look(LOOK_S)
    ask = Ask(
        agent=AGENT, session_id=SESSION, kind="permission", id="a" * 32, started_s=stage.now_s, agent_id="sub"
    )
    stage.runtime.desk.ask(ask, "waiter", stage.now_s)
    stage.runtime.settle()
    assert stage.flag
    stage.event(EventType.TOOL_DONE)
    assert stage.flag


@pytest.mark.parametrize("agent_id", ["", "sub"])
async def test_nobody_is_told_while_something_is_asked(stage: Stage, agent_id: str) -> None:
    stage.event(EventType.PROMPT)
    stage.look()
    ask = Ask(
        agent=AGENT,
        session_id=SESSION,
        kind="permission",
        id="a" * 32,
        started_s=stage.now_s,
        agent_id=agent_id,
        hold_s=1e5,
    )
    stage.runtime.desk.ask(ask, "waiter", stage.now_s)
    stage.runtime.settle()
    for _ in range(3):
        stage.look(AFTER_S)
    assert stage.notes == ()


@pytest.mark.parametrize(("mode", "told"), [("", 0), ("bypassPermissions", 1)])
async def test_nor_while_something_is_asked_in_its_terminal(stage: Stage, mode: str, told: int) -> None:
    stage.event(EventType.PROMPT)
    stage.look()
    ask = Ask(
        agent=AGENT,
        session_id=SESSION,
        kind="permission",
        id="a" * 32,
        started_s=stage.now_s,
        mode=mode,
        unshowable="" if mode else "it cannot be shown",
    )
    stage.runtime.desk.ask(ask, "waiter", stage.now_s)
    stage.runtime.settle()
    assert [request.notice for request in stage.runtime.snapshot().requests] == [True]
    stage.look()
    stage.look(AFTER_S)
    assert len(stage.notes) == told


async def test_a_turn_that_has_ended_is_no_silence(stage: Stage) -> None:
    stage.event(EventType.PROMPT)
    stage.look(LOOK_S)
    stage.event(EventType.STOP)
    assert not stage.flag
    stage.look(AFTER_S)
    assert stage.notes == ()


async def test_nobody_is_told_of_a_muted_session_or_if_they_want_it_never(stage: Stage) -> None:
    stage.event(EventType.PROMPT)
    stage.runtime.mutes.change(MuteParams(agent=AGENT, session_id=SESSION))
    stage.look()
    stage.look(AFTER_S)
    assert stage.notes == ()
    stage.runtime.mutes.end(AGENT, SESSION)
    stage.runtime.desk.change({"silent_after_s": 0.0}, stage.now_s)
    stage.runtime.settle()
    stage.look()
    stage.look(AFTER_S)
    assert (stage.notes, stage.flag) == ((), False)
    with pytest.raises(BadRequest):
        stage.runtime.desk.change({"notice_grace_s": 0.0}, stage.now_s)


async def test_it_looks_by_itself_as_long_as_something_works(stage: Stage) -> None:
    stage.runtime.silence = Silence(stage.runtime, look_s=0.001)
    stage.runtime.silence.begin()
    stage.runtime.desk.change({"silent_after_s": 1.0}, stage.now_s)
    stage.event(EventType.PROMPT)
    async with asyncio.timeout(WAIT_S):
        while not stage.flag:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        stage.now_s += 1.0
        while not stage.notes:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_case_57_an_observers_event_is_a_sign_of_life() -> None:
    async with desk() as running:
        runtime = running.daemon.runtime
        peer = await running.peer()
        event = {"agent": AGENT, "session_id": SESSION, "type": "user-prompt-submit", "at_s": runtime.now()}
        await peer.call("agent.event", event)
        runtime.silence.look()
        assert running.flag().exists()
        await peer.call("agent.event", {**event, "type": "post-tool-use", "at_s": runtime.now()})
        assert not running.flag().exists()
