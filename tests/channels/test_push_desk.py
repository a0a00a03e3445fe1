"""A real desk, and a phone that paired and subscribed: told of an ask, and of its end."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from sayso.client.blocking import Desk
from sayso.client.line import Line, connect
from tests.channels.test_pairing_desk import NOBODY, agents, request
from tests.desks import Home, sample
from tests.standin import StandIn
from tests.web.push_service import Browser, claims, served


@pytest.fixture
def home() -> Iterator[Home]:
    with Home() as made:
        yield made


@pytest.fixture
def phone() -> Iterator[Browser]:
    with served() as browser:
        yield browser


def put(url: str, body: Any, token: str) -> None:
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    put = urllib.request.Request(url, json.dumps(body).encode(), headers, method="PUT")
    with urllib.request.urlopen(put, timeout=20) as answer:
        assert json.loads(answer.read()) == {"ok": True}


def soon(home: Home) -> None:
    """Have the desk wait no longer than it must."""
    assert home.sayso("settings", "notice_grace_s", "1").returncode == 0


def ask(home: Home) -> Line:
    """Ask as a hook does, and wait for the answer elsewhere."""
    line = connect(str(home.places.socket), 10.0)
    params = {
        "agent": "claude-code",
        "session_id": "s1",
        "kind": "permission",
        "tool": "Bash",
        "input": [{"label": "Command", "value": "rm very-private"}],
    }
    line.send(json.dumps({"id": 1, "method": "agent.request", "params": params}).encode())
    return line


def test_a_phone_is_told_and_the_notice_goes_when_it_was_answered_elsewhere(
    home: Home, phone: Browser
) -> None:
    home.up(*agents(NOBODY), "--push-loopback", http=True)
    soon(home)
    base, _, code = home.sayso("open", "--print", "--power", "answer").stdout.strip().partition("/#code=")
    token = request(f"{base}/api/pair", {"code": code})["token"]
    key = request(f"{base}/api/push/key", token=token)["key"]
    put(f"{base}/api/push/subscription", msgspec.to_builtins(phone.subscription), token)

    line = ask(home)

    got = phone.received.get(timeout=20)
    told = json.loads(phone.read(got.body))
    assert claims(got.headers["authorization"], phone.subscription.endpoint)["k"] == key
    assert (told["type"], told["tag"]) == ("request", told["id"])
    assert "very-private" not in str(told)
    with Desk(str(home.places.socket)) as desk:
        desk.call("desk.answer", {"id": told["id"], "reply": {"behavior": "deny"}})
    assert phone.next() == {"type": "close", "tag": told["id"]}
    line.close()
    assert b"very-private" not in home.places.database.read_bytes()
    assert (home.places.state / "push.key").stat().st_mode & 0o777 == 0o600


def test_a_button_answers_once_and_only_that_request(home: Home, phone: Browser) -> None:
    with StandIn(home.handlers()) as agent:
        home.up(*agents(agent.pid), "--push-loopback", http=True)
        soon(home)
        assert home.sayso("settings", "notice_content", "what").returncode == 0
        base, _, code = home.sayso("open", "--print", "--power", "answer").stdout.strip().partition("/#code=")
        token = request(f"{base}/api/pair", {"code": code})["token"]
        put(f"{base}/api/push/subscription", msgspec.to_builtins(phone.subscription), token)
        hook = agent.hook(sample("PermissionRequest.Bash"))
        told = phone.next()
        answer = {"ticket": told["ticket"], "behavior": "deny"}

        assert request(f"{base}/api/push/answer", answer) == {"ok": True, "state": "answered"}

        code, output, errors = hook.result()
        assert (code, errors) == (0, b"")
        assert json.loads(output)["hookSpecificOutput"]["decision"]["behavior"] == "deny"
        with Desk(str(home.places.socket)) as desk:
            (ended,) = desk.snapshot()["ended"]
        assert (ended["id"], ended["by"]["channel"]) == (told["id"], "web")
        for again in (answer, {**answer, "ticket": "x"}):
            with pytest.raises(urllib.error.HTTPError, match="401"):
                request(f"{base}/api/push/answer", again)


def test_a_device_that_was_taken_back_is_told_nothing_more(home: Home, phone: Browser) -> None:
    home.up(*agents(NOBODY), "--push-loopback", http=True)
    soon(home)
    opened = home.sayso("open", "--print", "--power", "see", "--name", "phone").stdout.strip()
    base, _, code = opened.partition("/#code=")
    token = request(f"{base}/api/pair", {"code": code})["token"]
    put(f"{base}/api/push/subscription", msgspec.to_builtins(phone.subscription), token)
    lines = [ask(home)]
    phone.received.get(timeout=20)

    home.sayso("token", "revoke", "phone")
    lines.append(ask(home))

    with Desk(str(home.places.socket)) as desk:
        assert len(desk.snapshot()["requests"]) == 2
    assert phone.received.empty()
    for line in lines:
        line.close()


def test_an_ordinary_desk_sends_nothing_to_its_own_computer(home: Home, phone: Browser) -> None:
    home.up(*agents(NOBODY), http=True)
    base, _, code = home.sayso("open", "--print").stdout.strip().partition("/#code=")
    token = request(f"{base}/api/pair", {"code": code})["token"]

    with pytest.raises(urllib.error.HTTPError, match="400"):
        put(f"{base}/api/push/subscription", msgspec.to_builtins(phone.subscription), token)
