"""Where the desk's socket is, as text: a function of the user and their home in the password file alone.

Only SAYSO_HOME makes a private desk, with everything under it. Light, for programs whose start
is waited for; `places` has the rest of the paths. Imports the standard library's lightest.
"""

import os
import pwd
import stat

from sayso.core.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SOCKET_BYTES = 100
"""The kernel allows 104 to 108, with the end."""
SHARED = "/tmp"
"""Where sockets go when a user has no runtime folder."""


def own_runtime() -> str:
    """Return where the folder of this user's sockets would be."""
    return f"/run/user/{os.getuid()}"


def is_ours(folder: str) -> bool:
    try:
        found = os.stat(folder)  # noqa: PTH116 - pathlib is too heavy here
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def runtime_folder() -> str:
    """Return the folder of this user's sockets, or the one that everybody shares."""
    own = own_runtime()
    return own if is_ours(own) else SHARED


def private_home(env: "Mapping[str, str]") -> str:
    """Return the absolute folder of a private desk, "" when none is meant."""
    private = env.get("SAYSO_HOME", "")
    return os.path.realpath(private) if private else ""


def user_home() -> str:
    return pwd.getpwuid(os.getuid()).pw_dir


def run_folder(env: "Mapping[str, str]", runtime: str) -> str:
    """Return the folder of the socket; `runtime` is the folder of this user's sockets."""
    private = private_home(env)
    if private:
        return f"{private}/run"
    return f"{runtime}/sayso" if runtime != SHARED else f"{user_home()}/.local/state/sayso/run"


def socket_in(run: str, runtime: str) -> str:
    """Return the path of the socket of a folder: another one where that would be too long."""
    path = f"{run}/desk.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_BYTES:
        return path
    return f"{runtime}/sayso-{sha256(os.fsencode(path)).hexdigest()[:16]}/desk.sock"


def socket_path(env: "Mapping[str, str]" = os.environ) -> str:
    """Return the socket of this user's desk, or of the private one that SAYSO_HOME names."""
    runtime = runtime_folder()
    return socket_in(run_folder(env, runtime), runtime)
