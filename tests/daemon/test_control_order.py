"""Calls of one connection take effect in the order sent, however they are carried out."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.daemon.stage import WAIT_S, Peer, desk

ID = "ab" * 16
YESNO = {"surface_id": "s:1", "kind": "yesno", "title": "Go on?"}
ASK = ("agent.ask_user", {**YESNO, "id": ID})
ANSWER = ("agent.ask_answer", {"request_id": ID, "value": "yes"})
CANCEL = ("agent.ask_cancel", {"request_id": ID})
PAIRED = ("desk.settings", {"settings": {"answers_from": "paired"}})
Call = tuple[str, dict[str, Any]]


async def at_once(peer: Peer, *calls: Call) -> list[Any]:
    """Send calls in one piece; return what each brought, an error as its words."""
    lines = [{"id": nth, "method": method, "params": params} for nth, (method, params) in enumerate(calls)]
    peer.send(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    told: dict[int, Any] = {}
    while len(told) < len(calls):
        message = await peer.receive()
        if "id" in message:
            told[message["id"]] = message.get("result", message.get("error"))
    return [told[nth] for nth in range(len(calls))]


@pytest.mark.parametrize(
    ("second", "third", "action"), [(ANSWER, CANCEL, "ok"), (CANCEL, ANSWER, "cancel")], ids=["ok", "cancel"]
)
async def test_of_an_answer_and_a_cancel_in_one_piece_the_first_counts(
    second: Call, third: Call, action: str
) -> None:
    async with desk() as stage:
        asked, first, late = await at_once(await stage.peer(), ASK, second, third)
        assert (asked["action"], first, late) == (action, {"resolved": True}, {"resolved": False})


async def test_a_question_that_waits_holds_up_nothing_behind_it() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        for method, params in (
            ASK,
            ("desk.health", {}),
            ("agent.ask_user", YESNO),
            ("agent.ask_pending", {}),
        ):
            number = peer.post(method, params)
        pending = (await peer.answer_to(number))["result"]["pending"]
        assert [one["title"] for one in pending] == ["Go on?", "Go on?"]


async def test_what_a_call_changes_counts_for_those_behind_it() -> None:
    async with desk() as stage:
        peer = await stage.peer()
        await peer.call("desk.devices", {"create": "phone", "power": "admin"})
        peer.post(*ASK)
        _, refused = await at_once(peer, PAIRED, ANSWER)
        assert "only paired devices" in refused


async def test_who_calls_far_ahead_is_read_no_further_and_heard_to_the_end() -> None:
    calls = [
        call
        for nth in range(4000)
        for call in (("desk.health", {}), ("agent.ask_cancel", {"request_id": str(nth)}))
    ]
    async with desk() as stage:
        peer = await stage.peer()
        told = await asyncio.wait_for(at_once(peer, *calls), WAIT_S)
        assert [told[nth] for nth in range(1, len(told), 2)] == [{"resolved": False}] * 4000
        assert (await peer.call("desk.health"))["ok"]
