"""The server of somebody else on this machine, as an agent may start one, and the pages it serves.

Every request to it is noted. Not here: what its pages try. Imports the standard library.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import NamedTuple, Self

from tests.browser.chromium import STRANGER

PAGE = b"<!doctype html><html lang=en><title>stranger</title><body><h1>A stranger's page</h1></body></html>"


class Visit(NamedTuple):
    """One request. `headers`: their names in lower case."""

    path: str
    headers: dict[str, str]


class Stranger:
    """Serves its page under any path, as a context."""

    def __enter__(self) -> Self:
        self.visits: list[Visit] = []
        visits = self.visits

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                named = {name.lower(): value for name, value in self.headers.items()}
                visits.append(Visit(self.path, named))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(PAGE)))
                self.end_headers()
                self.wfile.write(PAGE)

            def log_request(self, code: object = "-", size: object = "-") -> None:
                """It keeps its own list."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def origins(self) -> dict[str, str]:
        """Its origins, by what they share with the desk's page."""
        names = {"same address": "127.0.0.1", "same machine": "localhost", "nothing": STRANGER}
        return {what: f"http://{name}:{self.port}" for what, name in names.items()}
