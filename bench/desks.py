"""The desk itself: answers with many held, memory, streams, idling. Imports `world` and `table`."""

from __future__ import annotations

import random
import time
from pathlib import Path

from bench.table import Row, percentiles
from bench.world import CannotMeasure, Helper, RunningDesk, World, ask, sample

KIB, MIB = 1024, 1024 * 1024


def answers(world: World, times: int, held: int, watchers: int) -> list[Row]:
    """Measure from a person's answer to the end of the hook that was given it."""
    command = world.hook("PermissionRequest", sample("PermissionRequest.Bash"), "answered")
    took: list[float] = []
    with world.desk("--port", "0") as desk:
        desk.raise_limits()
        crowd = desk.crowd()
        crowd.call(hold=held, ask=ask(), sessions=_sessions())
        _watch(desk, crowd, watchers - watchers // 2, http=False)
        _watch(desk, crowd, watchers // 2, http=True)
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
    return [_stream(world, events, watchers, http=False), _stream(world, events, watchers, http=True)]


def _stream(world: World, events: int, watchers: int, http: bool) -> Row:
    took: list[float] = []
    with world.desk("--port", "0") as desk:
        desk.raise_limits()
        crowd = desk.crowd()
        _watch(desk, crowd, watchers, http)
        for _ in range(events):
            took += crowd.call(event=ask())
    where = "over HTTP" if http else "on the socket"
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


def _watch(desk: RunningDesk, crowd: Helper, count: int, http: bool) -> None:
    port, token = 0, ""
    if http:
        address = str(desk.client.call("desk.health", {})["http"])
        port = int(address.rpartition(":")[2])
        token = desk.client.call("desk.devices", {"create": "watcher", "power": "see"})["token"]
    crowd.call(watch=count, port=port, token=token)


def _sessions() -> list[str]:
    return [f"session-{number}" for number in range(100)]
