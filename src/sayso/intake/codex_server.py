"""The client of Codex's app servers, one for each home: attached while the setting `codex_server` is on.

The terminal is a client of the same server, and first answer wins. Off means that no socket is touched.
Without us everything in the terminal is as it was. Not here: bytes (`codex_link`), and what is said
(`codex_conversation`).
Imports asyncio, `core`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from sayso.agents.codex import NAME
from sayso.core.types import Settings
from sayso.intake.codex_conversation import Conversation
from sayso.intake.codex_desk import Desk, Waiting
from sayso.intake.codex_link import Link, Lost

Dict = dict[str, object]

SOCKET = "app-server-control/app-server-control.sock"
FIRST_RETRY_S, LOOK_S = 0.1, 1.0
"""How soon to connect again, and how often to look for a server that is not there."""
STEADY_S = 5.0
"""A connection that lasted this long is followed by the next at once."""


def homes(settings: Settings, env: Mapping[str, str]) -> list[Path]:
    """Return the homes of Codex, each once, whatever links lead there."""
    named = [env.get("CODEX_HOME", ""), "~/.codex", *settings.codex_homes.split(":")]
    found = [Path(os.path.realpath(Path(one).expanduser())) for one in named if one]
    return list(dict.fromkeys(found))


class Home:
    """One home: its server, if one runs, and what is said there."""

    def __init__(self, desk: Desk, path: Path) -> None:
        self._desk = desk
        self._socket = path / SOCKET
        self._absence = ""
        self._talk: Conversation | None = None

    @property
    def trouble(self) -> str:
        trouble = self._absence or (self._talk.trouble if self._talk is not None else "")
        return f"{self._socket}: {trouble}" if trouble else ""

    async def run(self) -> None:
        """Attach, and again whenever the server is back; until cancelled."""
        loop = asyncio.get_running_loop()
        delay_s = FIRST_RETRY_S
        while True:
            began_s = loop.time()
            try:
                link = await Link.open(self._socket, self._hear, self._desk.peer)
            except Lost as reason:
                self._absence = "" if reason.is_absent else str(reason)
            else:
                self._absence = ""
                await self._stay(link)
            if loop.time() - began_s > STEADY_S:
                delay_s = FIRST_RETRY_S
            # Where nothing runs, all homes are looked at in the same moment: one wake-up, not several.
            await asyncio.sleep(delay_s if delay_s < LOOK_S else LOOK_S - loop.time() % LOOK_S)
            delay_s = min(delay_s * 2, LOOK_S)

    async def _stay(self, link: Link) -> None:
        self._talk = Conversation(self._desk, link)
        self._talk.begin()
        try:
            await link.wait_ended()
        finally:
            link.close()
        self._absence = self._talk.trouble
        self.leave("cut_off")

    def leave(self, word: str) -> None:
        """Give back what waits, and forget the threads; `word` is one of `core.requests.LAST_WORDS`."""
        if self._talk is not None:
            self._talk.leave(word)
        self._talk = None

    def queued(self, session_id: str, number: int) -> None:
        if self._talk is not None:
            self._talk.queued(session_id, number)

    def _hear(self, method: str, request_id: object, params: Dict) -> None:
        if self._talk is not None:
            self._talk.hear(method, request_id, params)


class CodexServer:
    """All homes, as the settings want them."""

    def __init__(self, desk: Desk, env: Mapping[str, str]) -> None:
        self._desk = desk
        self._env = env
        self._homes: dict[Path, Home] = {}
        self._tasks: dict[Path, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Follow the desk: its settings, and the messages that are queued; until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._adjust(group)
            async for change in self._desk.listen():
                if change.type in ("settings", "snapshot"):
                    self._adjust(group)
                if change.message is not None:
                    self._queued(change.message)
                for message in change.snapshot.messages if change.snapshot is not None else ():
                    self._queued(message)  # it stands for changes that were not read in time
            for task in self._tasks.values():
                task.cancel()

    def troubles(self) -> list[str]:
        return [home.trouble for home in self._homes.values() if home.trouble]

    def _queued(self, message: Waiting) -> None:
        if message.agent == NAME:
            for home in self._homes.values():
                home.queued(message.session_id, message.number)

    def _adjust(self, group: asyncio.TaskGroup) -> None:
        settings = self._desk.settings
        wanted = homes(settings, self._env) if settings.codex_server else []
        for path in [path for path in self._homes if path not in wanted]:
            self._tasks.pop(path).cancel()
            self._homes.pop(path).leave("setting_off")
        for path in [path for path in wanted if path not in self._homes]:
            home = self._homes[path] = Home(self._desk, path)
            self._tasks[path] = group.create_task(home.run())
