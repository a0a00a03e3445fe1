"""A desk that says what a test tells it to: the asks that wait on it, and the calls it heard."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

ALARM_S = 10.0


class FakeDesk:
    """Takes every ask in and lets it wait; `answer` ends one. Everything else is answered with {}."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.refuses: dict[str, Any] = {}
        """Method -> the error object that it is answered with."""
        self.takes = True
        """Whether it says of an ask that it pends."""
        self._waiting: dict[str, tuple[asyncio.StreamWriter, Any]] = {}
        self._writers: set[asyncio.StreamWriter] = set()
        self._changed = asyncio.Condition()
        self._server: asyncio.Server | None = None

    @property
    def waiting(self) -> list[str]:
        return list(self._waiting)

    @property
    def is_open(self) -> bool:
        return self._server is not None

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.path, limit=1 << 20)

    async def close(self) -> None:
        """Hang up on everybody, as a crash does."""
        assert self._server is not None
        self._server.close()
        self._server = None
        os.unlink(self.path)  # noqa: PTH108
        for writer in list(self._writers):
            writer.close()
        await self.until(lambda: not self._writers)

    async def until(self, there: Any) -> None:
        async with asyncio.timeout(ALARM_S), self._changed:
            await self._changed.wait_for(there)

    async def asked(self, number: int = 1) -> list[dict[str, Any]]:
        """Return the asks heard so far, once there are so many."""
        await self.until(lambda: len(self.heard("agent.ask_user")) >= number)
        return self.heard("agent.ask_user")

    def heard(self, method: str) -> list[dict[str, Any]]:
        return [params for name, params in self.calls if name == method]

    async def answer(self, request_id: str, **outcome: Any) -> None:
        writer, number = self._waiting.pop(request_id)
        await _send(writer, {"id": number, "result": {"request_id": request_id, **outcome}})

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while line := await reader.readline():
                call = json.loads(line)
                await self._call(writer, call)
        except ConnectionError:
            pass
        self._writers.discard(writer)
        self._waiting = {name: held for name, held in self._waiting.items() if held[0] is not writer}
        writer.close()
        async with self._changed:
            self._changed.notify_all()

    async def _call(self, writer: asyncio.StreamWriter, call: dict[str, Any]) -> None:
        method, params = call["method"], call["params"]
        self.calls.append((method, params))
        with suppress(ConnectionError):
            if method in self.refuses:
                await _send(writer, {"id": call["id"], "error": self.refuses[method]})
            elif method == "agent.ask_user":
                self._waiting[params["id"]] = (writer, call["id"])
                if self.takes:
                    await _send(writer, {"method": "agent.pending", "params": {"id": params["id"]}})
            else:
                if method == "agent.ask_cancel":
                    await self.answer(params["request_id"], action="cancel", reason=params.get("reason"))
                await _send(writer, {"id": call["id"], "result": {}})
        async with self._changed:
            self._changed.notify_all()


async def _send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    writer.write(json.dumps(message).encode() + b"\n")
    await writer.drain()


@asynccontextmanager
async def fake_desk(folder: Path) -> AsyncGenerator[FakeDesk]:
    """Open a desk in a folder of a test (which pytest made ours alone)."""
    desk = FakeDesk(str(folder / "desk.sock"))
    await desk.open()
    try:
        yield desk
    finally:
        if desk.is_open:
            await desk.close()
