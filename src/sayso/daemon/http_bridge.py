"""The interaction bridge over HTTP: credentials, bodies, and who is still there.

Each route of the table that names something of the bridge is one of these. Not here: what it means
(`bridge`, `hook_routes`). Imports starlette.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from functools import partial
from math import inf
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sayso.daemon import http_body, http_stream
from sayso.daemon.bridge import Bridge, Outcome
from sayso.daemon.bridge_routes import SESSION_HEADER
from sayso.daemon.devices import Devices
from sayso.daemon.hook_routes import HookRoutes
from sayso.daemon.http_errors import error_response, headers
from sayso.daemon.http_hold import (
    STOPPING_S,
    ClientGone,
    Ends,
    cancelled,
    disconnected,
    finish,
    while_connected,
)
from sayso.daemon.http_identity import identified
from sayso.daemon.http_outside import await_outside
from sayso.daemon.http_route import Route
from sayso.daemon.service import Caller
from sayso.errors import BadRequest, Refused, SaysoError, Unavailable
from sayso.wire.jsonrpc import bad_field, convert

CHANNEL = "bridge"
Call = Callable[[], Coroutine[Any, Any, Outcome]]


class Side(Struct, frozen=True):
    """What stands behind the bridge's routes; None of it where a server has no bridge."""

    bridge: Bridge
    hooks: HookRoutes


def side_of(bridge: Bridge | None) -> Side | None:
    return Side(bridge, HookRoutes(bridge)) if bridge is not None else None


class BridgeEndpoint:
    """One route, as an ASGI application."""

    def __init__(self, route: Route, side: Side | None, devices: Devices, ends: Ends) -> None:
        self._route = route
        self._side = side
        self._devices = devices
        self._ends = ends

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        caller = self._caller(request)
        side = self._side
        if side is None:
            raise Unavailable("this desk has no interaction bridge")
        if self._route.events:
            await_outside(scope, Streamed(self._ends, side.bridge, caller))
            return
        with self._ends.entered(caller.credential) as ended:
            try:
                call = await finish(self._call(side, request, caller), ended, STOPPING_S)
                if self._route.holds:
                    await_outside(scope, Held(self._ends, caller.credential, call))
                    return
                outcome = await finish(call(), ended, STOPPING_S)
            except ClientGone:
                return
        await _answer(outcome, scope, receive, send)

    def _caller(self, request: Request) -> Caller:
        device = identified(request, self._devices, basic=self._route.basic)
        if device.power < self._route.power:
            need, have = self._route.power.name.lower(), device.power.name.lower()
            raise Refused(f"this needs the power to {need}; this device may {have}")
        return Caller(power=device.power, channel=CHANNEL, name=device.name, credential=device.id)

    async def _call(self, side: Side, request: Request, caller: Caller) -> Call:
        """Read what the request carries, and return what is to be done with it."""
        query = _query(request, self._route.query)
        if self._route.raw:
            body = await http_body.read(request)
            named = request.headers.get(SESSION_HEADER, "")
            return partial(_HOOKS[self._route.bridge], side.hooks, caller, query, named, body)
        if self._route.body is None:
            return partial(_CALLS[self._route.bridge], side.bridge, caller, query)
        given = await _body(request, self._route.body)
        return partial(_CALLS[self._route.bridge], side.bridge, caller, given)


class Held(Struct):
    """A call that waits for a person, as an ASGI application; what it was given is kept once."""

    ends: Ends
    credential: str
    call: Call | None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call, self.call = self.call, None
        assert call is not None
        work = call()
        del call
        with self.ends.entered(self.credential) as ended:
            try:
                outcome = await while_connected(work, receive, ended)
            except ClientGone:
                return
            except SaysoError as error:
                await error_response(error)(scope, receive, send)
                return
        await _answer(outcome, scope, receive, send)


class Streamed(Struct, frozen=True):
    """A stream for a reader of document 004, as an ASGI application. Who may answer watches meanwhile."""

    ends: Ends
    bridge: Bridge
    caller: Caller

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        bridge, caller = self.bridge, self.caller
        watcher = f"bridge {caller.credential} {secrets.token_hex(4)}"
        with self.ends.entered(caller.credential) as ended:
            try:
                encode = partial(bridge.event, caller)
                beat = _now_and_then(partial(bridge.watch, caller, watcher, True))
                beat()  # before a word of it: who has read the head may rely on it
                await http_stream.stream(bridge.subscribe(caller), receive, send, ended, encode, beat)
            finally:
                bridge.watch(caller, watcher, False)


def _now_and_then(beat: Callable[[], None]) -> Callable[[], None]:
    """Return what beats, but not at each of many changes: all that waits is looked at each time."""
    loop, due_s = asyncio.get_running_loop(), -inf

    def beat_if_due() -> None:
        nonlocal due_s
        if loop.time() >= due_s:
            due_s = loop.time() + http_stream.HEARTBEAT_S / 2
            beat()

    return beat_if_due


async def _answer(outcome: Outcome, scope: Scope, receive: Receive, send: Send) -> None:
    """Send what a call is answered with, and tell it whether its client was there to take it."""
    there = False
    try:
        there = await _is_there(receive)
        if there:
            body = outcome.body if isinstance(outcome.body, bytes) else msgspec.json.encode(outcome.body)
            await Response(body, 200, headers(), "application/json")(scope, receive, send)
    finally:
        outcome.sent(there)


async def _is_there(receive: Receive) -> bool:
    """Whether the client has not closed its connection, as far as is known now."""
    gone = asyncio.ensure_future(disconnected(receive))
    await asyncio.sleep(0)
    there = not gone.done()
    await cancelled(gone)
    return there


async def _body(request: Request, shape: type[Any]) -> Any:
    body = await http_body.read(request)
    return convert(http_body.decode(body, request.headers, shape), shape)


def _query(request: Request, shape: type[Any] | None) -> Any:
    """Return what stands behind the path's question mark. Raises BadRequest, naming the parameter."""
    if shape is None:
        return None
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in given and shape.__struct_config__.forbid_unknown_fields:
            raise BadRequest(f"{name[:100]!r} is given twice", name[:100])
        given[name] = value
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as error:
        raise bad_field(error) from None


_CALLS: dict[str, Callable[[Bridge, Caller, Any], Coroutine[Any, Any, Outcome]]] = {
    "register": Bridge.register,
    "request": Bridge.request,
    "wait": Bridge.wait,
    "notify": Bridge.notify,
    "respond": Bridge.respond,
    "pending": Bridge.pending,
    "desktop_state": Bridge.desktop_state,
}
_HOOKS: dict[str, Callable[[HookRoutes, Caller, Any, str, bytes], Coroutine[Any, Any, Outcome]]] = {
    "claude": HookRoutes.claude,
    "codex": HookRoutes.codex,
}
