"""Where a bot's token lies, and that it lies nowhere else."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from sayso.daemon.bot_token import TokenStore
from sayso.errors import Unavailable
from tests.telegram.bot_api import TOKEN


class KeyringError(Exception):
    pass


class Keyring:
    """The system's keyring."""

    def __init__(self) -> None:
        self.priority = 5.0
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = False
        self.keeps = True

    def get_keyring(self) -> Keyring:
        return self

    def get_password(self, service: str, name: str) -> str | None:
        self._check()
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, password: str) -> None:
        self._check()
        if self.keeps:
            self.kept[service, name] = password

    def delete_password(self, service: str, name: str) -> None:
        self._check()
        if self.kept.pop((service, name), None) is None:
            raise KeyringError("there is none")

    def _check(self) -> None:
        if self.is_locked:
            raise KeyringError("locked")


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    made = Keyring()
    errors = types.ModuleType("keyring.errors")
    errors.KeyringError = KeyringError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", made)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "telegram.token"


def test_without_a_keyring_it_is_a_file_of_its_owners_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    store = TokenStore(str(path), keyring=True)
    assert (store.kept_in, store.read()) == ("", "")
    store.write(TOKEN)
    assert path.stat().st_mode & 0o777 == 0o600
    again = TokenStore(str(path), keyring=True)
    assert (again.kept_in, again.read()) == ("file", TOKEN)
    again.forget()
    assert not list(path.parent.iterdir())


def test_in_the_keyring_no_file_has_it(path: Path, keyring: Keyring) -> None:
    TokenStore(str(path), keyring=True).write(TOKEN)
    assert TOKEN not in path.read_text()
    again = TokenStore(str(path), keyring=True)
    assert (again.kept_in, again.read()) == ("keyring", TOKEN)
    again.forget()
    assert keyring.kept == {}
    assert again.kept_in == ""


@pytest.mark.parametrize("trouble", ["locked", "forgetful", "plain"])
def test_a_keyring_that_does_not_do_is_not_used(path: Path, keyring: Keyring, trouble: str) -> None:
    keyring.is_locked = trouble == "locked"
    keyring.keeps = trouble != "forgetful"
    keyring.priority = 0.5 if trouble == "plain" else 5.0
    store = TokenStore(str(path), keyring=True)
    store.write(TOKEN)
    assert (store.kept_in, store.read(), keyring.kept) == ("file", TOKEN, {})


def test_a_keyring_that_is_locked_later_is_said(path: Path, keyring: Keyring) -> None:
    store = TokenStore(str(path), keyring=True)
    store.write(TOKEN)
    keyring.is_locked = True
    with pytest.raises(Unavailable, match="unlock it") as said:
        store.read()
    assert TOKEN not in said.value.text


def test_a_private_desk_leaves_the_keyring_alone(path: Path, keyring: Keyring) -> None:
    store = TokenStore(str(path))
    store.write(TOKEN)
    assert (store.kept_in, keyring.kept) == ("file", {})


def test_a_private_desk_takes_no_token_from_a_keyring_whatever_its_file_says(
    path: Path, keyring: Keyring
) -> None:
    TokenStore(str(path), keyring=True).write(TOKEN)
    private = TokenStore(str(path))
    with pytest.raises(Unavailable):
        private.read()
    private.forget()
    assert TOKEN in keyring.kept.values()


def test_a_file_that_others_may_read_is_closed_to_them(path: Path) -> None:
    path.write_text(TOKEN)
    path.chmod(0o644)
    assert TokenStore(str(path)).read() == TOKEN
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_written_is_said_without_the_token(tmp_path: Path) -> None:
    store = TokenStore(str(tmp_path / "nowhere" / "telegram.token"))
    with pytest.raises(Unavailable, match="cannot be kept") as said:
        store.write(TOKEN)
    assert TOKEN not in said.value.text


def test_in_memory_it_is_gone_with_the_desk() -> None:
    store = TokenStore()
    store.write(TOKEN)
    assert (store.kept_in, store.read()) == ("file", TOKEN)
    store.forget()
    assert store.kept_in == ""
