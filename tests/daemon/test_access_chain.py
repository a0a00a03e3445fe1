"""Descent that is made hard to see: very many processes in between, or one that looks dead."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from sayso.daemon import processes
from sayso.daemon.access import Access
from sayso.errors import Refused
from tests.standin import StandIn

CLEAN = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
NEST = """
import os, sys
for _ in range({depth}):
    if os.fork():
        os.wait()
        os._exit(0)
print(os.getpid(), flush=True)
sys.stdin.read()
"""
HEADLESS = """
import ctypes, os, sys, threading
main = os.getpid()
def go_on():
    while open(f"/proc/{{main}}/stat").read().rpartition(")")[2].split()[0] != "Z":
        pass
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        sys.stdin.read()
    os.wait()
    os._exit(0)
threading.Thread(target=go_on).start()
ctypes.CDLL(None).syscall({exit}, 0)  # the first thread alone
"""
SYS_EXIT = {"x86_64": 60, "aarch64": 93}

linux = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")


def descendant(starter: StandIn, text: str) -> int:
    hook = starter.start([sys.executable, "-I", "-S", "-c", text], CLEAN)
    hook.stdout.settimeout(20)
    return int(hook.stdout.recv(100))


def check(pid: int, agent: int) -> None:
    Access(lambda: (processes.name_of(agent),)).check(pid, processes.name_of(pid))


def test_case_51_an_agent_is_found_above_very_many() -> None:
    with StandIn() as starter:
        pid = descendant(starter, NEST.format(depth=80))
        with pytest.raises(Refused, match="has asked through sayso"):
            check(pid, starter.pid)


def test_case_51_who_has_more_above_it_than_are_looked_at_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "MOST_ANCESTORS", 10)
    with StandIn() as starter:
        pid = descendant(starter, NEST.format(depth=12))
        with pytest.raises(Refused, match="too many processes"):
            check(pid, starter.pid)


@linux
def test_case_51_a_process_that_looks_dead_hides_nobody() -> None:
    with StandIn() as starter:
        pid = descendant(starter, HEADLESS.format(exit=SYS_EXIT[platform.machine()]))
        parent = processes.parent_of(pid)
        assert Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        with pytest.raises(Refused, match="has asked through sayso"):
            check(pid, starter.pid)
