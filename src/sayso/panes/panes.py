"""The panes of one desk: each has an id that lasts as long as it does, also across desks.

The id is the surface id of what is asked inside. It is kept in tmux, at the pane itself; so
are the process it was made for, and the desk. A pane that runs something else by now, or is
another desk's, is none of ours. Imports `tmux`, `program`, `ends`, `errors`.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sayso.errors import BadRequest
from sayso.panes import program as programs
from sayso.panes.ends import Ends, is_alive
from sayso.panes.tmux import PaneError, Place, Tmux

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""How often to look at the panes that live: one closed under a process that stays is told by nothing else."""
PREFIX = "pane-"
SURFACE = ("SAYSO_SURFACE", "HT_SURFACE")
"""What tells a program its pane: ours, and the public client of the ask protocol."""
MARK = {"SAYSO_PANE": "1"}
"""What left the descent of its pane's program is still known by this: it may ask, and no more."""


@dataclass(frozen=True)
class Pane:
    """Where a pane is."""

    server: Tmux
    place: Place

    @property
    def number(self) -> int:
        """Where it stands among the panes of its server, by age."""
        return int(self.place.pane.lstrip("%"))

    def is_open(self) -> bool:
        """Whether it may be, as far as can be told without tmux."""
        return is_alive(self.place.pid) and is_alive(self.place.tmux_pid)


class Panes:
    """What is made, found again and closed.

    Args:
        own: the server of the session `sayso`.
        run: the desk's own folder: names the desk, and keeps which other servers have panes.
        given: variables that every pane gets, beside those that name its surface.
        unset: variables that no pane gets.
        on_closed: called with the id of every pane that ended, once.
    """

    def __init__(
        self,
        own: Tmux,
        run: Path,
        given: Mapping[str, str],
        unset: Collection[str],
        on_closed: Callable[[str], None],
    ) -> None:
        self._own = own
        self._desk = hashlib.sha256(os.fsencode(run)).hexdigest()[:12]
        self._others = run / "tmux-servers"
        self._given = given
        self._unset = {*unset, "SAYSO_HOME"}
        self._on_closed = on_closed
        self._live: dict[str, Pane] = {}
        self._ends = Ends(self._closed)
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None

    # --- the life of the desk ----------------------------------------------------------

    async def start(self) -> None:
        """Find the panes that an earlier desk of this home made, and watch them again."""
        async with self._lock:
            await self._look([*self._servers(), *map(self._server, self._noted())])
        self._note()

    async def end(self) -> None:
        """Watch no more. The panes stay."""
        if self._looking is not None:
            await self._looking
        if self._timer is not None:
            self._timer.cancel()
        self._ends.close()
        self._live.clear()

    # --- what is asked for -------------------------------------------------------------

    def pids(self) -> list[int]:
        """Return the first process of each pane."""
        return [pane.place.pid for pane in self._live.values()]

    async def ids(self) -> list[str]:
        """Return the panes that live now, the oldest first."""
        async with self._lock:
            trouble = await self._look(self._servers())
            if trouble is not None:
                raise trouble
            return list(self._live)

    async def create(self, program: str, cwd: str) -> str:
        """Open a window of our session; return the new pane's id.

        Args:
            program: the command, in a shell's words.
            cwd: an absolute folder, or "" for the person's home.
        """
        async with self._lock:
            return await self._create(program, cwd)

    async def split(self, program: str, down: bool, beside: str, caller: tuple[str, str], cwd: str) -> str:
        """Open a pane beside another one, without taking the keyboard from it; return its id.

        Args:
            beside: the id of a pane of ours; or ""
            caller: (socket, pane) of the tmux pane the caller is in, ("", "") when in none. Then
                it is the newest pane of our session; without one, a window is opened.
            cwd: an absolute folder, or "" for that of the pane beside.
        """
        async with self._lock:
            await self._look(self._servers())
            place = self._place(beside, caller)
            if place is None:
                return await self._create(program, cwd)
            server, pane = place
            surface_id, command, _ = await self._command(program, server)
            made = await server.split(pane, down, command, cwd)
            return await self._add(surface_id, Pane(server, made))

    async def close(self, surface_id: str) -> bool:
        """Close a pane, and return whether it was one of ours that lives."""
        async with self._lock:
            trouble = await self._look(self._servers())
            found = self._live.get(surface_id)
            if found is None and trouble is not None:
                raise trouble
            if found is None:
                return False
            try:
                await found.server.kill(found.place.pane)
            except PaneError:
                if found.is_open():
                    raise
            self._closed(surface_id)
            return True

    # --- making ------------------------------------------------------------------------

    async def _create(self, program: str, cwd: str) -> str:
        surface_id, command, name = await self._command(program, self._own)
        made = await self._own.new_window(command, name, cwd or str(Path.home()))
        return await self._add(surface_id, Pane(self._own, made))

    async def _command(self, program: str, server: Tmux) -> tuple[str, list[str], str]:
        """Return a new id, the command of its pane and the program's name."""
        words = programs.words_of(program)
        surface_id = PREFIX + secrets.token_hex(6)
        given = {**self._given, **MARK, **dict.fromkeys(SURFACE, surface_id)}
        found = programs.find(words[0], server.environment.get("PATH", os.defpath))
        if found is None:  # what starts desks may know less than the person's own terminal
            given["PATH"] = await server.path()
            found = programs.find(words[0], given["PATH"])
        if found is None:
            raise programs.missing(words[0])
        command = programs.with_environment([found, *words[1:]], given, self._unset)
        return surface_id, command, Path(found).name

    async def _add(self, surface_id: str, pane: Pane) -> str:
        try:
            await pane.server.tag(pane.place.pane, f"{surface_id} {pane.place.pid} {self._desk}")
        except PaneError:
            raise PaneError("the pane closed at once: run its program by hand to see why") from None
        self._adopt(surface_id, pane)
        if pane.server is not self._own:
            self._note()
        return surface_id

    def _place(self, beside: str, caller: tuple[str, str]) -> tuple[Tmux, str] | None:
        """Return the pane that is to be split, None when there is none."""
        if beside:
            found = self._live.get(beside)
            if found is None:
                raise BadRequest(f"no pane of this desk has the id {beside!r}", "surface_id")
            return found.server, found.place.pane
        socket, pane = caller
        if pane:
            return self._server(socket), pane
        ours = [each for each in self._live.values() if each.server is self._own]
        return (self._own, ours[-1].place.pane) if ours else None

    # --- servers -----------------------------------------------------------------------

    def _server(self, socket: str) -> Tmux:
        """Return the server at a socket: always the same object for the same one."""
        real = os.path.realpath(socket)
        for server in (self._own, *self._servers()):
            if server.socket == real:
                return server
        return Tmux(_checked(real), self._own.environment)

    def _servers(self) -> list[Tmux]:
        """Return our own server, if it is there, and the others in which panes live."""
        found = {self._own.socket: self._own} if self._own.is_there() else {}
        return list((found | {pane.server.socket: pane.server for pane in self._live.values()}).values())

    def _noted(self) -> list[str]:
        """Return the sockets, ours aside, at which panes were when a desk last wrote that down."""
        try:
            lines = self._others.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return []
        return [line for line in lines if _is_socket(line)]

    def _note(self) -> None:
        others = [server.socket for server in self._servers() if server is not self._own]
        if others != self._noted():
            self._others.write_text("".join(f"{socket}\n" for socket in others), "utf-8")

    # --- watching ----------------------------------------------------------------------

    def _adopt(self, surface_id: str, pane: Pane) -> None:
        self._live[surface_id] = pane
        self._ends.watch(surface_id, pane.place.pid)
        self._look_later()

    def _closed(self, surface_id: str) -> None:
        if self._live.pop(surface_id, None) is not None:
            self._ends.forget(surface_id)
            self._on_closed(surface_id)

    async def _look(self, servers: Iterable[Tmux]) -> PaneError | None:
        """Take notice of what came and went at these servers.

        Returns: what one of them that does not answer says; it hides no other.
        """
        servers, trouble = list(servers), None
        every = await asyncio.gather(*(server.tagged() for server in servers), return_exceptions=True)
        for server, listed in zip(servers, every, strict=True):
            if isinstance(listed, PaneError):
                log.warning("a tmux server is left out: %s", listed)
                trouble = listed
                continue
            if isinstance(listed, BaseException):
                raise listed
            known = {i: pane for i, pane in self._live.items() if pane.server is server}
            if listed is None:  # tmux ended, or its socket was removed under it: then they still run
                for surface_id, pane in known.items():
                    if not pane.is_open():
                        self._closed(surface_id)
                continue
            found = dict(filter(None, (self._ours(server, *row) for row in listed)))
            for surface_id in known.keys() - found.keys():
                self._closed(surface_id)
            fresh = [each for each in found if each not in self._live]
            for surface_id in sorted(fresh, key=lambda each: found[each].number):
                self._adopt(surface_id, found[surface_id])
        return trouble

    def _ours(self, server: Tmux, place: Place, tag: str) -> tuple[str, Pane] | None:
        surface_id, _, rest = tag.partition(" ")
        return (surface_id, Pane(server, place)) if rest == f"{place.pid} {self._desk}" else None

    def _look_later(self) -> None:
        if self._timer is None and self._live:
            self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look_now)

    def _look_now(self) -> None:
        self._timer = None
        self._looking = asyncio.get_running_loop().create_task(self._look_again())

    async def _look_again(self) -> None:
        async with self._lock:
            await self._look(self._servers())
        self._look_later()


def _is_socket(path: str) -> bool:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.getuid()


def _checked(socket: str) -> str:
    if not _is_socket(socket):
        raise BadRequest("tmux must name the socket of a tmux server of yours", "tmux")
    return socket
