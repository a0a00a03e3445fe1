"""The methods with which agents are started in panes: their words, checked; what panes do is given.

Document 001 has the shapes; `cwd` and `tmux` beside them are ours, for a command line that
knows where it stands. Not here: tmux (`panes`), which the daemon does not see.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from sayso.daemon import processes
from sayso.daemon.pane_names import PaneNames
from sayso.daemon.runtime import Runtime
from sayso.errors import BadRequest, UnknownMethod
from sayso.wire.jsonrpc import convert

OK = "OK"
_DOWN = {"": False, "right": False, "horizontal": False, "down": True, "vertical": True}
_PANE = re.compile(r"%[0-9]{1,9}")


class Panes(Protocol):
    """Panes that programs run in; see `sayso.panes`."""

    async def start(self) -> None: ...

    async def end(self) -> None: ...

    def pids(self) -> Collection[int]: ...

    async def ids(self) -> list[str]: ...

    async def create(self, program: str, cwd: str) -> str: ...

    async def split(
        self, program: str, down: bool, beside: str, caller: tuple[str, str], cwd: str
    ) -> str: ...

    async def close(self, surface_id: str) -> bool: ...


MakePanes = Callable[[Callable[[str], None]], Panes]
"""Makes the panes of a desk; is given whom to tell of each that closed."""


class _Create(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cwd: str | None = None


class _Split(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    direction: str | None = None
    surface_id: str | None = None
    tmux: str | None = None
    cwd: str | None = None


class _Close(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent_id: str | None = None
    surface_id: str | None = None


class _Nothing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PaneMethods:
    """What a desk does with panes. `make` None: it has none. `names`: keeps what runs in them."""

    def __init__(self, runtime: Runtime, make: MakePanes | None, names: PaneNames | None = None) -> None:
        self._runtime = runtime
        self._panes = make(self._closed) if make is not None else None
        self._names = names or PaneNames(None, is_first=True)
        self._before: list[str] = []
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Find the panes of earlier desks, which takes as long as tmux does.

        Waits for that only where nobody knows what runs in them: those are agents from the first call on.
        """
        if self._panes is None:
            return
        known = self._names.read()
        self._before = known or []
        self._starting = asyncio.get_running_loop().create_task(self._start(self._panes))
        if known is None:
            await self._starting

    async def _start(self, panes: Panes) -> None:
        await panes.start()
        self._keep()

    def _keep(self) -> None:
        """Note what runs in panes, also in one whose tmux does not answer for now."""
        self._names.keep([*filter(_is_alive, self._before), *self._live()])

    async def end(self) -> None:
        if self._panes is None:
            return
        if self._starting is not None:
            await asyncio.wait([self._starting])
        self._keep()
        await self._panes.end()

    def processes(self) -> list[str]:
        """Return the names ("pid:start") of what runs in panes: agents, whatever they are called."""
        return list(dict.fromkeys((*self._live(), *self._before)))

    def _live(self) -> list[str]:
        found: list[str] = []
        for pid in self._panes.pids() if self._panes is not None else ():
            with suppress(OSError, ValueError):  # it has just ended
                found.append(processes.name_of(pid))
        return found

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        """Carry out one of METHODS. Raises the errors of `sayso.errors`."""
        if self._panes is None:
            raise UnknownMethod(f"{method}: this desk has no panes")
        result = await METHODS[method](self, self._panes, params)
        self._keep()
        return result

    def _closed(self, surface_id: str) -> None:
        self._runtime.desk.close_surface(surface_id, self._runtime.now())
        self._runtime.settle()

    # --- one each ----------------------------------------------------------------------

    async def create(self, panes: Panes, params: dict[str, Any]) -> str:
        wanted = convert(params, _Create)
        await panes.create(self._runtime.settings.pane_program, _folder(wanted.cwd))
        return OK

    async def split(self, panes: Panes, params: dict[str, Any]) -> str:
        wanted = convert(params, _Split)
        down = _DOWN.get(wanted.direction or "")
        if down is None:
            raise BadRequest("direction is right (or horizontal), or down (or vertical)", "direction")
        beside, caller, cwd = wanted.surface_id or "", _place(wanted.tmux or ""), _folder(wanted.cwd)
        await panes.split(self._runtime.settings.pane_program, down, beside, caller, cwd)
        return OK

    async def list(self, panes: Panes, params: dict[str, Any]) -> list[str]:
        convert(params, _Nothing)
        return await panes.ids()

    async def count(self, panes: Panes, params: dict[str, Any]) -> int:
        convert(params, _Nothing)
        return len(await panes.ids())

    async def close(self, panes: Panes, params: dict[str, Any]) -> str:
        wanted = convert(params, _Close)
        names = {name for name in (wanted.agent_id, wanted.surface_id) if name}
        if not names:
            raise BadRequest("agent_id or surface_id must name a pane", "agent_id")
        if len(names) > 1:
            raise BadRequest("agent_id and surface_id name different panes", "surface_id")
        name = names.pop()
        if not await panes.close(name):
            raise BadRequest(f"no pane has the id {name!r}", "agent_id" if wanted.agent_id else "surface_id")
        return OK


def _is_alive(name: str) -> bool:
    try:
        return processes.name_of(int(name.partition(":")[0])) == name
    except (OSError, ValueError):
        return False


def _folder(given: str | None) -> str:
    """Return the folder to start in, "" for the usual one."""
    if not given:
        return ""
    if "\0" in given or not given.startswith("/") or not Path(given).is_dir():
        raise BadRequest("cwd must be the whole path of a folder", "cwd")
    return given


def _place(given: str) -> tuple[str, str]:
    """Return (socket, pane) of a caller inside of tmux."""
    socket, _, pane = given.rpartition(",")
    if not given:
        return "", ""
    if "\0" in socket or not socket.startswith("/") or not _PANE.fullmatch(pane):
        raise BadRequest("tmux must be the socket of a tmux server, a comma and a pane of it", "tmux")
    return socket, pane


METHODS: dict[str, Callable[[PaneMethods, Panes, dict[str, Any]], Awaitable[Any]]] = {
    "agent.create": PaneMethods.create,
    "agent.create_split": PaneMethods.split,
    "agent.list": PaneMethods.list,
    "agent.count": PaneMethods.count,
    "agent.close": PaneMethods.close,
}
