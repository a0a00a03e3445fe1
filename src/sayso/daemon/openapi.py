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
    409: "The request is settled, or never was; `state` says how. Or its id is taken.",
    413: "The body is too large.",
    503: "The desk is stopping.",
}
_IN_QUERY = {
    "id": "The id of a request.",
    "timeoutMs": "How long to wait, in milliseconds: from 1000 to 600000, 110000 if it is left out.",
    "sessionId": "What the caller calls a session; of all, if it is left out.",
    "session": "The same.",
    "action": "What happened, where the body does not say so: permission-request, prompt-submit, stop, …",
}
_PARAMETERS = {
    "id": "The id of what the path names: a request, a session, a device, a code.",
    "n": "The row's number, from 0.",
    "agent": "The agent's name.",
}


_BASIC = "The password is the token of a device that may only ask; the name is not looked at."
_SESSION = "What the caller calls the session; before the parameters of this name."


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
            "securitySchemes": {
                "device": {"type": "http", "scheme": "bearer"},
                "asker": {"type": "http", "scheme": "basic", "description": _BASIC},
            },
        },
        "security": [{"device": []}],
    }


def _path(route: Route) -> str:
    return re.sub(r":\w+}", "}", route.path)


def _operation_id(route: Route, routes: Sequence[Route]) -> str:
    """Return the method's name; where two routes call it, with the route's method."""
    if route.bridge:
        return f"interaction.{route.bridge}"
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
    if route.basic:
        operation["security"] = [{"device": []}, {"asker": []}]
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.body is not None or route.raw:
        operation["requestBody"] = {
            "required": route.body is not None and bool(_required(route.body)),
            "content": {"application/json": {"schema": schemas[route.body] if route.body else {}}},
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
    if route.query is not None:
        parameters += [_in_query(field) for field in msgspec.structs.fields(route.query)]
    for name in route.headers:
        parameters.append(
            {"name": name, "in": "header", "schema": {"type": "string"}, "description": _SESSION}
        )
    return parameters


def _in_query(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    schema = {"type": "string"} if field.type is str else {"type": "number"}
    name = field.encode_name
    return {
        "name": name,
        "in": "query",
        "required": field.required,
        "schema": schema,
        "description": _IN_QUERY[name],
    }


def _in_path(name: str) -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    number = {"type": "integer", "minimum": 0, "maximum": MAX_ROW}
    schema = number if name == "n" else text
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": _PARAMETERS[name]}


def _responses(route: Route, schemas: dict[type, dict[str, Any]]) -> dict[str, Any]:
    statuses = sorted({*_ALWAYS, *route.errors, *(_WITH_BODY if route.body is not None or route.raw else ())})
    error = {"application/json": {"schema": schemas[ErrorBody]}}
    return {
        "200": {"description": "Done.", "content": _content(route, schemas)},
        **{str(status): {"description": _WORDS[status], "content": error} for status in statuses},
    }


def _content(route: Route, schemas: dict[type, dict[str, Any]]) -> dict[str, Any]:
    if route.events:
        return {CONTENT_TYPE: {"schema": {"type": "string", "description": route.events}}}
    if route.result is None or route.path == DOCUMENT:
        return {"application/json": {"schema": {"type": "object"}}}
    return {"application/json": {"schema": schemas[route.result]}}
