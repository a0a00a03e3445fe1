"""The OpenAPI document, made from the table of routes and the types behind them.

Not written by hand anywhere, so it cannot say what the server does not do. Imports
msgspec and `http_routes`.

Source: https://spec.openapis.org/oas/v3.1.1.html
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from sayso import __version__
from sayso.daemon.http_errors import ErrorBody
from sayso.daemon.http_routes import ASK_USER, DOCUMENT, EVENTS, MAX_ROW, ROUTES, Route
from sayso.wire.protocol import Power
from sayso.wire.sse import CONTENT_TYPE
from sayso.wire.views import Change

_ALWAYS = (400, 401, 403, 503)
_WITH_BODY = (413,)
_WORDS = {
    400: "The request is malformed; `field` says where.",
    401: "No token, or not one of a device that the desk knows.",
    403: "The device lacks the power, or the request comes from another site.",
    404: "There is no such thing, or no session that would take a message.",
    409: "The request is settled, or never was; `state` says how.",
    413: "The body is too large.",
    503: "The desk is stopping.",
}
_PARAMETERS = {
    "id": "The id of what the path names: a request, a session, a device, a code.",
    "n": "The row's number, from 0.",
    "agent": "The agent's name.",
}


def document(routes: Sequence[Route] = ROUTES) -> dict[str, Any]:
    """Return the document, as what JSON can hold."""
    types = [kind for route in routes for kind in (route.body, route.result) if kind is not None]
    known = {kind: kind for kind in (*types, Change, ErrorBody)}
    references, components = msgspec.json.schema_components(known, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(known, references, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(_path(route), {})[route.method.lower()] = _operation(route, schemas, routes)
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "sayso",
            "version": __version__,
            "description": "The desk of this machine: what coding agents ask, and the answers to it.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"device": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"device": []}],
    }


def _path(route: Route) -> str:
    return re.sub(r":\w+}", "}", route.path)


def _operation_id(route: Route, routes: Sequence[Route]) -> str:
    """Return the method's name; where two routes call it, with the route's method."""
    alike = sum(other.call == route.call for other in routes)
    return f"{route.call}.{route.method.lower()}" if alike > 1 else route.call or "document"


def _operation(route: Route, schemas: dict[type, dict[str, Any]], routes: Sequence[Route]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": _operation_id(route, routes),
        "summary": route.about,
        "description": f"Needs the power: {route.power.name.lower()}.",
        "responses": _responses(route, schemas),
    }
    if route.power is Power.NONE:
        operation |= {"description": "Needs no credential, and no power.", "security": []}
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {
            "required": bool(_required(route.body)),
            "content": {"application/json": {"schema": schemas[route.body]}},
        }
    return operation


def _required(body: type) -> list[str]:
    fields = msgspec.structs.fields(body)
    return [field.encode_name for field in fields if field.required]


def _parameters(route: Route) -> list[dict[str, Any]]:
    parameters = [_in_path(name) for name in re.findall(r"{(\w+)", route.path)]
    if route.path == EVENTS:
        about = "The last event seen; of this run of the desk, the stream goes on from there."
        parameters.append(
            {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}, "description": about}
        )
        about = "1: each change of what programs ask themselves is followed by an event askUserEvent."
        parameters.append(
            {"name": ASK_USER, "in": "query", "schema": {"type": "string"}, "description": about}
        )
    return parameters


def _in_path(name: str) -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    number = {"type": "integer", "minimum": 0, "maximum": MAX_ROW}
    schema = number if name == "n" else text
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": _PARAMETERS[name]}


def _responses(route: Route, schemas: dict[type, dict[str, Any]]) -> dict[str, Any]:
    statuses = sorted({*_ALWAYS, *route.errors, *(_WITH_BODY if route.body is not None else ())})
    error = {"application/json": {"schema": schemas[ErrorBody]}}
    return {
        "200": {"description": "Done.", "content": _content(route, schemas)},
        **{str(status): {"description": _WORDS[status], "content": error} for status in statuses},
    }


def _content(route: Route, schemas: dict[type, dict[str, Any]]) -> dict[str, Any]:
    if route.path == EVENTS:
        about = "Every event's data is a Change as JSON; its id is the Change's boot and seq."
        return {CONTENT_TYPE: {"schema": {"type": "string", "description": about}}}
    if route.result is None or route.path == DOCUMENT:
        return {"application/json": {"schema": {"type": "object"}}}
    return {"application/json": {"schema": schemas[route.result]}}
