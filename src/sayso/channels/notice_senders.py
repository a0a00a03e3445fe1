"""The ways out for notices: the desktop, and a command of the person's own.

Each runs one program at a time; what comes meanwhile is bundled and told next. A failure is
told in words, once in the log and in the desk's health as long as it lasts; it stops nothing.
Not here: what is told and when (`notices`). Imports `notices`, `notice_text`, `programs`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import shlex
import shutil
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sayso.channels import programs
from sayso.channels.notice_text import Words, shape, words
from sayso.channels.notices import Batch, together
from sayso.channels.programs import Done, Program
from sayso.core.types import Settings

log = logging.getLogger(__name__)

DESKTOP_S = 5.0
COMMAND_S = 10.0
"""A program that takes longer is ended."""
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
_BUS = re.compile(r"d-?bus|org\.freedesktop", re.IGNORECASE)
_OFF = "`sayso settings desktop_notices off` switches them off"
_APPLE_SCRIPT = (
    "on run argv",
    "display notification (item 3 of argv) with title (item 2 of argv)",
    "end run",
)

Run = Callable[[Program], "asyncio.Future[Done] | asyncio.Task[Done]"]


class Unsent(NamedTuple):
    """Nothing is to be run; `trouble` says why where somebody should know."""

    trouble: str = ""


class Sender:
    """A way out.

    Args:
        settings: returns those of now.
        still: returns a batch without what has ended meanwhile.
    """

    def __init__(self, settings: Callable[[], Settings], still: Callable[[Batch], Batch]) -> None:
        self.trouble = ""
        self._troubled: Settings | None = None
        self._settings = settings
        self._still = still
        self._next: list[Batch] = []
        self._offered = asyncio.Event()

    def offer(self, batch: Batch) -> None:
        """Send a batch, soon; never waits. Notes and requests are told apart."""
        for index, waiting in enumerate(self._next):
            if bool(waiting.requests) is bool(batch.requests):
                self._next[index] = together(waiting, batch)
                return
        self._next.append(batch)
        self._offered.set()

    async def run(self) -> None:
        """Send what is offered, until cancelled."""
        while True:
            await self._offered.wait()
            while self._next:
                batch = self._still(self._next.pop(0))
                if batch.requests or batch.notes:
                    self._tell(await self._send(batch))
            self._offered.clear()

    async def _send(self, batch: Batch) -> str | None:
        """Return what went wrong, "" for nothing, None where nothing was tried."""
        program = self.program(batch, self._settings())
        if isinstance(program, Unsent):
            return program.trouble or None
        return self.explain(await programs.run(program))

    def _tell(self, trouble: str | None) -> None:
        if trouble and trouble != self.trouble:
            log.warning("%s", trouble)
        if trouble is not None:
            self.trouble, self._troubled = trouble, self._settings()

    def current_trouble(self) -> str:
        """Return what is wrong with this way out, "" if nothing is or it was switched or changed since."""
        settings = self._settings()
        changed = self._troubled is None or self.choice(self._troubled) != self.choice(settings)
        return self.trouble if self.is_on(settings) and not changed else ""

    # --- what each is in its own way -----------------------------------------------------

    def choice(self, settings: Settings) -> str | bool:
        """Return the setting that switches it."""
        raise NotImplementedError

    def is_on(self, settings: Settings) -> bool:
        return bool(self.choice(settings))

    def program(self, batch: Batch, settings: Settings) -> Program | Unsent:
        raise NotImplementedError

    def explain(self, done: Done) -> str:
        raise NotImplementedError


class Desktop(Sender):
    """The desktop's own notices: by `notify-send`, on macOS by `osascript`."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        still: Callable[[Batch], Batch],
        env: Mapping[str, str],
        platform: str,
    ) -> None:
        super().__init__(settings, still)
        self._env = env
        self._platform = platform

    def choice(self, settings: Settings) -> str | bool:
        return settings.desktop_notices

    def program(self, batch: Batch, settings: Settings) -> Program | Unsent:
        if not settings.desktop_notices:
            return Unsent()
        name = "osascript" if self._platform == "darwin" else "notify-send"
        path = shutil.which(name, path=self._env.get("PATH", ""))
        if path is None:
            return Unsent(self._missing(name))
        said = words(batch, settings.notice_content, time.time())
        argv = apple_script(path, said) if self._platform == "darwin" else notify_send(path, said)
        return Program(argv, self._env, DESKTOP_S, listens=True)

    def _missing(self, name: str) -> str:
        """Return words for a desktop without the program; a machine without a desktop needs none."""
        if self._platform != "darwin" and not any(self._env.get(display) for display in _DISPLAYS):
            return ""
        return (
            f"desktop notices cannot be shown: {name} is not installed (on Linux it comes with libnotify); "
            f"{_OFF}"
        )

    def explain(self, done: Done) -> str:
        if not done.trouble:
            return ""
        why = done.trouble
        if _BUS.search(done.errors):
            why = "no desktop session takes notices here (asked over D-Bus)"
        return f"desktop notices cannot be shown: {why}; {_OFF}"


def notify_send(path: str, said: Words) -> list[str]:
    """Return the arguments of notify-send: its options end before words of others begin.

    The body is markup, and of it notify-send itself reads backslashes as in C.
    """
    return [path, "--app-name=sayso", "--", said.title, markup(said.body).replace("\\", "\\\\")]


def markup(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def apple_script(path: str, said: Words) -> list[str]:
    """Return the arguments of osascript. The words are arguments, not parts of the script.

    The first one is ours: options end at it.
    """
    script = [word for line in _APPLE_SCRIPT for word in ("-e", line)]
    return [path, *script, "sayso", said.title, said.body]


class Command(Sender):
    """The person's own command, told on its standard input."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        still: Callable[[Batch], Batch],
        env: Mapping[str, str],
    ) -> None:
        super().__init__(settings, still)
        self._env = env

    def choice(self, settings: Settings) -> str | bool:
        return settings.on_request

    def program(self, batch: Batch, settings: Settings) -> Program | Unsent:
        try:
            argv = shlex.split(settings.on_request)
        except ValueError:
            return Unsent("on_request is no command: a quotation mark in it is not closed")
        if not argv:
            return Unsent()
        told = shape(batch, settings.notice_content, time.time())
        env = {
            **self._env,
            **({"SAYSO_REQUEST_ID": batch.requests[0].id} if told["type"] == "request" else {}),
        }
        return Program(argv, env, COMMAND_S, stdin=json.dumps(told, ensure_ascii=False) + "\n")

    def explain(self, done: Done) -> str:
        why = "there is no such program (write its whole path)" if done.missing else done.trouble
        return f"the command of on_request failed: {why}" if why else ""
