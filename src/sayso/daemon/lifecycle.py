"""One desk per home: its lock, its socket, its start and its end.

Imports the rest of the daemon. Not here: the command line (`main`).
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import re
import signal
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from sayso.client.places import Places, check_private
from sayso.daemon import files, http_bind, http_guard, http_lan, http_server, processes
from sayso.daemon.access import Access
from sayso.daemon.agents import AgentProcesses
from sayso.daemon.asks import Asks
from sayso.daemon.bridge import Bridge
from sayso.daemon.chats import Chats
from sayso.daemon.control import Control
from sayso.daemon.devices import Devices
from sayso.daemon.flags import Flags
from sayso.daemon.hooks import Hooks
from sayso.daemon.http import make_app
from sayso.daemon.inside import Channels, MakeChannel
from sayso.daemon.inside_asks import InsideAsks, MakeIntake
from sayso.daemon.methods import Methods
from sayso.daemon.pages import Pages
from sayso.daemon.pair_methods import Addresses
from sayso.daemon.pane_methods import MakePanes, PaneMethods
from sayso.daemon.pane_names import PaneNames
from sayso.daemon.push import Pushes
from sayso.daemon.reports import Reports
from sayso.daemon.runtime import Runtime
from sayso.daemon.settings import Store
from sayso.daemon.webhooks import Webhooks
from sayso.errors import SaysoError
from sayso.mask import mask
from sayso.web import assets
from sayso.wire.ask_user import Note

log = logging.getLogger(__name__)

BACKLOG = 4096
"""Connections that may wait to be taken."""


ENDS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""Signals that end a desk in order."""


class CannotStart(SaysoError):
    """A desk cannot run here; says why and what to do."""

    code = "cannot_start"


class Options(Struct, frozen=True, kw_only=True):
    """`port` None: no HTTP. `lan`: where else it is. `agents_only`: the pids that are agents, of a
    private desk. `words`: the same as they were given on the command line. `panes` None: it has none.
    `channels`, `intakes`: what runs inside the desk. `push_loopback`: push services may be on this
    computer, of a private desk as well. `telegram_api`: the Bot API of such a one, on this computer."""

    port: int | None = http_bind.DEFAULT_PORT
    public_url: str = ""
    lan: http_lan.Wanted = http_lan.Wanted()
    agents_only: frozenset[int] = frozenset()
    words: tuple[str, ...] = ()
    panes: MakePanes | None = None
    push_loopback: bool = False
    telegram_api: str = ""
    channels: tuple[MakeChannel, ...] = ()
    intakes: tuple[MakeIntake, ...] = ()


def masked(text: str) -> tuple[str, tuple[int, ...]]:
    found = mask(text)
    return found.text, found.hidden


def take_lock(places: Places) -> int:
    """Return the descriptor of the home's lock. Raises CannotStart when a desk has it."""
    for folder in (places.run, places.state, places.socket.parent):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise CannotStart(f"the folder {folder} cannot be made: {error.strerror}") from None
        trouble = check_private(folder)
        if trouble:
            raise CannotStart(f"sayso will not use its folder: {trouble}")
    descriptor = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise CannotStart(f"a desk runs here already (process {holder or '?'})") from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def listen(path: Path) -> socket.socket:
    """Return the listening control socket. Raises CannotStart when somebody listens there."""
    _clear(path)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise CannotStart(f"the socket {path} cannot be made: {error.strerror}") from None
    finally:
        os.umask(before)
    listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener


def _clear(path: Path) -> None:
    """Remove a stale socket: its desk is gone, and we hold the lock. Nothing else is touched."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise CannotStart(f"{path} is in the way, and is no socket: move it")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return
        except OSError:
            pass  # it is busy, but it is there
    raise CannotStart(f"something else listens at {path}: end it first")


class Daemon:
    """A running desk with its ways in."""

    def __init__(self, places: Places, options: Options) -> None:
        self.places = places
        self.options = options
        self._ended = asyncio.Event()
        self._restarts = False
        self._lan: http_lan.LanServer | None = None
        pane_names = PaneNames(places.state / "panes", is_first=not places.database.exists())
        self._store = Store(str(places.database))
        self._devices = Devices(str(places.database))
        settings = self._store.load()
        self.runtime = Runtime(settings, self._store.save, Flags(places.flags))
        self._agents = AgentProcesses(self._agent_ended, options.agents_only)
        self.methods = Methods(self.runtime, self._devices, self.stop, self._troubles)
        self.methods.options = options.words
        self.methods.panes = PaneMethods(self.runtime, options.panes, pane_names)
        self._pushes = Pushes(
            self._devices, str(places.database), str(places.state / "push.key"), options.push_loopback
        )
        self.methods.pushes = self._pushes
        self.methods.chats = self._chats = self._make_chats()
        self._webhooks = Webhooks(str(places.database), str(places.state / "webhooks.key"))
        self.methods.webhooks = self._webhooks
        inside = InsideAsks(self.runtime, self._agents, masked)
        intakes = [make(inside) for make in options.intakes]
        self._channels = Channels(
            self.runtime, options.channels, self.methods, self._pushes, intakes, self._chats
        )
        hooks = Hooks(self.runtime, self._agents, masked)
        self._access = Access(self._agent_names, options.agents_only)
        self._asks = Asks(self.runtime, self._whence, processes.folder_of, masked)
        self._control = Control(self.runtime, hooks, self._asks, self.methods, self._access)

    def _make_chats(self) -> Chats:
        def note(title: str, body: str) -> None:
            said = Note(title=masked(title)[0], body=masked(body)[0], label="Telegram")
            self.runtime.note(said, "sayso")

        return Chats(
            self._devices,
            str(self.places.database),
            str(self.places.state),
            self.options.telegram_api,
            keyring=not self.places.private,
            note=note,
        )

    def _troubles(self) -> list[str]:
        lan = self._lan.troubles() if self._lan is not None else []
        kept = [*self._store.troubles, *self._devices.troubles, *self._webhooks.troubles()]
        return [*kept, *lan, *self._channels.troubles()]

    def _agent_names(self) -> list[str]:
        return [*self._agents.names(), *self.methods.panes.processes()]

    def _agent_ended(self, process: str) -> None:
        self.runtime.desk.process_gone(process, self.runtime.now())
        self.runtime.settle()

    def _whence(self, pid: int) -> tuple[str, str]:
        """Return the agent's process that a caller runs in, if the kernel confirms one, and its name."""
        process = self._agents.above(pid)
        return process, self.runtime.desk.agent_of(process) or self._access.agent_above(pid)

    def stop(self, restart: bool) -> None:
        """End soon. A restart ends without a word, so that hooks wait for the next desk."""
        self._restarts = restart
        self._ended.set()

    async def run(self, listener: socket.socket, on_ready: Callable[[], None]) -> None:
        """Serve until told to stop."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(Reports())
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop, False)
        loop.add_signal_handler(signal.SIGHUP, self.stop, True)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
        await self.methods.panes.start()  # first: what runs in them counts as agents, and is known at once
        server = await loop.create_unix_server(
            self._control.connect, sock=listener, backlog=files.ACCEPTED_AT_ONCE
        )
        listener.listen(BACKLOG)  # anew, since asyncio has done so with the other number
        http_stop = asyncio.Event()
        http = self._start_http(http_stop)
        for trouble in self._troubles():
            log.warning("%s", trouble)
        self._channels.start()
        self.runtime.silence.begin()
        on_ready()
        try:
            await self._ended.wait()
        finally:
            server.close()
            self.places.socket.unlink(missing_ok=True)
            if not self._restarts:
                self.runtime.release_all()
            self._asks.end()
            self.runtime.drop_messages()
            await asyncio.sleep(0)  # streams tell of the last changes before they end
            http_stop.set()  # before the feeds close, so that streams say bye
            if http is not None:
                await http
            await self._channels.end()
            await self.methods.panes.end()
            self.runtime.end()
            self._control.close()
            self._agents.close()
            for kept in (self._store, self._pushes, self._chats, self._webhooks, self._devices):
                kept.close()

    def _start_http(self, stop: asyncio.Event) -> asyncio.Future[Any] | None:
        port = self.options.port
        if port is None:
            return None
        sockets = http_bind.bind(port)
        if isinstance(sockets, http_bind.HeldBy):
            self.methods.http = f"off: {sockets.text}"
            log.warning("HTTP is off: %s", sockets.text)
            return None
        bound = http_bind.port_of(sockets)
        self.methods.http = f"http://127.0.0.1:{bound}"
        lan = http_lan.checked(self.options.lan)
        self._lan = http_lan.LanServer(lan, bound) if lan is not None else None
        lan_url = self._lan.url if self._lan is not None else ""
        public_url = self.options.public_url.rstrip("/")
        self.methods.pairs.addresses = Addresses(self.methods.http, public_url or lan_url)
        access = http_guard.access(bound, public_url, lan_url)
        bridge = Bridge(self.runtime, masked)
        app = make_app(self.methods, self._devices, access, pages=(Pages(assets()),), bridge=bridge)
        servers = [http_server.serve(app, sockets, stop)]
        servers += [self._lan.serve(app, stop)] if self._lan is not None else []
        return asyncio.gather(*servers)


def up(places: Places, options: Options, on_ready: Callable[[], None] = lambda: None) -> None:
    """Run a desk in the foreground until it is told to stop.

    Raises:
        CannotStart, BadRequest: with words.
    """
    if options.agents_only and not places.private:
        raise CannotStart("--agents-only is for private desks: set SAYSO_HOME")
    if options.push_loopback and not places.private:
        raise CannotStart("--push-loopback is for private desks: set SAYSO_HOME")
    if options.telegram_api and not (places.private and _is_here(options.telegram_api)):
        raise CannotStart("--telegram-api is for private desks (set SAYSO_HOME), and of this computer")
    http_lan.checked(options.lan)
    http_guard.access(0, options.public_url)
    lock = take_lock(places)
    files.allow_many()
    # From here on something would be left behind: who ends us now waits until we can tidy up.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        listener = listen(places.socket)
        asyncio.run(_up(places, options, listener, on_ready))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        with suppress(OSError):
            os.close(lock)


def _is_here(url: str) -> bool:
    """Whether an address is of this computer: a bot's token goes there."""
    return re.fullmatch(r"http://127\.0\.0\.1:[0-9]{1,5}", url) is not None


async def _up(
    places: Places, options: Options, listener: socket.socket, on_ready: Callable[[], None]
) -> None:
    await Daemon(places, options).run(listener, on_ready)
