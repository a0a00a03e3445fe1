"""A connection to the desk, line by line: whose it must be, and what it takes to be let in."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.client import line as module
from sayso.client.line import Absent, Busy, Line, connect


@pytest.fixture
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("s")
    folder.chmod(0o700)
    return str(folder / "desk.sock")


@pytest.fixture
def listener(path: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path)
        made.listen(1)
        yield made


def pair() -> tuple[Line, socket.socket]:
    ours, theirs = socket.socketpair()
    return Line(ours), theirs


def soon() -> float:
    return time.monotonic() + 5


# --- lines -------------------------------------------------------------------------------------


def test_lines_however_they_come() -> None:
    line, theirs = pair()
    theirs.sendall(b"one\ntw")
    assert line.wait(soon(), time.monotonic) == b"one"
    theirs.sendall(b"o\nthree\n")
    assert line.wait(soon(), time.monotonic) == b"two"
    assert line.wait(soon(), time.monotonic) == b"three"
    line.send(b"back")
    assert theirs.recv(100) == b"back\n"
    line.close()
    theirs.close()


def test_nothing_comes_in_time() -> None:
    line, theirs = pair()
    assert line.wait(time.monotonic() + 0.01, time.monotonic) is None
    assert not line.closed
    line.close()
    theirs.close()


def test_the_end_of_a_connection() -> None:
    line, theirs = pair()
    theirs.sendall(b"last\nhalf")
    theirs.close()
    assert line.wait(soon(), time.monotonic) == b"last"
    assert line.wait(soon(), time.monotonic) is None
    assert line.closed
    line.close()


def test_a_connection_that_breaks() -> None:
    line, theirs = pair()
    line.socket.close()
    line.read()
    assert line.closed
    theirs.close()


# --- letting in --------------------------------------------------------------------------------


def test_connected(path: str, listener: socket.socket) -> None:
    line = connect(path)
    there, _ = listener.accept()
    line.send(b"x")
    assert there.recv(10) == b"x\n"
    there.close()
    line.close()


def test_case_36_nobody_is_there(path: str) -> None:
    with pytest.raises(Absent):
        connect(path)
    with pytest.raises(Absent):
        connect(f"{path}/no/folder")
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(path)
    with pytest.raises(Absent):
        connect(path)


def test_case_50_a_folder_that_others_may_enter(path: str, listener: socket.socket) -> None:
    for mode in (0o750, 0o705, 0o701):
        Path(path).parent.chmod(mode)
        with pytest.raises(Absent, match="open to others"):
            connect(path)


def test_case_50_what_is_another_users(
    path: str, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = os.getuid()
    monkeypatch.setattr(module.posix, "getuid", lambda: uid + 1)
    with pytest.raises(Absent, match="open to others"):  # the folder is not ours
        connect(path)
    answers = iter([uid, uid + 1])
    monkeypatch.setattr(module.posix, "getuid", lambda: next(answers))
    with pytest.raises(Absent, match="another user's"):
        connect(path)


def test_case_50_a_socket_of_another_user(
    path: str, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list(os.lstat(path))
    found[4] += 1
    monkeypatch.setattr(module.posix, "lstat", lambda _: os.stat_result(found))
    with pytest.raises(Absent, match="not ours"):
        connect(path)


def test_the_peers_user_where_there_is_no_so_peercred(
    path: str, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    class MacSocket:
        def __init__(self, uid: int) -> None:
            self.uid = uid

        def getsockopt(self, level: int, option: int, size: int) -> bytes:
            assert (level, option, size) == (0, 1, 8)
            return (0).to_bytes(4, sys.byteorder) + self.uid.to_bytes(4, sys.byteorder)

    class Without:
        """A `_socket` that has no SO_PEERCRED."""

    monkeypatch.setattr(module, "_socket", Without)
    check = module._check_peer  # pyright: ignore[reportPrivateUsage]
    check(MacSocket(os.getuid()))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(Absent):
        check(MacSocket(os.getuid() + 1))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_who_takes_nobody_in_is_busy(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as full, socket.socket(socket.AF_UNIX) as first:
        full.bind(path)
        full.listen(0)
        first.connect(path)
        before_s = time.monotonic()
        with pytest.raises(Busy):
            connect(path, 0.05)
        assert time.monotonic() - before_s < 5


def test_who_reads_nothing_does_not_hold_us(path: str, listener: socket.socket) -> None:
    line = connect(path, 0.05)
    with pytest.raises(TimeoutError):
        line.send(b"x" * 10_000_000)
    line.close()
