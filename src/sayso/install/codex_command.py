"""`sayso install codex` and `sayso uninstall codex`: the steps, and what a person is told of each.

Imported when one of the commands runs. Not here: the edits (`codex_places`), Codex's own word
(`codex_trust`).
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from sayso import __version__
from sayso.client.blocking import Desk
from sayso.client.places import Places, places
from sayso.core.types import Settings
from sayso.daemon import processes
from sayso.daemon.access import Access
from sayso.daemon.settings import Store
from sayso.errors import Refused, SaysoError, Unavailable
from sayso.install import InstallRefused, codex, codex_places, codex_trust, files, stable
from sayso.install.claude_places import Outcome
from sayso.install.codex_places import Home

SETTING = "codex_server"
_ASKS = "permissionrequest"
"""The event that asks, as Codex spells it but for its case."""
_WHERE = "In Codex, type /hooks and press t; or run `sayso install codex --trust`."
_OFF = (
    "The hook asks nothing until you run `sayso settings codex_approvals on`: while it waits, for 25 s at "
    "most, Codex shows nothing in its terminal."
)
_LATER = "Switch it on with `sayso settings codex_server on`."


def install(args: argparse.Namespace) -> int:
    """Put in the hooks, with --trust have Codex trust them, and have the desk watch its server."""
    here = places()
    home = home_here()
    hooks = codex.hook_settings(str(codex_places.launcher(here.data)))
    if args.print:
        print(codex.printed(hooks))
        return 0
    if args.no_hooks and (args.trust or args.no_server):
        raise InstallRefused("--no-hooks leaves nothing to trust, and goes without --no-server.")
    if args.trust:
        check_person()
    code = 0 if args.no_hooks else _put_in(home, hooks, here, trust=args.trust)
    if not args.no_server:
        print(switch_on(here))
    return code


def _put_in(home: Home, hooks: dict[str, Any], here: Places, *, trust: bool) -> int:
    codex_places.check_config(home)
    python = stable.interpreter()
    placed = stable.place(Path(__file__).parent.parent, here.data, __version__, python.path)
    text = codex.launcher_text(python.path, str(placed.hook), str(here.socket), str(here.flags))
    codex_places.place_launcher(here.data, text, here.state)
    edited = codex_places.install(home, hooks, here.state)
    notes = [f"Note: {each}" for each in python.warnings]
    _say(edited, codex_places.remarks(home), notes)
    code = _trust(home, hooks) if trust else _untrusted(home)
    print(_OFF)
    return code


def uninstall() -> int:
    """Take out the hooks, silence those of sessions that run, and have Codex forget them."""
    here = places()
    home = home_here()
    keys, why = _keys(home)
    edited = codex_places.uninstall(home, here.state)
    others = codex_places.remove_launcher(here.data, here.state)
    _say(edited, [], [f"Hooks of sayso's are still in {path}." for path in others])
    running = "ask until they end" if others else "are silent from now on"
    if edited.before != edited.after:
        print(f"Sessions that run {running}.")
    if keys:
        why = _forget(home, keys)
    if why and edited.before != edited.after:
        print(f"What Codex noted of them in {home.config} is left there: {why}.")
    print(f"Whether the desk watches Codex's server is as it was: `sayso settings {SETTING} off` ends that.")
    return 0


def home_here() -> Home:
    return Home.of(os.environ, Path.home(), Path.cwd())


def check_person() -> None:
    """Raise InstallRefused inside an agent: it shall not have its own hooks trusted."""
    try:
        Access(list).check(os.getpid(), processes.name_of(os.getpid()))
    except Refused as error:
        raise InstallRefused(f"Only a person says what Codex may trust: {error.text}") from None


def switch_on(here: Places) -> str:
    """Switch the setting on, in the desk that runs or in what the next one reads; return what was done."""
    try:
        with Desk(str(here.socket)) as desk:
            desk.call("desk.settings", {"settings": {SETTING: True}})
    except Unavailable:
        return _switch_on_later(here)
    except SaysoError as error:
        return f"The desk was not told to watch Codex's server: {error.text}. {_LATER}"
    return _ON


_ON = (
    "The desk watches the server that Codex's terminals share, and asks here beside them "
    f"({SETTING} is on; `--no-server` leaves that as it is)."
)


def _switch_on_later(here: Places) -> str:
    try:
        check_person()
    except InstallRefused as error:
        return f"{error}. {_LATER}"
    store = Store(str(here.database))
    try:
        settings = store.load()
        why = store.save(_with_server(settings)) or next(iter(store.troubles), "")
    finally:
        store.close()
    return f"{SETTING} was not switched on: {why}. {_LATER}" if why else _ON


def _with_server(settings: Settings) -> Settings:
    from msgspec.structs import replace

    return replace(settings, codex_server=True)


# --- trust --------------------------------------------------------------------------------------


def _untrusted(home: Home) -> int:
    try:
        with codex_trust.Server(home, os.environ) as server:
            hooks, warnings = server.hooks()
    except codex_trust.Trouble:
        hooks, warnings = [], []
    print(*(f"Warning: Codex says: {each}" for each in warnings), sep="\n", end="\n" if warnings else "")
    if hooks and all(hook.works for hook in hooks):
        print("Codex trusts them.")
    else:
        print(f"Codex runs a hook once you trust it. {_WHERE}")
    return 0


def _trust(home: Home, put_in: dict[str, Any]) -> int:
    """Show what is run, have it trusted, and see that it is; 1 when it is not."""
    commands = {group["hooks"][0]["command"] for groups in put_in.values() for group in groups}
    try:
        with codex_trust.Server(home, os.environ) as server:
            hooks, warnings = server.hooks()
            hooks = [hook for hook in hooks if hook.command in commands]
            print("Codex is told to trust these commands of sayso's, and nothing else:")
            print(*(f"  {hook.event}: {hook.command}" for hook in hooks), sep="\n")
            if new := [hook for hook in hooks if hook.trust != "trusted"]:
                server.trust(new)
            now, _ = server.hooks()
    except codex_trust.Trouble as error:
        print(f"sayso: they are not trusted: {error}. {_WHERE}", file=sys.stderr)
        return 1
    wanting = [hook.event for hook in now if hook.trust != "trusted"]
    if wanting or _ASKS not in (hook.event.lower() for hook in now):
        why = "; ".join(warnings) or f"it knows {len(now)} hooks, of these untrusted: {len(wanting)}"
        print(f"sayso: Codex does not trust all of them ({why}). {_WHERE}", file=sys.stderr)
        return 1
    print("Codex trusts them; sessions that start now run them.")
    if len(now) < len(codex.EVENTS):
        print(f"It knows {len(now)} of {len(codex.EVENTS)} events: a newer Codex has them all.")
    if off := [hook.event for hook in now if not hook.enabled]:
        print(f"Switched off in Codex: {', '.join(off)}. /hooks switches them on.")
    return 0


def _keys(home: Home) -> tuple[list[str], str]:
    """Return the names of our hooks in Codex's own notes, or why they cannot be had."""
    if not codex_places.holds_ours(home.hooks):
        return [], ""
    try:
        with codex_trust.Server(home, os.environ) as server:
            return [hook.key for hook in server.hooks()[0]], ""
    except codex_trust.Trouble as error:
        return [], str(error)


def _forget(home: Home, keys: list[str]) -> str:
    try:
        with codex_trust.Server(home, os.environ) as server:
            server.forget(keys)
    except codex_trust.Trouble as error:
        return str(error)
    return ""


def _say(edited: files.Edited, warnings: list[str], notes: list[str]) -> None:
    if edited.after is None:
        action = "absent" if edited.before is None else "deleted"
    elif edited.before is None:
        action = "created"
    elif edited.before == edited.after:
        action = "unchanged" if codex.placed(edited.after) else "absent"
    else:
        action = "changed" if codex.placed(edited.after) else "removed"
    print("\n".join(Outcome(edited.path, action, edited.backup, tuple(warnings), tuple(notes)).lines()))
