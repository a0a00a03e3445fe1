"""The reader of WebSocket frames: any bytes in any pieces, one outcome, nothing kept without end."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from sayso.wire.websocket import BadPeer, Message, Opcode, Reader
from tests.fuzz.victim import BOUND_S, examples

KEY = b"k" * 16
OPEN = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
)
MOST_BYTES = 2000
PIECES = 200_000


def opened(most_bytes: int = MOST_BYTES) -> Reader:
    reader = Reader(KEY, most_bytes)
    assert list(reader.feed(OPEN + reader._expected + b"\r\n\r\n")) == []  # pyright: ignore[reportPrivateUsage]
    return reader


def frame(first: int, payload: bytes, size: int | None = None) -> bytes:
    size = len(payload) if size is None else size
    if size < 126:
        head = bytes((first, size))
    else:
        head = (
            bytes((first, 126)) + size.to_bytes(2)
            if size < 1 << 16
            else bytes((first, 127)) + size.to_bytes(8)
        )
    return head + payload


FRAMES = st.one_of(
    st.builds(
        frame,
        st.sampled_from([0x81, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8A, 0x82, 0x09, 0xC1, 0x83]),
        st.binary(max_size=200),
    ),
    st.builds(frame, st.just(0x81), st.just(b""), st.sampled_from([125, 126, 3000, 2**32, 2**64 - 1])),
    st.binary(max_size=20),
)


def outcome(reader: Reader, pieces: list[bytes]) -> tuple[list[Message], str]:
    """Return the messages, and why it was given up, if it was."""
    found: list[Message] = []
    try:
        for piece in pieces:
            found.extend(reader.feed(piece))
    except BadPeer as error:
        return found, str(error)
    return found, ""


@examples(400)
@given(st.lists(FRAMES, max_size=8), st.lists(st.integers(1, 60), max_size=30))
def test_any_bytes_in_any_pieces(frames: list[bytes], sizes: list[int]) -> None:
    data = b"".join(frames)
    pieces, rest = list[bytes](), data
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]

    whole, torn = outcome(opened(), [data]), outcome(opened(), [*pieces, rest])

    assert whole == torn
    for message in whole[0]:
        assert len(message.payload) <= MOST_BYTES
        assert message.opcode in {Opcode.TEXT, Opcode.PING, Opcode.PONG, Opcode.CLOSE}


@examples(200)
@given(st.binary(max_size=400))
def test_any_answer_to_a_handshake(data: bytes) -> None:
    reader = Reader(KEY)
    found, why = outcome(reader, [data, b"\r\n\r\n"])
    assert found == []
    assert why
    assert not reader.is_open


def test_pieces_without_end_and_without_content_cost_nothing() -> None:
    reader, begun_s = opened(), time.monotonic()
    pieces = frame(0x01, b"") + frame(0x00, b"") * PIECES
    assert outcome(reader, [pieces]) == ([], "")
    assert outcome(reader, [frame(0x80, b"end")]) == ([Message(Opcode.TEXT, b"end")], "")
    assert time.monotonic() - begun_s < BOUND_S
