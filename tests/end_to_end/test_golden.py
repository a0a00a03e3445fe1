"""Golden sequences: the real agent still does, in this order, what their files say.

Only a few quick ones are played again here; `python -m tests.lab.record_golden`
makes all of them anew. What the product makes of them is tested elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.lab import golden
from tests.lab.plays import PLAYS
from tests.lab.record_golden import record

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.end_to_end

# One for each way a request can end: by the hook, by a signal, unseen by the hook, in print mode.
QUICK = ("bash_allowed_by_hook", "bash_terminal_no", "question_in_terminal", "print_undecided")


@pytest.mark.parametrize("name", QUICK)
def test_order_of_events_is_as_recorded(name: str, claude_binary: Path) -> None:
    _, recorded = golden.load(golden.path_of(name))
    _, now = record(name, claude_binary)
    assert golden.outline(now) == golden.outline(recorded)


def test_every_play_has_its_file_and_every_file_its_play() -> None:
    files = {path.stem for path in golden.path_of("any").parent.glob("*.jsonl")}
    assert files == set(PLAYS)


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_file_is_complete_and_the_same_on_every_machine(name: str) -> None:
    head, lines = golden.load(golden.path_of(name))
    assert head["scenario"] == name
    starts = [line for line in lines if line["kind"] == "start"]
    assert [line["hook"] for line in starts] == list(range(1, len(starts) + 1))
    assert all(line["by_agent"] for line in starts)
    ended = {line["hook"] for line in lines if line["kind"] in ("end", "signal", "orphaned")}
    assert ended == {line["hook"] for line in starts}
    text = golden.path_of(name).read_text(encoding="utf-8")
    assert not re.findall(r"sayso-golden|/root|" + golden.UUID.pattern, text)
