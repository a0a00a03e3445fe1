"""Something takes hooks in and hangs up at once, each time: a desk that breaks on this very ask."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise

from tests.desks import sample
from tests.intake.conftest import Stage

UNDECIDED = (0, b"", b"")


@contextmanager
def broken(stage: Stage) -> Iterator[list[float]]:
    """Listen where the desk would; yield when each caller came."""
    path = stage.home.places.socket
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    calls: list[float] = []

    def serve() -> None:
        with suppress(OSError):  # closed
            while True:
                caller, _ = listener.accept()
                calls.append(time.monotonic())
                caller.recv(1 << 20)
                caller.close()

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        os.chmod(path, 0o600)  # noqa: PTH101 - a socket
        listener.listen()
        server = threading.Thread(target=serve)
        server.start()
        try:
            yield calls
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            server.join(5)
            path.unlink()


def test_who_can_show_nothing_meanwhile_gives_up(stage: Stage) -> None:
    with broken(stage) as calls:
        hook = stage.agent.hook(sample("PermissionRequest.subagent"))
        assert hook.result() == UNDECIDED
    assert len(calls) < 10


def test_others_try_less_and_less_often(stage: Stage) -> None:
    with broken(stage) as calls:
        hook = stage.agent.hook(sample("PermissionRequest.Bash"))
        until_s = time.monotonic() + 10
        while len(calls) < 6:
            assert time.monotonic() < until_s
            time.sleep(0.02)
        waits_s = [after - before for before, after in pairwise(calls)]
        assert hook.is_running()
        hook.terminate()
        assert hook.result() == UNDECIDED
    assert waits_s == sorted(waits_s)
    assert waits_s[4] > 1.5
