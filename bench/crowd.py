"""Many clients of a desk in one process: asks that wait, and watchers of its stream.

Light: connections of asyncio, without the hook that would start for each, so that thousands
fit beside the desk on a small machine. One order a line, one report a line. Imports
`bridged` and `watching`.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from functools import partial
from typing import Any, cast

from bench.bridged import BridgeWatcher, Requester
from bench.watching import HTTP, SUBSCRIBE, Watcher

Json = dict[str, Any]
AT_ONCE = 100
"""How many connections are opened at a time."""
PATIENCE_S = 60
SETTLE_S = 0.1


class Asker(asyncio.Protocol):
    """One ask that waits. `pends` and `answered` are set once; `answers` counts what came."""

    method = "agent.request"

    def __init__(self, ask: Json) -> None:
        loop = asyncio.get_running_loop()
        self.id = ask["id"] = secrets.token_hex(16)
        self.pends: asyncio.Future[None] = loop.create_future()
        self.answered: asyncio.Future[None] = loop.create_future()
        self.answers = 0
        self.error = ""
        self._ask = ask
        self._rest = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._begin()
        call = {"id": 1, "method": self.method, "params": self._ask}
        self.transport.write(json.dumps(call).encode() + b"\n")
        self._ask = {}

    def _begin(self) -> None:
        self._ask["started_s"] = time.monotonic()

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line))

    def _take(self, message: Json) -> None:
        if message.get("method") == "agent.pending":
            self.pends.set_result(None)
        elif message.get("result") and self._fits(message["result"]):
            self.answers += 1
            self._written()
        else:
            self._failed(f"instead of an answer came {message}")

    def _fits(self, result: Json) -> bool:
        return bool(result)

    def _written(self) -> None:
        assert self.transport is not None
        receipt = {"method": "agent.written", "params": {"id": self.id, "expects": ""}}
        self.transport.write(json.dumps(receipt).encode() + b"\n")
        if not self.answered.done():
            self.answered.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.answered.done():
            self._failed(f"the connection ended: {exc}")

    def _failed(self, why: str) -> None:
        self.error = self.error or why
        for future in (self.pends, self.answered):
            if not future.done():
                future.set_result(None)


class Questioner(Asker):
    """A text that a program asks for; the answer must be this question's own id."""

    method = "agent.ask_user"

    def _begin(self) -> None:
        del self._ask["session_id"]

    def _fits(self, result: Json) -> bool:
        return result.get("action") == "ok" and result.get("value") == self.id

    def _written(self) -> None:
        if not self.answered.done():
            self.answered.set_result(None)


class Crowd:
    """All of them, at one desk."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._askers: list[Asker | Requester] = []
        self._watchers: list[asyncio.BaseTransport] = []
        self._seen: dict[str, list[float]] = {}
        self._more = asyncio.Event()

    async def hold(self, ask: Json, count: int, sessions: list[str]) -> list[str]:
        """Have more asks wait; return their ids. Raises RuntimeError at the first that does not."""
        loop = asyncio.get_running_loop()
        kind = Questioner if "title" in ask else Asker
        held: list[Asker] = []
        for begin in range(0, count, AT_ONCE):
            some: list[Asker] = []
            for number in range(begin, min(begin + AT_ONCE, count)):
                mine = {**ask, "session_id": sessions[number % len(sessions)]}
                _, asker = await loop.create_unix_connection(lambda mine=mine: kind(mine), self._socket)
                some.append(asker)
            held += some
            try:
                async with asyncio.timeout(PATIENCE_S):
                    for asker in some:
                        await asker.pends
                        _check(asker)
            except TimeoutError:
                pending = sum(asker.pends.done() for asker in held)
                raise RuntimeError(f"only {pending:,} of {count:,} asks pend after {PATIENCE_S} s") from None
        self._askers += held
        return [asker.id for asker in held]

    async def request(self, count: int, port: int, token: str, sessions: list[str]) -> list[str]:
        """Have more requests wait over HTTP; return their ids. That they pend, the desk must tell."""
        loop = asyncio.get_running_loop()
        sent: list[Requester] = []
        for number in range(count):
            session = sessions[number % len(sessions)]
            make = partial(Requester, session, port, token)
            _, requester = await loop.create_connection(make, "127.0.0.1", port)
            sent.append(requester)
        self._askers += sent
        return [requester.id for requester in sent]

    async def answers(self) -> Json:
        """Wait until every ask is answered; return how many were, and were once."""
        async with asyncio.timeout(PATIENCE_S):
            for asker in self._askers:
                await asker.answered
                _check(asker)
        once = sum(asker.answers == 1 for asker in self._askers)
        report = {"asked": len(self._askers), "once": once}
        self.let_go()
        return report

    def let_go(self) -> None:
        for asker in self._askers:
            if asker.transport is not None:
                asker.transport.close()
        self._askers = []

    async def watch(self, count: int, port: int, token: str, path: str) -> int:
        """Have more watchers, over HTTP if there is a port; return how many there are."""
        loop = asyncio.get_running_loop()
        kind = BridgeWatcher if path.startswith("/agents") else Watcher
        first = HTTP.format(path=path, port=port, token=token).encode() if port else SUBSCRIBE
        for _ in range(count):
            watcher = kind(first, self._saw)
            if port:
                transport, _ = await loop.create_connection(lambda w=watcher: w, "127.0.0.1", port)
            else:
                transport, _ = await loop.create_unix_connection(lambda w=watcher: w, self._socket)
            self._watchers.append(transport)
            async with asyncio.timeout(PATIENCE_S):
                await watcher.ready
        return len(self._watchers)

    def _saw(self, request_id: str, at_s: float) -> None:
        self._seen.setdefault(request_id, []).append(at_s)
        self._more.set()

    def leave(self) -> int:
        """Have no watchers any more; return how many there were."""
        count = len(self._watchers)
        for transport in self._watchers:
            transport.close()
        self._watchers = []
        return count

    async def event(self, ask: Json) -> list[float]:
        """Ask once more, when the one before has settled; return how long after it each watcher knew."""
        await asyncio.sleep(SETTLE_S)
        begun_s = time.monotonic()
        (request_id,) = await self.hold(ask, 1, ["event"])
        async with asyncio.timeout(PATIENCE_S):
            while len(seen := self._seen.get(request_id, ())) < len(self._watchers):
                self._more.clear()
                await self._more.wait()
        self._seen.clear()
        return [at_s - begun_s for at_s in seen]


def _check(asker: Asker | Requester) -> None:
    if asker.error:
        raise RuntimeError(asker.error)


async def obey(crowd: Crowd, order: Json) -> Any:
    match order:
        case {"hold": count, "ask": ask, "sessions": sessions}:
            return await crowd.hold(ask, count, sessions)
        case {"answers": _}:
            return await crowd.answers()
        case {"request": count, "port": port, "token": token, "sessions": sessions}:
            return await crowd.request(count, port, token, sessions)
        case {"watch": count, "port": port, "token": token, "path": path}:
            return await crowd.watch(count, port, token, path)
        case {"leave": _}:
            return crowd.leave()
        case {"event": ask}:
            return await crowd.event(ask)
        case {"let_go": _}:
            return crowd.let_go()
        case _:
            raise RuntimeError(f"what is {order}?")


async def main() -> None:
    """Obey until the orders end."""
    loop = asyncio.get_running_loop()
    crowd = Crowd(sys.argv[1])
    orders = asyncio.StreamReader(limit=1 << 24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        try:
            report = {"ok": await obey(crowd, json.loads(line))}
        except (OSError, RuntimeError, TimeoutError) as error:
            report = {"failed": str(error) or f"{type(error).__name__} at {line.decode()[:80]}"}
        print(json.dumps(report), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
