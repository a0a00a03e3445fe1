"""A place for the hook that upgrades do not move, and an interpreter that stays.

Settings name absolute paths for years; the environment sayso runs in may be gone tomorrow. So the hook, with
the few modules it imports, is copied to `<data>/hook/<version>-<hash>/sayso/` and compiled there, and
settings name it by way of `<data>/hook/current`, a link that changes in one step.

Not here: where the data folder is, and the hook itself.
Imports the standard library and its neighbours alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.install import InstallRefused, caches, files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# All that the hook may import, as patterns below the package. What is not here it will not find.
LIGHT = (
    "__init__.py",
    "agents/*.py",
    "client/__init__.py",
    "client/line.py",
    "core/__init__.py",
    "core/digest.py",
    "intake/__init__.py",
    "intake/hook*.py",
)
# Caught by a pattern above, but part of the desk.
NOT_LIGHT = ("intake/hook_server*.py",)
ENTRY = "intake/hook.py"

# Hooks wait for up to an hour and may still import from the version they were started from.
VERSIONS_KEPT = 3
COMPILE_TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the hook is: the path for settings, and the version's own folder behind it."""

    hook: Path
    folder: Path
    is_new: bool


def place(package: Path, data: Path, version: str, python: str) -> Placed:
    """Copy the hook out of a package folder, compile it for its interpreter, and switch over."""
    sources = collect(package)
    root = data / "hook"
    current = root / "current"
    try:
        _prepare(root, current)
        folder = root / f"{version}-{digest(sources)}"
        was = current.resolve() if current.is_symlink() else None
        if not _is_whole(folder / "sayso", sources):
            _copy(sources, folder)
        _compile(folder, python)
        _switch(current, folder.name)
        _drop_old(root, folder)
    except OSError as error:
        where = error.filename or root
        raise InstallRefused(f"The hook was not copied: {error.strerror or error} ({where}).") from error
    return Placed(current / "sayso" / ENTRY, folder, was != folder.resolve())


def collect(package: Path) -> dict[str, bytes]:
    """Read the light set, by the path of each file below the package."""
    left_out = {path for pattern in NOT_LIGHT for path in package.glob(pattern)}
    found = {path for pattern in LIGHT for path in package.glob(pattern)} - left_out
    sources = {path.relative_to(package).as_posix(): path.read_bytes() for path in sorted(found)}
    if ENTRY not in sources:
        raise InstallRefused(
            f"This copy of sayso is incomplete: no {ENTRY} in {package}. Install sayso again."
        )
    return sources


def digest(sources: Mapping[str, bytes]) -> str:
    """Return what tells this copy from others, as in the name of its folder."""
    total = hashlib.sha256()
    for name, content in sources.items():
        total.update(f"{name}\0{len(content)}\0".encode() + content)
    return total.hexdigest()[:12]


def _prepare(root: Path, current: Path) -> None:
    files.make_folder(root)
    status = root.stat()
    # Whoever can write here decides what runs at every tool call.
    if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise InstallRefused(f"Others may write to {root}. Make it yours alone (chmod 700), or remove it.")
    if current.exists() and not current.is_symlink():
        raise InstallRefused(f"{current} is not a link. Move it out of the way.")


def _is_whole(folder: Path, sources: Mapping[str, bytes]) -> bool:
    present = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.py")}
    return present.keys() == sources.keys() and all(
        path.read_bytes() == sources[name] for name, path in present.items()
    )


def _copy(sources: Mapping[str, bytes], folder: Path) -> None:
    """Make a version's folder in one step: it is not there, or it is whole."""
    work = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        for name, content in sources.items():
            path = work / "version" / "sayso" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():  # damaged: out of the way, and away with the rest of the work folder
            folder.rename(work / "damaged")
        (work / "version").rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _compile(folder: Path, python: str) -> None:
    """Compile for the interpreter that will run it; this also shows that it runs.

    Compiled, the hook starts 7 ms earlier; among the ways to mark the result as valid no difference was
    measured. "Unchecked" is the one that a restored backup with other times does not undo.
    """
    options = ["-q", "--invalidation-mode", "unchecked-hash"]
    command = [python, "-I", "-S", "-m", "compileall", *options, str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=COMPILE_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallRefused(f"{python} cannot run the hook: {error}") from None
    if done.returncode:
        said = (done.stdout + done.stderr).decode(errors="replace").strip()[-500:]
        raise InstallRefused(f"{python} cannot compile the hook: {said or f'exit {done.returncode}'}")
    # A compiled file cut short by a power failure would break the hook, with a text at every event.
    for path in folder.rglob("*.py*"):
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _switch(current: Path, name: str) -> None:
    work = Path(tempfile.mkdtemp(prefix=".new-", dir=current.parent))
    try:
        (work / "current").symlink_to(name)
        (work / "current").replace(current)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _drop_old(root: Path, newest: Path) -> None:
    """Keep the newest few versions; the one just placed counts as the newest."""
    os.utime(newest)
    versions = [path for path in root.iterdir() if not path.name.startswith(".") and path.name != "current"]
    old = sorted((path for path in versions if path != newest), key=lambda path: path.stat().st_mtime)
    for path in old[: max(0, len(old) - VERSIONS_KEPT + 1)]:
        shutil.rmtree(path, ignore_errors=True)


# --- the interpreter ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What will run the hook, and what a person should know about the one that runs now."""

    path: str
    warnings: tuple[str, ...] = ()


def interpreter(
    executable: str = sys.executable,
    base: str = getattr(sys, "_base_executable", sys.executable),
    environ: Mapping[str, str] = os.environ,
) -> Interpreter:
    """Choose an interpreter whose path stays.

    The hook needs no installed packages, so it does not need the environment that sayso is in: the
    interpreter the environment was made from outlives it. Its path is resolved, since links such as
    those in an environment go first; a shim (pyenv's, asdf's) is a script and would cost 50 ms a call.
    """
    volatile = [Path(place) for place in _volatile_places(environ)]
    for candidate in dict.fromkeys((base, executable)):
        path = _resolved(candidate)
        if path is not None and not _is_volatile(path, volatile):
            return Interpreter(str(path), tuple(_environment_warnings(executable, volatile)))
    raise InstallRefused(
        f"The Python that runs sayso ({executable}) is in a cache or a temporary folder and may be gone "
        "tomorrow. Install sayso to stay (uv tool install sayso, pipx install sayso), then run this again."
    )


def _environment_warnings(executable: str, volatile: list[Path]) -> Iterator[str]:
    if _is_volatile(Path(executable), volatile):
        yield (
            f"sayso itself runs from {Path(executable).parent}, which may be gone tomorrow, and with it the "
            "desk that the hooks ask. Agents then ask in their own terminals, and nowhere else. "
            "Install sayso to stay: uv tool install sayso, or pipx install sayso."
        )


def _resolved(candidate: str) -> Path | None:
    """Return the program behind a path; None if it is none, or a script."""
    path = Path(candidate)
    if not candidate or not path.is_absolute() or not os.access(path, os.X_OK):
        return None
    path = _behind_upgrades(path.resolve())
    try:
        with path.open("rb") as file:
            return None if file.read(2) == b"#!" else path
    except OSError:
        return None


def _behind_upgrades(path: Path) -> Path:
    """Homebrew keeps each patch release in a folder of its own, and a link that follows the upgrades."""
    parts = path.parts
    if "Cellar" not in parts[:-3]:
        return path
    at = parts.index("Cellar")
    linked = Path(*parts[:at], "opt", parts[at + 1], *parts[at + 3 :])
    return linked if linked.exists() and linked.samefile(path) else path


def _volatile_places(environ: Mapping[str, str]) -> Iterator[str]:
    """Give the folders that are emptied without asking."""
    yield from ("/tmp", "/var/tmp", "/dev/shm", "/var/folders", tempfile.gettempdir())
    yield from (environ[name] for name in (*caches.VARIABLES, "TMPDIR") if environ.get(name))


def is_volatile(path: Path, environ: Mapping[str, str]) -> bool:
    """Tell whether a path is in a folder that is emptied without asking."""
    return _is_volatile(path, [Path(place) for place in _volatile_places(environ)])


def _is_volatile(path: Path, places: list[Path]) -> bool:
    # By name alone: pipx marks the folder of the interpreters it fetched as a cache, and those stay.
    if any(caches.is_called_one(folder, ()) for folder in path.parents):
        return True
    return any(path.is_relative_to(place) or path.is_relative_to(place.resolve()) for place in places)
