"""Text of others, made safe for a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.channels.text import block, clip, turns_direction, visible, width, wrap

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)
SPITEFUL = st.text(
    st.sampled_from("ab \n\t\r\x1b\x07\x7f\x9b\u202e\u200b\u0301\u3042\U0001f600\ufe0f\u200d\ud800"),
    max_size=80,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[2Jx", "␛[2Jx"),
        ("a\rb", "a␍b"),
        ("a\nb\tc", "a␊b␉c"),
        ("\x00\x7f", "␀␡"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("rm \u202e", "rm ⟨U+202E⟩"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("a\u00a0b", "a⟨U+00A0⟩b"),
        ("\u3164", "⟨U+3164⟩"),
        ("\u2800", "⟨U+2800⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\u2028", "⟨U+2028⟩"),
        ("a\ufe00", "a⟨U+FE00⟩"),
        ("Grüße, 世界, привет, नमस्ते हीं", "Grüße, 世界, привет, नमस्ते हीं"),
        ("e\u0301", "e\u0301"),
        ("\u0301", "⟨U+0301⟩"),
        (" \u0301", " ⟨U+0301⟩"),
        ("e\u0301\u0302\u0303", "e\u0301\u0302⟨U+0303⟩"),
        ("⚠\ufe0f stop", "⚠ stop"),
        ("👩\u200d💻", "👩💻"),
        ("a\u200d\u200db", "a⟨U+200D⟩⟨U+200D⟩b"),
        ("x" + " " * 300 + "y", "x⟨300 spaces⟩y"),
    ],
)
def test_case_43_what_hides_or_commands_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_are_kept_where_asked_for() -> None:
    assert visible("a\n\tb", lines=True) == "a\n    b"


@given(st.one_of(ANY_TEXT, SPITEFUL))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    for shown in (visible(text), visible(text, lines=True).replace("\n", "")):
        categories = {unicodedata.category(char) for char in shown if char != " "}
        assert not categories & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}


@given(SPITEFUL, st.integers(2, 30))
def test_wrapped_pieces_fit_and_lose_nothing(text: str, columns: int) -> None:
    line = visible(text)
    pieces = wrap(line, columns)
    assert "".join(pieces) == line
    assert all(width(piece) <= columns for piece in pieces)


def test_a_line_is_broken_after_a_space_where_one_is_near() -> None:
    assert wrap("one two three", 9) == ["one two ", "three"]
    assert wrap("a " + "b" * 9, 9) == ["a bbbbbbb", "bb"]


def test_wide_letters_take_two_columns() -> None:
    assert width("世界") == 4
    assert wrap("世界世", 5) == ["世界", "世"]
    assert width("e\u0301") == 1


def test_case_43_blank_lines_cannot_push_the_end_away() -> None:
    assert block("a" + "\n" * 200 + "b", 40) == ["│ a", "│ ⟨199 blank lines⟩", "│ b"]
    assert block("a\n\nb", 40) == ["│ a", "│", "│ b"]


def test_a_wrapped_line_is_told_from_two_lines() -> None:
    assert block("aaaa bbbb\ncc", 7) == ["│ aaaa ", "┆ bbbb", "│ cc"]


@given(SPITEFUL, st.integers(4, 30))
def test_every_line_of_a_block_stands_behind_its_rule(text: str, columns: int) -> None:
    assert all(row[0] in "│┆" for row in block(text, columns))
    assert all(width(row) <= columns for row in block(text, columns))


def test_a_huge_line_is_wrapped_in_reasonable_time() -> None:
    pieces = wrap("é" * 262_144, 80)
    assert len(pieces) == 3277


def test_clipping_says_that_it_clipped() -> None:
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abcdefg", 6) == "abcde…"
    assert clip("世界世界", 6) == "世界…"


def test_letters_from_right_to_left_are_noticed() -> None:
    assert turns_direction("rm א")
    assert not turns_direction("rm ä")
