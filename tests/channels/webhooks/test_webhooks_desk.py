"""A real desk, the real commands, and a receiver that is told of an ask and of its end."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from sayso.client.line import Line, connect
from tests.channels.test_pairing_desk import NOBODY, agents
from tests.desks import SAYSO, Home
from tests.standin import StandIn
from tests.web.webhook_receiver import Receiver, is_signed, receiving

TOKEN = "ghp_" + "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LzXcVb"


@pytest.fixture
def home() -> Iterator[Home]:
    with Home() as made:
        yield made


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def ask(home: Home, value: str) -> Line:
    """Ask as a hook does, and wait for the answer elsewhere."""
    line = connect(str(home.places.socket), 10.0)
    params = {
        "agent": "claude-code",
        "session_id": "s1",
        "kind": "permission",
        "tool": "Bash",
        "input": [{"label": "Command", "value": value}],
    }
    line.send(json.dumps({"id": 1, "method": "agent.request", "params": params}).encode())
    return line


def added(home: Home, url: str, *words: str) -> tuple[str, str]:
    """Add a webhook; return its id and its secret."""
    done = home.sayso("webhook", "add", url, "--json", *words)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    return said["webhook"]["id"], said["secret"]


def asked(home: Home, value: str = "rm very-private") -> tuple[Line, str]:
    line = ask(home, value)
    with home.desk() as desk:
        desk.subscribe()
        while True:
            change = desk.next_change(20)
            assert change is not None
            requests = change["snapshot"]["requests"] if "snapshot" in change else [change.get("request")]
            for request in requests:
                if request is not None and request["state"] == "pending":
                    return line, request["id"]


def test_an_ask_and_its_end_arrive_signed(home: Home, receiver: Receiver) -> None:
    home.up(*agents(NOBODY))
    url = receiver.url.replace("127", "ada:pass-word@127") + "?token=url-private"
    hook_id, secret = added(home, url)

    line, request_id = asked(home)
    shown = receiver.next()
    assert home.sayso("deny", request_id, "-m", "reason-private").returncode in (0, 5)
    told = [receiver.next()]
    while told[-1].event["data"]["request"]["state"] != "answered":
        told.append(receiver.next())
    line.close()

    assert all(is_signed(got, secret) for got in (shown, *told))
    assert shown.path == "/hook?token=url-private"
    assert shown.headers["authorization"].startswith("Basic ")
    event = shown.event
    assert (event["version"], event["type"], event["seq"]) == (1, "request.shown", 1)
    request = event["data"]["request"]
    assert (request["id"], request["kind"], request["state"]) == (request_id, "permission", "pending")
    assert told[-1].event["type"] == "request.resolved"
    assert told[-1].event["data"]["request"]["by"]["channel"] == "cli"
    everything = str([got.event for got in (shown, *told)])
    assert "very-private" not in everything
    assert "reason-private" not in everything
    for said in (home.log(), home.sayso("webhook", "list").stdout, home.sayso("status").stdout):
        for private in ("pass-word", "url-private", "very-private", secret):
            assert private not in said
    assert hook_id in home.sayso("webhook", "list").stdout


def test_with_what_secrets_are_masked(home: Home, receiver: Receiver) -> None:
    home.up(*agents(NOBODY))
    added(home, receiver.url, "--content", "what", "--events", "request.shown")
    line, _ = asked(home, f"push --token {TOKEN}")
    rows = receiver.event()["data"]["request"]["rows"]
    line.close()
    assert rows == [{"label": "Command", "value": "push --token ghp_…[masked]"}]


def test_a_test_and_what_is_wrong_are_said(home: Home, receiver: Receiver) -> None:
    home.up(*agents(NOBODY))
    done = home.sayso("webhook", "add", receiver.url)
    assert (done.returncode, done.stdout[:6]) == (0, "whsec_")
    assert "who asks and which kind, no text" in done.stderr
    hook_id = done.stderr.split("webhook ")[1].split(";")[0]

    done = home.sayso("webhook", "test", hook_id[:5])
    assert (done.returncode, done.stdout) == (0, "Its receiver took it (it answered 204).\n")
    got = receiver.next()
    assert (got.event["type"], got.event["data"]) == ("test", {})

    receiver.status = 500
    done = home.sayso("webhook", "test", hook_id)
    assert (done.returncode, done.stdout) == (7, "Its receiver did not take it: it answered 500.\n")
    line, _ = asked(home)
    receiver.next()
    receiver.next()
    troubles: list[str] = []
    while not troubles:
        troubles = [
            one for one in json.loads(home.sayso("status", "--json").stdout)["troubles"] if hook_id in one
        ]
    assert "does not take its events: it answered 500; 1 wait" in troubles[0]
    assert "it answered 500" in home.sayso("webhook", "list").stdout
    line.close()

    done = home.sayso("webhook", "remove", hook_id)
    assert (done.returncode, done.stdout) == (0, f"{receiver.url} is told nothing any more.\n")
    assert "There is no webhook." in home.sayso("webhook", "list").stdout


def test_addresses_that_are_refused_are_refused_in_words(home: Home) -> None:
    home.up(*agents(NOBODY))
    done = home.sayso("webhook", "add", "http://8.8.8.8/x")
    assert (done.returncode, done.stdout) == (2, "")
    assert "use https for anything else" in done.stderr
    assert home.sayso("webhook", "add", "https://x/", "--events", "all").returncode == 2
    assert home.sayso("webhook", "test", "zz").returncode == 2


def test_a_restart_keeps_webhooks_and_is_seen_in_what_comes_next(home: Home, receiver: Receiver) -> None:
    home.up(*agents(NOBODY))
    hook_id, secret = added(home, receiver.url)
    line, _ = asked(home)
    before = receiver.event()
    line.close()
    home.kill()
    while not receiver.got.empty():
        receiver.next()

    home.up(*agents(NOBODY))
    line, _ = asked(home)
    got = receiver.next()
    line.close()
    assert is_signed(got, secret)
    assert got.event["boot"] != before["boot"]
    assert got.event["seq"] == 1
    assert got.headers["webhook-id"].endswith(f"_{hook_id}_1")


def test_no_agent_adds_one(home: Home, receiver: Receiver) -> None:
    with StandIn(home.handlers()) as agent:
        home.up(*agents(agent.pid))
        env = agent.env(SAYSO_HOME=str(home.path))
        code, output, errors = agent.start([*SAYSO, "webhook", "add", receiver.url], env).result()
    assert (code, output) == (3, b"")
    assert errors
    with home.desk() as desk:
        assert desk.call("desk.webhooks", {}) == {"webhooks": []}
