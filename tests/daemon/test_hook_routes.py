"""Agents' hooks over HTTP: what a hook was given comes in, what it prints goes back, {} for no decision."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest

from sayso.core.states import State
from sayso.daemon import hook_routes
from tests.daemon.bridge_stage import Bridged, basic, bridged, told
from tests.desks import SAMPLES, sample

CLAUDE = "/hooks/claude?action=permission-request"
CODEX = "/hooks/codex?action=permission-request"
NAMED = {"x-aimux-session-id": "mine"}
BASH: dict[str, Any] = {
    "session_id": "0123-abc",
    "hook_event_name": "PermissionRequest",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "cwd": "/srv/app",
}


@pytest.fixture
async def bridge() -> AsyncGenerator[Bridged]:
    async with bridged() as made:
        yield made


@pytest.fixture
async def hook(bridge: Bridged) -> httpx.AsyncClient:
    return await bridge.client("ask")


def call(hook: httpx.AsyncClient, payload: Any = BASH, url: str = CLAUDE) -> asyncio.Task[httpx.Response]:
    return asyncio.create_task(hook.post(url, json=payload, headers=NAMED))


async def answer(bridge: Bridged, **reply: Any) -> None:
    request = await bridge.pending()
    person = await bridge.client("answer")
    done = await person.post(f"/api/agent-requests/{request.id}/answer", json=reply)
    assert done.status_code == 200, done.text


# --- decisions -----------------------------------------------------------------------------------


async def test_unwatched_nothing_is_decided_at_once(hook: httpx.AsyncClient) -> None:
    assert await told(call(hook)) == {}


async def test_an_allow_is_what_the_agent_reads(bridge: Bridged, hook: httpx.AsyncClient) -> None:
    async with bridge.watched():
        asked = call(hook)
        request = await bridge.pending()
        assert (request.ask.session_id, request.ask.agent, request.ask.cwd) == (
            "mine",
            "claude-code",
            "/srv/app",
        )
        await answer(bridge, behavior="allow")
        assert await told(asked) == {
            "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
        }
    assert bridge.requests(State.UNCONFIRMED)


async def test_a_denial_is_told_with_its_words(bridge: Bridged, hook: httpx.AsyncClient) -> None:
    async with bridge.watched():
        asked = call(hook)
        await answer(bridge, behavior="deny", message="not today")
        decision = (await told(asked))["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "deny", "message": "not today"}


async def test_a_question_is_answered_and_never_allowed_without_answers(
    bridge: Bridged, hook: httpx.AsyncClient
) -> None:
    question = {"question": "Which?", "header": "H", "options": [{"label": "A"}, {"label": "B"}]}
    payload = {**BASH, "tool_name": "AskUserQuestion", "tool_input": {"questions": [question]}}
    async with bridge.watched():
        asked = call(hook, payload)
        request = await bridge.pending()
        person = await bridge.client("answer")
        body = {"id": request.id, "response": {"decision": "allow"}}
        assert (await person.post("/agents/interaction/respond", json=body)).status_code == 400
        body["response"] = {"selection": "B"}
        await told(await person.post("/agents/interaction/respond", json=body))
        decision = (await told(asked))["hookSpecificOutput"]["decision"]
    assert decision["updatedInput"]["answers"] == {"Which?": "B"}


@pytest.mark.parametrize("name", [path.stem for path in sorted(SAMPLES.glob("PermissionRequest.*.json"))])
async def test_every_payload_of_the_agent_is_asked_and_answered(
    bridge: Bridged, hook: httpx.AsyncClient, name: str
) -> None:
    async with bridge.watched():
        asked = call(hook, sample(name))
        await answer(bridge, behavior="deny", message="no")
        decision = (await told(asked))["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "deny", "message": "no"}


async def test_the_action_says_what_the_payload_does_not(bridge: Bridged, hook: httpx.AsyncClient) -> None:
    async with bridge.watched():
        asked = call(hook, {"tool_name": "Bash", "tool_input": {"command": "ls"}})
        await answer(bridge, behavior="allow")
        assert "hookSpecificOutput" in await told(asked)


@pytest.mark.parametrize(
    ("url", "headers", "session"),
    [
        (CLAUDE, NAMED, "mine"),
        (f"{CLAUDE}&session=a", {}, "a"),
        (f"{CLAUDE}&sessionId=b", {}, "b"),
        (CLAUDE, {}, "0123-abc"),
        (f"{CLAUDE}&session=a", NAMED, "mine"),
    ],
)
async def test_the_session_is_what_the_caller_names(
    bridge: Bridged, hook: httpx.AsyncClient, url: str, headers: dict[str, str], session: str
) -> None:
    async with bridge.watched():
        asked = asyncio.create_task(hook.post(url, json=BASH, headers=headers))
        assert (await bridge.pending()).ask.session_id == session
        await answer(bridge, behavior="deny")
        await told(asked)


async def test_after_its_time_nothing_is_decided(
    bridge: Bridged, hook: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = hook_routes.Agent(hook_routes.CLAUDE.parse, hook_routes.CLAUDE.render, 0.05)
    monkeypatch.setattr(hook_routes, "CLAUDE", short)
    async with bridge.watched():
        assert await told(call(hook)) == {}
    assert (hook_routes.CLAUDE_S, hook_routes.CODEX_S) == (110.0, 25.0)


async def test_its_client_leaves_and_takes_it_along(bridge: Bridged, hook: httpx.AsyncClient) -> None:
    async with bridge.watched():
        asked = call(hook)
        await bridge.pending()
        asked.cancel()
        await bridge.until(lambda: not bridge.requests())
    assert bridge.requests(State.WITHDRAWN)[0].reason == "caller_gone"


async def test_an_answer_that_cannot_be_rendered_is_none(
    bridge: Bridged, hook: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(_payload: object, _decision: object) -> tuple[bytes, str]:
        raise ValueError

    odd = hook_routes.Agent(hook_routes.CLAUDE.parse, render, 110.0)
    monkeypatch.setattr(hook_routes, "CLAUDE", odd)
    async with bridge.watched():
        asked = call(hook)
        await answer(bridge, behavior="allow")
        assert await told(asked) == {}
    assert bridge.requests(State.LOST)


# --- nothing decided -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b'{"session_id": 1}',
        b"\xff",
        b"[" * 100_000,
        b'{"hook_event_name": "Other", "session_id": "a"}',
        b'{"hook_event_name": "PermissionRequest", "session_id": "a b"}',
        b'{"hook_event_name": "PermissionRequest", "session_id": "a", "tool_name": "Bash"}',
        json.dumps({**BASH, "permission_mode": "bypassPermissions"}).encode(),
        json.dumps({**BASH, "tool_input": {"command": "x" * 300_000}}).encode(),
    ],
)
@pytest.mark.parametrize("agent", ["claude", "codex"])
async def test_what_makes_no_sense_decides_nothing(
    bridge: Bridged, hook: httpx.AsyncClient, agent: str, body: bytes
) -> None:
    async with bridge.watched():
        done = await hook.post(f"/hooks/{agent}?action=other", content=body, headers=NAMED)
    assert (done.status_code, done.content) == (200, b"{}")
    assert not bridge.requests()


@pytest.mark.parametrize("query", ["", "?action=permission-request", "?session=" + "x" * 300])
async def test_without_a_usable_session_nothing_is_decided(
    bridge: Bridged, hook: httpx.AsyncClient, query: str
) -> None:
    async with bridge.watched():
        done = await hook.post(f"/hooks/claude{query}", json={**BASH, "session_id": ""})
    assert (done.status_code, done.content) == (200, b"{}")


async def test_a_full_desk_decides_nothing(bridge: Bridged, hook: httpx.AsyncClient) -> None:
    body = {"session": "s1", "type": "input"}
    for _ in range(64):
        await told(await hook.post("/agents/interaction/register", json=body))
    async with bridge.watched():
        assert await told(call(hook)) == {}


async def test_a_body_that_is_too_large_is_refused(hook: httpx.AsyncClient) -> None:
    done = await hook.post(CLAUDE, content=b"x" * (1024 * 1024 + 1), headers=NAMED)
    assert done.status_code == 413


# --- Codex -----------------------------------------------------------------------------------------


async def codex_on(bridge: Bridged, on: bool = True) -> None:
    peer = await bridge.stage.peer()
    await peer.call("desk.settings", {"settings": {"codex_approvals": on}})


async def test_codex_asks_only_where_that_was_chosen(bridge: Bridged, hook: httpx.AsyncClient) -> None:
    async with bridge.watched():
        assert await told(call(hook, url=CODEX)) == {}
        await codex_on(bridge)
        asked = call(hook, url=CODEX)
        request = await bridge.pending()
        assert (request.ask.agent, request.ask.hold_s) == ("codex", 25.0)
        await answer(bridge, behavior="deny")
        decision = (await told(asked))["hookSpecificOutput"]["decision"]
    assert decision["behavior"] == "deny"


async def test_switching_it_off_lets_go_of_what_waits(bridge: Bridged, hook: httpx.AsyncClient) -> None:
    await codex_on(bridge)
    async with bridge.watched():
        asked = call(hook, url=CODEX)
        await bridge.pending()
        await codex_on(bridge, on=False)
        assert await told(asked) == {}
    assert bridge.requests(State.WITHDRAWN)[0].reason == "setting_off"


# --- who may ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_password", [True, False])
async def test_a_token_in_the_address_may_ask(bridge: Bridged, as_password: bool) -> None:
    token = await bridge.token("ask")
    pair = ("", token) if as_password else (token, "")
    async with httpx.AsyncClient(base_url=bridge.url, headers=basic(*pair), trust_env=False) as hook:
        async with bridge.watched():
            asked = call(hook)
            await answer(bridge, behavior="allow")
            assert "hookSpecificOutput" in await told(asked)
        for route in ("register", "request", "notify"):
            body = {"session": "s", "type": "input"}
            await told(await hook.post(f"/agents/interaction/{route}", json=body))
        assert (await hook.get("/agents/interaction/wait", params={"id": "a"})).status_code == 409
        for path in (
            "/agents/interaction/pending",
            "/agents/interaction/stream",
            "/desktop-state",
            "/api/me",
        ):
            assert (await hook.get(path)).status_code == 401, path


@pytest.mark.parametrize("power", ["see", "answer", "admin"])
async def test_a_token_that_may_do_more_is_not_taken_from_an_address(bridge: Bridged, power: str) -> None:
    headers = basic("", await bridge.token(power))
    async with httpx.AsyncClient(base_url=bridge.url, headers=headers, trust_env=False) as client:
        refused = await client.post(CLAUDE, json=BASH)
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")


@pytest.mark.parametrize(
    "authorization", ["", "Basic", "Basic !", "Basic /w==", "Basic Og==", "Basic c2F5c28=", "Digest x"]
)
async def test_without_a_token_nothing_is_asked(bridge: Bridged, authorization: str) -> None:
    headers = {"authorization": authorization} if authorization else {}
    async with httpx.AsyncClient(base_url=bridge.url, headers=headers, trust_env=False) as client:
        refused = await client.post(CLAUDE, json=BASH)
    assert refused.status_code == 401
