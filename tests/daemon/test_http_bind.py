"""Ports: both families or none, and who holds them."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from sayso.daemon import http_bind
from sayso.daemon.http_bind import HeldBy, bind, holder, port_of


def _has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


FAMILIES = [("127.0.0.1", socket.AF_INET), *([("::1", socket.AF_INET6)] if _has_ipv6() else [])]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux do files tell who listens")


@pytest.fixture
def sockets() -> Generator[list[socket.socket]]:
    bound = bind(0)
    assert not isinstance(bound, HeldBy)
    yield bound
    for sock in bound:
        sock.close()


def test_a_free_port_is_the_same_in_both_families(sockets: list[socket.socket]) -> None:
    port = port_of(sockets)

    assert port > 0
    assert [sock.getsockname()[:2] for sock in sockets] == [(address, port) for address, _ in FAMILIES]


def test_sockets_are_made_for_tcp_by_name(sockets: list[socket.socket]) -> None:
    assert {sock.proto for sock in sockets} == {socket.IPPROTO_TCP}
    assert not any(sock.get_inheritable() or sock.getblocking() for sock in sockets)


@on_linux
def test_a_port_is_held_from_then_on(sockets: list[socket.socket]) -> None:
    held = bind(port_of(sockets))

    assert isinstance(held, HeldBy)
    assert f"port {port_of(sockets)} is held by process {os.getpid()} (" in held.text
    assert "--port" in held.text


@pytest.mark.parametrize(("address", "family"), FAMILIES)
def test_a_port_held_in_one_family_is_not_served_in_the_other(
    address: str, family: socket.AddressFamily
) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as other:
        other.bind((address, 0))
        other.listen()
        port = other.getsockname()[1]

        assert isinstance(bind(port), HeldBy)

    free = bind(port)  # nothing was left behind
    assert not isinstance(free, HeldBy)
    for sock in free:
        sock.close()


@on_linux
def test_the_holder_is_named_by_process_and_program() -> None:
    script = "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1]); input()"
    command = [sys.executable, "-I", "-u", "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        held = bind(int(other.stdout.readline()))
        other.communicate("\n", timeout=10)

    assert isinstance(held, HeldBy)
    assert f"process {other.pid} (python" in held.text


# --- families ----------------------------------------------------------------------------


class Machine(socket.socket):
    """A socket of a machine where something about IPv6 is amiss."""

    without: tuple[socket.AddressFamily, ...] = (socket.AF_INET6,)
    code = errno.EADDRNOTAVAIL

    def bind(self, address: Any) -> None:
        if self.family in self.without:
            raise OSError(self.code, os.strerror(self.code))
        super().bind(address)


@pytest.mark.parametrize("code", [errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT])
def test_a_family_that_the_machine_lacks_is_no_conflict(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    monkeypatch.setattr(Machine, "code", code)
    monkeypatch.setattr(socket, "socket", Machine)

    bound = bind(0)

    assert not isinstance(bound, HeldBy)
    assert [sock.family for sock in bound] == [socket.AF_INET]
    bound[0].close()


def test_a_machine_that_makes_no_such_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise OSError(errno.EAFNOSUPPORT, "not here")

    monkeypatch.setattr(socket, "socket", refuse)

    assert bind(0) == HeldBy("this machine has neither 127.0.0.1 nor ::1")


@pytest.mark.parametrize("port", [65536, 99999, -1])
def test_a_number_that_is_no_port(port: int) -> None:
    held = bind(port)
    assert isinstance(held, HeldBy)
    assert "is no port" in held.text


def test_what_else_goes_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "code", errno.EACCES)
    monkeypatch.setattr(socket, "socket", Machine)

    held = bind(1)

    assert isinstance(held, HeldBy)
    assert held.text == "port 1 cannot be opened: Permission denied"


def test_a_free_port_that_is_taken_in_the_other_family_is_not_the_last_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: list[int] = []

    class Taken(socket.socket):
        def bind(self, address: Any) -> None:
            if self.family == socket.AF_INET6:
                tries.append(address[1])
                if len(tries) < 3:
                    raise OSError(errno.EADDRINUSE, "taken")
            super().bind(address)

    monkeypatch.setattr(socket, "socket", Taken)

    bound = bind(0)

    assert not isinstance(bound, HeldBy)
    assert len(tries) == 3
    assert len({sock.getsockname()[1] for sock in bound}) == 1
    for sock in bound:
        sock.close()


# --- who holds it ------------------------------------------------------------------------

TABLE = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1C81 0100007F:9999 01 00000000:00000000 00:00000000 00000000   {uid}        0 111 1
   1: 0100007F:1C81 00000000:0000 0A 00000000:00000000 00:00000000 00000000   {uid}        0 222 1
"""


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "tcp").write_text("header\n")
    (tmp_path / "net" / "tcp6").write_text(TABLE.format(uid=0))
    for pid, inode in (("10", 111), ("20", 222)):
        (tmp_path / pid / "fd").mkdir(parents=True)
        (tmp_path / pid / "fd" / "0").symlink_to("/dev/null")
        (tmp_path / pid / "fd" / "3").symlink_to(f"socket:[{inode}]")
    (tmp_path / "20" / "comm").write_text("nginx\n")
    return tmp_path


def test_holder_by_process(proc: Path) -> None:
    assert holder(0x1C81, proc) == "process 20 (nginx)"


def test_holder_that_ends_meanwhile(proc: Path) -> None:
    (proc / "20" / "comm").unlink()

    assert holder(0x1C81, proc) == "process 20 (already gone)"


def test_holder_whose_process_cannot_be_read(proc: Path) -> None:
    (proc / "20" / "fd" / "3").unlink()

    assert holder(0x1C81, proc) == "a process of root"


def test_holder_of_a_user_without_a_name(proc: Path) -> None:
    (proc / "20" / "fd" / "3").unlink()
    (proc / "net" / "tcp6").write_text(TABLE.format(uid=54321))

    assert holder(0x1C81, proc) == "a process of user 54321"


def test_holder_where_nothing_tells(proc: Path, tmp_path: Path) -> None:
    assert holder(1, proc) == "another process"
    assert holder(1, tmp_path / "none") == "another process"


def test_the_default_port_is_fixed() -> None:
    assert http_bind.DEFAULT_PORT == 7297
