"""What a caller on the control socket cannot make the desk keep, and what it does not count as."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sayso.daemon import control
from sayso.daemon.control import MOST_FEEDS
from tests.daemon.stage import ASK, WAIT_S, desk

LONG_ID = "x" * 100_000
MORE_THAN_IS_BUFFERED = 400


async def test_who_does_not_read_its_answers_is_not_listened_to() -> None:
    async with desk() as stage:
        deaf, other = await stage.peer(), await stage.peer()
        line = b'{"id": "%s", "method": "agent.event", "params": {}}\n' % LONG_ID.encode()
        for _ in range(MORE_THAN_IS_BUFFERED):
            deaf.send(line)
        try:
            await asyncio.wait_for(deaf.writer.drain(), 0.5)
        except TimeoutError:
            stopped = True
        else:
            stopped = False
        assert stopped
        assert (await other.call("desk.health"))["ok"]
        for _ in range(MORE_THAN_IS_BUFFERED):  # and heard again as soon as it reads
            answer = await asyncio.wait_for(deaf.reader.readline(), WAIT_S)
            assert answer.startswith(b'{"id":"xxx')


async def test_where_only_paired_devices_answer_a_local_screen_is_nobody_who_watches() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        await peer.call("desk.devices", {"create": "phone", "power": "admin"})
        await peer.call("desk.settings", {"settings": {"answers_from": "paired"}})
        await peer.call("desk.presence", {"present": True})
        assert not (await peer.call("desk.health"))["watched"]


@pytest.mark.parametrize("at_s", [-1e15, -1.0, 1e300])
async def test_no_instant_of_a_hook_keeps_others_from_looking(at_s: float) -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        await hook.call("agent.event", {"agent": "a", "session_id": "s", "type": "stop", "at_s": at_s})
        hook.post("agent.request", {**ASK, "started_s": at_s})
        hook.post("agent.request", {**ASK, "started_at": at_s})
        await hook.call("agent.event", {"agent": "a", "session_id": "s", "type": "stop", "at_s": 1.0})
        listed = await person.call("desk.list")
        assert {one["session_id"] for one in listed["sessions"]} == {"s", "s1"}


async def test_a_mistake_of_the_desk_is_answered_and_says_nothing_of_what_it_was_about(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("rm -rf secret")

    monkeypatch.setattr("sayso.core.desk.Desk.row", fail)
    async with desk() as stage:
        peer = await stage.peer()
        error = await peer.error("desk.row", {"id": "x", "row": 0})
        assert error["message"] == "the desk made a mistake; its log says where"
        assert "desk.row failed: ZeroDivisionError at fail:" in caplog.text
        assert "secret" not in caplog.text
        assert (await peer.call("desk.health"))["ok"]


async def test_lines_that_do_not_end_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "MOST_UNFINISHED_BYTES", 50_000)
    async with desk() as stage:
        first, second, other = await stage.peer(), await stage.peer(), await stage.peer()
        first.send(b"x" * 30_000)
        await other.call("desk.health")  # it was read by now
        second.send(b"x" * 30_000)
        assert "at once" in (await second.receive())["error"]
        assert await second.is_closed()
        first.send(b"\n")  # what came before is still heard to its end
        assert "error" in await first.receive()
        assert (await other.call("desk.health"))["ok"]
        await first.close()
        third = await stage.peer()
        third.send(b"x" * 40_000)  # what was let go is counted no more
        third.send(b"\n")
        assert "not a call" in (await third.receive())["error"]


async def test_a_connection_has_so_many_subscriptions_and_no_more() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        for _ in range(MOST_FEEDS):
            await peer.call("desk.subscribe")
        assert (await peer.error("desk.subscribe"))["data"]["code"] == "too_many"
        assert (await peer.call("desk.health"))["watchers"] == MOST_FEEDS
