"""Programs beside the desk: bounded, ended by the desk, explained in words."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.channels import programs
from sayso.channels.programs import Program, run

WAIT_S = 10.0
ENV = {"PATH": os.environ["PATH"]}


def python(
    code: str, *words: str, patience_s: float = WAIT_S, stdin: str = "", listens: bool = True
) -> Program:
    return Program([sys.executable, "-I", "-S", "-c", code, *words], ENV, patience_s, stdin, listens)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """Return a named pipe that programs may hold open, and its reading end."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield str(path), end
    os.close(end)


def is_let_go(end: int) -> bool:
    """Whether nobody holds the pipe any more, in a while."""
    return bool(select.select([end], [], [], WAIT_S)[0]) and os.read(end, 100) == b""


HOLD = """
import os, subprocess, sys, time
pipe = os.open(sys.argv[1], os.O_WRONLY)
os.set_inheritable(pipe, True)
os.write(pipe, b"up")
subprocess.run([sys.executable, "-c", "import time; time.sleep(1000)"], close_fds=False)
"""
"""Holds the pipe, and so does what it starts."""


async def test_what_it_is_given_and_what_it_says() -> None:
    done = await run(python("import sys; print(sys.stdin.read().upper())", stdin="told"))
    assert (done.trouble, done.output.strip()) == ("", "TOLD")


async def test_one_that_reads_nothing_is_no_trouble() -> None:
    done = await run(python("pass", stdin="x" * 1_000_000))
    assert done.trouble == ""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit(3)", "it ended with 3"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9 ended it"),
    ],
)
async def test_how_it_ended(code: str, words: str) -> None:
    assert (await run(python(code))).trouble == words


async def test_one_that_is_not_there(tmp_path: Path) -> None:
    missing = await run(Program(["sayso-has-no-such-program"], ENV, WAIT_S))
    assert (missing.missing, missing.trouble) == (True, "it is not there")
    closed = tmp_path / "closed"
    closed.write_text("#!/bin/sh\n")
    assert "cannot be started" in (await run(Program([str(closed)], ENV, WAIT_S))).trouble
    assert "cannot be started" in (await run(Program(["a\0b"], ENV, WAIT_S))).trouble


async def test_one_that_takes_too_long_is_ended_with_what_it_started(pipe: tuple[str, int]) -> None:
    path, end = pipe
    done = await run(python(HOLD, path, patience_s=1.0, listens=False))
    assert done.trouble == "it took longer than 1 s and was ended"
    assert os.read(end, 100) == b"up"
    assert await asyncio.to_thread(is_let_go, end)


async def test_the_end_of_who_wants_it_is_its_end(pipe: tuple[str, int]) -> None:
    path, end = pipe
    task = asyncio.create_task(run(python(HOLD, path, patience_s=1000.0, listens=False)))
    assert await asyncio.to_thread(select.select, [end], [], [], WAIT_S) != ([], [], [])
    assert os.read(end, 100) == b"up"
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await asyncio.to_thread(is_let_go, end)


async def test_the_loop_goes_on_meanwhile() -> None:
    task = asyncio.create_task(run(python("import sys; sys.stdin.read()", stdin="")))
    turns = 0
    while not task.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 1


async def test_much_output_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_CHARS", 10)
    assert (await run(python("print('x' * 100)"))).output == "x" * 10
