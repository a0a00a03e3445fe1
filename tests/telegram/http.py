"""HTTP of the Bot API: how parameters come, how answers go. Not here: what a method does (`bot_api`).

Source: Telegram Bot API documentation, Making requests, Sending files.
"""

from __future__ import annotations

import email
import email.policy
import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.telegram.limits import Refusal

WAIT_S = 20.0
Params = dict[str, Any]
Serve = Callable[[str, str, Params], Any]
"""token, method, parameters: the result. Raises: Refusal, or Dropped."""


class Dropped(Exception):
    """The connection ends without an answer."""


class File(bytes):
    """The content of a file that came with a call."""

    name: str = ""


def params_of(path: str, kind: str, body: bytes) -> Params:
    """Return the parameters of a call, whichever of the four ways they came."""
    found: Params = dict(parse_qsl(urlsplit(path).query))
    if kind.startswith("application/json"):
        found.update(json.loads(body))
    elif kind.startswith("application/x-www-form-urlencoded"):
        found.update({name: _loose(value) for name, value in parse_qsl(body.decode())})
    elif kind.startswith("multipart/form-data"):
        found.update(_parts(kind, body))
    return found


def _parts(kind: str, body: bytes) -> Params:
    raw = b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body
    found: Params = {}
    for part in email.message_from_bytes(raw, policy=email.policy.HTTP).iter_parts():
        name = str(part.get_param("name", header="content-disposition"))
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        filename = part.get_filename()
        if filename is None:
            found[name] = _loose(content.decode())
        else:
            file = File(content)
            file.name = filename
            found[name] = file
    return found


def _loose(text: str) -> Any:
    """Return a value that came as text: objects and lists are JSON then."""
    if text[:1] in ("{", "["):
        return json.loads(text)
    return text


@contextmanager
def serving(serve: Serve, port: int = 0) -> Generator[int]:
    """Serve on a port of the loopback until the block ends; gives the port."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(serve))
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(WAIT_S)


def _handler(serve: Serve) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            first, _, method = unquote(urlsplit(self.path).path).lstrip("/").partition("/")
            try:
                token = first.removeprefix("bot")
                params = params_of(self.path, self.headers.get("content-type", ""), body)
                self._say(200, {"ok": True, "result": serve(token, method, params)})
            except Refusal as refusal:
                self._say(refusal.code, refusal.body())
            except (Dropped, OSError):
                self.close_connection = True

        do_GET = do_POST

        def _say(self, status: int, what: Params) -> None:
            content = json.dumps(what).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:  # whoever asked has left
                self.close_connection = True

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            pass

    return Handler
