"""Sending to webhooks: addresses that this computer's person named.

So they may be anywhere, also on this computer; but unencrypted only on it and in its own network.
Of the answer the status is read, and when to try again; nothing is followed, and its body not even
read. All of it has one deadline. No text in here holds an address's password, path or query.
Blocks, so it runs in a thread. Imports the standard library alone.
"""

from __future__ import annotations

import base64
import re
import socket
import ssl
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from sayso.errors import BadRequest

SEND_S = 15.0
"""For all of it: connection, sending, and the beginning of the answer."""
MAX_URL_CHARS = 2048
MAX_HEAD_BYTES = 32 * 1024
GONE = 410
"""What a receiver answers that wants no more."""
PLAIN = (
    "unencrypted (http) a webhook may only be on this computer or in its own network; "
    "use https for anything else"
)
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})(?: [^\r\n]*)?\r?\n")
_RETRY_AFTER = re.compile(rb"^retry-after:[ \t]*([ -~]{1,64}?)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_END = re.compile(rb"\r?\n\r?\n")


class Target(NamedTuple):
    """An address in parts. `host` is what the header says, `path` with the query."""

    secure: bool
    name: str
    port: int
    path: str
    host: str
    authorization: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of one attempt: the status of the answer, or in words why there was none.

    `retry_after`: when to try again, as the receiver wrote it.
    """

    status: int = 0
    trouble: str = ""
    retry_after: str = ""

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300


class Unreachable(Exception):
    """An address that is not connected to, or an answer that is none; says why."""


# --- addresses -------------------------------------------------------------------------


def target_of(url: str) -> Target:
    """Return an address in parts. Raises BadRequest, in words, for one that no webhook can have."""
    if not (0 < len(url) <= MAX_URL_CHARS and url.isascii() and url.isprintable() and " " not in url):
        raise BadRequest(
            f"an address is at most {MAX_URL_CHARS} printable ASCII characters, no spaces", "add"
        )
    try:
        parts = urlsplit(url)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadRequest("this is no address", "add") from None
    if parts.scheme not in ("https", "http") or not name or port == 0:
        raise BadRequest("a webhook's address is https://HOST/… or http://HOST/…", "add")
    if parts.fragment:
        raise BadRequest("what stands behind # is never sent: leave it out", "add")
    secure = parts.scheme == "https"
    if not secure and _is_address(name) and not is_inside(name):
        raise BadRequest(PLAIN, "add")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    userinfo, at, host = parts.netloc.rpartition("@")
    return Target(secure, name, port or (443 if secure else 80), path, host, _basic(userinfo) if at else "")


def _basic(userinfo: str) -> str:
    user, _, password = userinfo.partition(":")
    return "Basic " + base64.b64encode(unquote_to_bytes(user) + b":" + unquote_to_bytes(password)).decode()


def shown(url: str) -> str:
    """Return an address as people may see it: without password and query."""
    parts = urlsplit(url)
    query = "?…" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}{query}"


def host_of(url: str) -> str:
    """Return an address's host and port: what is said of it where more people look."""
    return urlsplit(url).netloc.rpartition("@")[2]


def resolve(target: Target) -> list[tuple[socket.AddressFamily, tuple[str | int | bytes, ...]]]:
    """Return where an address leads to. Raises Unreachable, OSError or UnicodeError."""
    found = socket.getaddrinfo(target.name, target.port, type=socket.SOCK_STREAM)
    addresses = [(family, tuple(address)) for family, _, _, _, address in found]
    if not addresses:
        raise Unreachable("its name leads nowhere")
    if not target.secure and not all(is_inside(str(address[0])) for _, address in addresses):
        raise Unreachable(PLAIN)
    return addresses


def why_not_plain(target: Target) -> str:
    """Return in words why nothing is sent unencrypted to this address; "" where it may be."""
    try:
        resolve(target)
    except Unreachable as error:
        return str(error)
    except (OSError, UnicodeError) as error:
        return f"{target.name} is not found ({_why(error)}), so it may be anywhere; {PLAIN}"
    return ""


def is_inside(text: str) -> bool:
    """Whether an address is of this computer or of a private network."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_multicast or address.is_unspecified:
        return False
    return address.is_loopback or address.is_private or address.is_link_local


def _is_address(name: str) -> bool:
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


# --- sending ---------------------------------------------------------------------------


def post(url: str, headers: Iterable[tuple[str, str]], body: bytes, within_s: float = SEND_S) -> Answered:
    """Send an event; never raises for what is out there."""
    until_s = time.monotonic() + within_s
    try:
        target = target_of(url)
        with _connection(target, until_s) as connection:
            connection.settimeout(_left_s(until_s))
            connection.sendall(_head(target, headers, len(body)) + body)
            return _answer(connection, until_s)
    except (Unreachable, BadRequest, OSError, UnicodeError) as error:
        return Answered(trouble=_why(error))


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it takes too long"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _left_s(until_s: float) -> float:
    left_s = until_s - time.monotonic()
    if left_s <= 0:
        raise TimeoutError
    return left_s


def _connection(target: Target, until_s: float) -> socket.socket:
    raw = _connected(target, until_s)
    if not target.secure:
        return raw
    try:
        raw.settimeout(_left_s(until_s))
        return ssl.create_default_context().wrap_socket(raw, server_hostname=target.name)
    except BaseException:
        raw.close()
        raise


def _connected(target: Target, until_s: float) -> socket.socket:
    """Return a connection to the first of its addresses that takes one."""
    problem: OSError = OSError("its name leads nowhere")
    for family, address in resolve(target):
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left_s(until_s))
            connection.connect(address)
        except OSError as error:
            connection.close()
            problem = error
            continue
        except BaseException:
            connection.close()
            raise
        return connection
    raise problem


def _head(target: Target, headers: Iterable[tuple[str, str]], length: int) -> bytes:
    more = [("Authorization", target.authorization)] if target.authorization else []
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"Host: {target.host}",
        *(f"{name}: {value}" for name, value in (*headers, *more)),
        f"Content-Length: {length}",
        "Connection: close",
    ]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n"


def _answer(connection: socket.socket, until_s: float) -> Answered:
    """Return the status of an answer; whatever it says beyond its head is not read."""
    data = b""
    while True:
        while (end := _END.search(data)) is not None:
            status, head = _status(data), data[: end.end()]
            if status >= 200:
                found = _RETRY_AFTER.search(head)
                return Answered(status, retry_after=found[1].decode() if found else "")
            data = data[end.end() :]  # "go on", or a hint: the answer comes after it
        if len(data) > MAX_HEAD_BYTES:
            raise Unreachable("its answer is no HTTP")
        connection.settimeout(_left_s(until_s))
        more = connection.recv(8192)
        if not more:
            raise Unreachable("it ended the connection without an answer")
        data += more


def _status(data: bytes) -> int:
    found = _STATUS.match(data)
    if found is None or int(found[1]) < 100:
        raise Unreachable("its answer is no HTTP")
    return int(found[1])


def pause_of(retry_after: str, now_s: float) -> float | None:
    """Return for how many seconds a receiver wants to be left alone; None if it does not say.

    Args:
        retry_after: seconds, or an instant as HTTP writes it.
        now_s: seconds since 1970.
    """
    from email.utils import parsedate_to_datetime  # heavy, and seldom wanted

    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - now_s)
    return None
