"""Who wants notices while their page is closed, and how little of that can be forged."""

from __future__ import annotations

import builtins
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from sayso.daemon.devices import Created, Devices
from sayso.daemon.push import Pushes
from sayso.daemon.push_tickets import MOST_OPEN
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, Unauthorized, Unavailable
from sayso.web import push_wire
from sayso.wire.protocol import Power, PushSubscription
from tests.daemon.test_http import error_of
from tests.daemon.test_http_pairing import paired, served
from tests.web.push_service import Browser

SUBSCRIPTION = msgspec.structs.replace(Browser().subscription, endpoint="https://push.example/wpush/v2/abc")


class Stage:
    def __init__(self, folder: Path) -> None:
        self.database = folder / "sayso.db"
        self.key = folder / "push.key"
        self.devices = Devices(str(self.database))
        self.phone: Created = self.devices.create("phone", Power.SEE)
        self.pushes = self.opened()

    def opened(self) -> Pushes:
        return Pushes(self.devices, str(self.database), str(self.key))

    @contextmanager
    def again(self) -> Iterator[Pushes]:
        with closing(self.opened()) as pushes:
            yield pushes

    def call(self, **params: Any) -> Any:
        return self.pushes.call(self.caller(), params)

    def caller(self) -> Caller:
        device = self.phone.device
        return Caller(power=device.power, channel="web", name=device.name, credential=device.id)

    def subscribe(self, subscription: PushSubscription = SUBSCRIPTION) -> None:
        self.call(subscription=msgspec.to_builtins(subscription))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.pushes.close()
    made.devices.close()


def test_the_key_is_made_once_and_is_the_desks_alone(stage: Stage) -> None:
    assert stage.pushes.key == b""
    assert not stage.key.exists()

    key = stage.call().key

    assert key == push_wire.public_key(stage.pushes.key)
    assert stage.call().key == key
    assert stage.key.stat().st_mode & 0o777 == 0o600
    with stage.again() as again:
        assert again.call(stage.caller(), {}).key == key


def test_a_device_subscribes_and_changes_its_mind(stage: Stage) -> None:
    told: list[int] = []
    stage.pushes.watch(lambda: told.append(len(stage.pushes.all())))

    stage.subscribe()
    other = msgspec.structs.replace(SUBSCRIPTION, endpoint="https://push.example/other")
    stage.subscribe(other)

    assert stage.pushes.all() == {stage.phone.device.id: other}
    with stage.again() as again:
        assert again.all() == {stage.phone.device.id: other}
    stage.call(end=True)
    stage.call(end=True)
    assert stage.pushes.all() == {}
    assert told == [1, 1, 0]
    with stage.again() as again:
        assert again.all() == {}


def test_a_subscription_ends_with_its_device(stage: Stage) -> None:
    stage.subscribe()

    stage.devices.revoke("phone")

    assert stage.pushes.all() == {}
    with stage.again() as again:
        assert again.all() == {}


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "http://push.example/x"},
        {"endpoint": "https://127.0.0.1/x"},
        {"keys": {"p256dh": "AAAA", "auth": SUBSCRIPTION.keys.auth}},
        {"keys": {"p256dh": SUBSCRIPTION.keys.p256dh}},
        {"endpoint": 1},
    ],
)
def test_case_49_subscriptions_that_are_none(stage: Stage, change: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        stage.call(subscription={**msgspec.to_builtins(SUBSCRIPTION), **change})
    assert stage.pushes.all() == {}


def test_this_computer_is_no_device(stage: Stage) -> None:
    here = Caller(power=Power.ADMIN, channel="cli", name="this computer", credential="uid 1", pid=1)

    with pytest.raises(BadRequest, match="only a device"):
        stage.pushes.call(here, {"subscription": msgspec.to_builtins(SUBSCRIPTION)})
    with pytest.raises(BadRequest, match="only a device"):
        stage.pushes.call(here, {"end": True})


@pytest.mark.parametrize("column", ["subscription", "seal", "device"])
def test_a_row_that_somebody_else_wrote_is_not_taken_up(stage: Stage, column: str) -> None:
    stage.subscribe()
    laptop = stage.devices.create("laptop", Power.SEE).device
    forged = {
        "subscription": msgspec.json.encode(
            msgspec.structs.replace(SUBSCRIPTION, endpoint="https://evil.example/x")
        ).decode(),
        "seal": "0" * 64,
        "device": laptop.id,
    }[column]
    with closing(sqlite3.connect(stage.database)) as other, other:
        other.execute(f"UPDATE push_subscriptions SET {column} = ?", (forged,))

    with stage.again() as again:
        assert again.all() == {}


def test_rows_without_the_key_they_were_sealed_with(stage: Stage) -> None:
    stage.subscribe()
    stage.key.unlink()

    with stage.again() as again:
        assert again.all() == {}


def test_a_key_that_is_none_is_said(stage: Stage) -> None:
    stage.key.write_text("nonsense")

    with stage.again() as again, pytest.raises(Unavailable, match="no key of a desk"):
        again.call(stage.caller(), {})


def test_a_key_that_cannot_be_kept_is_said(stage: Stage) -> None:
    stage.key.mkdir()

    with pytest.raises(Unavailable, match="cannot be kept"):
        stage.call()


def test_a_table_that_cannot_be_written_is_said(stage: Stage) -> None:
    with closing(sqlite3.connect(stage.database)) as other, other:
        other.execute(
            "CREATE TRIGGER no BEFORE INSERT ON push_subscriptions BEGIN SELECT RAISE(ABORT, 'x'); END"
        )

    with pytest.raises(Unavailable, match="cannot be kept"):
        stage.subscribe()
    assert stage.pushes.all() == {}


def test_without_the_extra_it_is_said_what_to_install(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "sayso.web" and rest[2] == ("push_wire",):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)

    with pytest.raises(Unavailable, match=r"sayso\[push\]"):
        stage.call()


# --- buttons ---------------------------------------------------------------------------


def test_a_ticket_is_for_one_device_and_one_request(stage: Stage) -> None:
    phone = stage.devices.create("other", Power.ANSWER).device

    text = stage.pushes.ticket(phone.id, "r1")

    caller, request_id = stage.pushes.answering(text)
    assert (caller.credential, caller.power, caller.channel, caller.name) == (
        phone.id,
        Power.ANSWER,
        "web",
        "other",
    )
    assert request_id == "r1"
    assert len(text) >= 43  # 256 bits
    assert text != stage.pushes.ticket(phone.id, "r1")


def test_who_may_only_look_gets_no_ticket(stage: Stage) -> None:
    assert stage.pushes.ticket(stage.phone.device.id, "r1") == ""
    assert stage.pushes.ticket("nobody", "r1") == ""


def test_a_ticket_ends_with_its_request_and_with_its_device(stage: Stage) -> None:
    phone = stage.devices.create("other", Power.ANSWER).device
    first, second = stage.pushes.ticket(phone.id, "r1"), stage.pushes.ticket(phone.id, "r2")

    stage.pushes.over("r1")

    with pytest.raises(Unauthorized, match="is over"):
        stage.pushes.answering(first)
    assert stage.pushes.answering(second)[1] == "r2"
    stage.devices.revoke("other")
    with pytest.raises(Unauthorized):
        stage.pushes.answering(second)


@pytest.mark.parametrize("text", ["", "x", "\ud800", "x" * 10_000])
def test_what_is_no_ticket(stage: Stage, text: str) -> None:
    with pytest.raises(Unauthorized):
        stage.pushes.answering(text)


def test_only_so_many_tickets_are_open(stage: Stage) -> None:
    phone = stage.devices.create("other", Power.ANSWER).device
    texts = [stage.pushes.ticket(phone.id, f"r{number}") for number in range(MOST_OPEN + 1)]

    with pytest.raises(Unauthorized):
        stage.pushes.answering(texts[0])
    assert stage.pushes.answering(texts[1])[1] == "r1"
    assert stage.pushes.answering(texts[-1])[1] == f"r{MOST_OPEN}"


async def test_a_phone_subscribes_over_http() -> None:
    async with served() as (person, browser):
        phone = await paired(person, browser, power="see")
        body = msgspec.to_builtins(SUBSCRIPTION)

        assert set((await browser.get("/api/push/key", headers=phone)).json()) == {"key"}
        assert await put(browser, body, phone) == {"ok": True}
        ended = await browser.delete("/api/push/subscription", headers=phone)
        assert ended.json() == {"ok": True}
        inside = {**body, "endpoint": "https://192.168.1.1/x"}
        refused = await browser.put("/api/push/subscription", json=inside, headers=phone)
        assert error_of(refused, 400, "bad_request").field == "endpoint"
        error_of(await browser.get("/api/push/key"), 401, "unauthorized")


async def put(browser: httpx.AsyncClient, body: Any, headers: dict[str, str]) -> Any:
    return (await browser.put("/api/push/subscription", json=body, headers=headers)).json()
