"""A whole desk and the devices that come to it by a code: paired, listed, taken back."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from sayso.daemon.devices import Devices
from sayso.daemon.http_body import MAX_STRANGERS_BYTES
from sayso.wire.protocol import Power
from tests.daemon.http_stage import running
from tests.daemon.stage import Peer, desk
from tests.daemon.test_http import error_of


@asynccontextmanager
async def served(**options: Any) -> AsyncGenerator[tuple[Peer, httpx.AsyncClient]]:
    """A desk with HTTP: a person's program, and a browser that knows nothing yet."""
    async with desk(port=0, **options) as stage:
        person = await stage.peer()
        url = (await person.call("desk.health"))["http"]
        async with httpx.AsyncClient(base_url=url, trust_env=False) as browser:
            yield person, browser


def bearer(made: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {made['token']}"}


async def paired(person: Peer, browser: httpx.AsyncClient, **params: Any) -> dict[str, str]:
    """Pair a device; return the headers with which it speaks."""
    opened = await person.call("desk.pairing", params)
    made = (await browser.post("/api/pair", json={"code": opened["code"]})).json()
    return bearer(made)


async def test_a_device_is_paired_by_a_code_that_works_once() -> None:
    async with served() as (person, browser):
        opened = await person.call("desk.pairing", {"power": "answer"})
        address, _, code = opened["here"].partition("/#code=")
        assert address == str(browser.base_url).rstrip("/")
        waiting = person.post("desk.pairing", {"wait": opened["id"]})

        made = (await browser.post("/api/pair", json={"code": code, "name": "Firefox"})).json()

        assert set(made) == {"token", "device"}
        assert (made["device"]["name"], made["device"]["power"]) == ("Firefox", "answer")
        told = (await person.answer_to(waiting))["result"]
        assert (told["state"], told["device"]["name"]) == ("used", "Firefox")
        me = (await browser.get("/api/me", headers=bearer(made))).json()
        assert me == {"device": {"id": made["device"]["id"], "name": "Firefox"}, "power": "answer"}
        again = await browser.post("/api/pair", json={"code": code, "name": "somebody else"})
        error_of(again, 401, "unauthorized")


async def test_a_page_pairs_another_device() -> None:
    async with served(public_url="https://desk.example/") as (person, browser):
        admin = await paired(person, browser, power="admin", name="laptop")

        opened = (await browser.post("/api/pairing", json={"power": "see"}, headers=admin)).json()

        assert opened["url"] == f"https://desk.example/#code={opened['code']}"
        assert opened["reachable"] is True
        assert opened["qr"].startswith("M")
        phone = bearer((await browser.post("/api/pair", json={"code": opened["code"]})).json())
        assert (await browser.get("/api/agent-requests", headers=phone)).status_code == 200
        error_of(await browser.post("/api/pairing", json={}, headers=phone), 403, "refused")
        error_of(await browser.get("/api/devices", headers=phone), 403, "refused")


async def test_a_code_is_closed_by_its_page() -> None:
    async with served() as (person, browser):
        admin = await paired(person, browser, power="admin")
        opened = (await browser.post("/api/pairing", json={}, headers=admin)).json()

        assert (await browser.delete(f"/api/pairing/{opened['id']}", headers=admin)).json() == {"ok": True}

        error_of(await browser.post("/api/pair", json={"code": opened["code"]}), 401, "unauthorized")


async def test_devices_are_listed_with_their_last_use_and_taken_back_at_once() -> None:
    async with served() as (person, browser):
        admin = await paired(person, browser, power="admin", name="laptop")
        phone = await paired(person, browser, power="answer", name="phone")
        listed = (await browser.get("/api/devices", headers=admin)).json()["devices"]
        assert [(one["name"], one["power"]) for one in listed] == [("laptop", "admin"), ("phone", "answer")]
        assert listed[0]["used_at"] >= listed[0]["created_at"]
        assert "used_at" not in listed[1]
        await browser.get("/api/me", headers=phone)
        listed = (await browser.get("/api/devices", headers=admin)).json()["devices"]
        assert listed[1]["used_at"] >= listed[1]["created_at"]

        async with browser.stream("GET", "/api/events", headers=phone) as stream:
            gone = await browser.delete(f"/api/devices/{listed[1]['id']}", headers=admin)
            assert (gone.json()["ok"], gone.json()["device"]["name"]) == (True, "phone")
            events = [line async for line in stream.aiter_lines()]  # it ends

        assert any(line.startswith("data:") for line in events)
        error_of(await browser.get("/api/me", headers=phone), 401, "unauthorized")
        error_of(await browser.delete(f"/api/devices/{listed[1]['id']}", headers=admin), 400, "bad_request")


async def test_the_last_use_outlives_the_desk_and_the_row_is_still_ours() -> None:
    now_s = [1_800_000_000.0]
    devices = Devices("", lambda: now_s[0])
    made = devices.create("phone", Power.SEE)

    assert devices.with_uses()[0].used_at == 0
    devices.check(made.token)
    now_s[0] += 60
    devices.check(made.token)
    assert devices.with_uses()[0].used_at == 1_800_000_000.0  # coarse: no write for each request
    now_s[0] += 3600
    devices.check(made.token)
    assert devices.with_uses()[0].used_at == now_s[0]
    devices.close()


# --- what a stranger may try -----------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"host": "evil.example"},
    ],
)
async def test_case_49_another_site_cannot_try_codes(headers: dict[str, str]) -> None:
    async with running() as stage:
        response = await stage.http.post("/api/pair", json={"code": "x"}, headers=headers)

        error_of(response, 403, "refused")
        assert not stage.desk.calls


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_case_49_a_form_cannot_try_codes(kind: str) -> None:
    async with running() as stage:
        headers = {"content-type": kind, "authorization": ""}
        response = await stage.http.post("/api/pair", content=b'{"code": "x"}', headers=headers)

        error_of(response, 400, "bad_request")
        assert not stage.desk.calls


async def test_a_code_is_sent_by_post_alone() -> None:
    async with running() as stage:
        response = await stage.http.get("/api/pair?code=x")

        error_of(response, 405, "unknown_method")
        assert not stage.desk.calls


async def test_a_stranger_has_no_power_and_sends_little() -> None:
    async with running() as stage:
        stage.http.headers.pop("authorization")
        response = await stage.http.post("/api/pair", json={"code": "x", "name": "phone"})

        assert response.json()["token"] == "sayso_new"
        ((method, params, caller),) = stage.desk.calls
        assert (method, params) == ("desk.pair", {"code": "x", "name": "phone"})
        assert (caller.power, caller.name, caller.credential) == (0, "", "")
        body = json.dumps({"code": "x" * MAX_STRANGERS_BYTES})
        headers = {"content-type": "application/json"}
        error_of(await stage.http.post("/api/pair", content=body, headers=headers), 413, "too_large")


async def test_wrong_codes_are_few_over_http_too() -> None:
    async with served() as (person, browser):
        opened = await person.call("desk.pairing", {})
        codes = [(await browser.post("/api/pair", json={"code": str(n)})).status_code for n in range(5)]

        assert codes == [401, 401, 401, 503, 503]
        error_of(await browser.post("/api/pair", json={"code": opened["code"]}), 503, "too_many")


async def test_case_53_who_answers_is_told_by_a_credential_from_this_machine_not_by_where_it_comes_from() -> (
    None
):
    async with served() as (person, browser):
        number, request_id = await person.ask()
        address, reply = f"/api/agent-requests/{request_id}/answer", {"behavior": "allow"}
        error_of(await browser.post(address, json=reply), 401, "unauthorized")
        seeing = await paired(person, browser, power="see")
        error_of(await browser.post(address, json=reply, headers=seeing), 403, "refused")
        answering = await paired(person, browser, power="answer")
        assert (await browser.post(address, json=reply, headers=answering)).status_code == 200
        assert (await person.answer_to(number))["result"] == {"behavior": "allow"}
