"""One more address to listen on, of a local network or a tailnet: with TLS, or knowingly without.

What goes over it are the commands that agents want to run and the credentials of who may allow
them, so nothing listens beyond the loopback by a slip: one address, named, never all of them, never
one that the whole Internet reaches. Not here: the loopback's sockets (`http_bind`), the names that
are then ours (`http_guard`). Imports those and `http_server`.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

from msgspec import Struct
from starlette.applications import Starlette

from sayso.daemon import http_bind, http_server
from sayso.errors import BadRequest

log = logging.getLogger(__name__)

AGAIN_S = 15.0
"""How often it is looked whether an address that was not there has come: networks come and go."""
_NEEDS = (
    "--listen needs --tls-cert and --tls-key: without them everybody in that network can read what your "
    "agents ask, take the credential of a device, and answer in its place. `tailscale serve` with "
    "--public-url needs neither. If the network is yours alone, say so with --insecure-lan"
)


class Wanted(Struct, frozen=True, kw_only=True):
    """What was said on the command line. An empty `listen`: the loopback alone."""

    listen: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    insecure_lan: bool = False


class Lan(Struct, frozen=True, kw_only=True):
    """An address that may be listened on. `context` None: without TLS, as somebody said it may be."""

    address: str
    context: ssl.SSLContext | None

    @property
    def scheme(self) -> str:
        return "http" if self.context is None else "https"

    @property
    def name(self) -> str:
        """The address as it stands in URLs."""
        return f"[{self.address}]" if ":" in self.address else self.address


def checked(wanted: Wanted) -> Lan | None:
    """Return what to listen on beside the loopback, None for nothing. Raises: BadRequest, with words."""
    if not wanted.listen:
        if wanted.tls_cert or wanted.tls_key or wanted.insecure_lan:
            raise BadRequest(
                "--tls-cert, --tls-key and --insecure-lan are about --listen: give an address", "listen"
            )
        return None
    address = _address(wanted.listen)
    if wanted.insecure_lan and (wanted.tls_cert or wanted.tls_key):
        raise BadRequest("either with TLS or with --insecure-lan: not both", "insecure_lan")
    if wanted.insecure_lan:
        return Lan(address=str(address), context=None)
    if not wanted.tls_cert:
        raise BadRequest(_NEEDS, "tls_cert")
    return Lan(address=str(address), context=_context(wanted.tls_cert, wanted.tls_key))


def _address(text: str) -> IPv4Address | IPv6Address:
    try:
        address = ip_address(text)
    except ValueError:
        raise BadRequest(f"--listen takes one address of this computer, not {text!r}", "listen") from None
    if address.is_unspecified:
        raise BadRequest(
            "--listen takes one address: all of them may be more networks than you think of", "listen"
        )
    if address.is_loopback:
        raise BadRequest("the loopback is listened on anyway: --listen is for another address", "listen")
    if address.is_multicast or address.is_link_local or getattr(address, "scope_id", None):
        raise BadRequest(f"{text} is no address that a browser can reach this computer by", "listen")
    if address.is_global:
        raise BadRequest(
            f"{text} can be reached from the whole Internet: put a proxy with its own login in front, and "
            "give its name by --public-url",
            "listen",
        )
    return address


def _context(certificate: str, key: str) -> ssl.SSLContext:
    """Return what TLS is spoken with. Raises: BadRequest."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2

    def no_password() -> str:
        raise BadRequest(
            f"{key or certificate} is locked by a password; the desk starts without you", "tls_key"
        )

    try:
        context.load_cert_chain(certificate, key or None, no_password)
    except (OSError, ValueError) as error:
        raise BadRequest(
            f"{certificate} cannot be used as a certificate: {_why(error)}", "tls_cert"
        ) from None
    return context


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return f"{error.reason or 'not readable'}, of the certificate or its key".lower().replace("_", " ")
    return (error.strerror if isinstance(error, OSError) else "") or "not readable"


class LanServer:
    """Serves an application on one more address, as soon as this computer has it."""

    def __init__(self, lan: Lan, port: int) -> None:
        self.url = f"{lan.scheme}://{lan.name}:{port}"
        self._lan = lan
        self._port = port
        self._off = ""

    def troubles(self) -> list[str]:
        """Return what is wrong, in words."""
        found = [self._off] if self._off else []
        if self._lan.context is None:
            found.append(
                f"{self.url} is not encrypted (--insecure-lan): whoever listens in that network reads what "
                "agents ask, and can answer in your place"
            )
        return found

    async def serve(self, app: Starlette, stop: asyncio.Event) -> None:
        """Serve until told to stop."""
        while not stop.is_set():
            bound = http_bind.bind_to(self._lan.address, self._port)
            if not isinstance(bound, http_bind.HeldBy):
                self._off = ""
                await http_server.serve(app, [bound], stop, self._lan.context)
                return
            self._note(bound.text)
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S):
                    await stop.wait()

    def _note(self, why: str) -> None:
        off = f"{self.url} is not served: {why}"
        if off != self._off:
            self._off = off
            log.warning("%s", off)
