"""Credentials: shown once, kept as a digest, honoured only if the desk wrote them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from sayso.daemon import devices as devices_module
from sayso.daemon.devices import Devices
from sayso.errors import BadRequest, Unavailable
from sayso.wire.protocol import Power
from tests.daemon.device_rows import INSERT, NOW_S, key_of, reopened, rows, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sayso.db"


@pytest.fixture
def devices(path: Path) -> Generator[Devices]:
    with closing(Devices(str(path), lambda: NOW_S)) as devices:
        yield devices


# --- making and checking -----------------------------------------------------------------


def test_a_token_is_that_of_its_device(devices: Devices) -> None:
    phone = devices.create("phone", Power.ANSWER)
    laptop = devices.create("laptop", Power.SEE)

    assert devices.check(phone.token) == phone.device
    assert devices.check(laptop.token) == laptop.device
    assert devices.list() == [phone.device, laptop.device]
    assert (phone.device.name, phone.device.power, phone.device.created_at) == ("phone", Power.ANSWER, NOW_S)
    assert not phone.device.foreign


def test_a_token_has_256_bits_and_a_name_that_scanners_find(devices: Devices) -> None:
    tokens = {devices.create(f"d{number}", Power.SEE).token for number in range(20)}

    assert len(tokens) == 20
    for token in tokens:
        assert token.startswith("sayso_")
        assert len(token) == len("sayso_") + 43  # 32 bytes in base64 without padding


def test_the_token_is_nowhere_on_disk(devices: Devices, path: Path) -> None:
    token = devices.create("phone", Power.ANSWER).token

    for file in path.parent.iterdir():
        assert token.encode() not in file.read_bytes(), file
        assert token.removeprefix("sayso_").encode() not in file.read_bytes(), file
        assert file.stat().st_mode & 0o777 == 0o600, file
    assert rows(path)[0][3] == hashlib.sha256(token.encode()).hexdigest()


@pytest.mark.parametrize("wrong", ["", "sayso_", "x" * 100_000, "\ud800", "ü"])
def test_other_tokens_are_nobodys(devices: Devices, wrong: str) -> None:
    token = devices.create("phone", Power.ANSWER).token

    assert devices.check(wrong) is None
    assert devices.check(token[:-1]) is None
    assert devices.check(token + "x") is None
    assert devices.check(token.upper()) is None


def test_every_device_is_compared_in_constant_time(devices: Devices, monkeypatch: pytest.MonkeyPatch) -> None:
    first = devices.create("first", Power.SEE)
    devices.create("second", Power.SEE)
    compared: list[tuple[str, str]] = []

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(devices_module.hmac, "compare_digest", compare)

    assert devices.check(first.token) == first.device
    assert len(compared) == 2


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\u202eb", "\x1b[2J", "x" * 65])
def test_names_that_are_none(devices: Devices, name: str) -> None:
    with pytest.raises(BadRequest) as caught:
        devices.create(name, Power.SEE)

    assert caught.value.field == "name"
    assert devices.list() == []


def test_a_name_is_used_once(devices: Devices) -> None:
    devices.create("phone", Power.SEE)

    with pytest.raises(BadRequest, match="already"):
        devices.create("phone", Power.ADMIN)


def test_a_device_has_a_power(devices: Devices) -> None:
    with pytest.raises(BadRequest) as caught:
        devices.create("phone", Power.NONE)

    assert caught.value.field == "power"


def test_devices_come_back(devices: Devices, path: Path) -> None:
    phone = devices.create("phone", Power.ANSWER)

    with reopened(path) as again:
        assert again.check(phone.token) == phone.device
        assert again.list() == [phone.device]
        assert again.troubles == []


def test_an_empty_path_is_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(Devices("")) as devices:
        phone = devices.create("phone", Power.SEE)
        assert devices.check(phone.token) == phone.device
        devices.revoke("phone")
        assert devices.check(phone.token) is None

    assert list(tmp_path.iterdir()) == []


# --- taking back -------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["id", "name"])
def test_a_device_is_taken_back_at_once_and_for_good(devices: Devices, path: Path, by: str) -> None:
    phone, laptop = devices.create("phone", Power.ANSWER), devices.create("laptop", Power.SEE)
    told: list[str] = []
    devices.watch(told.append)

    assert devices.revoke(getattr(phone.device, by)) == phone.device

    assert told == [phone.device.id]
    assert devices.check(phone.token) is None
    assert devices.list() == [laptop.device]
    with reopened(path) as again:
        assert again.check(phone.token) is None
        assert again.check(laptop.token) == laptop.device
    devices.create("phone", Power.SEE)  # the name is free again


def test_what_does_not_exist_cannot_be_taken_back(devices: Devices) -> None:
    with pytest.raises(BadRequest, match="no device 'phone'"):
        devices.revoke("phone")


def test_a_row_that_was_taken_back_does_not_return_by_being_copied_back(devices: Devices, path: Path) -> None:
    phone = devices.create("phone", Power.ANSWER)
    (row,) = rows(path)
    devices.revoke("phone")

    write(path, INSERT, *row)

    assert devices.check(phone.token) is None
    assert [device.foreign for device in devices.list()] == [True]
    with reopened(path) as again:
        assert again.check(phone.token) is None
        assert [device.foreign for device in again.list()] == [True]


def test_a_crash_while_taking_back_costs_no_device(
    devices: Devices, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop = devices.create("laptop", Power.SEE)
    phone = devices.create("phone", Power.SEE)
    write(path, "CREATE TRIGGER no BEFORE DELETE ON devices BEGIN SELECT RAISE(ABORT, 'disk full'); END")

    with pytest.raises(Unavailable, match="disk full"):
        devices.revoke("phone")
    assert devices.check(phone.token) is None  # not honoured, though the row is there
    assert len(key_of(path).read_text().split()) == 2
    write(path, "DROP TRIGGER no")

    with reopened(path) as again:
        assert again.check(laptop.token) == laptop.device
        assert again.list() == [laptop.device, phone.device]
        assert len(key_of(path).read_text().split()) == 1
        again.revoke("phone")
        assert again.list() == [laptop.device]
    with reopened(path) as again:
        assert again.list() == [laptop.device]


def test_a_crash_after_the_rows_were_sealed_anew(devices: Devices, path: Path) -> None:
    phone = devices.create("phone", Power.SEE)
    old = key_of(path).read_text()
    devices.revoke(devices.create("laptop", Power.SEE).device.id)
    key_of(path).write_text(key_of(path).read_text() + old)

    with reopened(path) as again:
        assert again.list() == [phone.device]
        assert len(key_of(path).read_text().split()) == 1


def test_a_start_that_cannot_finish_what_a_crash_left(devices: Devices, path: Path) -> None:
    phone = devices.create("phone", Power.SEE)
    key_of(path).write_text(key_of(path).read_text() * 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        with reopened(path) as again:
            assert again.check(phone.token) == phone.device
            assert len(again.troubles) == 1
