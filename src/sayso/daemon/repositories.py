"""Where a folder belongs: its repository, branch and worktree, read from files.

Never by running git: nothing that a repository says is carried out, and what is opened is a
regular file, read up to a bound, without following a link in its last part. Names are of this
machine alone. Files are looked at by a thread of its own, so that a file system that hangs
costs a card its names and not the desk its life. Imports `mask` and `wire`.
"""

from __future__ import annotations

import os
import re
import stat
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from sayso.mask import mask_text
from sayso.wire.views import NOWHERE, Whereabouts

FRESH_S = 2.0
"""How long what was read is taken for true."""
PATIENCE_S = 0.05
"""How long a card waits for files; then it goes without names."""
MOST_FOLDERS = 256
MOST_PARENTS = 64
MOST_BYTES = 4096
MOST_NAME_CHARS = 200
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SHORT_HASH_CHARS = 7
_OF_A_BRANCH = "refs/heads/"
_ELSEWHERE = ".invalid"
"""What HEAD names where references are kept in tables."""


class _Known(NamedTuple):
    place: Whereabouts
    read_s: float


class Repositories:
    """Names of folders, remembered for a moment; used from one thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._known: dict[str, _Known] = {}
        self._reader = _Reader(lambda cwd: read_whereabouts(cwd))

    def of(self, cwd: str) -> Whereabouts:
        """Return where a folder belongs, as it was at most FRESH_S ago if its files can be read."""
        known = self._known.get(cwd)
        if known is not None and self._now() - known.read_s < FRESH_S:
            return known.place
        if not cwd.startswith("/") or "\0" in cwd:
            return NOWHERE
        place = self._reader.read(cwd)
        if place is None:
            return known.place if known is not None else NOWHERE
        self._known.pop(cwd, None)  # so that the oldest stands first
        self._known[cwd] = _Known(place, self._now())
        if len(self._known) > MOST_FOLDERS:
            del self._known[next(iter(self._known))]
        return place

    def end(self) -> None:
        """End the thread, once it does not hang; no folder is asked for any more."""
        self._reader.end()


class _Reader:
    """Calls a function in a thread, waits for it a little, and does without while it hangs."""

    def __init__(self, read: Callable[[str], Whereabouts]) -> None:
        self._read = read
        self._asked: SimpleQueue[str | None] = SimpleQueue()
        self._place: Whereabouts | None = None
        self._done = threading.Event()
        self._done.set()
        self._thread: threading.Thread | None = None

    def read(self, cwd: str) -> Whereabouts | None:
        """Return what it says; None if it takes too long, or hangs since an earlier call."""
        if not self._done.is_set():
            return None
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="repositories", daemon=True)
            self._thread.start()
        self._done.clear()
        self._asked.put(cwd)
        return self._place if self._done.wait(PATIENCE_S) else None

    def end(self) -> None:
        self._asked.put(None)

    def _run(self) -> None:
        while (cwd := self._asked.get()) is not None:
            try:
                self._place = self._read(cwd)
            except (OSError, ValueError):
                self._place = NOWHERE
            self._done.set()


def read_whereabouts(cwd: str) -> Whereabouts:
    """Return where a folder belongs, from its files as they are."""
    folder = Path(cwd)
    for top in (folder, *islice(folder.parents, MOST_PARENTS)):
        git = _git_folder(top)
        if git is not None:
            return _whereabouts(top, git)
    return NOWHERE


def _git_folder(top: Path) -> Path | None:
    """Return where git keeps what it knows of a folder and those below; None if it knows nothing."""
    path = top / ".git"
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return path
    said = _line(path)
    return top / said.removeprefix("gitdir:").strip() if said.startswith("gitdir:") else None


def _whereabouts(top: Path, git: Path) -> Whereabouts:
    branch = _branch(_line(git / "HEAD"))
    common = _line(git / "commondir")
    if not common:
        return Whereabouts(project=_name(top.name), branch=branch)
    whole = Path(os.path.normpath(git / common))
    # A bare repository is known by its own name, unless that is one nobody is to see.
    name = whole.parent.name if whole.name.startswith(".") else whole.name.removesuffix(".git")
    return Whereabouts(project=_name(name), branch=branch, worktree=_name(top.name))


def _branch(head: str) -> str:
    """Return the branch that a HEAD names; the beginning of a commit's hash if it names none."""
    if head.startswith("ref:"):
        reference = head.removeprefix("ref:").strip()
        branch = reference.removeprefix(_OF_A_BRANCH)
        # Git allows no blank in a branch, and with one it could pass for words of ours.
        return "" if branch == _ELSEWHERE else _name(branch).replace(" ", "\ufffd")
    return head[:_SHORT_HASH_CHARS] if _HASH.fullmatch(head) else ""


def _name(text: str) -> str:
    """Return a name of the file system as it may be shown."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return mask_text(shown)[:MOST_NAME_CHARS]


def _line(path: Path) -> str:
    """Return the first line of a regular file; "" of anything else, or of none."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return ""
        head = os.read(file, MOST_BYTES)
    except OSError:
        return ""
    finally:
        os.close(file)
    return os.fsdecode(head.partition(b"\n")[0]).rstrip("\r")
