"""Hooks' side of the control socket: asks, acknowledgements, receipts, last words."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.wire.protocol import PROTOCOL
from tests.daemon.stage import ASK, desk


async def test_an_ask_is_acknowledged_before_anything_else_and_its_flag_is_up_by_then() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        peer.post("agent.request", {**ASK, "id": "ab" * 16})
        assert await peer.receive() == {"method": "agent.pending", "params": {"id": "ab" * 16}}
        assert stage.flag().is_file()


async def test_case_12_ids_are_made_where_there_is_none_and_never_taken_twice() -> None:
    async with desk() as stage:
        peer, other = await stage.peer(), await stage.peer()
        _, first = await peer.ask()
        _, second = await peer.ask()
        assert first != second
        assert len(first) == 32
        error = await other.error("agent.request", {**ASK, "id": first})
        assert error["data"] == {"code": "bad_request", "status": 400, "field": "id"}
        assert (await other.call("desk.health"))["pending"] == 2
        await other.call("desk.answer", {"id": first, "reply": {"behavior": "allow"}})
        assert "taken" in (await other.error("agent.request", {**ASK, "id": first}))["message"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kind": "dance"}, "not_showable"),
        ({"kind": "question"}, "not_showable"),
        ({"unshowable": "its input is not an object"}, "not_showable"),
        ({"hold": "exclusive"}, "nobody_watching"),
        ({"mode": "bypassPermissions"}, "bypass_mode"),
        ({"agent": "codex"}, "not_opted_in"),
    ],
)
async def test_what_cannot_be_asked_here_is_never_guessed(changes: dict[str, Any], reason: str) -> None:
    async with desk() as stage:
        peer = await stage.peer()
        assert await peer.call("agent.request", {**ASK, **changes}) == {}
        assert peer.pushed == []
        (notice,) = (await peer.call("desk.list"))["requests"]
        assert (notice["state"], notice["reason"], notice["notice"]) == ("deferred", reason, True)


async def test_a_hook_that_is_newer_than_the_desk_gets_nothing_decided() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        error = await peer.error("agent.request", {**ASK, "version": PROTOCOL + 1})
        assert "newer" in error["message"]
        error = await peer.error(
            "agent.event",
            {"agent": "a", "session_id": "s", "type": "stop", "at_s": 1, "version": PROTOCOL + 1},
        )
        assert "newer" in error["message"]
        assert (await peer.call("desk.list"))["requests"] == []


async def test_a_receipt_counts_from_the_connection_that_asked() -> None:
    async with desk() as stage:
        hook, other, person = await stage.peer(), await stage.peer(), await stage.peer()
        await person.call("desk.subscribe")
        call, request_id = await hook.ask()
        hook.post("agent.written", {"id": request_id})  # too early: nothing was given to write
        await person.call("desk.answer", {"id": request_id, "reply": {"behavior": "allow"}})
        assert (await hook.answer_to(call))["result"] == {"behavior": "allow"}
        other.post("agent.written", {"id": request_id})
        other.post("agent.not_written", {"id": request_id})
        other.post("agent.written", {"id": 7})
        assert (await other.call("desk.list"))["ended"][0]["state"] == "answered"
        assert other.pushed == []  # and nobody is told: nothing waits for an answer
        hook.post("agent.written", {"id": request_id, "expects": ""})
        change = await person.push(
            "desk.change", lambda c: c.get("request", {}).get("state") in ("delivered", "lost")
        )
        assert change["request"]["state"] == "delivered"


async def test_a_hook_says_why_it_goes() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        await person.call("desk.subscribe")
        call, request_id = await hook.ask()
        hook.post("agent.gone", {"id": request_id, "reason": "orphan"})
        assert (await hook.answer_to(call))["result"] == {}
        over = await person.push("desk.change", lambda change: change["type"] == "resolved")
        assert (over["request"]["state"], over["request"]["reason"]) == ("withdrawn", "session_ended")


async def test_an_answer_that_could_not_be_written_is_lost() -> None:
    async with desk() as stage:
        hook, person = await stage.peer(), await stage.peer()
        await person.call("desk.subscribe")
        _, request_id = await hook.ask()
        await person.call("desk.answer", {"id": request_id, "reply": {"behavior": "allow"}})
        hook.post("agent.not_written", {"id": request_id, "reason": "bad"})
        lost = await person.push("desk.change", lambda c: c.get("request", {}).get("state") == "lost")
        assert lost["request"]["reason"] == "hook_failed"
