"""Service managers, as far as they are needed: where their files are, and what they are told.

Every call is bounded in time, and what a manager says goes to the person. Imports `units`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.service import units

TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Manager:
    """One kind of manager.

    Args:
        path: where the desk's file goes.
        program: what it is spoken to with.
        text: the content of the file, of a command.
        check: returns what is wrong with such a text; "" if nothing is, or nothing can tell.
        enable, start, restart, stop, gone: words for the program, one call each; enable after the file
            came or changed, gone after it went.
        active: words for the program, which ends with 0 when the desk's service runs.
    """

    path: Path
    program: str
    text: Callable[[Sequence[str]], str]
    is_own: Callable[[str], bool]
    check: Callable[[str], str]
    enable: tuple[tuple[str, ...], ...]
    start: tuple[tuple[str, ...], ...]
    restart: tuple[tuple[str, ...], ...]
    stop: tuple[tuple[str, ...], ...]
    gone: tuple[tuple[str, ...], ...]
    active: tuple[str, ...]


def manager(environ: Mapping[str, str], home: Path, log: Path, platform: str = sys.platform) -> Manager:
    """Return the manager of this platform."""
    return _launchd(home, log) if platform == "darwin" else _systemd(environ, home)


def _systemd(environ: Mapping[str, str], home: Path) -> Manager:
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    user = "--user"
    return Manager(
        path=config / "systemd/user" / units.UNIT,
        program="systemctl",
        text=units.systemd_unit,
        is_own=units.is_own_unit,
        check=verify,
        enable=((user, "daemon-reload"), (user, "enable", units.UNIT)),
        start=((user, "start", units.UNIT),),
        restart=((user, "restart", units.UNIT),),
        stop=((user, "disable", "--now", units.UNIT),),
        gone=((user, "daemon-reload"),),
        active=(user, "is-active", "--quiet", units.UNIT),
    )


def _launchd(home: Path, log: Path) -> Manager:
    domain = f"gui/{os.getuid()}"
    path = home / "Library/LaunchAgents" / f"{units.LABEL}.plist"
    return Manager(
        path=path,
        program="launchctl",
        text=lambda command: units.launchd_plist(command, str(log)),
        is_own=units.is_own_plist,
        check=lambda _: "",
        enable=(("enable", f"{domain}/{units.LABEL}"),),
        start=(("bootstrap", domain, str(path)),),
        restart=(("kickstart", "-k", f"{domain}/{units.LABEL}"),),
        stop=(("bootout", f"{domain}/{units.LABEL}"),),
        gone=(),
        active=("print", f"{domain}/{units.LABEL}"),
    )


def verify(text: str) -> str:
    """Return what systemd finds wrong with a unit; "" if nothing, or where it cannot be asked."""
    program = shutil.which("systemd-analyze")
    if program is None:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / units.UNIT
        path.write_text(text, encoding="utf-8")
        # Without --man=no it looks up manuals; --recursive-errors=no leaves other units alone.
        command = [program, "--user", "verify", "--man=no", "--recursive-errors=no", str(path)]
        # It makes nothing there, but does not start without the variable.
        code, said = told(command, {"XDG_RUNTIME_DIR": folder, **os.environ})
    return said if code and units.UNIT in said else ""


def told(command: Sequence[str], env: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Run a program; return its code and all it said. One that cannot be run says why, with 127."""
    try:
        done = subprocess.run(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"{command[0]} did not answer within {TIMEOUT_S:.0f} s"
    except OSError as error:
        return 127, f"{command[0]}: {error.strerror}"
    return done.returncode, done.stdout.strip()
