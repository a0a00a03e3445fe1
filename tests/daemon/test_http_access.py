"""Who is listened to: names, sites, credentials, powers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, MutableMapping
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route as StarletteRoute

from sayso.daemon.http import make_app
from sayso.daemon.http_guard import access
from sayso.daemon.http_routes import ROUTES, Route
from sayso.errors import BadRequest
from sayso.wire.protocol import Power
from tests.daemon.http_stage import REQUEST, Stage, running
from tests.daemon.test_http import ANSWER, error_of

ALLOW = b'{"behavior":"allow"}'
JSON = {"content-type": "application/json"}
CLOSED = [route for route in ROUTES if route.power]
"""All but the one that exchanges a code."""


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    async with running() as stage:
        yield stage


def path_of(route: Route) -> str:
    return (
        route.path.replace("{id:path}", "s1")
        .replace("{id}", REQUEST)
        .replace("{n}", "0")
        .replace("{agent}", "a")
    )


# --- names -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
async def test_own_names(stage: Stage, name: str) -> None:
    response = await stage.http.get("/api/health", headers={"host": f"{name}:{stage.port}"})

    assert response.status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.:{port}",
        "localhost.evil.example:{port}",
        "127.0.0.1:{port}@evil.example",
        "0.0.0.0:{port}",
        "127.0.0.2:{port}",
        "",
    ],
)
async def test_case_49_a_name_that_was_pointed_at_the_loopback_is_refused(stage: Stage, host: str) -> None:
    for path in ("/api/health", "/", "/nothing"):
        response = await stage.http.get(path, headers={"host": host.format(port=stage.port)})

        error_of(response, 403, "refused")
    assert not stage.desk.calls


@pytest.mark.parametrize("lines", ["", "Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"])
async def test_case_49_no_name_and_two_names_are_refused(stage: Stage, lines: str) -> None:
    answer = await stage.raw(
        f"GET /api/health HTTP/1.1\r\n{lines.format(port=stage.port)}"
        f"Authorization: Bearer {stage.token}\r\nConnection: close\r\n\r\n"
    )

    assert answer.split(b"\r\n")[0].split()[1] in (b"400", b"403")
    assert not stage.desk.calls


async def test_a_public_name_is_one_of_ours() -> None:
    async with running(public_url="https://desk.example/") as stage:
        for host in ("desk.example", "desk.example:443", f"127.0.0.1:{stage.port}"):
            headers = {"host": host, "origin": "https://desk.example", "sec-fetch-site": "same-origin"}
            assert (await stage.http.get("/api/health", headers=headers)).status_code == 200
        error_of(
            await stage.http.get("/api/health", headers={"host": f"desk.example:{stage.port}"}),
            403,
            "refused",
        )
        headers = {"origin": "http://desk.example"}
        error_of(await stage.http.get("/api/health", headers=headers), 403, "refused")


@pytest.mark.parametrize(
    "url",
    [
        "desk.example",
        "ftp://desk.example",
        "https://",
        "https://me@desk.example",
        "https://desk.example/path",
        "https://desk.example?x",
        "https://desk.example#x",
        "https://desk.example:x",
        "https://bücher.example",
        "https://[::1",
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(BadRequest, match="is no address of a server") as caught:
        access(7297, url)

    assert caught.value.field == "public_url"


def test_names_on_the_standard_port_need_no_port() -> None:
    assert {"localhost", "localhost:80"} <= access(80).hosts
    assert "[2001:db8::1]:8443" in access(80, "https://[2001:db8::1]:8443").hosts


# --- sites -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "https://127.0.0.1:{port}"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:{port}", "sec-fetch-site": "same-site"},
    ],
)
async def test_case_49_requests_of_other_sites_are_refused(stage: Stage, headers: dict[str, str]) -> None:
    headers = {name: value.format(port=stage.port) for name, value in headers.items()}

    for route in ROUTES:
        response = await stage.http.request(route.method, path_of(route), headers=headers)
        error_of(response, 403, "refused")
    assert not stage.desk.calls
    assert not stage.desk.after


@pytest.mark.parametrize("site", ["same-origin", "none"])
async def test_requests_of_our_own_page(stage: Stage, site: str) -> None:
    headers = {"origin": f"http://localhost:{stage.port}", "sec-fetch-site": site}

    assert (await stage.http.post(ANSWER, content=ALLOW, headers={**JSON, **headers})).status_code == 200


async def test_case_49_a_form_of_another_site_answers_nothing(stage: Stage) -> None:
    """What a browser sends across sites without asking: no custom header, text as its type."""
    headers = {"content-type": "text/plain", "authorization": "", "cookie": f"token={stage.token}"}

    response = await stage.http.post(ANSWER, content=ALLOW, headers=headers)

    error_of(response, 401, "unauthorized")
    assert not stage.desk.calls


async def test_a_preflight_allows_nothing(stage: Stage) -> None:
    headers = {"origin": "https://evil.example", "access-control-request-method": "POST"}

    response = await stage.http.options(ANSWER, headers=headers)

    error_of(response, 403, "refused")
    assert not [name for name in response.headers if name.startswith("access-control")]


async def test_pages_may_be_linked_to_and_nothing_else_may() -> None:
    async def page(_request: Request) -> HTMLResponse:
        return HTMLResponse("<p>", headers={"content-security-policy": "default-src 'self'"})

    async with running(pages=[StarletteRoute("/", page)]) as stage:
        linked = {"sec-fetch-site": "cross-site", "authorization": ""}
        response = await stage.http.get("/", headers=linked)
        assert response.status_code == 200
        assert response.headers["content-security-policy"] == "default-src 'self'"
        assert response.headers["x-content-type-options"] == "nosniff"
        error_of(await stage.http.get("/", headers={**linked, "host": "evil.example"}), 403, "refused")
        error_of(await stage.http.get("/api/health", headers=linked), 403, "refused")


# --- credentials -----------------------------------------------------------------------


@pytest.mark.parametrize("route", CLOSED, ids=lambda route: f"{route.method} {route.path}")
@pytest.mark.parametrize("kind", ["nothing", "cookie", "query", "basic", "wrong", "empty", "no scheme"])
async def test_case_49_every_route_wants_a_token(stage: Stage, route: Route, kind: str) -> None:
    token = stage.token
    given = {
        "nothing": {},
        "cookie": {"cookie": f"authorization=Bearer {token}; token={token}"},
        "query": {},
        "basic": {"authorization": f"Basic {token}"},
        "wrong": {"authorization": f"Bearer {token[:-1]}?"},
        "empty": {"authorization": "Bearer"},
        "no scheme": {"authorization": token},
    }[kind]
    path = path_of(route) + (f"?token={token}&access_token={token}" if kind == "query" else "")
    stage.http.headers.pop("authorization")

    response = await stage.http.request(route.method, path, headers=given)

    error_of(response, 401, "unauthorized")
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert not stage.desk.calls
    assert not stage.desk.after


async def test_two_tokens_are_none(stage: Stage) -> None:
    answer = await stage.raw(
        f"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\nConnection: close\r\n"
        f"Authorization: Bearer {stage.token}\r\nAuthorization: Bearer x\r\n\r\n"
    )

    assert answer.startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize("scheme", ["bearer", "BEARER"])
async def test_the_scheme_has_no_case(stage: Stage, scheme: str) -> None:
    response = await stage.http.get("/api/health", headers={"authorization": f"{scheme} {stage.token}"})

    assert response.status_code == 200


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
async def test_powers_below_the_route_are_refused(stage: Stage, route: Route) -> None:
    for power in (Power.ASK, Power.SEE, Power.ANSWER):
        headers = stage.as_device(power)
        if power < route.power:
            error_of(await stage.http.request(route.method, path_of(route), headers=headers), 403, "refused")
    assert not stage.desk.calls
    assert not stage.desk.after


@pytest.mark.parametrize(
    "route",
    [route for route in CLOSED if not route.events and not route.bridge],
    ids=lambda route: f"{route.method} {route.path}",
)
async def test_the_power_of_the_route_is_enough(stage: Stage, route: Route) -> None:
    bodies = {
        "/api/agent-messages": {"agent": "a", "session_id": "s1", "text": "t"},
        "/api/presence": {"present": True},
        "/api/away": {"away": True},
        "/api/push/subscription": {"endpoint": "e", "keys": {"p256dh": "p", "auth": "a"}},
    }
    body = None if route.body is None else bodies.get(route.path, {})

    response = await stage.http.request(
        route.method, path_of(route), json=body, headers=stage.as_device(route.power)
    )

    assert response.status_code == 200


async def test_a_device_that_was_taken_back_is_unknown(stage: Stage) -> None:
    headers = stage.as_device(Power.SEE)
    assert (await stage.http.get("/api/health", headers=headers)).status_code == 200

    stage.devices.revoke("device 1")

    error_of(await stage.http.get("/api/health", headers=headers), 401, "unauthorized")


async def test_what_is_not_http_passes_the_guard(stage: Stage) -> None:
    """A server that announces its start and end finds the application willing."""
    app = make_app(stage.desk, stage.devices, access(stage.port))
    told = iter(["lifespan.startup", "lifespan.shutdown"])
    said: list[str] = []

    async def receive() -> dict[str, str]:
        return {"type": next(told)}

    async def send(message: MutableMapping[str, Any]) -> None:
        said.append(message["type"])

    await app({"type": "lifespan"}, receive, send)

    assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
