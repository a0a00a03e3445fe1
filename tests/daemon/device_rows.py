"""The database of devices as somebody sees it who reads and writes it behind the desk's back."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sayso.daemon.devices import Devices

NOW_S = 1_800_000_000.0


def key_of(path: Path) -> Path:
    return path.with_name(path.name + ".key")


def write(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def rows(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM devices").fetchall()


def reopened(path: Path) -> closing[Devices]:
    return closing(Devices(str(path)))


def forged(token: str, device_id: str = "f00") -> tuple[str, str, str, str, float, str]:
    """A row as a program writes it that knows everything but the key."""
    digest = hashlib.sha256(token.encode()).hexdigest()
    return device_id, "my phone", "ADMIN", digest, NOW_S, "0" * 64


INSERT = "INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)"
