"""Whose credential a request carries. Imports `devices`, starlette."""

from __future__ import annotations

import base64
import binascii

from starlette.requests import Request

from sayso.daemon.devices import Device, Devices
from sayso.errors import Unauthorized
from sayso.wire.protocol import Power

MAX_BASIC_CHARS = 1024


def identified(request: Request, devices: Devices, basic: bool = False) -> Device:
    """Return the device whose credential a request carries.

    Args:
        basic: a token that may only ask may come as Authorization: Basic, too: in the address of a
            program that sends no headers of its own.
    Raises: Unauthorized.
    """
    given = request.headers.getlist("authorization")
    scheme, _, word = (given[0] if len(given) == 1 else "").partition(" ")
    device = devices.check(word.strip()) if scheme.lower() == "bearer" else None
    if scheme.lower() == "basic" and basic:
        device = _asker(word.strip(), devices)
    if device is None:
        raise Unauthorized(
            "send a device's token as Authorization: Bearer; `sayso token create` makes one"
            if not given
            else "this is not the token of a device that the desk knows"
        )
    return device


def _asker(word: str, devices: Devices) -> Device | None:
    """Return the device whose token is the password, or the user's name where there is no password.

    Addresses end up in logs and lists of processes, so what stands in one may only ask.
    """
    device = devices.check(_token(word))
    if device is not None and device.power is not Power.ASK:
        raise Unauthorized("only a token that may do nothing but ask is taken from an address: use Bearer")
    return device


def _token(word: str) -> str:
    try:
        pair = base64.b64decode(word[:MAX_BASIC_CHARS], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    name, _, password = pair.partition(":")
    return password or name
