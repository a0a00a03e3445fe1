"""The static parts of the page over the real server: no credential, and nothing else without one."""

from __future__ import annotations

import gzip
from collections.abc import AsyncGenerator

import pytest

from sayso.daemon.pages import POLICY, Pages
from sayso.web import EACH_TIME, FOR_EVER, Asset, assets
from tests.daemon.http_stage import Stage, running
from tests.daemon.test_http import error_of

NOBODY = {"authorization": ""}
SCRIPT = Asset("/assets/a-12345678.js", b"0;" * 1024, "text/javascript; charset=utf-8", '"abc"', FOR_EVER)
ICON = Asset("/icons/a.png", b"\x89PNG" * 1024, "image/png", '"def"', EACH_TIME)
SHELL = Asset("/", b"<p>", "text/html; charset=utf-8", '"123"', EACH_TIME)
FILES = {asset.path: asset for asset in (SCRIPT, ICON, SHELL)}


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    async with running(pages=[Pages(FILES)]) as stage:
        yield stage


async def test_the_page_that_was_built_is_served_without_a_credential() -> None:
    found = assets()
    async with running(pages=[Pages(found)]) as stage:
        for path, asset in found.items():
            response = await stage.http.get(path, headers=NOBODY)

            assert response.status_code == 200
            assert response.content == asset.body
            assert response.headers["content-type"] == asset.kind
        assert not stage.desk.calls
        error_of(await stage.http.get("/api/agent-requests", headers=NOBODY), 401, "unauthorized")


@pytest.mark.parametrize("path", FILES)
async def test_every_part_carries_the_policy_of_the_page(stage: Stage, path: str) -> None:
    response = await stage.http.get(path, headers=NOBODY)

    assert response.headers["content-security-policy"] == POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-frame-options"] == "DENY"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"
    assert "set-cookie" not in response.headers
    assert not [name for name in response.headers if name.startswith("access-control-")]


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    sources = {word for line in POLICY.split("; ") for word in line.split()[1:]}

    assert sources == {"'none'", "'self'", "'script'", "data:", "lit-html", "sayso"}
    assert [line for line in POLICY.split("; ") if "data:" in line] == ["img-src 'self' data:"]


async def test_what_has_a_digest_in_its_name_is_kept_and_the_shell_is_asked_for(stage: Stage) -> None:
    script = await stage.http.get(SCRIPT.path)
    shell = await stage.http.get("/")

    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert shell.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("given", ['"123"', 'W/"123"', '"x", "123"'])
async def test_what_a_browser_has_is_not_sent_again(stage: Stage, given: str) -> None:
    response = await stage.http.get("/", headers={**NOBODY, "if-none-match": given})

    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["etag"] == SHELL.etag
    assert response.headers["content-security-policy"] == POLICY


async def test_what_a_browser_has_of_before_is_sent_again(stage: Stage) -> None:
    response = await stage.http.get("/", headers={"if-none-match": '"122"'})

    assert (response.status_code, response.content) == (200, SHELL.body)


async def test_text_is_packed_for_who_can_unpack_it(stage: Stage) -> None:
    async with stage.http.stream("GET", SCRIPT.path, headers={"accept-encoding": "br, gzip"}) as response:
        raw = b"".join([piece async for piece in response.aiter_raw()])

    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["vary"] == "accept-encoding"
    assert response.headers["etag"] == f"W/{SCRIPT.etag}"
    assert gzip.decompress(raw) == SCRIPT.body


@pytest.mark.parametrize(
    ("path", "accept"),
    [(SCRIPT.path, "identity"), (SCRIPT.path, "gzip;q=0"), (ICON.path, "gzip"), ("/", "gzip")],
)
async def test_what_is_not_packed(stage: Stage, path: str, accept: str) -> None:
    response = await stage.http.get(path, headers={"accept-encoding": accept})

    assert "content-encoding" not in response.headers
    assert response.content == FILES[path].body


async def test_a_head_has_no_body(stage: Stage) -> None:
    response = await stage.http.head(SCRIPT.path, headers={**NOBODY, "accept-encoding": "identity"})

    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == str(len(SCRIPT.body))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_a_page_is_only_read(stage: Stage, method: str) -> None:
    response = await stage.http.request(method, "/", headers=NOBODY)

    error_of(response, 405, "unknown_method")
    assert response.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path",
    ["/assets", "/assets/", "/index.html", "/assets/../sayso.db", "/%2e%2e/etc/passwd", "//", "/ICONS/a.png"],
)
async def test_nothing_else_is_there(stage: Stage, path: str) -> None:
    response = await stage.http.get(stage.http.base_url.copy_with(raw_path=path.encode()))

    error_of(response, 404, "unknown_method")


async def test_case_49_under_a_name_that_is_not_ours_there_is_no_page(stage: Stage) -> None:
    response = await stage.http.get("/", headers={"host": "evil.example"})

    error_of(response, 403, "refused")


async def test_another_site_may_link_to_the_page_and_no_more(stage: Stage) -> None:
    elsewhere = {**NOBODY, "origin": "https://evil.example", "sec-fetch-site": "cross-site"}

    assert (await stage.http.get("/", headers=elsewhere)).status_code == 200
    error_of(await stage.http.post("/", headers=elsewhere), 403, "refused")
