"""What the hook tells the desk before it ends, to the letter; the test is the desk."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.desks import sample
from tests.intake.conftest import Stage
from tests.standin import Hook

BASH = sample("PermissionRequest.Bash")


class Desk:
    """A listener in place of the desk, line by line."""

    def __init__(self, stage: Stage) -> None:
        path = stage.home.places.socket
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(16)
        self._listener.settimeout(10)
        self._connection: socket.socket | None = None
        self._lines: Any = None

    def accept(self) -> dict[str, Any]:
        """Let the next one in; return the first thing it says."""
        self.hang_up()
        self._connection, _ = self._listener.accept()
        self._connection.settimeout(10)
        self._lines = self._connection.makefile("rb")
        return self.hear()

    def hear(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self._lines.readline())
        return said

    def say(self, **words: Any) -> None:
        assert self._connection is not None
        self._connection.sendall(json.dumps(words).encode() + b"\n")

    def end(self) -> bytes:
        """Return what is still said until the connection ends."""
        rest: bytes = self._lines.read()
        return rest

    def hang_up(self) -> None:
        if self._connection is not None:
            self._lines.close()
            self._connection.close()

    def close(self) -> None:
        self.hang_up()
        self._listener.close()


@pytest.fixture
def desk(stage: Stage) -> Iterator[Desk]:
    made = Desk(stage)
    yield made
    made.close()


@pytest.fixture
def asking(stage: Stage, desk: Desk) -> tuple[Hook, str]:
    """A hook that asks, and the id under which it does."""
    hook = stage.agent.hook(BASH)
    said = desk.accept()
    desk.say(method="agent.pending", params={"id": said["params"]["id"]})
    return hook, said["params"]["id"]


def test_what_an_ask_says(stage: Stage, desk: Desk) -> None:
    hook = stage.agent.hook(BASH)
    said = desk.accept()
    assert (said["id"], said["method"]) == (1, "agent.request")
    ask = said["params"]
    assert (len(ask["id"]), ask["version"], ask["agent_pid"]) == (32, 1, stage.agent.pid)
    assert (ask["agent"], ask["session_id"], ask["kind"]) == ("claude-code", BASH["session_id"], "permission")
    assert (ask["hold"], ask["attended"]) == ("parallel", True)
    assert ask["started_s"] > 0
    assert "resumed" not in ask
    desk.say(id=1, result={})
    assert hook.code() == 0
    assert desk.end() == b""


def test_what_an_observer_says(stage: Stage, desk: Desk) -> None:
    hook = stage.agent.hook(sample("Stop"))
    said = desk.accept()
    assert (said["id"], said["method"], said["params"]["type"]) == (1, "agent.event", "stop")
    assert (said["params"]["version"], said["params"]["agent_pid"]) == (1, stage.agent.pid)
    desk.say(id=1, result={})
    assert hook.result() == (0, b"", b"")


def test_told_to_end(desk: Desk, asking: tuple[Hook, str]) -> None:
    hook, request_id = asking
    hook.terminate()
    assert desk.hear() == {"method": "agent.gone", "params": {"id": request_id, "reason": "term"}}
    assert hook.result() == (0, b"", b"")


def test_nobody_reads_its_output(desk: Desk, asking: tuple[Hook, str]) -> None:
    hook, request_id = asking
    hook.hang_up()
    assert desk.hear() == {"method": "agent.gone", "params": {"id": request_id, "reason": "hangup"}}
    assert hook.code() == 0


def test_case_08_its_agent_has_died(stage: Stage, desk: Desk, asking: tuple[Hook, str]) -> None:
    hook, request_id = asking
    stage.agent.kill()
    assert desk.hear() == {"method": "agent.gone", "params": {"id": request_id, "reason": "orphan"}}
    assert hook.read() == b""


def test_its_agent_has_died_and_only_the_parents_pid_tells(stage: Stage, desk: Desk) -> None:
    env = stage.agent.env(BASH["session_id"], CLAUDE_PID=str(os.getpid()))
    hook = stage.agent.start(stage.agent.command("PermissionRequest"), env)
    hook.write(json.dumps(BASH).encode())
    assert desk.accept()["params"]["agent_pid"] == os.getpid()
    stage.agent.kill()
    desk.say(method="agent.pending", params={})  # any sign makes it look
    assert desk.hear()["params"]["reason"] == "orphan"
    assert hook.read() == b""


@pytest.mark.parametrize(
    ("result", "output", "word"),
    [
        ({"behavior": "deny", "message": "no"}, True, "agent.written"),
        ({"behavior": "allow", "suggestion": 77}, False, "agent.not_written"),
        ({"behavior": "dance"}, False, "agent.not_written"),
    ],
)
def test_case_01_a_receipt_before_the_end(
    desk: Desk, asking: tuple[Hook, str], result: dict[str, Any], output: bool, word: str
) -> None:
    hook, request_id = asking
    desk.say(id=1, result=result)
    receipt = desk.hear()
    assert (receipt["method"], receipt["params"]["id"]) == (word, request_id)
    if output:
        assert len(receipt["params"]["expects"]) == 64
    else:
        assert receipt["params"]["reason"] == "bad"
    code, printed, errors = hook.result()
    assert (code, bool(printed), errors) == (0, output, b"")


def test_case_09_it_asks_again_under_its_id(desk: Desk, asking: tuple[Hook, str]) -> None:
    hook, request_id = asking
    again = desk.accept()
    assert (again["params"]["id"], again["params"]["resumed"], again["params"]["journal"]) == (
        request_id,
        True,
        [],
    )
    desk.say(id=1, result={"behavior": "allow"})
    assert desk.hear()["method"] == "agent.written"
    assert hook.code() == 0


def test_case_09_it_brings_the_journal_along(stage: Stage, desk: Desk, asking: tuple[Hook, str]) -> None:
    _, request_id = asking
    flag = stage.home.flag(BASH["session_id"])
    flag.parent.mkdir()
    flag.write_bytes(b'{"a":1}\n\n\xff\n')
    again = desk.accept()
    assert again["params"]["id"] == request_id
    assert again["params"]["journal"] == ['{"a":1}', "\ufffd"]


def test_who_shows_nothing_meanwhile_does_not_wait_for_a_silent_desk(stage: Stage, desk: Desk) -> None:
    hook = stage.agent.hook(sample("PermissionRequest.subagent"))
    desk.accept()
    assert desk.end() == b""
    assert hook.result() == (0, b"", b"")
