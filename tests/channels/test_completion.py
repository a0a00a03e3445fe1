"""TAB in real shells: each reads what `sayso completion` prints, and completes lines."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sayso.channels import completion
from sayso.client.line import connect
from tests.desks import Home, Watcher
from tests.standin import WAIT_S, StandIn

Complete = Callable[[Home, str], list[str]]
BASH = """
set -eu
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9
set +u
_python_argcomplete sayso
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
autoload -Uz compinit; compinit -u -D
source $SCRIPT
PS1='READY> '
"""


@pytest.fixture(scope="module")
def agent() -> Iterator[StandIn]:
    with StandIn() as agent:
        yield agent


@pytest.fixture(scope="module")
def home(agent: StandIn) -> Iterator[Home]:
    """A desk, and `sayso` where a shell finds it."""
    with Home() as home:
        folder = home.path / "bin"
        folder.mkdir()
        command = folder / "sayso"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m sayso "$@"\n')
        command.chmod(0o755)
        home.env["PATH"] = f"{folder}:{os.environ['PATH']}"
        home.up("--agents-only", str(agent.pid))
        yield home


@pytest.fixture(scope="module")
def asked(home: Home) -> Iterator[str]:
    """The id of a question that waits."""
    words = ["sayso", "ask", "yesno", "--title", "Deploy it?"]
    asking = subprocess.Popen(words, env=home.env, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    with Watcher(home) as watcher:
        found: str = watcher.until(lambda r: r["title"] == "Deploy it?")["id"]
        yield found
    asking.kill()
    asking.communicate(timeout=WAIT_S)


def script_of(shell: str, home: Home) -> Path:
    path = home.path / f"completion.{shell}"
    done = home.sayso("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    path.write_text(done.stdout)
    return path


def needed(shell: str) -> str:
    found = shutil.which(shell)
    assert found is not None, f"{shell} is needed: scripts/setup installs it, or says how"
    return found


def in_bash(home: Home, line: str) -> list[str]:
    command = [needed("bash"), "--norc", "-c", BASH, "bash", str(script_of("bash", home)), line]
    done = subprocess.run(command, env=home.env, capture_output=True, text=True, check=False, timeout=WAIT_S)
    assert done.returncode == 0, done.stderr
    return [word.rstrip() for word in done.stdout.split("\n") if word]


def in_fish(home: Home, line: str) -> list[str]:
    command = [needed("fish"), "--no-config", "-c", f"source {script_of('fish', home)}; complete -C $argv[1]"]
    done = subprocess.run(
        [*command, line], env=home.env, capture_output=True, text=True, check=False, timeout=WAIT_S
    )
    assert done.returncode == 0, done.stderr
    return [found.partition("\t")[0] for found in done.stdout.split("\n") if found]


LINES = [
    ("sayso as", {"ask"}, {"allow"}),
    ("sayso ask ", {"yesno", "choice", "text", "confirm-command", "pending", "answer", "cancel"}, {"allow"}),
    ("sayso ask yesno --t", {"--title", "--timeout"}, {"--body"}),
    ("sayso ask choice --cho", {"--choice", "--choices"}, set()),
    ("sayso completion ", {"bash", "zsh", "fish"}, {"tcsh"}),
    ("sayso settings away", {"away"}, {"codex_server"}),
    ("sayso token create x --power ", {"see", "answer", "admin"}, set()),
    ("sayso install claude-code --scope ", {"user", "project", "local"}, set()),
]


@pytest.mark.parametrize(("line", "there", "absent"), LINES)
@pytest.mark.parametrize("complete", [in_bash, in_fish])
def test_words_that_come_next(
    home: Home, complete: Complete, line: str, there: set[str], absent: set[str]
) -> None:
    found = set(complete(home, line))
    assert there <= found
    assert not absent & found


@pytest.mark.parametrize("command", ["show", "allow", "deny", "answer", "ask answer", "ask cancel"])
@pytest.mark.parametrize("complete", [in_bash, in_fish])
def test_ids_of_what_waits(home: Home, asked: str, complete: Complete, command: str) -> None:
    assert asked[:8] in complete(home, f"sayso {command} ")
    assert complete(home, f"sayso {command} {asked[:3]}") == [asked[:8]]
    assert complete(home, f"sayso {command} {asked[:12]}") == [asked]


@pytest.mark.parametrize("complete", [in_bash, in_fish])
def test_a_session_whose_id_commands_the_terminal_completes_nothing(home: Home, complete: Complete) -> None:
    ask = {"agent": "claude-code", "kind": "permission", "tool": "Bash", "hold_s": 60}
    with Watcher(home) as watcher, closing(connect(str(home.places.socket))) as line:
        for session_id in ("\x1b[2J\x07", "$(id)", "fine-1"):
            call = {"id": 1, "method": "agent.request", "params": {**ask, "session_id": session_id}}
            line.send(json.dumps(call).encode())
            watcher.pending(session_id)
        found = complete(home, "sayso send ")
    assert "fine-1" in found
    assert all(each.replace("-", "").isalnum() for each in found), found


def test_fish_tells_what_an_id_is(home: Home, asked: str) -> None:
    command = [needed("fish"), "--no-config", "-c", f"source {script_of('fish', home)}; complete -C $argv[1]"]
    done = subprocess.run(
        [*command, "sayso ask answer "],
        env=home.env,
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT_S,
    )
    assert f"{asked[:8]}\tDeploy it?" in done.stdout


def test_zsh_at_a_terminal(home: Home, asked: str) -> None:
    """Typed for real, for zsh completes only at its own prompt."""
    zsh = needed("zsh")
    folder = home.path / "zdot"
    folder.mkdir(exist_ok=True)
    (folder / ".zshrc").write_text(ZSH)
    env = {**home.env, "ZDOTDIR": str(folder), "SCRIPT": str(script_of("zsh", home)), "TERM": "dumb"}
    with Terminal([zsh, "-i"], env) as terminal:
        terminal.until("READY> ")
        terminal.type("sayso ask yesn\t")
        terminal.until("sayso ask yesno")
        terminal.type("--tit\t")
        terminal.until("--title")
        terminal.type(f"\x15sayso ask answer {asked[:3]}\t")
        terminal.until(asked[:8])


class Terminal:
    """A program at a terminal, which a test types into and reads."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            command, env=env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        self._seen = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(WAIT_S)
        os.close(self._ours)

    def type(self, text: str) -> None:
        self._seen = ""
        os.write(self._ours, text.encode())

    def until(self, text: str) -> None:
        until_s = time.monotonic() + WAIT_S
        while text not in self._seen:
            left_s = until_s - time.monotonic()
            assert left_s > 0, f"no {text!r} in {self._seen!r}"
            if select.select([self._ours], [], [], left_s)[0]:
                self._seen += os.read(self._ours, 65536).decode("utf-8", "replace")


# --- when there is nothing to tell ---------------------------------------------------------


def test_without_a_desk_there_are_no_ids() -> None:
    with Home() as home:
        home.env["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        assert [word for word in in_bash(home, "sayso ask answer ") if not word.startswith("-")] == []


def test_case_51_an_agent_is_told_no_ids(home: Home, asked: str, agent: StandIn) -> None:
    line = "sayso ask answer "
    env = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(home.path / "told"),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    told = home.path / "told"
    command = [sys.executable, "-m", "sayso"]
    agent.start(command, agent.env("s", SAYSO_HOME=str(home.path), HOME=str(home.path), **env)).result()
    assert "--json" in told.read_text()
    assert asked[:8] not in told.read_text()


def test_what_a_shell_must_read_says_nothing_of_this_machine(home: Home) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert str(Path.home()) not in completion.script(shell)
        assert str(home.path) not in completion.script(shell)
