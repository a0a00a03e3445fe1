"""Changes of other programs' files: whole or not at all, and what surrounds the content stays."""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
from pathlib import Path

import pytest

from sayso.install import InstallRefused, files


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "there" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(b"old\r\n")
    return path


def to_new(_: str | None) -> str:
    return "new ü\r\n"


def to_old(_: str | None) -> str:
    return "old\r\n"


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_text_is_passed_byte_for_byte(target: Path, state: Path) -> None:
    edited = files.edit(target, to_new, state)
    assert (edited.before, edited.after) == ("old\r\n", "new ü\r\n")
    assert target.read_bytes() == "new ü\r\n".encode()
    assert left_in(target.parent) == ["settings.json"]


def test_a_file_that_stays_the_same_is_not_touched(target: Path, state: Path) -> None:
    target.chmod(0o400)
    before = target.stat()
    assert files.edit(target, to_old, state).backup is None
    after = target.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_stays(target: Path, state: Path, mode: int) -> None:
    target.chmod(mode)
    files.edit(target, to_new, state)
    assert stat.S_IMODE(target.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only on accounts that may give files away")
def test_the_group_stays(target: Path, state: Path) -> None:
    os.chown(target, -1, 12345)
    files.edit(target, to_new, state)
    assert target.stat().st_gid == 12345


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="only on Linux")
def test_extended_attributes_stay(target: Path, state: Path) -> None:
    os.setxattr(target, "user.note", b"kept")
    files.edit(target, to_new, state)
    assert os.getxattr(target, "user.note") == b"kept"


def test_a_missing_file_is_made_for_this_user_alone(tmp_path: Path, state: Path) -> None:
    path = tmp_path / "a" / "b" / "settings.json"
    old = os.umask(0)
    try:
        edited = files.edit(path, to_new, state)
    finally:
        os.umask(old)
    assert edited.before is None
    assert edited.backup is None
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def test_no_file_and_none_wanted(tmp_path: Path, state: Path) -> None:
    assert files.edit(tmp_path / "a" / "settings.json", lambda text: text, state).after is None
    assert not (tmp_path / "a").exists()


def test_a_file_can_be_removed(target: Path, state: Path) -> None:
    edited = files.edit(target, lambda _: None, state)
    assert left_in(target.parent) == []
    assert edited.backup is not None
    assert edited.backup.read_bytes() == b"old\r\n"


# --- links --------------------------------------------------------------------------------------


def test_case_35_through_links_the_file_is_replaced_and_the_links_stay(target: Path, state: Path) -> None:
    second = target.parent.parent / "second"
    first = target.parent.parent / "first"
    second.symlink_to(target)
    first.symlink_to("second")
    assert files.edit(first, to_new, state).path == target.resolve()
    assert first.is_symlink()
    assert second.is_symlink()
    assert target.read_bytes() == "new ü\r\n".encode()


def test_a_link_in_a_folder_on_the_way_is_followed(target: Path, state: Path) -> None:
    (target.parent.parent / "link").symlink_to(target.parent)
    files.edit(target.parent.parent / "link" / target.name, to_new, state)
    assert target.read_bytes() == "new ü\r\n".encode()


@pytest.mark.parametrize("leads_to", ["nowhere", "settings.json"])
def test_case_35_a_link_that_leads_nowhere_is_refused(tmp_path: Path, state: Path, leads_to: str) -> None:
    path = tmp_path / "settings.json"
    path.symlink_to(leads_to)
    with pytest.raises(InstallRefused, match="leads nowhere"):
        files.edit(path, to_new, state)


def test_a_file_with_two_names_is_refused(target: Path, state: Path) -> None:
    os.link(target, target.parent / "other")
    with pytest.raises(InstallRefused, match="hard links"):
        files.edit(target, to_new, state)


# --- refusals -----------------------------------------------------------------------------------


def test_a_read_only_file_is_refused(target: Path, state: Path) -> None:
    target.chmod(0o444)
    with pytest.raises(InstallRefused, match="read-only"):
        files.edit(target, to_new, state)
    assert target.read_bytes() == b"old\r\n"


def test_a_file_of_somebody_else_is_refused(
    target: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: target.stat().st_uid + 1)
    with pytest.raises(InstallRefused, match="belongs to another user"):
        files.edit(target, to_new, state)
    assert target.read_bytes() == b"old\r\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only on accounts that may give files away")
def test_root_leaves_no_file_in_a_home_of_somebody(tmp_path: Path, state: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, 12345, -1)
    with pytest.raises(InstallRefused, match="belongs to another user"):
        files.edit(home / ".claude" / "settings.json", to_new, state)
    assert left_in(home) == []


def test_what_is_no_file_is_refused(tmp_path: Path, state: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(InstallRefused, match="is not a file"):
            files.edit(path, to_new, state)


def test_what_is_too_large_is_refused(target: Path, state: Path) -> None:
    os.truncate(target, files.SIZE_MAX_BYTES + 1)
    with pytest.raises(InstallRefused, match="too large"):
        files.edit(target, to_new, state)


@pytest.mark.parametrize("data", ["ü".encode("latin-1"), "{}".encode("utf-16")])
def test_what_is_not_utf_8_is_refused(target: Path, state: Path, data: bytes) -> None:
    target.write_bytes(data)
    with pytest.raises(InstallRefused, match="not UTF-8"):
        files.edit(target, to_new, state)
    assert target.read_bytes() == data


def test_a_folder_name_that_a_file_has_is_refused(target: Path, state: Path) -> None:
    with pytest.raises(InstallRefused, match="is not a folder"):
        files.edit(target / "settings.json", to_new, state)


def test_words_of_the_change_get_the_path(target: Path, state: Path) -> None:
    def refuse(_: str | None) -> str:
        raise InstallRefused("no hooks here")

    with pytest.raises(InstallRefused, match=r"settings\.json: no hooks here"):
        files.edit(target, refuse, state)


# --- others at the same time --------------------------------------------------------------------


def write_anew(path: Path) -> None:
    path.write_bytes(b"theirs")


def replace_by_same(path: Path) -> None:
    """Same content, but a file of its own: somebody replaced it."""
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


@pytest.mark.parametrize("interfere", [write_anew, replace_by_same, Path.unlink])
@pytest.mark.parametrize("after", ["new", None])
def test_case_35_a_change_by_another_program_meanwhile_is_not_lost(
    target: Path, state: Path, interfere: object, after: str | None
) -> None:
    def change(_: str | None) -> str | None:
        assert callable(interfere)
        interfere(target)
        return after

    with pytest.raises(InstallRefused, match="another program"):
        files.edit(target, change, state)
    assert not target.exists() or target.read_bytes() in (b"theirs", b"old\r\n")
    assert left_in(target.parent) in ([], ["settings.json"])


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path, state: Path) -> None:
    path = tmp_path / "settings.json"

    def change(_: str | None) -> str:
        path.write_bytes(b"theirs")
        return "ours"

    with pytest.raises(InstallRefused, match="another program"):
        files.edit(path, change, state)
    assert path.read_bytes() == b"theirs"


def test_who_comes_second_is_refused(target: Path, state: Path) -> None:
    files.edit(target, to_new, state)
    (lock,) = (state / "locks").iterdir()
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(InstallRefused, match="right now"):
            files.edit(target, to_old, state)
    files.edit(target, to_old, state)
    assert target.read_bytes() == b"old\r\n"


def test_case_35_a_crash_while_writing_leaves_the_old_file(
    target: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.edit(target, to_new, state)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InstallRefused, match="No space left on device"):
        files.edit(target, to_old, state)
    assert target.read_bytes() == "new ü\r\n".encode()
    assert left_in(target.parent) == ["settings.json"]


def test_who_reads_meanwhile_reads_the_old_file_to_its_end(target: Path, state: Path) -> None:
    with target.open("rb") as reader:
        assert reader.read(1) == b"o"
        files.edit(target, to_new, state)
        assert reader.read() == b"ld\r\n"


# --- the first original -------------------------------------------------------------------------


def test_the_first_original_is_kept_for_this_user_alone(target: Path, state: Path) -> None:
    target.chmod(0o644)
    backup = files.edit(target, to_new, state).backup
    assert backup is not None
    assert backup.read_bytes() == b"old\r\n"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert files.edit(target, lambda _: "newer", state).backup == backup
    assert backup.read_bytes() == b"old\r\n"
    assert left_in(backup.parent) == [f"settings.json.{hashlib.sha256(bytes(target)).hexdigest()[:16]}"]


def test_once_the_file_is_what_it_was_the_backup_goes(target: Path, state: Path) -> None:
    files.edit(target, to_new, state)
    assert files.edit(target, to_old, state).backup is None
    assert left_in(state / "backups") == []


def test_nothing_is_changed_when_no_backup_can_be_made(target: Path, state: Path) -> None:
    state.mkdir()
    (state / "backups").touch()
    with pytest.raises(InstallRefused, match="is not a folder"):
        files.edit(target, to_new, state)
    assert target.read_bytes() == b"old\r\n"
