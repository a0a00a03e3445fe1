"""Readers of the interaction bridge: what is listed, streamed and answered there, whichever way it came."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest

from sayso.core.bounds import MAX_VALUE_CHARS
from sayso.core.states import State
from sayso.core.types import Settings
from sayso.daemon import http_stream
from sayso.daemon.bridge import Bridge
from sayso.daemon.bridge_sessions import KEPT
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.daemon.shown import HIDDEN
from sayso.wire.interaction import RegisterBody
from sayso.wire.protocol import Power
from tests.daemon.bridge_stage import PERMISSION, Bridged, bridged, post, told

ALLOW = {"decision": "allow"}


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


async def listed(client: httpx.AsyncClient, session: str = "") -> list[Any]:
    params = {"sessionId": session} if session else {}
    answer = await told(await client.get("/agents/interaction/pending", params=params))
    found: list[Any] = answer["requests"]
    return found


async def state_of(client: httpx.AsyncClient) -> dict[str, Any]:
    return await told(await client.get("/desktop-state"))


# --- what any agent asks ---------------------------------------------------------------------


async def test_what_a_hook_asks_is_seen_and_answered_here(bridge: Bridged, person: httpx.AsyncClient) -> None:
    hook = await bridge.stage.peer()
    number, request_id = await hook.ask(suggestions=["Allow ls from now on"])
    (seen,) = await listed(person, "s1")
    assert (seen["id"], seen["type"], seen["agent"]) == (request_id, "permission", "claude-code")
    assert seen["payload"]["input"] == {"Command": "ls"}
    done = (await told(await respond(person, request_id, {**ALLOW, "selection": 0})))["request"]
    assert done["response"] == {"decision": "allow", "selection": "Allow ls from now on"}
    answer = await hook.answer_to(number)
    assert answer["result"] == {"behavior": "allow", "suggestion": 0}


@pytest.mark.parametrize(
    ("asked", "response", "value"),
    [
        ({"kind": "yesno"}, {"selection": "yes"}, "yes"),
        ({"kind": "choice", "choices": [{"id": "a", "label": "One"}]}, {"selection": "One"}, "a"),
        ({"kind": "text"}, {"text": "words"}, "words"),
    ],
)
async def test_what_a_program_asks_itself_is_answered_here(
    bridge: Bridged, person: httpx.AsyncClient, asked: Any, response: Any, value: str
) -> None:
    program = await bridge.stage.peer()
    number = program.post("agent.ask_user", {"surface_id": "p:1", "title": "Well?", **asked})
    request = await bridge.pending()
    await told(await respond(person, request.id, response))
    assert (await program.answer_to(number))["result"]["value"] == value


async def test_a_command_takes_two_decisions(bridge: Bridged, person: httpx.AsyncClient) -> None:
    program = await bridge.stage.peer()
    command = {"surface_id": "p:1", "kind": "confirm-command", "title": "Deploy", "body": "make deploy"}
    number = program.post("agent.ask_user", command)
    request = await bridge.pending()
    assert (await respond(person, request.id, {"decision": "run"})).status_code == 400
    first = (await told(await respond(person, request.id, {"decision": "ack"})))["request"]
    assert first["status"] == "pending"
    other = await bridge.client("answer")
    assert (await respond(other, request.id, {"decision": "run"})).status_code == 400
    await told(await respond(person, request.id, {"decision": "run"}))
    assert (await program.answer_to(number))["result"]["value"] == "run"


# --- what is seen whole ----------------------------------------------------------------------------


async def test_what_is_long_is_given_whole_to_who_may_answer_and_counts_as_seen(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    text = "x" * (MAX_VALUE_CHARS + 1)
    body = {**PERMISSION, "payload": {"toolName": "Write", "input": {"content": text}}}
    await told(post(asker, "register", body))
    hook = await bridge.stage.peer()
    _, request_id = await hook.ask(input=[{"label": "Content", "value": text}])
    watcher = await bridge.client("see")
    own, of_hook = await listed(watcher)
    assert len(of_hook["payload"]["input"]["Content"]) == MAX_VALUE_CHARS
    assert own["payload"]["input"]["content"] == text
    unread = await respond(person, request_id, ALLOW)
    assert (unread.status_code, unread.json()["code"]) == (400, "not_seen")
    own, of_hook = await listed(person)
    assert (own["payload"]["input"]["content"], of_hook["payload"]["input"]["Content"]) == (text, text)
    await told(await respond(person, request_id, ALLOW))
    await told(await respond(person, own["id"], ALLOW))


async def test_one_list_holds_only_so_much_whole(bridge: Bridged, person: httpx.AsyncClient) -> None:
    asker = await bridge.client("ask")
    body = {**PERMISSION, "payload": {"input": {"content": "x" * 250_000}}}
    for _ in range(5):
        await told(post(asker, "register", body))
    sizes = [len(one["payload"]["input"].get("content", "")) for one in await listed(person)]
    assert sizes[:2] == [250_000, 250_000]
    assert min(sizes) == MAX_VALUE_CHARS
    assert (await told(await person.get("/agents/interaction/pending", params={"sessionId": "other"})))[
        "requests"
    ] == []


async def test_a_long_payload_is_forgotten_once_it_is_over(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    body = {**PERMISSION, "payload": {"toolName": "Write", "input": {"content": "x" * 9000}}}
    request = (await told(post(asker, "register", body)))["request"]
    await listed(person)
    await told(await respond(person, request["id"], ALLOW))
    waited = await told(await asker.get("/agents/interaction/wait", params={"id": request["id"]}))
    assert len(waited["request"]["payload"]["input"]["content"]) == MAX_VALUE_CHARS


async def test_payloads_of_requests_that_are_not_kept_any_more_are_forgotten() -> None:
    runtime = Runtime(Settings(), lambda _settings: "", None)
    made = Bridge(runtime, lambda text: (text, ()))
    caller = Caller(power=Power.ASK, channel="bridge", name="", credential="1")
    for number in range(3):
        question = {"question": f"What is {number}?" * 1000}
        await made.register(caller, RegisterBody(session="s", type="question", payload=question))
    assert len(vars(made)["_own"]) == 3
    now = runtime.now()
    for later_s in (10_000, 20_000):  # they time out, are kept for a while, and are forgotten then
        runtime.desk.tick(now + later_s)
        runtime.settle()
    assert not runtime.desk.snapshot().requests
    assert vars(made)["_own"] == {}
    runtime.end()


async def test_what_a_person_wrote_is_for_who_asked_and_for_where_it_was_written(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    other = await bridge.client("admin")
    text = {"session": "s1", "type": "input", "payload": {"prompt": "Which key?"}}
    request = (await told(post(asker, "register", text)))["request"]
    async with bridge.reading(other) as reader:
        await reader.until("ready")
        answered = (await told(await respond(person, request["id"], {"text": "my own"})))["request"]
        seen = (await reader.until("resolved"))["request"]
    assert (answered["response"]["text"], seen["response"]["text"]) == ("my own", HIDDEN)
    params = {"id": request["id"]}
    for client, words in ((other, HIDDEN), (asker, "my own"), (other, HIDDEN)):
        waited = await told(await client.get("/agents/interaction/wait", params=params))
        assert waited["request"]["response"]["text"] == words


# --- the stream --------------------------------------------------------------------------------


async def test_a_stream_begins_with_what_is_pending(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    async with bridge.reading(person) as reader:
        name, ready = await reader.next()
        assert (name, [one["id"] for one in ready["pending"]]) == ("ready", [request["id"]])
        second = (await told(post(asker, "register", {**PERMISSION, "summary": "y" * 300})))["request"]
        name, alert = await reader.next()
        assert (name, alert["kind"], alert["id"]) == ("interaction", "interaction_request", second["id"])
        assert alert["summary"] == "y" * 200
        assert alert["interaction"] == {"id": second["id"], "type": "permission", "summary": "y" * 200}


async def test_a_reader_that_may_only_see_is_nobody_who_watches(
    bridge: Bridged, asker: httpx.AsyncClient
) -> None:
    async with bridge.reading(await bridge.client("see")) as reader:
        await reader.until("ready")
        assert await told(post(asker, "request", PERMISSION)) == {"ok": True, "watching": False}


async def test_a_reader_goes_on_watching_while_nothing_happens(
    bridge: Bridged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_stream, "HEARTBEAT_S", 0.01)
    told_: asyncio.Queue[bool] = asyncio.Queue()
    watch = bridge.runtime.desk.watch

    def noted(watcher: str, presence: Any, now: float) -> None:
        watch(watcher, presence, now)
        told_.put_nowait(presence is not None)

    monkeypatch.setattr(bridge.runtime.desk, "watch", noted)
    async with asyncio.timeout(5):
        async with bridge.watched():
            assert [await told_.get() for _ in range(4)] == [True] * 4
        while await told_.get():
            pass
    assert bridge.runtime.desk.watched_until() < bridge.runtime.now()


async def test_a_stream_tells_of_lost_answers_and_of_notes(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    async with bridge.watched() as reader:
        hook = await bridge.stage.peer()
        _, request_id = await hook.ask()
        await reader.until("interaction")
        await told(await respond(person, request_id, ALLOW))
        assert (await reader.until("resolved"))["request"]["state"] == "answered"
        await hook.close()
        assert (await reader.until("resolved"))["request"]["state"] == "lost"
        await told(post(asker, "notify", {"session": "s1", "summary": "Tests ran"}))
        note = await reader.until("note")
        assert (note["kind"], note["summary"], note["sessionId"]) == ("notification", "Tests ran", "s1")


async def test_an_asker_may_not_read(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    for path in ("pending", "stream"):
        assert (await asker.get(f"/agents/interaction/{path}")).status_code == 403
    assert (await asker.get("/desktop-state")).status_code == 403
    assert (await respond(asker, "x", ALLOW)).status_code == 403
    watcher = await bridge.client("see")
    assert (await respond(watcher, "x", ALLOW)).status_code == 403


# --- notes ---------------------------------------------------------------------------------------


async def test_a_note_says_all_that_it_was_given_masked(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    secret = "ghp_" + "a1B2" * 9
    payload = {"toolName": "Bash", "input": {"command": f"use {secret}"}, "cwd": "/srv/app"}
    assert await told(post(asker, "notify", {"session": "s1", "payload": payload})) == {"ok": True}
    await told(post(asker, "notify", {"session": "s1", "summary": "One\nTwo"}))
    await told(post(asker, "notify", {"session": "s1"}))
    bash, lines, bare = bridge.runtime.snapshot().notes
    assert (bash.title, bash.project, bash.label) == ("Bash", "app", "ask 1")
    assert bash.body.startswith("command: use ghp_")
    assert secret not in bash.body
    assert (lines.title, lines.body) == ("One", "Two")
    assert (bare.title, bare.body) == ("It needs a look", "")
    alerts = (await state_of(person))["alerts"]
    assert [one["kind"] for one in alerts] == ["notification"] * 3


async def test_notes_are_bounded(asker: httpx.AsyncClient) -> None:
    answers = [await post(asker, "notify", {"session": "s1"}) for _ in range(21)]
    assert [one.status_code for one in answers] == [200] * 20 + [503]
    refused = await post(asker, "notify", {"session": ""})
    assert (refused.status_code, refused.json()["field"]) == (400, "session")


# --- sessions --------------------------------------------------------------------------------------


async def attention(person: httpx.AsyncClient) -> dict[str, tuple[str, str]]:
    sessions = (await state_of(person))["sessions"]
    return {one["sessionId"]: (one["attention"], one["state"]) for one in sessions}


async def test_a_hooks_session_wants_what_is_true_of_it(bridge: Bridged, person: httpx.AsyncClient) -> None:
    hook = await bridge.stage.peer()

    async def event(type_: str) -> None:
        now = bridge.runtime.now()
        await hook.call(
            "agent.event", {"agent": "claude-code", "session_id": "s1", "type": type_, "at_s": now}
        )

    await event("user-prompt-submit")
    assert await attention(person) == {"s1": ("normal", "working")}
    asking = await bridge.stage.peer()
    _, request_id = await asking.ask()
    assert await attention(person) == {"s1": ("needs_response", "waiting")}
    (one,) = (await state_of(person))["pendingInteractions"]
    (alert,) = (await state_of(person))["alerts"]
    assert one["id"] == alert["id"] == request_id
    await told(await respond(person, request_id, {"decision": "deny"}))
    assert await attention(person) == {"s1": ("normal", "working")}
    await event("idle")
    assert (await attention(person))["s1"][0] == "needs_input"
    await event("stop-failure")
    assert (await attention(person))["s1"][0] == "error"


async def test_a_callers_session_wants_what_its_hooks_say(
    asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    async def hook(action: str, **payload: Any) -> None:
        payload = {"cwd": "/srv/app", **payload}
        done = await asker.post(f"/hooks/claude?action={action}&session=mine", json=payload)
        assert (done.status_code, done.json()) == (200, {})

    await hook("session-start")
    assert await attention(person) == {"mine": ("normal", "idle")}
    await hook("prompt-submit", prompt="go")
    assert await attention(person) == {"mine": ("normal", "working")}
    await hook("notification", message="waits")
    assert await attention(person) == {"mine": ("needs_input", "idle")}
    (one,) = (await state_of(person))["sessions"]
    assert (one["agent"], one["cwd"], one["project"]) == ("claude-code", "/srv/app", "app")
    await hook("", hook_event_name="PostToolUse", tool_name="Bash", tool_input={}, agent_id="a1")
    assert (await attention(person))["mine"][0] == "needs_input"
    await hook("", hook_event_name="StopFailure")
    assert await attention(person) == {"mine": ("error", "idle")}
    await hook("session-end")
    assert await attention(person) == {}


async def test_only_so_many_sessions_of_callers_are_remembered(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.daemon.bridge_sessions.KEPT", 2)
    assert KEPT > 2
    for name in ("a", "b", "a", "c"):
        await asker.post(f"/hooks/claude?action=stop&session={name}", json={})
    assert list(await attention(person)) == ["a", "c"]


async def test_what_is_over_is_no_session(
    bridge: Bridged, asker: httpx.AsyncClient, person: httpx.AsyncClient
) -> None:
    request = (await told(post(asker, "register", PERMISSION)))["request"]
    assert await attention(person) == {"s1": ("needs_response", "waiting")}
    await told(await respond(person, request["id"], ALLOW))
    assert await attention(person) == {}
    assert bridge.requests(State.ANSWERED)


# --- restarts --------------------------------------------------------------------------------------


async def test_a_desk_that_stops_says_so_to_who_waits(bridge: Bridged, asker: httpx.AsyncClient) -> None:
    registered = (await told(post(asker, "register", PERMISSION)))["request"]
    waiting = asyncio.create_task(asker.get("/agents/interaction/wait", params={"id": registered["id"]}))
    async with bridge.watched():
        await bridge.until(lambda: not bridge.requests()[0].is_alone)
        bridge.stage.daemon.stop(False)
        with contextlib.suppress(httpx.HTTPError):
            request = (await told(waiting))["request"]
            assert (request["status"], request["reason"]) == ("cancelled", "shutdown")
