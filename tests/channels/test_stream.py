"""The lines of JSON for programs: versioned, counted, and going on over the desk's restarts."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from sayso.channels import stream as module
from sayso.channels.stream import LINES, Stream
from sayso.core.effects import Publish
from sayso.wire.views import RequestView
from tests.channels.fake_desk import FakeDesk, builtins, question, run, view
from tests.channels.socket_desk import SocketDesk, until
from tests.channels.test_watch import lines_of
from tests.desks import Home
from tests.rules.tree import ROOT

SECOND = view("4444" + "0" * 28)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[SocketDesk]:
    served = SocketDesk(tmp_path / "s", view(), SECOND)
    yield served
    if served.path.exists():
        served.stop()


def read(lines: IO[str] | None) -> dict[str, Any]:
    assert lines is not None
    line: dict[str, Any] = json.loads(lines.readline())
    return line


def change(type_: str, request: RequestView) -> dict[str, Any]:
    return {"type": type_, "boot": "b", "seq": 2, "request": builtins(request)}


# --- lines -------------------------------------------------------------------------------


def test_a_snapshot_has_the_version_and_a_count() -> None:
    snapshot = FakeDesk(view(), question(), view("5" * 32, state="released", notice=True)).snapshot()
    first = {"type": "snapshot", "boot": "b", "seq": 1, "snapshot": snapshot}
    line = Stream().line(first)
    assert line == {"version": 1, "waiting": 2, **first}
    assert next(iter(line)) == "version"
    assert Stream().line(first, reconnected=True) == {**line, "reconnected": True}


def test_lines_count_what_waits() -> None:
    stream = Stream()
    steps = [
        ("shown", view(), 1),
        ("shown", view(), 1),
        ("shown", SECOND, 2),
        ("shown", view("5" * 32, notice=True), 2),
        ("resolved", view(state="answered"), 1),
        ("changed", view(state="confirmed"), 1),
        ("forgotten", view(state="confirmed"), 1),
        ("resolved", view(SECOND.id, state="expired"), 0),
        ("shown", SECOND, 1),
        ("forgotten", SECOND, 0),
    ]
    assert [stream.line(change(type_, one))["waiting"] for type_, one, _ in steps] == [
        count for _, _, count in steps
    ]


def test_other_lines_are_the_desks_own() -> None:
    note = {"type": "note", "boot": "b", "seq": 2, "note": {"agent": "program", "title": "x", "at": ""}}
    assert Stream().line(note) == note


def test_every_type_is_described() -> None:
    about = Publish.__doc__
    assert about is not None
    told = about.partition("`type`:")[2].partition("Exactly")[0]
    types = {name for name in LINES if name not in ("snapshot", "alert", "note", "absent")}
    assert [name for name in types if name not in told] == []
    assert types >= {"shown", "resolved", "changed", "forgotten", "session", "message", "settings", "grants"}
    page = (ROOT / "docs" / "reference" / "events.md").read_text(encoding="utf-8")
    assert [name for name in LINES if f"`{name}`" not in page] == []
    assert f"version {module.VERSION}" in page


# --- the command -------------------------------------------------------------------------


def test_once_is_the_state_and_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    desk = FakeDesk(view(), SECOND)
    assert run(desk, "watch", "--json", "--once") == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert (json.loads(line)["version"], json.loads(line)["waiting"]) == (1, 2)
    assert desk.closed == 1
    assert run(desk, "watch", "--once") == 0
    assert "3f2a91bc Claude Code in shop wants to use Bash" in capsys.readouterr().out


def test_once_with_a_desk_that_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    desk = FakeDesk(view())
    desk.subscribe = lambda after="": None  # pyright: ignore[reportAttributeAccessIssue]
    assert run(desk, "watch", "--json", "--once") == 1
    assert json.loads(capsys.readouterr().out)["code"] == "unavailable"


def test_a_restart_is_a_line_and_nothing_is_missed(desk: SocketDesk) -> None:
    with lines_of(desk, "--json") as process:
        first = read(process.stdout)
        assert (first["type"], first["version"], first["waiting"]) == ("snapshot", 1, 2)
        assert "reconnected" not in first
        desk.stop()
        desk.boot = "b2"
        desk.views.pop(SECOND.id)
        desk.start()
        again = read(process.stdout)
        assert (again["type"], again["reconnected"], again["waiting"]) == ("snapshot", True, 1)
        assert again["boot"] == "b2"
        desk.happen(lambda: desk.move(view().id, "answered"))
        assert read(process.stdout)["waiting"] == 0
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    assert desk.told("desk.presence") == []


def test_a_desk_that_stays_away_is_told_once(desk: SocketDesk) -> None:
    with lines_of(desk, "--json") as process:
        assert read(process.stdout)["waiting"] == 2
        desk.stop()
        assert read(process.stdout) == {"type": "absent", "waiting": 0}
        desk.start()
        again = read(process.stdout)
        assert (again["type"], again["reconnected"]) == ("snapshot", True)
        process.terminate()
        process.wait(10)


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_it_ends_quietly_once_nobody_reads(desk: SocketDesk, words: tuple[str, ...]) -> None:
    with lines_of(desk, *words) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()  # and nothing more happens
        assert process.wait(10) == 1


def test_it_is_nobody_who_watches() -> None:
    with Home() as home:
        home.up("--agents-only", str(2**22 + 1))
        words = ["-m", "sayso", "watch", "--json"]
        with subprocess.Popen(
            [sys.executable, *words], env=home.env, stdout=subprocess.PIPE, text=True
        ) as process:
            assert read(process.stdout)["type"] == "snapshot"
            with home.desk() as desk:
                until(lambda: desk.call("desk.health", {})["watchers"] == 1, "it does not follow")
                assert desk.call("desk.health", {})["watched"] is False
            process.terminate()
            process.wait(10)
