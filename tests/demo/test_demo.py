"""`sayso demo`, whole: with a terminal and without, to the end and interrupted; nothing is left."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.lab.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

DEMO = [sys.executable, "-m", "sayso", "demo"]
END_S = 40
LOOK_S = 0.02
BEGINS = re.compile("Press Enter to begin")
ACTED = "the agent acted on the answer"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the demo makes its home. A short path, since it will hold a socket."""
    made = Path(tempfile.mkdtemp(prefix="sd-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def env(folder: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(folder), "NO_COLOR": "1", "COLUMNS": "80", **more}


def of_the_demo(folder: Path) -> list[int]:
    """Return the living processes that have the demo's home in their environment or arguments."""
    found: list[int] = []
    mark = str(folder).encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:
            continue
        if mark in told and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found


def nothing_is_left(folder: Path, within_s: float = 10) -> bool:
    """Wait until neither a process nor a folder of the demo is left."""
    end = time.monotonic() + within_s
    while of_the_demo(folder) or list(folder.iterdir()):
        if time.monotonic() > end:
            return False
        time.sleep(LOOK_S)
    return True


def play(folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        DEMO,
        env=env(folder, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=END_S,
        check=False,
    )


def started(folder: Path) -> subprocess.Popen[str]:
    """Start it without a terminal."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        DEMO, env=env(folder), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
    )


def test_without_a_terminal_the_person_is_played_as_well(folder: Path) -> None:
    done = play(folder)
    assert (done.returncode, done.stderr) == (0, "")
    said = " ".join(done.stdout.split())
    for words in (
        "and keeps to its suggestion from now on: it may work in /home/dev/project",
        "Which colour do you want? Blue",
        "The agent begins with the plan, in the mode acceptEdits",
        "was told: Not in my home. Use the project's folder.",
    ):
        assert words in said
    assert done.stdout.count(ACTED) == 4, done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert nothing_is_left(folder)


def test_it_also_plays_under_an_agent(folder: Path) -> None:
    done = play(folder, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="theirs", CLAUDE_PID=str(os.getpid()))
    assert (done.returncode, done.stderr) == (0, "")
    assert nothing_is_left(folder)


def test_the_users_own_home_is_not_touched(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    done = play(folder, HOME=str(tmp_path), SAYSO_HOME=str(tmp_path / "desk"))
    assert done.returncode == 0
    assert [path.name for path in tmp_path.rglob("*")] == ["desk"]


@pytest.mark.parametrize(
    ("number", "at"),
    [
        (signal.SIGINT, "at once"),
        (signal.SIGINT, "A private desk"),
        (signal.SIGINT, "$ sayso list"),
        (signal.SIGTERM, "$ sayso list"),
        (signal.SIGHUP, "$ sayso list"),
    ],
)
def test_a_signal_ends_it_and_leaves_nothing(folder: Path, number: signal.Signals, at: str) -> None:
    demo = subprocess.Popen(
        DEMO, env=env(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert demo.stdout is not None
    with demo, demo.stdout:
        if at == "at once":
            wait_for_home(folder)
        else:
            next(line for line in demo.stdout if at in line)
        demo.send_signal(number)
        assert demo.wait(END_S) == 128 + number
    assert nothing_is_left(folder)


def wait_for_home(folder: Path) -> None:
    end = time.monotonic() + END_S
    while not list(folder.iterdir()):
        assert time.monotonic() < end, "the demo made no home"
        time.sleep(LOOK_S / 10)


def test_killed_without_a_word_its_processes_end_all_the_same(folder: Path) -> None:
    demo = subprocess.Popen(
        DEMO, env=env(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert demo.stdout is not None
    with demo, demo.stdout:
        next(line for line in demo.stdout if "$ sayso list" in line)
        demo.kill()
    end = time.monotonic() + 10
    while left := of_the_demo(folder):
        assert time.monotonic() < end, left
        time.sleep(LOOK_S)


def test_a_reader_that_has_enough_is_no_trouble(folder: Path) -> None:
    demo = subprocess.Popen(
        DEMO,
        env=env(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert demo.stdout is not None
    with demo:
        next(iter(demo.stdout))
        demo.stdout.close()
        demo.wait(END_S)
    assert nothing_is_left(folder)


# --- at a terminal ---------------------------------------------------------------------


def terminal(folder: Path, command: list[str] = DEMO) -> Terminal:
    return Terminal(command, folder.parent, {**env(folder), "TERM": "xterm-256color"}, BEGINS, (80, 30))


def test_a_person_answers_at_the_screen(folder: Path) -> None:
    with terminal(folder) as screen:
        screen.keys("Enter")
        screen.wait_for("wants to use Bash")
        screen.keys("a")
        screen.wait_for("Which colour")
        screen.keys("2")
        screen.keys("Enter")
        screen.wait_for("Which features")
        screen.keys("1")
        screen.keys("Enter")
        screen.keys("Enter")
        screen.wait_for("Read the tests of the parser")
        screen.keys("a")
        screen.keys("e")
        screen.wait_for("rm -rf zz")
        screen.keys("d")
        screen.type("Not here.")
        screen.keys("Enter")
        screen.wait_ended(END_S)
        said = screen.wait_for("That was the demo")
    assert "was told: Not here." in said
    assert said.count(ACTED) == 4, said
    assert nothing_is_left(folder)


@pytest.mark.parametrize("key", ["q", "C-c"])
def test_a_person_leaves_the_screen(folder: Path, key: str) -> None:
    with terminal(folder) as screen:
        screen.keys("Enter")
        screen.wait_for("wants to use Bash")
        screen.keys(key)
        screen.wait_for("You left the demo; nothing is left of it.")
        screen.wait_ended()
    assert nothing_is_left(folder)


def test_a_person_leaves_before_it_begins(folder: Path) -> None:
    with terminal(folder) as screen:
        screen.keys("C-c")
        screen.wait_for("The demo was interrupted; nothing is left of it.")
        screen.wait_ended()
    assert nothing_is_left(folder)


def test_a_terminal_that_closes_leaves_nothing(folder: Path) -> None:
    with terminal(folder) as screen:
        screen.keys("Enter")
        screen.wait_for("wants to use Bash")
    assert nothing_is_left(folder)


def impatient(seconds: float) -> list[str]:
    """Return the demo's command, with less patience."""
    lines = (
        "from sayso.demo import person",
        "from sayso.main import main",
        f"person.PATIENCE_S = {seconds}",
        "main(['demo'])",
    )
    return [sys.executable, "-c", "; ".join(lines)]


@pytest.mark.parametrize("begins", [False, True])
def test_it_does_not_wait_for_ever(folder: Path, begins: bool) -> None:
    with terminal(folder, impatient(4)) as screen:
        if begins:
            screen.keys("Enter")
            screen.wait_for("wants to use Bash")
        screen.wait_for("`sayso demo` begins it again")
        assert "Nobody answered for" in screen.screen()
        screen.wait_ended()
    assert nothing_is_left(folder)
