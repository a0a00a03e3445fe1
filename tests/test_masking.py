"""`sayso mask`, as a filter between two programs."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast

from sayso.mask import MARK
from tests.desks import SAYSO

WAIT_S = 30
SECRET = b"3xample0nly3xample0nly"
HIDDEN = MARK.encode()


def filtered(data: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*SAYSO, "mask", *words], input=data, capture_output=True, timeout=WAIT_S)


@contextmanager
def running() -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """Start the filter with a pipe at either end."""
    pipe = subprocess.PIPE
    with subprocess.Popen([*SAYSO, "mask", "--count"], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield process, cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        finally:
            process.kill()


def write(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(data)
    pipe.flush()


def test_a_line_passes_while_the_pipe_stays_open() -> None:
    with running() as (process, given, taken):
        write(given, b"one\nTOKEN=" + SECRET[:9])
        assert taken.readline() == b"one\n"
        write(given, SECRET[9:] + b"\ntwo")
        assert taken.readline() == b"TOKEN=" + HIDDEN + b"\n"
        given.close()
        assert taken.read() == b"two"
        assert process.wait(WAIT_S) == 0


def test_five_megabytes_with_a_secret_across_every_border() -> None:
    line = b"\x80 worker finished TOKEN=" + SECRET + b" in 3 ms\xff\n"
    data = line * (5_000_000 // len(line))
    done = filtered(data, "--count")
    assert done.returncode == 0
    assert done.stdout == data.replace(SECRET, HIDDEN)
    assert done.stderr == f"sayso mask: {data.count(SECRET):,} hidden\n".encode()


def test_without_secrets_every_byte_is_the_same() -> None:
    data = bytes(range(256)) * 3 + b"no newline at the end"
    done = filtered(data)
    assert (done.returncode, done.stdout, done.stderr) == (0, data, b"")
    assert filtered(b"", "--count").stderr == b"sayso mask: 0 hidden\n"


def test_an_interrupt_loses_nothing_and_is_told() -> None:
    with running() as (process, given, taken):
        write(given, b"begun\nTOKEN=" + SECRET)
        assert taken.readline() == b"begun\n"
        os.kill(process.pid, signal.SIGINT)
        assert taken.read() == b"TOKEN=" + HIDDEN
        assert process.wait(WAIT_S) == 130


def test_a_reader_that_has_seen_enough_ends_it() -> None:
    with running() as (process, given, taken):
        taken.close()
        write(given, b"one\n")
        assert process.wait(WAIT_S) == 1


def test_what_cannot_be_read_is_said_so() -> None:
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *SAYSO, "mask"]
    done = subprocess.run(closed, capture_output=True, timeout=WAIT_S)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"sayso: standard input cannot be read: ")
