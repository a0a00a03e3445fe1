"""A terminal taken over for a screen: keys unprocessed, a page of its own, and all of it given
back on every way out. Knows nothing of what is shown.

Imports the standard library and `base`.
"""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any

from sayso.channels.base import Line
from sayso.channels.output import PLAIN, STYLES

# The other page, no cursor, pastes marked, focus reported.
_TAKE = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h"
_GIVE_BACK = "\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l"
# Draw at once, where the terminal can.
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
_USUAL_SIZE = (80, 24)
_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Terminal:
    """A context: inside it the terminal is ours. `in_fd` and `out_fd` are the same terminal."""

    def __init__(self, in_fd: int, out_fd: int, styled: bool = True) -> None:
        self.in_fd = in_fd
        self._out_fd = out_fd
        self._styled = styled
        self._saved: list[Any] = []
        self._frame: list[Line] = []

    def __enter__(self) -> Terminal:
        self._saved = termios.tcgetattr(self.in_fd)
        self._take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        with suppress(OSError, termios.error):  # a terminal that hung up has nothing to give back
            self._give_back()

    def _take(self) -> None:
        raw = termios.tcgetattr(self.in_fd)
        raw[0] &= ~(
            termios.IXON | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP | termios.BRKINT
        )
        raw[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
        # What was typed before anything was on the screen answers nothing: it is thrown away.
        termios.tcsetattr(self.in_fd, termios.TCSAFLUSH, raw)
        self._frame = []
        self.write(_TAKE)

    def _give_back(self) -> None:
        try:
            self.write(PLAIN + _GIVE_BACK)
        finally:
            termios.tcsetattr(self.in_fd, termios.TCSAFLUSH, self._saved)

    def suspend(self) -> None:
        """Stop until the shell goes on with us."""
        self._give_back()
        os.kill(os.getpid(), signal.SIGTSTP)
        self._take()

    def size(self) -> tuple[int, int]:
        """Return columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self._out_fd)
        except OSError:
            return _USUAL_SIZE
        return (columns or _USUAL_SIZE[0], rows or _USUAL_SIZE[1])

    def write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._out_fd, data) :]

    def bell(self) -> None:
        self.write("\a")

    def forget(self) -> None:
        """Draw everything at the next time, whatever is there."""
        self._frame = []

    def draw(self, lines: Sequence[Line]) -> None:
        """Draw these lines from the top; only what changed is written."""
        before = self._frame if len(self._frame) == len(lines) else []
        parts: list[str] = [] if before else ["\x1b[2J"]
        for row, line in enumerate(lines):
            if not before or before[row] != line:
                style = STYLES.get(line.style, "") if self._styled or line.style == "loud" else ""
                parts.append(f"\x1b[{row + 1};1H{style}{line.text}{PLAIN}\x1b[K")
        self._frame = list(lines)
        if parts:
            self.write(_BEGIN + "".join(parts) + _END)


@contextmanager
def signals() -> Generator[int]:
    """Inside it a signal that ends programs raises SystemExit, and each wakes who polls.

    Yields a descriptor that is readable after a signal, a change of the terminal's size included.
    """
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    woken = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    before = {number: signal.signal(number, _end) for number in _ENDING_SIGNALS}
    before[signal.SIGWINCH] = signal.signal(signal.SIGWINCH, _noticed)
    try:
        yield reader
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(woken)
        os.close(reader)
        os.close(writer)


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _noticed(_number: int, _frame: FrameType | None) -> None:
    """The wake-up descriptor tells the rest."""
