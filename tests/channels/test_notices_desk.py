"""Notices of a real desk, taken by a program that stands in for the desktop's own."""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from sayso.client.line import Line, connect
from tests.channels.test_tmux_focus import Tmux
from tests.desks import SAYSO, Home, sample

WAIT_S = 20.0
NO_AGENT = str(2**22 + 1)
"""A pid that no process has: the test may answer."""
GRACE_S = 1
NOTIFY = """#!{python} -IS
import os, sys
said = "\\0".join(sys.argv[1:]).encode() + b"\\n\\n"
os.write(os.open({pipe!r}, os.O_WRONLY), said)
sys.stderr.write({errors!r})
raise SystemExit({code})
"""
ON_REQUEST = """
import os, subprocess, sys
told = sys.stdin.readline().encode() + os.environ.get("SAYSO_REQUEST_ID", "").encode()
os.write(os.open(sys.argv[1], os.O_WRONLY), told + b"\\n\\n")
"""


class Desktop:
    """A desk whose desktop is a pipe that the test reads."""

    def __init__(self) -> None:
        self.home = Home()
        self.programs = self.home.path / "programs"
        self.programs.mkdir()
        self.pipe = str(self.home.path / "pipe")
        os.mkfifo(self.pipe)
        self._end = os.open(self.pipe, os.O_RDWR)
        self._rest = b""
        self._lines: list[Line] = []

    def up(self, agent: str = NO_AGENT, **settings: Any) -> None:
        """Start the desk; of the machine's programs it finds those that it needs here."""
        for name in ("sh", "sleep", "tmux"):
            (self.programs / name).symlink_to(str(shutil.which(name)))
        self.home.env |= {"PATH": str(self.programs)}
        self.home.up("--agents-only", agent)
        self.set(notice_grace_s=GRACE_S, **settings)

    def set(self, **settings: Any) -> None:
        with self.home.desk() as desk:
            desk.call("desk.settings", {"settings": settings})

    def notify_send(self, code: int = 0, errors: str = "") -> None:
        path = self.programs / "notify-send"
        path.write_text(NOTIFY.format(python=sys.executable, pipe=self.pipe, code=code, errors=errors))
        path.chmod(0o755)

    def ask(self, *numbers: int, **changes: Any) -> list[str]:
        """Ask, as so many sessions; return the requests' ids."""
        line = connect(str(self.home.places.socket), WAIT_S)
        self._lines.append(line)
        ids = [f"{number:032x}" for number in numbers]
        for number, request_id in zip(numbers, ids, strict=True):
            params = {
                "id": request_id,
                "agent": "claude-code",
                "session_id": f"s{number}",
                "kind": "permission",
                "tool": "Bash",
                "cwd": f"/home/dev/shop{number}",
                "input": [{"label": "Command", "value": "ls <b>"}],
                **changes,
            }
            call = {"id": number, "method": "agent.request", "params": params}
            line.socket.sendall(json.dumps(call).encode() + b"\n")
        return ids

    def answer(self, request_id: str) -> None:
        """Answer, as soon as it waits."""
        until_s = time.monotonic() + WAIT_S
        with self.home.desk() as desk:
            while not any(one["id"] == request_id for one in desk.call("desk.list", {})["requests"]):
                assert time.monotonic() < until_s, "it never waited"
            desk.call("desk.answer", {"id": request_id, "reply": {"behavior": "allow"}})

    def said(self) -> str:
        """Return what is said next."""
        until_s = time.monotonic() + WAIT_S
        while b"\n\n" not in self._rest:
            assert select.select([self._end], [], [], max(0.0, until_s - time.monotonic()))[0], (
                self.home.log()
            )
            self._rest += os.read(self._end, 1 << 16)
        said, _, self._rest = self._rest.partition(b"\n\n")
        return said.decode()

    def notice(self) -> tuple[str, str]:
        """Return the title and the body of the next notice."""
        *options, title, body = self.said().split("\0")
        assert options == ["--app-name=sayso", "--"]
        return title, body

    def trouble(self, wanted: bool = True) -> list[str]:
        """Return what is wrong, once something is, or once nothing is any more."""
        until_s = time.monotonic() + WAIT_S
        with self.home.desk() as desk:
            while bool(troubles := desk.call("desk.health", {})["troubles"]) is not wanted:
                assert time.monotonic() < until_s, f"{troubles} {self.home.log()}"
        return list(troubles)

    def close(self) -> None:
        for line in self._lines:
            line.close()
        os.close(self._end)
        self.home.__exit__(None, None, None)


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    made = Desktop()
    yield made
    made.close()


def test_what_waits_is_told_after_the_grace(desktop: Desktop) -> None:
    desktop.notify_send()
    desktop.up(notice_content="what")
    asked_s = time.monotonic()
    desktop.ask(7)
    title, body = desktop.notice()
    assert time.monotonic() - asked_s >= GRACE_S
    assert title == "Claude Code in shop7"
    assert body.startswith("wants to use Bash, for 1 s\nls &lt;b&gt;")
    with desktop.home.desk() as desk:
        health = desk.call("desk.health", {})
    assert (health["troubles"], health["watchers"]) == ([], 0)


def test_case_15_of_what_is_answered_at_once_nothing_is_said(desktop: Desktop) -> None:
    desktop.notify_send()
    desktop.up()
    (answered,) = desktop.ask(1)
    desktop.answer(answered)
    desktop.ask(2)
    assert desktop.notice()[0] == "Claude Code in shop2"


def test_case_45_a_burst_is_one_notice(desktop: Desktop) -> None:
    desktop.notify_send()
    desktop.up()
    ids = desktop.ask(*range(20))
    title, body = desktop.notice()
    assert title.startswith("20 requests wait for you")
    assert body.endswith("and 17 more")
    for request_id in ids:
        desktop.answer(request_id)
    desktop.ask(77)
    assert desktop.notice()[0] == "Claude Code in shop77"


def test_a_note_is_said_at_once(desktop: Desktop) -> None:
    desktop.notify_send()
    desktop.up()
    desktop.set(notice_grace_s=1000)
    with desktop.home.desk() as desk:
        desk.call("agent.notify", {"title": "--help <i>", "body": "All 312 passed."})
    assert desktop.notice()[1] == "--help &lt;i&gt;"


def test_a_secret_is_masked_in_it(desktop: Desktop) -> None:
    desktop.notify_send()
    desktop.up(notice_content="what")
    token = "ghp_" + "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LzXcVb"
    desktop.ask(1, input=[{"label": "Command", "value": f"git push https://{token}@example.org"}])
    body = desktop.notice()[1]
    assert "[masked]" in body
    assert token not in body


def test_case_46_a_desktop_that_takes_none_is_told_in_words(desktop: Desktop) -> None:
    desktop.notify_send(1, "Cannot autolaunch D-Bus without X11 $DISPLAY\n")
    desktop.up()
    (first,) = desktop.ask(1)
    desktop.notice()
    (trouble,) = desktop.trouble()
    assert trouble.startswith("desktop notices cannot be shown: no desktop session takes notices here")
    assert f"Trouble: {trouble}" in desktop.home.sayso("status").stdout
    assert desktop.home.log().count("desktop notices cannot be shown") == 1
    desktop.answer(first)
    desktop.notify_send()
    desktop.ask(2)
    assert desktop.notice()[0] == "Claude Code in shop2"
    assert desktop.trouble(wanted=False) == []


def test_case_46_a_desktop_without_the_program_is_told_in_words(desktop: Desktop) -> None:
    desktop.home.env["DISPLAY"] = ":77"
    desktop.up()
    desktop.ask(1)
    (trouble,) = desktop.trouble()
    assert "notify-send is not installed" in trouble
    desktop.set(desktop_notices=False)
    assert desktop.trouble(wanted=False) == []


def command(desktop: Desktop) -> str:
    script = desktop.home.path / "told.py"
    script.write_text(ON_REQUEST)
    return f"{sys.executable} {script} {desktop.pipe}"


def test_a_command_is_told_on_its_input(desktop: Desktop) -> None:
    desktop.up(on_request=command(desktop))
    (asked,) = desktop.ask(3)
    said, _, named = desktop.said().partition("\n")
    told = json.loads(said)
    assert (told["type"], told["count"], told["waiting"]) == ("request", 1, 1)
    assert told["request"]["project"] == "shop3"
    assert named == told["request"]["id"] == asked
    assert desktop.trouble(wanted=False) == []  # a machine without a desktop lacks nothing


def test_case_46_a_command_that_fails_is_told_and_the_desktop_still_tells(desktop: Desktop) -> None:
    desktop.notify_send()
    desktop.up(on_request="sayso-has-no-such-program --at all")
    desktop.ask(1)
    assert desktop.notice()[0] == "Claude Code in shop1"
    assert desktop.trouble() == [
        "the command of on_request failed: there is no such program (write its whole path)"
    ]


def test_the_end_of_the_desk_is_the_end_of_the_command(desktop: Desktop) -> None:
    desktop.up(on_request=f"sh -c 'echo $$ > {desktop.pipe}; echo > {desktop.pipe}; exec sleep 1000'")
    desktop.ask(1)
    pid = int(desktop.said())
    assert desktop.home.sayso("stop").returncode == 0
    desktop.home.wait()
    until_s = time.monotonic() + WAIT_S
    while is_running(pid):
        assert time.monotonic() < until_s


def is_running(pid: int) -> bool:
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return done.stdout.strip()[:1] not in ("", "Z")


# --- in a pane -----------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux environments of processes can be read")
def test_case_45_nobody_is_called_who_looks_at_the_pane_that_asks(desktop: Desktop) -> None:
    """Two panes ask; a person's terminal shows one of them, until it loses the focus."""
    desktop.notify_send()
    desktop.up()
    tmux = Tmux()
    try:
        tmux.do("set-option", "-s", "focus-events", "on")
        terminal = tmux.attach()
        home = f"SAYSO_HOME={desktop.home.path}"
        for title in ("unseen", "seen"):
            ask = [*SAYSO, "ask", "yesno", "--title", title]
            tmux.do("new-window", "-n", title, "env", home, *ask)
        assert_focus(tmux)
        desktop.set(notice_content="what")
        assert "unseen" in desktop.notice()[1]
        os.write(terminal, b"\x1b[O")
        title, body = desktop.notice()
        assert (title.startswith("A program"), body.splitlines()[1]) == (True, "seen")
    finally:
        tmux.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux environments of processes can be read")
def test_case_45_nobody_is_called_who_looks_at_the_agent(desktop: Desktop) -> None:
    """An agent in a pane asks by its hook; it is the pane of the agent's process that counts."""
    desktop.notify_send()
    payload = sample("PermissionRequest.Bash")
    (desktop.home.path / "payload").write_text(json.dumps(payload))
    go = desktop.home.path / "go"
    os.mkfifo(go)
    hook = desktop.home.handlers()["PermissionRequest"][0]["hooks"][0]
    env = f"CLAUDECODE=1 CLAUDE_PID=$$ CLAUDE_CODE_SESSION_ID={payload['session_id']}"
    ask = f"{env} {shlex.join([hook['command'], *hook['args']])} < {desktop.home.path}/payload"
    tmux = Tmux()
    try:
        tmux.do("set-option", "-s", "focus-events", "on")
        terminal = tmux.attach()
        tmux.do("new-window", "sh", "-c", f"read line < {go}; {ask}; sleep 1000")
        assert_focus(tmux)
        agent = tmux.do("display-message", "-p", "-t", "%1", "#{pane_pid}")
        desktop.up(agent=agent)
        go.write_text("now\n")
        desktop.ask(1)  # by nobody that is known, so it is told
        assert desktop.notice()[0] == "Claude Code in shop1"
        os.write(terminal, b"\x1b[O")
        assert desktop.notice()[0] == "Claude Code in project"
    finally:
        tmux.close()


def assert_focus(tmux: Tmux) -> None:
    until_s = time.monotonic() + WAIT_S
    while "focused" not in tmux.do("list-clients", "-F", "#{client_flags}"):
        assert time.monotonic() < until_s
