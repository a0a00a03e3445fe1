"""What the kernel says about processes: who is at the other end, and who started it.

Everything is read anew at each call, and may be gone at the next. Linux reads /proc;
elsewhere `ps` is asked. A process is named "pid:start", so that a later process of the
same pid is not taken for it. Imports the standard library, and `scripts`.
"""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sayso.daemon import scripts

MOST_ANCESTORS = 256
"""More than people's own shells, terminals and scripts ever are; an agent can nest as many as it likes."""
_PS = "/bin/ps"
_LOCAL_PEERPID = 2  # macOS: sys/un.h
_LOCAL_PEERCRED = 1


class TooManyAncestors(Exception):
    """A process with more of them than are looked at: where it comes from cannot be told."""


def peer_of(connection: socket.socket) -> tuple[int, int]:
    """Return (pid, uid) of the process that made a Unix connection. Raises OSError."""
    if sys.platform == "darwin":
        pid = struct.unpack("i", connection.getsockopt(0, _LOCAL_PEERPID, 4))[0]
        uid = struct.unpack("iI", connection.getsockopt(0, _LOCAL_PEERCRED, 8))[1]
        return pid, uid
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    pid, uid, _ = struct.unpack("iII", data)
    return pid, uid


def stat_of(pid: int) -> tuple[int, str]:
    """Return (ppid, start) of a living process. Raises OSError when it is gone."""
    if sys.platform != "linux":
        return _ps_stat(pid)
    fields = _stat_fields(pid)
    if fields[0] in ("Z", "X"):
        raise ProcessLookupError(f"process {pid} has ended")
    return int(fields[1]), fields[19]


def parent_of(pid: int) -> int:
    """Return who started a process that is there, if only in part. Raises OSError when it is gone.

    One whose first thread has ended looks dead while the others go on and start more.
    """
    return int(_stat_fields(pid)[1]) if sys.platform == "linux" else _ps_stat(pid)[0]


def _stat_fields(pid: int) -> list[str]:
    text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    return text.rpartition(")")[2].split()  # the name before it may hold anything


def _ps_stat(pid: int) -> tuple[int, str]:
    done = subprocess.run(
        [_PS, "-o", "ppid=,lstart=", "-p", str(pid)], capture_output=True, text=True, timeout=5, check=False
    )
    ppid, _, start = done.stdout.strip().partition(" ")
    if not start:
        raise ProcessLookupError(f"process {pid} has ended")
    return int(ppid), "-".join(start.split())


def name_of(pid: int) -> str:
    """Return "pid:start". Raises OSError when it is gone."""
    return f"{pid}:{stat_of(pid)[1]}"


def ancestors(pid: int) -> Iterator[int]:
    """Yield a process and those above it, as long as they can be read. Raises TooManyAncestors."""
    for _ in range(MOST_ANCESTORS):
        if pid <= 1:
            return
        yield pid
        try:
            pid = parent_of(pid)
        except (OSError, ValueError):
            return
    raise TooManyAncestors


def environment(pid: int) -> frozenset[str]:
    """Return the names in a process's initial environment. Raises OSError when unreadable."""
    if sys.platform != "linux":
        done = subprocess.run(
            [_PS, "-E", "-o", "command=", "-p", str(pid)],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
        return frozenset(word.partition("=")[0] for word in done.stdout.split() if "=" in word)
    data = Path(f"/proc/{pid}/environ").read_bytes()
    return frozenset(item.partition(b"=")[0].decode("utf-8", "replace") for item in data.split(b"\0") if item)


def folder_of(pid: int) -> str:
    """Return the folder that a process works in; "" where that cannot be told."""
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except OSError:
        return ""


def programs(pid: int) -> frozenset[str]:
    """Return the names a process's program goes by; none when they cannot be read.

    The file's own name is not enough: some programs are links to a file named like their version, and
    others are scripts, run by a program that is named like its language.
    """
    found: set[str] = set()
    for read in _PROGRAMS.get(sys.platform, (_ps_programs,)):
        with suppress(OSError):
            found |= read(pid)
    return frozenset(found)


def _executable(pid: int) -> set[str]:
    return {Path(f"/proc/{pid}/exe").readlink().name}


def _command(pid: int) -> set[str]:
    return {Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()}


def _words(pid: int) -> set[str]:
    words = Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").split("\0")
    return {Path(words[0]).name} | scripts.names(words)


def _ps_programs(pid: int) -> set[str]:
    name = Path(_ps(pid, "comm=")).name
    return {name} | (scripts.names(_ps(pid, "args=").split()) if scripts.is_interpreter(name) else set())


def _ps(pid: int, column: str) -> str:
    command = [_PS, "-ww", "-o", column, "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout.strip()


_PROGRAMS = {"linux": (_executable, _command, _words)}
