"""A desk opens at once although tmux hangs, and still tells what runs in its panes apart."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from sayso.client.places import places
from sayso.daemon.lifecycle import Daemon, Options, listen, take_lock
from sayso.daemon.service import Caller
from sayso.panes import Panes, Tmux
from sayso.wire.protocol import Power
from tests.panes.stage import WAIT_S, Stage, until

SOON_S = 3.0
"""Less than a tmux is waited for."""
UNMARKED = """
[ $# = 0 ] && exec env -i "PATH=$PATH" "HOME=$HOME" "SAYSO_HOME=$SAYSO_HOME" "$0" again
until [ -e {go} ]; do sleep 0.05; done
{python} -m sayso settings --json >{said}.part 2>&1; mv {said}.part {said}
exec sleep 1000
"""
"""The program of a pane: it sheds what marks it, and once told to tries what only a person may."""


@asynccontextmanager
async def desk(stage: Stage, **environment: str) -> AsyncIterator[Daemon]:
    here = places({"SAYSO_HOME": str(stage.folder)})
    lock = take_lock(here)
    given = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **environment}
    tmux = Tmux(str(stage.own.socket), given)
    make = partial(Panes, tmux, here.run, {"SAYSO_HOME": str(stage.folder)}, ())
    made = Daemon(here, Options(port=None, panes=make))
    ready = asyncio.Event()
    task = asyncio.get_running_loop().create_task(made.run(listen(here.socket), ready.set))
    try:
        await asyncio.wait_for(ready.wait(), SOON_S)
        yield made
    finally:
        made.stop(False)
        await asyncio.wait_for(task, WAIT_S)
        os.close(lock)


async def test_a_new_desk_opens_at_once_although_tmux_hangs(stage: Stage) -> None:
    stage.program("bin/tmux", "exec sleep 1000")
    stage.own.start()
    async with desk(stage, PATH=f"{stage.folder}/bin:{os.environ['PATH']}") as made:
        assert made.methods.panes.processes() == []


async def test_case_51_what_runs_in_a_pane_may_only_ask_while_tmux_hangs(stage: Stage) -> None:
    go, told = stage.folder / "go", stage.folder / "said"
    program = stage.program("agent", UNMARKED.format(go=go, said=told, python=sys.executable))
    async with desk(stage) as made:
        person = Caller(power=Power.ADMIN, channel="cli", name="a test", credential="uid", pid=os.getpid())
        await made.methods.call(person, "desk.settings", {"settings": {"pane_program": str(program)}})
        assert await made.methods.call(person, "agent.create", {}) == "OK"
    server = int(stage.own.run("display-message", "-p", "#{pid}"))
    os.kill(server, signal.SIGSTOP)
    try:
        async with desk(stage):
            go.touch()
            await until(told.exists, "it tried")
            os.kill(server, signal.SIGCONT)
    finally:
        os.kill(server, signal.SIGCONT)
    error = json.loads(told.read_text("utf-8"))
    assert error["code"] == "refused"
    assert "has asked through sayso" in error["error"]
