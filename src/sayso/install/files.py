"""Careful changes to files that belong to other programs.

Read, change, check and replace under a lock: the file is either the old one or the new one at every
moment, keeps its mode, owner, group and links, and its first original is kept.

Knows nothing of what stands in the files. Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.install import InstallRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

# Settings are a few KiB. What is larger is something else, and the edits would be slow.
SIZE_MAX_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read. Without data there is no file."""

    asked: Path
    path: Path  # where it really is, links followed
    data: bytes | None
    status: os.stat_result | None
    attributes: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    @property
    def text(self) -> str | None:
        if self.data is None:
            return None
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            where = f"byte {error.start}"
            raise InstallRefused(
                f"{self.path} is not UTF-8 text ({where}); save it as UTF-8 first."
            ) from None


@dataclass(frozen=True, slots=True)
class Edited:
    """What became of a file: its text before and after (None: no file), and where its first original is."""

    path: Path
    before: str | None
    after: str | None
    backup: Path | None


def edit(
    path: Path,
    change: Callable[[str | None], str | None],
    state: Path,
    is_ours: Callable[[str], bool] = lambda _: False,
) -> Edited:
    """Change a file by a function from text to text; None means no file. `state` takes lock and backup.

    Of a file that is ours as a whole no original is kept: there is none.
    """
    with _in_words(path), _locked(state / "locks", path):
        before = read(path)
        text = before.text
        try:
            after = change(text)
        except InstallRefused as error:
            raise InstallRefused(f"{before.path}: {error}") from None
        backup = _backup_path(state / "backups", before.path)
        if after != text:
            _check_ours(before)
            if text is not None and not is_ours(text):
                _keep_original(backup, before)
            _carry_out(before, after)
            _drop_backup(backup, after)
        return Edited(before.path, text, after, backup if backup.exists() else None)


def read(path: Path) -> Snapshot:
    """Read a file through its links."""
    if not os.path.lexists(path):
        return Snapshot(path, Path(os.path.realpath(path)), None, None)
    try:
        real = Path(os.path.realpath(path, strict=True))
    except OSError as error:
        raise InstallRefused(
            f"{path} is a link that leads nowhere ({error.strerror}). Mend or remove it."
        ) from None
    # Not blocking: a named pipe in this place would be opened for ever.
    handle = os.open(real, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise InstallRefused(f"{real} is not a file. Move it out of the way.")
        if status.st_size > SIZE_MAX_BYTES:
            raise InstallRefused(f"{real} is too large for settings ({status.st_size} bytes).")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return Snapshot(path, real, file.read(), status, _attributes(handle))
    finally:
        os.close(handle)


def _attributes(handle: int) -> dict[str, bytes]:
    """Read the extended attributes, access lists among them, where the system has any."""
    if sys.platform != "linux":
        return {}
    try:
        return {name: os.getxattr(handle, name) for name in os.listxattr(handle)}
    except OSError:  # a file system without them
        return {}


@contextmanager
def _in_words(path: Path) -> Generator[None, None, None]:
    """Turn what the system says into words for a person."""
    try:
        yield
    except OSError as error:
        where = error.filename or path
        raise InstallRefused(f"{path} was not changed: {error.strerror or error} ({where}).") from error


@contextmanager
def _locked(folder: Path, path: Path) -> Generator[None, None, None]:
    """Hold the lock of a file, among programs of ours. Who comes second is refused, not kept waiting."""
    make_folder(folder)
    name = folder / f"{_key(Path(os.path.realpath(path)))}.lock"
    handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InstallRefused(
                f"Another sayso is changing {path} right now. Try again when it is done."
            ) from None
        yield
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, for this user alone. What is there keeps its mode."""
    for each in (*reversed(folder.parents), folder):
        with suppress(FileExistsError):
            if not each.is_dir():
                each.mkdir(mode=0o700)
        if not each.is_dir():
            raise InstallRefused(f"{each} is not a folder. Move it out of the way.")


def _check_ours(before: Snapshot) -> None:
    """Refuse files that somebody else looks after: a replacement would take them over."""
    status = before.status
    if status is None:
        _check_folder_ours(before.path)
        return
    if status.st_uid != os.geteuid():
        raise InstallRefused(
            f"{before.path} belongs to another user (id {status.st_uid}). Run this as that user."
        )
    if not status.st_mode & stat.S_IWUSR:
        raise InstallRefused(
            f"{before.path} is read-only; perhaps another program writes it. "
            "Make it writable, or take the output of --print to where it is written."
        )
    if status.st_nlink > 1:
        raise InstallRefused(
            f"{before.path} has {status.st_nlink} names (hard links), and a replacement would part them. "
            "Use a symbolic link instead, or --print."
        )


def _check_folder_ours(path: Path) -> None:
    """Refuse to leave files of root in somebody's home, as under sudo: that person could not change them."""
    owner = next(folder for folder in path.parents if folder.exists()).stat().st_uid
    if os.geteuid() == 0 and owner != 0:
        raise InstallRefused(f"{path.parent} belongs to another user (id {owner}). Run this as that user.")


def _carry_out(before: Snapshot, after: str | None) -> None:
    if after is not None:
        _replace(before, after.encode())
        return
    _check_unchanged(before)
    before.path.unlink(missing_ok=True)
    _sync_folder(before.path.parent)


def _replace(before: Snapshot, data: bytes) -> None:
    """Put the new content in place in one step, whole and on the disk."""
    folder = before.path.parent
    make_folder(folder)
    handle, name = tempfile.mkstemp(prefix=f".{before.path.name}.", suffix=".sayso", dir=folder)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _make_alike(handle, before)
            os.fsync(handle)
        _check_unchanged(before)
        temporary.replace(before.path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(folder)


def _make_alike(handle: int, before: Snapshot) -> None:
    """Give the new file the old one's group, mode and extended attributes."""
    if before.status is None:
        return
    if os.fstat(handle).st_gid != before.status.st_gid:
        os.fchown(handle, -1, before.status.st_gid)
    os.fchmod(handle, stat.S_IMODE(before.status.st_mode))
    if sys.platform == "linux":
        for name, value in before.attributes.items():
            with suppress(OSError):  # some are the system's own, and it sets them itself
                os.setxattr(handle, name, value)


def _check_unchanged(before: Snapshot) -> None:
    """Refuse when somebody wrote the file since it was read: their change would be lost."""
    now = read(before.asked)
    was, status = before.status, now.status
    same = now.path == before.path and now.data == before.data
    if not same or (was and (was.st_dev, was.st_ino)) != (status and (status.st_dev, status.st_ino)):
        raise InstallRefused(f"{before.path} was changed by another program at the same moment. Try again.")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- the first original -------------------------------------------------------------------------


def _key(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def _backup_path(folder: Path, path: Path) -> Path:
    return folder / f"{path.name}.{_key(path)}"


def _keep_original(backup: Path, before: Snapshot) -> None:
    """Keep the file as it was before the first change. Later states never replace it."""
    if before.data is None or backup.exists():
        return
    make_folder(backup.parent)
    nothing = Snapshot(backup, backup, None, None)
    _replace(nothing, before.data)


def _drop_backup(backup: Path, after: str | None) -> None:
    """Remove the backup once the file is again what it was: the next change then keeps the next original."""
    if after is not None and backup.exists() and backup.read_bytes() == after.encode():
        backup.unlink()
