"""When each device was used last, to some minutes: for people, so that they know which to take back.

Nothing is decided by it, so its rows are not sealed, and one that cannot be written is no trouble.
A device that asks all day costs a write each quarter of an hour. Imports the standard library.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

COARSE_S = 900.0
_SCHEMA = "CREATE TABLE IF NOT EXISTS device_uses (id TEXT PRIMARY KEY, used_at REAL NOT NULL)"


class Uses:
    """The last use of each device, in a database that holds the devices as well."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._last: dict[str, float] = {}
        with suppress(sqlite3.Error):
            connection.execute(_SCHEMA)
            rows = connection.execute("SELECT id, used_at FROM device_uses").fetchall()
            self._last = {str(key): used_at for key, used_at in rows if isinstance(used_at, float)}

    def last(self, device_id: str) -> float:
        """Return when a device was used last, in seconds since 1970; 0 for never."""
        return self._last.get(device_id, 0.0)

    def note(self, device_id: str, now_s: float) -> None:
        """Note that a device was used."""
        if abs(now_s - self._last.get(device_id, 0.0)) < COARSE_S:
            return
        self._last[device_id] = now_s
        with suppress(sqlite3.Error):
            self._connection.execute("INSERT OR REPLACE INTO device_uses VALUES (?, ?)", (device_id, now_s))

    def forget(self, device_id: str) -> None:
        """Forget a device that was taken back."""
        self._last.pop(device_id, None)
        with suppress(sqlite3.Error):
            self._connection.execute("DELETE FROM device_uses WHERE id = ?", (device_id,))
