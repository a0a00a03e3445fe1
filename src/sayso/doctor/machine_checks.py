"""Checks of what is around: the agent's version, and whether sayso itself will be here tomorrow."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from sayso.doctor.context import Context
from sayso.doctor.findings import Finding, fail, note, ok
from sayso.install import InstallRefused, caches, stable

MEASURED = (2, 1, 332)
"""The Claude Code whose behaviour was measured."""
TIMEOUT_S = 15.0
_SUSPECT = ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP")


def claude_version(context: Context) -> Finding:
    binary = shutil.which("claude", path=context.environ.get("PATH"))
    if binary is None:
        return note("There is no `claude` on this PATH; its version was not looked at.")
    said = _version_of(binary, context.environ)
    found = re.search(r"\b(\d+)\.(\d+)\.(\d+)\b", said)
    if found is None:
        return note(f"{binary} did not tell its version.")
    return compared(tuple(map(int, found.groups())))


def _version_of(binary: str, environ: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            [binary, "--version"],
            env={**environ, "DISABLE_AUTOUPDATER": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def compared(version: tuple[int, ...]) -> Finding:
    """Say how a version stands to the one that was measured."""
    here, known = (".".join(map(str, each)) for each in (version, MEASURED))
    if version == MEASURED:
        return ok(f"Claude Code is {here}, the version sayso was measured with.")
    if version < MEASURED:
        return note(
            f"Claude Code is {here}, older than {known}, which sayso was measured with.",
            "Update it if answers do not arrive.",
        )
    return note(
        f"Claude Code is {here}, newer than {known}, which sayso was measured with. "
        "Its hooks have rarely changed; this doctor tried those it could."
    )


def python(context: Context) -> Finding:
    """An environment under a cache is gone some day, and sayso with it."""
    if cache := caches.of_this(context.environ):
        return note(
            f"{caches.words(cache)}.", "Install sayso to stay: uv tool install sayso, or pipx install sayso."
        )
    return python_finding(context, sys.executable, getattr(sys, "_base_executable", sys.executable))


def python_finding(context: Context, executable: str, base: str) -> Finding:
    """Say whether an interpreter, and the one its environment was made from, will stay."""
    try:
        chosen = stable.interpreter(executable, base, context.environ)
    except InstallRefused as error:
        return fail(str(error), "Install sayso to stay: uv tool install sayso, or pipx install sayso.")
    if chosen.warnings:
        return note(" ".join(chosen.warnings))
    odd = [name for name in _SUSPECT if context.environ.get(name)]
    if odd:
        return note(
            f"{', '.join(odd)} is set: sayso's commands heed it, the hooks do not.",
            "If sayso behaves oddly, unset it.",
        )
    return ok(f"sayso runs on {executable}.")


def package(context: Context) -> Finding:
    """What `sayso start` runs must be what this terminal runs."""
    found = shutil.which("sayso", path=context.environ.get("PATH"))
    own = Path(sys.executable).parent / "sayso"
    if found is not None and own.exists() and not Path(found).samefile(own):
        return note(
            f"`sayso` on this PATH is {found}, while this one is {own}: two installations.", "Keep one."
        )
    return ok("There is one sayso on this PATH." if found else "This sayso is not on the PATH.")
