"""How a hook that asks comes to its end, and what the desk makes of it."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any

from tests.desks import Watcher, sample
from tests.intake.conftest import Stage
from tests.standin import Hook

UNDECIDED = (0, b"", b"")


class Asked:
    def __init__(self, stage: Stage, watcher: Watcher) -> None:
        self.payload: dict[str, Any] = sample("PermissionRequest.Bash", session_id=str(uuid.uuid4()))
        self.hook: Hook = stage.agent.hook(self.payload)
        self.id: str = watcher.pending(self.payload["session_id"])["id"]


def test_case_03_turned_down_in_the_terminal(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher)
    asked.hook.terminate()
    assert asked.hook.result() == UNDECIDED
    assert watcher.state(asked.id, "withdrawn")["reason"] == "closed_in_terminal"
    watcher.until(lambda _: watcher.sessions[asked.payload["session_id"]]["state"] == "idle")


def test_killed_outright(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher)
    os.kill(asked.hook.pid, 9)
    assert asked.hook.code() == -9
    assert watcher.state(asked.id, "withdrawn")["reason"] == "closed_in_terminal"


def test_the_terminal_hung_up(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher)
    os.kill(asked.hook.pid, 1)
    assert asked.hook.result() == UNDECIDED
    watcher.state(asked.id, "withdrawn")


def test_case_03_nobody_reads_its_output_any_more(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher)
    asked.hook.hang_up()
    assert asked.hook.code() == 0
    assert watcher.state(asked.id, "withdrawn")["reason"] == "session_ended"


def test_the_same_over_a_pipe(shared: Stage, watcher: Watcher) -> None:
    reading, writing = os.pipe()
    payload = sample("PermissionRequest.Bash", session_id=str(uuid.uuid4()))
    hook = shared.agent.start(
        shared.agent.command("PermissionRequest"), shared.agent.env(payload["session_id"]), stdout=writing
    )
    os.close(writing)
    hook.write(json.dumps(payload).encode())
    card = watcher.pending(payload["session_id"])
    os.close(reading)
    assert hook.code() == 0
    watcher.state(card["id"], "withdrawn")


def test_the_end_of_its_input_means_nothing(shared: Stage, watcher: Watcher) -> None:
    asked = Asked(shared, watcher)
    assert asked.hook.stdin.fileno() == -1  # closed long ago
    watcher.answer(asked.id, behavior="allow")
    assert asked.hook.code() == 0
    watcher.state(asked.id, "delivered")


def test_an_input_that_stays_open_is_waited_for(shared: Stage, watcher: Watcher) -> None:
    hook = shared.agent.start(shared.agent.command("PermissionRequest"), shared.agent.env("open"))
    hook.terminate()
    assert hook.code() in (0, -15)  # it may not have got as far as to hear of it
    assert hook.read() == b""


def test_case_08_the_agent_was_killed(stage: Stage) -> None:
    stage.up()
    with stage.watch() as watcher:
        asked = Asked(stage, watcher)
        stage.agent.kill()
        assert asked.hook.read() == b""  # its end closed the output: nobody else holds it
        assert watcher.state(asked.id, "withdrawn")["reason"] == "session_ended"
        watcher.until(lambda _: watcher.sessions[asked.payload["session_id"]]["state"] == "ended")


def test_it_was_killed_while_no_desk_was_there(stage: Stage) -> None:
    stage.up()
    with stage.watch() as watcher:
        asked = Asked(stage, watcher)
    stage.home.kill()
    stage.agent.kill()
    assert asked.hook.read() == b""


def test_told_to_end_while_no_desk_was_there(stage: Stage) -> None:
    stage.up()
    with stage.watch() as watcher:
        asked = Asked(stage, watcher)
    stage.home.kill()
    asked.hook.terminate()
    assert asked.hook.result() == UNDECIDED


def test_an_answer_that_cannot_be_written_any_more(shared: Stage, watcher: Watcher) -> None:
    """Its output is full and its reader goes: the answer is lost, and said to be."""
    payload = sample("PermissionRequest.AskUserQuestion", session_id=str(uuid.uuid4()))
    payload["tool_input"]["metadata"] = {"padding": "x" * 200_000}
    hook = shared.agent.start(
        shared.agent.command("PermissionRequest"), shared.agent.env(payload["session_id"]), small=True
    )
    hook.write(json.dumps(payload).encode())
    card = watcher.pending(payload["session_id"])
    labels = [one["options"][0]["label"] for one in payload["tool_input"]["questions"]]
    watcher.call("desk.row", id=card["id"], row=len(card["input"]) - 1)
    picked = [{"picked": [label]} for label in labels]
    watcher.answer(card["id"], behavior="allow", answers=picked, unseen=True)
    hook.stdout.settimeout(20)
    assert hook.stdout.recv(1) == b"{"
    hook.hang_up()
    assert hook.code() == 0
    assert watcher.state(card["id"], "lost")["reason"] == "hook_failed"
