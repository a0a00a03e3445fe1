"""The list of places is kept, and nothing depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.install import placements


def test_noted_once_and_forgotten(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for path in (one, two, one):
        placements.note(tmp_path, path)
    assert placements.known(tmp_path) == [two, one]
    placements.forget(tmp_path, two)
    placements.forget(tmp_path, two)
    assert placements.known(tmp_path) == [one]
    placements.forget(tmp_path, one)
    assert placements.known(tmp_path) == []
    assert not (tmp_path / "placements").exists()


def test_a_name_that_fits_on_no_line_is_left_out(tmp_path: Path) -> None:
    placements.note(tmp_path, tmp_path / "a\nb")
    assert placements.known(tmp_path) == []


@pytest.mark.parametrize("content", [b"\xff\xfe", b"relative\n\n", b""])
def test_a_list_that_is_damaged_is_an_empty_one(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "placements").write_bytes(content)
    assert placements.known(tmp_path) == []
