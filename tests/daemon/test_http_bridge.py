"""The interaction bridge's endpoints where something is missing: a bridge, a client, a credential's end."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from sayso.core.types import Settings
from sayso.daemon.bridge import Bridge, Outcome
from sayso.daemon.bridge_routes import BRIDGE_ROUTES
from sayso.daemon.devices import Devices
from sayso.daemon.http import make_app
from sayso.daemon.http_bridge import BridgeEndpoint, Held, side_of
from sayso.daemon.http_guard import access
from sayso.daemon.http_hold import Ends
from sayso.daemon.http_routes import ROUTES
from sayso.daemon.runtime import Runtime
from sayso.wire.protocol import Power
from tests.daemon.http_stage import StandIn

Message = MutableMapping[str, Any]
ROUTE = {route.bridge: route for route in BRIDGE_ROUTES}


class Client:
    """The client's end of one request: what it sends, and what it was sent."""

    def __init__(self, path: str, token: str, *says: Message) -> None:
        headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {token}".encode())]
        headers.append((b"content-type", b"application/json"))
        self.scope: Message = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode()}
        self.scope |= {"query_string": b"", "headers": headers, "root_path": "", "scheme": "http"}
        self.sent: list[Message] = []
        self._says = [*says, {"type": "http.disconnect"}]

    async def receive(self) -> Message:
        return self._says.pop(0) if len(self._says) > 1 else self._says[0]

    async def send(self, message: Message) -> None:
        self.sent.append(message)


def test_every_route_of_the_bridge_is_in_the_one_table() -> None:
    assert set(BRIDGE_ROUTES) <= set(ROUTES)
    assert all(route.basic is (route.power is Power.ASK) for route in BRIDGE_ROUTES)


@pytest.mark.parametrize("route", BRIDGE_ROUTES, ids=lambda route: route.bridge)
async def test_a_server_without_a_bridge_says_so(route: Any) -> None:
    devices = Devices("")
    client = Client(route.path, devices.create("a", Power.ADMIN).token)
    client.scope["method"] = route.method
    await make_app(StandIn(), devices, access(80))(client.scope, client.receive, client.send)
    assert client.sent[0]["status"] == 503
    devices.close()


async def test_a_client_that_leaves_amid_its_body_is_told_nothing() -> None:
    devices = Devices("")
    runtime = Runtime(Settings(), lambda _settings: "", None)
    side = side_of(Bridge(runtime, lambda text: (text, ())))
    endpoint = BridgeEndpoint(ROUTE["register"], side, devices, Ends())
    half = {"type": "http.request", "body": b'{"session"', "more_body": True}
    client = Client("/agents/interaction/register", devices.create("a", Power.ASK).token, half)
    await endpoint(client.scope, client.receive, client.send)
    assert client.sent == []
    assert not runtime.desk.snapshot().requests
    runtime.end()
    devices.close()


@pytest.mark.parametrize("there", [True, False])
async def test_who_left_before_the_answer_has_not_got_it(there: bool) -> None:
    told: list[bool] = []
    leaves = asyncio.Event()

    async def call() -> Outcome:
        return Outcome(b"{}", told.append)

    async def receive() -> Message:
        if there:
            await leaves.wait()
        return {"type": "http.disconnect"}

    client = Client("/hooks/claude", "")
    await Held(Ends(), "c1", call)(client.scope, receive, client.send)
    assert told == [there]
    assert [message.get("body") for message in client.sent] == ([None, b"{}"] if there else [])
