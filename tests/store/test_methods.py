"""A store's methods for a daemon, and its routes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from sayso import METHOD_REQUEST, METHOD_TAKE_MESSAGE, BadRequest, EventType
from tests.store.stage import AGENT, ALLOW, BEGAN_S, NOTHING, SESSION, Stage, permission, result, staged

ASK: dict[str, Any] = {
    "agent": AGENT,
    "session_id": SESSION,
    "kind": "permission",
    "tool": "Bash",
    "started_at": "2026-01-02T03:04:05.123456789Z",
    "input": [{"label": "Command", "value": "ls", "code": True}],
}


async def request(stage: Stage, params: Any) -> asyncio.Task[dict[str, Any]]:
    asking = asyncio.ensure_future(stage.store.waits()[METHOD_REQUEST](params))
    await asyncio.sleep(0)
    assert isinstance(asking, asyncio.Task)
    return asking


@pytest.mark.parametrize("params", [ASK, json.dumps(ASK), json.dumps(ASK).encode()])
async def test_a_hook_asks_and_waits(params: Any) -> None:
    with staged() as stage:
        asking = await request(stage, params)
        (name,) = stage.ids()
        stage.store.answer(name, ALLOW)
        assert await asyncio.wait_for(asking, 10) == {"behavior": "allow"}


async def test_its_result_is_empty_when_nobody_decided() -> None:
    with staged() as stage:
        asking = await request(stage, ASK)
        stage.store.release(stage.ids()[0])
        assert await asyncio.wait_for(asking, 10) == {}


@pytest.mark.parametrize(
    "params", [b"{", "[]", "\ud800", {**ASK, "started_at": "at tea-time"}, {**ASK, "kind": 7}, {"agent": "x"}]
)
async def test_what_is_no_ask(params: Any) -> None:
    with staged() as stage:
        with pytest.raises(BadRequest):
            await stage.store.waits()[METHOD_REQUEST](params)
        assert stage.ids() == []


def test_a_hook_takes_a_message_at_once() -> None:
    with staged() as stage:
        take = stage.store.methods()[METHOD_TAKE_MESSAGE]
        assert take({"agent": AGENT, "session_id": SESSION}) == {}
        stage.observe(EventType.PROMPT, BEGAN_S)
        stage.store.queue(AGENT, SESSION, "hello")
        assert take(json.dumps({"agent": AGENT, "session_id": SESSION})) == {"message": "hello"}
        assert take({"agent": AGENT, "session_id": SESSION}) == {}
        with pytest.raises(BadRequest):
            take({})


# --- routes ------------------------------------------------------------------------------


@asynccontextmanager
async def served(**fields: Any) -> AsyncIterator[tuple[Stage, httpx.AsyncClient]]:
    with staged(**fields) as stage:
        transport = httpx.ASGITransport(stage.store.handler())
        async with httpx.AsyncClient(transport=transport, base_url="http://app.example") as http:
            yield stage, http


async def test_the_list() -> None:
    async with served(mask=lambda text: text.replace("secret", "***")) as (stage, http):
        asking = await stage.ask(permission(id="r1", suggestions=("always",)))
        stage.store.queue(AGENT, SESSION, "a secret")
        found = (await http.get("/api/agent-requests")).json()
        assert set(found) == {"requests", "messages", "settings"}
        assert [one["id"] for one in found["requests"]] == ["r1"]
        assert found["requests"][0]["suggestions"] == [{"id": "0", "label": "always"}]
        assert [one["text"] for one in found["messages"]] == ["a ***"]
        assert found["settings"]["codex_approvals"] is False
    assert await result(asking) == NOTHING


async def test_an_answer() -> None:
    async with served() as (stage, http):
        asking = await stage.ask(permission(id="r1"))
        unfit = await http.post("/api/agent-requests/r1/answer", json={"behavior": "maybe"})
        assert (unfit.status_code, unfit.json()["code"]) == (400, "bad_request")
        taken = await http.post("/api/agent-requests/r1/answer", json={"behavior": "allow"})
        assert (taken.status_code, taken.json()["ok"]) == (200, True)
        assert (await result(asking)).behavior == "allow"
        again = await http.post("/api/agent-requests/r1/answer", json={"behavior": "allow"})
        assert (again.status_code, again.json()["code"]) == (409, "request_gone")
        assert [what for what, *_ in stage.told] == ["answered"]


async def test_the_settings() -> None:
    async with served() as (stage, http):
        saved = await http.put("/api/agent-requests/settings", json={"codex_approvals": True})
        assert (saved.status_code, saved.json()["codex_approvals"]) == (200, True)
        assert stage.store.settings().codex_approvals
        locked = await http.put("/api/agent-requests/settings", json={"answers_from": "paired"})
        assert locked.status_code == 400


async def test_a_message() -> None:
    async with served() as (stage, http):
        told = {"agent": AGENT, "session_id": SESSION, "text": "hello"}
        refused = await http.post("/api/agent-messages", json=told)
        assert (refused.status_code, refused.json()["code"]) == (404, "session_not_running")
        stage.observe(EventType.PROMPT, BEGAN_S)
        assert (await http.post("/api/agent-messages", json=told)).json() == {"ok": True}
        assert stage.texts() == ["hello"]
        assert (await http.delete(f"/api/agent-messages/{AGENT}/{SESSION}")).json() == {"ok": True}
        assert stage.texts() == []


async def test_a_row_and_a_release() -> None:
    async with served() as (stage, http):
        asking = await stage.ask(permission(id="r1"))
        row = await http.get("/api/agent-requests/r1/rows/0")
        assert row.json()["value"] == "ls"
        released = await http.post("/api/agent-requests/r1/release")
        assert released.json()["ok"] is True
        assert await result(asking) == NOTHING


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/events", 404),
        ("GET", "/api/health", 404),
        ("POST", "/api/agent-requests", 405),
        ("HEAD", "/api/agent-requests", 405),
    ],
)
async def test_what_is_not_there(method: str, path: str, status: int) -> None:
    async with served() as (_, http):
        assert (await http.request(method, path)).status_code == status


async def test_a_client_that_leaves_in_the_middle_is_left_alone() -> None:
    with staged() as stage:
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/agent-messages",
            "headers": [(b"content-type", b"application/json")],
            "query_string": b"",
            "root_path": "",
        }
        await stage.store.handler()(scope, receive, send)
        assert sent == []
        assert stage.texts() == []


def test_it_says_that_nobody_is_kept_out() -> None:
    from sayso import Store

    assert "NO AUTHENTICATION" in (Store.handler.__doc__ or "")
