"""A key that seals rows, so that rows somebody else wrote can be told apart.

The key lies in a file of its own beside the database, readable by its owner alone. A
program that runs as the same user can read it: the seal shows tampering that did not
bother to, and that is all it claims.

A row that was taken back must not return by being copied back. So the key changes when
a row goes: `renew` keeps old and new key in the file until `settle`, so that a crash in
between costs no row. Imports the standard library alone.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

_KEY_BYTES = 32


class Seal:
    """The key of one database. An empty path keeps it in memory."""

    def __init__(self, path: str) -> None:
        self._path = Path(path) if path else None
        self.troubles: list[str] = []
        self._keys = self._read()
        """The one that seals first; then one that is still believed."""

    def sign(self, text: bytes) -> str:
        """Return the seal of a row. Puts the key in place when it is not there. Raises: OSError."""
        if not self._keys or not (self._path is None or self._path.exists()):
            self._write(self._keys or [secrets.token_bytes(_KEY_BYTES)])
        return _mac(self._keys[0], text)

    def fits(self, text: bytes, seal: str) -> bool:
        """Whether a row carries our seal."""
        given = seal.encode(errors="replace")
        return any(hmac.compare_digest(_mac(key, text).encode(), given) for key in self._keys)

    def renew(self) -> None:
        """Seal with a new key from now on; the old one still fits.

        Raises: OSError, with the key as it was.
        """
        self._write([secrets.token_bytes(_KEY_BYTES), *self._keys[:1]])

    def settle(self) -> None:
        """Forget the old key. Raises: OSError; the old key still fits then."""
        self._write(self._keys[:1])

    @property
    def unsettled(self) -> bool:
        """Whether the file still holds an old key, as after a crash."""
        return len(self._keys) > 1

    def _read(self) -> list[bytes]:
        if self._path is None:
            return []
        try:
            if self._path.stat().st_mode & 0o077:
                self._path.chmod(0o600)
                self.troubles.append(f"{self._path} could be read by others; now only by you")
            keys = [bytes.fromhex(line) for line in self._path.read_text("ascii").split()]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            self.troubles.append(f"{self._path} cannot be read ({error}): no device is known")
            return []
        return [key for key in keys[:2] if len(key) == _KEY_BYTES]

    def _write(self, keys: list[bytes]) -> None:
        if self._path is not None:
            _replace(self._path, b"".join(key.hex().encode() + b"\n" for key in keys))
        self._keys = keys


def _mac(key: bytes, text: bytes) -> str:
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def _replace(path: Path, content: bytes) -> None:
    """Put a private file in place, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise
