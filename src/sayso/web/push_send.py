"""Sending to push services: strangers' servers, at addresses that a browser named.

A device could name any address, also one inside this network or on this computer. So only https
is spoken, only to addresses that the whole Internet reaches, looked up once and connected to as they
were found; nothing that is sent back is followed or kept but its status. Blocks, so it runs in a
thread. Not here: what is sent (`push_wire`). Imports the standard library alone.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from sayso.errors import BadRequest

SEND_S = 10.0
"""For a connection, and for each answer."""
MAX_ENDPOINT_CHARS = 2048
_NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses of the old Internet behind ones of the new."""
GONE = frozenset({404, 410})
"""What a push service answers for a subscription that has ended."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What became of one message: the status of the answer, or in words why there was none."""

    status: int = 0
    trouble: str = ""

    @property
    def is_sent(self) -> bool:
        return 200 <= self.status < 300


class Unreachable(Exception):
    """An address that is not connected to; says why."""


def check_endpoint(endpoint: str, loopback: bool = False) -> None:
    """Raises BadRequest for an address that no push service has.

    Args:
        loopback: also allow http on this computer, for tests.
    """
    wrong = BadRequest(
        "this is not the address of a push service: it must be https, of a public name", "endpoint"
    )
    if (
        len(endpoint) > MAX_ENDPOINT_CHARS
        or not endpoint.isascii()
        or not endpoint.isprintable()
        or " " in endpoint
    ):
        raise wrong
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise wrong from None
    if loopback and parts.scheme == "http" and parts.hostname == "127.0.0.1" and port:
        return
    name = parts.hostname or ""
    if parts.scheme != "https" or "@" in parts.netloc or "." not in name or port not in (None, 443):
        raise wrong
    if _is_address(name):
        raise wrong


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def post(endpoint: str, headers: dict[str, str], body: bytes, loopback: bool = False) -> Reached:
    """Send a message; never raises for what is out there."""
    try:
        check_endpoint(endpoint, loopback)
    except BadRequest as error:
        return Reached(trouble=f"a push service is not reached: {error}")
    parts = urlsplit(endpoint)
    name, path = parts.hostname or "", (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection = _connection(name, parts.port, secure=parts.scheme == "https")
    except (Unreachable, OSError, UnicodeError) as error:
        return Reached(trouble=f"{name} is not reached: {_why(error)}")
    try:
        connection.request("POST", path, body, headers)
        return Reached(connection.getresponse().status)
    except (OSError, http.client.HTTPException) as error:
        return Reached(trouble=f"{name} does not answer: {_why(error)}")
    finally:
        connection.close()


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _connection(name: str, port: int | None, *, secure: bool) -> http.client.HTTPConnection:
    """Return an open connection. Raises: Unreachable, OSError."""
    if not secure:
        connection = http.client.HTTPConnection(name, port, timeout=SEND_S)
        connection.connect()
        return connection
    connection = http.client.HTTPSConnection(name, timeout=SEND_S)
    raw = socket.create_connection(_public_address(name), SEND_S)
    try:
        connection.sock = ssl.create_default_context().wrap_socket(raw, server_hostname=name)
    except BaseException:
        raw.close()
        raise
    return connection


def _public_address(name: str) -> tuple[str, int]:
    """Return an address of a name that the whole Internet reaches, and nothing else may be one of its."""
    found = socket.getaddrinfo(name, 443, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    inside = [address for address in addresses if not _is_public(address)]
    if inside or not addresses:
        raise Unreachable("it is an address inside of a network")
    return addresses[0], 443


def _is_public(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        within = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else address.sixtofour
        within = within or address.ipv4_mapped
        if within is not None and not within.is_global:
            return False
    return address.is_global and not address.is_multicast
