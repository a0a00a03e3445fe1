"""The HTTP server: uvicorn, told to leave signals, logs and time alone.

It serves sockets that were bound before, wakes up for nothing while nothing happens,
and ends within a moment: streams say bye, requests under way are answered 503, and who
does not take that in time is cut off. Imports starlette, uvicorn.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from socket import socket
from ssl import SSLContext

from starlette.applications import Starlette
from uvicorn import Config, Server

from sayso.daemon import files
from sayso.daemon.http_bind import BACKLOG
from sayso.daemon.http_connection import Connection
from sayso.daemon.http_hold import Ends

GRACE_S = 1.0
"""How long connections may take to end once the server stops."""
_IDLE_S = 65
"""How long a connection without a request is kept."""
_LOG = "uvicorn.error"


async def serve(
    app: Starlette,
    sockets: list[socket],
    stop: asyncio.Event | None = None,
    tls: SSLContext | None = None,
) -> None:
    """Serve an application of `http.make_app` until `stop` is set or this is cancelled.

    Both end it the same way, within GRACE_S; the sockets are closed then.
    """
    config = _config(app)
    config.load()
    config.ssl = tls  # made before, so that what is wrong with it was said in words
    server = _Server(config, app.state.ends)
    running = asyncio.ensure_future(server.run_on(sockets))
    told = asyncio.ensure_future((stop or asyncio.Event()).wait())
    with _nothing_of_content_in_the_log():
        try:
            await asyncio.wait({running, told}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            told.cancel()
            server.stopping.set()
            await running


def _config(app: Starlette) -> Config:
    return Config(
        app,
        http=Connection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,  # the application's own: uvicorn would wake up for it
        workers=1,
        backlog=files.ACCEPTED_AT_ONCE,
        timeout_keep_alive=_IDLE_S,
    )


class _Server(Server):
    """uvicorn's server without its signals and its ten looks a second at the clock."""

    def __init__(self, config: Config, ends: Ends) -> None:
        super().__init__(config)
        self._ends = ends
        self.stopping = asyncio.Event()

    async def run_on(self, sockets: list[socket]) -> None:
        await self.serve(sockets)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        for sock in sockets or []:
            sock.listen(BACKLOG)  # anew, since asyncio has done so with what it takes in at once

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def main_loop(self) -> None:
        await self.stopping.wait()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for sock in sockets or []:
            sock.close()
        self._ends.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self._tasks(GRACE_S)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await self._tasks(GRACE_S)

    async def _tasks(self, patience_s: float) -> None:
        if self.server_state.tasks:
            await asyncio.wait(set(self.server_state.tasks), timeout=patience_s)


# --- the log ---------------------------------------------------------------------------


@contextmanager
def _nothing_of_content_in_the_log() -> Generator[None]:
    log, quiet = logging.getLogger(_LOG), _WithoutContent()
    log.addFilter(quiet)
    try:
        yield
    finally:
        log.removeFilter(quiet)


class _WithoutContent(logging.Filter):
    """Turns an error's report into where it happened: its text may quote a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            places = traceback.extract_tb(error.__traceback__)
            trail = " < ".join(f"{place.filename}:{place.lineno} {place.name}" for place in reversed(places))
            record.msg, record.args = "a mistake of the desk: %s at %s", (type(error).__name__, trail)
            record.exc_info = None
        return True
