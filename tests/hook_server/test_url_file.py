"""The private file with the URL: one server's at a time, nobody else's to read, gone when it stops."""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sayso.hook_server import HookServer as AsyncHookServer
from sayso.hook_server import UnsafeFolder, UrlFileInUse
from sayso.hook_server.blocking import HookServer
from sayso.hook_server.url_file import UrlFile

KILLED = """
import os, signal, sys
from sayso.hook_server.blocking import HookServer
HookServer(url_file=sys.argv[1]).start()
os.kill(os.getpid(), signal.SIGKILL)
"""

FORKED = """
import os, sys
from sayso.hook_server.blocking import HookServer
path = sys.argv[1]
server = HookServer(url_file=path)
server.start()
parent, child = os.pipe()
if os.fork() == 0:
    os.close(child)
    server._engine._undo()
    os.read(parent, 1)
    os._exit(0)
os.close(parent)
assert open(path).read() == server.url + "\\n"
server.stop()
server.start()
assert open(path).read() == server.url + "\\n"
server.stop()
os.close(child)
os.wait()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "url"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_holds_the_url_and_is_private(path: Path) -> None:
    before = os.umask(0)
    try:
        with HookServer(url_file=path) as server:
            assert path.read_text() == f"{server.url}\n"
            assert (mode(path.parent), mode(path)) == (0o700, 0o600)
            assert sorted(path.parent.iterdir()) == [path, path.with_name("url.lock")]
    finally:
        os.umask(before)
    assert not path.exists()


def test_without_one_nothing_is_written_and_there_is_no_command(tmp_path: Path) -> None:
    with HookServer() as server, pytest.raises(RuntimeError, match="url_file"):
        server.command()


def test_the_command_is_always_the_same_and_holds_no_secret(path: Path) -> None:
    server = HookServer(url_file=str(path))
    before = server.command()
    for _ in range(2):
        with server:
            assert server.command() == before
            assert not any(server.token in word or str(server.port) in word for word in before)
    assert before[-5:-2] == [sys.executable, "-I", "-S"]


def test_a_second_server_leaves_it_alone(path: Path) -> None:
    with HookServer(url_file=path) as first:
        second = HookServer(url_file=path)
        with pytest.raises(UrlFileInUse, match="another file"):
            second.start()
        assert not second.running
        assert path.read_text() == f"{first.url}\n"
        second.stop()
        assert path.exists()
    with second:
        assert path.read_text() == f"{second.url}\n"


def test_a_forwarder_that_looks_whether_a_server_lives_is_not_in_the_way(path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    lock = os.open(path.with_name("url.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_SH)
    done = threading.Timer(0.05, os.close, (lock,))
    done.start()
    with HookServer(url_file=path):
        assert path.exists()
    done.join()


def test_after_one_that_was_killed_the_next_one_has_it(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, timeout=30)
    assert done.returncode == -9
    left = path.read_text()
    with HookServer(url_file=path) as server:
        assert path.read_text() == f"{server.url}\n" != left


def test_what_one_left_is_gone_before_the_next_one_can_be_believed(path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    path.write_text("http://127.0.0.1:1/hook?t=x\n")
    file = UrlFile(path)
    asyncio.run(file.take())
    assert not path.exists()
    file.leave()


async def test_nobody_is_sent_to_the_port_of_one_that_is_about_to_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []
    close = asyncio.Server.close

    def closing(server: asyncio.Server) -> None:
        closed.append(path.exists())
        close(server)

    async with AsyncHookServer(url_file=path):
        monkeypatch.setattr(asyncio.Server, "close", closing)
    assert closed
    assert not any(closed)


def test_a_copy_of_its_process_neither_removes_nor_keeps_it(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FORKED, str(path)], check=False, timeout=30)
    assert done.returncode == 0


def test_what_somebody_else_wrote_since_is_not_removed(path: Path) -> None:
    with HookServer(url_file=path):
        path.write_text("http://127.0.0.1:1/hook?t=x\n")
    assert path.read_text() == "http://127.0.0.1:1/hook?t=x\n"


def test_one_that_is_gone_already_is_fine(path: Path) -> None:
    with HookServer(url_file=path):
        path.unlink()


@pytest.mark.parametrize("open_to", [0o770, 0o707, 0o755])
def test_a_folder_that_others_reach_is_refused(path: Path, open_to: int) -> None:
    path.parent.mkdir()
    path.parent.chmod(open_to)
    server = HookServer(url_file=path)
    with pytest.raises(UnsafeFolder, match="chmod 700"):
        server.start()
    assert not server.running
    assert list(path.parent.iterdir()) == []


def test_links_are_not_followed(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    target = tmp_path / "target"
    target.write_text("mine")
    path.symlink_to(target)
    with HookServer(url_file=path):
        assert not path.is_symlink()
    assert target.read_text() == "mine"
    lock = path.with_name("url.lock")
    lock.unlink()
    lock.symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        HookServer(url_file=path).start()


def test_where_it_cannot_be_written_nothing_runs(path: Path) -> None:
    path.mkdir(parents=True, mode=0o700)
    path.parent.chmod(0o700)
    server = HookServer(url_file=path)
    with pytest.raises(OSError, match="directory"):
        server.start()
    assert not server.running
    with pytest.raises(RuntimeError):
        _ = server.url
    assert sorted(one.name for one in path.parent.iterdir()) == ["url", "url.lock"]
    path.rmdir()
    with server:
        assert path.exists()


def test_a_folder_of_the_home_may_be_given_by_its_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with HookServer(url_file="~/hooks/url") as server:
        assert (tmp_path / "hooks" / "url").exists()
        assert server.command()[-1] == str(tmp_path / "hooks" / "url")
