"""`python -m bench`: measures everything, prints a table; --write puts it into the documentation.

Ends with 0 however slow it was, with 1 when something could not be measured.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import sayso
from bench import codex, desks, masks, starts
from bench.table import Row, page, plain
from bench.world import ROOT, CannotMeasure, World
from sayso.errors import SaysoError
from sayso.install import stable

PAGE = ROOT / "docs/reference/performance.md"


class Sizes(NamedTuple):
    """How much is measured."""

    starts: int = 100
    answers: int = 200
    held: int = 1000
    watchers: int = 50
    at_once: int = 5000
    asked: int = 1000
    events: int = 50
    streams: int = 200
    idle_s: float = 15
    masks: int = 300
    wire: int = 300
    cards: int = 500
    changes: int = 1000


TINY = Sizes(
    starts=3,
    answers=3,
    held=20,
    watchers=4,
    at_once=30,
    asked=30,
    events=3,
    streams=4,
    idle_s=1,
    masks=3,
    wire=3,
    cards=8,
    changes=20,
)


def _page(world: World, sizes: Sizes) -> list[Row]:
    from bench import page  # it needs what drives a browser, and nothing else here does

    return page.page(world, sizes.cards, sizes.changes)


Measure = Callable[[World, Sizes], list[Row]]
MEASURES: dict[str, Measure] = {
    "starts": lambda world, sizes: starts.without_desk(world, sizes.starts),
    "observer": lambda world, sizes: starts.observer(world, sizes.starts),
    "asking": lambda world, sizes: starts.asking(world, sizes.starts),
    "questions": lambda world, sizes: starts.questions(world, sizes.starts),
    "answers": lambda world, sizes: desks.answers(world, sizes.answers, sizes.held, sizes.watchers),
    "held": lambda world, sizes: desks.held(world, sizes.at_once),
    "requested": lambda world, sizes: desks.requested(world, sizes.at_once),
    "asked": lambda world, sizes: desks.asked(world, sizes.asked),
    "streams": lambda world, sizes: desks.streams(world, sizes.events, sizes.streams),
    "codex": lambda world, sizes: codex.wire(world, sizes.wire),
    "idle": lambda world, sizes: desks.idle(world, sizes.idle_s),
    "masks": lambda _, sizes: masks.masks(sizes.masks),
    "page": _page,
}


def main(argv: list[str] | None = None) -> int:
    """Measure, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=MEASURES, help="only this; may be given again")
    parser.add_argument("--tiny", action="store_true", help="a few of each, to see that it works")
    parser.add_argument("--write", action="store_true", help="write docs/reference/performance.md")
    args = parser.parse_args(argv)
    # Thousands of connections, in every process that is started from here.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    names: list[str] = args.only or list(MEASURES)
    said = about()
    rows = [row for name in names for row in measured(name, TINY if args.tiny else Sizes())]
    print(plain(rows, said))
    if args.write:
        PAGE.write_text(page(rows, said, "python -m bench --write"), encoding="utf-8")
    return 1 if any(row.failure for row in rows) else 0


def measured(name: str, sizes: Sizes) -> list[Row]:
    """Return the rows of a measurement; one that says why, when it could not be made."""
    print(f"measuring {name} …", file=sys.stderr, flush=True)
    try:
        with World() as world:
            return MEASURES[name](world, sizes)
    except (CannotMeasure, OSError, SaysoError) as error:
        return [Row(name, failure=str(error) or type(error).__name__)]


def about() -> list[str]:
    """Return what was measured, and on what."""
    desk_python = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        f"machine: {processor()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}",
        f"others kept {os.getloadavg()[0]:.1f} processors busy in the minute before",
        f"sayso {sayso.__version__}{revision()}; desk: {desk_python}; hook: {hook_python()}",
    ]


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{platform.machine()} {names[0]}" if names else platform.machine()


def revision() -> str:
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return f" at {found.stdout.strip()}" if found.returncode == 0 else ""


def hook_python() -> str:
    command = [stable.interpreter().path, "-I", "-S", "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
