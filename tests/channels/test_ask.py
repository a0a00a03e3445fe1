"""`sayso ask` as a script runs it: what it asks, what it writes, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.client.asking import MAX_LINE_BYTES
from tests.channels.asked import SAYSO, WAIT_S, PlayedDesk, ended

YESNO = ("yesno", "--title", "Deploy?")


@pytest.fixture
def desk() -> Iterator[PlayedDesk]:
    with PlayedDesk() as desk:
        yield desk


# --- the answer --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (YESNO, "yes"),
        (YESNO, "no"),
        (("choice", "--title", "Where?", "--choices", "eu,us"), "us"),
        (("text", "--title", "Name?"), "a name"),
        (("text", "--title", "Name?"), ""),
        (("text", "--title", "Name?"), "one\ntwo\n"),
        (("text", "--title", "Name?"), "Grüße, 你好 \u202e"),
        (("confirm-command", "--title", "Clean?", "--body", "rm -rf build"), "run"),
    ],
)
def test_the_output_is_the_answer_and_a_newline(desk: PlayedDesk, words: tuple[str, ...], value: str) -> None:
    asking, peer = desk.asked(*words)
    assert (peer.call["method"], peer.params["kind"]) == ("agent.ask_user", words[0])
    peer.end("ok", value=value)
    assert ended(asking) == (0, f"{value}\n".encode(), "")


def test_case_25_no_answer_is_told_apart_from_no(desk: PlayedDesk) -> None:
    """The origin documented one of these codes, and left the others out."""
    for action, more, code, words in (
        ("timeout", {}, 2, "timed out"),
        ("cancel", {}, 3, "cancelled\n"),
        ("cancel", {"reason": "not on a Friday"}, 3, "cancelled: not on a Friday\n"),
    ):
        asking, peer = desk.asked(*YESNO)
        peer.end(action, **more)
        found = ended(asking)
        assert found[:2] == (code, b"")
        assert words in found[2]


def test_a_reason_does_not_command_the_terminal(desk: PlayedDesk) -> None:
    asking, peer = desk.asked(*YESNO)
    peer.end("cancel", reason="\x1b]0;gone\x07 no")
    assert "\x1b" not in ended(asking)[2]


@pytest.mark.parametrize(("value", "code"), [("yes", 0), ("no", 4)])
def test_the_exit_code_tells_where_it_is_asked_to(desk: PlayedDesk, value: str, code: int) -> None:
    asking, peer = desk.asked(*YESNO, "--exit-code")
    peer.end("ok", value=value)
    assert ended(asking) == (code, f"{value}\n".encode(), "")


@pytest.mark.parametrize(
    ("action", "more", "code"),
    [("ok", {"value": "yes"}, 0), ("timeout", {}, 2), ("cancel", {"reason": "why"}, 3)],
)
def test_for_programs(desk: PlayedDesk, action: str, more: dict[str, str], code: int) -> None:
    asking, peer = desk.asked(*YESNO, "--json")
    peer.end(action, **more)
    found = ended(asking)
    said = {"request_id": peer.params["id"], "action": action, **more}
    assert (found[0], json.loads(found[1]), found[1].count(b"\n")) == (code, said, 1)


# --- mistakes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "WHAT"),
        (("dance", "--title", "x"), "dance"),
        (("yesno",), "--title"),
        (("yesno", "--title"), "--title"),
        (("yesno", "--title", "x", "--body"), "--body"),
        (("yesno", "--title", "x", "Deploy?"), "Deploy?"),
        (("yesno", "--titl", "x"), "--titl"),
        (("yesno", "--title", "x", "--timeout", "soon"), "soon"),
        (("yesno", "--title", "x", "--timeout", "-1"), "-1"),
        (("yesno", "--title", "x", "--timeout", "nan"), "nan"),
        (("yesno", "--title", "x", "--timeout", "inf"), "inf"),
        (("yesno", "--title", "x", "--timeout", ""), "milliseconds"),
        (("yesno", "--title", "x", "--choices", "a,b"), "--choices"),
        (("choice", "--title", "x", "--choices", "a,,b"), "without an id"),
        (("choice", "--title", "x", "--choices", ":label"), "without an id"),
        (("choice", "--title", "x", "--choices", ""), "without an id"),
        (("choice", "--title", "x", "--choice", "=label"), "without an id"),
        (("answer", "3f2a"), "VALUE"),
        (("answer", "3f2a", "yes", "no"), "no"),
        (("cancel",), "ID"),
    ],
)
def test_wrong_usage_ends_with_1_and_asks_nothing(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """2 would say that the time was over."""
    env = {**os.environ, "SAYSO_HOME": str(tmp_path)}
    command = [*SAYSO, "ask", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=WAIT_S)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr


def test_what_the_desk_refuses_ends_with_1_and_its_words(desk: PlayedDesk) -> None:
    asking = desk.ask("choice", "--title", "x")
    desk.accept().refuse("choices are needed", "bad_request", field="choices")
    assert ended(asking) == (1, b"", "sayso ask: choices are needed\n")
    asking = desk.ask("choice", "--title", "x", "--json")
    desk.accept().refuse("choices are needed", "bad_request", field="choices")
    code, output, _ = ended(asking)
    said = json.loads(output)
    assert (code, said["ok"], said["code"], said["field"]) == (1, False, "bad_request", "choices")


def test_a_full_desk_is_told_at_once(desk: PlayedDesk) -> None:
    asking = desk.ask(*YESNO)
    desk.accept().refuse("64 wait already", "too_many")
    assert ended(asking) == (1, b"", "sayso ask: 64 wait already\n")


@pytest.mark.parametrize("source", ["argument", "input"])
def test_more_than_a_desk_takes(desk: PlayedDesk, source: str) -> None:
    if source == "input":
        with Path("/dev/zero").open("rb") as endless:
            asking = desk.ask(*YESNO, "--body", "-", stdin=endless)
    else:
        many = [word for n in range(12) for word in ("--choice", f"{n}={'é' * 50_000}")]
        asking = desk.ask("choice", "--title", "x", *many)
    code, output, errors = ended(asking)
    assert (code, output) == (1, b"")
    assert str(MAX_LINE_BYTES) in errors


def test_a_body_from_nowhere(desk: PlayedDesk) -> None:
    command = 'exec "$0" -m sayso ask yesno --title x --body - <&-'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable],
        env=desk.env,
        capture_output=True,
        check=False,
        timeout=WAIT_S,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"standard input cannot be read" in done.stderr


def test_the_help_says_what_the_exit_codes_mean() -> None:
    for words in (["ask", "--help"], ["ask", "yesno", "--help"], ["ask", "answer", "--help"]):
        done = subprocess.run([*SAYSO, *words], capture_output=True, text=True, check=False, timeout=WAIT_S)
        assert (done.returncode, done.stderr) == (0, "")
        assert "exit code" in done.stdout or "WHAT" in done.stdout


# --- the desk ----------------------------------------------------------------------------


def test_without_a_desk_it_ends_at_once(tmp_path: Path) -> None:
    env = {**os.environ, "SAYSO_HOME": str(tmp_path)}
    begun_s = time.monotonic()
    done = subprocess.run([*SAYSO, "ask", *YESNO], env=env, capture_output=True, check=False, timeout=WAIT_S)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no desk is running: start one with `sayso start`" in done.stderr
    assert time.monotonic() - begun_s < 5


def test_a_desk_that_comes_back_is_asked_again_under_the_same_id(desk: PlayedDesk) -> None:
    """The origin's command ended with 0 and an empty output when its server died."""
    asking, peer = desk.asked(*YESNO)
    first = peer.params
    assert "resumed" not in first
    desk.close()
    desk.open()
    again = desk.accept()
    assert again.params == first | {"resumed": True}
    again.pend().end("ok", value="yes")
    assert ended(asking) == (0, b"yes\n", "")


def test_what_is_left_of_a_timeout_goes_on_after_a_restart(desk: PlayedDesk) -> None:
    asking, _ = desk.asked(*YESNO, "--timeout", "60000")
    desk.close()
    desk.open()
    again = desk.accept()
    assert 40_000 < again.params["timeout_ms"] < 60_000
    again.end("timeout")
    assert ended(asking)[0] == 2


# --- how it ends -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, -signal.SIGTERM),
        (signal.SIGHUP, -signal.SIGHUP),
        (signal.SIGKILL, -signal.SIGKILL),
    ],
)
def test_a_signal_ends_it_and_withdraws(desk: PlayedDesk, number: signal.Signals, code: int) -> None:
    """The origin's server went on asking for a caller that was long gone."""
    asking, peer = desk.asked(*YESNO)
    asking.send_signal(number)
    assert peer.is_gone()
    assert ended(asking) == (code, b"", "")


def test_ctrl_c_while_a_body_is_read(desk: PlayedDesk) -> None:
    asking = desk.ask(*YESNO, "--body", "-", stdin=subprocess.PIPE)
    assert asking.stdin is not None
    asking.stdin.write(b"x" * 500_000)  # more than a pipe holds, so it is being read
    asking.stdin.flush()
    asking.send_signal(signal.SIGINT)
    assert asking.wait(WAIT_S) == 130


def test_whoever_would_read_the_answer_is_gone(desk: PlayedDesk) -> None:
    asking, peer = desk.asked(*YESNO)
    assert asking.stdout is not None
    asking.stdout.close()
    asking.stdout = None
    assert peer.is_gone()
    assert ended(asking)[0] == 1


def test_an_answer_that_cannot_be_written_is_none(desk: PlayedDesk) -> None:
    with Path("/dev/full").open("wb") as full:
        asking, peer = desk.asked(*YESNO, stdout=full)
    peer.end("ok", value="yes")
    code, _, errors = ended(asking)
    assert (code, "could not be written" in errors) == (1, True)


def test_without_an_output_nothing_is_asked(desk: PlayedDesk) -> None:
    command = 'exec "$0" -m sayso ask yesno --title x >&-'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable],
        env=desk.env,
        stderr=subprocess.PIPE,
        check=False,
        timeout=WAIT_S,
    )
    assert done.returncode == 1
    assert b"standard output is closed" in done.stderr


def test_a_long_answer_through_a_slow_pipe(desk: PlayedDesk) -> None:
    asking, peer = desk.asked("text", "--title", "x")
    assert asking.stdout is not None
    os.set_blocking(asking.stdout.fileno(), True)
    text = "é" * 200_000
    peer.end("ok", value=text)
    assert ended(asking) == (0, f"{text}\n".encode(), "")


# --- where scripts run -------------------------------------------------------------------


def test_as_cron_runs_it(desk: PlayedDesk) -> None:
    """No terminal, no home, no language, next to no environment."""
    asking, peer = desk.asked(
        "text", "--title", "Grüße?", env={"SAYSO_HOME": str(desk.home)}, start_new_session=True, cwd="/"
    )
    assert peer.params["title"] == "Grüße?"
    peer.end("ok", value="你好")
    assert ended(asking) == (0, "你好\n".encode(), "")


def test_in_a_folder_that_is_gone(desk: PlayedDesk, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = 'cd "$1" && rmdir "$1" && exec "$0" -P -m sayso ask yesno --title x'
    asking = subprocess.Popen(
        ["/bin/sh", "-c", command, sys.executable, str(gone)], env=desk.env, stdout=subprocess.PIPE
    )
    peer = desk.accept().pend()
    assert "cwd" not in peer.params
    peer.end("ok", value="yes")
    assert asking.communicate(timeout=WAIT_S)[0] == b"yes\n"


SCRIPT = """
set -e
sayso() { "$PYTHON" -m sayso "$@"; }
answer=$(printf 'one\\ntwo\\n' | sayso ask yesno --title "Deploy?" --body - | tr a-z A-Z)
echo "first $answer"
sayso ask yesno --title "Again?" >/dev/null
name=$(sayso ask text --title "Name?" --timeout 1000)
echo "never $name"
"""


def test_a_script_that_ends_at_the_first_error(desk: PlayedDesk) -> None:
    script = subprocess.Popen(
        ["/bin/sh", "-c", SCRIPT], env=desk.env | {"PYTHON": sys.executable}, stdout=subprocess.PIPE
    )
    first = desk.accept().pend()
    assert first.params["body"] == "one\ntwo"
    first.end("ok", value="yes")
    desk.accept().pend().end("ok", value="no")  # no is an answer: the script goes on
    desk.accept().pend().end("timeout")
    output, _ = script.communicate(timeout=WAIT_S)
    assert (script.returncode, output) == (2, b"first YES\n")
