"""The examples for programs that are told what happens: before a real desk, tmux and receiver."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import IO, Any

import pytest

from sayso.client.line import Line, connect
from tests.channels.socket_desk import until
from tests.desks import Home
from tests.rules.tree import ROOT

EXAMPLES = ROOT / "examples"
WAIT_S = 20.0
NOBODY = 2**22 + 1


@pytest.fixture
def home() -> Iterator[Home]:
    with Home() as made:
        made.up("--agents-only", str(NOBODY))
        yield made


def told_to_write(language: str) -> str:
    """Return what the how-to tells to write into a file, with the place of the examples put in."""
    page = (ROOT / "docs" / "howto" / "status-bar.md").read_text(encoding="utf-8")
    block = page.partition(f"```{language}\n")[2].partition("```")[0]
    return block.replace("/home/ada/sayso/examples", str(EXAMPLES)).replace("python3", sys.executable)


def environment(home: Home) -> dict[str, str]:
    """Return an environment in which `sayso` is this one."""
    kept = {name: value for name, value in home.env.items() if not name.startswith("TMUX")}
    return {**kept, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "TERM": "screen"}


class Asking:
    """A hook that asks, and waits for its answer."""

    def __init__(self, home: Home, cwd: str = "/home/ada/shop") -> None:
        self._home = home
        self._line: Line = connect(str(home.places.socket), WAIT_S)
        params = {
            "agent": "claude-code",
            "session_id": "s1",
            "kind": "permission",
            "tool": "Bash",
            "cwd": cwd,
            "input": [{"label": "Command", "value": "ls"}],
        }
        self._line.send(json.dumps({"id": 1, "method": "agent.request", "params": params}).encode())

    def answer_all(self) -> None:
        """Answer everything that waits."""
        with self._home.desk() as desk:
            for view in desk.snapshot()["requests"]:
                desk.call("desk.answer", {"id": view["id"], "reply": {"behavior": "deny"}})

    def close(self) -> None:
        self._line.close()


# --- tmux ----------------------------------------------------------------------------------


class Tmux:
    """A tmux within another one, which takes its picture."""

    def __init__(self, folder: Path, env: dict[str, str], lines: str) -> None:
        self._env = env
        self._outer, self._inner = str(folder / "o"), str(folder / "i")
        settings = folder / "tmux.conf"
        settings.write_text(lines, encoding="utf-8")
        self._run(self._outer, "/dev/null", "new-session", "-d", "-x", "80", "-y", "10", "cat")
        inside = f"tmux -S {self._inner} -f {settings} new-session cat"
        self._run(self._outer, "/dev/null", "respawn-pane", "-k", f"env -u TMUX {inside}")

    def _run(self, server: str, settings: str, *words: str) -> str:
        command = ["tmux", "-S", server, "-f", settings, *words]
        return subprocess.run(
            command, env=self._env, capture_output=True, text=True, check=True, timeout=WAIT_S
        ).stdout

    def screen(self) -> str:
        return self._run(self._outer, "/dev/null", "capture-pane", "-p")

    def end(self) -> None:
        for server in (self._inner, self._outer):
            subprocess.run(
                ["tmux", "-S", server, "kill-server"], capture_output=True, check=False, timeout=WAIT_S
            )


def test_the_status_line_of_tmux_says_how_many_wait_and_then_no_more(home: Home) -> None:
    lines = told_to_write("tmux").replace("%H:%M", "end")
    tmux = Tmux(home.path, environment(home), lines)
    try:
        until(lambda: " end" in tmux.screen(), "there is no status line")
        first, second = Asking(home), Asking(home)
        until(lambda: "[2 waiting] end" in tmux.screen(), "nothing waits there")
        first.answer_all()
        until(lambda: "waiting" not in tmux.screen() and " end" in tmux.screen(), "it does not go away")
        first.close()
        second.close()
    finally:
        tmux.end()


# --- Waybar --------------------------------------------------------------------------------


def lines_of(stream: IO[str]) -> Queue[dict[str, Any]]:
    """Return the lines of JSON that come, read in a thread."""
    lines: Queue[dict[str, Any]] = Queue()

    def read() -> None:
        for line in stream:
            lines.put(json.loads(line))

    threading.Thread(target=read, daemon=True).start()
    return lines


def test_a_module_of_waybar_is_text_tooltip_and_class(home: Home) -> None:
    settings = json.loads(told_to_write("json"))["custom/sayso"]
    assert settings["return-type"] == "json"
    with subprocess.Popen(
        shlex.split(settings["exec"]), env=environment(home), stdout=subprocess.PIPE, text=True
    ) as module:
        assert module.stdout is not None
        lines = lines_of(module.stdout)
        assert lines.get(timeout=WAIT_S) == {"text": "", "tooltip": "", "class": "idle"}
        asking = Asking(home, cwd="/home/ada/<b>&shop")
        told = lines.get(timeout=WAIT_S)
        assert told == {"text": "1", "tooltip": told["tooltip"], "class": "waiting"}
        assert told["tooltip"].endswith(" in &lt;b&gt;&amp;shop: permission")
        asking.answer_all()
        assert lines.get(timeout=WAIT_S) == {"text": "", "tooltip": "", "class": "idle"}
        asking.close()
        module.terminate()


# --- a light ---------------------------------------------------------------------------------


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def refused(port: int, headers: dict[str, str]) -> int:
    sent = urllib.request.Request(f"http://127.0.0.1:{port}/", b'{"data":{}}', headers)
    try:
        with urllib.request.urlopen(sent, timeout=WAIT_S) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_a_light_is_on_while_something_waits_and_believes_what_is_signed(home: Home) -> None:
    port = free_port()
    done = home.sayso("webhook", "add", f"http://127.0.0.1:{port}/")
    command = [sys.executable, "-u", str(EXAMPLES / "webhook_light.py"), str(port)]
    env = {**os.environ, "SECRET": done.stdout.strip()}
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as light:
        assert light.stdout is not None
        until(lambda: _listens(port), "it does not listen")
        asking = Asking(home)
        assert light.stdout.readline() == "on\n"
        for headers in ({}, {"webhook-signature": "v1,x v2,é"}, {"webhook-timestamp": "1"}):
            assert (
                refused(port, {name: value.encode().decode("latin-1") for name, value in headers.items()})
                == 401
            )
        asking.answer_all()
        assert light.stdout.readline() == "off\n"
        asking.close()
        light.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
