"""Text as Telegram counts it: nothing is lost, nothing is too long, nothing an agent wrote becomes markup."""

from __future__ import annotations

import pytest

from sayso.channels.base import Line, lined, quoted
from sayso.channels.telegram.ports import Entity
from sayso.channels.telegram.text import (
    COLUMNS,
    MOST_MARKS,
    Piece,
    beginning,
    clipped,
    length,
    message,
    pieces_of,
    plain,
    split,
    toast,
    units,
)

EMOJI = "\U0001f600"


@pytest.mark.parametrize(("text", "of"), [("abc", 3), ("grün", 4), (EMOJI, 2), ("a" + EMOJI * 3, 7), ("", 0)])
def test_a_text_is_as_long_as_its_utf_16(text: str, of: int) -> None:
    assert units(text) == of


def test_entities_count_in_the_same_units() -> None:
    said = message([Piece(f"{EMOJI} who\n", "bold"), Piece("└ ls", "pre")])
    assert said.text == f"{EMOJI} who\n└ ls"
    assert said.entities == (Entity("bold", 0, 6), Entity("pre", 7, 4))


def test_blank_ends_go_with_their_entities() -> None:
    said = message([Piece(" \n", "bold"), Piece("  who  "), Piece("\n\n"), Piece(" ", "pre")])
    assert said == ("who", ())


def test_markup_in_a_text_stays_text() -> None:
    said = message(pieces_of(quoted("*bold* <b>_x_</b> `ls` [a](http://b)", COLUMNS)))
    assert said.text == "*bold* <b>_x_</b> `ls` [a](http://b)"
    assert [one.type for one in said.entities] == ["pre"]


def test_a_quotation_is_one_block_and_whole_however_long_its_lines() -> None:
    text = "first " + "x" * (2 * COLUMNS) + "\n\n  indented\nlast"
    pieces = pieces_of([*lined("Command:", COLUMNS, style="strong"), *quoted(text, COLUMNS)])
    assert pieces == [Piece("Command:\n", "bold"), Piece(text, "pre"), Piece("\n")]


def test_what_telegram_leaves_out_of_a_message_is_written_out() -> None:
    text = "a\u030a b\u0333 c\u033f d\u0301 \u202e\u2028\t|"
    said = message(pieces_of(quoted(text, COLUMNS)))
    assert said.text == "a⟨U+030A⟩ b⟨U+0333⟩ c⟨U+033F⟩ d\u0301 ⟨U+202E⟩⟨U+2028⟩    |"


def test_loud_words_are_marked() -> None:
    assert pieces_of([Line("not shown", "loud")]) == [Piece("⚠ not shown\n", "bold")]


@pytest.mark.parametrize(
    "text", ["x" * 10_000, EMOJI * 5000, "a" + EMOJI * 5000, "line\n" * 3000, "é" * 9000]
)
def test_parts_fit_and_hold_all_of_it(text: str) -> None:
    parts = split([Piece("head\n", "bold"), Piece(text, "pre")], 4096)
    assert all(0 < length(part) <= 4096 for part in parts)
    assert "".join(plain(part) for part in parts) == "head\n" + text
    assert len(parts) <= -(-units("head\n" + text) // 4096) + 1


@pytest.mark.parametrize("more", [0, 1])
def test_the_boundary_counts_an_emoji_as_two(more: int) -> None:
    text = "x" * (4094 + more) + EMOJI
    parts = split([Piece(text)], 4096)
    assert [length(part) for part in parts] == ([4096] if not more else [4095, 2])


def test_parts_break_at_lines() -> None:
    parts = split([Piece("a" * 60 + "\n" + "b" * 60, "pre")], 100)
    assert [plain(part) for part in parts] == ["a" * 60 + "\n", "b" * 60]


def test_a_short_line_that_does_not_fit_begins_the_next_part() -> None:
    parts = split([Piece("a" * 90), Piece("b" * 60, "pre")], 100)
    assert [plain(part) for part in parts] == ["a" * 90, "b" * 60]


def test_no_part_has_more_entities_than_a_message_may() -> None:
    pieces = [Piece(f"{number}\n", "bold" if number % 2 else "italic") for number in range(250)]
    parts = split(pieces, 4096)
    assert [len(message(part).entities) for part in parts] == [MOST_MARKS, MOST_MARKS, MOST_MARKS, 10]


def test_a_beginning_fits() -> None:
    assert beginning([Piece("ab"), Piece("cd")], 3) == [Piece("ab"), Piece("c")]
    assert beginning([], 3) == []


def test_words_are_shortened_visibly() -> None:
    assert clipped("abcdef", 4) == "abc…"
    assert clipped(EMOJI * 3, 4) == f"{EMOJI}…"
    assert units(toast("x" * 300)) == 200
