"""Credentials of devices: made, checked, listed, taken back.

A token is shown once; the database holds its SHA-256. A row counts only if the desk
sealed it (`seal`): anything else is listed as foreign and never honoured, whatever it
says. While the desk runs its own memory counts, so that a row changed behind its back
changes nothing. Not here: what a power allows (`wire.protocol`), when a device was used last
(`uses`). Imports msgspec.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import time
from collections.abc import Callable

import msgspec
from msgspec import Struct, structs

from sayso.daemon.seal import Seal
from sayso.daemon.settings import Database
from sayso.daemon.uses import Uses
from sayso.errors import BadRequest, Unavailable
from sayso.wire.protocol import Power

TOKEN_PREFIX = "sayso_"
_TOKEN_BYTES = 32
MAX_NAME_CHARS = 64
MAX_TOKEN_CHARS = 128
_SCHEMA = """CREATE TABLE IF NOT EXISTS devices (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, power TEXT NOT NULL,
    hash TEXT NOT NULL, created_at REAL NOT NULL, seal TEXT NOT NULL
)"""
_Row = tuple[object, ...]
"""rowid and the columns: of any type, since SQLite keeps what it is given."""


class Device(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A device and what it may do. `created_at`: seconds since 1970.

    `used_at`: about when it was used last, where that is told; 0 for never. `foreign`: the desk
    did not write this row, and does not honour it.
    """

    id: str
    name: str
    power: Power
    created_at: float
    used_at: float = 0.0
    foreign: bool = False


class Created(Struct, frozen=True):
    """A new device and its token, which nothing keeps."""

    device: Device
    token: str


class _Known(Struct, frozen=True):
    """A device with the digest of its token: what a row holds."""

    device: Device
    hash: str

    def sealed_text(self) -> bytes:
        device = self.device
        return msgspec.json.encode([device.id, device.name, device.power.name, self.hash, device.created_at])


class Devices:
    """The devices in one database. An empty path keeps them in memory.

    `troubles` are words for the log.
    """

    def __init__(self, path: str, now: Callable[[], float] = time.time) -> None:
        self._database = Database(path, _SCHEMA)
        self._uses = Uses(self._database.connection)
        self._seal = Seal("" if self._database.in_memory else f"{path}.key")
        self._now = now
        self._watchers: list[Callable[[str], None]] = []
        self.troubles = [*self._database.troubles, *self._seal.troubles]
        self._known = self._load()
        if self._seal.unsettled:
            self._settle()

    # --- asking ------------------------------------------------------------------------

    def check(self, token: str) -> Device | None:
        """Return the device that this is the token of; a near miss takes as long as a far one."""
        if len(token) > MAX_TOKEN_CHARS:
            return None
        digest, found = _digest(token), None
        for known in self._known.values():
            if hmac.compare_digest(known.hash, digest):
                found = known.device
        if found is not None:
            self._uses.note(found.id, self._now())
        return found

    def find(self, device_id: str) -> Device | None:
        """Return a device of ours by its id."""
        known = self._known.get(device_id)
        return None if known is None else known.device

    def list(self) -> list[Device]:
        """Return the devices, oldest first, then the rows that are not ours."""
        own = sorted((known.device for known in self._known.values()), key=lambda device: device.created_at)
        return [*own, *(_shown(row) for row in self._foreign())]

    def with_uses(self) -> list[Device]:
        """Return the same, each with its last use."""
        return [structs.replace(device, used_at=self._uses.last(device.id)) for device in self.list()]

    def watch(self, on_revoked: Callable[[str], None]) -> None:
        """Have `on_revoked` called with the id of every device that is taken back."""
        self._watchers.append(on_revoked)

    # --- changing ----------------------------------------------------------------------

    def create(self, name: str, power: Power) -> Created:
        """Make a device with a new token.

        Raises: BadRequest, for a name or power that cannot be; Unavailable, when it
            cannot be kept.
        """
        self.check_name(name)
        if power is Power.NONE:
            raise BadRequest("a device without any power is of no use", "power")
        token = TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
        device = Device(id=secrets.token_hex(8), name=name, power=power, created_at=self._now())
        known = _Known(device, _digest(token))
        try:
            self._database.connection.execute(_WRITE, self._row_of(known))
        except (OSError, sqlite3.Error) as error:
            raise Unavailable(f"the device cannot be kept ({error})") from None
        self._known[device.id] = known
        return Created(device, token)

    def check_name(self, name: str) -> None:
        """Raises BadRequest for a name that no new device can have."""
        if not name.strip() or len(name) > MAX_NAME_CHARS or not name.isprintable():
            raise BadRequest(f"a device's name is one line of at most {MAX_NAME_CHARS} characters", "name")
        if any(name == known.device.name for known in self._known.values()):
            raise BadRequest(f"there is a device named {name!r} already", "name")

    def revoke(self, which: str) -> Device:
        """Take a device back, by id or name; what it has under way ends at once.

        A row that is not ours is removed by its id.
        Raises: BadRequest, when there is none; Unavailable, when the database still has
            it: it is not honoured any more, but would be after the next start.
        """
        for known in self._known.values():
            if which in (known.device.id, known.device.name):
                return self._revoke(known.device)
        for row in self._foreign():
            if _shown(row).id == which:
                return self._remove(row)
        raise BadRequest(f"there is no device {which!r}", "id")

    def _revoke(self, device: Device) -> Device:
        del self._known[device.id]
        self._uses.forget(device.id)
        for watcher in self._watchers:
            watcher(device.id)
        try:
            self._seal.renew()
            self._rewrite(gone=device.id)
        except (OSError, sqlite3.Error) as error:
            raise Unavailable(
                f"{device.name} may do nothing any more until the desk starts again, but the database "
                f"could not be changed ({error}): mend it and take the device back once more"
            ) from None
        return device

    def _remove(self, row: _Row) -> Device:
        try:
            self._database.connection.execute("DELETE FROM devices WHERE rowid = ?", (row[0],))
        except sqlite3.Error as error:
            raise Unavailable(f"the row could not be removed ({error})") from None
        return _shown(row)

    # --- the database ------------------------------------------------------------------

    def _load(self) -> dict[str, _Known]:
        found = (known for row in self._rows() if (known := self._sealed(row)))
        return {known.device.id: known for known in found}

    def _rows(self) -> list[_Row]:
        try:
            return self._database.connection.execute(_READ).fetchall()
        except sqlite3.Error as error:
            self.troubles.append(f"the devices cannot be read ({error})")
            return []

    def _foreign(self) -> list[_Row]:
        return [row for row in self._rows() if not self._is_own(row)]

    def _is_own(self, row: _Row) -> bool:
        known = self._sealed(row)
        return known is not None and self._known.get(known.device.id) == known

    def _sealed(self, row: _Row) -> _Known | None:
        """Return what a row says if we sealed it."""
        _, key, name, power, digest, created_at, seal = row
        try:
            device = Device(
                id=str(key), name=str(name), power=Power[str(power)], created_at=float(str(created_at))
            )
        except (KeyError, ValueError):
            return None
        known = _Known(device, str(digest))
        return known if self._seal.fits(known.sealed_text(), str(seal)) else None

    def _row_of(self, known: _Known) -> tuple[str, str, str, str, float, str]:
        device, seal = known.device, self._seal.sign(known.sealed_text())
        return device.id, device.name, device.power.name, known.hash, device.created_at, seal

    def _rewrite(self, gone: str = "") -> None:
        """Seal every row anew, drop one, and then forget the old key."""
        connection = self._database.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute("DELETE FROM devices WHERE id = ?", (gone,))
            connection.executemany(_WRITE, [self._row_of(known) for known in self._known.values()])
            connection.execute("COMMIT")
        except (OSError, sqlite3.Error):
            connection.rollback()
            raise
        self._seal.settle()

    def _settle(self) -> None:
        """Finish what a crash left half done."""
        try:
            self._rewrite()
        except (OSError, sqlite3.Error) as error:
            self.troubles.append(f"the devices could not be sealed anew ({error})")

    def close(self) -> None:
        self._database.close()


_READ = "SELECT rowid, id, name, power, hash, created_at, seal FROM devices ORDER BY rowid"
_WRITE = "INSERT OR REPLACE INTO devices VALUES (?, ?, ?, ?, ?, ?)"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _shown(row: _Row) -> Device:
    """Return a row that is not ours, as a list may show it: it may do nothing."""
    return Device(
        id=_printable(row[1]), name=_printable(row[2]), power=Power.NONE, created_at=0.0, foreign=True
    )


def _printable(value: object) -> str:
    text = str(value)[:MAX_NAME_CHARS]
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
