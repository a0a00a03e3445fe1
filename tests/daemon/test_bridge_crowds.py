"""The interaction bridge where many wait, one caller crowds the others, or names its session by a secret."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest

from tests.daemon.bridge_stage import PERMISSION, Bridged, bridged, post, told

BASH: dict[str, Any] = {
    "session_id": "0123-abc",
    "hook_event_name": "PermissionRequest",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
}


@pytest.fixture
async def bridge() -> AsyncGenerator[Bridged]:
    async with bridged() as made:
        yield made


@pytest.fixture
async def asker(bridge: Bridged) -> httpx.AsyncClient:
    return await bridge.client("ask")


async def test_of_more_that_end_at_once_than_are_kept_each_hears_how_it_ended(
    bridge: Bridged, asker: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.core.requests.KEEP_ENDED_COUNT", 1)
    async with bridge.watched():
        hooks = [asyncio.create_task(asker.post("/hooks/claude", json=BASH)) for _ in range(4)]
        asked = [post(asker, "request", PERMISSION) for _ in range(4)]
        await bridge.until(lambda: len(bridge.requests()) == 8)
    assert [await told(one) for one in hooks] == [{}] * 4  # nobody watches any more
    for one in asked:
        answer = await told(one)
        assert (answer["watching"], answer["request"]["status"]) == (False, "cancelled")


async def test_a_wait_for_what_is_not_kept_tells_its_end(
    bridge: Bridged, asker: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.core.requests.KEEP_ENDED_COUNT", 1)
    person = await bridge.client("answer")
    made = [(await told(post(asker, "register", PERMISSION)))["request"] for _ in range(3)]
    path = "/agents/interaction/wait"
    waits = [asyncio.create_task(person.get(path, params={"id": one["id"]})) for one in made]
    await bridge.until(lambda: len(vars(bridge.runtime)["_listeners"]) == 3)
    async with asyncio.timeout(5):
        while any(len(one) < 2 for one in vars(bridge.runtime)["_listeners"].values()):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
    bridge.runtime.desk.tick(bridge.runtime.now() + 200)
    bridge.runtime.settle()
    assert [(await told(one))["request"]["status"] for one in waits] == ["timed_out"] * 3


async def test_many_changes_are_no_more_signs_of_a_reader(
    bridge: Bridged, asker: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    signs: list[str] = []
    watch = bridge.runtime.desk.watch

    def noted(watcher: str, presence: Any, now: float) -> None:
        signs.append(watcher)
        watch(watcher, presence, now)

    monkeypatch.setattr(bridge.runtime.desk, "watch", noted)
    async with bridge.watched() as reader:
        for number in range(10):
            await told(post(asker, "notify", {"session": "s1", "summary": str(number)}))
            await reader.until("note")
        assert len(signs) == 1


async def test_a_caller_crowds_out_none_of_anothers_sessions(
    bridge: Bridged, asker: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.daemon.bridge_sessions.KEPT", 3)
    other = await bridge.client("ask")
    for client, name in ((other, "his"), (asker, "a"), (asker, "b"), (asker, "c"), (asker, "d")):
        await client.post(f"/hooks/claude?action=stop&session={name}", json={})
    person = await bridge.client("see")
    state = await told(await person.get("/desktop-state"))
    assert [one["sessionId"] for one in state["sessions"]] == ["his", "c", "d"]


async def test_a_session_that_is_named_by_a_secret_is_told_masked(
    bridge: Bridged, asker: httpx.AsyncClient
) -> None:
    secret = "ghp_" + "a1B2" * 9
    person = await bridge.client("answer")
    await told(post(asker, "register", {**PERMISSION, "session": secret}))
    await asker.post(f"/hooks/claude?action=notification&session={secret}", json={})
    listed = await person.get("/agents/interaction/pending", params={"sessionId": secret})
    state = await person.get("/desktop-state")
    assert len((await told(listed))["requests"]) == len((await told(state))["sessions"]) == 1
    assert secret not in listed.text + state.text
    await asker.post(f"/hooks/claude?action=stop&session={secret}", json={})
    assert not bridge.requests()
