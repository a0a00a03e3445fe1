"""The body of a request: read within bounds, decoded, checked against its type.

A body is JSON in UTF-8 that says so in its Content-Type: a form or a text that a page
of another site sends without asking is refused for that alone. Whatever is wrong with
it is a bad request that names the field, except its size. Imports starlette and `wire`.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request

from sayso.daemon.http_hold import ClientGone
from sayso.errors import BadRequest, TooLarge
from sayso.wire.jsonrpc import convert

MAX_BODY_BYTES = 1024 * 1024
MAX_STRANGERS_BYTES = 4096
"""Where no credential is asked for."""
BODY_S = 30.0
"""How long a body may take to arrive."""


async def read(request: Request, most_bytes: int = MAX_BODY_BYTES) -> bytes:
    """Return the body.

    Raises: TooLarge; BadRequest, when it does not arrive; ClientGone.
    """
    _check_size(request.headers, most_bytes)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most_bytes:
                    raise _too_large(most_bytes)
    except ClientDisconnect:
        raise ClientGone from None
    except TimeoutError:
        raise BadRequest(f"the body did not arrive within {BODY_S:g} s") from None
    return bytes(body)


def _check_size(headers: Headers, most_bytes: int) -> None:
    length = headers.get("content-length", "0")
    if length.isascii() and length.isdigit() and int(length[:20]) > most_bytes:
        raise _too_large(most_bytes)


def _too_large(most_bytes: int) -> TooLarge:
    return TooLarge(f"a body may have {most_bytes} bytes at most")


def decode(body: bytes, headers: Headers, shape: type) -> dict[str, Any]:
    """Return a body's fields as they were given, once they fit `shape`.

    Only what was given is returned: a field that is absent is not one with its default.
    Raises: BadRequest, naming the field.
    """
    if body:
        _check_type(headers)
    fields = _parse(body or b"{}")
    convert(fields, shape)
    return fields


def _parse(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"the body is not JSON: {error}") from None
    except RecursionError:
        raise BadRequest("the body is nested too deeply") from None


def _check_type(headers: Headers) -> None:
    kind, _, parameters = headers.get("content-type", "").partition(";")
    if kind.strip().lower() != "application/json" or len(headers.getlist("content-type")) != 1:
        raise BadRequest("a body must be sent as Content-Type: application/json", "content-type")
    if parameters.strip().lower().replace('"', "") not in ("", "charset=utf-8"):
        raise BadRequest("a body must be JSON in UTF-8", "content-type")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise BadRequest("a body must not be compressed", "content-encoding")
