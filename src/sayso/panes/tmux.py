"""One tmux server, spoken to by the `tmux` program: one process a call, words in, lines out.

Nothing here passes a shell, and no text of others becomes one of tmux's formats, which can
run commands. Not here: which panes are ours (`panes`). Imports `errors`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sayso.errors import SaysoError

log = logging.getLogger(__name__)

SESSION = "sayso"
"""The session whose windows are made for agents."""
TAG = "@sayso"
"""The option of a pane that says whose it is: its id, the process it was made for, the desk's home."""
_SIZE = ("-x", "160", "-y", "48")
"""Of the session as long as nobody looks at it; whoever attaches brings their own."""
_ANSWER_S = 5.0
_KILLED_S = 1.0
_OF_A_PANE = ("TMUX", "TMUX_PANE", "SAYSO_SURFACE")
# A server may tell a client to become another program, and not every server is the person's. What
# becomes of a marked client counts as started by an agent. A server that the client starts would
# inherit the mark, and with it what the person opens there; so that one call goes without.
_MARK = {"AI_AGENT": "tmux"}
_PLACE = "#{pane_id} #{pane_pid} #{pid}"
# Who runs in a pane may write into its options: a line must stay one line.
_LISTED = f"{_PLACE} #{{pane_dead}} #{{s/[^a-z0-9 -]/?/:{TAG}}}"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class PaneError(SaysoError):
    """A pane cannot be made or closed; says why and what to do."""

    code = "pane"


class Place(NamedTuple):
    """A pane's name in tmux, its first process, and tmux's own."""

    pane: str
    pid: int
    tmux_pid: int


class Tmux:
    """A server. It need not run: the first window starts it.

    Args:
        socket: of the server; "" for the one that `tmux` without options speaks to.
        environment: what tmux is started with, and a server that it starts for good. What a
            pane knows itself by is taken out: nothing depends on where the desk was started.
        apart: have a server that must be started be started by systemd. One that a service
            starts would end with it, and agents in it could do no more than the service.
    """

    def __init__(self, socket: str, environment: Mapping[str, str], apart: bool = False) -> None:
        self.environment = {name: value for name, value in environment.items() if name not in _OF_A_PANE}
        # With -S nothing looks at who else may write to the folder; -L does, and makes it.
        self._words = ("-S", socket) if socket else ("-L", "default")
        self._apart = apart
        self.socket = os.path.realpath(socket or _usual_socket(self.environment))

    def is_there(self) -> bool:
        """Whether a server may listen; one that ended can leave its socket behind."""
        return Path(self.socket).exists()

    async def new_window(self, command: Sequence[str], name: str, cwd: str) -> Place:
        """Return the pane of a window at the end of our session, which is made if it must be."""
        has_session, _, _ = await self._call("has-session", "-t", f"={SESSION}")
        if has_session == 0:
            return await self._make(["new-window", "-d", "-t", f"={SESSION}:"], command, name, cwd)
        new = ["new-session", "-d", "-s", SESSION, *_SIZE]
        if self._apart and await self._start_apart([*new, *_named(name), "--", *map(_whole, command)], cwd):
            return _place(*(await self._do("list-panes", "-s", "-t", f"={SESSION}", "-F", _PLACE)).split())
        return await self._make(new, command, name, cwd)

    async def _start_apart(self, words: Sequence[str], cwd: str) -> bool:
        """Return whether systemd started the server with its first session; one that runs needs none."""
        starter = shutil.which("systemd-run", path=self.environment.get("PATH"))
        running, _, _ = await self._call("list-sessions")
        if starter is None or running == 0:
            return False
        service = ("--user", "--quiet", "--collect", "--property=Type=forking", f"--working-directory={cwd}")
        start = [self._program(), *self._words, *words]
        literal = (word.replace("$", "$$") for word in start)  # or systemd puts variables in
        code, _, wrong = await self._run([starter, *service, "--", *literal])
        if code != 0:
            log.warning("systemd does not start tmux, so it ends with the desk: %s", wrong.strip())
        return code == 0

    async def split(self, pane: str, down: bool, command: Sequence[str], cwd: str) -> Place:
        """Return a new pane beside another: its lower half, or its right one."""
        where = ["split-window", "-d", "-v" if down else "-h", "-t", pane]
        if not cwd:
            where += ["-c", "#{pane_current_path}"]
        return await self._make(where, command, "", cwd)

    async def _make(self, where: Sequence[str], command: Sequence[str], name: str, cwd: str) -> Place:
        # The folder is that of the client: as an option it would be read as a format.
        made = await self._do(*where, *_named(name), "-P", "-F", _PLACE, "--", *map(_whole, command), cwd=cwd)
        return _place(*made.split())

    async def tag(self, pane: str, text: str) -> None:
        """Write down whose a pane is, for as long as it lives. Raises PaneError when it has ended."""
        await self._do("set-option", "-p", "-t", pane, TAG, text)

    async def tagged(self) -> list[tuple[Place, str]] | None:
        """Return (place, tag) of the panes that live and have one; None when tmux does not say."""
        code, said, _ = await self._call("list-panes", "-a", "-F", _LISTED)
        if code != 0:
            return None
        rows = [line.split(" ", 4) for line in said.splitlines()]
        return [(_place(*where), tag) for *where, dead, tag in rows if tag and dead != "1"]

    async def kill(self, pane: str) -> None:
        await self._do("kill-pane", "-t", pane)

    async def path(self) -> str:
        """Return where panes of this server look for programs, "" when it does not say."""
        code, said, _ = await self._call("show-environment", "-g", "PATH")
        return said.strip().partition("=")[2] if code == 0 else ""

    async def _do(self, *words: str, cwd: str = "") -> str:
        code, said, wrong = await self._call(*words, cwd=cwd)
        if code != 0:
            raise PaneError(f"tmux {words[0]}: {wrong.strip() or f'ended with {code}'}")
        return said

    async def _call(self, *words: str, cwd: str = "") -> tuple[int, str, str]:
        """Return (exit code, output, errors) of one call. Raises PaneError when there is no answer."""
        mark = {} if words[0] == "new-session" else _MARK
        return await self._run([self._program(), *self._words, *words], mark, cwd)

    def _program(self) -> str:
        program = shutil.which("tmux", path=self.environment.get("PATH"))
        if program is None:
            raise PaneError("tmux is not installed, or not on the desk's PATH: agents' panes need it")
        return program

    async def _run(
        self, words: Sequence[str], more: Mapping[str, str] | None = None, cwd: str = ""
    ) -> tuple[int, str, str]:
        env = {**self.environment, **(more or {})}
        try:
            call = await asyncio.create_subprocess_exec(
                *words, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=env, cwd=cwd or None
            )
        except OSError as error:
            raise PaneError(f"tmux cannot be started: {error.strerror}") from None
        try:
            async with asyncio.timeout(_ANSWER_S):
                said, wrong = await call.communicate()
        except TimeoutError:
            call.kill()
            # A client hands its outputs to its server: one that hangs holds them open, and who waited for
            # their end would wait as long.
            call._transport.close()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
            with suppress(TimeoutError):
                async with asyncio.timeout(_KILLED_S):
                    await call.wait()
            raise PaneError(f"tmux at {self.socket} does not answer") from None
        return call.returncode or 0, said.decode("utf-8", "replace"), wrong.decode("utf-8", "replace")


def _named(name: str) -> list[str]:
    """Return how a window gets its name, which tmux reads as a format: only a plain one is given."""
    return ["-n", name] if _PLAIN_NAME.fullmatch(name) else []


def _place(pane: str, pid: str, tmux_pid: str) -> Place:
    return Place(pane, int(pid), int(tmux_pid))


def _usual_socket(environment: Mapping[str, str]) -> str:
    return f"{environment.get('TMUX_TMPDIR') or '/tmp'}/tmux-{os.getuid()}/default"


def _whole(word: str) -> str:
    """Write a word so that tmux takes it as it is: at its end a semicolon would end the command."""
    return f"{word[:-1]}\\;" if word.endswith(";") else word
