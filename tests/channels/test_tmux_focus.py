"""Whether somebody looks at a pane: what an environment says, and what a real tmux does."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.channels import tmux_focus
from sayso.channels.tmux_focus import KEY_S, Pane, ask, in_focus, named_by, pane_of, seen
from sayso.daemon import access, processes

WAIT_S = 10.0
NOW_S = 1_800_000_000.0
OLD_S = int(NOW_S - KEY_S - 1)


def test_an_environment_names_the_pane() -> None:
    assert named_by({"TMUX": "/tmp/tmux-1/default,77,0", "TMUX_PANE": "%12"}) == Pane(
        "/tmp/tmux-1/default", "%12"
    )


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"TMUX": "/tmp/x,1,0"},
        {"TMUX_PANE": "%1"},
        {"TMUX": "", "TMUX_PANE": "%1"},
        {"TMUX": "relative,1,0", "TMUX_PANE": "%1"},
        {"TMUX": "/tmp/x,1,0", "TMUX_PANE": "1"},
        {"TMUX": "/tmp/x,1,0", "TMUX_PANE": "%1;kill-server"},
    ],
)
def test_whatever_does_not_fit_names_none(env: dict[str, str]) -> None:
    assert named_by(env) is None


@pytest.mark.parametrize(
    ("said", "panes"),
    [
        ("", set[str]()),
        ("on\n", set[str]()),
        (f"on\nattached,focused,UTF-8|%3|{OLD_S}\n", {"%3"}),
        (f"on\nattached,UTF-8|%3|{OLD_S}\n", set[str]()),
        (f"on\nattached,UTF-8|%3|{OLD_S}\nattached,focused|%4|{OLD_S}\n", {"%4"}),
        (f"on\nattached,focused,control-mode|%3|{OLD_S}\n", set[str]()),
        (f"off\nattached,focused|%3|{OLD_S}\n", set[str]()),
        (f"off\nattached,focused|%3|{int(NOW_S)}\n", {"%3"}),
        (f"off\nattached|%3|{int(NOW_S)}\n", set[str]()),
        ("off\nattached,focused|%3|\n", set[str]()),
        ("off\ngarbage\n", set[str]()),
        ("no server running on /tmp/x\n", set[str]()),
    ],
)
def test_what_a_server_says(said: str, panes: set[str]) -> None:
    assert seen(said, NOW_S) == panes


def test_a_process_of_another_time_has_no_pane() -> None:
    name = processes.name_of(os.getpid())
    assert pane_of(name) is None  # it runs in none
    assert pane_of("") is None
    assert pane_of("no:1") is None
    assert pane_of(f"{2**22 + 1}:1") is None


def test_what_a_server_makes_of_our_question_may_not_answer() -> None:
    assert set(tmux_focus._MARK) <= set(access.MARKS)  # pyright: ignore[reportPrivateUsage]


def test_what_is_no_socket_of_ours_is_not_asked(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert ask(str(file)) == ""
    assert ask(str(tmp_path / "none")) == ""


# --- a real tmux ---------------------------------------------------------------------------


class Tmux:
    """A server of its own, with one person's terminal and a pane that sleeps."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="sayso-t-")
        self.socket = f"{self.folder}/s"
        self.env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        self._terminals: list[tuple[subprocess.Popen[bytes], int]] = []
        self.do("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", "sleep 1000")

    def do(self, *words: str) -> str:
        command = ["tmux", "-S", self.socket, *words]
        done = subprocess.run(
            command, env=self.env, capture_output=True, text=True, check=True, timeout=WAIT_S
        )
        return done.stdout.strip()

    def attach(self) -> int:
        """Attach a person's terminal; return its other side."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            ["tmux", "-S", self.socket, "attach"],
            env=self.env,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._terminals.append((process, ours))
        threading.Thread(target=drain, args=(ours,), daemon=True).start()
        return ours

    def process(self, pane: str = "%0") -> str:
        return processes.name_of(int(self.do("display-message", "-p", "-t", pane, "#{pane_pid}")))

    def close(self) -> None:
        self.do("kill-server")
        for process, ours in self._terminals:
            process.wait(WAIT_S)
            os.close(ours)
        shutil.rmtree(self.folder)


def drain(end: int) -> None:
    """Read what a terminal is shown, until it is closed."""
    try:
        while select.select([end], [], [], WAIT_S)[0] and os.read(end, 1 << 16):
            pass
    except OSError:
        return


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    server = Tmux()
    yield server
    server.close()


def until(wanted: bool, process: str) -> None:
    """Wait until a process is looked at, or is not."""
    until_s = time.monotonic() + WAIT_S
    while (process in in_focus([process])) is not wanted:
        assert time.monotonic() < until_s, f"it is not so: looked at {wanted}"


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux environments of processes can be read")
def test_focus_as_the_terminal_tells_it(tmux: Tmux) -> None:
    tmux.do("set-option", "-s", "focus-events", "on")
    process = tmux.process()
    assert pane_of(process) == Pane(tmux.socket, "%0")
    until(False, process)  # nobody is attached
    terminal = tmux.attach()
    until(True, process)
    os.write(terminal, b"\x1b[O")
    until(False, process)
    os.write(terminal, b"\x1b[I")
    until(True, process)


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux environments of processes can be read")
def test_only_the_pane_in_front_is_looked_at(tmux: Tmux) -> None:
    tmux.do("set-option", "-s", "focus-events", "on")
    tmux.attach()
    first = tmux.process()
    until(True, first)
    tmux.do("split-window", "sleep 1000")
    second = tmux.process("%1")
    until(True, second)
    assert in_focus([first, second]) == {second}
    tmux.do("select-pane", "-t", "%0")
    assert in_focus([first, second]) == {first}
    tmux.do("new-window", "sleep 1000")
    assert in_focus([first, second]) == frozenset()


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux environments of processes can be read")
def test_without_focus_events_a_key_tells(tmux: Tmux, monkeypatch: pytest.MonkeyPatch) -> None:
    process = tmux.process()
    os.write(tmux.attach(), b"x")
    until(True, process)
    monkeypatch.setattr(tmux_focus, "KEY_S", -1.0)
    until(False, process)


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux environments of processes can be read")
def test_a_server_that_hangs_or_is_gone_shows_nobody(tmux: Tmux, monkeypatch: pytest.MonkeyPatch) -> None:
    tmux.do("set-option", "-s", "focus-events", "on")
    tmux.attach()
    process = tmux.process()
    until(True, process)
    folder = Path(tmux.folder)
    slow = folder / "tmux"
    slow.write_text("#!/bin/sh\nexec sleep 1000\n")
    slow.chmod(0o755)
    monkeypatch.setattr(tmux_focus, "LOOK_S", 0.1)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        assert in_focus([process]) == frozenset()
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        assert in_focus([process]) == frozenset()
