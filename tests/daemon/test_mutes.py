"""Sessions for which nobody is called: told when it begins, and when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from sayso.core.types import EventType, HookEvent
from sayso.daemon import mutes as module
from sayso.daemon.mutes import Mutes
from sayso.errors import BadRequest, NotRunning
from sayso.wire.protocol import MuteParams
from tests.daemon.test_methods import Stage

WAIT_S = 10.0


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    made.runtime.end()
    made.devices.close()


def begin(stage: Stage, session_id: str = "s1") -> None:
    event = HookEvent(agent="claude-code", session_id=session_id, type=EventType.PROMPT, at_s=stage.now_s)
    stage.runtime.desk.observe(event, stage.now_s)
    stage.runtime.settle()


async def mute(stage: Stage, **params: Any) -> Any:
    (view,) = (await stage.call("desk.mute", agent="claude-code", session_id="s1", **params))["sessions"]
    return view


async def test_it_is_told_and_taken_back(stage: Stage) -> None:
    begin(stage)
    feed = stage.runtime.subscribe("")
    await feed.__anext__()
    view = await mute(stage)
    assert (view.muted, view.muted_until) == (True, "")
    change = await feed.__anext__()
    assert (change.type, change.session) == ("session", view)
    assert not (await mute(stage, off=True)).muted
    change = await feed.__anext__()
    assert change.session is not None
    assert not change.session.muted
    assert not (await mute(stage, off=True)).muted


async def test_for_a_while(stage: Stage) -> None:
    begin(stage)
    view = await mute(stage, for_s=3600)
    assert view.muted_until == stage.runtime.clock.at(stage.now_s + 3600)
    assert stage.runtime.snapshot().sessions[0].muted


async def test_a_while_ends_by_itself() -> None:
    told: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
    mutes = Mutes(lambda: 0.0, lambda *key: told.put_nowait(key))
    mutes.change(MuteParams(agent="a", session_id="s", for_s=1.0))
    assert (told.get_nowait(), mutes.until_s("a", "s")) == (("a", "s"), 1.0)
    assert await asyncio.wait_for(told.get(), WAIT_S) == ("a", "s")
    assert mutes.until_s("a", "s") is None


@pytest.mark.parametrize("for_s", [0.0, -1.0, module.MOST_S + 1, float("inf"), float("nan")])
async def test_a_while_that_is_none(stage: Stage, for_s: float) -> None:
    begin(stage)
    with pytest.raises(BadRequest) as caught:
        await mute(stage, for_s=for_s)
    assert caught.value.field == "for_s"
    assert not stage.runtime.snapshot().sessions[0].muted


async def test_only_a_session_that_is_known(stage: Stage) -> None:
    with pytest.raises(NotRunning):
        await mute(stage)


async def test_a_session_that_is_forgotten_leaves_no_mute(stage: Stage) -> None:
    begin(stage)
    await mute(stage, for_s=3600)
    end = HookEvent(agent="claude-code", session_id="s1", type=EventType.SESSION_END, at_s=stage.now_s)
    stage.runtime.desk.observe(end, stage.now_s)
    stage.now_s += 1e6
    stage.runtime.desk.tick(stage.now_s)
    stage.runtime.settle()
    assert stage.runtime.snapshot().sessions == ()
    assert stage.runtime.mutes.until_s("claude-code", "s1") is None
