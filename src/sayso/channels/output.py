"""Where the command line writes: lines for people, JSON for programs, errors with an exit code.

Imports `base`, `text` and `errors`.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterable
from io import TextIOWrapper

from sayso.channels.base import Line
from sayso.channels.text import visible
from sayso.errors import BadRequest, Gone, NotRunning, Refused, SaysoError, Unauthorized

DONE, TRANSPORT, USAGE, REFUSED, NOT_YET, GONE, NOT_OBEYED, INTERRUPTED = 0, 1, 2, 3, 5, 6, 7, 130
"""Exit codes. NOT_YET: the answer was taken, but not handed over so far. NOT_OBEYED: lost or overruled."""

STYLES = {"strong": "\x1b[1m", "faint": "\x1b[2m", "loud": "\x1b[1;7m"}
PLAIN = "\x1b[0m"
USUAL_COLUMNS = 80


def exit_code(error: SaysoError) -> int:
    if isinstance(error, BadRequest):
        return USAGE
    if isinstance(error, Refused | Unauthorized):
        return REFUSED
    return GONE if isinstance(error, Gone | NotRunning) else TRANSPORT


class Output:
    """Standard output. `as_json`: only JSON is written, lines are not."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json
        # Where the locale cannot write a character, its number is better than an end in the middle.
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self.styled = (
            sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        )
        self.columns = shutil.get_terminal_size((USUAL_COLUMNS, 24)).columns or USUAL_COLUMNS

    def now_s(self) -> float:
        """Return the wall clock: ages are shown by it, nothing is decided."""
        return time.time()

    def lines(self, lines: Iterable[Line]) -> None:
        if self.as_json:
            return
        for text, style in lines:
            lead = STYLES.get(style, "") if self.styled and text else ""
            sys.stdout.write(f"{lead}{text}{PLAIN}\n" if lead else f"{text}\n")

    def say(self, text: str, style: str = "") -> None:
        self.lines([Line(text, style)])

    def json(self, value: object) -> None:
        """Write one line of JSON. ASCII alone, so that no terminal obeys what is in it."""
        if self.as_json:
            sys.stdout.write(json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f") + "\n")

    def fail(self, error: SaysoError) -> int:
        """Write an error and return its exit code."""
        self.json(
            {"ok": False, "error": error.text, "code": error.code, "status": error.status, **error.data}
        )
        if not self.as_json:
            sys.stdout.flush()
            sys.stderr.write(f"sayso: {visible(error.text, lines=True)}\n")
        return exit_code(error)
