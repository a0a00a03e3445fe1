"""An agent's tries to act for the person are told, once a minute each, and never drown anything."""

from __future__ import annotations

import asyncio
import json
import logging
import os

import pytest

from sayso.core.types import Ask, Session
from sayso.daemon.alerts import EVERY_S, KEPT_S, MOST, Alerts
from sayso.wire.views import AlertView, Clock
from tests.daemon.stage import desk

SESSION = Session(agent="claude-code", session_id="s1", process="9:1", cwd="/home/ada/shop")


def note(alerts: Alerts, process: str, now: float, session: Session | None = None) -> AlertView | None:
    due = alerts.is_due(process, now)
    return alerts.note(process, "desk.answer", session, now, Clock()) if due else None


def test_case_51_an_agent_is_told_of_at_most_once_a_minute() -> None:
    alerts = Alerts()
    assert note(alerts, "9:1", 100.0, SESSION) == AlertView(
        method="desk.answer",
        at="1970-01-01T00:01:40.000Z",
        agent="claude-code",
        session_id="s1",
        project="shop",
    )
    assert note(alerts, "9:1", 101.0) is None
    assert note(alerts, "9:1", 100.0 + EVERY_S - 0.1) is None
    assert note(alerts, "8:1", 101.0) is not None
    assert note(alerts, "9:1", 100.0 + EVERY_S) is not None


def test_case_51_agents_that_cannot_be_told_apart_are_one() -> None:
    alerts = Alerts()
    assert note(alerts, "", 100.0) == AlertView(method="desk.answer", at="1970-01-01T00:01:40.000Z")
    assert note(alerts, "", 101.0) is None


def test_no_number_of_agents_makes_more_than_so_many() -> None:
    alerts = Alerts()
    told = [note(alerts, f"{number}:1", 100.0) for number in range(3 * MOST)]
    assert len([one for one in told if one is not None]) == MOST
    assert len(alerts.kept(100.0)) == MOST
    assert note(alerts, "999:1", 100.0 + EVERY_S) is not None
    assert len(alerts.kept(100.0 + EVERY_S)) == MOST


def test_who_comes_later_is_told_too_for_a_while() -> None:
    alerts = Alerts()
    note(alerts, "9:1", 100.0)
    assert len(alerts.kept(100.0 + KEPT_S - 0.1)) == 1
    assert alerts.kept(100.0 + KEPT_S) == ()


async def test_case_51_every_channel_is_told_of_a_try(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with desk(agents_only=frozenset({os.getpid()})) as stage:
        feed = stage.daemon.runtime.subscribe("")
        assert (await asyncio.wait_for(anext(feed), 10)).type == "snapshot"
        peer = await stage.peer()
        secret = {"id": "0" * 32, "reply": {"behavior": "deny", "message": "ls -l /secret"}}
        for _ in range(3):
            await peer.error("desk.answer", secret)
        change = await asyncio.wait_for(anext(feed), 10)
        assert (change.type, change.request) == ("alert", None)
        assert change.alert is not None
        assert change.alert.method == "desk.answer"
        late = await asyncio.wait_for(anext(stage.daemon.runtime.subscribe("")), 10)
        assert late.snapshot is not None
        assert late.snapshot.alerts == (change.alert,)
        assert late.snapshot.requests == ()
        assert late.seq == change.seq
        words = [record.getMessage() for record in caplog.records if "was refused" in record.getMessage()]
        assert words == ["an agent (process unknown) called desk.answer, and was refused"]
        assert "secret" not in json.dumps(words)


async def test_a_try_names_the_agent_that_is_known() -> None:
    async with desk() as stage:
        runtime = stage.daemon.runtime
        feed = runtime.subscribe("")
        await asyncio.wait_for(anext(feed), 10)
        ask = Ask(agent="a", session_id="s1", kind="permission", id="0" * 32, cwd="/home/ada/shop")
        runtime.desk.ask(ask, "w", runtime.now(), "9:1")
        runtime.settle()
        runtime.tried("9:1", "desk.list")
        while (change := await asyncio.wait_for(anext(feed), 10)).alert is None:
            continue
        assert (change.alert.agent, change.alert.session_id, change.alert.project) == ("a", "s1", "shop")
