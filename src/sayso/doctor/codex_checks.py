"""Checks of Codex: are the hooks there, trusted and switched on, and does the rest fit?

Made only where sayso is used with Codex. What Codex itself thinks of the hooks is asked of the program, which
is started for a moment; its files are only looked at.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sayso.client.blocking import Desk
from sayso.core.types import Settings
from sayso.daemon.settings import Store
from sayso.doctor.context import HEALTH_S, Context, Json
from sayso.doctor.findings import Check, Finding, Level, fail, note, ok, worst
from sayso.errors import SaysoError
from sayso.install import InstallRefused, codex, codex_places, codex_trust, files
from sayso.install.codex_places import Home

MEASURED = (0, 171, 0)
"""The Codex whose behaviour was measured."""
SOCKET = "app-server-control/app-server-control.sock"
TIMEOUT_S = 15.0
_AGAIN = "Run `sayso install codex` again."
_TRUST = "In Codex, type /hooks and press t; or run `sayso install codex --trust`."


@dataclass
class Look:
    """What is known of Codex here; read when a check first asks."""

    context: Context

    @cached_property
    def home(self) -> Home:
        where = self.context.where
        return Home.of(self.context.environ, where.home, where.cwd)

    @cached_property
    def trouble(self) -> str:
        """Why Codex cannot read its hooks, "" when it can, or has none."""
        try:
            text = files.read(self.home.hooks).text
            if text is not None:
                codex.check(text)
        except (OSError, InstallRefused) as error:
            return str(error)
        return ""

    @cached_property
    def placed(self) -> bool:
        return codex_places.holds_ours(self.home.hooks)

    @cached_property
    def settings(self) -> Json:
        """The desk's settings, or those that the next one reads; {} where that is not told."""
        here = self.context.places
        if self.context.runs:
            try:
                with Desk(str(here.socket)) as desk:
                    return desk.call("desk.settings", {}, timeout_s=HEALTH_S)
            except SaysoError:
                return {}
        return _names(_kept(here.database))

    @cached_property
    def asked(self) -> tuple[list[codex_trust.Hook], list[str], str]:
        """Our hooks as Codex sees them, what it says of the file, and why it says nothing."""
        try:
            with codex_trust.Server(self.home, self.context.environ) as server:
                return *server.hooks(), ""
        except codex_trust.Trouble as error:
            return [], [], str(error)

    def is_on(self, setting: str) -> bool:
        return self.settings.get(setting) is True


def _kept(database: Path) -> Settings:
    if not database.exists():
        return Settings()
    store = Store(str(database))
    try:
        return store.load()
    finally:
        store.close()


def _names(settings: Settings) -> Json:
    return {name: getattr(settings, name) for name in ("codex_approvals", "codex_server")}


def concerns(look: Look) -> bool:
    """Tell whether sayso is used with Codex here."""
    return look.placed or look.is_on("codex_approvals") or look.is_on("codex_server")


def checks(context: Context) -> tuple[Check[Context], ...]:
    """Return the checks that are to be made; none where Codex is not used."""
    look = Look(context)
    if not concerns(look):
        return ()
    return tuple(_check(name, run, look) for name, run in _CHECKS)


def _check(name: str, run: Callable[[Look], Finding], look: Look) -> Check[Context]:
    def made(_context: Context) -> Finding:
        return run(look)

    return Check(name, made)


# --- the hooks ----------------------------------------------------------------------------------


def hooks(look: Look) -> Finding:
    if look.trouble:
        todo = "Mend it; what Codex cannot read it ignores as a whole, others' hooks too."
        return fail(f"{look.home.hooks}: {look.trouble}", todo)
    if look.placed:
        return ok(f"Codex's hooks are in {look.home.hooks}.")
    if look.is_on("codex_approvals"):
        return fail(
            f"codex_approvals is on, but {look.home.hooks} holds no hooks of sayso's.",
            "Run `sayso install codex`.",
        )
    return ok("Codex has no hooks of sayso's.")


def whole(look: Look) -> Finding:
    """Something may have thinned the hooks, or an older sayso wrote them."""
    if not look.placed:
        return ok("There are no hooks of Codex's to compare.")
    path = codex_places.launcher(look.context.places.data)
    try:
        codex_places.check_config(look.home)
        text = files.read(look.home.hooks).text
        is_same = codex.placement(text, codex.hook_settings(str(path))) == text
    except (OSError, InstallRefused) as error:
        return fail(str(error), _AGAIN)
    if not is_same:
        todo = f"{_AGAIN} Codex wants changed hooks to be trusted anew."
        return fail(f"The hooks in {look.home.hooks} are not what this sayso writes there.", todo)
    return ok("Codex has a hook for every event that sayso knows.")


def launcher(look: Look) -> Finding:
    """What the hooks start: Codex trusts the launcher's name, whatever stands in it."""
    if not look.placed:
        return ok("Nothing starts Codex's hooks.")
    path = codex_places.launcher(look.context.places.data)
    try:
        text = files.read(path).text or ""
    except (OSError, InstallRefused) as error:
        return fail(str(error), _AGAIN)
    return worst(_launcher(look, path, codex.launched(text)), f"Codex's hooks start {path}.")


def _launcher(look: Look, path: Path, command: tuple[str, ...]) -> Iterator[Finding]:
    here = look.context.places
    if len(command) < 4:
        yield fail(f"The launcher {path} is gone or empty, so Codex's hooks keep silent.", _AGAIN)
        return
    gone = [name for name in (command[0], command[3]) if not os.access(name, os.R_OK)]
    if gone:
        yield fail(f"{path} names what is not there: {', '.join(gone)}.", _AGAIN)
    if str(here.socket) not in command or str(here.flags) not in command:
        yield fail(f"{path} names another desk than this one ({here.socket}).", _AGAIN)
    if path.parent.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        yield fail(
            f"Others may write to {path.parent}, and decide what Codex runs.", f"chmod 700 {path.parent}"
        )


def trusted(look: Look) -> Finding:
    """Codex skips a hook that it does not trust, and says nothing where it runs without a terminal."""
    if not look.placed:
        return ok("Codex has nothing of sayso's to trust.")
    found, warnings, why = look.asked
    if why:
        return note(f"Whether Codex trusts the hooks is not known: {why}.", _TRUST)
    if warnings:
        return fail(f"Codex says: {'; '.join(warnings)}.", "Mend that file.")
    said = worst(_untrusted(found), "Codex trusts the hooks, and runs them.")
    if said.level is Level.FAIL and not look.is_on("codex_approvals"):
        return note(f"{said.text} They would ask nothing now: codex_approvals is off.", said.todo)
    return said


def _untrusted(found: list[codex_trust.Hook]) -> Iterator[Finding]:
    if not found:
        yield fail("Codex does not know the hooks that stand in its file.", _AGAIN)
    for word, said in (
        ("modified", "were changed since Codex was told to trust them"),
        ("untrusted", "are not trusted by Codex"),
    ):
        events = [hook.event for hook in found if hook.trust == word]
        if events:
            yield fail(f"Hooks {said}, so it skips them: {', '.join(events)}.", _TRUST)
    if off := [hook.event for hook in found if not hook.enabled]:
        yield fail(
            f"Hooks are switched off in Codex: {', '.join(off)}.", "Switch them on under /hooks there."
        )


# --- around them --------------------------------------------------------------------------------


def ways(look: Look) -> Finding:
    """By which way Codex asks here: its hooks, its server, both or none."""
    approvals, server = look.is_on("codex_approvals"), look.is_on("codex_server")
    config = codex_places.config_of(look.home)
    if approvals and codex_places.is_off(config):
        return fail(
            f"{look.home.config} switches hooks off (features.hooks = false).", "Take that line out of it."
        )
    if not look.settings:
        return note("Which way Codex asks is not told to this terminal.")
    if approvals and server:
        return note(
            "Both ways to Codex are on. A session of the server that terminals share is asked beside its "
            "terminal, and its hooks keep silent; any other is asked by its hook, for 25 s at most."
        )
    if approvals:
        return ok("Codex asks by its hook, for 25 s at most, while somebody watches.")
    if server:
        return ok("Codex asks by the server that its terminals share.")
    return note(
        "Codex asks nothing here: codex_server and codex_approvals are both off.",
        "Switch one on: `sayso settings codex_server on`.",
    )


def server(look: Look) -> Finding:
    if not look.is_on("codex_server"):
        return ok("The server that Codex's terminals share is left alone.")
    if not (look.home.folder / SOCKET).exists():
        return note(
            f"Codex's terminals share no server in {look.home.folder} now; the next `codex` starts one, "
            "unless it is told -c or --no-daemon."
        )
    return ok("There is a server that Codex's terminals share.")


def version(look: Look) -> Finding:
    program = codex_trust.program(look.context.environ)
    if program is None:
        return note("There is no `codex` on this PATH; its version was not looked at.")
    try:
        done = subprocess.run(
            [program, "--version"],
            env=dict(look.context.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return note(f"{program} did not tell its version.")
    found = re.search(r"\b(\d+)\.(\d+)\.(\d+)\b", done.stdout)
    if found is None:
        return note(f"{program} did not tell its version.")
    return compared(tuple(map(int, found.groups())))


def compared(version: tuple[int, ...]) -> Finding:
    """Say how a version stands to the one that was measured."""
    here, known = (".".join(map(str, each)) for each in (version, MEASURED))
    if version == MEASURED:
        return ok(f"Codex is {here}, the version sayso was measured with.")
    if version < MEASURED:
        text = f"Codex is {here}, older than {known}: it may have no shared server, and know other hooks."
        return fail(text, "Update Codex.")
    return note(f"Codex is {here}, newer than {known}, which sayso was measured with.")


_CHECKS = (
    ("codex_hooks", hooks),
    ("codex_hooks_whole", whole),
    ("codex_launcher", launcher),
    ("codex_trust", trusted),
    ("codex_ways", ways),
    ("codex_server", server),
    ("codex_version", version),
)
