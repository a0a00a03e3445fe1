"""The flags of sessions and the journal in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.daemon import flags as module
from sayso.daemon.flags import Flags, is_name

SESSION = "9bcdc454-1f57-46e3-b87d-8da46d42cb37"
UNSAFE = ["", ".", "..", "a/b", "/etc/passwd", "a.b", "a b", "é", "x" * 65, "a\n", "a\0", "$HOME", "-x/"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run" / "flags"


@pytest.mark.parametrize("name", [SESSION, "x", "x" * 64, "A_b-9", "-"])
def test_names_that_are_safe(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", UNSAFE)
def test_a_session_whose_name_is_not_safe_has_no_flag(folder: Path, name: str) -> None:
    flags = Flags(folder)
    assert not is_name(name)
    flags.raise_(name)
    flags.lower(name)
    assert flags.journal(name) == []
    assert list(folder.iterdir()) == []


def test_up_and_down(folder: Path) -> None:
    flags = Flags(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    flags.raise_(SESSION)
    assert (folder / SESSION).stat().st_mode & 0o777 == 0o600
    flags.lower(SESSION)
    flags.lower(SESSION)
    assert list(folder.iterdir()) == []


def test_one_that_is_up_already_keeps_its_journal(folder: Path) -> None:
    flags = Flags(folder)
    flags.raise_(SESSION)
    (folder / SESSION).write_bytes(b"one\n\ntwo\n")
    flags.raise_(SESSION)
    assert flags.journal(SESSION) == [b"one", b"two"]


def test_a_journal_is_read_up_to_a_bound(folder: Path) -> None:
    flags = Flags(folder)
    flags.raise_(SESSION)
    (folder / SESSION).write_bytes(b"x\n" * module.MAX_JOURNAL_BYTES)
    assert len(flags.journal(SESSION)) == module.MAX_JOURNAL_BYTES // 2
    assert flags.journal("another") == []


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    flags = Flags(folder)
    target = tmp_path / "target"
    target.write_text("secret\n")
    (folder / SESSION).symlink_to(target)
    assert flags.journal(SESSION) == []
    with pytest.raises(OSError, match=SESSION):
        flags.raise_(SESSION)
    flags.lower(SESSION)
    assert target.read_text() == "secret\n"


def test_what_an_earlier_desk_left_goes_unless_somebody_claims_it(folder: Path) -> None:
    before = Flags(folder)
    for name in ("claimed", "lowered", "left"):
        before.raise_(name)
    (folder / "not a flag").touch()
    after = Flags(folder)
    after.raise_("claimed")
    after.raise_("new")
    after.lower("lowered")
    after.remove_unclaimed()
    after.remove_unclaimed()
    assert sorted(path.name for path in folder.iterdir()) == ["claimed", "new", "not a flag"]


def test_cleared_at_the_end(folder: Path) -> None:
    before = Flags(folder)
    before.raise_("old")
    (folder / "not a flag").touch()
    flags = Flags(folder)
    flags.raise_("new")
    flags.clear()
    assert [path.name for path in folder.iterdir()] == ["not a flag"]
    (folder / "old").touch()
    flags.remove_unclaimed()
    assert (folder / "old").exists()
