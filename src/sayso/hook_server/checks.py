"""What is asked of a request before it is an event: who may send one, and what it must look like.

In order: a page of the web (403), the path (404), the method (405), the token (401), the size (413), the
body (400). Not here: how many may wait. Imports `sayso.errors` and the standard library.
"""

from __future__ import annotations

import json
from secrets import compare_digest
from typing import Any, NamedTuple, NoReturn
from urllib.parse import parse_qs, urlsplit

from sayso.errors import BadRequest, Refused, SaysoError, TooLarge, Unauthorized, UnknownMethod
from sayso.hook_server.errors import NotAllowed

PATH = "/hook"
_NAMES = frozenset(("127.0.0.1", "localhost", "[::1]"))
_BEARER = "bearer "


class Head(NamedTuple):
    """A request without its body. The names of headers are in lower case."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]

    def every(self, name: str) -> list[str]:
        return [value for found, value in self.headers if found == name]

    def one(self, name: str) -> str:
        return ", ".join(self.every(name))


def refusal(head: Head, token: str, most_bytes: int) -> SaysoError | None:
    """Return why a request is not listened to, or None; nothing of its body was read."""
    path, query = _target(head.target)
    if _is_a_pages(head):
        return Refused("a hook is called by an agent on this machine, not by a page of the web")
    if path != PATH:
        return UnknownMethod(f"there is nothing at this path; hooks go to {PATH}")
    if head.method != "POST":
        return NotAllowed(f"{head.method} is not possible here; POST is")
    if not _may(head, query, token):
        return Unauthorized("the token of this server is missing, or is another's")
    length = head.one("content-length")
    if length.isascii() and length.isdigit() and int(length[:20]) > most_bytes:
        return too_large(most_bytes)
    return None


def too_large(most_bytes: int) -> TooLarge:
    return TooLarge(f"a body may have {most_bytes} bytes at most")


def _target(target: str) -> tuple[str, str]:
    try:
        parts = urlsplit(target)
    except ValueError:
        return "", ""
    return parts.path, parts.query


def _is_a_pages(head: Head) -> bool:
    """Whether a browser sends this: under a name that leads here, or from a page wherever it is."""
    hosts = head.every("host")
    if len(hosts) != 1 or _name(hosts[0]) not in _NAMES:
        return True
    return bool(head.every("origin")) or any(site != "none" for site in head.every("sec-fetch-site"))


def _name(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def _may(head: Head, query: str, token: str) -> bool:
    given = parse_qs(query, max_num_fields=16).get("t", []) if query.count("&") < 16 else []
    for value in head.every("authorization"):
        if value[: len(_BEARER)].lower() == _BEARER:
            given.append(value[len(_BEARER) :].strip())
    wanted = token.encode()
    return any(compare_digest(one.encode("utf-8", "replace"), wanted) for one in given)


# --- the body --------------------------------------------------------------------------


def payload(head: Head, body: bytes) -> dict[str, Any]:
    """Return what a body says. Raises BadRequest."""
    kind, _, parameters = head.one("content-type").partition(";")
    if kind.strip().lower() != "application/json":
        raise BadRequest("a hook is sent as Content-Type: application/json", "content-type")
    if parameters.strip().lower().replace('"', "") not in ("", "charset=utf-8"):
        raise BadRequest("a hook is sent as JSON in UTF-8", "content-type")
    if head.one("content-encoding").lower() not in ("", "identity"):
        raise BadRequest("a hook is not sent compressed", "content-encoding")
    found = _decoded(body)
    if not isinstance(found, dict):
        raise BadRequest("a hook is a JSON object")
    return found  # pyright: ignore[reportUnknownVariableType]


def _decoded(body: bytes) -> Any:
    # Not msgspec: an agent may send half a surrogate pair, and is asked about all the same.
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else type(error).__name__
        raise BadRequest(f"the body is not JSON: {why}") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
