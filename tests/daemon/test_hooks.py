"""What hooks say, and whose word counts: with agents' processes confirmed as the test says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest_asyncio

from sayso.core.states import State
from sayso.core.types import Answerer, Reply, Request, Settings
from sayso.daemon.flags import Flags
from sayso.daemon.hooks import METHODS, Hooks
from sayso.daemon.runtime import Runtime

BY = Answerer(channel="cli")
AGENT, OTHER = 700, 800
"""Pids of agents; a hook's is one above its agent's."""


class Agents:
    """Confirms an agent for the hook whose pid is one above it."""

    def confirm(self, reported_pid: int, caller_pid: int) -> str:
        return f"{reported_pid}:1" if caller_pid == reported_pid + 1 else ""


class Hook:
    """A connection, and what came back on it, in order."""

    _count = 0

    def __init__(self, stage: Stage, agent_pid: int = AGENT) -> None:
        Hook._count += 1
        self.waiter = f"hook {Hook._count}"
        self.pid = agent_pid + 1
        self.agent_pid = agent_pid
        self.heard: list[Any] = []
        self.flag_was_up = False
        self._stage = stage

    def push(self, method: str, params: Any) -> None:
        self.heard.append((method, params))
        self.flag_was_up = self._stage.flag.is_file()

    def say(self, method: str, **params: Any) -> None:
        raw = msgspec.Raw(json.dumps({"agent": "claude-code", "session_id": "s1", **params}).encode())
        METHODS[method](self._stage.hooks, self, raw, self.heard.append)

    def ask(self, request_id: str = "a", **changes: Any) -> Request:
        words = {
            "id": request_id,
            "kind": "permission",
            "tool": "Bash",
            "digest": "d",
            "agent_pid": self.agent_pid,
            "started_s": self._stage.now_s,
        }
        self.say("agent.request", **{**words, **changes})
        return self._stage.request(request_id)

    def event(self, type_: str, **more: Any) -> None:
        at_s = more.pop("at_s", self._stage.now_s + 0.5)
        words = {"type": type_, "at_s": at_s, "agent_pid": self.agent_pid}
        self._stage.now_s += 1
        self.say("agent.event", **{**words, **more})


class Stage:
    def __init__(self, folder: Path) -> None:
        self.now_s = 1000.0
        self.flag = folder / "s1"
        self.runtime = Runtime(Settings(), lambda _: "", Flags(folder), now=lambda: self.now_s)
        agents: Any = Agents()
        self.hooks = Hooks(self.runtime, agents, lambda text: (text.replace("secret", "***"), ()))

    def request(self, request_id: str) -> Request:
        return self.runtime.desk.snapshot().requests[request_id]

    def state(self, request_id: str) -> State:
        return self.request(request_id).state

    def answer(self, request_id: str) -> None:
        self.runtime.desk.answer(request_id, Reply(behavior="allow"), BY, self.now_s)
        self.runtime.settle()


@pytest_asyncio.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.runtime.end()


# --- asking ------------------------------------------------------------------------------------


async def test_the_flag_is_up_before_the_ask_is_acknowledged(stage: Stage) -> None:
    hook = Hook(stage)
    request = hook.ask()
    assert hook.heard == [("agent.pending", {"id": "a"})]
    assert hook.flag_was_up
    assert (request.process, request.waiter) == (f"{AGENT}:1", hook.waiter)
    stage.answer("a")
    assert [msgspec.to_builtins(one) for one in hook.heard[1:]] == [{"behavior": "allow"}]


async def test_what_does_not_pend_is_not_acknowledged(stage: Stage) -> None:
    hook = Hook(stage)
    assert hook.ask(kind="dance").state is State.DEFERRED
    assert hook.heard == [{}]


async def test_starts_are_on_the_desks_clock(stage: Stage) -> None:
    assert Hook(stage).ask("a", started_s=stage.now_s + 1e6).ask.started_s == stage.now_s
    assert Hook(stage).ask("b", started_s=0).ask.started_s == stage.now_s
    assert Hook(stage).ask("c", started_s=stage.now_s - 5).ask.started_s == stage.now_s - 5
    wall = stage.runtime.clock.offset_s + stage.now_s - 7
    assert abs(Hook(stage).ask("d", started_s=0, started_at=wall).ask.started_s - stage.now_s + 7) < 0.001


async def test_what_is_shown_is_masked(stage: Stage) -> None:
    request = Hook(stage).ask(input=[{"label": "x", "value": "my secret"}])
    assert request.ask.input[0].value == "my ***"


# --- whose word counts -------------------------------------------------------------------------


async def test_an_event_of_the_sessions_own_agent(stage: Stage) -> None:
    Hook(stage).ask()
    hook = Hook(stage)
    hook.event("post-tool-use", tool="Bash", digest="d")
    assert hook.heard == [{}]
    assert stage.state("a") is State.WITHDRAWN


async def test_case_51_nobody_else_speaks_for_a_session_of_a_confirmed_agent(stage: Stage) -> None:
    Hook(stage).ask()
    stranger = Hook(stage, OTHER)
    stranger.pid = 5
    for claimed in (AGENT, OTHER, 0):
        stranger.agent_pid = claimed
        stranger.event("session-end")
        stranger.event("user-prompt-submit", prompt="x")
    other_agent = Hook(stage, OTHER)
    other_agent.event("stop")
    assert stage.state("a") is State.PENDING
    assert stranger.heard == [{}] * 6  # acknowledged: a hook does not wait for more


async def test_of_a_session_that_nobody_confirmed_everyone_may_speak(stage: Stage) -> None:
    asker = Hook(stage)
    asker.pid = 5
    assert asker.ask().process == ""
    stranger = Hook(stage)
    stranger.pid = 6
    stranger.event("stop")
    assert stage.state("a") is State.WITHDRAWN


async def test_an_event_of_the_future_is_one_of_now(stage: Stage) -> None:
    hook = Hook(stage)
    hook.event("user-prompt-submit", prompt="x", at_s=1e12)
    hook.event("stop")
    (session,) = stage.runtime.desk.snapshot().sessions.values()
    assert session.state == "idle"


async def test_case_06_an_event_of_before_the_ask_leaves_it_alone(stage: Stage) -> None:
    Hook(stage).ask()
    Hook(stage).event("stop", at_s=stage.now_s - 1)
    assert stage.state("a") is State.PENDING


# --- messages ----------------------------------------------------------------------------------


async def queued(stage: Stage) -> None:
    Hook(stage).event("user-prompt-submit", prompt="x")
    stage.runtime.desk.queue("claude-code", "s1", "go on", "soon", stage.now_s)
    stage.runtime.settle()


async def test_a_message_is_taken_once_and_its_receipt_counts(stage: Stage) -> None:
    await queued(stage)
    hook, second = Hook(stage), Hook(stage)
    hook.say("agent.take-message", agent_pid=AGENT)
    second.say("agent.take-message", agent_pid=AGENT)
    assert (hook.heard, second.heard) == ([{"message": "go on"}], [{}])
    hook.say("agent.written", id="")
    (message,) = stage.runtime.desk.snapshot().messages.values()
    assert message.state == "handed_over"


async def test_a_message_that_could_not_be_written_is_put_back(stage: Stage) -> None:
    await queued(stage)
    hook = Hook(stage)
    hook.say("agent.take-message", agent_pid=AGENT)
    hook.say("agent.not_written", id="", reason="bad")
    (message,) = stage.runtime.desk.snapshot().messages.values()
    assert message.state == "queued"


async def test_an_events_answer_carries_the_message_for_a_hook_that_takes_one(stage: Stage) -> None:
    await queued(stage)
    tells, takes, stranger = Hook(stage), Hook(stage), Hook(stage)
    stranger.pid = 5
    tells.event("stop")
    stranger.event("stop", takes=True)
    takes.event("stop", takes=True)
    assert (tells.heard, stranger.heard, takes.heard) == ([{}], [{}], [{"message": "go on"}])
    takes.say("agent.written", id="")
    (message,) = stage.runtime.desk.snapshot().messages.values()
    assert message.state == "handed_over"


async def test_case_51_a_message_is_for_the_sessions_own_agent(stage: Stage) -> None:
    await queued(stage)
    stranger = Hook(stage)
    stranger.pid = 5
    stranger.say("agent.take-message", agent_pid=AGENT)
    stranger.say("agent.take-message")
    assert stranger.heard == [{}, {}]
    (message,) = stage.runtime.desk.snapshot().messages.values()
    assert message.state == "queued"


# --- the journal -------------------------------------------------------------------------------


def line(**changes: Any) -> str:
    words = {
        "agent": "claude-code",
        "session_id": "s1",
        "type": "post-tool-use",
        "tool": "Bash",
        "digest": "d",
        "agent_pid": AGENT,
        "at_s": 1000.5,
    }
    return json.dumps({**words, **changes})


async def test_case_09_what_a_hook_brings_along_is_heard_before_its_ask(stage: Stage) -> None:
    stage.now_s = 1010.0
    hook = Hook(stage)
    request = hook.ask(started_s=1000.0, resumed=True, journal=[line()])
    assert (request.state, request.reason) == (State.WITHDRAWN, "tool_ran")
    assert hook.heard == [{}]


async def test_the_desk_reads_the_flag_itself(stage: Stage) -> None:
    stage.flag.write_text(line() + "\n")
    stage.now_s = 1010.0
    assert Hook(stage).ask(started_s=1000.0, resumed=True).state is State.WITHDRAWN


async def test_an_ask_that_is_new_has_no_journal(stage: Stage) -> None:
    stage.flag.write_text(line() + "\n")
    stage.now_s = 1010.0
    assert Hook(stage).ask(started_s=1000.0, journal=[line()]).state is State.PENDING


async def test_a_line_counts_once_however_old_it_is(stage: Stage) -> None:
    """The desk was away for minutes; two hooks with equal calls bring the same line."""
    stage.flag.write_text(line() + "\n")
    stage.now_s = 1500.0
    first = Hook(stage).ask("a", started_s=1000.0, resumed=True, journal=[line()])
    second = Hook(stage).ask("b", started_s=1000.1, resumed=True, journal=[line()])
    assert [first.state, second.state] == [State.WITHDRAWN, State.PENDING]


async def test_lines_of_others_do_not_count(stage: Stage) -> None:
    stage.now_s = 1010.0
    journal = [line(agent_pid=OTHER), line(session_id="s2"), line(agent="codex"), "{", line(type="dance")]
    assert Hook(stage).ask(started_s=1000.0, resumed=True, journal=journal).state is State.PENDING


async def test_without_flags_only_what_is_brought_along_counts() -> None:
    now_s = 1010.0
    runtime = Runtime(Settings(), lambda _: "", None, now=lambda: now_s)
    agents: Any = Agents()
    hooks = Hooks(runtime, agents, lambda text: (text, ()))
    ask = json.loads(line()) | {"id": "a", "kind": "permission", "started_s": 1000.0, "resumed": True}
    heard: asyncio.Queue[Any] = asyncio.Queue()

    class Connection:
        waiter, pid = "w", AGENT + 1

        def push(self, method: str, params: Any) -> None:
            heard.put_nowait(method)

    hooks.request(Connection(), msgspec.Raw(json.dumps(ask).encode()), heard.put_nowait)
    assert heard.get_nowait() == "agent.pending"
    runtime.end()
