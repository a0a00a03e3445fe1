"""Parts of the hook by themselves: what is cut, what is kept, what is written."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.digest import dumps
from sayso.intake import hook_ask, hook_run
from sayso.intake.hook_ask import SHOWN_BYTES, fit, write_all
from sayso.wire.codec import decode_ask
from sayso.wire.protocol import ACK_S, MAX_LINE_BYTES, PROTOCOL


def ask(*values: str, **more: Any) -> dict[str, Any]:
    rows: list[Any] = [{"label": f"row {index}", "value": value} for index, value in enumerate(values)]
    return {"agent": "claude-code", "session_id": "s", "kind": "permission", "input": rows, **more}


def size(asked: dict[str, Any]) -> int:
    return len(dumps(asked))


# --- what fits a line --------------------------------------------------------------------------


def test_what_fits_is_left_alone() -> None:
    asked = ask("ls", "x" * 100_000)
    before = json.loads(json.dumps(asked))
    fit(asked)
    assert asked == before


@pytest.mark.parametrize("letter", ["x", "é", "€", "\U0001f600", "\n", '"', "\x00"])
def test_case_43_a_value_that_is_too_long_is_cut_and_says_so(letter: str) -> None:
    asked = ask("ls", letter * 1_000_000)
    fit(asked)
    first, cut = asked["input"]
    assert first == {"label": "row 0", "value": "ls"}
    assert (cut["length"], cut["lost"]) == (1_000_000, True)
    assert set(cut["value"]) == {letter}
    assert SHOWN_BYTES - 2000 < size(asked) <= SHOWN_BYTES + 200


def test_what_comes_after_it_is_lost_too() -> None:
    asked = ask("x" * 1_000_000, "", "y" * 5000)
    fit(asked)
    _, empty, last = asked["input"]
    assert empty == {"label": "row 1", "value": ""}
    assert (last["length"], last["lost"], len(last["value"]) < 10) == (5000, True, True)


@given(st.lists(st.text(max_size=50), max_size=8), st.integers(1, 40_000))
def test_whatever_is_asked_fits_a_line_and_is_read_by_the_desk(values: list[str], times: int) -> None:
    asked = ask(*(value * times for value in values))
    lengths = [len(row["value"]) for row in asked["input"]]
    fit(asked)
    assert size(asked) < MAX_LINE_BYTES
    found, _ = decode_ask(dumps(asked))
    for row, length in zip(found.input, lengths, strict=True):
        assert (row.length or len(row.value)) == length
        assert row.lost is (len(row.value) < length)


@pytest.mark.parametrize(
    "more",
    [
        {"questions": [{"question": "x" * 300_000}]},
        {"suggestions": ["x" * 300_000]},
        {"fields": [{"name": "x" * 300_000}]},
        {"url": "x" * 300_000},
    ],
)
def test_what_cannot_be_cut_is_not_shown(more: dict[str, Any]) -> None:
    asked = ask("ls", **more)
    fit(asked)
    assert asked["unshowable"] == "it is too long to be shown"
    assert size(asked) < 1000
    assert decode_ask(dumps(asked))[0].unshowable


def test_an_ask_without_rows() -> None:
    asked = {"kind": "question", "questions": [{"question": "?"}]}
    fit(asked)
    assert asked == {"kind": "question", "questions": [{"question": "?"}]}


# --- writing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [True, False])
def test_everything_is_written_however_slowly_it_is_read(blocks: bool) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, blocks)
    data = os.urandom(300_000)
    found: list[bytes] = []

    def read() -> None:
        while chunk := os.read(reading, 4096):
            found.append(chunk)

    thread = threading.Thread(target=read)
    thread.start()
    write_all(writing, data)
    os.close(writing)
    thread.join(10)
    os.close(reading)
    assert b"".join(found) == data


def test_nobody_reads() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(BrokenPipeError):
        write_all(writing, b"x")
    os.close(writing)


# --- the agent's pid, the flag -----------------------------------------------------------------


@pytest.mark.parametrize("said", ["", "x", "-1", "1.0", "²"])
def test_an_agent_that_does_not_say_its_pid_is_the_parent(said: str) -> None:
    assert hook_run.agent_pid({"CLAUDE_PID": said}, "CLAUDE_PID") == os.getppid()
    assert hook_run.agent_pid({}, "CLAUDE_PID") == os.getppid()
    assert hook_run.agent_pid({"CLAUDE_PID": "77"}, "CLAUDE_PID") == 77
    assert hook_run.agent_pid({"CLAUDE_PID": "77"}, "") == os.getppid()


@pytest.mark.parametrize(("hold", "end_s"), [("parallel", 132.0), ("exclusive", 128.0)])
def test_what_holds_the_terminal_back_ends_before_the_agent_would_end_it(hold: str, end_s: float) -> None:
    asking = hook_ask.Asking("/nowhere", "", {"hold": hold, "started_s": 100.0, "hold_s": 30.0})
    if asking.watch >= 0:
        os.close(asking.watch)
    assert asking.end_s == end_s


def test_watching_a_process_that_is_not_there() -> None:
    assert hook_ask.parent_watch(2**22 + 1, {}) == -1
    found = hook_ask.parent_watch(os.getpid(), {"agent_pid": 0})
    assert found >= 0
    os.close(found)


def test_an_event_is_appended_without_its_content(tmp_path: Path) -> None:
    flag = tmp_path / "s1"
    event: dict[str, object] = {
        "session_id": "s1",
        "type": "stop",
        "at_s": 1.5,
        "prompt": "secret",
        "cwd": "secret",
        "mode": "secret",
    }
    assert not hook_run.append(str(flag), event)
    flag.touch()
    assert hook_run.append(str(flag), event)
    assert hook_run.append(str(flag), event)
    lines = [json.loads(line) for line in flag.read_text().splitlines()]
    assert lines == [{"session_id": "s1", "type": "stop", "at_s": 1.5}] * 2


def test_where_flags_are() -> None:
    assert hook_run.flag_path("/run/flags", {"session_id": "s1"}) == "/run/flags/s1"
    assert hook_run.flag_path("", {"session_id": "s1"}) == ""


def test_an_input_is_read_to_its_end() -> None:
    reading, writing = os.pipe()
    data = b"x" * 200_000

    def write() -> None:
        write_all(writing, data)
        os.close(writing)

    thread = threading.Thread(target=write)
    thread.start()
    assert hook_run.read_all(reading) == data
    thread.join(10)
    os.close(reading)


def test_arguments() -> None:
    found = hook_run.Arguments(["claude-code", "--socket", "/s", "--flags", "/f", "--odd"])
    assert (found.agent, found.socket, found.flags) == ("claude-code", "/s", "/f")
    assert hook_run.Arguments(["claude-code", "--socket", "/s"]).flags == ""
    for words in ([], ["claude-code"], ["claude-code", "--socket"]):
        with pytest.raises((IndexError, KeyError)):
            hook_run.Arguments(words)


# --- one number on both sides --------------------------------------------------------------------


def test_hook_and_desk_agree() -> None:
    """The hook cannot import what it must agree with: that would cost more than it does."""
    assert hook_run.VERSION == PROTOCOL
    assert hook_run.ACK_S == hook_ask.ACK_S == ACK_S
    assert SHOWN_BYTES * 2 < MAX_LINE_BYTES
