"""What is refused, in which order, and in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sayso.hook_server import HookServer
from tests.hook_server.callers import BASH, Caller, Response, call, calling, next_event, request

WRONG_METHOD: dict[str, Any] = {"method": "PUT"}
NO_TOKEN: dict[str, Any] = {"authorization": None}
TOO_LONG: dict[str, Any] = {"content_length": str(1 << 40)}
NOT_JSON: dict[str, Any] = {"body": b"{"}


def check(response: Response, status: int, code: str) -> None:
    said = response.json
    assert response.status == status == said.pop("status")
    assert (said.pop("ok"), said.pop("code")) == (False, code)
    assert said.pop("error")
    assert set(said) <= {"field"}
    assert response.headers["content-type"] == "application/json"
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        (WRONG_METHOD | NO_TOKEN | TOO_LONG | NOT_JSON, 405, "unknown_method"),
        (NO_TOKEN | TOO_LONG | NOT_JSON, 401, "unauthorized"),
        (TOO_LONG | NOT_JSON, 413, "too_large"),
        (NOT_JSON, 400, "bad_request"),
    ],
)
async def test_the_first_thing_that_is_wrong_is_told(
    server: HookServer, wrong: dict[str, Any], status: int, code: str
) -> None:
    response = await call(server, **wrong)
    check(response, status, code)
    assert response.headers.get("allow") == ("POST" if status == 405 else None)
    assert ("www-authenticate" in response.headers) == (status == 401)
    assert server.pending == 0


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_only_post_is_possible(server: HookServer, method: str) -> None:
    check(await call(server, method=method), 405, "unknown_method")


async def test_a_head_has_no_body(server: HookServer) -> None:
    response = await call(server, method="HEAD")
    assert (response.status, response.body) == (405, b"")


@pytest.mark.parametrize("target", ["/", "/hooks", "/hook/", "/hook/x", "//hook", "http://[/hook", "/HOOK"])
async def test_there_is_one_path(server: HookServer, target: str) -> None:
    check(await call(server, target=target), 404, "unknown_method")


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", "Bearer ", "Bearer x", "Basic {}", "{}", "Bearer {}x", "Bearer é"]
)
async def test_whoever_lacks_the_token_is_refused(server: HookServer, authorization: str | None) -> None:
    said = authorization.format(server.token) if authorization else authorization
    check(await call(server, authorization=said), 401, "unauthorized")


@pytest.mark.parametrize("query", ["", "t=", "t=x", "T={}", "t={}x", "&" * 40 + "t={}", "x={}", "t=%FF"])
async def test_so_is_whoever_has_a_wrong_one_in_the_url(server: HookServer, query: str) -> None:
    target = f"/hook?{query.format(server.token)}"
    check(await call(server, target=target, authorization=None), 401, "unauthorized")


@pytest.mark.parametrize(
    ("target", "authorization"),
    [("/hook", "Bearer {}"), ("/hook", "bearer {}"), ("/hook?t={}", None), ("/hook?x=1&t={}", "Bearer x")],
)
async def test_either_place_of_the_token_will_do(
    server: HookServer, target: str, authorization: str | None
) -> None:
    said = authorization.format(server.token) if authorization else None
    async with calling(server, target=target.format(server.token), authorization=said) as told:
        (await next_event(server)).drop()
        assert (await told).status == 200


def test_every_server_has_a_token_of_its_own() -> None:
    assert HookServer().token == ""


async def test_a_token_is_random_and_long() -> None:
    tokens: set[str] = set()
    for _ in range(3):
        async with HookServer() as server:
            tokens.add(server.token)
            assert len(bytes.fromhex(server.token)) == 32
            assert server.url == f"http://127.0.0.1:{server.port}/hook?t={server.token}"
            assert server.url == f"{server.endpoint}?t={server.token}"
    assert len(tokens) == 3


# --- pages of the web --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "attacker.example"},
        {"host": "attacker.example:80"},
        {"host": "127.0.0.1.attacker.example"},
        {"host": None},
        {"host": ""},
        {"origin": "http://attacker.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "same-origin"},
    ],
)
async def test_a_page_of_the_web_is_refused_even_with_the_token(
    server: HookServer, headers: dict[str, Any]
) -> None:
    check(await call(server, **headers), 403, "refused")


async def test_two_hosts_are_none(server: HookServer) -> None:
    caller = await Caller.connect(server.port)
    caller.send(request(server).replace(b"\r\nauth", b"\r\nhost: 127.0.0.1\r\nauth"))
    check(await caller.response(), 403, "refused")
    await caller.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:{}", "LOCALHOST", "[::1]:{}"])
async def test_names_of_this_machine_are_fine(server: HookServer, host: str) -> None:
    async with calling(server, host=host.format(server.port)) as told:
        (await next_event(server)).drop()
        assert (await told).status == 200


# --- bodies ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"],
)
async def test_only_json_that_says_so_is_read(server: HookServer, kind: str | None) -> None:
    response = await call(server, content_type=kind)
    check(response, 400, "bad_request")
    assert response.json["field"] == "content-type"


@pytest.mark.parametrize(
    "headers",
    [{"content_type": "application/json; charset=latin-1"}, {"content_encoding": "gzip"}],
)
async def test_only_as_plain_utf_8(server: HookServer, headers: dict[str, Any]) -> None:
    check(await call(server, **headers), 400, "bad_request")


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
    ],
)
async def test_ways_to_say_so(server: HookServer, kind: str) -> None:
    async with calling(server, content_type=kind) as told:
        (await next_event(server)).drop()
        assert (await told).status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b"null",
        b'"x"',
        b"{} {}",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": "\xff"}',
        "{}".encode("utf-16"),
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
async def test_what_is_no_json_object_is_refused(server: HookServer, body: bytes) -> None:
    check(await call(server, body), 400, "bad_request")
    assert server.pending == 0


async def test_half_a_surrogate_pair_is_an_event(server: HookServer) -> None:
    body = json.dumps({**BASH, "tool_input": {"command": "\ud800"}}).encode()
    async with calling(server, body) as told:
        event = await next_event(server)
        assert event.args == {"command": "\ud800"}
        event.deny("\ud800")
        assert (await told).json["hookSpecificOutput"]["permissionDecisionReason"] == "\ud800"


async def test_the_size_is_bounded_however_it_is_sent() -> None:
    async with HookServer(max_body_bytes=100) as server:
        check(await call(server, b" " * 101), 413, "too_large")
        chunked = b"32\r\n" + b" " * 50 + b"\r\n"
        caller = await Caller.connect(server.port)
        caller.send(
            request(server, chunked * 3 + b"0\r\n\r\n", content_length=None, transfer_encoding="chunked")
        )
        check(await caller.response(), 413, "too_large")
        await caller.close()


async def test_megabytes_pass(server: HookServer) -> None:
    content = "ü" * 2_000_000
    async with calling(server, {**BASH, "tool_input": {"content": content}}) as told:
        event = await next_event(server)
        assert event.args["content"] == content
        event.allow()
        assert (await told).json["hookSpecificOutput"]["permissionDecision"] == "allow"
