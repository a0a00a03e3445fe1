"""The desk over HTTP: an application made from the table of routes.

One way through for every route: listened to at all (`http_guard`), there (404, 405),
known (401), allowed (403), readable (413, 400), then the desk's own answer. The
credential is `Authorization: Bearer` alone: cookies are shared by all ports of a host,
and agents start servers; a URL ends up in logs. Only who asks over the interaction
bridge (`http_bridge`) may send a token of that power alone as Basic.

Not here: sockets (`http_bind`, `http_server`), the page. Imports starlette.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from sayso.daemon import http_body, http_stream
from sayso.daemon.bridge import Bridge
from sayso.daemon.devices import Devices
from sayso.daemon.http_bridge import BridgeEndpoint, Side, side_of
from sayso.daemon.http_errors import (
    error_response,
    headers,
    on_http_error,
    on_internal_error,
    on_sayso_error,
)
from sayso.daemon.http_guard import Access, Guard
from sayso.daemon.http_hold import STOPPING_S, ClientGone, Ends, finish, while_connected
from sayso.daemon.http_identity import identified as identified
from sayso.daemon.http_outside import await_outside, left_outside
from sayso.daemon.http_routes import ASK_USER, DOCUMENT, EVENTS, ROUTES, Route
from sayso.daemon.openapi import document
from sayso.daemon.service import Caller, Service, Subscription
from sayso.errors import Refused, SaysoError
from sayso.wire import sse
from sayso.wire.protocol import Power
from sayso.wire.views import Change

CHANNEL = "web"


class Backing(Struct, frozen=True):
    """What stands behind every route."""

    service: Service
    devices: Devices
    ends: Ends
    document: bytes
    side: Side | None


def make_app(
    service: Service,
    devices: Devices,
    access: Access,
    *,
    pages: Sequence[BaseRoute] = (),
    routes: Sequence[Route] = ROUTES,
    bridge: Bridge | None = None,
) -> Application:
    """Return the application.

    Args:
        access: the names under which it may be spoken to (`http_guard.access`).
        pages: what is served without a credential to whoever may know the address: the
            static parts of the page. They set their own Content-Security-Policy.
        bridge: what the routes of the interaction bridge do; without one they say that there is none.
    """
    backing = Backing(service, devices, Ends(), msgspec.json.encode(document(routes)), side_of(bridge))
    devices.watch(backing.ends.revoke)
    app = Application(
        routes=[*_mounted(routes, backing), *pages],
        middleware=[Middleware(Guard, access=access, pages=pages)],
        exception_handlers={
            SaysoError: on_sayso_error,
            HTTPException: on_http_error,
            Exception: on_internal_error,
        },
    )
    app.router.redirect_slashes = False
    app.state.ends = backing.ends
    return app


class Application(Starlette):
    """The application; what takes as long as a person does is awaited outside of its layers."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().__call__(scope, receive, send)
        held = left_outside(scope)
        if held is not None:
            if isinstance(scope["headers"], list):
                scope["headers"].clear()  # read by now; and a credential is kept no longer than needed
            await ServerErrorMiddleware(held, on_internal_error)(scope, receive, send)


def _mounted(routes: Sequence[Route], backing: Backing) -> list[StarletteRoute]:
    """Return one mounted route for each path, so that a wrong method is told all of the right ones."""
    paths: dict[str, dict[str, ASGIApp]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method] = _endpoint(route, backing)
    mounted = [StarletteRoute(path, ByMethod(ways), methods=list(ways)) for path, ways in paths.items()]
    for one, ways in zip(mounted, paths.values(), strict=True):
        # HEAD would come with GET, and would open a stream or mark a row as seen.
        one.methods = set(ways)
    return mounted


def _endpoint(route: Route, backing: Backing) -> ASGIApp:
    if route.bridge:
        return BridgeEndpoint(route, backing.side, backing.devices, backing.ends)
    return Endpoint(route, backing)


class ByMethod:
    """What is at one path, as an ASGI application."""

    def __init__(self, ways: Mapping[str, ASGIApp]) -> None:
        self._ways = ways

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._ways[scope["method"]](scope, receive, send)


class Endpoint:
    """One route, as an ASGI application."""

    def __init__(self, route: Route, backing: Backing) -> None:
        self._route = route
        self._backing = backing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        caller = self._caller(request)
        backing = self._backing
        if self._route.path == EVENTS:
            after = sse.seen_by(request.headers.get("last-event-id", ""), backing.service.boot)
            subscription = backing.service.subscribe(caller, after)
            ask_user = request.query_params.get(ASK_USER) == "1"
            await_outside(scope, Streamed(backing.ends, caller.credential, subscription, ask_user))
            return
        with backing.ends.entered(caller.credential) as ended:
            patience_s = 0.0 if self._route.holds else STOPPING_S
            try:
                response = await finish(self._respond(request, caller), ended, patience_s)
            except ClientGone:
                response = Response()  # goes nowhere
        if response is not None:
            await response(scope, receive, send)

    def _caller(self, request: Request) -> Caller:
        if self._route.power is Power.NONE:
            return Caller(power=Power.NONE, channel=CHANNEL, name="", credential="")
        device = identified(request, self._backing.devices)
        if device.power < self._route.power:
            need, have = self._route.power.name.lower(), device.power.name.lower()
            raise Refused(f"this needs the power to {need}; this device may {have}")
        return Caller(power=device.power, channel=CHANNEL, name=device.name, credential=device.id)

    async def _respond(self, request: Request, caller: Caller) -> Response | None:
        """Carry the route out; None when it is held, and goes on outside."""
        if self._route.path == DOCUMENT:
            return _json(self._backing.document)
        params = self._route.params(request.path_params, await self._body(request))
        # Only what is held ends with its client: an answer that came whole is carried out.
        if self._route.holds:
            await_outside(request.scope, Held(self._route, self._backing, caller, params))
            return None
        result = await self._backing.service.call(caller, self._route.call, params)
        return _json(msgspec.json.encode(self._route.shape(result)))

    async def _body(self, request: Request) -> dict[str, Any]:
        if self._route.body is None:
            return {}
        most_bytes = http_body.MAX_BODY_BYTES if self._route.power else http_body.MAX_STRANGERS_BYTES
        body = await http_body.read(request, most_bytes)
        return http_body.decode(body, request.headers, self._route.body)


class Held(Struct):
    """A call that waits for a person, as an ASGI application: all that is kept of its request, and once."""

    route: Route
    backing: Backing
    caller: Caller
    params: dict[str, Any]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        params, self.params = self.params, {}
        call = self.backing.service.call(self.caller, self.route.call, params)
        del params
        with self.backing.ends.entered(self.caller.credential) as ended:
            try:
                result = await while_connected(call, receive, ended)
            except ClientGone:
                return
            except SaysoError as error:
                response = error_response(error)
            else:
                response = _json(msgspec.json.encode(self.route.shape(result)))
        await response(scope, receive, send)


class Streamed(Struct, frozen=True):
    """A stream of changes, as an ASGI application."""

    ends: Ends
    credential: str
    subscription: Subscription
    ask_user: bool

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        with self.ends.entered(self.credential) as ended:
            encode = with_asks if self.ask_user else sse.encode
            await http_stream.stream(self.subscription, receive, send, ended, encode)


def with_asks(change: Change) -> bytes:
    """Return a change, and the same in the words of document 001 where it has some."""
    return sse.encode(change) + sse.encode_ask(change)


def _json(body: bytes) -> Response:
    return Response(body, 200, headers(), "application/json")
