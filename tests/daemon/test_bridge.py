"""Programs that ask over the interaction bridge, and its readers, at a real desk over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest

from sayso.core.states import State
from tests.daemon.bridge_stage import PERMISSION, QUESTION, Bridged, bridged, post, told

ALLOW = {"decision": "allow_once"}
OWN = "my-own-0123456789"


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


# --- asking and waiting ------------------------------------------------------------------


async def test_unwatched_it_is_answered_at_once(asker: httpx.AsyncClient) -> None:
    assert await told(post(asker, "request", PERMISSION)) == {"ok": True, "watching": False}


async def test_watched_it_waits_for_a_person(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    async with bridge.watched():
        asked = post(asker, "request", {**PERMISSION, "id": OWN})
        request = await bridge.pending()
        assert (request.id, request.ask.title, request.ask.label) == (OWN, "Run ls", "ask 1")
        answered = await told(await respond(person, request.id, ALLOW))
        assert answered["request"]["status"] == "resolved"
        request_told = (await told(asked))["request"]
    assert (request_told["status"], request_told["response"]) == ("resolved", {"decision": "allow_once"})
    assert bridge.requests(State.UNCONFIRMED)[0].id == OWN


async def test_an_answer_of_any_channel_is_told(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    page = await bridge.client("answer")
    async with bridge.watched():
        asked = post(asker, "request", QUESTION)
        request = await bridge.pending()
        reply = {"behavior": "allow", "answers": {"Which?": "dev"}}
        done = await page.post(f"/api/agent-requests/{request.id}/answer", json=reply)
        assert done.status_code == 200
        assert (await told(asked))["request"]["response"] == {"decision": "allow", "selection": "dev"}


async def test_a_denial_carries_its_words(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    async with bridge.watched():
        asked = post(asker, "request", PERMISSION)
        request = await bridge.pending()
        await respond(person, request.id, {"decision": "deny", "reason": "not today"})
        told_ = (await told(asked))["request"]
    assert told_["response"] == {"decision": "deny", "reason": "not today"}


async def test_a_time_out_decides_nothing(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    async with bridge.watched() as reader:
        request = (await told(post(asker, "request", {**PERMISSION, "timeoutMs": 1})))["request"]
        assert (request["status"], "response" in request) == ("timed_out", False)
        assert (await reader.until("released"))["request"]["status"] == "timed_out"


async def test_its_caller_leaves_and_takes_it_along(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    async with bridge.watched() as reader:
        asked = post(asker, "request", PERMISSION)
        await bridge.pending()
        asked.cancel()
        gone = (await reader.until("withdrawn"))["request"]
    assert (gone["status"], gone["reason"]) == ("cancelled", "caller_gone")


async def test_the_payload_is_told_masked_and_the_answer_in_the_askers_own_words(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    secret = "ghp_" + "a1B2" * 9
    body = {**QUESTION, "payload": {"question": "Which?", "options": [f"use {secret}", "none"]}}
    registered = (await told(post(asker, "register", body)))["request"]
    assert secret not in str(registered)
    (listed,) = (await told(await person.get("/agents/interaction/pending")))["requests"]
    label = listed["payload"]["options"][0]
    assert secret not in label
    answered = (await told(await respond(person, registered["id"], {"selection": label})))["request"]
    assert answered["response"]["selection"] == label
    fetched = (await told(await wait(asker, registered["id"])))["request"]
    assert fetched["response"]["selection"] == f"use {secret}"


async def test_a_text_and_a_plan(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    text = {"session": "s1", "type": "input", "payload": {"prompt": "Name it"}}
    plan = {"session": "s1", "type": "exit_plan", "payload": {"plan": "# Do it"}}
    name = (await told(post(asker, "register", text)))["request"]["id"]
    await told(await respond(person, name, {"text": "sayso"}))
    assert (await told(await wait(asker, name)))["request"]["response"] == {
        "decision": "allow",
        "text": "sayso",
    }
    do = (await told(post(asker, "register", plan)))["request"]["id"]
    await told(await respond(person, do, {"decision": "allow", "text": "# Do it well"}))
    assert (await told(await wait(asker, do)))["request"]["response"] == {
        "decision": "allow",
        "selection": "default",
        "text": "# Do it well",
    }


# --- registered ----------------------------------------------------------------------------


async def test_what_is_registered_pends_while_nobody_waits(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    assert (request["status"], request["askerAway"]) == ("pending", True)
    await told(await respond(person, request["id"], ALLOW))
    (kept,) = bridge.requests(State.ANSWERED)
    assert kept.is_alone
    fetched = (await told(await wait(asker, request["id"])))["request"]
    assert fetched["response"] == {"decision": "allow_once"}
    assert not bridge.requests(State.ANSWERED)


async def test_while_somebody_waits_the_asker_is_there(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    waits = [asyncio.create_task(wait(asker, request["id"], timeoutMs=20_000)) for _ in range(2)]
    await bridge.until(lambda: not bridge.requests()[0].is_alone)
    await told(await respond(person, request["id"], ALLOW))
    for waiting in waits:  # the first one that is told does not take it from the other
        assert (await told(await waiting))["request"]["status"] == "resolved"


async def test_a_wait_that_times_out_ends_nothing(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    waited = (await told(await wait(asker, request["id"], timeoutMs=1)))["request"]
    assert (waited["status"], waited["id"]) == ("pending", request["id"])
    assert bridge.requests()[0].is_alone


async def test_it_is_kept_for_its_time_and_then_over(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    request = (await told(post(asker, "register", {**PERMISSION, "timeoutMs": 1000})))["request"]
    async with bridge.watched() as reader:
        assert (await reader.until("released"))["request"]["status"] == "timed_out"
    assert (await told(await wait(asker, request["id"])))["request"]["status"] == "timed_out"


async def test_an_asker_sees_only_its_own(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    other = await bridge.client("ask")
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    hidden = await wait(other, request["id"])
    unknown = await wait(other, "nothing")
    assert hidden.status_code == unknown.status_code == 409
    assert hidden.json()["error"] == unknown.json()["error"].replace("nothing", request["id"])


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({**PERMISSION, "session": " "}, "session"),
        ({**PERMISSION, "type": "other"}, "type"),
        ({**PERMISSION, "payload": "nope"}, "payload"),
        ({**PERMISSION, "payload": None}, "payload"),
        ({**PERMISSION, "timeoutMs": "soon"}, "timeoutMs"),
        ({**PERMISSION, "timeoutMs": True}, "timeoutMs"),
        ({**PERMISSION, "id": "a/b"}, "id"),
        ({**PERMISSION, "type": "exit_plan", "summary": None}, "payload.plan"),
        ({**QUESTION, "payload": {"question": "?", "options": ["a", "a "]}}, "payload"),
        ({"type": "permission"}, ""),
    ],
)
@pytest.mark.parametrize("route", ["register", "request"])
async def test_what_is_malformed_is_named(
    asker: httpx.AsyncClient, route: str, body: Any, field: str
) -> None:
    refused = await post(asker, route, body)
    assert (refused.status_code, refused.json().get("field", "")) == (400, field), refused.text


@pytest.mark.parametrize(
    ("query", "field"),
    [("", ""), ("?id=a&timeoutMs=soon", "timeoutMs"), ("?id=a&id=b", "id"), ("?ids=a", "")],
)
async def test_parameters_that_are_malformed_are_named(
    asker: httpx.AsyncClient, query: str, field: str
) -> None:
    refused = await asker.get(f"/agents/interaction/wait{query}")
    assert (refused.status_code, refused.json().get("field", "")) == (400, field), refused.text


async def test_a_settled_request_is_gone_and_says_how(
    asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    await told(await respond(person, request["id"], ALLOW))
    for response in (ALLOW, {}):
        late = await respond(person, request["id"], response)
        assert (late.status_code, late.json()["code"]) == (409, "request_gone")
        assert late.json()["state"] == "answered"
    assert (await respond(person, "nope", ALLOW)).status_code == 409


async def test_too_many_of_one_caller(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    for _ in range(64):
        await told(post(asker, "register", PERMISSION))
    full = await post(asker, "register", PERMISSION)
    assert (full.status_code, full.json()["code"]) == (503, "too_many")
    other = await bridge.client("ask")
    await told(post(other, "register", PERMISSION))


async def test_a_token_that_is_taken_back_ends_what_it_waits_for(
    bridge: Bridged, asker: httpx.AsyncClient
) -> None:
    async with bridge.watched():
        asked = post(asker, "request", PERMISSION)
        await bridge.pending()
        peer = await bridge.stage.peer()
        await peer.call("desk.devices", {"revoke": "ask 1"})
        assert (await asked).status_code == 401
        await bridge.until(lambda: not bridge.requests())
