"""Checks of what the settings start: the interpreter, the hook's copy, and how both behave when started."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from sayso.doctor import probes
from sayso.doctor.context import Command, Context, Entry
from sayso.doctor.findings import Finding, fail, note, ok, worst
from sayso.install import InstallRefused, stable

_AGAIN = "Run `sayso install claude-code` again."
_SHORT_S = 5.0
_GATED = "PostToolUse"
_PROTOCOL = re.compile(r"^VERSION = (\d+)$", re.MULTILINE)


def interpreter(context: Context) -> Finding:
    found = [finding for python in _distinct(context, "python") for finding in _interpreter(context, python)]
    return worst(found, f"The interpreter in the settings runs ({', '.join(_distinct(context, 'python'))}).")


def _interpreter(context: Context, python: str) -> Iterator[Finding]:
    if not os.access(python, os.X_OK):
        yield fail(f"The interpreter {python} is not there (any more), so the hooks keep silent.", _AGAIN)
        return
    if _tag(python) is None:
        yield fail(f"The interpreter {python} does not run.", _AGAIN)
    if stable.is_volatile(Path(python), context.environ):
        yield note(f"The interpreter {python} is in a folder that may be emptied any time.", _AGAIN)


def _tag(python: str) -> str | None:
    """Return the name under which an interpreter keeps compiled files; None if it does not run."""
    code = "import sys; print(sys.implementation.cache_tag)"
    try:
        done = subprocess.run(
            [python, "-I", "-S", "-c", code], capture_output=True, timeout=_SHORT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else None


def hook(context: Context) -> Finding:
    found = [finding for command in context.commands for finding in _hook(command)]
    return worst(found, "The hook is there, and compiled.")


def _hook(command: Command) -> Iterator[Finding]:
    path = Path(command.hook)
    if not os.access(path, os.R_OK):
        yield fail(f"The hook {path} is not there (any more), so nothing is asked.", _AGAIN)
        return
    tag = _tag(command.python)
    package = path.parent.parent
    sources = [each for each in package.rglob("*.py") if each.name != path.name]
    if tag and any(not (each.parent / "__pycache__" / f"{each.stem}.{tag}.pyc").exists() for each in sources):
        yield note(f"The hook in {package} is not compiled for {command.python}: it starts slower.", _AGAIN)


def version(context: Context) -> Finding:
    """The hook is a copy: after an upgrade it is an older one until it is installed again."""
    try:
        digest = stable.digest(stable.collect(context.package))
    except InstallRefused as error:
        return fail(str(error), "Install sayso again.")
    mine = f"{context.version}-{digest}"
    found: list[Finding] = []
    for path in _distinct(context, "hook"):
        folder = Path(path).resolve().parent.parent.parent
        if Path(path).exists() and folder.name != mine:
            found.append(note(f"The hook is of {folder.name}, this sayso of {mine}.", _AGAIN))
        found += _understood(context, Path(path), folder.name)
    return worst(found, f"The hook is of this version ({mine}).")


def _understood(context: Context, hook: Path, name: str) -> Iterator[Finding]:
    """A desk decides nothing for a hook that speaks a newer protocol, and the hook has no words to say so."""
    try:
        said = _PROTOCOL.search((hook.parent / "hook_run.py").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return  # told by the other checks
    health = context.health
    if said is not None and health is not None and int(said[1]) > health["protocol"]:
        yield fail(
            f"The hook of {name} is newer than the desk ({health['version']}): nothing it asks is shown.",
            f"Run `sayso restart` of {name}, or `sayso install claude-code` of {health['version']}.",
        )


def silent(context: Context) -> Finding:
    """Every different command is started for a made-up session: it must say nothing, and soon."""
    if not context.placed:
        return note("Nothing was tried: there are no hooks.")
    found: list[Finding] = []
    took: list[float] = []
    for event in ("SessionStart", _GATED, "SessionEnd"):
        for entry in _entries(context, event):
            ran = try_out(context, entry)
            took.append(ran.took_s)
            if ran.trouble:
                words = f"{' '.join(entry.argv[:1])} … {Path(parts_hook(entry)).name}"
                found.append(fail(f"The hook of {event} is not silent ({words}): {ran.trouble}.", _AGAIN))
            elif ran.took_s > probes.SLOW_S:
                found.append(
                    note(f"The hook of {event} took {ran.took_s:.1f} s: every one delays the agent.")
                )
    longest = f"{max(took, default=0) * 1000:.0f} ms"
    return worst(found, f"Started as in the settings, the hooks are silent and end within {longest}.")


def parts_hook(entry: Entry) -> str:
    return entry.command[entry.command.index("-S") + 1]


def reach(context: Context) -> Finding:
    """A hook that finds its session's flag tells the desk, and leaves a line in the flag if there is none."""
    gated = _entries(context, _GATED)
    if not gated:
        return note("Whether hooks reach the desk was not tried: there are none.")
    return worst(
        (_reach(context, entry) for entry in gated), "An event of a hook was acknowledged by the desk."
    )


def _reach(context: Context, entry: Entry) -> Finding:
    folder = Path(entry.argv[3])  # sh -c TEXT FLAGS …
    if not folder.is_dir():
        text = f"The flag folder {folder} is not there"
        return (
            fail(f"{text}, although a desk runs.", _AGAIN)
            if context.runs
            else note(f"{text} without a desk.")
        )
    flag = folder / context.session
    flag.touch(0o600)
    try:
        ran = try_out(context, entry)
        left = flag.read_bytes() if flag.exists() else b""
    finally:
        flag.unlink(missing_ok=True)
        for end in _entries(context, "SessionEnd"):  # the made-up session shall not stay in lists
            try_out(context, end)
    if ran.trouble:
        return fail(f"With a flag, the hook of {_GATED} is not silent: {ran.trouble}.", _AGAIN)
    if not left:
        return ok("")
    if context.runs:
        return fail("A hook was started and did not reach the desk that runs here.", _AGAIN)
    return note("No desk runs: a hook that was started noted its event for the next one, as it should.")


def try_out(context: Context, entry: Entry) -> probes.Ran:
    """Start one hook as the agent would."""
    cwd = context.where.cwd
    environ = probes.environment(context.environ, context.session, str(cwd))
    return probes.run(entry.argv, probes.payload(entry.event, context.session, str(cwd)), environ, cwd)


def _entries(context: Context, event: str) -> list[Entry]:
    """Return the different entries for an event."""
    every = (entry for source in context.placed for entry in source.entries())
    return list(dict.fromkeys(entry for entry in every if entry.event == event))


def _distinct(context: Context, part: str) -> list[str]:
    return list(dict.fromkeys(str(getattr(command, part)) for command in context.commands))
