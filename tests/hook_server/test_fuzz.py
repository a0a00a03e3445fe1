"""Whatever comes: an answer in one of the shapes, no crash, nothing left behind."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.hook_server import BadReply, HookServer
from sayso.hook_server.holds import NOTHING
from tests.hook_server.callers import Caller, Response, parsed, request

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(["hook_event_name", "hook_type", "tool_name", "tool_input", "cwd", "session_id", "x"])
WORDS = st.sampled_from(
    ["PreToolUse", "PermissionRequest", "Stop", "AskUserQuestion", "ExitPlanMode", "Bash"]
)
PAYLOADS: Any = st.dictionaries(NAMES, WORDS | JSON, max_size=7)
ANSWERS = st.sampled_from(["allow", "deny", "drop", "forget"])
FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


async def exchange(server: HookServer, data: bytes) -> bytes:
    caller = await Caller.connect(server.port)
    try:
        caller.send(data)
        caller.writer.write_eof()
        async with asyncio.timeout(10):
            try:
                return await caller.reader.read(-1)
            except ConnectionError:
                return b""
    finally:
        await caller.close()


def checked(response: Response) -> None:
    said = response.json
    if response.status != 200:
        assert set(said) - {"field"} == {"ok", "error", "code", "status"}
        assert (said["ok"], said["status"]) == (False, response.status)
    assert response.headers["content-length"] == str(len(response.body))


async def answering(server: HookServer, answer: str, reason: str) -> None:
    async for event in server.events():
        try:
            if answer == "allow":
                assert event.allow() is event.can_allow
            elif answer == "deny":
                assert event.deny(reason) is event.can_deny
            elif answer == "drop":
                assert event.drop()
        except BadReply:
            assert event.can_deny
            assert not event.over
        del event


async def hold(data: bytes | dict[str, Any], answer: str, reason: str, legacy: bool) -> Response:
    async with HookServer(legacy=legacy) as server:
        program = asyncio.create_task(answering(server, answer, reason))
        caller = await Caller.connect(server.port)
        caller.send(request(server, data))
        response = await caller.response()
        await caller.close()
        await server.stop()
        await program
        assert server.pending == 0
    return response


@FEW
@given(PAYLOADS, ANSWERS, st.text(), st.booleans())
def test_any_payload_with_any_answer(payload: dict[str, Any], answer: str, reason: str, legacy: bool) -> None:
    response = asyncio.run(hold(payload, answer, reason, legacy))
    assert response.status == 200
    checked(response)
    if response.body != NOTHING:
        assert answer in ("allow", "deny")
        said = json.loads(response.body)
        assert set(said) in ({"hookSpecificOutput"}, {"decision"}, {"decision", "reason"})
        if payload.get("tool_name") == "AskUserQuestion":
            assert answer == "deny"


@FEW
@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()), ANSWERS)
def test_any_body(body: bytes, answer: str) -> None:
    response = asyncio.run(hold(body, answer, "", False))
    assert response.status in (200, 400)
    checked(response)


@FEW
@given(st.binary(max_size=400), st.integers(0, 300))
def test_any_bytes(junk: bytes, at: int) -> None:
    """Junk alone, and in the middle of a good request. Who hangs up meanwhile is told nothing."""

    async def run() -> list[bytes]:
        async with HookServer() as server:
            good = request(server)
            return [await exchange(server, data) for data in (junk, good[:at] + junk + good[at:])]

    for data in asyncio.run(run()):
        if data:
            checked(parsed(data))
