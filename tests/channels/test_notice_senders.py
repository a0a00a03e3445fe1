"""Ways out for notices: what is run, one at a time, and what is told when it fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from sayso.channels import programs
from sayso.channels.notice_senders import Command, Desktop, Sender, Unsent
from sayso.channels.notices import Batch
from sayso.channels.programs import Done, Program
from sayso.core.types import Settings
from sayso.wire.views import NoteView
from tests.channels.fake_desk import view

WAIT_S = 10.0
ONE = Batch(requests=(view(),), waiting=1)
ANOTHER = Batch(requests=(view("5" * 32, project="bank"),), waiting=2)
NOTE = Batch(notes=(NoteView(agent="codex", title="Done", at=""),), note_count=1)


class Runs:
    """Programs as they are run; each ends when the test says how."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: asyncio.Queue[tuple[Program, asyncio.Future[Done]]] = asyncio.Queue()
        monkeypatch.setattr(programs, "run", self.run)

    async def run(self, program: Program) -> Done:
        done: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self.started.put_nowait((program, done))
        return await done

    async def next(self, done: Done | None = None) -> Program:
        """Return what is run next; it ends at once, or as told."""
        program, end = await asyncio.wait_for(self.started.get(), WAIT_S)
        end.set_result(done or Done())
        return program


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(monkeypatch)


class Way:
    """A sender, and the settings it reads."""

    def __init__(self, kind: str, env: dict[str, str] | None = None, **settings: Any) -> None:
        self.settings = Settings(**settings)
        self.over: set[str] = set()
        given = {"PATH": "/usr/bin:/bin", **(env or {})}
        self.sender: Sender = (
            Command(lambda: self.settings, self.still, given)
            if kind == "command"
            else Desktop(lambda: self.settings, self.still, given, kind)
        )

    def still(self, batch: Batch) -> Batch:
        left = tuple(one for one in batch.requests if one.id not in self.over)
        return batch._replace(requests=left)

    def program(self, batch: Batch = ONE) -> Program:
        program = self.sender.program(batch, self.settings)
        assert isinstance(program, Program)
        return program

    def unsent(self, batch: Batch = ONE) -> str:
        program = self.sender.program(batch, self.settings)
        assert isinstance(program, Unsent)
        return program.trouble

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[Sender]:
        task = asyncio.create_task(self.sender.run())
        try:
            yield self.sender
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def found(monkeypatch: pytest.MonkeyPatch, folder: str = "/usr/bin") -> None:
    monkeypatch.setattr("shutil.which", lambda name, path: f"{folder}/{name}")


def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path: None)


# --- the desktop ---------------------------------------------------------------------------


def test_on_linux_notify_send_is_run_for_a_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch)
    program = Way("linux", {"DISPLAY": ":0"}).program()
    assert program.argv[:3] == ["/usr/bin/notify-send", "--app-name=sayso", "--"]
    assert program.argv[3] == "Claude Code in shop"
    assert program.env["DISPLAY"] == ":0"
    assert program.patience_s == 5


def test_on_macos_osascript_is(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch)
    assert Way("darwin").program().argv[0] == "/usr/bin/osascript"


def test_switched_off_nothing_is_run_and_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch)
    way = Way("linux", desktop_notices=False)
    assert way.unsent() == ""
    way.sender.trouble = "from before"
    assert way.sender.current_trouble() == ""


@pytest.mark.parametrize("display", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_desktop_without_notify_send_is_told_what_is_missing(
    display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing(monkeypatch)
    words = Way("linux", {display: "x"}).unsent()
    assert "notify-send is not installed" in words
    assert "sayso settings desktop_notices off" in words


def test_without_a_desktop_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch)
    assert Way("linux").unsent() == ""
    assert "osascript is not installed" in Way("darwin").unsent()


@pytest.mark.parametrize(
    "said",
    [
        "Cannot autolaunch D-Bus without X11 $DISPLAY",
        "GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown: no such name",
        "Failed to connect to socket /run/user/1000/bus: dbus says no",
    ],
)
def test_without_a_session_it_says_so_in_words_of_ours(said: str) -> None:
    words = Way("linux").sender.explain(Done("it ended with 1", errors=said))
    assert "no desktop session takes notices here" in words
    assert "GDBus" not in words


def test_what_a_program_wrote_is_never_told() -> None:
    for way in (Way("linux"), Way("command")):
        words = way.sender.explain(Done("it ended with 1", output="git push", errors="git push"))
        assert "it ended with 1" in words
        assert "git push" not in words


# --- a command -----------------------------------------------------------------------------


def test_the_command_is_split_into_words_and_told_on_its_input() -> None:
    program = Way("command", on_request="ring --on 'my phone' $HOME; rm").program()
    assert program.argv == ["ring", "--on", "my phone", "$HOME;", "rm"]
    assert json.loads(program.stdin)["request"]["project"] == "shop"
    assert program.stdin.count("\n") == 1
    assert program.env["SAYSO_REQUEST_ID"] == view().id
    assert program.patience_s == 10


def test_of_several_requests_none_is_named_in_the_environment() -> None:
    both = Batch(requests=(*ONE.requests, *ANOTHER.requests), waiting=2)
    way = Way("command", on_request="ring")
    assert "SAYSO_REQUEST_ID" not in way.program(both).env
    assert "SAYSO_REQUEST_ID" not in way.program(NOTE).env


def test_what_is_no_command_is_told() -> None:
    assert "quotation mark" in Way("command", on_request="ring 'my phone").unsent()
    assert Way("command", on_request="  ").unsent() == ""


def test_a_command_that_is_not_there() -> None:
    words = Way("command", on_request="ring").sender.explain(Done("it is not there", missing=True))
    assert words == "the command of on_request failed: there is no such program (write its whole path)"


# --- one at a time -------------------------------------------------------------------------


async def test_what_comes_meanwhile_is_one_notice_afterwards(runs: Runs) -> None:
    async with Way("command", on_request="ring").running() as sender:
        sender.offer(ONE)
        first, end = await asyncio.wait_for(runs.started.get(), WAIT_S)
        assert json.loads(first.stdin)["type"] == "request"
        for _ in range(3):
            sender.offer(ANOTHER)
            sender.offer(NOTE)
        assert runs.started.empty()
        end.set_result(Done())
        told = json.loads((await runs.next()).stdin)
        assert (told["type"], told["request"]["project"]) == ("request", "bank")
        assert json.loads((await runs.next()).stdin)["count"] == 3


async def test_what_ended_meanwhile_is_not_told(runs: Runs) -> None:
    way = Way("command", on_request="ring")
    async with way.running() as sender:
        sender.offer(ONE)
        _, end = await asyncio.wait_for(runs.started.get(), WAIT_S)
        sender.offer(ANOTHER)
        way.over.add(ANOTHER.requests[0].id)
        end.set_result(Done())
        sender.offer(NOTE)
        assert json.loads((await runs.next()).stdin)["type"] == "note"


async def test_case_46_a_failure_is_told_once_and_until_it_works(
    runs: Runs, caplog: pytest.LogCaptureFixture
) -> None:
    async with Way("command", on_request="ring").running() as sender:
        for _ in range(3):
            sender.offer(ONE)
            await runs.next(Done("it ended with 3"))
        sender.offer(ONE)
        program, end = await asyncio.wait_for(runs.started.get(), WAIT_S)
        assert sender.current_trouble() == "the command of on_request failed: it ended with 3"
        assert program.argv == ["ring"]
        assert [record.message for record in caplog.records] == [sender.current_trouble()]
        end.set_result(Done())
        sender.offer(ONE)
        await runs.next()
        assert sender.current_trouble() == ""


async def test_another_command_begins_without_the_trouble_of_the_last(runs: Runs) -> None:
    way = Way("command", on_request="ring")
    async with way.running() as sender:
        sender.offer(ONE)
        await runs.next(Done("it ended with 3"))
        sender.offer(ANOTHER)
        await runs.next(Done("it ended with 3"))
        assert sender.current_trouble() != ""
        way.settings = Settings(on_request="bell")
        assert sender.current_trouble() == ""
