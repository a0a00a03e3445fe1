"""A real desk, the real commands, and a browser that has only what they print."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.desks import SAYSO, Home

WAIT_S = 20


@pytest.fixture
def home() -> Iterator[Home]:
    with Home() as made:
        yield made


def request(url: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
    headers = {"content-type": "application/json"} if body is not None else {}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=WAIT_S) as answer:
        content = answer.read()
        return json.loads(content) if answer.headers["content-type"] == "application/json" else content


def agents(pid: int) -> list[str]:
    return ["--agents-only", str(pid), "--port", "0"]


NOBODY = 2**22 + 1


def test_the_link_that_is_printed_leads_to_the_page_and_to_a_token(home: Home) -> None:
    home.up(*agents(NOBODY), http=True)
    base, _, code = home.sayso("open", "--print").stdout.strip().partition("/#code=")

    assert b"<!doctype html>" in request(f"{base}/")
    made = request(f"{base}/api/pair", {"code": code, "name": "Firefox"})

    me = request(f"{base}/api/me", token=made["token"])
    assert me == {"device": {"id": made["device"]["id"], "name": "Firefox"}, "power": "admin"}
    with pytest.raises(urllib.error.HTTPError, match="401"):
        request(f"{base}/api/pair", {"code": code})
    assert "Firefox" in home.sayso("token", "list").stdout


def test_pairing_waits_until_the_phone_has_come(home: Home) -> None:
    home.up(*agents(NOBODY), http=True)
    words = [*SAYSO, "pair", "--json", "--name", "phone"]
    with subprocess.Popen(words, env=home.env, stdout=subprocess.PIPE, text=True) as pairing:
        assert pairing.stdout is not None
        opened = json.loads(pairing.stdout.readline())
        assert pairing.poll() is None

        base = opened["here"].partition("/#")[0]
        made = request(f"{base}/api/pair", {"code": opened["code"]})

        became = json.loads(pairing.stdout.readline())
        assert pairing.wait(WAIT_S) == 0
    assert (became["state"], became["device"]["name"]) == ("used", "phone")
    assert request(f"{base}/api/me", token=made["token"])["power"] == "answer"


def test_case_51_what_an_agent_starts_gets_no_link(home: Home) -> None:
    home.up(*agents(os.getpid()), http=True)

    for command in (["open", "--print"], ["pair"]):
        said = subprocess.run(
            [*SAYSO, *command], env=home.env, capture_output=True, text=True, check=False, timeout=WAIT_S
        )

        assert said.returncode == 3
        assert "#code" not in said.stdout
        assert "started from inside an agent" in said.stderr


def test_where_http_is_off_there_is_no_page_to_open(home: Home) -> None:
    home.up("--agents-only", str(NOBODY))

    said = subprocess.run(
        [*SAYSO, "open"], env=home.env, capture_output=True, text=True, check=False, timeout=WAIT_S
    )

    assert said.returncode == 1
    assert "HTTP is off" in said.stderr
