"""The routes of a `Store`, as an ASGI application without any authentication of its own.

Paths, bodies and errors are those of the desk's own server (`daemon.http_routes`).
Not here: who calls. Imports `daemon`, starlette.
"""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send

from sayso.daemon import http_body
from sayso.daemon.http_errors import headers, on_http_error, on_internal_error, on_sayso_error
from sayso.daemon.http_hold import ClientGone
from sayso.daemon.http_routes import ROUTES, Params, Route
from sayso.daemon.service import Caller, Service
from sayso.errors import SaysoError

_MOUNTED = ("/api/agent-requests", "/api/agent-messages")
PATHS = tuple(route for route in ROUTES if route.path.startswith(_MOUNTED))


def make_handler(service: Service, caller: Caller) -> Starlette:
    """Return the application; whoever reaches it calls as `caller`."""
    app = Starlette(
        routes=[_mounted(route, service, caller) for route in PATHS],
        exception_handlers={
            SaysoError: on_sayso_error,
            HTTPException: on_http_error,
            Exception: on_internal_error,
        },
    )
    app.router.redirect_slashes = False
    return app


def _mounted(route: Route, service: Service, caller: Caller) -> StarletteRoute:
    mounted = StarletteRoute(route.path, _Endpoint(route, service, caller), methods=[route.method])
    mounted.methods = {route.method}  # HEAD would come with GET, and would mark a row as seen
    return mounted


class _Endpoint:
    """One route."""

    def __init__(self, route: Route, service: Service, caller: Caller) -> None:
        self._route = route
        self._service = service
        self._caller = caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            params = self._route.params(request.path_params, await self._body(request))
        except ClientGone:
            return
        result = await self._service.call(self._caller, self._route.call, params)
        body = msgspec.json.encode(self._route.shape(result))
        await Response(body, 200, headers(), "application/json")(scope, receive, send)

    async def _body(self, request: Request) -> Params:
        if self._route.body is None:
            return {}
        body: dict[str, Any] = http_body.decode(
            await http_body.read(request), request.headers, self._route.body
        )
        return body
