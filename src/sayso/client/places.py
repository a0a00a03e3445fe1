"""Where things are: a function of the user and their home in the password file alone.

The same in the desk, the command line and the installer, whatever the environment says;
only SAYSO_HOME makes a private desk, with everything under it. Imports `address` and the
standard library.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sayso.client import address
from sayso.client.address import MAX_SOCKET_BYTES as MAX_SOCKET_BYTES


@dataclass(frozen=True)
class Places:
    """Absolute paths. `private`: of a desk under SAYSO_HOME."""

    private: bool
    run: Path
    state: Path
    data: Path

    @property
    def socket(self) -> Path:
        return Path(address.socket_in(str(self.run), str(runtime_folder())))

    @property
    def flags(self) -> Path:
        return self.run / "flags"

    @property
    def lock(self) -> Path:
        return self.run / "desk.lock"

    @property
    def database(self) -> Path:
        return self.state / "sayso.db"

    @property
    def log(self) -> Path:
        return self.state / "desk.log"


def runtime_folder() -> Path:
    """Return the folder of this user's sockets, or the one that everybody shares."""
    own = Path(address.own_runtime())
    return own if is_ours(own) else Path(address.SHARED)


def is_ours(folder: Path) -> bool:
    return address.is_ours(str(folder))


def places(env: Mapping[str, str] = os.environ) -> Places:
    """Return the places of this user, or of the private desk that SAYSO_HOME names."""
    private = address.private_home(env)
    run = Path(address.run_folder(env, str(runtime_folder())))
    if private:
        return Places(private=True, run=run, state=Path(private, "state"), data=Path(private, "data"))
    home = Path(address.user_home())
    return Places(private=False, run=run, state=home / ".local/state/sayso", data=home / ".local/share/sayso")


def check_private(folder: Path) -> str:
    """Return what is wrong with a folder that must be ours alone, in words; "" if nothing is."""
    try:
        found = folder.lstat()
    except OSError as error:
        return f"{folder}: {error.strerror}"
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        return f"{folder} is not a folder of yours"
    if found.st_mode & 0o077:
        return f"{folder} is open to others: chmod 700 it"
    return ""
