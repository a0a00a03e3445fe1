"""A client's side of WebSocket: frames in pieces, what a peer may not send, its end."""

from __future__ import annotations

import pytest

from sayso.wire.websocket import (
    MAX_HEAD_BYTES,
    BadPeer,
    Message,
    Opcode,
    Reader,
    frame,
    handshake,
    masked,
)

KEY = b"the sample nonce"
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The accept of RFC 6455's own example, whose key is the one above in base64."""
HEAD = (
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"sec-websocket-accept:  {ACCEPT}\r\n\r\n"
).encode()
MASK = bytes.fromhex("37fa213d")


def opened(most_bytes: int = 1000) -> Reader:
    reader = Reader(KEY, most_bytes)
    assert list(reader.feed(HEAD)) == []
    assert reader.is_open
    return reader


def told(data: bytes, most_bytes: int = 1000) -> list[Message]:
    return list(opened(most_bytes).feed(data))


# --- what is sent ------------------------------------------------------------------------------


def test_the_handshake_is_the_one_of_the_standard() -> None:
    sent = handshake(KEY)
    assert sent.startswith(b"GET / HTTP/1.1\r\n")
    assert sent.endswith(b"\r\n\r\n")
    assert b"\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" in sent
    assert b"xtensions" not in sent


def test_frames_are_masked_as_in_the_examples_of_the_standard() -> None:
    assert frame(Opcode.TEXT, b"Hello", MASK) == bytes.fromhex("818537fa213d7f9f4d5158")
    assert frame(Opcode.PONG, b"", MASK) == bytes.fromhex("8a8037fa213d")


@pytest.mark.parametrize(
    ("size", "head"), [(125, "81fd"), (126, "81fe007e"), (65535, "81feffff"), (65536, "81ff0000000000010000")]
)
def test_each_length_has_its_own_head(size: int, head: str) -> None:
    sent = frame(Opcode.TEXT, b"x" * size, MASK)
    start = bytes.fromhex(head) + MASK
    assert sent.startswith(start)
    assert masked(sent[len(start) :], MASK) == b"x" * size


# --- what is read ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 5, 125, 126, 65535, 65536])
def test_a_text_is_read_whole_in_whatever_pieces_it_comes(size: int) -> None:
    text = b"y" * size
    whole = HEAD + unmasked(0x81, text)
    at_once = list(Reader(KEY).feed(whole))
    reader = Reader(KEY)
    step = max(1, len(whole) // 97)
    in_pieces = [one for at in range(0, len(whole), step) for one in reader.feed(whole[at : at + step])]
    assert at_once == in_pieces == [Message(Opcode.TEXT, text)]


def unmasked(first: int, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    return (
        bytes((first, 126)) + size.to_bytes(2) + payload
        if size < 65536
        else bytes((first, 127)) + size.to_bytes(8) + payload
    )


def test_a_ping_between_two_pieces_of_a_text_is_told_at_once() -> None:
    data = unmasked(0x01, b"Hel") + unmasked(0x89, b"there?") + unmasked(0x80, b"lo") + unmasked(0x88, b"")
    assert told(data) == [
        Message(Opcode.PING, b"there?"),
        Message(Opcode.TEXT, b"Hello"),
        Message(Opcode.CLOSE, b""),
    ]


def test_a_text_may_begin_with_an_empty_piece() -> None:
    assert told(unmasked(0x01, b"") + unmasked(0x80, b"late")) == [Message(Opcode.TEXT, b"late")]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (unmasked(0xC1, b"x"), "extension"),
        (frame(Opcode.TEXT, b"x", MASK), "masked"),
        (unmasked(0x83, b"x"), "unknown kind"),
        (unmasked(0x82, b"x"), "no text"),
        (unmasked(0x80, b"x"), "without a beginning"),
        (unmasked(0x01, b"x") + unmasked(0x81, b"y"), "begins before"),
        (unmasked(0x09, b"x"), "in pieces"),
        (unmasked(0x89, b"x" * 126), "too long"),
        (unmasked(0x81, b"x" * 1001), "more than 1000 bytes"),
        (unmasked(0x01, b"x" * 600) + unmasked(0x80, b"x" * 600), "more than 1000 bytes"),
        (bytes((0x81, 127)) + (1 << 62).to_bytes(8), "more than 1000 bytes"),
    ],
)
def test_what_breaks_the_rules_ends_it_before_it_is_believed(data: bytes, why: str) -> None:
    with pytest.raises(BadPeer, match=why):
        told(data)


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (HEAD.replace(b"101 Switching", b"200 OK"), "does not speak"),
        (HEAD.replace(ACCEPT.encode(), b"x"), "another handshake"),
        (HEAD.replace(b"Upgrade: websocket", b"Sec-WebSocket-Extensions: permessage-deflate"), "extension"),
        (b"x" * (MAX_HEAD_BYTES + 1), "does not end"),
    ],
)
def test_a_peer_that_answers_otherwise_is_refused(head: bytes, why: str) -> None:
    with pytest.raises(BadPeer, match=why):
        list(Reader(KEY).feed(head))
