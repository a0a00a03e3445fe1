"""Sockets, bound before anything is served on them: of the loopback, and of one address more.

Of the loopback both families or none: where another program held [::1] and we 127.0.0.1, "localhost"
would lead people's browsers to it. A family that the machine lacks is no conflict.
Imports the standard library alone.
"""

from __future__ import annotations

import errno
import pwd
import socket
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

DEFAULT_PORT = 7297
_LAST_PORT = 65535
BACKLOG = 2048
"""Connections that may wait to be taken."""
_TRIES = 32
"""How often a free port of one family may turn out to be taken in the other."""
_LISTEN = "0A"
_FAMILIES = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
_LACKING = frozenset({errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT})


class HeldBy(Struct, frozen=True):
    """Why there are no sockets, in words: who holds the port, as far as can be told."""

    text: str


class _Taken(Exception):
    """A port that cannot be had."""


def bind(port: int = DEFAULT_PORT) -> list[socket.socket] | HeldBy:
    """Return listening sockets on 127.0.0.1 and [::1].

    Args:
        port: 0 for a free one, the same in both families.
    """
    if not 0 <= port <= _LAST_PORT:
        return HeldBy(f"{port} is no port: choose one up to {_LAST_PORT} with --port")
    why = ""
    for _ in range(1 if port else _TRIES):
        try:
            sockets = _bind(port)
        except _Taken as taken:
            why = str(taken)
            continue
        return sockets or HeldBy("this machine has neither 127.0.0.1 nor ::1")
    return HeldBy(why)


def bind_to(address: str, port: int) -> socket.socket | HeldBy:
    """Return a listening socket on one address of this computer, of either family."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        bound = _listen(family, address, port)
    except _Taken as taken:
        return HeldBy(str(taken))
    return bound or HeldBy(f"this computer does not have the address {address} now")


def port_of(sockets: list[socket.socket]) -> int:
    return sockets[0].getsockname()[1]


def _bind(port: int) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    try:
        for family, address in _FAMILIES:
            bound = _listen(family, address, port)
            if bound is not None:
                sockets.append(bound)
                port = bound.getsockname()[1]
    except BaseException:
        for bound in sockets:
            bound.close()
        raise
    return sockets


def _listen(family: socket.AddressFamily, address: str, port: int) -> socket.socket | None:
    """Return a listening socket, None where the family is lacking. Raises: _Taken."""
    sock: socket.socket | None = None
    try:
        # Named, not left at 0: asyncio sets TCP_NODELAY on connections of this protocol only.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.setblocking(False)
        sock.bind((address, port))
        # Now, since with SO_REUSEADDR two programs may bind a port that nobody listens on yet.
        sock.listen(BACKLOG)
    except OSError as error:
        if sock is not None:
            sock.close()
        if error.errno in _LACKING:
            return None
        raise _Taken(_words(port, error)) from None
    return sock


def _words(port: int, error: OSError) -> str:
    if error.errno != errno.EADDRINUSE:
        return f"port {port} cannot be opened: {error.strerror}"
    return f"port {port} is held by {holder(port)}; choose another one with --port"


# --- who holds it: Linux tells, by files -------------------------------------------------


def holder(port: int, proc: Path = Path("/proc")) -> str:
    """Return who listens on a port: process and program where they can be read."""
    found = _listener(port, proc)
    if found is None:
        return "another process"
    inode, uid = found
    pid = _process_with(f"socket:[{inode}]", proc)
    if pid is None:
        return f"a process of {_user(uid)}"
    return f"process {pid} ({_program(pid, proc)})"


def _listener(port: int, proc: Path) -> tuple[str, int] | None:
    """Return inode and user of the socket that listens on a port."""
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (proc / "net" / table).read_text().splitlines()[1:]:
                columns = line.split()
                if columns[3] == _LISTEN and int(columns[1].rpartition(":")[2], 16) == port:
                    return columns[9], int(columns[7])
    return None


def _process_with(link: str, proc: Path) -> str | None:
    """Return the process that has a file of this name open; other users' cannot be read."""
    for process in proc.glob("[0-9]*"):
        with suppress(OSError):
            for handle in (process / "fd").iterdir():
                if str(handle.readlink()) == link:
                    return process.name
    return None


def _program(pid: str, proc: Path) -> str:
    with suppress(OSError):
        return (proc / pid / "comm").read_text(errors="replace").strip()
    return "already gone"


def _user(uid: int) -> str:
    with suppress(KeyError):
        return pwd.getpwuid(uid).pw_name
    return f"user {uid}"
