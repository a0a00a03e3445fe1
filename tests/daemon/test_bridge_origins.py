"""What went wrong where the interaction bridge comes from: a test for each of its ten defects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest

from tests.daemon.bridge_stage import PERMISSION, Bridged, bridged, post, told

ALLOW = {"decision": "allow_once"}


@pytest.fixture
async def bridge() -> AsyncGenerator[Bridged]:
    async with bridged() as made:
        yield made


@pytest.fixture
async def asker(bridge: Bridged) -> httpx.AsyncClient:
    return await bridge.client("ask")


@pytest.fixture
async def person(bridge: Bridged) -> httpx.AsyncClient:
    return await bridge.client("answer")


async def respond(person: httpx.AsyncClient, request_id: str, response: Any) -> httpx.Response:
    return await person.post("/agents/interaction/respond", json={"id": request_id, "response": response})


async def wait(client: httpx.AsyncClient, request_id: str, **more: Any) -> httpx.Response:
    return await client.get("/agents/interaction/wait", params={"id": request_id, **more})


async def test_origin_01_an_equal_ask_is_shown_again(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    async with bridge.watched() as reader:
        for _ in range(2):
            asked = post(asker, "request", PERMISSION)
            shown = await reader.until("interaction")
            await told(await respond(person, shown["id"], ALLOW))
            await told(asked)


async def test_origin_02_a_stream_tells_of_every_end(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    async with bridge.watched() as reader:
        names: list[str] = []
        for end in ("answer", "release", "withdraw"):
            request = (await told(post(asker, "register", PERMISSION)))["request"]
            await reader.until("interaction")
            if end == "answer":
                await told(await respond(person, request["id"], ALLOW))
            elif end == "release":
                done = await person.post(f"/api/agent-requests/{request['id']}/release", json={})
                assert done.status_code == 200
            else:
                await asker.post(
                    "/hooks/claude?action=prompt-submit&session=s1", json={"prompt": "something else"}
                )
            name, data = await reader.next()
            names.append(name)
            assert data["request"]["id"] == request["id"]
    assert names == ["resolved", "released", "withdrawn"]


async def test_origin_03_an_observer_ends_nothing(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    observer = await bridge.client("see")
    async with bridge.watched():
        asked = post(asker, "request", PERMISSION)
        request = await bridge.pending()
        seen = (await told(await wait(observer, request.id, timeoutMs=1)))["request"]
        assert seen["status"] == "pending"
        left = asyncio.create_task(wait(observer, request.id))
        await asyncio.sleep(0)
        left.cancel()
        stays = asyncio.create_task(wait(observer, request.id))
        await told(await respond(person, request.id, ALLOW))
        assert (await told(asked))["request"]["status"] == "resolved"
        assert (await told(await stays))["request"]["status"] == "resolved"


async def test_origin_04_equal_asks_end_each_by_itself(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    async with bridge.watched() as reader:
        first = post(asker, "request", PERMISSION)
        one = (await reader.until("interaction"))["id"]
        second = post(asker, "request", PERMISSION)
        two = (await reader.until("interaction"))["id"]
        assert one != two
        first.cancel()
        assert (await reader.until("withdrawn"))["request"]["id"] == one
        await told(await respond(person, two, ALLOW))
        assert (await told(second))["request"]["id"] == two


async def test_origin_05_an_id_that_is_taken_is_refused(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    own = "mine-0123456789ab"
    body = {**PERMISSION, "id": own}
    await told(post(asker, "register", body))
    for state in ("pending", "settled"):
        for route in ("register", "request"):
            again = await post(asker, route, body)
            assert (again.status_code, again.json()["code"]) == (409, "id_taken"), state
        shouted = await post(asker, "register", {**body, "id": own.upper()})
        assert shouted.status_code == 409  # people who type it could not tell the two apart
        if state == "pending":
            await told(await respond(person, own, ALLOW))


@pytest.mark.parametrize("power", ["ask", "see"])
async def test_origin_06_an_unknown_id_is_told_at_once(bridge: Bridged, power: str) -> None:
    client = await bridge.client(power)
    async with asyncio.timeout(5):
        gone = await wait(client, "never-was", timeoutMs=600_000)
    assert (gone.status_code, gone.json()["code"]) == (409, "request_gone")


async def test_origin_07_the_last_watcher_leaves_and_what_waits_is_let_go(
    bridge: Bridged, asker: httpx.AsyncClient
) -> None:
    async with bridge.watched():
        async with bridge.watched():
            asked = post(asker, "request", PERMISSION)
            await bridge.pending()
        assert not asked.done()
    over = await told(asked)
    assert (over["watching"], over["request"]["status"]) == (False, "cancelled")
    assert over["request"]["reason"] == "nobody_watching"


@pytest.mark.parametrize(
    ("action", "reason"),
    [("prompt-submit", "new_prompt"), ("stop", "stopped"), ("session-end", "session_ended")],
)
async def test_origin_08_a_session_that_moved_on_withdraws_what_it_asked(
    bridge: Bridged, asker: httpx.AsyncClient, action: str, reason: str
) -> None:
    other = await bridge.client("ask")
    kept = (await told(post(other, "register", PERMISSION)))["request"]
    elsewhere = (await told(post(asker, "register", {**PERMISSION, "session": "s2"})))["request"]
    mine = (await told(post(asker, "register", PERMISSION)))["request"]
    done = await asker.post(f"/hooks/claude?action={action}", headers={"x-aimux-session-id": "s1"}, json={})
    assert (done.status_code, done.json()) == (200, {})
    over = (await told(await wait(asker, mine["id"])))["request"]
    assert (over["status"], over["reason"]) == ("cancelled", reason)
    assert {one.id for one in bridge.requests()} == {kept["id"], elsewhere["id"]}


async def attention(person: httpx.AsyncClient) -> dict[str, str]:
    state = await told(await person.get("/desktop-state"))
    return {one["sessionId"]: one["attention"] for one in state["sessions"]}


async def test_origin_09_what_a_tool_does_clears_nothing(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    assert await attention(person) == {"s1": "needs_response"}
    await asker.post("/hooks/claude?action=pre-tool-use&session=s1", json={"tool_name": "Read"})
    await asker.post(
        "/hooks/claude?session=s1",
        json={"hook_event_name": "SubagentStop", "session_id": "x", "agent_id": "a1"},
    )
    await told(await person.get("/agents/interaction/pending"))
    assert await attention(person) == {"s1": "needs_response"}
    await told(await respond(person, request["id"], ALLOW))
    assert "needs_response" not in (await attention(person)).values()


@pytest.mark.parametrize("response", [{}, {"text": "yes"}, {"decision": "perhaps"}, {"selection": 3}])
async def test_origin_10_a_response_that_says_nothing_leaves_it_pending(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient, response: Any
) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    refused = await respond(person, request["id"], response)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_request")
    assert refused.json()["field"].startswith("response")
    assert [one.id for one in bridge.requests()] == [request["id"]]
