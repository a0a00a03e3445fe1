"""Pairing with a bot at a real desk: the token, the code, who is paired, and how that ends."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from typing import Any

import pytest

from sayso.daemon.chats import Chats
from sayso.daemon.devices import Devices
from sayso.daemon.service import Caller
from sayso.errors import Refused
from sayso.wire.protocol import Power
from tests.desks import Home
from tests.telegram.bot_api import TOKEN, BotServer, served
from tests.telegram.paired import Pairing, api, give_token, pair
from tests.telegram.people import Person, group

NOBODY = ("--agents-only", str(2**22 + 1))


@pytest.fixture
def server() -> Generator[BotServer]:
    with served() as made:
        yield made


@pytest.fixture
def home(server: BotServer) -> Generator[Home]:
    with Home() as made:
        made.up(*NOBODY, *api(server))
        yield made


def info(home: Home) -> dict[str, Any]:
    done = home.sayso("telegram", "list", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_whoever_types_the_code_is_paired_and_is_a_device(home: Home, server: BotServer) -> None:
    ada = Person(server, 4711, "Ada")
    with Pairing(home, *give_token(home)) as pairing:
        assert pairing.opened["link"] == f"https://t.me/sayso_test_bot?start={pairing.code.replace('-', '')}"
        ada.write(f"/start {pairing.code.replace('-', '').lower()}")
        code, became = pairing.result()
        assert (code, became["state"], became["name"], became["sender"]) == (0, "used", "Ada", 4711)
        assert "Telegram's servers" in ada.wait_text("You are paired").text
        (device,) = json.loads(home.sayso("token", "list", "--json").stdout)
        assert (device["name"], device["power"]) == ("Ada", 3)
        assert [one["device"] for one in info(home)["senders"]] == [device["id"]]


def test_case_53_strangers_and_groups_are_never_paired(home: Home, server: BotServer) -> None:
    ada, eve = Person(server, 4711, "Ada"), Person(server, 666, "Eve")
    builders = group(server)
    with Pairing(home, *give_token(home)) as pairing:
        ada.write(f"/start {pairing.code}", chat=builders)  # read by all of them: counts for nobody
        eve.write("/start")
        eve.wait_text("This bot is private")
        eve.write("let me in")
        eve.write("0000-0000")
        ada.write(pairing.code)
        assert pairing.result()[0] == 0
        ada.wait_text("You are paired")
        assert len(eve.sees()) == 1
        assert server.shown(builders.id) == []
        assert [one["sender"] for one in info(home)["senders"]] == [4711]


def test_a_few_wrong_codes_and_a_sender_is_not_listened_to(home: Home, server: BotServer) -> None:
    eve = Person(server, 666, "Eve")
    with Pairing(home, *give_token(home)) as pairing:
        for guess in ("0000-0000", "0000-0001", "0000-0002", pairing.code):
            eve.write(guess)
        ada = Person(server, 4711, "Ada")
        ada.write(pairing.code)
        code, became = pairing.result()
        assert (code, became["sender"]) == (0, 4711)
        assert eve.sees() == []


def test_the_token_is_kept_for_its_owner_alone_and_told_to_nobody(home: Home, server: BotServer) -> None:
    pair(home, Person(server, 4711))
    secret = TOKEN.partition(":")[2]
    kept = home.places.state / "telegram.token"
    assert kept.read_text().strip() == TOKEN
    assert kept.stat().st_mode & 0o777 == 0o600
    assert (home.places.state / "telegram.key").stat().st_mode & 0o777 == 0o600
    server.offline(True)
    server.wait(lambda: server.is_offline)
    said = home.log() + home.sayso("status", "--json").stdout + home.sayso("telegram", "list").stdout
    assert secret not in said
    for path in home.places.state.glob("sayso.db*"):
        assert secret.encode() not in path.read_bytes()


def test_it_is_off_while_nobody_is_paired(home: Home, server: BotServer) -> None:
    assert info(home)["bot"] == ""
    assert home.sayso("telegram", "list").stdout.startswith("There is no bot.")
    pair(home, Person(server, 4711, "Ada"))
    assert info(home)["health"]["state"] == "well"
    said = home.sayso("telegram", "list").stdout.splitlines()
    assert said[0].startswith("@sayso_test_bot: reached last at ")
    assert said[1].split()[::2] == ["4711", "Ada"]
    done = home.sayso("telegram", "revoke", "Ada")
    assert done.stdout == "Ada may do nothing any more.\n"
    assert info(home)["health"] == {}
    off = ["@sayso_test_bot: off while nobody is paired.", "Nobody is paired: `sayso telegram pair`."]
    assert home.sayso("telegram", "list").stdout.splitlines() == off
    assert home.sayso("token", "list").stdout.startswith("No devices.")
    with closing(home.desk()) as desk:
        assert desk.call("desk.health", {})["troubles"] == []


def test_a_device_that_is_taken_back_is_no_sender_any_more(home: Home, server: BotServer) -> None:
    pair(home, Person(server, 4711, "Ada"))
    assert home.sayso("token", "revoke", "Ada").returncode == 0
    assert info(home)["senders"] == []


def test_a_bot_is_forgotten_with_all_of_its_people(home: Home, server: BotServer) -> None:
    pair(home, Person(server, 4711, "Ada"))
    pair(home, Person(server, 4712, "Ada"), first=False)
    assert [one["name"] for one in info(home)["senders"]] == ["Ada", "Ada 2"]
    assert home.sayso("telegram", "forget").returncode == 0
    assert info(home)["bot"] == ""
    assert not (home.places.state / "telegram.token").exists()
    assert home.sayso("token", "list").stdout.startswith("No devices.")


def test_who_is_paired_stays_so_after_a_restart(home: Home, server: BotServer) -> None:
    ada = Person(server, 4711, "Ada")
    pair(home, ada)
    home.kill()
    ada.write("while it was down")
    home.up(*NOBODY, *api(server))
    server.wait(lambda: len(server.called("setMyCommands")) >= 2)
    assert [one["name"] for one in info(home)["senders"]] == ["Ada"]
    assert not [message for message in ada.sees() if "private" in message.text]


def test_a_desk_that_starts_anew_in_the_background_keeps_its_bot(server: BotServer) -> None:
    with Home() as home:
        assert home.sayso("start", "--no-http", *NOBODY, *api(server)).returncode == 0
        ada = Person(server, 4711, "Ada")
        pair(home, ada)
        assert home.sayso("restart").returncode == 0
        server.wait(lambda: len(server.called("setMyCommands")) >= 2)
        assert info(home)["health"]["state"] == "well"


def test_another_bots_people_are_not_taken_over(home: Home, server: BotServer) -> None:
    pair(home, Person(server, 4711, "Ada"))
    server.token = f"77777{TOKEN[5:]}"
    server.me.id = int(server.token.partition(":")[0])
    bob = Person(server, 4712, "Bob")
    with Pairing(home, *give_token(home, server.token)) as pairing:
        bob.write(pairing.code)
        assert pairing.result()[0] == 0
        assert [one["name"] for one in info(home)["senders"]] == ["Bob"]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("hello", "this is not the token of a bot"),
        (f"9{TOKEN}", "Telegram knows no bot with this token"),
    ],
    ids=["none", "of no bot"],
)
def test_a_token_that_is_none_is_refused_in_words(home: Home, token: str, said: str) -> None:
    done = home.sayso("telegram", "pair", *give_token(home, token))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert token.partition(":")[2] not in done.stderr or ":" not in token


def test_a_token_is_not_taken_from_a_pipe_unless_it_is_said(home: Home) -> None:
    done = home.sayso("telegram", "pair")
    assert done.returncode == 2
    assert "--token-file" in done.stderr


def test_a_bot_that_a_web_server_listens_to_is_left_alone(home: Home, server: BotServer) -> None:
    server.webhook = "https://example.com/bot"
    done = home.sayso("telegram", "pair", *give_token(home))
    assert done.returncode == 2
    assert "--drop-webhook" in done.stderr
    assert server.webhook
    ada = Person(server, 4711)
    with Pairing(home, "--drop-webhook", *give_token(home)) as pairing:
        ada.write(pairing.code)
        assert pairing.result()[0] == 0


def test_without_a_network_a_token_cannot_be_tried(home: Home, server: BotServer) -> None:
    server.offline(True)
    done = home.sayso("telegram", "pair", *give_token(home))
    assert done.returncode == 1
    assert "the token cannot be tried: 127.0.0.1 is not reached" in done.stderr
    assert TOKEN.partition(":")[2] not in done.stderr


def test_case_41_two_desks_of_one_computer_never_poll_one_bot(home: Home, server: BotServer) -> None:
    ada = Person(server, 4711)
    pair(home, ada)
    with Home() as second:
        second.up(*NOBODY, *api(server))
        with Pairing(second, *give_token(second)):
            said = second.sayso("status").stdout
            assert (
                f"another desk on this computer polls this bot (process {home.pid}): end one of the two"
                in said
            )
            polls = len(server.called("getUpdates"))
            ada.write("hello")
            server.wait(lambda: len(server.called("getUpdates")) > polls)
        assert "Trouble" not in home.sayso("status").stdout


def test_a_bot_api_is_of_a_private_desk_and_of_this_computer() -> None:
    with Home() as home:
        done = home.sayso("up", "--no-http", "--telegram-api", "https://example.com")
        assert done.returncode == 1
        assert "--telegram-api is for private desks" in done.stderr


def test_a_device_elsewhere_gives_no_token_and_makes_no_code() -> None:
    devices = Devices("")
    chats = Chats(devices)
    caller = Caller(power=Power.ADMIN, channel="web", name="phone", credential="d1")
    for params in (
        {"pair": True},
        {"token": TOKEN, "bot_id": int(TOKEN.split(":")[0]), "bot": "sayso_test_bot"},
    ):
        with pytest.raises(Refused, match="on this computer"):
            chats.call(caller, params)
    assert chats.call(caller, {"list": True}).bot == ""
    chats.close()
    devices.close()
