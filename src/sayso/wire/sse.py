"""Server-sent events: changes to bytes, and bytes back to events.

Not here: sockets, timers, what a change means. Imports msgspec and `views`.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from sayso.wire import ask_user
from sayso.wire.views import Change

CONTENT_TYPE = "text/event-stream"
_BOM = b"\xef\xbb\xbf"


class Event(Struct, frozen=True, kw_only=True):
    """A parsed event. `id` is the last one the stream gave, as the standard has it."""

    type: str
    data: str
    id: str = ""


class Comment(Struct, frozen=True):
    """A parsed comment; browsers drop these."""

    text: str


def event_id(boot: str, seq: int) -> str:
    return f"{boot}-{seq}"


def seen_by(last_event_id: str, boot: str) -> str:
    """Return a client's Last-Event-ID if this run of the desk can resume there, else ""."""
    run, dash, seq = last_event_id.rpartition("-")
    fits = dash and run == boot and seq.isascii() and seq.isdigit() and len(seq) < 19
    return last_event_id if fits else ""


def encode(change: Change) -> bytes:
    """Return a change as an event: its type, its id and one line of JSON."""
    head = f"id: {event_id(change.boot, change.seq)}\nevent: {change.type}\ndata: "
    return head.encode() + msgspec.json.encode(change) + b"\n\n"


def encode_ask(change: Change) -> bytes:
    """Return the same change in the words of document 001 as an event without an id; or nothing."""
    event = ask_user.event_of(change)
    if event is None:
        return b""
    return f"event: {ask_user.EVENT}\ndata: ".encode() + msgspec.json.encode(event) + b"\n\n"


def comment(text: str) -> bytes:
    """Return a comment, which says "still here" to proxies and to nobody else."""
    return b"".join(b": %s\n" % line.encode() for line in text.splitlines() or [""]) + b"\n"


class Parser:
    """Turns a stream, in pieces of any size, into events and comments."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []  # of the line that has not ended yet
        self._after_cr = False
        self._first = True
        self._data: list[str] = []
        self._type = ""
        self.last_event_id = ""
        self.retry_ms: int | None = None

    def feed(self, chunk: bytes) -> list[Event | Comment]:
        """Return what this piece completes."""
        if not chunk:
            return []
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]  # the other half of a CRLF that was torn apart
            self._after_cr = False
        found: list[Event | Comment] = []
        for piece in chunk.splitlines(keepends=True):
            self._pieces.append(piece)
            self._after_cr = piece.endswith(b"\r")
            if piece.endswith((b"\n", b"\r")):
                found.extend(self._line(self._take_line()))
        return found

    def _take_line(self) -> str:
        line = b"".join(self._pieces).rstrip(b"\r\n")
        self._pieces.clear()
        if self._first:
            line = line.removeprefix(_BOM)
            self._first = False
        return line.decode(errors="replace")

    def _line(self, line: str) -> Iterator[Event | Comment]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            yield from self._dispatch()
        elif not name:
            yield Comment(value)
        else:
            self._field(name, value)

    def _field(self, name: str, value: str) -> None:
        match name:
            case "data":
                self._data.append(value)
            case "event":
                self._type = value
            case "id" if "\0" not in value:
                self.last_event_id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry_ms = int(value)
            case _:
                pass  # the standard: an unknown field is ignored

    def _dispatch(self) -> Iterator[Event]:
        data, kind = "\n".join(self._data), self._type
        had_data = bool(self._data)
        self._data, self._type = [], ""
        if had_data:
            yield Event(type=kind or "message", data=data, id=self.last_event_id)
