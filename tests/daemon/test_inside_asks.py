"""The desk as an intake inside of it sees it: who is at the other end, and what it says to whom."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator

import pytest

from sayso.core.digest import dumps
from sayso.core.states import State
from sayso.core.types import Answerer, Reply, Settings
from sayso.daemon import processes
from sayso.daemon.agents import AgentProcesses
from sayso.daemon.inside_asks import InsideAsks
from sayso.daemon.lifecycle import masked
from sayso.daemon.runtime import Runtime
from sayso.errors import BadRequest

ADA = Answerer(channel="web", credential="c1")
SECRET = "ghp_" + "a1B2" * 9


class Stage:
    def __init__(self) -> None:
        self.runtime = Runtime(Settings(codex_server=True), lambda _settings: "", None)
        self.asks = InsideAsks(self.runtime, AgentProcesses(lambda _name: None), masked)
        self.told: list[object] = []

    def ask(self, **more: object) -> str:
        rows = [{"label": "Command", "value": f"curl -H {SECRET}"}]
        ask = {"agent": "codex", "session_id": "s", "kind": "permission", "input": rows, **more}
        return self.asks.ask(dumps(ask), "7:70", self.told.append)

    def state(self, request_id: str) -> State:
        return self.runtime.desk.request(request_id).state

    def answer(self, request_id: str) -> None:
        self.runtime.desk.answer(request_id, Reply(behavior="allow"), ADA, self.runtime.now())
        self.runtime.settle()


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    stage = Stage()
    yield stage
    stage.runtime.end()


async def test_it_is_told_a_decision_and_tells_what_became_of_it(stage: Stage) -> None:
    request_id = stage.ask()
    assert stage.told == []
    stage.answer(request_id)
    assert stage.told == [{"behavior": "allow"}]
    stage.asks.written(request_id)
    assert stage.state(request_id) is State.DELIVERED
    assert not stage.asks.contradicted(request_id)


async def test_what_it_says_is_checked_and_masked_like_what_hooks_say(stage: Stage) -> None:
    request_id = stage.ask()
    assert SECRET not in stage.runtime.desk.request(request_id).ask.input[0].value
    with pytest.raises(BadRequest):
        stage.ask(session_id="")
    with pytest.raises(BadRequest):
        stage.asks.observe(
            dumps({"agent": "codex", "session_id": "s", "type": "unheard of", "at_s": 0.0}), ""
        )


async def test_what_cannot_pend_is_told_at_once(stage: Stage) -> None:
    request_id = stage.ask(unshowable="it is a secret")
    assert stage.told == [None]
    assert stage.runtime.desk.request(request_id).notice
    stage.asks.over(request_id, "resolved")
    assert not stage.runtime.desk.request(request_id).notice


async def test_receipts_for_what_is_no_longer_kept_are_nothing(stage: Stage) -> None:
    stage.asks.written("unknown")
    stage.asks.not_written("unknown")
    stage.asks.over("unknown", "resolved")
    assert not stage.asks.contradicted("unknown")


async def test_words_for_a_session_that_takes_none_are_not_queued(stage: Stage) -> None:
    assert not stage.asks.queue("codex", "unknown", "hello")
    assert stage.asks.take("codex", "unknown", "7:70", True) is None


async def test_another_users_server_is_refused(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert stage.asks.peer(ours) == ""  # this process is above the desk: it is in it
        monkeypatch.setattr(processes, "peer_of", lambda _connection: (os.getpid(), os.getuid() + 1))
        with pytest.raises(PermissionError, match="another user"):
            stage.asks.peer(ours)
