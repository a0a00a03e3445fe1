"""Requests as bytes: well and badly framed, of every route of the table, and answers read back.

Not here: whom they are sent to.
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from typing import NamedTuple

from hypothesis import strategies as st

from sayso.daemon.http_routes import ROUTES

Lines = list[tuple[bytes, bytes]]

METHODS = sorted({route.method for route in ROUTES})
OTHER_METHODS = ["HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PRI", "get", "BREW", "", "G\0T", "M-SEARCH"]
NASTY_TEXT = st.sampled_from(
    [
        "",
        "0",
        "-1",
        "1e999",
        "9" * 400,
        "%00",
        "%ff%fe",
        "..%2f..",
        "%",
        "%zz",
        "a" * 3000,
        "%F0%9F%98%80",
        "~",
    ]
) | st.text("abc09-_./%&=?+", max_size=12)
QUERIES = st.sampled_from(
    ["", "", "?", "?id=x&timeoutMs=NaN", "?timeoutMs=1e999", "?%ff=%00", "?" + "&a" * 900]
)
MISSING = ["/", "*", "//", "/api", "/api/agent-requests/", "/../../etc/passwd", "http://evil.test/api/health"]


def _filled(path: str, words: list[str]) -> str:
    fill = iter(words)
    return re.sub(r"{[^}]+}", lambda _hole: next(fill), path)


ID = "0" * 32
PLAIN = {"{n}": "0", "{agent}": "claude-code"}


def plain_target(path: str) -> str:
    """Return a path of the table, with an id that nothing has."""
    return re.sub(r"{[^}]+}", lambda hole: PLAIN.get(hole[0], ID), path)


def targets(path: str) -> st.SearchStrategy[str]:
    """Return what may stand in place of a path of the table: nasty words and queries, other paths."""
    words = st.lists(NASTY_TEXT, min_size=2, max_size=2)
    own = st.builds(lambda words, query: _filled(path, words) + query, words, QUERIES)
    return own | st.sampled_from(MISSING)


DEEP = 20_000
BODIES = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b"{",
    b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    b'{"payload":' + b"[" * DEEP + b"]" * DEEP + b"}",
    b'{"payload":' + b"[" * 500 + b"]" * 500 + b',"session":"s","type":"input"}',
    b'{"text": "\xff\xfe"}',
    b'{"text": "\\ud800"}',
    b'{"row": ' + b"9" * 5000 + b"}",
    b'{"timeoutMs": 1e999, "session": "s", "type": "permission", "payload": {}}',
    b'{"timeoutMs": -1e308, "session": "\\u0000", "type": "question", "payload": {"questions": 7}}',
    b'{"behavior": "allow", "content": {"a": 1e400}}',
    b'{"present": true, "open": [' + b'"x",' * 9000 + b'"x"]}',
    b"x" * 100_000,
    b'"' + b"y" * (1024 * 1024) + b'"',
    b'{"text": "' + b"z" * (1024 * 1024) + b'"}',
    b"\xef\xbb\xbf{}",
    b"\0" * 50,
    b"a=1&b=2",
]


class Framing(NamedTuple):
    """How a body is sent. `is_whole`: the server can tell where the request ends."""

    lines: Lines
    body: bytes
    is_whole: bool


def _length(value: bytes) -> Lines:
    return [(b"Content-Length", value)]


def _chunked(body: bytes, size: int = 1000, extension: bytes = b"") -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in pieces)


CHUNKED: Lines = [(b"Transfer-Encoding", b"chunked")]


def framings(body: bytes) -> list[Framing]:
    """Return every way to send a body, the honest ones first."""
    size = len(body)
    return [
        Framing(_length(b"%d" % size), body, True),
        Framing(CHUNKED, _chunked(body) + b"0\r\n\r\n", True),
        Framing(CHUNKED, _chunked(body, 37, b";a=b") + b"0\r\nX-Trailer: 1\r\n\r\n", True),
        Framing([*_length(b"%d" % size), (b"Expect", b"100-continue")], body, True),
        Framing(_length(b"%d" % (size + 1000)), body, False),
        Framing(_length(b"%d" % max(size - 5, 0)), body, False),
        Framing(_length(b"9" * 30), body, False),
        Framing(_length(b"-1"), body, False),
        Framing(_length(b"0x10"), body, False),
        Framing([*_length(b"%d" % size), *_length(b"%d" % (size + 1))], body, False),
        Framing([*CHUNKED, *_length(b"%d" % size)], body, False),
        Framing(CHUNKED, b"zz\r\n" + body, False),
        Framing(CHUNKED, b"f" * 20 + b"\r\n" + body, False),
        Framing(CHUNKED, _chunked(body), False),
        Framing(CHUNKED, _chunked(body) + b"0\r\n" + b"X-Trailer: 1\r\n" * 9000, False),
        Framing(CHUNKED, b"5;" + b"x" * 100_000, False),
        Framing([(b"Transfer-Encoding", b"gzip, chunked")], _chunked(body) + b"0\r\n\r\n", False),
        Framing([], body, False),
    ]


HONEST = 4
"""How many of `framings` say the truth."""
MORE_LINES: list[Lines] = [
    [(b"Origin", b"https://evil.test")],
    [(b"Origin", b"null")],
    [(b"Sec-Fetch-Site", b"cross-site")],
    [(b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"), (b"Sec-WebSocket-Key", b"x" * 24)],
    [(b"Upgrade", b"h2c"), (b"Connection", b"Upgrade, HTTP2-Settings")],
    [(b"Content-Encoding", b"gzip")],
    [(b"Cookie", b"a=b; " * 200)],
    [(b"X-%d" % number, b"v") for number in range(900)],
    [(b"X-Latin", b"\xff\xe9")],
    [(b"Last-Event-ID", b"\xff-99999999999999999999")],
    [(b"Bad name", b"v")],
    [(b"X-Folded", b"a\r\n b")],
    [(b"Accept", b"*/*" * 5000)],
    [(b"x-aimux-session-id", b"\xfe" * 300)],
    [(b"Expect", b"the-unexpected")],
]
TYPES = [b"application/json; charset=utf-16", b"text/plain", b"", b"\xff"]


NAME = b"Authorization"


def credentials(good: bytes, asker: bytes) -> list[Lines]:
    """Return what is not the one header that would do everywhere."""
    return [
        [(NAME, b"bearer  " + asker)],
        [],
        [(NAME, b"Bearer")],
        [(NAME, b"Bearer \xff\xfe")],
        [(NAME, b"Basic !!!!")],
        [(NAME, b"Basic " + b"QQ" * 20_000)],
        [(NAME, b"Bearer " + good), (NAME, b"Bearer " + good)],
    ]


def head(method: str, target: str, version: str, lines: Lines) -> bytes:
    first = f"{method} {target} HTTP/{version}\r\n".encode("utf-8", "surrogateescape")
    return first + b"".join(name + b": " + value + b"\r\n" for name, value in lines) + b"\r\n"


# --- answers -----------------------------------------------------------------------------


class Answer(NamedTuple):
    status: int
    lines: dict[str, str]
    body: bytes
    is_whole: bool


def answers(data: bytes, method: str = "GET") -> list[Answer]:
    """Return the answers that these bytes are, the last one perhaps in part. Fails on anything else."""
    found: list[Answer] = []
    while data:
        start, _, rest = data.partition(b"\r\n\r\n")
        first, *lines = start.decode("latin-1").split("\r\n")
        matched = re.fullmatch(r"HTTP/1\.1 (\d{3}) ?[\w -]*", first)
        assert matched, start[:200]
        status = int(matched[1])
        named = dict(line.lower().split(": ", 1) for line in lines if line)
        if status == 100:
            data = rest
            continue
        body, data, is_whole = _body(named, rest, method == "HEAD" and not rest.startswith(b"{"))
        found.append(Answer(status, named, body, is_whole))
    return found


def _body(lines: dict[str, str], rest: bytes, is_bare: bool) -> tuple[bytes, bytes, bool]:
    if is_bare:
        return b"", rest, True
    if lines.get("transfer-encoding") != "chunked":
        size = int(lines["content-length"])
        return rest[:size], rest[size:], len(rest) >= size
    body = b""
    while rest:
        line, _, rest = rest.partition(b"\r\n")
        size = int(line, 16)
        body, rest = body + rest[:size], rest[size + 2 :]
        if not size:
            return body, rest, True
    return body, b"", False


def exchange(port: int, data: bytes, quiet_s: float, bound_s: float) -> bytes:
    """Send bytes, hang up once nothing comes for a while, and return everything that came.

    Raises: TimeoutError, when the server does not end the connection within the bound after that.
    """
    came = bytearray()
    with socket.create_connection(("127.0.0.1", port), bound_s) as wire:
        try:
            wire.sendall(data)
            wire.settimeout(quiet_s)
            _read(wire, came)
        except TimeoutError:
            wire.settimeout(bound_s)
            with suppress(BrokenPipeError, ConnectionResetError):
                wire.shutdown(socket.SHUT_WR)
                _read(wire, came)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it had heard enough
    return bytes(came)


def _read(wire: socket.socket, came: bytearray) -> None:
    while piece := wire.recv(1 << 16):
        came += piece
