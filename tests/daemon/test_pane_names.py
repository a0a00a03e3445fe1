"""The file of what runs in panes, from one desk to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.daemon import pane_names
from sayso.daemon.pane_names import PaneNames

NAMES = ["12:100", "7:55"]


def test_the_next_desk_knows_what_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "panes"
    kept = PaneNames(path, is_first=True)
    assert kept.read() == []
    kept.keep(["7:55", "12:100", "7:55"])
    assert PaneNames(path, is_first=False).read() == NAMES
    assert path.stat().st_mode & 0o777 == 0o600
    kept.keep([])
    assert PaneNames(path, is_first=False).read() == []


def test_where_a_desk_was_and_nothing_is_kept_nobody_knows(tmp_path: Path) -> None:
    assert PaneNames(tmp_path / "panes", is_first=False).read() is None
    (tmp_path / "panes").write_bytes(b"\xff")
    assert PaneNames(tmp_path / "panes", is_first=False).read() is None
    assert PaneNames(None, is_first=False).read() == []


def test_names_of_another_run_of_the_computer_are_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, boot = tmp_path / "panes", tmp_path / "boot"
    PaneNames(path, is_first=True).keep(NAMES)
    boot.write_text("another\n")
    monkeypatch.setattr(pane_names, "_BOOT", boot)
    assert PaneNames(path, is_first=False).read() == []
    monkeypatch.setattr(pane_names, "_BOOT", tmp_path / "none")
    PaneNames(path, is_first=False).keep(NAMES)
    assert PaneNames(path, is_first=False).read() == NAMES


def test_what_cannot_be_written_is_not_believed_later(tmp_path: Path) -> None:
    path = tmp_path / "panes"
    kept = PaneNames(path, is_first=True)
    kept.keep(NAMES)
    path.with_name("panes.new").mkdir()
    kept.keep(["7:55"])
    assert PaneNames(path, is_first=False).read() is None
    path.with_name("panes.new").rmdir()
    kept.keep(NAMES)
    assert PaneNames(path, is_first=False).read() == NAMES
