"""The shape of a row in the table of HTTP routes (`http_routes`). Imports `wire.protocol`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from sayso.wire.protocol import Power

Params = dict[str, Any]


def _nothing(_path: Mapping[str, str], _body: Params) -> Params:
    return {}


def _as_given(result: Any) -> Any:
    return result


class Route(Struct, frozen=True, kw_only=True):
    """One route. One that needs the power none needs no credential either.

    `call`: the desk's method; "" where the server answers by itself. `body`: the type
    that a body must fit, None where none is read. `params` makes the method's
    parameters from path and body, `shape` the response from its result, whose type is
    `result` (None: any object). `holds`: it takes as long as a person does, so it ends
    when its client leaves. `errors`: statuses beyond those of every route. `events`: what
    a stream of events tells; "" for no stream.

    Of the interaction bridge: `bridge` names what it does there, `query` the type of what
    stands behind the path's question mark, `headers` what it reads beside that. `raw`: the
    body is anything. `basic`: a token that may only ask is taken as Authorization: Basic, too.
    """

    method: str
    path: str
    call: str
    power: Power
    about: str
    result: type | None = None
    body: type | None = None
    params: Callable[[Mapping[str, str], Params], Params] = _nothing
    shape: Callable[[Any], Any] = _as_given
    holds: bool = False
    errors: tuple[int, ...] = ()
    events: str = ""
    bridge: str = ""
    query: type | None = None
    headers: tuple[str, ...] = ()
    raw: bool = False
    basic: bool = False
