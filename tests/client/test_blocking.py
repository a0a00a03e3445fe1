"""The desk for a program that waits, against a desk and against what is none."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sayso import errors
from sayso.client.blocking import Desk
from tests.desks import Home


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with Home() as home:
        home.up("--agents-only", "1")
        yield home


@contextmanager
def answering(folder: Path, *answers: bytes) -> Iterator[str]:
    """Answer the calls of one connection, one after the other, then hang up."""
    folder.chmod(0o700)
    path = str(folder / "s")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path)
        made.listen(1)

        def serve() -> None:
            connection, _ = made.accept()
            with connection:
                for answer in answers:
                    connection.recv(1 << 16)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield path
        thread.join(10)


ASK: dict[str, Any] = {
    "agent": "claude-code",
    "session_id": "s1",
    "kind": "permission",
    "tool": "Bash",
    "hold_s": 60,
}


def test_a_call(home: Home) -> None:
    with home.desk() as desk:
        assert desk.fileno() > 0
        assert desk.call("desk.health", {})["pid"] == home.pid
        assert desk.call("desk.sessions", {}) == {"sessions": []}


def test_errors_come_back_as_what_they_were(home: Home) -> None:
    with home.desk() as desk:
        with pytest.raises(errors.UnknownMethod):
            desk.call("desk.dance", {})
        with pytest.raises(errors.BadRequest) as bad:
            desk.call("desk.presence", {"present": 1})
        assert bad.value.field == "present"
        with pytest.raises(errors.Gone):
            desk.call("desk.answer", {"id": "x", "reply": {"behavior": "allow"}})


def test_changes_and_calls_on_one_connection(home: Home) -> None:
    with home.desk() as person, home.desk() as other:
        person.subscribe()
        first = person.next_change(10)
        assert first is not None
        assert first["type"] == "snapshot"
        assert person.next_change(0) is None
        other.call("desk.settings", {"settings": {"exclusive_wait_s": 30}})
        assert person.call("desk.health", {})["ok"]  # what was pushed meanwhile is kept
        change = person.next_change(10)
        assert change is not None
        assert change["settings"]["exclusive_wait_s"] == 30.0
        assert other.snapshot()["settings"]["exclusive_wait_s"] == 30.0


def test_an_answer_that_takes_too_long(home: Home) -> None:
    with home.desk() as desk, pytest.raises(errors.Unavailable, match="did not answer"):
        desk.call("agent.request", ASK, timeout_s=0.05)


def test_no_desk(tmp_path: Path) -> None:
    with pytest.raises(errors.Unavailable, match="sayso start"):
        Desk(str(tmp_path / "nothing"))


def test_a_desk_that_goes_away(tmp_path: Path) -> None:
    with answering(tmp_path, b'{"id":1,"result":{}}\n') as path, Desk(path) as desk:
        assert desk.call("desk.health", {}) == {}
        with pytest.raises(errors.Unavailable, match="went away"):
            desk.call("desk.health", {})


@pytest.mark.parametrize("garbage", [b"hello\n", b"[]\n", b"\xff\n", b"[" * 10_000 + b"\n"])
def test_what_is_no_desk(tmp_path: Path, garbage: bytes) -> None:
    with (
        answering(tmp_path, garbage) as path,
        Desk(path) as desk,
        pytest.raises(errors.Unavailable, match="is not a desk"),
    ):
        desk.call("desk.health", {})


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (b'"no"', errors.SaysoError),
        (b'{"message":"no"}', errors.SaysoError),
        (b'{"message":"no","data":{"code":"not_seen","field":"input[0]"}}', errors.NotSeen),
        (b'{"message":"no","data":{"code":"request_gone","state":"expired"}}', errors.Gone),
        (b'{"message":"no","data":{"code":"refused"}}', errors.Refused),
        (b'{"message":"no","data":{"code":"of_tomorrow"}}', errors.SaysoError),
    ],
)
def test_every_form_of_an_error(tmp_path: Path, error: bytes, kind: type[errors.SaysoError]) -> None:
    with (
        answering(tmp_path, b'{"id":1,"error":' + error + b"}\n") as path,
        Desk(path) as desk,
        pytest.raises(kind, match="no") as caught,
    ):
        desk.call("desk.health", {})
    assert type(caught.value) is kind


def test_a_snapshot_in_pieces_is_one_change(tmp_path: Path) -> None:
    def piece(request: str, more: str) -> bytes:
        lists = f'"requests":[{request}],"ended":[],"sessions":[],"messages":[]'
        change = f'{{"type":"snapshot","snapshot":{{{lists}}}{more}}}'
        return b'{"method":"desk.change","params":' + change.encode() + b"}\n"

    sent = b'{"id":1,"result":{"ok":true}}\n' + piece("1", ',"more":true') + piece("2", "")
    with answering(tmp_path, sent) as path, Desk(path) as desk:
        assert desk.snapshot()["requests"] == [1, 2]


def test_a_desk_that_sends_no_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(tmp_path, b'{"id":1,"result":{"ok":true}}\n') as path, Desk(path) as desk:
        monkeypatch.setattr(desk, "next_change", lambda _: None)
        with pytest.raises(errors.Unavailable, match="no snapshot"):
            desk.snapshot()
