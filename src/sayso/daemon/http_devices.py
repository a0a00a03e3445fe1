"""Devices as HTTP shows them, and the bodies and results of the routes about them.

Powers are words and instants are text, as everywhere on a page. Not here: the table of routes
(`http_routes`). Imports msgspec and `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from sayso.daemon.devices import Device
from sayso.wire.views import Clock

PairingPower = Literal["see", "answer", "admin"]
_WALL = Clock()
"""Devices are kept with seconds since 1970."""


class DeviceView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A device. `used_at`: about when it was used last. `foreign`: not made by this desk, not honoured."""

    id: str
    name: str
    power: str
    created_at: str = ""
    used_at: str = ""
    foreign: bool = False


class DevicesList(Struct, frozen=True, kw_only=True):
    """The devices, oldest first."""

    devices: tuple[DeviceView, ...]


class DeviceGone(Struct, frozen=True, kw_only=True):
    """The device that was taken back."""

    ok: bool
    device: DeviceView


class DeviceId(Struct, frozen=True, kw_only=True):
    """A device by its id and name."""

    id: str
    name: str


class WhoAmI(Struct, frozen=True, kw_only=True):
    """Whose credential this is, and what it may do."""

    device: DeviceId
    power: str


class PairBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A one-time code, and what this device would be called."""

    code: str
    name: str = ""


class PairedView(Struct, frozen=True, kw_only=True):
    """The new device and its token, which nothing keeps."""

    token: str
    device: DeviceView


class PairingBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the device that uses the code may do, and its name; "" leaves that to it."""

    power: PairingPower = "answer"
    name: str = ""


def view(device: Device) -> DeviceView:
    return DeviceView(
        id=device.id,
        name=device.name,
        power=device.power.name.lower(),
        created_at=_at(device.created_at),
        used_at=_at(device.used_at),
        foreign=device.foreign,
    )


def _at(instant_s: float) -> str:
    return _WALL.at(instant_s) if instant_s else ""


# --- parameters and results ------------------------------------------------------------


def listing(_path: Mapping[str, str], _body: dict[str, Any]) -> dict[str, Any]:
    return {"list": True}


def revoking(path: Mapping[str, str], _body: dict[str, Any]) -> dict[str, Any]:
    return {"revoke": path["id"]}


def cancelling(path: Mapping[str, str], _body: dict[str, Any]) -> dict[str, Any]:
    return {"cancel": path["id"]}


def devices(result: Any) -> DevicesList:
    return DevicesList(devices=tuple(view(device) for device in result["devices"]))


def gone(result: Any) -> DeviceGone:
    return DeviceGone(ok=True, device=view(result["device"]))


def paired(result: Any) -> PairedView:
    return PairedView(token=result["token"], device=view(result["device"]))


def me(result: Any) -> WhoAmI:
    return WhoAmI(device=DeviceId(id=result.id, name=result.name), power=result.power.name.lower())
