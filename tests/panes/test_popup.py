"""Answering in a popup of the tmux that the agents run in."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from tests.panes.desk import ASKS, Client, panes
from tests.rules.tree import ROOT

PREFIX = "\x02"


def documented() -> list[str]:
    """Return the words of the binding that the documentation tells to write into tmux.conf."""
    page = (ROOT / "docs" / "howto" / "panes.md").read_text(encoding="utf-8")
    found = re.search(r"^(bind-key (\w) .*'sayso watch')$", page, re.MULTILINE)
    assert found is not None
    return [found[2], found[1]]


def sayso_in(folder: Path) -> str:
    """Put a program `sayso` into a folder; return a PATH that begins with it."""
    program = folder / "sayso"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m sayso "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_a_key_of_tmux_opens_what_waits_and_answers_it(tmp_path: Path) -> None:
    key, binding = documented()
    (tmp_path / "binding.conf").write_text(binding + "\n", encoding="utf-8")
    with panes(PATH=sayso_in(tmp_path)) as desk:
        desk.programs("sleep", "1000")
        desk.run("create")  # another window, or tmux would end with the question
        desk.programs(*ASKS)
        desk.run("create")
        surface_id = desk.ids()[-1]
        request = desk.asked(surface_id)
        desk.tmux.run("source-file", str(tmp_path / "binding.conf"))
        desk.tmux.run("set-option", "-g", "assume-paste-time", "0")  # nobody types as fast as a test
        with Client(desk.tmux) as person:
            person.shows("sayso")  # the name of the session, in the status line
            person.press(PREFIX + key)
            person.shows("May I go on?")
            for _ in range(2):  # a key just as a card comes is ignored: two more seconds are shown
                person.press("")
                person.shows(" s ago")
            person.press("y")
            person.shows("handed to the program that asked")
            ended = desk.watcher.state(request["id"], "delivered")
            assert ended["by"]["channel"] == "cli"
            person.press("q")
            person.shows("0:sleep")  # tmux draws what was below the popup
