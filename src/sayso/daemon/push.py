"""Which devices want notices while their page is closed: Web Push subscriptions, and the desk's key.

One subscription a device; it ends with the device. A row that the desk did not seal with its key is
not taken up: it would have notices sent elsewhere. Not here: what is sent and when (a channel),
encryption (`web.push_wire`). Imports cryptography only when somebody wants notices.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct

from sayso.daemon.devices import Device, Devices
from sayso.daemon.push_tickets import Tickets
from sayso.daemon.service import Caller
from sayso.daemon.settings import Database
from sayso.errors import BadRequest, Unauthorized, Unavailable
from sayso.web.push_send import check_endpoint
from sayso.wire.jsonrpc import convert
from sayso.wire.protocol import Power, PushParams, PushSubscription

CHANNEL = "web"
MISSING = "notices by push need the extra: install sayso[push], and restart the desk"
_SCHEMA = """CREATE TABLE IF NOT EXISTS push_subscriptions (
    device TEXT PRIMARY KEY, subscription TEXT NOT NULL, seal TEXT NOT NULL
)"""


class PushKey(Struct, frozen=True, kw_only=True):
    """The key with which a browser subscribes."""

    key: str


class Pushes:
    """The subscriptions of one desk.

    Args:
        database: "" keeps them in memory.
        key: the file of the desk's key; "" likewise.
        loopback: of a private desk: push services may be on this computer, for tests.
    """

    def __init__(self, devices: Devices, database: str = "", key: str = "", loopback: bool = False) -> None:
        self.loopback = loopback
        self._devices = devices
        self._path = Path(key) if key else None
        self._key = self._read()
        self._database = Database(database, _SCHEMA)
        self._watchers: list[Callable[[], None]] = []
        self._known = self._load()
        self._tickets = Tickets()
        devices.watch(self.drop)
        devices.watch(self._tickets.gone)

    # --- for the channel that sends ----------------------------------------------------

    @property
    def key(self) -> bytes:
        """The desk's key, as PEM; b"" as long as nobody wanted notices."""
        return self._key

    def all(self) -> dict[str, PushSubscription]:
        """Return the subscriptions by device."""
        return dict(self._known)

    def watch(self, on_change: Callable[[], None]) -> None:
        """Have `on_change` called when a subscription comes or goes."""
        self._watchers.append(on_change)

    def drop(self, device: str) -> None:
        """Forget a device's subscription: it was taken back, or its browser ended it."""
        if self._known.pop(device, None) is None:
            return
        with suppress(sqlite3.Error):  # of a device that is gone the row is not taken up either
            self._database.connection.execute("DELETE FROM push_subscriptions WHERE device = ?", (device,))
        self._tell()

    def ticket(self, device: str, request_id: str) -> str:
        """Return what lets a device answer a request by the button of a notice; "" for one that may not."""
        return self._tickets.give(device, request_id) if self._may_answer(device) else ""

    def over(self, request_id: str) -> None:
        """Note that a request is settled."""
        self._tickets.over(request_id)

    def close(self) -> None:
        self._database.close()

    # --- the method --------------------------------------------------------------------

    def call(self, caller: Caller, params: dict[str, Any]) -> Any:
        """Carry out `desk.push`."""
        given = convert(params, PushParams)
        if given.subscription is None and not given.end:
            return PushKey(key=self._public())
        if caller.pid or not caller.credential:
            raise BadRequest("only a device subscribes, over HTTP", "subscription")
        if given.end:
            self.drop(caller.credential)
        elif given.subscription is not None:
            self._subscribe(caller.credential, given.subscription)
        return {"ok": True}

    def answering(self, text: str) -> tuple[Caller, str]:
        """Return whose ticket this is, and the request that it is for. Raises: Unauthorized."""
        ticket = self._tickets.look(text)
        device = self._may_answer(ticket.device)
        if device is None:
            raise Unauthorized("this device may not answer any more")
        caller = Caller(power=device.power, channel=CHANNEL, name=device.name, credential=device.id)
        return caller, ticket.request_id

    def _may_answer(self, device_id: str) -> Device | None:
        device = self._devices.find(device_id)
        return device if device is not None and device.power >= Power.ANSWER else None

    def _public(self) -> str:
        wire = _wire()
        if not self._key:
            key = wire.new_key()
            self._write(key)
            self._key = key
        try:
            return wire.public_key(self._key)
        except ValueError:
            raise Unavailable(
                f"{self._path} is no key of a desk: move it away, and subscribe again"
            ) from None

    def _subscribe(self, device: str, subscription: PushSubscription) -> None:
        wire = _wire()
        check_endpoint(subscription.endpoint, self.loopback)
        wire.check_keys(subscription.keys.p256dh, subscription.keys.auth)
        self._public()
        row = msgspec.json.encode(subscription).decode()
        values = (device, row, self._seal(device, row))
        try:
            self._database.connection.execute(
                "INSERT OR REPLACE INTO push_subscriptions VALUES (?, ?, ?)", values
            )
        except sqlite3.Error as error:
            raise Unavailable(f"the subscription cannot be kept ({error})") from None
        self._known[device] = subscription
        self._tell()

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()

    # --- what is kept ------------------------------------------------------------------

    def _read(self) -> bytes:
        with suppress(OSError):
            return self._path.read_bytes() if self._path is not None else b""
        return b""

    def _write(self, key: bytes) -> None:
        if self._path is None:
            return
        try:
            self._path.unlink(missing_ok=True)
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(key)
        except OSError as error:
            raise Unavailable(f"the key for notices cannot be kept: {error.strerror}") from None

    def _load(self) -> dict[str, PushSubscription]:
        known = {device.id for device in self._devices.list() if not device.foreign}
        rows: list[tuple[object, ...]] = []
        with suppress(sqlite3.Error):
            rows = self._database.connection.execute("SELECT * FROM push_subscriptions").fetchall()
        found: dict[str, PushSubscription] = {}
        for device, row, seal in rows:
            if device in known and self._is_own(str(device), str(row), str(seal)):
                with suppress(msgspec.DecodeError):
                    found[str(device)] = msgspec.json.decode(str(row), type=PushSubscription)
        return found

    def _seal(self, device: str, row: str) -> str:
        return hmac.new(
            hashlib.sha256(self._key).digest(), f"{device} {row}".encode(), hashlib.sha256
        ).hexdigest()

    def _is_own(self, device: str, row: str, seal: str) -> bool:
        return bool(self._key) and hmac.compare_digest(
            self._seal(device, row).encode(), seal.encode(errors="replace")
        )


def _wire() -> ModuleType:
    """Return the module that encrypts. Raises: Unavailable, with what to install."""
    try:
        from sayso.web import push_wire
    except ImportError:
        raise Unavailable(MISSING) from None
    return push_wire
