"""Where a bot's token lies: in the system's keyring, else in a file that its owner alone can read.

The keyring only where the extra brings it and it is a real one; a file that says so stands for it here.
May block, as keyrings do: call it in a thread. Not here: whose the token is (`chats`). Imports keyring,
if it is installed, once there is a token.
"""

from __future__ import annotations

import importlib
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from sayso.errors import Unavailable

KEYRING, FILE = "keyring", "file"
_SERVICE, _NAME = "sayso", "telegram-bot"
_LEAST_PRIORITY = 1
"""Below it are backends that keep nothing, or in plain text where others look."""


class TokenStore:
    """The one token.

    Args:
        path: the file; "" keeps the token in memory.
        keyring: whether the system's may be used; a private desk leaves it alone.
    """

    def __init__(self, path: str = "", keyring: bool = False) -> None:
        self._path = Path(path) if path else None
        self._keyring = keyring
        self._memory = ""

    @property
    def kept_in(self) -> str:
        """Where it lies: keyring or file; "" while there is none."""
        said = self._said()
        return KEYRING if said == KEYRING else FILE if said else ""

    def read(self) -> str:
        """Return the token, "" while there is none. Raises: Unavailable, where the keyring gives none."""
        said = self._said()
        if said != KEYRING:
            return said
        keyring = self._system()
        found = _tried(lambda: keyring.get_password(_SERVICE, _NAME)) if keyring is not None else None
        if not found:
            raise Unavailable("the system's keyring does not give the bot's token: unlock it, or pair anew")
        return str(found)

    def write(self, token: str) -> None:
        """Keep a token in place of the one before. Raises: Unavailable."""
        if self._path is None:
            self._memory = token
            return
        self.forget()
        self._put(KEYRING if self._in_keyring(token) else token)

    def forget(self) -> None:
        """Keep none. Raises: Unavailable."""
        if self.kept_in == KEYRING and (keyring := self._system()) is not None:
            _tried(lambda: keyring.delete_password(_SERVICE, _NAME))
        self._memory = ""
        if self._path is not None:
            try:
                self._path.unlink(missing_ok=True)
            except OSError as error:
                raise Unavailable(f"{self._path} cannot be removed: {error.strerror}") from None

    def _said(self) -> str:
        """Return what the file says: the token, or that it is in the keyring."""
        if self._path is None:
            return self._memory
        with suppress(OSError, UnicodeDecodeError):
            if self._path.stat().st_mode & 0o077:
                self._path.chmod(0o600)
            return self._path.read_text("ascii").strip()
        return ""

    def _system(self) -> Any:
        """Return the system's keyring; None where it is not to be used, whatever the file says."""
        return _system() if self._keyring else None

    def _in_keyring(self, token: str) -> bool:
        """Put the token into the keyring; return whether it gives it back."""
        keyring = self._system()
        if keyring is None:
            return False
        _tried(lambda: keyring.set_password(_SERVICE, _NAME, token))
        return _tried(lambda: keyring.get_password(_SERVICE, _NAME)) == token

    def _put(self, text: str) -> None:
        """Write the file, whole or not at all. Raises: Unavailable."""
        if self._path is None:
            return
        draft = self._path.with_name(f"{self._path.name}.{secrets.token_hex(4)}")
        try:
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(f"{text}\n")
            draft.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise Unavailable(f"the bot's token cannot be kept: {error.strerror}") from None


def _system() -> Any:
    """Return the system's keyring, None where there is none to speak of."""
    try:
        keyring = importlib.import_module("keyring")
        errors = importlib.import_module("keyring.errors")
    except ImportError:
        return None
    try:
        return keyring if keyring.get_keyring().priority >= _LEAST_PRIORITY else None
    except (errors.KeyringError, RuntimeError):
        return None


def _tried(use: Any) -> Any:
    """Return what a keyring gives; None when it fails, whatever its backend makes of that."""
    errors = importlib.import_module("keyring.errors")
    try:
        return use()
    except (errors.KeyringError, OSError, RuntimeError):
        return None
