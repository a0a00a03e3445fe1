"""The client's side of a WebSocket (RFC 6455) without a socket: bytes in, messages out.

Text messages, pings, pongs and the close: what programs say to each other over a local socket. No
extensions, no subprotocols, no binary messages. Not here: reading and writing, and chance: whoever sends
a frame brings its mask. Imports the standard library's hashes alone.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from enum import IntEnum
from hashlib import sha1
from typing import NamedTuple

MAX_HEAD_BYTES = 16 * 1024
"""Of the answer to the handshake."""
MAX_MESSAGE_BYTES = 32 * 1024 * 1024
"""Of one message, all its fragments together."""
MAX_CONTROL_BYTES = 125
KEY_BYTES = 16
"""Of chance, for the key of a handshake."""
MASK_BYTES = 4
"""Of chance, for the mask of a frame."""
_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_END_OF_HEAD = b"\r\n\r\n"
_FINAL, _RESERVED, _MASKED = 0x80, 0x70, 0x80


class Opcode(IntEnum):
    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


class BadPeer(ValueError):
    """The other side does not keep to the protocol, or said more than is taken; says what."""


class Message(NamedTuple):
    """A whole message of the other side: TEXT, PING, PONG or CLOSE."""

    opcode: Opcode
    payload: bytes


# --- what is sent ------------------------------------------------------------------------------


def handshake(key: bytes) -> bytes:
    """Return the request that begins a connection; `key` is KEY_BYTES of chance."""
    lines = (
        "GET / HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {b64encode(key).decode()}",
    )
    return "\r\n".join((*lines, "", "")).encode()


def frame(opcode: Opcode, payload: bytes, mask: bytes) -> bytes:
    """Return one whole message as a masked frame, as a client sends them."""
    size = len(payload)
    if size < 126:
        head = bytes((_FINAL | opcode, _MASKED | size))
    elif size < 1 << 16:
        head = bytes((_FINAL | opcode, _MASKED | 126)) + size.to_bytes(2)
    else:
        head = bytes((_FINAL | opcode, _MASKED | 127)) + size.to_bytes(8)
    return head + mask + masked(payload, mask)


def masked(payload: bytes, mask: bytes) -> bytes:
    """Return a payload under a mask; twice is as it was."""
    size = len(payload)
    pattern = (mask * (size // MASK_BYTES + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(pattern)).to_bytes(size)


# --- what is read ------------------------------------------------------------------------------


class Reader:
    """Takes in what the other side sends, in whatever pieces, from the answer to the handshake on.

    After it raised BadPeer it is of no use: the connection has to be ended.
    """

    def __init__(self, key: bytes, most_bytes: int = MAX_MESSAGE_BYTES) -> None:
        self.is_open = False
        """Whether the handshake was answered."""
        self._expected = b64encode(sha1(b64encode(key) + _MAGIC, usedforsecurity=False).digest())
        self._most_bytes = most_bytes
        self._data = bytearray()
        self._begun: bytearray | None = None
        """What came of a message that has not ended: one buffer, however many pieces it comes in."""

    def feed(self, data: bytes) -> Iterator[Message]:
        """Take in more bytes; yield the messages that are whole now. Raises BadPeer."""
        self._data += data
        if not self.is_open and not self._read_head():
            return
        while (found := self._next_frame()) is not None:
            final, opcode, payload = found
            take = self._control if opcode >= Opcode.CLOSE else self._piece
            message = take(final, opcode, payload)
            if message is not None:
                yield message

    def _read_head(self) -> bool:
        head, end, rest = bytes(self._data).partition(_END_OF_HEAD)
        if len(head) > MAX_HEAD_BYTES:
            raise BadPeer("the answer to the handshake does not end")
        if not end:
            return False
        status, *lines = head.split(b"\r\n")
        if status.split(b" ")[:2] != [b"HTTP/1.1", b"101"]:
            raise BadPeer("it does not speak WebSocket")
        fields = dict(_field(line) for line in lines)
        if fields.get(b"sec-websocket-accept") != self._expected:
            raise BadPeer("it answered another handshake than ours")
        if b"sec-websocket-extensions" in fields or b"sec-websocket-protocol" in fields:
            raise BadPeer("it wants an extension that was not offered")
        self._data = bytearray(rest)
        self.is_open = True
        return True

    def _next_frame(self) -> tuple[bool, Opcode, bytes] | None:
        """Return the next whole frame: whether it is a message's last, its opcode, its payload."""
        data = self._data
        if len(data) < 2:
            return None
        if data[0] & _RESERVED or data[1] & _MASKED:
            raise BadPeer("a frame uses an extension, or is masked")
        size, start = data[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(data) < start:
                return None
            size = int.from_bytes(data[2:start])
        if size + len(self._begun or b"") > self._most_bytes:
            raise BadPeer(f"a message has more than {self._most_bytes} bytes")
        if len(data) < start + size:
            return None
        try:
            opcode = Opcode(data[0] & 0x0F)
        except ValueError:
            raise BadPeer("a frame of an unknown kind") from None
        payload, final = bytes(data[start : start + size]), bool(data[0] & _FINAL)
        del data[: start + size]
        return final, opcode, payload

    def _control(self, final: bool, opcode: Opcode, payload: bytes) -> Message:
        if not final or len(payload) > MAX_CONTROL_BYTES:
            raise BadPeer("a ping, pong or close in pieces, or too long")
        return Message(opcode, payload)

    def _piece(self, final: bool, opcode: Opcode, payload: bytes) -> Message | None:
        """Take in a message, or a piece of one; return it when it is whole."""
        if opcode is Opcode.BINARY:
            raise BadPeer("a message that is no text")
        if (opcode is Opcode.CONTINUATION) is (self._begun is None):
            raise BadPeer("a message begins before the one before it ended, or goes on without a beginning")
        if self._begun is None:
            self._begun = bytearray()  # an empty first piece begins a message as well
        self._begun += payload
        if not final:
            return None
        whole, self._begun = bytes(self._begun), None
        return Message(Opcode.TEXT, whole)


def _field(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip()
