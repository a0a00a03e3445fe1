"""The methods with which devices get their credentials by a one-time code.

`desk.pairing` opens a code, waits for what becomes of it, or closes it; `desk.pair` is the one
method that needs no credential, and gives one for a code. Not here: the rules of codes
(`pairing`), the table of devices (`devices`). Imports segno when a picture is asked for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from sayso.daemon.devices import MAX_NAME_CHARS, Device, Devices
from sayso.daemon.pairing import OPEN_S, Codes, Grant
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, Unauthorized, Unavailable
from sayso.wire.jsonrpc import convert
from sayso.wire.protocol import PairingParams, PairParams, Power
from sayso.wire.views import Clock

GRANTED = {"see": Power.SEE, "answer": Power.ANSWER, "admin": Power.ADMIN}
"""What a device can be given by a code."""
USUAL = "answer"
UNNAMED = "a browser"


class Addresses(Struct, frozen=True):
    """Where the page is: on this computer, and for other devices; "" where it is not."""

    here: str = ""
    public: str = ""


class Pairing(Struct, frozen=True, kw_only=True):
    """A code that is open. `url` leads another device to the page with it, `here` this computer.

    `qr`: the squares of a QR code of `url`, as the data of an SVG path, in a picture `qr_size` wide
    and high, its margin included. `reachable`: `url` is not of this computer alone.
    """

    id: str
    code: str
    url: str
    here: str
    reachable: bool
    power: str
    name: str
    expires_at: str
    expires_s: float
    qr: str
    qr_size: int


class Paired(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a code: `state` is used, with the device, or closed.

    `tried`: so many wrong codes were tried that every code was closed.
    """

    state: str
    device: Device | None = None
    tried: bool = False


class PairMethods:
    """What a desk does with codes."""

    def __init__(self, devices: Devices, clock: Callable[[], float] | None = None) -> None:
        self.addresses = Addresses()
        self._devices = devices
        self._codes = Codes()
        self._now = clock or Elapsed().now
        self._used: dict[str, Device] = {}
        self._tried: set[str] = set()
        self._waiting: dict[str, asyncio.Event] = {}

    # --- who opens a code --------------------------------------------------------------

    def pairing(self, _caller: Caller, params: dict[str, Any]) -> Any:
        """Carry out `desk.pairing`."""
        given = convert(params, PairingParams)
        if given.wait is not None:
            return self._wait(given.wait)
        if given.cancel is not None:
            self._close(given.cancel)
            return Paired(state="closed")
        return self._open(given)

    def _open(self, given: PairingParams) -> Pairing:
        if given.power not in GRANTED:
            raise BadRequest("power is see, answer or admin", "power")
        if given.name:
            self._devices.check_name(given.name)
        if not self.addresses.here:
            raise Unavailable("HTTP is off, so there is no page: `sayso status` says why")
        now = self._now()
        opened = self._codes.open(GRANTED[given.power], given.name, now)
        self._waiting[opened.id] = asyncio.Event()
        asyncio.get_running_loop().call_later(OPEN_S, self._expire, opened.id)
        here, public = self.addresses.here, self.addresses.public
        url = link(public or here, opened.code)
        path, size = picture(url)
        return Pairing(
            id=opened.id,
            code=opened.code,
            url=url,
            here=link(here, opened.code),
            reachable=bool(public),
            power=given.power,
            name=given.name,
            expires_at=Clock(time.time() - now).at(opened.until_s),
            expires_s=opened.until_s - now,
            qr=path,
            qr_size=size,
        )

    def _expire(self, code_id: str) -> None:
        self._used.pop(code_id, None)
        self._tried.discard(code_id)
        self._close(code_id)

    def _close(self, code_id: str) -> None:
        self._codes.drop(code_id)
        self._told(code_id)

    def _told(self, code_id: str) -> None:
        waiting = self._waiting.pop(code_id, None)
        if waiting is not None:
            waiting.set()

    async def _wait(self, code_id: str) -> Paired:
        """Return once a code was used or is closed."""
        waiting = self._waiting.get(code_id)
        if waiting is not None and self._codes.is_open(code_id, self._now()):
            await waiting.wait()
        device = self._used.get(code_id)
        if device is not None:
            return Paired(state="used", device=device)
        return Paired(state="closed", tried=code_id in self._tried)

    # --- who has one -------------------------------------------------------------------

    def pair(self, _caller: Caller, params: dict[str, Any]) -> dict[str, Any]:
        """Carry out `desk.pair`."""
        given = convert(params, PairParams)
        try:
            grant = self._codes.redeem(given.code, self._now())
        except Unauthorized:
            self._tell_dropped()
            raise
        try:
            created = self._devices.create(self._name(grant, given.name), grant.power)
            self._used[grant.id] = created.device
        finally:
            self._told(grant.id)
        return {"device": created.device, "token": created.token}

    def _tell_dropped(self) -> None:
        """Tell whoever waits for a code that too many wrong ones have closed it."""
        now = self._now()
        if not any(self._codes.is_open(code_id, now) for code_id in self._waiting):
            for code_id in list(self._waiting):
                self._tried.add(code_id)
                self._told(code_id)

    def _name(self, grant: Grant, proposed: str) -> str:
        """Return a device's name: the one it was given, or its own made fit, and not used twice."""
        printable = "".join(char if char.isprintable() else " " for char in proposed)
        base = grant.name or " ".join(printable.split())[:MAX_NAME_CHARS].strip() or UNNAMED
        taken = {device.name for device in self._devices.list()}
        short = base[: MAX_NAME_CHARS - 6].strip()
        names = [base, *(f"{short} {number}" for number in range(2, len(taken) + 3))]
        return next(name for name in names if name not in taken)


class Elapsed:
    """Seconds that pass while the machine sleeps, too, and never go back."""

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        self._clocks = (monotonic, wall)
        self._before = (monotonic(), wall())
        self._elapsed_s = 0.0

    def now(self) -> float:
        monotonic, wall = (clock() for clock in self._clocks)
        self._elapsed_s += max(monotonic - self._before[0], wall - self._before[1], 0.0)
        self._before = (monotonic, wall)
        return self._elapsed_s


def link(base: str, code: str) -> str:
    """Return the address that carries a code where no server and no log sees it: behind the #."""
    return f"{base}/#code={quote(code)}"


def picture(text: str) -> tuple[str, int]:
    """Return a QR code as an SVG path, and how wide it is with its margin."""
    import segno

    code = segno.make(text, error="m", micro=False)
    margin = code.default_border_size
    rows = [bytes(row) for row in code.matrix]
    runs = [run for y, row in enumerate(rows) for run in _runs(row, y + margin, margin)]
    return "".join(runs), len(rows) + 2 * margin


def _runs(row: bytes, y: int, margin: int) -> list[str]:
    """Return the dark runs of one row, as rectangles of a path."""
    found: list[str] = []
    start: int | None = None
    for x, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            found.append(f"M{start + margin} {y}h{x - start}v1h-{x - start}z")
            start = None
    return found
