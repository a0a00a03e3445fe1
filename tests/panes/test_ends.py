"""Whether a process runs, and when it ended."""

from __future__ import annotations

import asyncio
import os
import subprocess

from sayso.panes.ends import Ends, is_alive
from tests.panes.stage import WAIT_S


def test_a_process_is_alive_until_it_ends_collected_or_not() -> None:
    with cat() as process:
        assert is_alive(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(process.pid)
    assert not is_alive(process.pid)


def cat() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["cat"], stdin=subprocess.PIPE)


async def test_an_end_is_told_once_also_of_one_that_was_over_before() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    ends = Ends(told.put_nowait)
    with cat() as process:
        ends.watch("now", process.pid)
        ends.watch("forgotten", process.pid)
        ends.forget("forgotten")
        process.kill()
        assert await asyncio.wait_for(told.get(), WAIT_S) == "now"
    ends.watch("before", process.pid)
    assert await asyncio.wait_for(told.get(), WAIT_S) == "before"
    ends.close()
    assert told.empty()
