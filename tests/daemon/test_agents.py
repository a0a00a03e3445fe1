"""Agents' processes: confirmed by ancestry, watched until they end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from sayso.daemon import agents as module
from sayso.daemon import processes
from sayso.daemon.agents import AgentProcesses
from tests.standin import StandIn

SLEEPER = ["/bin/sh", "-c", "read line"]
"""Lives until its input ends."""


class Known:
    """The processes a desk knows, and which of them ended."""

    def __init__(self, only: frozenset[int] = frozenset()) -> None:
        self.ended: asyncio.Queue[str] = asyncio.Queue()
        self.agents = AgentProcesses(self.ended.put_nowait, only)

    async def next_end(self) -> str:
        return await asyncio.wait_for(self.ended.get(), 10)


@pytest_asyncio.fixture
async def known() -> AsyncIterator[Known]:
    made = Known()
    yield made
    made.agents.close()


@pytest.fixture
def agent() -> Iterator[StandIn]:
    with StandIn() as agent:
        yield agent


async def test_what_started_the_caller_is_its_agent(known: Known, agent: StandIn) -> None:
    hook = agent.start(SLEEPER)
    name = known.agents.confirm(agent.pid, hook.pid)
    assert name == processes.name_of(agent.pid)
    assert known.agents.confirm(agent.pid, hook.pid) == name
    assert known.agents.names() == [name]


async def test_a_shell_may_stand_between_them(known: Known, agent: StandIn) -> None:
    hook = agent.start(["/bin/sh", "-c", "sh -c 'echo $$; read line'; true"])
    inner = int(hook.stdout.recv(100))
    assert processes.stat_of(inner)[0] == hook.pid
    assert known.agents.confirm(agent.pid, inner) == processes.name_of(agent.pid)


STARTS_A_TOOL = "import subprocess; subprocess.run(['/bin/sh', '-c', 'echo $$; read line'])"
"""An agent by itself: not a shell, and it starts something."""


async def test_what_is_further_up_is_not(known: Known, agent: StandIn) -> None:
    hook = agent.start(["/bin/sh", "-c", "sh -c 'echo $$; read line'; true"])
    inner = int(hook.stdout.recv(100))
    assert known.agents.confirm(os.getpid(), inner) == ""


async def test_what_started_an_agent_is_not(known: Known, agent: StandIn) -> None:
    inner = agent.start([sys.executable, "-S", "-c", STARTS_A_TOOL])
    tool = int(inner.stdout.recv(100))
    assert known.agents.confirm(inner.pid, tool) == processes.name_of(inner.pid)
    assert known.agents.confirm(agent.pid, tool) == ""


async def test_a_shell_is_a_person_s(known: Known, agent: StandIn) -> None:
    shell = agent.start(["/bin/sh", "-c", "sh -c 'echo $$; read line'; true"])
    tool = int(shell.stdout.recv(100))
    assert known.agents.confirm(shell.pid, tool) == ""


async def test_what_the_desk_itself_was_started_from_is_not(
    known: Known, agent: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = agent.start(SLEEPER)
    monkeypatch.setattr(os, "getpid", lambda: hook.pid)
    assert known.agents.confirm(agent.pid, hook.pid) == ""
    assert known.agents.names() == []


async def test_what_did_not_start_the_caller_is_not(known: Known, agent: StandIn) -> None:
    hook = agent.start(SLEEPER)
    with StandIn() as other:
        for reported in (hook.pid, other.pid, 1, 0, -1, 2**22 + 1):
            assert known.agents.confirm(reported, hook.pid) == ""
    assert known.agents.confirm(agent.pid, 2**22 + 1) == ""
    assert known.agents.names() == []


async def test_case_08_its_end_is_noticed(known: Known, agent: StandIn) -> None:
    name = known.agents.confirm(agent.pid, agent.start(SLEEPER).pid)
    agent.kill()
    assert await known.next_end() == name
    assert known.agents.names() == []


async def test_where_the_kernel_gives_no_sign_it_is_looked_for(
    known: Known, agent: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(pid: int) -> int:
        raise OSError

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    monkeypatch.setattr(module, "_LOOK_S", 0.01)
    with StandIn() as other:
        name = known.agents.confirm(agent.pid, agent.start(SLEEPER).pid)
        kept = known.agents.confirm(other.pid, other.start(SLEEPER).pid)
        agent.kill()
        assert await known.next_end() == name
        assert known.agents.names() == [kept]
        other.kill()
        assert await known.next_end() == kept


async def test_without_pidfds_at_all(known: Known, agent: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    monkeypatch.setattr(module, "_LOOK_S", 0.01)
    name = known.agents.confirm(agent.pid, agent.start(SLEEPER).pid)
    agent.kill()
    assert await known.next_end() == name


async def test_a_private_desk_knows_its_agents_alone(agent: StandIn) -> None:
    known = Known(frozenset({agent.pid}))
    hook = agent.start(SLEEPER)
    assert known.agents.confirm(agent.pid, hook.pid) != ""
    with StandIn() as other:
        assert known.agents.confirm(other.pid, other.start(SLEEPER).pid) == ""
    known.agents.close()
    assert known.agents.names() == []


async def test_one_that_ends_while_it_is_looked_at(
    known: Known, agent: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = agent.start(SLEEPER)
    monkeypatch.setattr(processes, "ancestors", lambda pid: iter([pid, agent.pid]))
    agent.kill()
    assert known.agents.confirm(agent.pid, hook.pid) == ""


# --- at the other end of our own connection ------------------------------------------------------


async def test_who_listens_where_we_connect_is_an_agent_and_its_end_is_noticed(
    known: Known, agent: StandIn
) -> None:
    name = known.agents.known(agent.pid)
    assert name == processes.name_of(agent.pid) == known.agents.known(agent.pid)
    assert known.agents.names() == [name]
    agent.close()
    assert await known.next_end() == name


async def test_who_listens_is_no_agent_where_it_is_the_persons_or_gone(known: Known) -> None:
    assert known.agents.known(os.getpid()) == ""  # a desk that Codex started has it above itself
    assert known.agents.known(2**22 + 1) == ""
    assert known.agents.names() == []


async def test_a_private_desk_knows_who_listens_only_where_it_was_told(agent: StandIn) -> None:
    private = Known(frozenset({1}))
    assert private.agents.known(agent.pid) == ""
    private.agents.close()
