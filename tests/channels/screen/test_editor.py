"""One line of text under the hands of a person."""

from __future__ import annotations

import pytest

from sayso.channels.screen.editor import CURSOR, Editor


def typed(*names: str, start: str = "") -> Editor:
    editor = Editor.of(start)
    for name in names:
        editor = editor.key(name)
    return editor


@pytest.mark.parametrize(
    ("names", "text", "cursor"),
    [
        (("a", "é", "世"), "aé世", 3),
        (("a", "b", "backspace"), "a", 1),
        (("backspace",), "", 0),
        (("a", "b", "left", "c"), "acb", 2),
        (("a", "left", "left", "b"), "ba", 1),
        (("a", "right"), "a", 1),
        (("a", "b", "home", "delete"), "b", 0),
        (("a", "b", "ctrl-a", "c", "ctrl-e", "d"), "cabd", 4),
        (("a", "b", "left", "ctrl-u"), "b", 0),
        (("a", "b", "left", "ctrl-k"), "a", 1),
        (("tab", "up", "page-down", "ctrl-x"), "", 0),
    ],
)
def test_keys(names: tuple[str, ...], text: str, cursor: int) -> None:
    assert typed(*names) == Editor(text, cursor)


@pytest.mark.parametrize(("start", "left"), [("one two  ", "one "), ("one", ""), ("", ""), ("a b", "a ")])
def test_a_word_is_taken_back(start: str, left: str) -> None:
    assert typed("ctrl-w", start=start).text == left


def test_a_paste_keeps_lines_and_drops_what_commands() -> None:
    assert Editor.of("x").paste("a\r\nb\rc\td\x1b[2J\x07").text == "xa\nb\nc    d[2J"


def test_what_is_shown_is_visible_and_has_the_cursor() -> None:
    assert Editor("a\nb", 1).shown(40) == [f"a{CURSOR}␊b"]
    assert Editor("a\u202eb", 3).shown(40) == [f"a⟨U+202E⟩b{CURSOR}"]


@pytest.mark.parametrize("cursor", [0, 250, 500])
def test_of_a_long_text_the_part_around_the_cursor_is_shown(cursor: int) -> None:
    shown = Editor("x" * 500, cursor).shown(20)
    assert len(shown) == 4
    assert any(CURSOR in piece for piece in shown)
