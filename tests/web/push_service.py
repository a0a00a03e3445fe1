"""A push service on the loopback, and the browser behind it that can read what it is sent."""

from __future__ import annotations

import base64
import json
import queue
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece  # pyright: ignore[reportMissingTypeStubs]
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from msgspec import Struct

from sayso.web.push_wire import from_text, to_text
from sayso.wire.protocol import PushKeys, PushSubscription

WAIT_S = 20.0


class Received(Struct, frozen=True):
    """A message as its push service got it."""

    path: str
    headers: dict[str, str]
    body: bytes


class Browser:
    """One browser with a subscription, and its push service."""

    def __init__(self, port: int = 9) -> None:
        self.port = port
        self.status = 201
        self.received: queue.Queue[Received] = queue.Queue()
        self.release = threading.Event()
        self.release.set()
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = bytes(range(16))

    @property
    def subscription(self) -> PushSubscription:
        numbers = self._key.public_key().public_numbers()
        point = b"\4" + numbers.x.to_bytes(32) + numbers.y.to_bytes(32)
        keys = PushKeys(p256dh=to_text(point), auth=to_text(self._secret))
        return PushSubscription(endpoint=f"http://127.0.0.1:{self.port}/push/abc?x=1", keys=keys)

    def read(self, body: bytes) -> bytes:
        """Return what was encrypted for this browser."""
        read: Any = http_ece.decrypt(  # pyright: ignore[reportUnknownMemberType]
            body, private_key=self._key, auth_secret=self._secret, version="aes128gcm"
        )
        return bytes(read)

    def next(self) -> dict[str, Any]:
        """Return the next message that comes, as its service worker sees it."""
        message: dict[str, Any] = json.loads(self.read(self.received.get(timeout=WAIT_S).body))
        return message


def claims(authorization: str, endpoint: str) -> dict[str, Any]:
    """Check the signature of who sent a message, as a push service does; return what it says."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    raw = from_text(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_text(parts["k"]))
    key.verify(der, signed.encode(), ec.ECDSA(SHA256()))
    head, said = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert endpoint.startswith(said["aud"])
    return {**said, "k": parts["k"]}


@contextmanager
def served() -> Generator[Browser]:
    """A browser whose push service runs until the block ends."""
    browser = Browser()

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            browser.received.put(Received(self.path, headers, body))
            browser.release.wait(WAIT_S)
            self.send_response(browser.status)
            self.send_header("location", f"http://127.0.0.1:{browser.port}/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        browser.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield browser
        finally:
            browser.release.set()
            server.shutdown()
            thread.join(WAIT_S)
