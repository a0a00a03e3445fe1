"""The routes of the HTTP server, as one table: path, method of the desk, power, types.

The paths under /api/agent-requests and /api/agent-messages are those that programs for
this kind of desk already speak. Every GET is without side effects but one: reading a
row is a receipt, since the desk lets only those allow a request who were served all of
it. The interaction bridge's are in `bridge_routes`. Imports `wire`, `core.types`, `http_devices`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from sayso.core.states import State
from sayso.core.types import Reply, Row, Settings
from sayso.daemon import http_devices as dev
from sayso.daemon.bridge_routes import BRIDGE_ROUTES
from sayso.daemon.http_route import Params
from sayso.daemon.http_route import Route as Route
from sayso.daemon.pair_methods import Pairing
from sayso.daemon.push import PushKey
from sayso.errors import BadRequest
from sayso.wire.protocol import (
    METHODS,
    AwayParams,
    Power,
    PresenceParams,
    PushAnswerParams,
    PushSubscription,
    QueueParams,
)
from sayso.wire.views import MessageView, RequestView, SessionView, Snapshot

MAX_ROW = 1_000_000
"""No request has as many rows; a number that is larger is a mistake."""


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A body without fields; it may be left out."""


class Okay(Struct, frozen=True, kw_only=True):
    """It is done."""

    ok: bool


class Settled(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """It was taken; what becomes of the request comes as events.

    `acknowledged`: that was the first step of a command, which waits for the second.
    """

    ok: bool
    state: str
    acknowledged: bool = False


class Pending(Struct, frozen=True, kw_only=True):
    """The pending requests, oldest first, the queued messages, and the settings."""

    requests: tuple[RequestView, ...]
    messages: tuple[MessageView, ...]
    settings: Settings


class Sessions(Struct, frozen=True, kw_only=True):
    """The sessions the desk knows."""

    sessions: tuple[SessionView, ...]


def _body(_path: Mapping[str, str], body: Params) -> Params:
    return body


def _id(path: Mapping[str, str], _body: Params) -> Params:
    return {"id": path["id"]}


def _answer(path: Mapping[str, str], body: Params) -> Params:
    return {"id": path["id"], "reply": body}


def _settings(_path: Mapping[str, str], body: Params) -> Params:
    return {"settings": body}


def _subscription(_path: Mapping[str, str], body: Params) -> Params:
    return {"subscription": body}


def _ending(_path: Mapping[str, str], _body: Params) -> Params:
    return {"end": True}


def _session(path: Mapping[str, str], _body: Params) -> Params:
    return {"agent": path["agent"], "session_id": path["id"]}


def _row(path: Mapping[str, str], _body: Params) -> Params:
    number = path["n"]
    if not (number.isascii() and number.isdigit() and len(number) < 20 and int(number) <= MAX_ROW):
        raise BadRequest("a row is named by its number, from 0", "n")
    return {"id": path["id"], "row": int(number)}


def _okay(_result: Any) -> Okay:
    return Okay(ok=True)


def _pending(result: Snapshot) -> Pending:
    pending = tuple(request for request in result.requests if request.state == State.PENDING)
    return Pending(requests=pending, messages=result.messages, settings=result.settings)


def _route(method: str, path: str, call: str, about: str, **more: Any) -> Route:
    return Route(method=method, path=path, call=call, power=METHODS[call].power, about=about, **more)


ASK_USER = "ask_user"
"""The parameter with which a stream tells of what programs ask in their protocol's own words, too."""
EVENTS, DOCUMENT = "/api/events", "/api/openapi.json"
"""The two that are not one call with one result."""

ROUTES: tuple[Route, ...] = (
    _route(
        "GET",
        "/api/agent-requests",
        "desk.list",
        "The pending requests, oldest first, with queued messages and settings.",
        result=Pending,
        shape=_pending,
    ),
    _route(
        "POST",
        "/api/agent-requests/{id}/answer",
        "desk.answer",
        "Answers a request. A reply that does not fit leaves it pending.",
        body=Reply,
        params=_answer,
        result=Settled,
        errors=(409,),
    ),
    _route(
        "GET",
        "/api/agent-requests/{id}/rows/{n}",
        "desk.row",
        "A row whole, where the list has it cut. A receipt: the row then counts as seen by this device.",
        params=_row,
        result=Row,
        errors=(409,),
    ),
    _route(
        "POST",
        "/api/agent-requests/{id}/release",
        "desk.release",
        "Gives a request back to the agent's own prompt: nothing is decided.",
        body=Nothing,
        params=_id,
        result=Settled,
        errors=(409,),
    ),
    _route(
        "PUT",
        "/api/agent-requests/settings",
        "desk.settings",
        "Changes the settings that are given and keeps the others; answers with all of them.",
        body=Settings,
        params=_settings,
        result=Settings,
    ),
    _route(
        "PUT",
        "/api/away",
        "desk.away",
        "Switches answering from afar on or off; answers with all settings.",
        body=AwayParams,
        params=_body,
        result=Settings,
    ),
    _route(
        "POST",
        "/api/agent-messages",
        "desk.queue",
        "Queues a message for a session, in place of one queued before.",
        body=QueueParams,
        params=_body,
        result=Okay,
        shape=_okay,
        errors=(404,),
    ),
    _route(
        "DELETE",
        "/api/agent-messages/{agent}/{id:path}",
        "desk.unqueue",
        "Takes a queued message back, if there is one.",
        params=_session,
        result=Okay,
        shape=_okay,
        errors=(404,),
    ),
    _route(
        "DELETE",
        "/api/grants/{id}",
        "desk.ungrant",
        "Ends what was allowed for a while, if it still is.",
        params=_id,
        result=Okay,
        shape=_okay,
    ),
    _route(
        "GET",
        EVENTS,
        "desk.subscribe",
        "Server-sent events: a snapshot, then changes; Last-Event-ID resumes within one run of the desk.",
        holds=True,
        events="Every event's data is a Change as JSON; its id is the Change's boot and seq.",
    ),
    _route("GET", "/api/sessions", "desk.sessions", "The sessions and what each does.", result=Sessions),
    _route("GET", "/api/health", "desk.health", "What runs, since when, and what is wrong."),
    _route(
        "POST",
        "/api/presence",
        "desk.presence",
        "Says whether a person is there, and which requests they look at.",
        body=PresenceParams,
        params=_body,
        result=Okay,
        shape=_okay,
    ),
    _route("GET", "/api/me", "desk.me", "Whose credential this is.", result=dev.WhoAmI, shape=dev.me),
    _route(
        "POST",
        "/api/pair",
        "desk.pair",
        "A one-time code for a device's token. Needs no credential; a code counts once, for two minutes.",
        body=dev.PairBody,
        params=_body,
        result=dev.PairedView,
        shape=dev.paired,
    ),
    _route(
        "POST",
        "/api/pairing",
        "desk.pairing",
        "Opens a one-time code for another device, with its address and that as a QR code.",
        body=dev.PairingBody,
        params=_body,
        result=Pairing,
    ),
    _route(
        "DELETE",
        "/api/pairing/{id}",
        "desk.pairing",
        "Closes a one-time code, if it is open.",
        params=dev.cancelling,
        result=Okay,
        shape=_okay,
    ),
    _route(
        "GET",
        "/api/devices",
        "desk.devices",
        "The devices, what each may do, and when it was used last.",
        params=dev.listing,
        result=dev.DevicesList,
        shape=dev.devices,
    ),
    _route(
        "DELETE",
        "/api/devices/{id}",
        "desk.devices",
        "Takes a device back, by its id or name; its streams end at once.",
        params=dev.revoking,
        result=dev.DeviceGone,
        shape=dev.gone,
    ),
    _route(
        "GET",
        "/api/push/key",
        "desk.push",
        "The key with which a browser subscribes to this desk's notices.",
        result=PushKey,
    ),
    _route(
        "PUT",
        "/api/push/subscription",
        "desk.push",
        "Has notices sent to this device while its page is closed, in place of a subscription before.",
        body=PushSubscription,
        params=_subscription,
        result=Okay,
        shape=_okay,
    ),
    _route(
        "POST",
        "/api/push/answer",
        "desk.push_answer",
        "Answers the one request that a notice's ticket is for. The ticket is the credential.",
        body=PushAnswerParams,
        params=_body,
        result=Settled,
        errors=(409,),
    ),
    _route(
        "DELETE",
        "/api/push/subscription",
        "desk.push",
        "Ends that.",
        params=_ending,
        result=Okay,
        shape=_okay,
    ),
    Route(method="GET", path=DOCUMENT, call="", power=Power.SEE, about="This document."),
    *BRIDGE_ROUTES,
)
