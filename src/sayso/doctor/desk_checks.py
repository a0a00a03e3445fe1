"""Checks of the desk itself: does it run, is it of this version, what does it say is wrong?"""

from __future__ import annotations

import os
import sqlite3
from datetime import datetime
from pathlib import Path

from sayso.client.places import check_private
from sayso.daemon import processes
from sayso.daemon.access import Access
from sayso.doctor.context import Context
from sayso.doctor.findings import Finding, fail, note, ok, worst
from sayso.errors import Refused

_YEAR_OF_THIS = 2026


def runs(context: Context) -> Finding:
    starters = {command.start for command in context.commands}
    gone = [path for path in starters if path and not os.access(path, os.X_OK)]
    if gone:
        return fail(
            f"A session would open the desk with {gone[0]}, which is gone.",
            "Run `sayso install claude-code --lazy-start` again.",
        )
    if not context.runs:
        if starters and "" not in starters:
            return note("No desk runs; the next session that starts opens one.", "Or run `sayso start` now.")
        return fail(
            f"No desk runs at {context.places.socket}: agents ask in their own terminals.",
            "Start one with `sayso start`, or for good with `sayso service install`.",
        )
    health = context.health
    if health is None:
        return ok("A desk runs; what else it knows is not told to this terminal.")
    return ok(f"The desk runs (process {health['pid']}, since {health['started_at']}).")


def version(context: Context) -> Finding:
    health = context.health
    if health is None:
        return ok("No desk to compare the version with.")
    if health["version"] != context.version:
        return fail(
            f"The desk is of version {health['version']}, this is {context.version}.",
            "Run `sayso restart`; what waits goes on waiting.",
        )
    return ok(f"The desk is of this version ({context.version}).")


def terminal(context: Context) -> Finding:
    """An agent must not answer itself, so neither may what it starts."""
    why = ""
    if context.runs and context.health is None:
        why = context.why_no_health
    elif context.health is None:
        try:
            Access(list).check(os.getpid(), processes.name_of(os.getpid()))
        except Refused as error:
            why = error.text
    if why:
        return note(f"Answers from this terminal are refused, because {why}.")
    return ok("This terminal may answer.")


def http(context: Context) -> Finding:
    health = context.health
    if health is None:
        return ok("HTTP: nothing is known without a desk.")
    said = str(health["http"])
    if said.startswith("off: "):
        todo = "Restart with another port: `sayso restart --port PORT`."
        return note(f"HTTP is {said}. The command line works all the same.", todo)
    return ok(f"HTTP: {said}.")


def database(context: Context) -> Finding:
    health = context.health
    if health is not None:
        todo = "Look at `sayso status` and at the files it names."
        return worst((fail(f"{each}.", todo) for each in health["troubles"]), "The desk has no troubles.")
    path = context.places.database
    if not path.exists():
        return ok("There is no database yet.")
    try:
        trouble = sqlite_trouble(path)
    except sqlite3.Error as error:
        trouble = str(error)
    if trouble:
        return fail(f"The database {path} is damaged: {trouble}.", "Move it away; settings start afresh.")
    return ok("The database is sound.")


def sqlite_trouble(path: Path) -> str:
    """Return what SQLite finds wrong, without writing. Raises sqlite3.Error."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=1)
    try:
        said = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    finally:
        connection.close()
    return "" if said == "ok" else said


def clock(_context: Context) -> Finding:
    if datetime.now().astimezone().year < _YEAR_OF_THIS:
        return fail("The clock of this computer is years behind.", "Set it.")
    return ok("The clock is plausible.")


def folders(context: Context) -> Finding:
    """The desk and the hooks refuse folders that others may enter or write to."""
    here = context.places
    found = [
        fail(f"{trouble}.", "Until then neither desk nor hooks use it.")
        for folder in dict.fromkeys((here.run, here.state, here.socket.parent))
        if folder.exists() and (trouble := check_private(folder))
    ]
    hooks = here.data / "hook"
    if hooks.exists() and (hooks.stat().st_uid != os.geteuid() or hooks.stat().st_mode & 0o022):
        todo = f"chmod 700 {hooks}, look at what is in it, and run `sayso install claude-code` again."
        found.append(fail(f"Others may write to {hooks}, and with it decide what agents run.", todo))
    return worst(found, "sayso's folders are yours alone.")
