"""The static parts of the page, served without a credential to whoever may know the address.

They are the same for everybody and say nothing about requests; what the page shows it asks for
with a device's credential. Not here: the files (`sayso.web`), whose requests are listened to at
all (`http_guard`). Imports starlette.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

from sayso.web import Asset

_DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'none'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    # Lit's own, and the page's one for the address of its service worker.
    "trusted-types lit-html sayso",
)
POLICY = "; ".join(_DIRECTIVES)
"""Nothing from elsewhere, nothing in place, nothing that makes code out of text."""
_METHODS = ("GET", "HEAD")
_PACKED = frozenset({"text/css", "text/html", "text/javascript", "image/svg+xml", "text/plain"})
_LEAST_PACKED_BYTES = 1024


class Pages(BaseRoute):
    """One route for all files: a path is looked up, and nothing is ever read from a disk by it."""

    def __init__(self, assets: Mapping[str, Asset]) -> None:
        self._assets = assets
        self._packed: dict[str, bytes] = {}

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http" or scope["path"] not in self._assets:
            return Match.NONE, {}
        return (Match.FULL if scope["method"] in _METHODS else Match.PARTIAL), {}

    def url_path_for(self, name: str, /, **path_params: object) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NoMatchFound(name, dict(path_params))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in _METHODS:
            raise HTTPException(405, headers={"Allow": ", ".join(_METHODS)})
        await self._response(self._assets[scope["path"]], Headers(scope=scope))(scope, receive, send)

    def _response(self, asset: Asset, asked: Headers) -> Response:
        headers = {
            "content-security-policy": POLICY,
            "cache-control": asset.cache,
            "etag": asset.etag,
            "vary": "accept-encoding",
        }
        if _has(asked, asset.etag):
            return Response(status_code=304, headers=headers)
        body = asset.body
        if _can_pack(asset, asked):
            headers["content-encoding"] = "gzip"
            headers["etag"] = f"W/{asset.etag}"  # the same content, in other bytes
            body = self._pack(asset)
        return Response(body, 200, headers, asset.kind)

    def _pack(self, asset: Asset) -> bytes:
        """Return a file's body packed; it holds no secret whose length could tell of it."""
        if asset.path not in self._packed:
            self._packed[asset.path] = gzip.compress(asset.body, mtime=0)
        return self._packed[asset.path]


def _can_pack(asset: Asset, asked: Headers) -> bool:
    kind = asset.kind.partition(";")[0]
    if kind not in _PACKED or len(asset.body) < _LEAST_PACKED_BYTES:
        return False
    offered = [word.strip().lower() for word in asked.get("accept-encoding", "").split(",")]
    return any(word.partition(";")[0] == "gzip" and not word.endswith("q=0") for word in offered)


def _has(asked: Headers, etag: str) -> bool:
    """Whether a browser says that it has this very file."""
    given = (word.strip().removeprefix("W/") for word in asked.get("if-none-match", "").split(","))
    return etag in given
