"""What the kernel says about processes."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from sayso.daemon import processes

linux = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")
WAIT = "import sys; sys.stdout.write('up'); sys.stdout.flush(); sys.stdin.read()"


@contextmanager
def child(program: str = sys.executable, **env: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process until the block ends."""
    with subprocess.Popen(
        [program, "-I", "-S", "-c", WAIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env or None
    ) as process:
        assert process.stdout is not None
        assert process.stdout.read(2) == b"up"
        yield process
        assert process.stdin is not None
        process.stdin.close()


def test_who_is_at_the_other_end() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert processes.peer_of(ours) == (os.getpid(), os.getuid())


def test_who_started_whom() -> None:
    with child() as process:
        assert processes.stat_of(process.pid)[0] == os.getpid()
        chain = list(processes.ancestors(process.pid))
        assert chain[:2] == [process.pid, os.getpid()]
        assert len(chain) == len(set(chain))
        assert 1 not in chain


@linux
def test_a_name_that_is_made_to_confuse(tmp_path: Path) -> None:
    strange = tmp_path / ") S 1 1 (x"
    strange.symlink_to(sys.executable)
    with child(str(strange)) as process:
        assert processes.stat_of(process.pid)[0] == os.getpid()


def test_a_process_that_has_ended() -> None:
    with child() as process:
        name = processes.name_of(process.pid)
        assert name == f"{process.pid}:{processes.stat_of(process.pid)[1]}"
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # ended, and not yet buried
        with pytest.raises(OSError, match=str(process.pid)):
            processes.name_of(process.pid)
    with pytest.raises(OSError, match=str(process.pid)):
        processes.name_of(process.pid)
    assert list(processes.ancestors(process.pid)) == [process.pid]


def test_a_later_process_of_the_same_pid_has_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = iter(["100", "200"])
    monkeypatch.setattr(processes, "stat_of", lambda _: (1, next(starts)))
    assert processes.name_of(7) != processes.name_of(7)


def test_nobody_is_followed_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "parent_of", lambda pid: pid + 1)
    chain = processes.ancestors(2)
    assert len(list(islice(chain, processes.MOST_ANCESTORS))) == processes.MOST_ANCESTORS
    with pytest.raises(processes.TooManyAncestors):
        next(chain)
    assert list(processes.ancestors(1)) == []


def test_names_in_the_environment() -> None:
    with child(CLAUDECODE="1", OTHER="a=b") as process:
        assert processes.environment(process.pid) >= {"CLAUDECODE", "OTHER"}
        assert "b" not in processes.environment(process.pid)


def test_no_environment_of_one_that_has_ended() -> None:
    with child() as process:
        pass
    with pytest.raises(OSError, match=str(process.pid)):
        processes.environment(process.pid)
    assert processes.programs(process.pid) == frozenset()


@linux
def test_a_program_goes_by_the_name_it_was_called_by(tmp_path: Path) -> None:
    link = tmp_path / "claude"
    link.symlink_to(Path(sys.executable).resolve())
    with child(str(link)) as process:
        assert processes.programs(process.pid) == {"claude", Path(sys.executable).resolve().name}


# --- where there is no /proc ---------------------------------------------------------------------


class Ps:
    """Answers for `ps`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
        self.asked: list[list[str]] = []
        self.output = output
        self.arguments = ""
        monkeypatch.setattr(sys, "platform", "darwin")
        monkeypatch.setattr(processes.subprocess, "run", self.run)

    def run(self, words: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        self.asked.append(words)
        return subprocess.CompletedProcess(words, 0, self.arguments if "args=" in words else self.output)


def test_ps_tells_parent_and_start(monkeypatch: pytest.MonkeyPatch) -> None:
    ps = Ps(monkeypatch, "  501 Mon Nov 30 12:00:00 2026\n")
    assert processes.stat_of(77) == (501, "Mon-Nov-30-12:00:00-2026")
    assert processes.name_of(77) == "77:Mon-Nov-30-12:00:00-2026"
    assert ps.asked[0][0] == "/bin/ps"
    ps.output = ""
    with pytest.raises(ProcessLookupError):
        processes.stat_of(77)


def test_ps_tells_environment_and_program(monkeypatch: pytest.MonkeyPatch) -> None:
    ps = Ps(monkeypatch, "python x.py CLAUDECODE=1 HOME=/x\n")
    assert processes.environment(77) == {"CLAUDECODE", "HOME"}
    ps.output = "/opt/homebrew/bin/claude\n"
    assert processes.programs(77) == {"claude"}
    ps.output = "/opt/homebrew/bin/node\n"
    ps.arguments = "node /opt/homebrew/bin/gemini --yolo\n"
    assert processes.programs(77) == {"node", "gemini"}


def test_the_other_end_without_so_peercred(monkeypatch: pytest.MonkeyPatch) -> None:
    class Connection:
        def getsockopt(self, _level: int, option: int, size: int) -> bytes:
            return struct.pack("i", 77) if option == 2 else struct.pack("iI", 0, 501)[:size]

    monkeypatch.setattr(sys, "platform", "darwin")
    connection: Any = Connection()
    assert processes.peer_of(connection) == (77, 501)
