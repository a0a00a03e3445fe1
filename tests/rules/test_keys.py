"""Nothing is decided by typing into a terminal: no way to do so stands in the product."""

from __future__ import annotations

import re

from tests.rules.tree import python_files, relative

WAYS = re.compile(r"send-keys|TIOCSTI|paste-buffer|load-buffer|xdotool|keystroke|openpty|\bpty\b")
"""What types for a person: tmux, the terminal itself, the desktop."""


def test_case_55_nothing_types_for_the_person() -> None:
    files = python_files("src")
    assert len(files) > 100
    found = {relative(path): WAYS.findall(path.read_text(encoding="utf-8")) for path in files}
    assert {name: ways for name, ways in found.items() if ways} == {}
    assert WAYS.search("tmux send-keys -t 1 y Enter")
