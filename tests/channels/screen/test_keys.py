"""From bytes to keys, in any pieces, and nothing dangerous from a paste."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.channels.screen.keys import Decoder, Focus, Key, Paste, Typed, looks_pasted, pasted_text

KNOWN: list[tuple[bytes, list[Typed]]] = [
    (b"a", [Key("a")]),
    ("é世".encode(), [Key("é"), Key("世")]),
    (b"\r", [Key("enter")]),
    (b"\x7f", [Key("backspace")]),
    (b"\x03\x1a\x0c", [Key("ctrl-c"), Key("ctrl-z"), Key("ctrl-l")]),
    (b"\x00\x1c", []),
    (b"\x1b[A\x1bOB\x1b[C\x1b[D", [Key("up"), Key("down"), Key("right"), Key("left")]),
    (b"\x1b[5~\x1b[6~\x1b[3~", [Key("page-up"), Key("page-down"), Key("delete")]),
    (b"\x1b[I\x1b[O", [Focus(True), Focus(False)]),
    (b"\x1b[200~ad\rq\x1b[201~x", [Paste("ad\rq"), Key("x")]),
    (b"\x1b[1;5C\x1b[15~\x1b[?1;2ca", [Key("a")]),
    (b"\x1ba", []),
    ("\x9b".encode(), []),
]


@pytest.mark.parametrize(("data", "typed"), KNOWN)
def test_what_bytes_mean(data: bytes, typed: list[Typed]) -> None:
    decoder = Decoder()
    assert decoder.feed(data) == typed
    assert not decoder.waits


@pytest.mark.parametrize(("data", "typed"), KNOWN)
def test_it_means_the_same_byte_by_byte(data: bytes, typed: list[Typed]) -> None:
    decoder = Decoder()
    found: list[Typed] = []
    for index in range(len(data)):
        found += decoder.feed(data[index : index + 1])
    assert found == typed


def test_a_lone_escape_is_told_by_a_pause() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b") == []
    assert decoder.waits
    assert decoder.flush() == [Key("escape")]
    assert decoder.flush() == []


def test_an_escape_before_a_sequence() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b\x1b[A") == [Key("up")]


def test_a_broken_sequence_is_dropped_by_a_pause() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b[1;") == []
    assert decoder.flush() == []
    assert decoder.feed(b"a") == [Key("a")]


def test_a_paste_without_its_end_never_becomes_keys() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b[200~aaa") == []
    assert not decoder.waits
    assert decoder.flush() == []
    assert decoder.feed(b"a\x1b[201~") == [Paste("aaaa")]


@given(st.lists(st.binary(max_size=8), max_size=8))
def test_any_bytes_in_any_pieces_are_taken(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        for typed in decoder.feed(piece):
            if isinstance(typed, Key):
                assert typed.name.isprintable()


def test_a_paste_that_the_terminal_does_not_mark() -> None:
    assert looks_pasted([Key("a"), Key("d"), Key("enter"), Key("q")])
    assert pasted_text([Key("a"), Key("d"), Key("enter"), Key("q")]) == "adq"
    assert not looks_pasted([Key("j")] * 9)
    assert not looks_pasted([Key("1"), Key("enter")])
