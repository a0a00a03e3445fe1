"""The scripts and programs of the page on asking run before a real desk, and print what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.desks import Home, Watcher
from tests.rules.tree import ROOT
from tests.standin import WAIT_S, StandIn

PAGE = (ROOT / "docs" / "howto" / "ask-from-a-script.md").read_text(encoding="utf-8")
LINES = r"((?:(?!```).*\n)*)"
EXAMPLES: list[tuple[str, str, str]] = re.findall(
    rf"^```(sh|python)\n{LINES}```\n\n```text\n{LINES}```$", PAGE, re.MULTILINE
)


class Person(threading.Thread):
    """Answers everything at once, but for what nobody is there for."""

    def __init__(self, home: Home) -> None:
        super().__init__(daemon=True)
        self.home = home
        self.is_over = threading.Event()

    def run(self) -> None:
        with Watcher(self.home) as watcher:
            while True:
                asked = watcher.until(lambda r: r["state"] == "pending" and "nobody is" not in r["title"])
                if self.is_over.is_set():
                    return
                for value in values(asked):
                    watcher.call("agent.ask_answer", request_id=asked["id"], value=value)
                watcher.state(asked["id"], "delivered")

    def end(self) -> None:
        """Ask a last question, so that it looks up."""
        self.is_over.set()
        asking = subprocess.Popen(["sayso", "ask", "text", "--title", "last"], env=self.home.env)
        self.join(WAIT_S)
        asking.kill()
        asking.wait(WAIT_S)
        assert not self.is_alive()


def values(asked: dict[str, Any]) -> list[str]:
    match asked["kind"]:
        case "choice":
            return [asked["choices"][1]["value"]]
        case "text":
            return ["v1.3"]
        case "confirm-command":
            return ["ack", "run"]
        case _:
            return ["yes"]


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with StandIn() as agent, Home() as home:
        folder = home.path / "bin"
        folder.mkdir()
        command = folder / "sayso"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m sayso "$@"\n')
        command.chmod(0o755)
        home.env["PATH"] = f"{folder}:{os.environ['PATH']}"
        home.up("--agents-only", str(agent.pid))
        person = Person(home)
        person.start()
        yield home
        person.end()


def test_every_kind_of_question_is_shown() -> None:
    assert len(EXAMPLES) == PAGE.count("```text") > 8
    said = "".join(program for _, program, _ in EXAMPLES)
    for words in ("yesno", "choice", "text", "confirm-command", "ask.yesno", "ask.confirm_command", "aio."):
        assert words in said


@pytest.mark.parametrize(("language", "program", "printed"), EXAMPLES)
def test_an_example_of_the_page(home: Home, language: str, program: str, printed: str) -> None:
    command = (
        ["/bin/sh", "-ec", program] if language == "sh" else [sys.executable, "-W", "error", "-c", program]
    )
    done = subprocess.run(
        command,
        env=home.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert (done.returncode, done.stdout) == (0, printed)
    if "nobody is" not in program:
        assert done.stderr == ""
