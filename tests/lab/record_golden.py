"""Records golden sequences from the real agent, and writes their files.

    scripts/hermetic .venv/bin/python -m tests.lab.record_golden [NAME…]

Without names it records all. Not a comparison: tests/end_to_end/test_golden.py does
that. May import the lab only.
"""

from __future__ import annotations

import sys
import time
import traceback
from typing import TYPE_CHECKING, Any

from tests.lab import claude, golden
from tests.lab.plays import PLAYS
from tests.lab.stage import stage

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]


def record(name: str, binary: Path) -> tuple[Json, list[Json]]:
    """Play a scenario with the real agent; return the lines of its golden file."""
    play = PLAYS[name]
    with stage(binary) as current:
        play(current)
        lines = golden.normalise(current.recorder.records(), current.root)
    what = (play.__doc__ or "").strip()
    head = {"kind": "recording", "scenario": name, "agent": "claude-code", "version": claude.VERSION}
    return {**head, "what": what, "marks": golden.common_marks(lines)}, lines


def main(names: list[str]) -> int:
    if not claude.cut_off() or not set(names) <= set(PLAYS):
        print(__doc__, *sorted(PLAYS), sep="\n", file=sys.stderr)
        return 2
    binary = claude.installed()
    failed = [name for name in names or PLAYS if not record_file(name, binary)]
    print(f"failed: {' '.join(failed)}" if failed else "all recorded")
    return 1 if failed else 0


def record_file(name: str, binary: Path) -> bool:
    """Record one scenario and write its file; tell whether it went as far as its end."""
    started_at = time.monotonic()
    try:
        head, lines = record(name, binary)
    except (AssertionError, TimeoutError):
        traceback.print_exc()
        return False
    golden.save(golden.path_of(name), head, lines)
    print(f"{time.monotonic() - started_at:5.1f} s  {name}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
