"""`sayso watch` in a real pseudo-terminal, before a scripted desk on a real socket."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from sayso.channels import watch
from sayso.core.types import Answerer, Row
from sayso.errors import BadReply, Refused
from sayso.wire.views import AlertView, Change, GrantView, MessageView, NoteView
from tests.channels.fake_desk import FakeDesk, builtins, command, question, view, yesno
from tests.channels.socket_desk import RUN, Pty, SocketDesk, until

SECOND = view("4444" + "0" * 28)
GUARD_S = 0.35


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[SocketDesk]:
    served = SocketDesk(tmp_path / "s", view(), SECOND)
    yield served
    if served.path.exists():
        served.stop()


def read_it() -> None:
    """Let the time pass in which a key counts as an accident: it is real time, and the point."""
    time.sleep(GUARD_S)


def test_keys_answer_and_answers_are_followed(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2 · 3f2a91bc")
        person.shows("git push origin main")
        read_it()
        person.type("a")
        person.shows("1 of 1 · 44440000")
        person.shows("3f2a91bc Claude Code wants to use Bash: handed to the agent")
        assert desk.replies == [{"behavior": "allow"}]
        desk.happen(lambda: desk.move(view().id, "overruled"))
        person.shows("OVERRULED")
        until(lambda: "\a" in person.raw or bool(person.read()), "no bell rang")
        person.type("q")
        assert person.ended() == 0
        assert person.restored()


def test_a_command_runs_after_its_word_and_notes_are_told(desk: SocketDesk) -> None:
    desk.happen(lambda: desk.views.clear())
    desk.views[command().id] = command()
    with Pty(desk, "watch") as person:
        person.shows("1 of 1 · dd440000")
        read_it()
        person.type("a")
        person.shows("Type run, and it runs")
        read_it()
        person.type("\r\r")
        person.shows("Enter runs nothing")
        person.type("run")
        person.shows("Nothing waits for you.")
        assert [reply["step"] for reply in desk.replies] == ["ack", "run"]
        note = {
            "type": "note",
            "boot": "b1",
            "seq": 9,
            "note": {"agent": "program", "title": "Ready", "at": ""},
        }
        desk.happen(lambda: desk.changes.append(note))
        person.shows("Note of a program: Ready")


def test_presence_is_told_at_the_start_and_with_keys(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        until(lambda: {"present": True, "open": [view().id]} in desk.told("desk.presence"), "no presence")
        person.type("\x1b[O")
        until(lambda: not desk.told("desk.presence")[-1]["present"], "focus went")
        person.type("j")
        person.shows("2 of 2")
        until(
            lambda: desk.told("desk.presence")[-1] == {"present": False, "open": [SECOND.id]}, "the open card"
        )


def test_what_was_typed_before_the_screen_was_there_answers_nothing(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.type("a")
        person.shows("1 of 2")
        read_it()
        person.read()
        assert desk.replies == []


def test_pastes_marked_or_not_answer_nothing(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        read_it()
        person.type("\x1b[200~a\rd\r\x1b[201~")
        person.shows("A paste is not taken for keys.")
        person.type("?")
        person.shows("any key goes back")
        person.type(" ")
        person.shows("git push origin main")
        person.type("adra")
        person.shows("A paste is not taken for keys.")
        assert desk.replies == []
        assert desk.told("desk.release") == []


def test_a_reason_in_utf8_typed_and_pasted(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        read_it()
        person.type("d")
        person.shows("Enter denies it")
        person.type("grün\x1b[200~ und\nneu\x1b[201~")
        person.shows("grün und␊neu")
        person.type("\r")
        until(lambda: bool(desk.replies), "no reply")
        assert desk.replies == [{"behavior": "deny", "message": "grün und\nneu"}]


def test_escape_goes_back(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        read_it()
        person.type("d")
        person.shows("Enter denies it")
        person.type("\x1b")
        person.shows("a allow")
        assert desk.replies == []


def test_case_43_rows_are_fetched_and_a_long_card_is_paged(desk: SocketDesk) -> None:
    cut = view(input=(Row(label="Command", value="echo", length=2000, code=True),))
    desk.views = {cut.id: cut}
    desk.rows[cut.id, 0] = Row(label="Command", value="echo\n" * 60 + "rm -r it", code=True)
    with Pty(desk, "watch") as person:
        person.shows("space shows more")
        read_it()
        person.type("a")
        person.shows("There is more of it")
        for _ in range(4):
            person.type(" ")
        person.shows("rm -r it")
        read_it()
        person.type("a")
        until(lambda: desk.replies == [{"behavior": "allow"}], "no reply")


def test_release_away_and_a_refusal(desk: SocketDesk) -> None:
    desk.script.append(BadReply("it \x1b[2J does not fit"))
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        read_it()
        person.type("r")
        until(lambda: desk.told("desk.release") == [{"id": view().id}], "no release")
        person.type("w")
        until(lambda: desk.settings["away"], "not away")
        person.type("a")
        person.shows("it ␛[2J does not fit")
        person.shows("1 of 2")


def test_a_desk_that_restarts_is_waited_for(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        desk.stop()
        person.shows("DESK AWAY")
        person.type("j")
        person.shows("2 of 2")
        read_it()
        person.type("a")
        person.shows("nothing can be sent")
        desk.boot = "b2"
        desk.start()
        person.hides("DESK AWAY")
        read_it()
        person.type("a")
        until(lambda: desk.replies == [{"behavior": "allow"}], "no reply")


def test_the_terminal_may_change_its_size(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        person.rows.clear()
        person.resize(60, 12)
        person.signal(signal.SIGWINCH)
        until(lambda: bool(person.read()) or max(person.rows, default=0) == 12, "not drawn anew")
        assert all(len(row) <= 60 for row in person.rows.values())


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_the_terminal_is_given_back_after_a_signal(
    desk: SocketDesk, number: signal.Signals, code: int
) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        person.signal(number)
        assert person.ended() == code
        assert person.restored()


def test_the_terminal_is_given_back_after_ctrl_c(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        person.type("\x03")
        assert person.ended() == 130
        assert person.restored()


def test_the_terminal_is_given_back_after_an_error(desk: SocketDesk) -> None:
    with Pty(desk, "watch") as person:
        person.shows("1 of 2")
        desk.happen(lambda: desk.changes.append({"type": "shown", "boot": "b1", "seq": "none"}))
        assert person.ended() == 1
        assert "another version" in person.raw
        assert person.restored()


def test_no_desk_is_told_before_the_screen_is_taken(tmp_path: Path, desk: SocketDesk) -> None:
    desk.stop()
    with Pty(desk, "watch") as person:
        assert person.ended() == 1
        assert "no desk is running" in person.raw
        assert "?1049h" not in person.raw


def test_a_refusal_is_told_before_the_screen_is_taken(
    desk: SocketDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> dict[str, object]:
        raise Refused("this terminal was started from inside Claude Code: open a fresh one")

    monkeypatch.setattr(desk, "snapshot", refuse)
    with Pty(desk, "watch") as person:
        assert person.ended() == 3
        assert "open a fresh one" in person.raw
        assert "?1049h" not in person.raw


def test_the_other_commands_in_a_terminal_are_styled(desk: SocketDesk) -> None:
    with Pty(desk, "show", "3f2a") as person:
        assert person.ended() == 0
        assert "\x1b[1m3f2a91bc" in person.raw.replace("1 of 2 · ", "")


# --- without a terminal ----------------------------------------------------------------


def lines_of(desk: SocketDesk, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(desk.path), "watch", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_without_a_terminal_changes_are_lines(desk: SocketDesk) -> None:
    with lines_of(desk) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert "3f2a91bc Claude Code in shop wants to use Bash: git push origin main" in first
        assert "44440000" in process.stdout.readline()
        desk.happen(lambda: desk.move(view().id, "withdrawn", ending="answered in the terminal"))
        assert "3f2a91bc no longer asked: answered in the terminal" in process.stdout.readline()
        desk.happen(lambda: desk.change(question(), "shown"))
        assert "77aa0000 Claude Code in shop asks a question" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    assert desk.told("desk.presence") == []


def test_without_a_terminal_json_is_the_wire_and_a_restart_is_survived(desk: SocketDesk) -> None:
    with lines_of(desk, "--json") as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["snapshot"]["requests"][0] == builtins(view())
        desk.stop()
        desk.start()
        assert json.loads(process.stdout.readline())["type"] == "snapshot"
        desk.happen(lambda: desk.move(view().id, "answered"))
        assert json.loads(process.stdout.readline())["request"]["state"] == "answered"
        note = {"type": "note", "boot": "b1", "seq": 9, "note": builtins(NOTE)}
        desk.happen(lambda: desk.changes.append(note))
        assert json.loads(process.stdout.readline()) == note
        process.terminate()
        process.wait(10)


MESSAGE = MessageView(
    agent="claude-code",
    session_id="0c7d8e55-1111",
    text="look there",
    queued_at="2026-11-30T12:00:00.000Z",
    state="handed_over",
)

ALERT = AlertView(
    method="desk.list", at="2026-01-01T00:00:00Z", agent="claude-code", session_id="0c7d8e55", project="a\nb"
)
NOTE = NoteView(agent="program", title="Backup done", body="3 GB", label="a\nb", at="", project="shop")
NOTED = "Note of a program (calls itself “a␊b”) in shop: Backup done: 3 GB"
GRANT = GrantView(
    id="a",
    agent="codex",
    session_id="s",
    tool="Bash",
    what="make\ntest",
    by=Answerer(channel="cli"),
    until="2026-01-01T00:00:00Z",
)
GRANTED = "1 grant is open: Codex uses Bash: make␊test, 0 s left"
TRIED = (
    "Claude Code in a␊b (session 0c7d8e55) tried to look at what only you may see (desk.list), "
    "and was refused"
)


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        ({"type": "forgotten", "request": view()}, []),
        ({"type": "settings"}, []),
        (
            {"type": "resolved", "request": view(state="expired")},
            ["3f2a91bc timed out: nothing was decided here"],
        ),
        (
            {"type": "shown", "request": view(state="deferred", notice=True, ending="too many")},
            ["3f2a91bc Claude Code waits in its terminal: too many"],
        ),
        (
            {"type": "message", "message": MESSAGE},
            ["session 0c7d8e55 message “look there”: handed to the agent"],
        ),
        ({"type": "alert", "alert": ALERT}, [TRIED]),
        ({"type": "note", "note": NOTE}, [NOTED]),
        ({"type": "grants", "grants": (GRANT,)}, [GRANTED]),
        ({"type": "grants", "grants": (GRANT, GRANT)}, ["2 grants are open: sayso grants"]),
        ({"type": "grants", "grants": ()}, ["No grant is open any more."]),
        (
            {"type": "shown", "request": yesno(label="")},
            ["aa110000 a program in shop on main asks yes or no: Deploy the shop?"],
        ),
        (
            {"type": "resolved", "request": yesno(state="delivered")},
            ["aa110000 handed to the program that asked"],
        ),
        (
            {
                "type": "snapshot",
                "snapshot": {
                    **FakeDesk(question()).snapshot(),
                    "alerts": [builtins(ALERT)],
                    "notes": [builtins(NOTE)],
                    "grants": [builtins(GRANT)],
                },
            },
            [TRIED, NOTED, GRANTED, "77aa0000 Claude Code in shop asks a question: Which database?"],
        ),
    ],
)
def test_changes_in_words(change: dict[str, object], lines: list[str]) -> None:
    told = msgspec.convert({"boot": "b", "seq": 1, **builtins(change)}, Change)
    assert watch.change_lines(told, 80) == lines
