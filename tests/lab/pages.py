"""A few web pages over TLS on 127.0.0.1, for tools that fetch one.

Claude Code fetches nothing in the clear: it turns http into https. The certificate
is made by openssl for each server, and `certificate` is what the agent is told to
trust (NODE_EXTRA_CA_CERTS). Not a model server. May import the standard library only.
"""

from __future__ import annotations

import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path


class PageHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        page = f"<html><body><h1>Page {self.path.rpartition('/')[2]}</h1></body></html>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Stay silent."""


class Pages(ThreadingHTTPServer):
    """The server; use it as a context manager. Any path is a page."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.port: int = self.server_address[1]
        self.certificate = folder / "pages.pem"
        key = folder / "pages.key"
        make_certificate(self.certificate, key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join(5)
        self.server_close()


def make_certificate(certificate: Path, key: Path) -> None:
    """Have openssl make a certificate for 127.0.0.1 that is its own authority."""
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True, timeout=30)
