"""Names of folders: real repositories and worktrees, and folders that mean harm."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sayso.daemon import repositories as module
from sayso.daemon.repositories import FRESH_S, MOST_FOLDERS, Repositories, read_whereabouts
from sayso.wire.views import NOWHERE, Whereabouts

Git = Callable[..., str]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return git, as on a machine where nothing is configured."""

    def run(folder: Path, *words: str) -> str:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
        }
        done = subprocess.run(
            ["git", "-C", str(folder), *words],
            env=env,
            check=True,
            capture_output=True,
            text=True,
            timeout=30,
        )
        return done.stdout.strip()

    return run


@pytest.fixture
def shop(tmp_path: Path, git: Git) -> Path:
    """Return a repository with one commit on its branch `main`."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "begin")
    return folder


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def made(folder: Path, **files: str) -> Path:
    """Return the .git of a repository that is written by hand."""
    dot = folder / ".git"
    dot.mkdir(parents=True)
    for name, text in files.items():
        (dot / name).write_text(text)
    return dot


def read(folder: Path | str) -> Whereabouts:
    return read_whereabouts(str(folder))


# --- what git makes ---------------------------------------------------------------------


def test_a_repository_and_every_folder_in_it(shop: Path) -> None:
    deep = shop / "src" / "cart"
    deep.mkdir(parents=True)
    assert read(shop) == read(deep) == read(f"{shop}/") == Whereabouts("shop", "main")


def test_a_branch_without_a_commit_and_one_with_slashes(tmp_path: Path, git: Git) -> None:
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "-q", "-b", "feature/a/b")
    assert read(tmp_path / "new") == Whereabouts("new", "feature/a/b")


def test_a_detached_head_is_the_beginning_of_its_hash(shop: Path, git: Git) -> None:
    git(shop, "checkout", "-q", "--detach")
    assert read(shop) == Whereabouts("shop", git(shop, "rev-parse", "HEAD")[:7])


def test_a_worktree_has_its_own_branch_and_the_name_of_its_repository(
    tmp_path: Path, shop: Path, git: Git
) -> None:
    git(shop, "worktree", "add", "-q", "-b", "fix", str(tmp_path / "elsewhere" / "fix-1"))
    assert read(tmp_path / "elsewhere" / "fix-1") == Whereabouts("shop", "fix", "fix-1")
    assert read(shop) == Whereabouts("shop", "main")


@pytest.mark.parametrize(("folder", "name"), [("shop.git", "shop"), ("other/.bare", "other")])
def test_a_worktree_of_a_bare_repository(
    tmp_path: Path, shop: Path, git: Git, folder: str, name: str
) -> None:
    bare = tmp_path / "bare" / folder
    git(tmp_path, "clone", "-q", "--bare", str(shop), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    assert read(tmp_path / "tree") == Whereabouts(name, "main", "tree")


def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path, shop: Path, git: Git) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q", "-b", "trunk")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(shop), "lib")
    assert read(outer / "lib") == Whereabouts("lib", "main")
    assert read(outer) == Whereabouts("outer", "trunk")


def test_outside_of_repositories_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert read(tmp_path) == read(tmp_path / "gone") == read("/") == NOWHERE
    assert Repositories().of("") == Repositories().of("src") == Repositories().of("/a\0b") == NOWHERE


# --- what means harm --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/a\x1b[2Jb\n", "a\ufffd[2Jb"),
        ("ref: refs/heads/main \u202e· session 0c7d8e55", "main\ufffd\ufffd·\ufffdsession\ufffd0c7d8e55"),
        ("ref: refs/heads/" + "x" * 100_000, "x" * 200),
        ("ref: refs/heads/.invalid\n", ""),
        ("ref: refs/tags/v1\n", "refs/tags/v1"),
        ("ref: refs/heads/ghp_" + "Examp1e" * 6, "ghp_…[masked]"),
        (f"{COMMIT}\n", "0123456"),
        (COMMIT + "0123456789abcdef01234567", "0123456"),
        (COMMIT + "0", ""),
        ("root:x:0:0:root\n", ""),
        ("", ""),
    ],
)
def test_what_a_head_says_is_shown_safely_or_not_at_all(tmp_path: Path, head: str, branch: str) -> None:
    made(tmp_path / "app", HEAD=head)
    assert read(tmp_path / "app") == Whereabouts("app", branch)


def test_bytes_that_are_no_text_are_shown_as_such(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/a\xff"
    (made(Path(os.fsdecode(folder))) / "HEAD").write_bytes(b"ref: refs/heads/\xff\xfe\r\n")
    assert read(os.fsdecode(folder)) == Whereabouts("a\ufffd", "\ufffd\ufffd")


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    for kind in ("pipe", "link", "folder"):
        head = made(tmp_path / kind) / "HEAD"
        if kind == "pipe":
            os.mkfifo(head)
        elif kind == "link":
            (tmp_path / "secret").write_text("ref: refs/heads/secret")
            head.symlink_to(tmp_path / "secret")
        else:
            head.mkdir()
        assert read(tmp_path / kind) == Whereabouts(kind, "")
    for kind in ("/dev/zero", "/dev/tty"):
        made(tmp_path / "device" / kind.strip("/")).joinpath("HEAD").symlink_to(kind)
        assert read(tmp_path / "device" / kind.strip("/")).branch == ""


@pytest.mark.parametrize("said", ["gitdir: /dev", "gitdir: /gone\n", "gitdir:", "gitdir: .", "no\n", ""])
def test_a_file_that_leads_astray_gives_no_branch(tmp_path: Path, said: str) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / ".git").write_text(said)
    assert read(folder).branch == read(folder).worktree == ""


def test_a_pipe_or_a_link_instead_of_the_folder_is_no_repository(tmp_path: Path) -> None:
    for name in ("pipe", "link"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe" / ".git")
    (tmp_path / "said").write_text("gitdir: /somewhere")
    (tmp_path / "link" / ".git").symlink_to(tmp_path / "said")
    assert read(tmp_path / "pipe") == read(tmp_path / "link") == NOWHERE


def test_nothing_is_run(tmp_path: Path, shop: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", run)
    monkeypatch.setattr(os, "posix_spawn", run)
    monkeypatch.setattr(os, "fork", run)
    assert read(shop).branch == "main"


# --- what it costs ----------------------------------------------------------------------


def test_a_change_is_seen_once_what_is_known_is_old(shop: Path, git: Git) -> None:
    clock = Time()
    repositories = Repositories(clock)
    assert repositories.of(str(shop)).branch == "main"
    git(shop, "checkout", "-q", "-b", "next")
    clock.now_s = FRESH_S - 0.01
    assert repositories.of(str(shop)).branch == "main"
    clock.now_s = FRESH_S
    assert repositories.of(str(shop)).branch == "next"


def test_only_so_many_folders_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def count(cwd: str) -> Whereabouts:
        asked.append(cwd)
        return Whereabouts(cwd)

    monkeypatch.setattr(module, "read_whereabouts", count)
    repositories = Repositories(Time())
    for number in range(MOST_FOLDERS + 1):
        repositories.of(f"/{number}")
    repositories.of("/1")
    assert len(asked) == MOST_FOLDERS + 1
    assert repositories.of("/0") == Whereabouts("/0")
    assert asked[-1] == "/0"


def test_files_that_hang_cost_the_names_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    hang, read_again = threading.Event(), threading.Event()

    def hanging(cwd: str) -> Whereabouts:
        if cwd == "/hangs":
            assert hang.wait(30)
            read_again.set()
        return Whereabouts(cwd)

    monkeypatch.setattr(module, "read_whereabouts", hanging)
    clock = Time()
    repositories = Repositories(clock)
    assert repositories.of("/a") == Whereabouts("/a")
    clock.now_s = FRESH_S
    assert repositories.of("/hangs") == NOWHERE
    assert repositories.of("/b") == NOWHERE
    assert repositories.of("/a") == Whereabouts("/a")
    hang.set()
    assert read_again.wait(30)
    deadline_s = time.monotonic() + 10
    while repositories.of("/b") == NOWHERE and time.monotonic() < deadline_s:
        threading.Event().wait(0.001)
    assert repositories.of("/b") == Whereabouts("/b")


def test_an_error_of_the_system_is_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(cwd: str) -> Whereabouts:
        raise OSError("the disk is gone")

    monkeypatch.setattr(module, "read_whereabouts", fail)
    assert Repositories().of("/a") == NOWHERE


def test_its_thread_ends_with_it(shop: Path) -> None:
    before = set(threading.enumerate())
    repositories = Repositories()
    assert repositories.of(str(shop)).branch == "main"
    [started] = set(threading.enumerate()) - before
    repositories.end()
    started.join(10)
    assert not started.is_alive()
