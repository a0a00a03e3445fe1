"""Whether the bot is reached."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.doctor import chat_checks as checks
from sayso.doctor.findings import Level
from tests.desks import Home
from tests.doctor.scene import Scene
from tests.doctor.test_desk_checks import HEALTH
from tests.telegram.bot_api import served
from tests.telegram.paired import api, pair
from tests.telegram.people import Person

NOW_S = 1_700_000_000.0
INFO: dict[str, Any] = {
    "bot": "sayso_bot",
    "kept_in": "file",
    "api": "",
    "senders": [{"sender": 4711, "device": "d", "name": "Ada"}],
    "health": {"state": "well", "reached_at": NOW_S - 12, "heard_at": NOW_S - 600},
}


def test_a_bot_that_is_well() -> None:
    found = checks.judged(INFO, NOW_S)
    assert (found.level, found.text) == (
        Level.OK,
        "Telegram: @sayso_bot was reached 12 s ago, 1 paired; somebody wrote or tapped last 10 min ago.",
    )


@pytest.mark.parametrize("changes", [{"bot": ""}, {"senders": []}])
def test_nobody_who_could_miss_it(changes: dict[str, Any]) -> None:
    assert checks.judged({**INFO, **changes}, NOW_S).level is Level.OK


@pytest.mark.parametrize(
    ("health", "words"),
    [
        ({"state": "trouble", "words": "another program takes what people write"}, "another program takes"),
        ({"state": "well", "reached_at": NOW_S - 200}, "has not received anything lately"),
        ({"state": "connecting"}, "has not received anything lately"),
        ({}, "has not received anything lately"),
    ],
)
def test_a_bot_that_is_not(health: dict[str, Any], words: str) -> None:
    found = checks.judged({**INFO, "health": health}, NOW_S)
    assert found.level is Level.FAIL
    assert words in found.text
    assert found.todo


def test_without_a_desk_nothing_is_known(scene: Scene) -> None:
    assert checks.telegram(scene.context()).level is Level.OK
    assert checks.telegram(scene.context(HEALTH)).level is Level.NOTE


def test_a_real_round_trip_is_what_counts() -> None:
    with served() as server, Home() as home:
        home.up("--agents-only", str(2**22 + 1), *api(server))
        assert "ok    Telegram is off: nobody is paired." in home.sayso("doctor").stdout
        pair(home, Person(server, 4711))
        assert "ok    Telegram: @sayso_test_bot was reached" in home.sayso("doctor").stdout
        server.webhook = "https://example.com/bot"
        with server.changed:
            server.changed.notify_all()
        with home.desk() as desk:
            server.wait(lambda: desk.call("desk.telegram", {"list": True})["health"].get("words"))
        assert (
            "FAIL  Telegram: what people write to this bot goes to a web server"
            in home.sayso("doctor").stdout
        )
