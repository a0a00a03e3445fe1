"""The traffic of programs that speak document 004, as they send it: hook commands and stream readers.

A hook command (`tests.hook_command`) is started here as an agent starts it. Readers parse events by name
and take ids from where they are used to find them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import hook_command
from tests.daemon.bridge_stage import Bridged, bridged, post, told

WAIT_S = 20.0
BASH = {"session_id": "0123-abc", "tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/srv/app"}


class Command:
    """A hook command with its surroundings."""

    def __init__(self, folder: Path, endpoint: str) -> None:
        self._file = folder / "endpoint.txt"
        self._file.write_text(f"{endpoint}\nnothing that is read\n")

    async def start(self, agent: str, action: str, payload: Any, most_s: int = 120) -> Any:
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", hook_command.script(agent, action, most_s)),
            env={
                "PATH": "/usr/bin:/bin",
                hook_command.ENDPOINT: str(self._file),
                hook_command.SESSION: "claude-1",
            },
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
        return process

    async def run(self, agent: str, action: str, payload: Any, most_s: int = 120) -> tuple[Any, str]:
        """Return what the agent reads, and what it was complained of."""
        return await ended(await self.start(agent, action, payload, most_s))


async def ended(process: Any) -> tuple[Any, str]:
    async with asyncio.timeout(WAIT_S):
        out, err = await process.communicate()
    assert process.returncode == 0
    return json.loads(out), err.decode()


@pytest.fixture
async def bridge() -> AsyncGenerator[Bridged]:
    async with bridged() as made:
        yield made


@pytest.fixture
async def hook(bridge: Bridged, tmp_path: Path) -> Command:
    token = await bridge.token("ask")
    return Command(tmp_path, bridge.url.replace("http://", f"http://:{token}@"))


# --- hook commands -------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["claude", "codex"])
async def test_unwatched_a_hook_leaves_it_to_the_agent_at_once(hook: Command, agent: str) -> None:
    assert await hook.run(agent, "permission-request", BASH) == ({}, "")


@pytest.mark.parametrize("behavior", ["allow", "deny"])
async def test_a_hook_prints_what_a_reader_decided(bridge: Bridged, hook: Command, behavior: str) -> None:
    person = await bridge.client("answer")
    async with bridge.watched() as reader:
        asking = await hook.start("claude", "permission-request", BASH)
        alert = await reader.until("interaction")
        body = {"id": alert["interaction"]["id"], "response": {"decision": f"{behavior}_once"}}
        await told(await person.post("/agents/interaction/respond", json=body))
        said, complaint = await ended(asking)
    assert said["hookSpecificOutput"]["decision"]["behavior"] == behavior
    assert complaint == ""


async def test_a_hook_that_is_killed_withdraws_what_it_asked(bridge: Bridged, hook: Command) -> None:
    async with bridge.watched() as reader:
        asking = await hook.start("claude", "permission-request", BASH, most_s=1)
        await reader.until("interaction")
        said, complaint = await ended(asking)  # it gives up by itself
        assert (said, "not sent" in complaint) == ({}, True)
        assert (await reader.until("withdrawn"))["request"]["reason"] == "caller_gone"


@pytest.mark.parametrize(
    "action", ["session-start", "prompt-submit", "pre-tool-use", "notification", "stop", "session-end", "new"]
)
@pytest.mark.parametrize("agent", ["claude", "codex"])
async def test_hooks_that_only_tell_read_nothing(hook: Command, agent: str, action: str) -> None:
    assert await hook.run(agent, action, {"session_id": "0123-abc", "cwd": "/srv"}, most_s=5) == ({}, "")


async def test_a_session_that_goes_on_withdraws_what_its_hook_asked(bridge: Bridged, hook: Command) -> None:
    async with bridge.watched() as reader:
        asking = await hook.start("claude", "permission-request", BASH)
        alert = await reader.until("interaction")
        assert alert["sessionId"] == "claude-1"
        assert await hook.run("claude", "prompt-submit", {"prompt": "never mind"}, most_s=5) == ({}, "")
        assert await ended(asking) == ({}, "")
        assert (await reader.until("withdrawn"))["request"]["reason"] == "new_prompt"


@pytest.mark.parametrize("restart", [False, True])
async def test_a_desk_that_ends_leaves_it_to_the_agent(bridge: Bridged, hook: Command, restart: bool) -> None:
    async with bridge.watched() as reader:
        asking = await hook.start("claude", "permission-request", BASH)
        await reader.until("interaction")
        bridge.stage.daemon.stop(restart)
        said, complaint = await ended(asking)
    assert (said, "not sent" in complaint) == ({}, restart)


@pytest.mark.parametrize("token", ["", "sayso_of_nobody"])
async def test_a_hook_without_a_token_of_the_desk_falls_back(
    bridge: Bridged, tmp_path: Path, token: str
) -> None:
    endpoint = bridge.url.replace("http://", f"http://:{token}@") if token else bridge.url
    async with bridge.watched():
        said, complaint = await Command(tmp_path, endpoint).run("claude", "permission-request", BASH)
    assert (said, "401" in complaint) == ({}, True)


async def test_a_payload_of_a_megabyte_arrives_or_falls_back(bridge: Bridged, hook: Command) -> None:
    async with bridge.watched():
        large = {**BASH, "tool_input": {"command": "x" * 2_000_000}}
        said, complaint = await hook.run("claude", "permission-request", large)
    assert said == {}
    assert "not sent" in complaint


# --- the older client: one call -----------------------------------------------------------------------


async def test_one_call_that_asks_and_waits(bridge: Bridged) -> None:
    asker, person = await bridge.client("ask"), await bridge.client("answer")
    body = {
        "session": "claude-1",
        "type": "permission",
        "payload": {"toolName": "Bash", "input": {"command": "ls"}, "cwd": "/srv/app"},
        "summary": "Bash: ls",
        "timeoutMs": 110_000,
    }
    unwatched = (await post(asker, "request", body)).json()
    assert unwatched == {"ok": True, "watching": False}
    async with bridge.watched():
        asking = post(asker, "request", body)
        await bridge.pending()
        pending = (await told(await person.get("/agents/interaction/pending?sessionId=claude-1")))["requests"]
        assert (pending[0]["type"], pending[0]["payload"]) == ("permission", body["payload"])
        answer = {"id": pending[0]["id"], "response": {"decision": "allow_once"}}
        await told(await person.post("/agents/interaction/respond", json=answer))
        request = (await told(asking))["request"]
    assert request["status"] == "resolved"
    assert request["response"]["decision"].startswith("allow")


# --- readers ----------------------------------------------------------------------------------------


async def test_a_reader_by_event_names_sees_what_comes_late_and_again(bridge: Bridged) -> None:
    """Readers know ready and interaction; they connect anew when a stream ends, and miss nothing."""
    asker, person = await bridge.client("ask"), await bridge.client("answer")
    body = {"session": "s", "type": "question", "payload": {"question": "Which?", "options": ["a", "b"]}}
    first = (await told(post(asker, "register", body)))["request"]["id"]
    async with bridge.reading(person) as reader:
        assert [one["id"] for one in (await reader.until("ready"))["pending"]] == [first]
    second = (await told(post(asker, "register", body)))["request"]["id"]
    async with bridge.reading(person) as reader:
        assert [one["id"] for one in (await reader.until("ready"))["pending"]] == [first, second]


async def test_a_reader_without_a_token_stops_for_good(bridge: Bridged) -> None:
    async with httpx.AsyncClient(base_url=bridge.url, trust_env=False) as stranger:
        refused = await stranger.get("/agents/interaction/stream")
    assert (refused.status_code, refused.json()["ok"]) == (401, False)


async def test_a_reader_reads_the_error_of_a_late_answer(bridge: Bridged) -> None:
    person = await bridge.client("answer")
    late = await person.post("/agents/interaction/respond", json={"id": "nope", "response": {}})
    assert (late.status_code, late.json()["ok"], bool(late.json()["error"])) == (409, False, True)
