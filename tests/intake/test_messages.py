"""Messages and the hooks that carry them: what they print, what they say of it, and what they never do."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.desks import Watcher, sample
from tests.intake.conftest import Stage
from tests.standin import WAIT_S, Hook, StandIn

UNDECIDED = (0, b"", b"")
TEXT = 'Look "there" – 今\n'
AGENT = "claude-code"


class Turn:
    """A session of the stand-in agent that works on something."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.session_id = str(uuid.uuid4())
        assert self.event("UserPromptSubmit").result() == UNDECIDED

    def event(self, name: str, agent: StandIn | None = None, **changes: Any) -> Hook:
        payload = sample(name, **{"session_id": self.session_id, **changes})
        return (agent or self.stage.agent).hook(payload)

    def send(self, when: str = "soon", text: str = TEXT) -> None:
        with self.stage.home.desk() as desk:
            desk.call(
                "desk.queue", {"agent": AGENT, "session_id": self.session_id, "text": text, "when": when}
            )

    def message(self) -> dict[str, Any]:
        with self.stage.home.desk() as desk:
            every: list[dict[str, Any]] = desk.snapshot()["messages"]
        (found,) = [one for one in every if one["session_id"] == self.session_id]
        return found

    def wait(self, state: str, reason: str = "") -> None:
        """Wait until the message is in a state: what a hook says as it ends may be heard a little later."""
        until_s = time.monotonic() + WAIT_S
        while (self.message()["state"], self.message().get("reason", "")) != (state, reason):
            assert time.monotonic() < until_s, self.message()
            time.sleep(0.01)


@pytest.fixture
def turn(shared: Stage) -> Turn:
    return Turn(shared)


def line(event: str, text: str = TEXT) -> bytes:
    said = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(("sampled", "event"), [("PostToolUse.Bash", "PostToolUse"), ("Stop", "Stop")])
def test_it_is_printed_to_the_letter_and_reported(turn: Turn, sampled: str, event: str) -> None:
    turn.send()
    code, output, errors = turn.event(sampled).result()
    assert (code, errors) == (0, b"")
    assert json.loads(output) == json.loads(line(event))
    assert output.count(b"\n") == 1
    turn.wait("handed_over")
    assert turn.event("Stop").result() == UNDECIDED  # once


def test_the_longest_one(turn: Turn) -> None:
    text = '\x00€"\\\n' * 800
    turn.send(text=text)
    _, output, _ = turn.event("Stop").result()
    assert json.loads(output)["hookSpecificOutput"]["additionalContext"] == text
    turn.wait("handed_over")


def test_one_for_the_end_waits_for_it(turn: Turn) -> None:
    turn.send(when="stop")
    assert turn.event("PostToolUse.Bash").result() == UNDECIDED
    assert turn.message()["state"] == "queued"
    assert turn.event("Stop").result()[1]
    turn.wait("handed_over")


CARRIES_NONE = [
    ("PostToolUse.Bash", {"agent_id": "a1"}),
    ("PostToolUseFailure.Bash", {}),
    ("PostToolBatch.denied", {}),
    ("SubagentStop", {"agent_id": "a1"}),
]


@pytest.mark.parametrize(("name", "changes"), CARRIES_NONE)
def test_other_events_and_subagents_leave_it(turn: Turn, name: str, changes: dict[str, Any]) -> None:
    turn.send()
    assert turn.event(name, **changes).result() == UNDECIDED
    assert turn.message()["state"] == "queued"


def test_a_process_that_is_not_the_sessions_agent_gets_none(turn: Turn) -> None:
    turn.send()
    with StandIn(turn.stage.agent.handlers) as stranger:
        assert turn.event("Stop", stranger).result() == UNDECIDED
    assert turn.message()["state"] == "queued"


def test_an_agent_that_hung_up_gets_it_at_the_next_pause(turn: Turn) -> None:
    turn.send()
    payload = sample("PostToolUse.Bash", session_id=turn.session_id)
    agent = turn.stage.agent
    reader, writer = os.pipe()
    os.close(reader)
    hook = agent.start(agent.command("PostToolUse"), agent.env(turn.session_id), stdout=writer)
    os.close(writer)
    hook.write(json.dumps(payload).encode())
    assert hook.code() == 0
    turn.wait("queued")
    assert turn.event("Stop").result()[1]
    turn.wait("handed_over")


def test_case_54_a_hook_that_is_killed_with_the_text_leaves_it_uncertain(turn: Turn) -> None:
    turn.send(text="€" * 4000)
    agent = turn.stage.agent
    hook = agent.start(agent.command("Stop"), agent.env(turn.session_id), small=True)
    hook.write(json.dumps(sample("Stop", session_id=turn.session_id)).encode())
    hook.stdout.settimeout(WAIT_S)
    assert hook.stdout.recv(1)  # it writes, and is not done
    os.kill(hook.pid, 9)
    assert hook.code() == -9
    turn.wait("uncertain", "hook_gone")
    assert turn.event("Stop").result() == UNDECIDED


def test_who_watches_is_told_of_each_step(turn: Turn, watcher: Watcher) -> None:
    turn.send()
    assert turn.event("Stop").result()[1]
    turn.wait("handed_over")
    watcher.until_message(turn.session_id, "queued", "taken", "handed_over")


@pytest.mark.parametrize("restart", [True, False])
def test_the_end_of_the_desk_is_told(stage: Stage, restart: bool) -> None:
    stage.up()
    turn = Turn(stage)
    turn.send()
    with stage.watch() as watcher:
        watcher.call("desk.stop", restart=restart)
        watcher.until_message(turn.session_id, "queued", "dropped")
        assert watcher.messages[-1]["reason"] == "shutdown"
    stage.home.wait()


# --- a desk that answers late, or oddly --------------------------------------------------------


@contextmanager
def answering(stage: Stage, *answers: bytes) -> Iterator[list[bytes]]:
    """A desk that answers one caller, however it likes, and hears all it says; b"" is no answer."""
    heard: list[bytes] = []
    stage.home.places.run.mkdir(mode=0o700, parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(stage.home.places.socket))
        listener.listen()
        listener.settimeout(WAIT_S)

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, connection.makefile("rwb") as lines:
                connection.settimeout(WAIT_S)
                heard.append(lines.readline())
                for answer in answers:
                    lines.write(answer)
                    lines.flush()
                heard.extend(lines)

        thread = threading.Thread(target=serve)
        thread.start()
        yield heard
        thread.join(WAIT_S)
    stage.home.places.socket.unlink()


def said(heard: list[bytes]) -> list[tuple[str, str]]:
    calls = [json.loads(call) for call in heard[1:]]
    return [(call["method"], call["params"].get("reason", "")) for call in calls]


def test_one_that_comes_too_late_is_refused_beforehand(stage: Stage) -> None:
    with answering(stage) as heard:
        hook = stage.agent.hook(sample("Stop"))
        assert hook.result() == UNDECIDED
    assert json.loads(heard[0])["params"]["takes"] is True
    assert said(heard) == [("agent.not_written", "late")]


@pytest.mark.parametrize(
    "answer",
    [
        b'{"id":1,"result":{"message":""}}\n',
        b'{"id":1,"result":{"message":7}}\n',
        b'{"id":1,"result":[]}\n',
        b'{"id":1,"error":{"message":"no"}}\n',
        b'{"id":1,"error":"message"}\n',
    ],
)
def test_what_is_no_message_is_not_printed(stage: Stage, answer: bytes) -> None:
    with answering(stage, answer) as heard:
        assert stage.agent.hook(sample("Stop")).result() == UNDECIDED
    assert said(heard) == []


def test_a_message_for_who_did_not_ask_is_not_printed(stage: Stage) -> None:
    with answering(stage, b'{"id":1,"result":{"message":"hello"}}\n') as heard:
        assert stage.agent.hook(sample("UserPromptSubmit")).result() == UNDECIDED
    assert "takes" not in json.loads(heard[0])["params"]
    assert said(heard) == []
