"""A receiver of webhooks on the loopback, which answers as the test says and checks signatures itself."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import queue
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

WAIT_S = 20.0


class Got(NamedTuple):
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        event: dict[str, Any] = json.loads(self.body)
        return event


class Receiver:
    """What came, and what is answered: `answers` first, then `status`."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.status = 204
        self.answers: queue.SimpleQueue[tuple[int, dict[str, str]]] = queue.SimpleQueue()
        self.got: queue.Queue[Got] = queue.Queue()
        self.release = threading.Event()
        self.release.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def answer(self, *statuses: int, **headers: str) -> None:
        for status in statuses:
            self.answers.put((status, headers))

    def next(self) -> Got:
        return self.got.get(timeout=WAIT_S)

    def event(self) -> dict[str, Any]:
        return self.next().event


def is_signed(got: Got, secret: str) -> bool:
    """Check a signature as the specification says, with nothing of ours."""
    assert secret.startswith("whsec_")
    key = base64.b64decode(secret[6:], validate=True)
    content = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    expected = base64.b64encode(hmac.digest(key, content, hashlib.sha256))
    return any(
        version == "v1" and hmac.compare_digest(value.encode(), expected)
        for version, _, value in (one.partition(",") for one in got.headers["webhook-signature"].split(" "))
    )


@contextmanager
def receiving() -> Generator[Receiver]:
    """Run a receiver."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            got = Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            status, headers = receiver.status, dict[str, str]()
            if not receiver.answers.empty():
                status, headers = receiver.answers.get()
            receiver.got.put(got)
            receiver.release.wait(WAIT_S)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("content-length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(server.server_port)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.release.set()
        server.shutdown()
        thread.join()
        server.server_close()
