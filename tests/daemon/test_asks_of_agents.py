"""What a program asks that an agent started: where it comes from, and what it may not do. Real processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.desks import Home, Watcher, sample
from tests.standin import Hook, StandIn

ASKER = """
import json, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
lines = link.makefile("r")
for method, params in json.loads(sys.argv[2]):
    link.sendall((json.dumps({"id": 1, "method": method, "params": params}) + "\\n").encode())
    answer = {}
    while "id" not in answer:
        answer = json.loads(lines.readline())
    print(json.dumps(answer.get("result", answer.get("error"))), flush=True)
"""
OWN, OTHER = "ab" * 16, "cd" * 16
YESNO = {"surface_id": "%1", "kind": "yesno", "title": "Go on?", "agent_id": "somebody else"}


class Scene(NamedTuple):
    home: Home
    agent: StandIn
    watcher: Watcher

    def start(self, *calls: tuple[str, dict[str, Any]]) -> Hook:
        """Let the agent start a program that makes these calls."""
        words = [sys.executable, "-I", "-S", "-c", ASKER, str(self.home.places.socket), json.dumps(calls)]
        return self.agent.start(words)


@pytest.fixture
def scene() -> Iterator[Scene]:
    with Home() as home, StandIn(home.handlers()) as agent:
        home.up("--agents-only", str(agent.pid))
        with Watcher(home) as watcher:
            agent.hook(sample("PermissionRequest.Bash", cwd="/srv/shop"))
            watcher.until(lambda request: request["kind"] == "permission")
            yield Scene(home, agent, watcher)


def outside(scene: Scene, request_id: str) -> socket.socket:
    """Ask as a program that no agent started; return its connection once that is pending."""
    link = socket.socket(socket.AF_UNIX)
    link.connect(str(scene.home.places.socket))
    call = {"id": 1, "method": "agent.ask_user", "params": {**YESNO, "id": request_id}}
    link.sendall(json.dumps(call).encode() + b"\n")
    scene.watcher.until(lambda request: request["id"] == request_id)
    return link


def test_case_60_it_says_in_which_agent_it_runs_whatever_it_calls_itself(scene: Scene) -> None:
    asking = scene.start(("agent.ask_user", {**YESNO, "id": OWN}))
    shown = scene.watcher.until(lambda request: request["id"] == OWN)
    assert (shown["agent"], shown["label"]) == ("claude-code", "somebody else")
    scene.watcher.answer(OWN, behavior="allow", value="yes")
    assert json.loads(asking.read()) == {"request_id": OWN, "action": "ok", "value": "yes"}


def test_case_60_a_program_outside_of_agents_is_called_one(scene: Scene) -> None:
    with outside(scene, OTHER):
        assert scene.watcher.requests[OTHER]["agent"] == "program"


def test_case_51_it_sees_answers_and_cancels_nothing_of_others(scene: Scene) -> None:
    with outside(scene, OTHER):
        tries = scene.start(
            ("agent.ask_pending", {}),
            ("askUserRequestSnapshot", {}),
            ("agent.ask_answer", {"request_id": OTHER, "value": "yes"}),
            ("agent.ask_cancel", {"request_id": OTHER}),
            ("desk.answer", {"id": OTHER, "reply": {"behavior": "allow", "value": "yes"}}),
        )
        said = [json.loads(line) for line in tries.read().splitlines()]
        assert len(said) == 5
        assert all("started from inside an agent" in words for words in said), said
        pending = scene.watcher.call("agent.ask_pending")["pending"]
        assert [one["request_id"] for one in pending] == [OTHER]


def test_one_program_of_an_agent_takes_back_what_another_asked(scene: Scene) -> None:
    asking = scene.start(("agent.ask_user", {**YESNO, "id": OWN}))
    scene.watcher.until(lambda request: request["id"] == OWN)
    sibling = scene.start(("agent.ask_cancel", {"request_id": OWN, "reason": "no need"}))
    assert json.loads(sibling.read()) == {"resolved": True}
    assert json.loads(asking.read()) == {"request_id": OWN, "action": "cancel", "reason": "no need"}


def test_a_person_takes_back_what_any_program_asked(scene: Scene) -> None:
    asking = scene.start(("agent.ask_user", {**YESNO, "id": OWN}))
    scene.watcher.until(lambda request: request["id"] == OWN)
    assert scene.watcher.call("agent.ask_cancel", request_id=OWN) == {"resolved": True}
    assert json.loads(asking.read()) == {"request_id": OWN, "action": "cancel"}


def test_case_22_a_killed_programs_question_is_gone_within_a_second(scene: Scene) -> None:
    asking = scene.start(("agent.ask_user", {**YESNO, "id": OWN}))
    scene.watcher.until(lambda request: request["id"] == OWN)
    killed_s = time.monotonic()
    os.kill(asking.pid, signal.SIGKILL)
    gone = scene.watcher.state(OWN, "withdrawn")
    assert time.monotonic() - killed_s < 1
    assert gone["reason"] == "caller_gone"


def test_a_session_that_ends_leaves_what_a_program_of_it_asks(scene: Scene) -> None:
    asking = scene.start(("agent.ask_user", {**YESNO, "id": OWN}))
    scene.watcher.until(lambda request: request["id"] == OWN)
    scene.agent.hook(sample("SessionEnd", session_id=sample("PermissionRequest.Bash")["session_id"])).result()
    scene.watcher.until(lambda request: request["kind"] == "permission" and request["state"] == "withdrawn")
    scene.watcher.answer(OWN, behavior="allow", value="no")
    assert json.loads(asking.read())["value"] == "no"
