"""From what Codex asks through its app server to a watcher. Imports `world`, `table` and a played server."""

from __future__ import annotations

import time
import uuid

from bench.table import Row, percentiles
from bench.world import World
from tests.agents.codex_samples import CAPTURED
from tests.contract.codex_asker import Server
from tests.intake.codex_stage import plain


def wire(world: World, times: int) -> list[Row]:
    """Measure from a request on Codex's socket to a watcher who is told of it."""
    took: list[float] = []
    payload = plain(CAPTURED["command"])
    with Server(world.home / "codex") as server, world.desk() as desk:
        desk.raise_limits()
        desk.client.call("desk.settings", {"settings": {"codex_server": True}})
        desk.client.subscribe()
        for turn in range(times + 1):
            session_id = str(uuid.uuid4())
            server.run(server.open(session_id))
            asked_s = time.monotonic()
            server.run(server.request(session_id, payload))
            _, shown_s = desk.next_shown()
            if turn:
                took.append(shown_s - asked_s)
    what = "request on Codex's socket to a watcher who is told of it"
    return [
        percentiles(what, took, {50: 0.010, 99: 0.050}, "the app server is a played one, in this process")
    ]
