"""A desk that is not one, behind the real HTTP server on a free port; its bridge has a real one."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
from msgspec import Struct, structs
from starlette.routing import BaseRoute

from sayso.core.types import Row, Settings
from sayso.daemon import http_bind
from sayso.daemon.bridge import Bridge
from sayso.daemon.devices import Device, Devices
from sayso.daemon.http import make_app
from sayso.daemon.http_guard import access
from sayso.daemon.http_hold import Ends
from sayso.daemon.http_routes import ROUTES, Route
from sayso.daemon.http_server import serve
from sayso.daemon.methods import Me
from sayso.daemon.pair_methods import Pairing
from sayso.daemon.push import PushKey
from sayso.daemon.runtime import Runtime
from sayso.daemon.service import Caller
from sayso.errors import Gone, NotRunning
from sayso.wire import sse
from sayso.wire.protocol import Power
from sayso.wire.views import Change, MessageView, RequestView, Snapshot

BOOT = "b00c0ffee"
DEVICE = Device(id="d1", name="phone", power=Power.ANSWER, created_at=1_800_000_000.0)
PAIRING = Pairing(
    id="c1",
    code="AAAA-BBBB",
    url="https://desk.example/#code=AAAA-BBBB",
    here="http://127.0.0.1:7297/#code=AAAA-BBBB",
    reachable=True,
    power="answer",
    name="",
    expires_at="2027-01-15T08:02:00.000Z",
    expires_s=120.0,
    qr="M4 4h7v1h-7z",
    qr_size=37,
)
REQUEST = "0" * 31 + "1"
WAIT_S = 5.0


def request_view(request_id: str = REQUEST) -> RequestView:
    return RequestView(
        id=request_id,
        agent="claude-code",
        session_id="s1",
        kind="permission",
        tool="Bash",
        created_at="2026-01-01T00:00:00.000Z",
        input=(Row(label="Command", value="ls", code=True),),
        suggestions=(),
        questions=(),
        state="pending",
    )


def snapshot(seq: int = 0) -> Snapshot:
    return Snapshot(
        boot=BOOT,
        seq=seq,
        requests=(request_view(), structs.replace(request_view("2"), state="deferred", notice=True)),
        ended=(),
        sessions=(),
        messages=(
            MessageView(
                agent="claude-code", session_id="s1", text="hi", queued_at="2026-01-01T00:00:00.000Z"
            ),
        ),
        settings=Settings(),
    )


class Watching:
    """One subscription of the stand-in."""

    def __init__(self, desk: StandIn, first: Sequence[Change]) -> None:
        self._desk = desk
        self.queue: asyncio.Queue[Change | None] = asyncio.Queue()
        for change in first:
            self.queue.put_nowait(change)

    def __aiter__(self) -> Watching:
        return self

    async def __anext__(self) -> Change:
        change = await self.queue.get()
        if change is None:
            raise StopAsyncIteration
        return change

    def close(self) -> None:
        self._desk.watching.discard(self)
        self._desk.changed.set()
        self.queue.put_nowait(None)


class StandIn:
    """Answers like a desk with one pending request, and remembers what it was asked."""

    def __init__(self) -> None:
        self.boot = BOOT
        self.seq = 0
        self.calls: list[tuple[str, dict[str, Any], Caller]] = []
        self.after: list[str] = []
        self.watching: set[Watching] = set()
        self.changed = asyncio.Event()
        self.cancelled: list[str] = []
        self.overrides: dict[str, Callable[[dict[str, Any]], Any]] = {}

    async def call(self, caller: Caller, method: str, params: dict[str, Any]) -> Any:
        self.calls.append((method, params, caller))
        self.changed.set()
        try:
            if method in self.overrides:
                result = self.overrides[method](params)
                return await result if asyncio.iscoroutine(result) else result
            return self._answer(method, params)
        except asyncio.CancelledError:
            self.cancelled.append(method)
            self.changed.set()
            raise

    def _answer(self, method: str, params: dict[str, Any]) -> Any:
        if "id" in params and params["id"] != REQUEST and method != "desk.ungrant":
            raise Gone("there is no such request", "")
        match method:
            case "desk.list":
                return snapshot(self.seq)
            case "desk.answer" | "desk.push_answer":
                return {"ok": True, "state": "answered"}
            case "desk.release":
                return {"ok": True, "state": "released"}
            case "desk.row":
                return Row(label="Command", value="x" * 5000, code=True)
            case "desk.settings":
                return Settings(codex_approvals=bool(params["settings"].get("codex_approvals")))
            case "desk.queue" if params["session_id"] != "s1":
                raise NotRunning("the session is not working on a turn")
            case "desk.sessions":
                return {"sessions": []}
            case "desk.health":
                return {"pid": 1}
            case "desk.devices" | "desk.pair":
                return {"devices": [DEVICE], "device": DEVICE, "token": "sayso_new"}
            case "desk.me":
                return Me(id="d1", name="phone", power=Power.ANSWER)
            case "desk.push" if not params:
                return PushKey(key="BAAA")
            case "desk.pairing" if "cancel" not in params:
                return PAIRING
            case _:
                return {}

    def subscribe(self, caller: Caller, after: str) -> Watching:
        self.after.append(after)
        first = (
            () if after else (Change(type="snapshot", boot=BOOT, seq=self.seq, snapshot=snapshot(self.seq)),)
        )
        watching = Watching(self, first)
        self.watching.add(watching)
        self.changed.set()
        return watching

    def publish(self, cwd: str = "") -> Change:
        self.seq += 1
        request = structs.replace(request_view(), cwd=cwd)
        change = Change(type="shown", boot=BOOT, seq=self.seq, request=request)
        for watching in self.watching:
            watching.queue.put_nowait(change)
        return change

    async def until(self, holds: Callable[[], bool], wait_s: float = WAIT_S) -> None:
        """Wait until something about this desk is so."""
        async with asyncio.timeout(wait_s):
            while not holds():
                self.changed.clear()
                await self.changed.wait()


class Stage(Struct):
    """A running server."""

    desk: StandIn
    devices: Devices
    ends: Ends
    port: int
    token: str
    http: httpx.AsyncClient
    stop: asyncio.Event
    serving: asyncio.Task[None]
    runtime: Runtime

    def as_device(self, power: Power) -> dict[str, str]:
        token = self.devices.create(f"device {len(self.devices.list())}", power).token
        return {"authorization": f"Bearer {token}"}

    async def raw(self, text: str | bytes) -> bytes:
        """Send bytes as they are, and return everything that comes until the server closes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(text.encode() if isinstance(text, str) else text)
            async with asyncio.timeout(WAIT_S):
                return await reader.read()
        finally:
            writer.close()
            await writer.wait_closed()

    async def open_stream(self, after: str = "", token: str = "", query: str = "") -> Stream:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        last = f"Last-Event-ID: {after}\r\n" if after else ""
        writer.write(
            f"GET /api/events{query} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{last}"
            f"Authorization: Bearer {token or self.token}\r\n\r\n".encode()
        )
        async with asyncio.timeout(WAIT_S):
            head = await reader.readuntil(b"\r\n\r\n")
        return Stream(reader, writer, head.decode(), sse.Parser(), [])


async def open_deaf_stream(stage: Stage) -> socket.socket:
    """Open a stream whose client reads nothing, until the server can send no more."""
    client = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    client.connect(("127.0.0.1", stage.port))
    client.sendall(
        f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\n"
        f"Authorization: Bearer {stage.token}\r\n\r\n".encode()
    )
    await stage.desk.until(lambda: bool(stage.desk.watching))
    (watching,) = stage.desk.watching
    stage.desk.publish(cwd="x" * 2**25)  # more than any buffer on the way
    stage.desk.publish()
    async with asyncio.timeout(WAIT_S):
        while watching.queue.qsize():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
    return client


class Stream(Struct):
    """The client's end of a stream of events."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    head: str
    parser: sse.Parser
    waiting: list[sse.Event | sse.Comment]

    async def next(self) -> sse.Event | sse.Comment | None:
        """Return what comes next; None at the end."""
        async with asyncio.timeout(WAIT_S):
            while not self.waiting:
                size = int((await self.reader.readline()).strip() or b"0", 16)
                chunk = (await self.reader.readexactly(size + 2))[:-2]
                if not size:
                    return None
                self.waiting.extend(self.parser.feed(chunk))
        return self.waiting.pop(0)

    async def close(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()


@asynccontextmanager
async def running(
    *, routes: Sequence[Route] = ROUTES, pages: Sequence[BaseRoute] = (), public_url: str = ""
) -> AsyncGenerator[Stage]:
    sockets = http_bind.bind(0)
    assert not isinstance(sockets, http_bind.HeldBy), sockets.text
    port = http_bind.port_of(sockets)
    desk, devices, runtime = StandIn(), Devices(""), Runtime(Settings(), lambda _settings: "", None)
    bridge = Bridge(runtime, lambda text: (text, ()))
    app = make_app(desk, devices, access(port, public_url), routes=routes, pages=pages, bridge=bridge)
    token = devices.create("the test", Power.ADMIN).token
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, sockets, stop))
    headers = {"authorization": f"Bearer {token}"}
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers) as http:
            yield Stage(desk, devices, app.state.ends, port, token, http, stop, serving, runtime)
    finally:
        stop.set()
        async with asyncio.timeout(WAIT_S):
            await asyncio.wait({serving})
        runtime.end()
        devices.close()
    if not serving.cancelled():
        serving.result()
