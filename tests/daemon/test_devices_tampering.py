"""Rows and keys that somebody changed, lost or wrote, and databases that cannot be used."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from sayso.daemon.devices import Devices
from sayso.errors import Unavailable
from sayso.wire.protocol import Power
from tests.daemon.device_rows import INSERT, NOW_S, forged, key_of, reopened, rows, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sayso.db"


@pytest.fixture
def devices(path: Path) -> Generator[Devices]:
    with closing(Devices(str(path), lambda: NOW_S)) as devices:
        yield devices


# --- rows that the desk did not write ------------------------------------------------------


def test_a_row_that_somebody_else_wrote_is_shown_and_not_honoured(devices: Devices, path: Path) -> None:
    phone = devices.create("phone", Power.SEE)
    write(path, INSERT, *forged("sayso_mine"))

    with reopened(path) as again:
        assert again.check("sayso_mine") is None
        own, foreign = again.list()
        assert own == phone.device
        assert (foreign.id, foreign.name, foreign.power, foreign.foreign) == (
            "f00",
            "my phone",
            Power.NONE,
            True,
        )
        assert again.revoke("f00") == foreign
        assert again.list() == [phone.device]
        assert again.check(phone.token) == phone.device


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("power", "ADMIN"),
        ("name", "other"),
        ("id", "other"),
        ("hash", hashlib.sha256(b"sayso_mine").hexdigest()),
        ("created_at", 1.0),
        ("seal", "x"),
        ("power", "GOD"),
        ("created_at", "yesterday"),
        ("seal", b"\xff\xfe"),
    ],
)
def test_a_row_that_was_changed_is_not_honoured(
    devices: Devices, path: Path, column: str, value: object
) -> None:
    phone = devices.create("phone", Power.SEE)
    write(path, f"UPDATE devices SET {column} = ?", value)

    # The desk that runs goes on with what it knows, and shows the row.
    assert devices.check(phone.token) == phone.device
    assert devices.check("sayso_mine") is None
    assert [device.foreign for device in devices.list()] == [False, True]
    with reopened(path) as again:
        assert again.check(phone.token) is None
        assert again.check("sayso_mine") is None
        assert [device.foreign for device in again.list()] == [True]


def test_a_row_of_another_desk_is_foreign(devices: Devices, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(Devices(str(other))) as elsewhere:
        token = elsewhere.create("phone", Power.ADMIN).token
    write(path, INSERT, *rows(other)[0])

    with reopened(path) as again:
        assert again.check(token) is None
        assert again.list()[0].foreign


def test_a_foreign_name_cannot_act_on_the_terminal(devices: Devices, path: Path) -> None:
    write(path, INSERT, "\x1b[2J", "a\u202eb\n" + "x" * 100, "SEE", "", 0.0, "")

    (foreign,) = devices.list()

    assert foreign.id == "\ufffd[2J"
    assert foreign.name.isprintable()
    assert len(foreign.name) == 64
    assert devices.revoke("\ufffd[2J").foreign
    assert devices.list() == []


def test_a_device_that_was_deleted_behind_the_desks_back_stays_while_it_runs(
    devices: Devices, path: Path
) -> None:
    phone, laptop = devices.create("phone", Power.SEE), devices.create("laptop", Power.SEE)
    write(path, "DELETE FROM devices")

    assert devices.check(phone.token) == phone.device
    devices.revoke("laptop")  # writes down what the desk knows
    with reopened(path) as again:
        assert again.list() == [phone.device]
        assert again.check(laptop.token) is None


# --- the key -------------------------------------------------------------------------------


def test_without_its_key_every_row_is_foreign(devices: Devices, path: Path) -> None:
    phone = devices.create("phone", Power.SEE)
    key_of(path).unlink()

    with reopened(path) as again:
        assert again.check(phone.token) is None
        assert [device.foreign for device in again.list()] == [True]
        new = again.create("phone", Power.SEE)
        assert again.check(new.token) == new.device


@pytest.mark.parametrize("content", [b"not hex", b"\xff", b"00", b""])
def test_a_key_that_is_none(devices: Devices, path: Path, content: bytes) -> None:
    phone = devices.create("phone", Power.SEE)
    key_of(path).write_bytes(content)

    with reopened(path) as again:
        assert again.check(phone.token) is None
        assert again.check(again.create("laptop", Power.SEE).token) is not None


def test_a_key_that_others_could_read_is_closed_and_told(devices: Devices, path: Path) -> None:
    devices.create("phone", Power.SEE)
    key_of(path).chmod(0o644)

    with reopened(path) as again:
        assert key_of(path).stat().st_mode & 0o777 == 0o600
        assert len(again.troubles) == 1
        assert len(again.list()) == 1


def test_a_key_that_is_lost_while_the_desk_runs_is_written_again(devices: Devices, path: Path) -> None:
    devices.create("phone", Power.SEE)
    key_of(path).unlink()

    devices.create("laptop", Power.SEE)

    with reopened(path) as again:
        assert [device.foreign for device in again.list()] == [False, False]


def test_a_key_that_cannot_be_written_makes_no_device(
    devices: Devices, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_handle: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)

    with pytest.raises(Unavailable, match="disk full"):
        devices.create("phone", Power.SEE)

    assert devices.list() == []
    assert {file.name for file in path.parent.iterdir()} <= {
        path.name,
        f"{path.name}-wal",
        f"{path.name}-shm",
    }


# --- a database that cannot be used ----------------------------------------------------------


def test_what_is_no_database_is_left_as_it_is(path: Path) -> None:
    path.write_bytes(b"this is no database" * 100)

    with reopened(path) as devices:
        phone = devices.create("phone", Power.SEE)
        assert devices.check(phone.token) == phone.device
        assert len(devices.troubles) == 1

    assert path.read_bytes() == b"this is no database" * 100
    assert not key_of(path).exists()


def test_another_table_of_that_name(path: Path) -> None:
    write(path, "CREATE TABLE devices (colour TEXT)")

    with reopened(path) as devices:
        assert devices.list() == []
        assert "cannot be read" in devices.troubles[0]
        with pytest.raises(Unavailable):
            devices.create("phone", Power.SEE)


def test_a_locked_database(devices: Devices, path: Path) -> None:
    write(path, INSERT, *forged("x"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(Unavailable):
            devices.create("phone", Power.SEE)
        with pytest.raises(Unavailable):
            devices.revoke("f00")
    assert devices.create("phone", Power.SEE)


def test_database_and_key_move_together(devices: Devices, path: Path, tmp_path: Path) -> None:
    phone = devices.create("phone", Power.SEE)
    devices.close()
    new = tmp_path / "new"
    new.mkdir()
    for file in (path, key_of(path)):
        shutil.copy2(file, new / file.name)

    with reopened(new / path.name) as again:
        assert again.check(phone.token) == phone.device
