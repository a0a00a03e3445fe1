"""Starting a desk from the hook of a session's start, where the settings say so and there is none.

The one case in which a hook starts a program. It does not wait for it, and the desk is
nobody's child: not the hook's, not the agent's. Of the environment it gets what a desk
needs by name, so neither an agent's marks nor its keys. Light, like `hook_run`.
"""

import posix

BEGINS = ("startup", "resume")
"""Ways in which a session starts; a summary in its middle is none."""
KEPT = frozenset(
    b"HOME USER LOGNAME SHELL PATH LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR "
    b"XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY".split()
)
_DESCRIPTORS = 4096


def start(python: str, home: str) -> None:
    """Start a desk with an interpreter that has sayso; `home` is that of a private one, or ""."""
    if not posix.access(python, posix.X_OK):
        return
    child = posix.fork()
    if child:
        posix.waitpid(child, 0)  # it ends at once
        return
    try:
        posix.setsid()
        if not posix.fork():
            _become(python, home)
    finally:
        posix._exit(0)  # pyright: ignore[reportPrivateUsage]


def _become(python: str, home: str) -> None:
    env = {name: value for name, value in posix.environ.items() if name in KEPT}
    if home:
        env[b"SAYSO_HOME"] = home.encode("utf-8", "surrogateescape")
    posix.chdir("/")
    posix.closerange(0, _DESCRIPTORS)  # the agent waits for the end of what its hooks hold open
    nowhere = posix.open("/dev/null", posix.O_RDWR)
    posix.dup2(nowhere, 1)
    posix.dup2(nowhere, 2)
    posix.set_inheritable(nowhere, True)
    posix.execve(python, [python, "-P", "-m", "sayso", "start"], env)
