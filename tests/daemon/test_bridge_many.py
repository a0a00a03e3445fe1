"""Many programs wait over the interaction bridge at once, and many read: none gets another's answer."""

from __future__ import annotations

import asyncio
import contextlib
import random

import httpx

from sayso.core.states import State
from tests.daemon.bridge_stage import Bridged, Reader, bridged, post, told

ASKERS, EACH, READERS = 5, 50, 5
UNBOUNDED = httpx.Limits(max_connections=None, max_keepalive_connections=0)


async def test_hundreds_wait_and_each_gets_its_own_answer() -> None:
    async with bridged() as bridge, contextlib.AsyncExitStack() as stack:
        readers = [await stack.enter_async_context(bridge.watched()) for _ in range(READERS)]
        reading = [asyncio.create_task(ends(reader, ASKERS * EACH)) for reader in readers]
        calls = await ask(bridge)
        await bridge.until(lambda: len(bridge.requests()) == ASKERS * EACH)
        person = await bridge.client("answer")
        order = bridge.requests()
        random.Random(4).shuffle(order)
        for request in order:
            response = {"selection": "a" if int(request.ask.title) % 2 else "b"}
            await told(
                await person.post(
                    "/agents/interaction/respond", json={"id": request.id, "response": response}
                )
            )
        for number, call in calls.items():
            settled = (await told(call))["request"]
            assert settled["payload"]["question"] == str(number)
            assert settled["response"]["selection"] == ("a" if number % 2 else "b")
        for ended in await asyncio.gather(*reading):
            assert ended == {request.id for request in order}
        await bridge.until(lambda: len(bridge.requests(State.UNCONFIRMED)) == len(order))


async def ends(reader: Reader, count: int) -> set[str]:
    """Return the requests that a reader is told to be over."""
    return {(await reader.until("resolved"))["request"]["id"] for _ in range(count)}


async def ask(bridge: Bridged) -> dict[int, asyncio.Task[httpx.Response]]:
    """Have every asker ask all its questions at once; each is known by its number."""
    calls: dict[int, asyncio.Task[httpx.Response]] = {}
    for first in range(0, ASKERS * EACH, EACH):
        asker = await bridge.client("ask", limits=UNBOUNDED)
        asker.timeout = httpx.Timeout(60)
        for number in range(first, first + EACH):
            payload = {"question": str(number), "options": ["a", "b"]}
            body = {"session": f"s{number}", "type": "question", "summary": str(number), "payload": payload}
            calls[number] = post(asker, "request", body)
    return calls
