"""Whatever goes wrong, the hook prints nothing and exits 0, and the agent asks by itself."""

from __future__ import annotations

import json
import os
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.desks import sample
from tests.intake.conftest import Stage
from tests.standin import ROOT

SILENT = (0, b"", b"")
BASH = sample("PermissionRequest.Bash")
DEEP = 100_000

INPUTS = {
    "nothing": b"",
    "a blank line": b"\n",
    "text": b"hello",
    "cut off": json.dumps(BASH).encode()[:-20],
    "followed by more": json.dumps(BASH).encode() + b"{}",
    "an array": b"[1, 2]",
    "a number": b"1e999",
    "null": b"null",
    "not UTF-8": json.dumps(BASH).encode().replace(b"Touch", b"\xff\xfe\x80"),
    "UTF-16": json.dumps(BASH).encode("utf-16"),
    "NaN": b'{"hook_event_name": "Stop", "session_id": NaN}',
    "deep arrays": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "megabytes of nothing": b"\0" * 5_000_000,
    "an unknown event": json.dumps({**BASH, "hook_event_name": "Surprise"}).encode(),
    "no session": json.dumps({**BASH, "session_id": ""}).encode(),
    "a session that is a path": json.dumps({**BASH, "session_id": "../../etc/passwd"}).encode(),
    "a session that is a number": json.dumps({**BASH, "session_id": 7}).encode(),
}


@pytest.mark.parametrize("event", ["PermissionRequest", "Stop"])
@pytest.mark.parametrize("name", INPUTS)
def test_case_36_input_that_makes_no_sense(shared: Stage, name: str, event: str) -> None:
    assert shared.agent.raw(event, INPUTS[name]).result() == SILENT


def test_the_desk_was_not_troubled_by_any_of_it(shared: Stage) -> None:
    with shared.home.desk() as desk:
        assert desk.call("desk.list", {})["requests"] == []
    assert "Traceback" not in shared.home.log()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["claude-code"],
        ["claude-code", "--socket"],
        ["claude-code", "--flags", "/tmp"],
        ["no-such-agent", "--socket", "/nowhere/desk.sock"],
        ["../claude_code", "--socket", "/nowhere/desk.sock"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_case_36_arguments_that_make_no_sense(stage: Stage, words: list[str]) -> None:
    command = stage.agent.command("PermissionRequest")
    start = command.index("claude-code")
    hook = stage.agent.start([*command[:start], *words], stage.agent.env("any"))
    hook.write(json.dumps(BASH).encode())
    assert hook.result() == SILENT


@pytest.mark.parametrize("payload", ["PermissionRequest.Bash", "PermissionRequest.subagent", "Stop"])
class TestNoDesk:
    def test_case_36_nothing_was_ever_there(self, stage: Stage, payload: str) -> None:
        assert stage.agent.hook(sample(payload)).result() == SILENT
        assert not stage.home.places.run.exists()

    def test_case_36_a_desk_that_crashed(self, stage: Stage, payload: str) -> None:
        stage.up()
        stage.home.kill()
        assert stage.home.places.socket.is_socket()
        assert stage.agent.hook(sample(payload)).result() == SILENT

    def test_case_50_a_folder_that_is_open_to_others(self, stage: Stage, payload: str) -> None:
        stage.up()
        stage.home.places.run.chmod(0o755)
        assert stage.agent.hook(sample(payload)).result() == SILENT
        stage.home.places.run.chmod(0o700)
        with stage.home.desk() as desk:
            assert desk.call("desk.health", {})["totals"] == {}


# --- something else at the place of the desk --------------------------------------------


@contextmanager
def listener(path: Path, backlog: int = 16) -> Iterator[socket.socket]:
    """Listen where the desk would, and do nothing."""
    path.parent.mkdir(mode=0o700, parents=True)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))
        made.listen(backlog)
        made.settimeout(10)
        yield made


@contextmanager
def answering(path: Path, answer: bytes) -> Iterator[None]:
    """Listen where the desk would, and answer the first line of everyone with the same bytes."""
    with listener(path) as made:
        made.settimeout(None)  # with one, a shutdown is noticed at its end alone

        def serve() -> None:
            while True:
                try:
                    connection, _ = made.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(1 << 20)
                    connection.sendall(answer)
                    connection.recv(1)  # until it goes

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        made.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@pytest.mark.parametrize("payload", ["PermissionRequest.subagent", "Elicitation.form", "Stop"])
def test_a_listener_that_says_nothing_counts_as_absent(stage: Stage, payload: str) -> None:
    with listener(stage.home.places.socket):
        assert stage.agent.hook(sample(payload)).result() == SILENT


@pytest.mark.parametrize("payload", ["PermissionRequest.subagent", "Stop"])
def test_a_listener_that_takes_nobody_in(stage: Stage, payload: str) -> None:
    with listener(stage.home.places.socket, backlog=0), socket.socket(socket.AF_UNIX) as first:
        first.connect(str(stage.home.places.socket))  # and now its queue is full
        assert stage.agent.hook(sample(payload)).result() == SILENT


def test_a_listener_that_reads_nothing(stage: Stage) -> None:
    much = sample("PermissionRequest.subagent", tool_input={"command": "x" * 1_000_000})
    with listener(stage.home.places.socket):
        assert stage.agent.hook(much).result() == SILENT


def test_beside_the_terminals_own_dialog_the_hook_waits_on(stage: Stage) -> None:
    with listener(stage.home.places.socket) as made:
        hook = stage.agent.hook(BASH)
        connection, _ = made.accept()
        with connection:
            connection.settimeout(10)
            said = json.loads(connection.makefile("rb").readline())
            assert said["method"] == "agent.request"
            # Later than any desk may be, but a desk after all.
            connection.settimeout(0.4)
            with pytest.raises(TimeoutError):
                connection.recv(1)
            connection.settimeout(10)
            assert hook.is_running()
            connection.sendall(b'{"id":1,"result":{"behavior":"allow"}}\n')
            assert hook.result()[1].startswith(b'{"hookSpecificOutput"')


def test_beside_the_terminals_own_dialog_it_tries_again_where_nobody_was_let_in(stage: Stage) -> None:
    with listener(stage.home.places.socket, backlog=0) as made, socket.socket(socket.AF_UNIX) as first:
        first.connect(str(stage.home.places.socket))
        hook = stage.agent.hook(BASH)
        # Longer than it waits to be let in; it does not end meanwhile.
        assert select.select([hook.stdout], [], [], 0.5)[0] == []
        made.accept()[0].close()
        connection, _ = made.accept()
        with connection:
            connection.settimeout(10)
            assert json.loads(connection.makefile("rb").readline())["method"] == "agent.request"
            connection.sendall(b'{"id":1,"result":{}}\n')
            assert hook.result() == SILENT


GARBAGE = {
    "text": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "not UTF-8": b"\xff\xfe\n",
    "an error": b'{"id":1,"error":"no"}\n',
    "an error as an object": b'{"id":1,"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}\n',
    "nothing decided": b'{"id":1,"result":{}}\n',
    "null": b'{"id":1,"result":null}\n',
    "a word": b'{"id":1,"result":"allow"}\n',
    "deep": b'{"id":1,"result":' + b"[" * 5000 + b"]" * 5000 + b"}\n",
    "no such behaviour": b'{"id":1,"result":{"behavior":"maybe"}}\n',
    "no such suggestion": b'{"id":1,"result":{"behavior":"allow","suggestion":9}}\n',
    "a suggestion below 0": b'{"id":1,"result":{"behavior":"allow","suggestion":-1}}\n',
    "a suggestion in words": b'{"id":1,"result":{"behavior":"allow","suggestion":"0"}}\n',
    "answers to no question": b'{"id":1,"result":{"behavior":"cancel","answers":[{"picked":[0]}]}}\n',
}


@pytest.mark.parametrize("name", GARBAGE)
def test_an_answer_that_makes_no_sense_decides_nothing(stage: Stage, name: str) -> None:
    with answering(stage.home.places.socket, GARBAGE[name]):
        assert stage.agent.hook(BASH).result() == SILENT
        assert stage.agent.hook(sample("Stop")).result() == SILENT


@pytest.mark.parametrize("reply", [b'{"behavior":"allow"}', b'{"behavior":"allow","answers":[]}'])
def test_case_17_a_question_is_never_just_allowed(stage: Stage, reply: bytes) -> None:
    question = sample("PermissionRequest.AskUserQuestion")
    with answering(stage.home.places.socket, b'{"id":1,"result":' + reply + b"}\n"):
        assert stage.agent.hook(question).result() == SILENT


# --- the guard -----------------------------------------------------------------------------


def test_case_36_interpreter_or_script_moved(stage: Stage, tmp_path: Path) -> None:
    command = stage.agent.command("PermissionRequest")
    at = command.index("-I") - 1
    for place in (at, at + 3):
        broken = [*command[:place], str(tmp_path / "gone"), *command[place + 1 :]]
        hook = stage.agent.start(broken, stage.agent.env("any"))
        hook.write(json.dumps(BASH).encode())
        assert hook.result() == SILENT


def test_the_hook_runs_from_its_copy(stage: Stage) -> None:
    command = stage.agent.command("PermissionRequest")
    script = Path(command[command.index("-S") + 1])
    assert script.parts[-3:] == ("sayso", "intake", "hook.py")
    assert not script.resolve().is_relative_to(ROOT)
    assert os.access(script, os.R_OK)
