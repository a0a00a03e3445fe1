"""Where things are: a function of the user alone, whatever the environment says."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from sayso.client import address
from sayso.client import places as module
from sayso.client.places import MAX_SOCKET_BYTES, check_private, is_ours, places


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a home of their own, and no runtime folder."""
    entry = pwd.struct_passwd(("ada", "x", os.getuid(), 0, "", str(tmp_path), "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda _: entry)
    monkeypatch.setattr(module, "runtime_folder", lambda: Path("/tmp"))
    return tmp_path


def test_the_environment_has_no_say(user: Path) -> None:
    env = {"HOME": "/elsewhere", "XDG_RUNTIME_DIR": "/elsewhere", "XDG_STATE_HOME": "/elsewhere"}
    assert places(env) == places({})
    assert not places(env).private
    assert "elsewhere" not in repr(places(env))


def test_in_the_home_where_there_is_no_runtime_folder(user: Path) -> None:
    found = places({})
    assert found.run == user / ".local/state/sayso/run"
    assert found.database == user / ".local/state/sayso/sayso.db"
    assert found.log == user / ".local/state/sayso/desk.log"
    assert found.data == user / ".local/share/sayso"


def test_in_the_runtime_folder_where_there_is_one(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "runtime_folder", lambda: Path("/run/user/501"))
    found = places({})
    assert str(found.socket) == "/run/user/501/sayso/desk.sock"
    assert str(found.flags) == "/run/user/501/sayso/flags"
    assert str(found.lock) == "/run/user/501/sayso/desk.lock"
    assert found.state == user / ".local/state/sayso"


def test_a_private_desk_has_everything_in_its_home(tmp_path: Path) -> None:
    found = places({"SAYSO_HOME": str(tmp_path)})
    assert found.private
    for place in (found.run, found.state, found.data, found.flags, found.lock, found.database, found.log):
        assert place.is_relative_to(tmp_path.resolve())
    assert places({"SAYSO_HOME": "relative"}).run.is_absolute()
    assert not places({"SAYSO_HOME": ""}).private


def test_a_path_that_is_too_long_for_a_socket_is_another(tmp_path: Path) -> None:
    fits = "x" * (MAX_SOCKET_BYTES - len("/run/desk.sock") - 1)
    assert str(places({"SAYSO_HOME": f"/{fits}"}).socket) == f"/{fits}/run/desk.sock"
    long = places({"SAYSO_HOME": f"/{fits}x"})
    other = places({"SAYSO_HOME": f"/{fits}y"})
    assert long.socket.name == "desk.sock"
    assert len(os.fsencode(long.socket)) <= MAX_SOCKET_BYTES
    assert long.socket != other.socket
    assert long.socket == places({"SAYSO_HOME": f"/{fits}x"}).socket
    assert long.socket.parent.name.startswith("sayso-")
    assert len(long.socket.parent.name) == len("sayso-") + 16


def test_bytes_count_and_not_characters(tmp_path: Path) -> None:
    assert places({"SAYSO_HOME": "/" + "é" * 45}).socket.parent.name.startswith("sayso-")


def test_the_runtime_folder_is_used_only_if_it_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_ours", lambda _: True)
    assert module.runtime_folder() == Path(f"/run/user/{os.getuid()}")
    monkeypatch.setattr(module, "is_ours", lambda _: False)
    assert module.runtime_folder() == Path("/tmp")


def test_what_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    assert is_ours(tmp_path)
    assert not is_ours(file)
    assert not is_ours(tmp_path / "nothing")
    uid = os.getuid()
    monkeypatch.setattr(module.os, "getuid", lambda: uid + 1)
    assert not is_ours(tmp_path)


def test_case_50_a_folder_that_must_be_private(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert "No such file" in check_private(folder)
    folder.mkdir()
    folder.chmod(0o700)
    assert check_private(folder) == ""
    folder.chmod(0o711)
    assert "chmod 700" in check_private(folder)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert "not a folder of yours" in check_private(link)


# --- the socket alone, for programs that must start fast ---------------------------------------


@pytest.mark.parametrize("home", ["", "/tmp", "relative/folder", "/tmp/../tmp/x", "/" + "x" * 120])
def test_the_light_way_to_the_socket_leads_to_the_same(home: str) -> None:
    assert address.socket_path({"SAYSO_HOME": home}) == str(places({"SAYSO_HOME": home}).socket)


def test_the_light_way_follows_links_to_a_private_home(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "home")
    env = {"SAYSO_HOME": str(tmp_path / "link")}
    assert address.socket_path(env) == str(places(env).socket)


@pytest.mark.parametrize("runtime", ["/run/user/501", "/tmp"])
def test_the_light_way_where_there_is_a_runtime_folder_or_none(
    user: Path, monkeypatch: pytest.MonkeyPatch, runtime: str
) -> None:
    monkeypatch.setattr(module, "runtime_folder", lambda: Path(runtime))
    monkeypatch.setattr(address, "runtime_folder", lambda: runtime)
    assert address.socket_path({}) == str(places({}).socket)
