"""One desk per home: its lock, its socket, what it leaves, what it displaces."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sayso.client.places import Places
from sayso.daemon.files import MOST_FILES
from sayso.daemon.lifecycle import CannotStart, Options, listen, masked, take_lock, up
from tests.daemon.stage import desk, private_home, running
from tests.desks import Home


@pytest.fixture
def home() -> Iterator[Places]:
    here = private_home()
    yield here
    shutil.rmtree(here.run.parent)


# --- the lock ----------------------------------------------------------------------------------


def test_case_50_everything_is_its_users_alone(home: Places) -> None:
    lock = take_lock(home)
    with listen(home.socket):
        for folder in (home.run, home.state, home.socket.parent):
            assert folder.stat().st_mode & 0o777 == 0o700
        assert home.socket.stat().st_mode & 0o777 == 0o600
        assert home.lock.stat().st_mode & 0o777 == 0o600
        assert home.lock.read_text() == f"{os.getpid()}\n"
    os.close(lock)


def test_a_second_desk_is_told_who_has_the_home(home: Places) -> None:
    lock = take_lock(home)
    with pytest.raises(CannotStart, match=f"runs here already \\(process {os.getpid()}\\)"):
        take_lock(home)
    os.close(lock)
    os.close(take_lock(home))


def test_a_crash_frees_the_lock(home: Places) -> None:
    holder = (
        "import os, sys; from sayso.client.places import places;"
        "from sayso.daemon.lifecycle import take_lock;"
        "take_lock(places({'SAYSO_HOME': sys.argv[1]})); os.write(1, b'up'); os.read(0, 1)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(home.run.parent)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.read(2) == b"up"
        with pytest.raises(CannotStart, match=str(process.pid)):
            take_lock(home)
        process.kill()
    os.close(take_lock(home))


def test_a_lock_that_says_nothing(home: Places) -> None:
    lock = take_lock(home)
    os.ftruncate(lock, 0)
    with pytest.raises(CannotStart, match="process \\?"):
        take_lock(home)
    os.close(lock)


def test_case_50_a_folder_that_is_open_to_others_is_not_used(home: Places) -> None:
    home.run.mkdir(parents=True)
    home.run.chmod(0o755)
    with pytest.raises(CannotStart, match="chmod 700"):
        take_lock(home)


def test_a_folder_that_cannot_be_made(home: Places) -> None:
    home.run.parent.mkdir(parents=True, exist_ok=True)
    home.run.write_text("")
    with pytest.raises(CannotStart, match="cannot be made"):
        take_lock(home)


def test_as_many_may_wait_as_the_system_allows(home: Places) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        home.socket.parent.mkdir(mode=0o700, parents=True)
        home.socket.write_text("")  # so that it ends at once
        with pytest.raises(CannotStart, match="in the way"):
            up(home, Options(port=None))
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, MOST_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_folder_that_is_a_link_is_not_used(home: Places, tmp_path: Path) -> None:
    home.run.symlink_to(tmp_path)
    with pytest.raises(CannotStart, match="not a folder of yours"):
        take_lock(home)


# --- the socket --------------------------------------------------------------------------------


def test_a_stale_socket_is_removed(home: Places) -> None:
    os.close(take_lock(home))
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(home.socket))
    assert home.socket.exists()
    with listen(home.socket) as listener:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(str(home.socket))
        assert not listener.getblocking()


@pytest.mark.parametrize("backlog", [8, 0])
def test_a_living_peer_is_never_displaced(home: Places, backlog: int) -> None:
    os.close(take_lock(home))
    with socket.socket(socket.AF_UNIX) as other, socket.socket(socket.AF_UNIX) as waiting:
        other.bind(str(home.socket))
        other.listen(backlog)
        waiting.connect(str(home.socket))  # with no backlog it is full now
        with pytest.raises(CannotStart, match="something else listens"):
            listen(home.socket)
        other.accept()[0].close()
    assert home.socket.exists()


def test_what_is_no_socket_is_left_alone(home: Places) -> None:
    os.close(take_lock(home))
    home.socket.write_text("mine")
    with pytest.raises(CannotStart, match="is in the way"):
        listen(home.socket)
    assert home.socket.read_text() == "mine"


def test_a_socket_that_cannot_be_made(home: Places) -> None:
    with pytest.raises(CannotStart, match="cannot be made"):
        listen(home.socket)


def test_one_that_goes_while_it_is_looked_at(home: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    os.close(take_lock(home))
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(home.socket))
    found = home.socket.lstat()
    home.socket.unlink()
    monkeypatch.setattr(Path, "lstat", lambda _: found)
    listen(home.socket).close()


# --- running -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_signals_end_it(number: int) -> None:
    async with desk() as stage:
        hook = await stage.peer()
        call, _ = await hook.ask()
        os.kill(os.getpid(), number)
        if number == signal.SIGHUP:  # as a restart
            assert await asyncio.wait_for(hook.reader.read(-1), 10) == b""
        else:
            assert (await hook.answer_to(call))["result"] == {}
        assert await hook.is_closed()


async def test_settings_outlive_the_desk(home: Places) -> None:
    async with running(home) as stage:
        changed = await (await stage.peer()).call("desk.settings", {"settings": {"exclusive_wait_s": 77}})
    async with running(home) as stage:
        assert await (await stage.peer()).call("desk.settings") == changed
        assert changed["exclusive_wait_s"] == 77


async def test_what_is_asked_is_not_on_the_disk(home: Places) -> None:
    async with running(home) as stage:
        hook, person = await stage.peer(), await stage.peer()
        _, request_id = await hook.ask(input=[{"label": "x", "value": "very-private"}], cwd="/very-private")
        reply = {"behavior": "deny", "message": "very-private"}
        await person.call("desk.answer", {"id": request_id, "reply": reply})
    for path in home.run.parent.rglob("*"):
        assert not path.is_file() or b"very-private" not in path.read_bytes()


async def test_the_same_desk_over_http() -> None:
    async with desk(port=0) as stage:
        hook, person = await stage.peer(), await stage.peer()
        made = await person.call("desk.devices", {"create": "phone", "power": "answer"})
        url = (await person.call("desk.health"))["http"]
        headers = {"Authorization": f"Bearer {made['token']}"}
        call, request_id = await hook.ask()
        async with httpx.AsyncClient(base_url=url, headers=headers, trust_env=False) as client:
            assert (await client.get("/api/agent-requests", headers={"Authorization": ""})).status_code == 401
            listed = (await client.get("/api/agent-requests")).json()
            assert request_id in str(listed)
            answered = await client.post(
                f"/api/agent-requests/{request_id}/answer", json={"behavior": "allow"}
            )
            assert (answered.status_code, answered.json()["state"]) == (200, "answered")
        assert (await hook.answer_to(call))["result"] == {"behavior": "allow"}


async def test_where_the_port_is_taken_the_socket_serves_all_the_same() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        async with desk(port=other.getsockname()[1]) as stage:
            health = await (await stage.peer()).call("desk.health")
            assert health["http"].startswith("off: ")


def test_only_a_private_desk_is_told_who_its_agents_are(
    home: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = Places(private=False, run=home.run, state=home.state, data=home.data)
    with pytest.raises(CannotStart, match="SAYSO_HOME"):
        up(default, Options(agents_only=frozenset({1})))
    assert not home.run.exists()


def test_up_frees_the_lock_when_it_cannot_listen(home: Places) -> None:
    os.close(take_lock(home))
    home.socket.write_text("in the way")
    with pytest.raises(CannotStart):
        up(home, Options(port=None))
    os.close(take_lock(home))


def test_up_runs_until_it_is_told_to_stop(home: Places) -> None:
    seen: list[bool] = []

    def ready() -> None:
        seen.append(home.socket.is_socket())
        os.kill(os.getpid(), signal.SIGTERM)

    up(home, Options(port=None), ready)
    assert seen == [True]
    assert not home.socket.exists()


def test_troubles_are_told(home: Places) -> None:
    home.state.mkdir(mode=0o700, parents=True)
    home.database.write_bytes(b"no database at all" * 100)

    async def health() -> dict[str, object]:
        async with running(home) as stage:
            found: dict[str, object] = await (await stage.peer()).call("desk.health")
            return found

    assert asyncio.run(health())["troubles"] != []


def test_masking_is_plugged_in() -> None:
    assert masked("plain words") == ("plain words", ())
    text, hidden = masked("token ghp_" + "a1B2c3D4e5F6" * 3)
    assert "a1B2c3D4e5F6a1B2c3D4e5F6" not in text
    assert hidden != ()


def test_case_10_hundreds_may_come_while_the_desk_is_busy() -> None:
    with Home() as home:
        home.up()
        os.kill(home.pid, signal.SIGSTOP)
        try:
            callers = [socket.socket(socket.AF_UNIX) for _ in range(500)]
            for caller in callers:
                caller.setblocking(False)
                caller.connect(str(home.places.socket))
        finally:
            os.kill(home.pid, signal.SIGCONT)
        for caller in callers:
            caller.close()


def test_a_desk_that_is_ended_while_it_opens_leaves_nothing_behind(home: Places) -> None:
    env = {**os.environ, "SAYSO_HOME": str(home.run.parent)}
    process = subprocess.Popen(
        [sys.executable, "-m", "sayso", "up", "--no-http"], env=env, stdout=subprocess.PIPE
    )
    until_s = time.monotonic() + 20
    while not home.socket.exists():
        assert time.monotonic() < until_s
    process.terminate()
    assert process.wait(20) == 0
    assert process.stdout is not None
    process.stdout.close()
    assert not home.socket.exists()
