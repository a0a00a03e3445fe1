"""Whose requests the HTTP server listens to at all: a check before any route.

A browser runs pages of strangers, and every one of them can send requests to the
loopback. Three things tell them apart: the Host they believe to be talking to (a name
that was re-pointed at 127.0.0.1 is not ours), the Origin of the page, and what the
browser says about the two (Sec-Fetch-Site). None of these is a credential: that is
`Authorization: Bearer`, checked by each route. Imports starlette.
"""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import formatdate
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.daemon.http_errors import SECURITY_HEADERS, error_response
from sayso.errors import BadRequest, Refused

_NAMES = ("127.0.0.1", "localhost", "[::1]")
_STANDARD_PORTS = {"http": 80, "https": 443}
_OWN_SITES = frozenset({"same-origin", "none"})


class Access(Struct, frozen=True):
    """The names under which this server may be spoken to."""

    hosts: frozenset[str]
    origins: frozenset[str]


def access(port: int, public_url: str = "", lan_url: str = "") -> Access:
    """Return the names of a server on this port of the loopback.

    Args:
        lan_url: the address beside the loopback that it listens on.
        public_url: where else people reach it, through a proxy or a tunnel: scheme and
            host, and a port where it is not the scheme's own.
    Raises: BadRequest, when that is no such URL.
    """
    hosts = {host for name in _NAMES for host in _hosts("http", name, port)}
    origins = {f"http://{host}" for host in hosts}
    for url in filter(None, (public_url, lan_url)):
        scheme, name, public_port = _public(url)
        public = _hosts(scheme, name, public_port)
        hosts |= public
        origins |= {f"{scheme}://{host}" for host in public}
    return Access(frozenset(hosts), frozenset(origins))


def _hosts(scheme: str, name: str, port: int) -> set[str]:
    bare = {name} if _STANDARD_PORTS[scheme] == port else set[str]()
    return {f"{name}:{port}", *bare}


def _public(url: str) -> tuple[str, str, int]:
    wrong = BadRequest(
        f"{url!r} is no address of a server: give https://host or https://host:port", "public_url"
    )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise wrong from None
    beyond = parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in _STANDARD_PORTS or not parts.hostname or beyond or not url.isascii():
        raise wrong
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.scheme, name, port or _STANDARD_PORTS[parts.scheme]


def refusal(access: Access, headers: Headers, *, page: bool) -> Refused | None:
    """Return why a request is not listened to, or None.

    Args:
        page: it asks for a part of the page, to which any site may link.
    """
    hosts = headers.getlist("host")
    if len(hosts) != 1 or hosts[0].lower() not in access.hosts:
        return Refused(
            "this name is not the desk's; use http://127.0.0.1 with its port, or give it by --public-url"
        )
    if page:
        return None
    if any(origin.lower() not in access.origins for origin in headers.getlist("origin")):
        return Refused("requests from the pages of other sites are refused")
    if any(site not in _OWN_SITES for site in headers.getlist("sec-fetch-site")):
        return Refused("requests that another site caused are refused")
    return None


class Guard:
    """Refuses what `refusal` names, and gives every response the security headers."""

    def __init__(self, app: ASGIApp, access: Access, pages: Sequence[BaseRoute]) -> None:
        self._app = app
        self._access = access
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        why = refusal(self._access, Headers(scope=scope), page=self._is_page(scope))
        if why:
            await error_response(why)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _complete(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _is_page(self, scope: Scope) -> bool:
        return any(page.matches(scope)[0] is Match.FULL for page in self._pages)


def _complete(headers: MutableHeaders) -> None:
    headers.setdefault("date", formatdate(usegmt=True))
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)
