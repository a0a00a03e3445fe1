"""Where things are: a function of the user and their home in the password file alone.

The same in the desk, the command line and the installer, whatever the environment says;
only SAYSO_HOME makes a private desk, with everything under it. Imports the standard
library.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MAX_SOCKET_BYTES = 100
"""The kernel allows 104 to 108, with the end."""


@dataclass(frozen=True)
class Places:
    """Absolute paths. `private`: of a desk under SAYSO_HOME."""

    private: bool
    run: Path
    state: Path
    data: Path

    @property
    def socket(self) -> Path:
        path = self.run / "desk.sock"
        if len(os.fsencode(path)) <= MAX_SOCKET_BYTES:
            return path
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
        return runtime_folder() / f"sayso-{name}" / "desk.sock"

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
    own = Path(f"/run/user/{os.getuid()}")
    return own if is_ours(own) else Path("/tmp")


def is_ours(folder: Path) -> bool:
    try:
        found = folder.stat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def places(env: Mapping[str, str] = os.environ) -> Places:
    """Return the places of this user, or of the private desk that SAYSO_HOME names."""
    private = env.get("SAYSO_HOME", "")
    if private:
        home = Path(private).resolve()
        return Places(private=True, run=home / "run", state=home / "state", data=home / "data")
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    state = home / ".local/state/sayso"
    runtime = runtime_folder()
    run = runtime / "sayso" if runtime != Path("/tmp") else state / "run"
    return Places(private=False, run=run, state=state, data=home / ".local/share/sayso")


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
