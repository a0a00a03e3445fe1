"""The one shape of an error over HTTP, and the headers that every response carries.

::

    {"ok": false, "error": "words for a person", "code": "request_gone", "status": 409}

`field` (a bad request) and `state` (a request that is gone) may stand beside them.
Not here: which errors there are (`errors`). Imports starlette.
"""

from __future__ import annotations

from email.utils import formatdate

import msgspec
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from sayso.errors import SaysoError, UnknownMethod

SECURITY_HEADERS: dict[str, str] = {
    "content-security-policy": "; ".join(
        f"{what} 'none'" for what in ("default-src", "base-uri", "form-action", "frame-ancestors")
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""On every response, unless it sets its own. There is no CORS header, ever."""


class ErrorBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every failed request is answered with."""

    ok: bool
    error: str
    code: str
    status: int
    field: str = ""
    state: str = ""


class NotAllowed(UnknownMethod):
    """The path exists; it has no such method."""

    status = 405


def headers(**more: str) -> dict[str, str]:
    """Return the headers of a response of ours."""
    return {**SECURITY_HEADERS, "date": formatdate(usegmt=True), **more}


def error_body(error: SaysoError) -> bytes:
    data = error.data
    return msgspec.json.encode(
        ErrorBody(
            ok=False,
            error=error.text,
            code=error.code,
            status=error.status,
            field=data.get("field", ""),
            state=data.get("state", ""),
        )
    )


def error_response(error: SaysoError, **more: str) -> Response:
    """Return an error in its one shape."""
    if error.status == 401:
        more = {"www-authenticate": 'Bearer realm="sayso"', **more}
    return Response(error_body(error), error.status, headers(**more), "application/json")


async def on_sayso_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, SaysoError)
    return error_response(error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer what the router itself refuses: an unknown path, or a path's unknown method."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allow = Headers(error.headers).get("allow", "")
        words = f"{request.method} is not possible here; {allow} is"
        return error_response(NotAllowed(words), allow=allow)
    return error_response(UnknownMethod("there is nothing at this path"))


async def on_internal_error(_request: Request, _error: Exception) -> Response:
    """Answer a mistake of ours; the server logs where it is, never what it was about."""
    return error_response(SaysoError("the desk made a mistake; its log says where"))
