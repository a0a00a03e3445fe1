"""What runs in a pane of sayso is an agent, whatever it is called; what a person opens beside it is not."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest_asyncio

from sayso.client.places import places
from sayso.daemon.access import MARKS, PANE_MARK
from sayso.daemon.lifecycle import Daemon, Options, listen, take_lock
from sayso.daemon.service import Caller
from sayso.panes import Panes, Tmux
from sayso.panes.panes import MARK
from sayso.wire.protocol import Power
from tests.panes.stage import WAIT_S, Stage, until

LOOK = f"{sys.executable} -m sayso settings --json >$1.said; echo $? >$1.part; mv $1.part $1; exec sleep 1000"
"""Tries what only a person may, and writes down how it ended and what was said."""


@pytest_asyncio.fixture
async def daemon(stage: Stage) -> AsyncIterator[Daemon]:
    """A desk for which processes are told apart as they are for everybody."""
    here = places({"SAYSO_HOME": str(stage.folder)})
    lock = take_lock(here)
    tmux = Tmux(str(stage.own.socket), {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]})
    make = partial(Panes, tmux, here.run, {"SAYSO_HOME": str(stage.folder)}, ())
    made = Daemon(here, Options(port=None, panes=make))
    ready = asyncio.Event()
    task = asyncio.get_running_loop().create_task(made.run(listen(here.socket), ready.set))
    await asyncio.wait_for(ready.wait(), WAIT_S)
    try:
        yield made
    finally:
        made.stop(False)
        await asyncio.wait_for(task, WAIT_S)
        os.close(lock)


async def create(daemon: Daemon, program: str) -> None:
    """Open a pane as a person; this process may itself be an agent's."""
    person = Caller(power=Power.ADMIN, channel="cli", name="a test", credential="uid", pid=os.getpid())
    await daemon.methods.call(person, "desk.settings", {"settings": {"pane_program": program}})
    assert await daemon.methods.call(person, "agent.create", {}) == "OK"


async def said(path: Path) -> tuple[int, dict[str, object]]:
    await until(path.exists, "it looked at the settings")
    return read(path)


def read(path: Path) -> tuple[int, dict[str, object]]:
    return int(path.read_text("utf-8")), json.loads(path.with_suffix(".said").read_text("utf-8"))


def test_the_mark_of_a_pane_is_one_of_those_that_are_looked_for() -> None:
    assert set(MARK) == {PANE_MARK} <= set(MARKS)


async def test_case_51_nor_may_what_leaves_the_descent_of_a_pane(stage: Stage, daemon: Daemon) -> None:
    look = str(stage.program("look", LOOK))
    outside = stage.folder / "outside"
    leaves = stage.program("leaves", f"(setsid {look} {outside} &)\nexec sleep 1000")
    await create(daemon, str(leaves))
    code, error = await said(outside)
    assert (code, error["code"]) == (3, "refused")
    assert PANE_MARK in str(error["error"])


async def test_case_51_what_runs_in_a_pane_may_only_ask(stage: Stage, daemon: Daemon) -> None:
    look = str(stage.program("look", LOOK))
    inside, beside = stage.folder / "inside", stage.folder / "beside"
    await create(daemon, f"{look} {inside}")
    code, error = await said(inside)
    assert (code, error["code"]) == (3, "refused")
    assert "started from inside an agent" in str(error["error"])
    home = f"SAYSO_HOME={stage.folder}"
    stage.own.run("new-window", "-d", "-t", "=sayso:", "env", home, look, str(beside))
    code, settings = await said(beside)
    assert code == 0
    assert "pane_program" in settings
