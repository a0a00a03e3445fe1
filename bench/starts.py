"""Hooks as processes: what each start of one costs, next to what nothing costs.

Imports `world` and `table`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from statistics import median

from bench.table import Row, ms, ratio
from bench.world import IDLE_SESSION, SESSION, CannotMeasure, World, ask, sample

_BESIDE = Path(sys.executable).with_name("sayso")
SAYSO = [str(_BESIDE)] if _BESIDE.exists() else [sys.executable, "-m", "sayso"]
"""The command as it was installed: where it lies beside the interpreter, that one."""
SHELL, BARE = "`sh -c :`", "`python -I -S -c pass`"


def without_desk(world: World, times: int) -> list[Row]:
    """Measure what runs at each tool call with nothing pending, and hooks that find no desk."""
    commands = {
        "`/bin/true`": world.program(shutil.which("true") or "/bin/true"),
        SHELL: world.program("/bin/sh", "-c", ":"),
        BARE: world.program(world.python, "-I", "-S", "-c", "pass"),
        "gate": world.hook("PostToolUse", sample("PostToolUse.Bash", session_id=IDLE_SESSION), "gate"),
        "observer": world.hook("Stop", sample("Stop"), "observer"),
        "asking": world.hook("PermissionRequest", sample("PermissionRequest.Bash"), "asking"),
    }
    node = shutil.which("node")
    if node:
        commands["`node -e 0`"] = world.program(node, "-e", "0")
    found = world.spawner.call(time=list(commands.values()), times=times)
    took = dict(zip(commands, found, strict=True))
    compared = [Row(f"to compare: {name}", ms(median(took[name]))) for name in commands if "`" in name]
    return [
        *compared,
        ratio("observer of a tool call, nothing pending", took["gate"], took[SHELL], 2, SHELL),
        ratio("observer hook, no desk runs", took["observer"], took[BARE], 1.75, BARE),
        ratio("asking hook, no desk runs", took["asking"], took[BARE], 1.75, BARE),
    ]


def observer(world: World, times: int) -> list[Row]:
    """Measure an observer of a tool call that tells the desk: its session has something pending."""
    with world.desk() as desk:
        desk.crowd().call(hold=1, ask=ask(), sessions=[SESSION])
        bare = world.program(world.python, "-I", "-S", "-c", "pass")
        told = world.hook("PostToolUse", sample("PostToolUse.Bash"), "told")
        base, took = world.spawner.call(time=[bare, told], times=times)
        sessions = desk.client.call("desk.sessions", {})["sessions"]
    if not any(session["process"] for session in sessions):
        raise CannotMeasure("the desk was told of nothing")
    return [ratio("observer hook that tells a running desk, its shell included", took, base, 1.75, BARE)]


def asking(world: World, times: int) -> list[Row]:
    """Measure from an asking hook's start to the moment a watcher of the desk sees the request."""
    command = world.hook("PermissionRequest", sample("PermissionRequest.Bash"), "asks")
    bare = world.program(world.python, "-I", "-S", "-c", "pass")
    took: list[float] = []
    base: list[float] = []
    with world.desk() as desk:
        desk.raise_limits()
        desk.client.subscribe()
        for turn in range(times + 1):
            base += world.spawner.call(time=[bare], times=1)[0]
            begun_s = world.spawner.call(start=command)
            request_id, shown_s = desk.next_shown()
            if turn:
                took.append(shown_s - begun_s)
            desk.client.call("desk.release", {"id": request_id})
            world.spawner.call(end=True)
    return [ratio("asking hook, start to a watcher seeing it pend", took, base, 2.5, BARE)]


def questions(world: World, times: int) -> list[Row]:
    """Measure from the start of `sayso ask`, as scripts call it, to a watcher seeing it pend."""
    asks = world.program(*SAYSO, "ask", "yesno", "--title", "Deploy to production?", "--body", "build 7")
    asks["env"] = {**asks["env"], "SAYSO_HOME": str(world.home)}
    bare = world.program(world.python, "-I", "-S", "-c", "pass")
    took: list[float] = []
    base: list[float] = []
    with world.desk() as desk:
        desk.client.subscribe()
        for turn in range(times + 1):
            base += world.spawner.call(time=[bare], times=1)[0]
            begun_s = world.spawner.call(start=asks)
            request_id, shown_s = desk.next_shown()
            if turn:
                took.append(shown_s - begun_s)
            answered = desk.client.call("agent.ask_answer", {"request_id": request_id, "value": "yes"})
            _, code = world.spawner.call(end=True)
            if not answered["resolved"] or code:
                raise CannotMeasure(f"sayso ask ended with {code}")
    return [ratio("`sayso ask`, start to a watcher seeing it pend", took, base, 5, BARE)]
