"""The programs in examples/ run as their users run them: one in a terminal, one beside it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from tests.hook_server.callers import WAIT_S
from tests.rules.tree import ROOT

APPROVER, POLICY = ROOT / "examples/approver.py", ROOT / "examples/policy.py"


class Example:
    """A program in a terminal of its own."""

    def __init__(self, script: Path, home: Path) -> None:
        self.script = script
        self.env = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm"}
        self.shown = ""
        self._changed = threading.Condition()
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", str(script)],
            env=self.env,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 65536)
            except OSError:  # the other end is closed
                data = b""
            with self._changed:
                self.shown += data.decode("utf-8", "replace")
                self._changed.notify_all()
            if not data:
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(WAIT_S)
        self._reader.join(WAIT_S)
        os.close(self._ours)

    def until(self, text: str) -> str:
        """Wait until this is shown; return what was up to it, and forget it."""
        end_s = time.monotonic() + WAIT_S
        with self._changed:
            while text not in self.shown:
                assert self._changed.wait(end_s - time.monotonic()), f"{text!r} is not in {self.shown!r}"
            before, _, self.shown = self.shown.partition(text)
        return before

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def command(self) -> list[str]:
        """Return the command of the settings that it prints."""
        done = subprocess.run(
            [sys.executable, str(self.script), "--settings"],
            env=self.env,
            capture_output=True,
            text=True,
            check=True,
            timeout=WAIT_S,
        )
        ((group,),) = json.loads(done.stdout)["hooks"].values()
        (hook,) = group["hooks"]
        return [hook["command"], *hook["args"]]

    def hook(self, tool: str, event: str, tool_input: Any, cwd: Path) -> subprocess.Popen[bytes]:
        """Start a hook, as the agent does."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(self.command(), env={}, stdin=pipe, stdout=pipe)
        payload = {"hook_event_name": event, "tool_name": tool, "tool_input": tool_input, "cwd": str(cwd)}
        assert process.stdin is not None
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
        process.stdin = None
        return process


def told(process: subprocess.Popen[bytes]) -> Any:
    output, _ = process.communicate(timeout=WAIT_S)
    return json.loads(output)["hookSpecificOutput"] if output else None


@pytest.fixture
def approver(tmp_path: Path) -> Iterator[Example]:
    with Example(APPROVER, tmp_path) as example:
        example.until("Waiting.")
        yield example


@pytest.fixture
def policy(tmp_path: Path) -> Iterator[Example]:
    with Example(POLICY, tmp_path) as example:
        example.until("Deciding.")
        yield example


def ask(approver: Example, tool: str = "Bash", **tool_input: Any) -> subprocess.Popen[bytes]:
    """Have the approver ask, and wait until it does."""
    process = approver.hook(tool, "PermissionRequest", tool_input or {"command": "ls"}, Path("/p"))
    approver.until("Allow? y/n ")
    return process


@pytest.mark.parametrize(
    ("keys", "said", "decision"),
    [
        ("y\n", "Allowed.", {"behavior": "allow"}),
        ("Y \n", "Allowed.", {"behavior": "allow"}),
        ("n\n", "Denied.", {"behavior": "deny", "message": "The user denied this."}),
        ("\n", "Left to Claude Code.", None),
        ("yes please\n", "Left to Claude Code.", None),
    ],
)
def test_a_person_answers(approver: Example, keys: str, said: str, decision: Any) -> None:
    hook = ask(approver)
    approver.type(keys)
    approver.until(said)
    found = told(hook)
    assert (found and found["decision"]) == decision


def test_what_was_typed_before_answers_nothing(approver: Example) -> None:
    approver.type("y\ny\n")
    approver.until("y\r\ny\r\n")  # the terminal has it
    hook = ask(approver)
    approver.type("n\n")
    approver.until("Denied.")
    assert told(hook)["decision"]["behavior"] == "deny"


def test_a_prompt_ends_with_its_agent(approver: Example) -> None:
    hook = ask(approver)
    hook.terminate()
    approver.until("No answer is needed any more: gone.")
    hook.communicate(timeout=WAIT_S)
    following = ask(approver, command="second")
    approver.type("y\n")
    assert told(following)["decision"] == {"behavior": "allow"}


def test_what_a_terminal_would_obey_is_shown_and_not_obeyed(approver: Example) -> None:
    process = approver.hook("Bash", "PermissionRequest", {"command": "ls \x1b[2J\u202e\r"}, Path("/p\x1b[1m"))
    shown = approver.until("Allow? y/n ")
    assert "ls \\u001b[2J\\u202e\\r" in shown
    assert "\x1b" not in shown
    approver.type("\n")
    assert told(process) is None


def test_a_question_is_left_to_the_agent(approver: Example) -> None:
    hook = ask(approver, "AskUserQuestion", questions=[])
    approver.type("y\n")
    approver.until("Left to Claude Code.")
    assert told(hook) is None


@pytest.mark.parametrize("example", ["approver", "policy"])
def test_it_ends_when_it_is_interrupted(example: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    running: Example = request.getfixturevalue(example)
    running.process.send_signal(2)
    assert running.process.wait(WAIT_S) == 0
    assert [path.name for path in (tmp_path / f".local/state/hook-{example}").iterdir()] == ["url.lock"]
    assert running.shown.replace("^C", "").strip() == ""


@pytest.mark.parametrize(
    ("tool", "tool_input", "decision"),
    [
        ("Bash", {"command": "git status"}, "allow"),
        ("Bash", {"command": "git status; rm -r ."}, None),
        ("Bash", {"command": ["git status"]}, None),
        ("Bash", {}, None),
        ("Read", {"file_path": "{cwd}/notes.txt"}, "allow"),
        ("Read", {"file_path": "{cwd}/../other"}, None),
        ("Read", {"file_path": "{cwd}/link/passwd"}, None),
        ("Read", {"file_path": 7}, None),
        ("Write", {"file_path": "{cwd}/uv.lock"}, "deny"),
        ("Write", {"file_path": "{cwd}/notes.txt"}, None),
        ("Write", {}, None),
        ("AskUserQuestion", {"questions": []}, None),
    ],
)
def test_rules_decide(
    policy: Example, tmp_path: Path, tool: str, tool_input: Any, decision: str | None
) -> None:
    cwd = tmp_path / "project"
    cwd.mkdir()
    (cwd / "link").symlink_to("/etc")
    filled = json.loads(json.dumps(tool_input).replace("{cwd}", str(cwd)))
    found = told(policy.hook(tool, "PreToolUse", filled, cwd))
    assert (found and found["permissionDecision"]) == decision
    policy.until("answered" if decision else "dropped")
