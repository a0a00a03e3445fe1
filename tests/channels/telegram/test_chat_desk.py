"""Cards from a real desk to a Bot API server: at once, masked, and told of when they cannot be sent."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from typing import Any

import pytest

from sayso.channels.telegram.channel import EARLIER
from sayso.client.line import Line, connect
from tests.desks import Home
from tests.telegram.bot_api import BotServer, served
from tests.telegram.paired import api, pair
from tests.telegram.people import Person

NOBODY = ("--agents-only", str(2**22 + 1))
AT_ONCE_MS = 100
TRIES = 5
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7h8"


@pytest.fixture
def server() -> Generator[BotServer]:
    with served() as made:
        yield made


@pytest.fixture
def home(server: BotServer) -> Generator[Home]:
    with Home() as made:
        made.up(*NOBODY, *api(server))
        yield made


@pytest.fixture
def ada(home: Home, server: BotServer) -> Person:
    person = Person(server, 4711, "Ada")
    pair(home, person)
    return person


def ask(home: Home, number: int, command: str = "touch x") -> Line:
    """Ask as a hook does, and wait for nothing."""
    line = connect(str(home.places.socket), 10.0)
    params: dict[str, Any] = {
        "agent": "claude-code",
        "session_id": f"s{number}",
        "kind": "permission",
        "tool": "Bash",
        "input": [{"label": "Command", "value": f"{command} {number}"}],
    }
    line.send(json.dumps({"id": 1, "method": "agent.request", "params": params}).encode())
    return line


def test_what_waits_is_on_its_way_to_telegram_within_100_ms(
    home: Home, ada: Person, server: BotServer
) -> None:
    took_ms: list[float] = []
    for number in range(TRIES):
        asked_s = server.clock()
        with closing(ask(home, number)):
            ada.wait_text(f"touch x {number}")
            sent = next(c for c in server.called("sendMessage") if f"touch x {number}" in c.params["text"])
            took_ms.append((sent.at_s - asked_s) * 1000)
        server.rates.__init__()  # who measures how soon it goes does not measure the rates
    assert min(took_ms) < AT_ONCE_MS, took_ms


def test_no_secret_reaches_telegram(home: Home, ada: Person, server: BotServer) -> None:
    with closing(ask(home, 1, f"curl -H 'Authorization: Bearer {SECRET}' http://x")):
        card = ada.wait_text("curl")
        assert "[masked: 1 part of" in card.text
    assert SECRET not in str([call.params for call in server.calls])


def test_case_46_a_blocked_bot_decides_nothing_and_is_told_by_the_other_channels(
    home: Home, ada: Person, server: BotServer
) -> None:
    ada.block()
    with closing(ask(home, 1)), closing(home.desk()) as desk:
        desk.subscribe()
        while True:
            change = desk.next_change(20.0)
            assert change is not None
            notes = [change["note"]] if "note" in change else change.get("snapshot", {}).get("notes", [])
            if notes:
                break
        assert notes[0]["title"] == "Telegram: what waits could not be shown"
        assert "blocked" in notes[0]["body"]
        (request,) = desk.call("desk.list", {})["requests"]
        assert request["state"] == "pending"
        assert any("blocked" in one for one in desk.call("desk.health", {})["troubles"])


def test_case_12_a_tap_on_a_card_of_a_desk_that_crashed_answers_nothing(
    home: Home, ada: Person, server: BotServer
) -> None:
    with closing(ask(home, 1)):
        card = ada.wait_text("touch x 1")
        home.kill()
    home.up(*NOBODY, *api(server))
    with closing(ask(home, 1)):
        new = ada.server.wait(
            lambda: [one for one in ada.sees() if "touch x" in one.text and one is not card]
        )
        assert ada.wait_answer(ada.tap(card, "Allow")) == EARLIER
        assert ada.wait_answer(ada.tap(new[0], "Deny")) == "Answered."


def test_every_tap_is_answered_within_a_second(home: Home, ada: Person, server: BotServer) -> None:
    with closing(ask(home, 1)):
        card = ada.wait_text("touch x 1")
        for label in ("Deny, and say why…", "« Back", "Deny, and say why…"):
            server.wait(lambda label=label: label in card.buttons)
            query = ada.tap(card, label)
            ada.wait_answer(query)
            assert query.answered_s - query.at_s < 1.0
