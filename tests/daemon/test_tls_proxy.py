"""A desk behind a proxy that speaks TLS under a name of its own, as `tailscale serve` does."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.daemon.certificates import made_for, tls_proxy
from tests.daemon.stage import Peer, desk
from tests.daemon.test_http import error_of
from tests.daemon.test_http_lan import free_port

NAME = "desk.tailnet.example"


@asynccontextmanager
async def behind_a_proxy(folder: Path) -> AsyncGenerator[tuple[Peer, Peer, httpx.AsyncClient, str]]:
    """A desk: a person's program, a hook, and a phone that knows only the proxy."""
    certificates, port = made_for(folder, NAME), free_port()
    public = f"https://{NAME}:{port}"
    async with desk(port=0, public_url=public) as stage:
        person, hook = await stage.peer(), await stage.peer()
        target = int((await person.call("desk.health"))["http"].rpartition(":")[2])
        # The name is nowhere but in the certificate, the Host and the address that is shown.
        phone = httpx.AsyncClient(
            base_url=f"https://127.0.0.1:{port}",
            headers={"host": f"{NAME}:{port}"},
            transport=_Named(certificates.trust),
            trust_env=False,
        )
        async with tls_proxy(certificates, target, port), phone:
            yield person, hook, phone, public


class _Named(httpx.AsyncHTTPTransport):
    """Speaks to the proxy by its name, which no resolver knows."""

    def __init__(self, trust: Any) -> None:
        super().__init__(verify=trust)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "sni_hostname": NAME}
        return await super().handle_async_request(request)


async def test_a_phone_pairs_sees_and_answers_through_the_proxy(tmp_path: Path) -> None:
    async with behind_a_proxy(tmp_path) as (person, hook, phone, public):
        own = {"origin": public, "sec-fetch-site": "same-origin"}
        opened = await person.call("desk.pairing", {"power": "answer"})
        base, _, code = opened["url"].partition("/#code=")
        assert (base, opened["reachable"]) == (public, True)
        assert (await phone.get("/")).status_code == 200
        made = (await phone.post("/api/pair", json={"code": code}, headers=own)).json()
        own["authorization"] = f"Bearer {made['token']}"
        call, request_id = await hook.ask()

        async with phone.stream("GET", "/api/events", headers=own) as stream:
            lines = stream.aiter_lines()
            while request_id not in await anext(lines):
                pass
        answered = await phone.post(
            f"/api/agent-requests/{request_id}/answer", json={"behavior": "allow"}, headers=own
        )

        assert answered.status_code == 200
        assert (await hook.answer_to(call))["result"] == {"behavior": "allow"}


async def test_case_49_other_names_and_sites_are_refused_through_the_proxy(tmp_path: Path) -> None:
    async with behind_a_proxy(tmp_path) as (_person, _hook, phone, public):
        for headers in (
            {"host": "evil.example"},
            {"host": NAME},  # of another port
            {"origin": "https://evil.example"},
            {"origin": public.replace("https", "http")},
            {"sec-fetch-site": "cross-site"},
        ):
            error_of(await phone.get("/api/me", headers=headers), 403, "refused")
        forwarded = {"x-forwarded-host": "evil.example", "x-forwarded-for": "127.0.0.1", "forwarded": "by=x"}
        error_of(await phone.get("/api/me", headers=forwarded), 401, "unauthorized")
