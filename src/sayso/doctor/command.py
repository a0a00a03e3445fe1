"""`sayso doctor`: the table of checks, and what they find, for people or programs."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

from sayso import __version__
from sayso.client.places import places
from sayso.doctor import (
    chat_checks,
    codex_checks,
    desk_checks,
    hook_checks,
    machine_checks,
    settings_checks,
    tools_checks,
)
from sayso.doctor.context import Context
from sayso.doctor.findings import Check, Finding, Level, fail
from sayso.install.claude_places import Surroundings

CHECKS: tuple[Check[Context], ...] = (
    Check("installed", settings_checks.installed),
    Check("settings_readable", settings_checks.readable),
    Check("hooks_whole", settings_checks.whole),
    Check("one_command", settings_checks.one_command),
    Check("entries_valid", settings_checks.entries),
    Check("hooks_switched_on", settings_checks.switched_on),
    Check("managed_settings", settings_checks.managed),
    Check("config_folder", settings_checks.config_folder),
    Check("paths_agree", settings_checks.paths),
    Check("interpreter", hook_checks.interpreter),
    Check("hook", hook_checks.hook),
    Check("hook_version", hook_checks.version),
    Check("folders", desk_checks.folders),
    Check("desk_runs", desk_checks.runs),
    Check("desk_version", desk_checks.version),
    Check("hooks_silent", hook_checks.silent),
    Check("hooks_reach_desk", hook_checks.reach),
    Check("tools_server", tools_checks.server),
    Check("tools_allowed", tools_checks.allowed),
    Check("terminal", desk_checks.terminal),
    Check("http", desk_checks.http),
    Check("telegram", chat_checks.telegram),
    Check("database", desk_checks.database),
    Check("clock", desk_checks.clock),
    Check("claude_version", machine_checks.claude_version),
    Check("python", machine_checks.python),
    Check("one_sayso", machine_checks.package),
)
"""In the order in which a person would look: what stands first explains what follows. Of Codex there are
more, where it is used."""

_UNSEEN = "See to it that you may read and write there."
_MARKS = {Level.OK: "ok  ", Level.NOTE: "note", Level.FAIL: "FAIL"}


def run(args: argparse.Namespace) -> int:
    """Run every check; 1 when one failed."""
    where = Surroundings(environ=os.environ, home=Path.home(), cwd=Path.cwd())
    context = Context(os.environ, where, places(), Path(__file__).parent.parent, __version__)
    found = [(check.name, carried_out(check, context)) for check in (*CHECKS, *codex_checks.checks(context))]
    print(as_json(found) if args.json else "\n".join(lines(found)))
    return 1 if any(finding.level is Level.FAIL for _, finding in found) else 0


def carried_out(check: Check[Context], context: Context) -> Finding:
    try:
        return check.run(context)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        return fail(f"The check {check.name} could not be made: {error.strerror or error}{where}.", _UNSEEN)


def as_json(found: Sequence[tuple[str, Finding]]) -> str:
    """Return one line for programs."""
    rows = [
        {"name": name, "level": each.level.name.lower(), "text": each.text, "todo": each.todo}
        for name, each in found
    ]
    return json.dumps({"ok": all(each.level < Level.FAIL for _, each in found), "findings": rows})


def lines(found: Sequence[tuple[str, Finding]]) -> list[str]:
    """Return what a person reads: every check, and the count of what is wrong."""
    said: list[str] = []
    for _, finding in found:
        said.append(f"{_MARKS[finding.level]}  {finding.text}")
        said += [f"      {finding.todo}"] if finding.todo else []
    failed = sum(finding.level is Level.FAIL for _, finding in found)
    notes = sum(finding.level is Level.NOTE for _, finding in found)
    return [*said, "", f"{failed} wrong, {notes} to know, {len(found) - failed - notes} fine."]
