"""The desk itself: answers with many held, memory, streams, idling. Imports `world` and `table`."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.table import Row, percentiles
from bench.world import CannotMeasure, Helper, RunningDesk, World, ask, sample

KIB, MIB = 1024, 1024 * 1024
REQUESTED_AT_ONCE = 250


def answers(world: World, times: int, held: int, watchers: int) -> list[Row]:
    """Measure from a person's answer to the end of the hook that was given it."""
    command = world.hook("PermissionRequest", sample("PermissionRequest.Bash"), "answered")
    took: list[float] = []
    with world.desk("--port", "0") as desk:
        desk.raise_limits()
        crowd = desk.crowd()
        crowd.call(hold=held, ask=ask(), sessions=_sessions())
        _watch(desk, crowd, watchers - watchers // 2)
        _watch(desk, crowd, watchers // 2, EVENTS)
        desk.client.subscribe()
        for turn in range(times + 1):
            world.spawner.call(start=command)
            request_id, _ = desk.next_shown()
            world.spawner.send(end=True)
            given_s = time.monotonic()
            desk.client.call("desk.answer", {"id": request_id, "reply": {"behavior": "allow"}})
            ended_s, _ = world.spawner.report()
            if not Path(command["stdout"]).read_bytes():
                raise CannotMeasure("the hook wrote nothing")
            if turn:
                took.append(ended_s - given_s)
    note = (
        f"each measured answer is to a real hook; the {held:,} others held are light clients on the "
        "socket, the watchers half on the socket and half over HTTP, all in one process"
    )
    what = f"answer given to hook written and exited, {held:,} held, {watchers} watchers"
    return [percentiles(what, took, {50: 0.010, 99: 0.025}, note)]


def held(world: World, count: int) -> list[Row]:
    """Measure memory for each held request, and answer each once, in random order."""
    with world.desk() as desk:
        desk.raise_limits()
        crowd = desk.crowd()
        crowd.call(hold=20, ask=ask(), sessions=_sessions())
        before = desk.status("VmRSS")
        ids = crowd.call(hold=count, ask=ask(), sessions=_sessions())
        each = (desk.status("VmRSS") - before) / count
        rest = [str(request["id"]) for request in desk.client.snapshot()["requests"]]
        if not set(ids) <= set(rest):
            raise CannotMeasure(f"only {len(rest)} of {count} pend")
        random.shuffle(rest)
        for request_id in rest:
            desk.client.call("desk.answer", {"id": request_id, "reply": {"behavior": "allow"}})
        report = crowd.call(answers=True)
    once = report["once"] == report["asked"]
    what = f"memory for each held request of 1 KB, {count:,} held"
    return [
        Row(what, f"{each / KIB:.1f} KiB", "8 KiB", each <= 8 * KIB),
        Row(
            f"{count:,} held at once, each answered once, in random order",
            f"{report['once']:,} of {report['asked']:,}",
            "all",
            once,
            "light clients on the socket, in one process; the limit of open files was raised for all",
        ),
    ]


def requested(world: World, count: int) -> list[Row]:
    """Measure memory for each request held over HTTP, and answer each with its own id, in random order."""
    with world.desk("--port", "0") as desk:
        desk.raise_limits()
        crowd = desk.crowd()
        port, token = _way_in(desk, "ask")
        more = {"port": port, "token": token, "sessions": _sessions()}
        _request(desk, crowd, 20, more)
        before = desk.status("VmRSS")
        _request(desk, crowd, count, more)
        each = (desk.status("VmRSS") - before) / count
        rest = [str(request["id"]) for request in desk.client.snapshot()["requests"]]
        random.shuffle(rest)
        for request_id in rest:
            reply = {"behavior": "allow", "value": request_id}
            desk.client.call("desk.answer", {"id": request_id, "reply": reply})
        report = crowd.call(answers=True)
    once = report["once"] == report["asked"] == len(rest)
    return [
        Row(
            f"memory for each request of 1 KB held over HTTP, {count:,} held",
            f"{each / KIB:.1f} KiB",
            "24 KiB",
            each <= 24 * KIB,
            "all of the desk's own for it: the connection, its HTTP request and the request at the desk",
        ),
        Row(
            f"{count:,} held over HTTP at once, each answered once with its own, in random order",
            f"{report['once']:,} of {report['asked']:,}",
            "all",
            once,
            "each on a connection of its own, which is a file open in the desk and one in its client; the "
            "desk raises its soft limit of open files as far as the hard one (`ulimit -Hn`) lets it",
        ),
    ]


def _request(desk: RunningDesk, crowd: Helper, count: int, more: dict[str, Any]) -> None:
    """Have more requests wait over HTTP, while somebody watches."""
    goal = desk.pending() + count
    for begin in range(0, count, REQUESTED_AT_ONCE):
        desk.client.call("desk.presence", {"present": True})
        crowd.call(request=min(REQUESTED_AT_ONCE, count - begin), **more)
    desk.until_pending(goal)


def asked(world: World, count: int) -> list[Row]:
    """Have many programs ask at once, and answer each with its own id, in random order."""
    with world.desk() as desk:
        desk.raise_limits()
        crowd = desk.crowd()
        question = {"surface_id": "bench", "kind": "text", "title": "Name?", "body": "x" * KIB}
        crowd.call(hold=count, ask=question, sessions=[""])
        pending = desk.client.call("agent.ask_pending", {})["pending"]
        random.shuffle(pending)
        for one in pending:
            answer = {"request_id": one["request_id"], "value": one["request_id"]}
            desk.client.call("agent.ask_answer", answer)
        report = crowd.call(answers=True)
    what = f"{count:,} questions of programs at once, each answered once, in random order"
    once = report["once"] == report["asked"] == len(pending)
    return [Row(what, f"{report['once']:,} of {report['asked']:,}", "all", once)]


def streams(world: World, events: int, watchers: int) -> list[Row]:
    """Measure from an ask to the moment that every watcher knows, over either wire."""
    ways = {"on the socket": "", "over HTTP": EVENTS, "of the interaction bridge": STREAM}
    return [_stream(world, events, watchers, where, path) for where, path in ways.items()]


def _stream(world: World, events: int, watchers: int, where: str, path: str) -> Row:
    took: list[float] = []
    with world.desk("--port", "0") as desk:
        desk.raise_limits()
        crowd = desk.crowd()
        _watch(desk, crowd, watchers, path)
        for _ in range(events):
            took += crowd.call(event=ask())
    note = "from before the ask is sent; one process receives for all of them, and its own work counts"
    return percentiles(f"event to each of {watchers} watchers {where}", took, {99: 0.050}, note)


def idle(world: World, seconds: float) -> list[Row]:
    """Measure a desk that nothing happens to, with HTTP on and a channel connected."""
    with world.desk("--port", "0") as desk:
        desk.client.subscribe()
        time.sleep(min(seconds, 2))
        before, begun_s = desk.status("voluntary_ctxt_switches"), time.monotonic()
        time.sleep(seconds)
        rate = (desk.status("voluntary_ctxt_switches") - before) / (time.monotonic() - begun_s)
        resident = desk.status("VmRSS")
    return [
        Row("idle desk, resident", f"{resident / MIB:.1f} MiB", "60 MiB", resident <= 60 * MIB),
        Row("idle desk, wake-ups", f"{rate:.2f} Hz", "1 Hz", rate <= 1),
    ]


EVENTS, STREAM = "/api/events", "/agents/interaction/stream"


def _watch(desk: RunningDesk, crowd: Helper, count: int, path: str = "") -> None:
    """Have watchers on a stream over HTTP, or on the socket."""
    port, token = _way_in(desk, "see") if path else (0, "")
    crowd.call(watch=count, port=port, token=token, path=path)


def _way_in(desk: RunningDesk, power: str) -> tuple[int, str]:
    """Return the port, and the token of a new device."""
    address = str(desk.client.call("desk.health", {})["http"])
    made = desk.client.call("desk.devices", {"create": f"device {uuid4()}", "power": power})
    return int(address.rpartition(":")[2]), str(made["token"])


def _sessions() -> list[str]:
    return [f"session-{number}" for number in range(100)]
