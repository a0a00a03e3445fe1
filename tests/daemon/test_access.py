"""Who may do more than ask: told by descent, marks and programs, at each call anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.daemon import processes
from sayso.daemon.access import MARKS, Access
from sayso.errors import Refused
from tests.standin import Hook, StandIn

PRINT_AND_WAIT = "echo $$; read line"
CLEAN = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
DOUBLE_FORK = """
import os, sys
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.read(reading, 1)  # until the parent has ended
    print(os.getpid(), flush=True)
    sys.stdin.read()
else:
    os.wait()
    os.write(writing, b"x")
"""


@pytest.fixture
def starter(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """A process with nothing above it, as it were: these tests themselves may run inside an agent."""
    with StandIn() as starter:
        real = processes.ancestors

        def ancestors(pid: int) -> Iterator[int]:
            for one in real(pid):
                yield one
                if one == starter.pid:
                    return

        monkeypatch.setattr(processes, "ancestors", ancestors)
        yield starter


def shell(starter: StandIn, text: str = PRINT_AND_WAIT, **env: str) -> tuple[Hook, int]:
    """Start a shell; return it and the pid it printed."""
    hook = starter.start(["/bin/sh", "-c", text], {**CLEAN, **env})
    hook.stdout.settimeout(20)
    return hook, int(hook.stdout.recv(100))


def check(pid: int, agents: tuple[str, ...] = (), only: frozenset[int] = frozenset()) -> None:
    Access(lambda: agents, only).check(pid, processes.name_of(pid))


def test_a_persons_shell_may(starter: StandIn) -> None:
    _, pid = shell(starter)
    check(pid)


def test_case_51_descendants_of_who_asked_may_not(starter: StandIn) -> None:
    agent, pid = shell(starter, "sh -c 'echo $$; read line'; true")
    assert pid != agent.pid
    with pytest.raises(Refused, match=f"process {agent.pid} has asked.*fresh terminal"):
        check(pid, (processes.name_of(agent.pid),))
    with pytest.raises(Refused, match="has asked"):
        check(agent.pid, (processes.name_of(agent.pid),))


def test_case_51_nor_what_replaced_its_program(starter: StandIn) -> None:
    _, pid = shell(starter, "exec sh -c 'echo $$; exec sleep 60'")
    with pytest.raises(Refused, match="has asked"):
        check(pid, (processes.name_of(starter.pid),))


def test_an_agent_that_has_ended_says_nothing_of_a_later_process_of_its_pid(starter: StandIn) -> None:
    _, pid = shell(starter)
    check(pid, (f"{starter.pid}:1",))


@pytest.mark.parametrize(
    "mark", [*MARKS, "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"]
)
def test_case_51_what_carries_an_agents_mark_may_not(starter: StandIn, mark: str) -> None:
    _, pid = shell(starter, **{mark: "1"})
    with pytest.raises(Refused, match=f"carries {mark}"):
        check(pid)


def test_case_51_nor_what_was_started_by_such_a_one(starter: StandIn) -> None:
    _, pid = shell(starter, "env -u CLAUDECODE sh -c 'echo $$; read line'; true", CLAUDECODE="1")
    assert "CLAUDECODE" not in processes.environment(pid)
    with pytest.raises(Refused, match="carries CLAUDECODE"):
        check(pid)


def test_settings_of_a_person_are_no_marks(starter: StandIn) -> None:
    _, pid = shell(starter, CODEX_HOME="/x", CLAUDE_CONFIG_DIR="/x", ANTHROPIC_API_KEY="x")
    check(pid)
    _, pid = shell(starter, GEMINI_CLI_HOME="/x", GEMINI_CLI_IDE_PID="1", CURSOR_API_KEY="x")
    check(pid)


def test_terminals_of_editors_are_a_persons(starter: StandIn) -> None:
    names = (
        "CURSOR_TRACE_ID",
        "TERM_PROGRAM",
        "VSCODE_PID",
        "GEMINI_CLI_IDE_SERVER_PORT",
        "OPENCODE_TERMINAL",
    )
    _, pid = shell(starter, **dict.fromkeys(names, "1"))
    check(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_case_51_what_an_agents_program_started_may_not(starter: StandIn, name: str, tmp_path: Path) -> None:
    link = tmp_path / name
    link.symlink_to("/bin/sh")
    _, pid = shell(starter, f"'{link}' -c \"sh -c 'echo \\$\\$; read line'; true\"; true")
    with pytest.raises(Refused, match=f"is {name}"):
        check(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")
def test_case_51_nor_what_an_agent_started_that_is_a_script(starter: StandIn, tmp_path: Path) -> None:
    script = tmp_path / "gemini"
    script.write_text("import subprocess, sys; subprocess.run(['/bin/sh', '-c', sys.argv[1]])")
    _, pid = shell(starter, f"'{sys.executable}' -I -S '{script}' 'echo $$; read line; true'; true")
    with pytest.raises(Refused, match="is gemini"):
        check(pid)


def double_forked(starter: StandIn, **env: str) -> int:
    hook = starter.start([sys.executable, "-I", "-S", "-c", DOUBLE_FORK], {**CLEAN, **env})
    hook.stdout.settimeout(20)
    pid = int(hook.stdout.recv(100))
    assert starter.pid not in processes.ancestors(pid)
    return pid


def test_case_51_a_double_fork_keeps_the_marks(starter: StandIn) -> None:
    pid = double_forked(starter, CLAUDECODE="1")
    with pytest.raises(Refused, match="carries CLAUDECODE"):
        check(pid, (processes.name_of(starter.pid),))


def test_a_process_that_has_ended_may_not(starter: StandIn) -> None:
    hook, pid = shell(starter)
    name = processes.name_of(pid)
    hook.stdin.close()
    hook.code()
    with pytest.raises(Refused, match="cannot be read any more"):
        Access(list).check(pid, name)


def test_pids_are_used_again_and_names_are_not(starter: StandIn) -> None:
    _, pid = shell(starter)
    with pytest.raises(Refused, match="cannot be read any more"):
        Access(list).check(pid, f"{pid}:1")
    with pytest.raises(Refused):
        Access(list).check(pid, "")


def test_who_hides_its_environment_may_not(starter: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    _, pid = shell(starter)

    def hidden(one: int) -> frozenset[str]:
        raise PermissionError

    monkeypatch.setattr(processes, "environment", hidden)
    with pytest.raises(Refused, match="hides its environment"):
        check(pid)


def test_above_the_caller_much_cannot_be_read(starter: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    _, pid = shell(starter)
    real, names = processes.environment, processes.name_of

    def environment(one: int) -> frozenset[str]:
        if one != pid:
            raise PermissionError
        return real(one)

    monkeypatch.setattr(processes, "environment", environment)
    check(pid)

    def name_of(one: int) -> str:
        if one != pid:
            raise ProcessLookupError
        return names(one)

    monkeypatch.setattr(processes, "name_of", name_of)
    check(pid)


def test_in_a_private_desk_only_the_named_process_is_an_agent(starter: StandIn) -> None:
    _, pid = shell(starter, CLAUDECODE="1")
    check(pid, only=frozenset({1}))
    with pytest.raises(Refused, match=f"process {starter.pid}"):
        check(pid, only=frozenset({starter.pid}))
