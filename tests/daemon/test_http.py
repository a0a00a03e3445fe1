"""The routes, one by one, and every way a request can be wrong."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import httpx
import msgspec
import pytest

from sayso.daemon.http_errors import SECURITY_HEADERS, ErrorBody
from sayso.daemon.http_routes import ROUTES
from sayso.wire.protocol import METHODS, Power
from tests.daemon.http_stage import REQUEST, Stage, running

ANSWER = f"/api/agent-requests/{REQUEST}/answer"


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    async with running() as stage:
        yield stage


def error_of(response: httpx.Response, status: int, code: str) -> ErrorBody:
    """Check that a response is an error in the one shape, and return it."""
    error = msgspec.json.decode(response.content, type=ErrorBody)
    assert (response.status_code, error.status, error.code) == (status, status, code)
    assert error.ok is False
    assert error.error
    assert response.headers["content-type"] == "application/json"
    return error


# --- the table -------------------------------------------------------------------------


def test_every_route_has_a_power_and_a_method_of_the_desk() -> None:
    for route in ROUTES:
        strangers = route.path in ("/api/pair", "/api/push/answer")
        assert route.power > Power.ASK or strangers or route.basic, route.path
        if route.bridge:
            assert route.power, route.path
        elif route.call:
            assert route.power == METHODS[route.call].power, route.path
        else:
            assert route.path == "/api/openapi.json"


def test_no_get_calls_a_method_that_changes_something() -> None:
    reading = {"desk.list", "desk.row", "desk.sessions", "desk.health", "desk.subscribe", "desk.me", ""}
    asking = {
        route.call: route.params({}, {})
        for route in ROUTES
        if route.path in ("/api/devices", "/api/push/key")
    }

    assert {route.call for route in ROUTES if route.method == "GET"} == reading | asking.keys()
    bridge = {route.bridge for route in ROUTES if route.method == "GET" and route.bridge}
    assert bridge == {"wait", "pending", "stream", "desktop_state"}
    assert asking == {"desk.devices": {"list": True}, "desk.push": {}}


# --- each route ------------------------------------------------------------------------


async def test_list_has_requests_messages_and_settings(stage: Stage) -> None:
    response = await stage.http.get("/api/agent-requests")

    assert response.status_code == 200
    body = response.json()
    assert set(body) == {"requests", "messages", "settings"}
    assert [request["id"] for request in body["requests"]] == [REQUEST]  # and no notice
    assert body["requests"][0]["input"] == [{"label": "Command", "value": "ls", "code": True}]
    assert body["messages"][0]["text"] == "hi"
    assert body["settings"]["codex_approvals"] is False


async def test_answer_passes_the_reply_as_it_was_given(stage: Stage) -> None:
    reply: dict[str, Any] = {"behavior": "allow", "suggestion": "0", "key": "k"}

    response = await stage.http.post(ANSWER, json=reply)

    assert response.json() == {"ok": True, "state": "answered"}
    method, params, caller = stage.desk.calls[-1]
    assert (method, params) == ("desk.answer", {"id": REQUEST, "reply": reply})
    assert (caller.channel, caller.name, caller.power) == ("web", "the test", Power.ADMIN)
    assert caller.credential == stage.devices.list()[0].id


async def test_answer_to_a_request_that_is_gone(stage: Stage) -> None:
    response = await stage.http.post("/api/agent-requests/unknown/answer", json={"behavior": "allow"})

    error_of(response, 409, "request_gone")


async def test_row(stage: Stage) -> None:
    response = await stage.http.get(f"/api/agent-requests/{REQUEST}/rows/3")

    assert len(response.json()["value"]) == 5000
    assert stage.desk.calls[-1][1] == {"id": REQUEST, "row": 3}


@pytest.mark.parametrize("number", ["-1", "x", "1.0", "٣", "9" * 40, "1_0"])
async def test_row_of_no_number(stage: Stage, number: str) -> None:
    response = await stage.http.get(f"/api/agent-requests/{REQUEST}/rows/{number}")

    assert error_of(response, 400, "bad_request").field == "n"
    assert not stage.desk.calls


@pytest.mark.parametrize("body", [None, {}])
async def test_release_needs_no_body(stage: Stage, body: dict[str, Any] | None) -> None:
    response = await stage.http.post(f"/api/agent-requests/{REQUEST}/release", json=body)

    assert response.json() == {"ok": True, "state": "released"}
    assert stage.desk.calls[-1][:2] == ("desk.release", {"id": REQUEST})


async def test_settings_pass_only_what_was_given(stage: Stage) -> None:
    response = await stage.http.put("/api/agent-requests/settings", json={"codex_approvals": True})

    assert response.json()["codex_approvals"] is True
    assert stage.desk.calls[-1][1] == {"settings": {"codex_approvals": True}}


async def test_message_is_queued_and_taken_back(stage: Stage) -> None:
    message = {"agent": "claude-code", "session_id": "s1", "text": "go on"}

    queued = await stage.http.post("/api/agent-messages", json=message)
    dropped = await stage.http.delete("/api/agent-messages/claude-code/odd%2Fsession")

    assert queued.json() == dropped.json() == {"ok": True}
    assert [call[:2] for call in stage.desk.calls] == [
        ("desk.queue", message),
        ("desk.unqueue", {"agent": "claude-code", "session_id": "odd/session"}),
    ]


async def test_case_59_a_grant_is_ended(stage: Stage) -> None:
    ended = await stage.http.delete("/api/grants/3f2a")

    assert ended.json() == {"ok": True}
    assert stage.desk.calls[-1][:2] == ("desk.ungrant", {"id": "3f2a"})


async def test_message_for_a_session_that_is_not_running(stage: Stage) -> None:
    message = {"agent": "claude-code", "session_id": "other", "text": "go on"}

    error_of(await stage.http.post("/api/agent-messages", json=message), 404, "session_not_running")


async def test_sessions_health_and_presence(stage: Stage) -> None:
    assert (await stage.http.get("/api/sessions")).json() == {"sessions": []}
    assert (await stage.http.get("/api/health")).json() == {"pid": 1}
    assert (await stage.http.post("/api/presence", json={"present": True, "open": ["a"]})).json() == {
        "ok": True
    }
    assert stage.desk.calls[-1][1] == {"present": True, "open": ["a"]}


# --- errors ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/nothing", "/api", "/api/", "/api/agent-requests/", "//api/health"])
async def test_unknown_paths(stage: Stage, path: str) -> None:
    error_of(await stage.http.get(path), 404, "unknown_method")


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "DELETE", "PATCH", "POST"])
async def test_unknown_methods_reach_nothing(stage: Stage, method: str) -> None:
    for path in ("/api/agent-requests", f"/api/agent-requests/{REQUEST}/rows/0", "/api/events"):
        response = await stage.http.request(method, path)

        assert response.status_code == 405
        assert response.headers["allow"] == "GET"
        if method != "HEAD":
            error_of(response, 405, "unknown_method")
    assert not stage.desk.calls
    assert not stage.desk.after


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"behavior": 1}', "behavior"),
        (b'{"answers": [{"picked": ["a", 1]}]}', "answers[0].picked[1]"),
        (b'{"colour": "red"}', ""),
        (b"[]", ""),
        (b"null", ""),
        (b"{", ""),
        (b'{"behavior": "\xff"}', ""),
        (b'{"\xff": 1}', ""),
        (b'{"behavior": "\\ud800"}', ""),
        (b"[" * 100_000, ""),
        (b'{"a":' * 100_000, ""),
        (b'{"content": {"a": 1e999}}', ""),
        (b"\xef\xbb\xbf{}", ""),
        ('{"behavior": "allow"}'.encode("utf-16"), ""),
    ],
)
async def test_malformed_bodies(stage: Stage, body: bytes, field: str) -> None:
    response = await stage.http.post(ANSWER, content=body, headers={"content-type": "application/json"})

    assert error_of(response, 400, "bad_request").field == field
    assert not stage.desk.calls


@pytest.mark.parametrize(
    ("headers", "field"),
    [
        ({"content-type": "text/plain"}, "content-type"),
        ({"content-type": "application/x-www-form-urlencoded"}, "content-type"),
        ({"content-type": "multipart/form-data; boundary=x"}, "content-type"),
        ({"content-type": "text/plain; application/json"}, "content-type"),
        ({"content-type": "application/json; charset=latin-1"}, "content-type"),
        ({"content-type": "application/json", "content-encoding": "gzip"}, "content-encoding"),
        ({}, "content-type"),
    ],
)
async def test_bodies_that_do_not_say_json(stage: Stage, headers: dict[str, str], field: str) -> None:
    response = await stage.http.post(ANSWER, content=b'{"behavior":"allow"}', headers=headers)

    assert error_of(response, 400, "bad_request").field == field
    assert not stage.desk.calls


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON;charset=UTF-8", 'application/json; charset="utf-8"']
)
async def test_bodies_that_say_json(stage: Stage, kind: str) -> None:
    response = await stage.http.post(ANSWER, content=b'{"behavior":"allow"}', headers={"content-type": kind})

    assert response.status_code == 200


async def test_too_large_by_its_length(stage: Stage) -> None:
    response = await stage.http.post(ANSWER, json={"message": "x" * 2**20})

    error_of(response, 413, "too_large")


async def test_too_large_in_pieces(stage: Stage) -> None:
    async def pieces() -> AsyncGenerator[bytes]:
        for _ in range(20):
            yield b" " * 2**16

    response = await stage.http.post(ANSWER, content=pieces(), headers={"content-type": "application/json"})

    error_of(response, 413, "too_large")


async def test_a_connection_is_good_after_a_body_that_was_too_large(stage: Stage) -> None:
    await stage.http.post(ANSWER, json={"message": "x" * 2**21})

    assert (await stage.http.get("/api/health")).status_code == 200


async def test_a_mistake_of_the_desk_tells_nothing_about_content(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_params: dict[str, Any]) -> None:
        raise KeyError("the secret of the request")

    stage.desk.overrides["desk.health"] = fail

    error = error_of(await stage.http.get("/api/health"), 500, "error")

    assert "secret" not in error.error
    assert "KeyError" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("request_line", ["GET / HTTP/1.1\r\nHost", "\x16\x03\x01", "GET /\xff HTTP/1.1"])
async def test_what_is_not_http_gets_the_same_shape(stage: Stage, request_line: str) -> None:
    head, _, body = (await stage.raw(f"{request_line}\r\n\r\n".encode("latin-1"))).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 400 ")
    assert msgspec.json.decode(body, type=ErrorBody).code == "bad_request"
    assert b"nosniff" in head


async def test_every_response_carries_the_security_headers(stage: Stage) -> None:
    responses = [
        await stage.http.get("/api/health"),
        await stage.http.get("/nothing"),
        await stage.http.delete("/api/health"),
        await stage.http.get("/api/health", headers={"authorization": ""}),
        await stage.http.get("/api/health", headers={"host": "evil.example"}),
        await stage.http.post(ANSWER, content=b"{", headers={"content-type": "application/json"}),
    ]

    for response in responses:
        for name, value in SECURITY_HEADERS.items():
            assert response.headers.get_list(name) == [value]
        assert len(response.headers.get_list("date")) == 1
        assert "server" not in response.headers
        assert not [name for name in response.headers if name.startswith("access-control")]
        assert "set-cookie" not in response.headers
