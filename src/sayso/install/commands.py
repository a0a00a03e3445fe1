"""The commands that put hooks into an agent's settings and take them out again.

`add_commands` makes the parsers; everything else is imported when a command runs.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso import __version__
from sayso.client.places import places
from sayso.install.others import INSTALLED, REACHES, refusal

if TYPE_CHECKING:
    from sayso.client.places import Places
    from sayso.install.claude_places import Outcome, Surroundings

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

_CODEX = "codex"
_CLAUDES = ("scope", "plugin", "lazy_start", "mcp")
_CODEXS = ("trust", "no_hooks", "no_server")
"""Options that only one agent knows."""
_SCOPES = ("user", "project", "local")  # as in claude_places, which is not imported for a parser
# Hooks and their interpreter would outlive the cache. But hooks without a desk are of no use to anybody, and
# nobody would be told.
_TO_STAY = (
    "{}. Install sayso to stay (uv tool install sayso, or pipx install sayso), then run "
    "`sayso install {}` again. With --from-cache the hooks are put in all the same."
)


def add_commands(commands: Commands) -> None:
    """Add `install` and `uninstall`."""
    install = commands.add_parser("install", help="let an agent ask through sayso")
    install.set_defaults(run=_install)
    uninstall = commands.add_parser("uninstall", help="take the hooks out again")
    uninstall.set_defaults(run=_uninstall)
    for command in (install, uninstall):
        command.add_argument("agent", choices=sorted(REACHES) if command is install else INSTALLED)
    one = install.add_mutually_exclusive_group()
    _add_places(one)
    one.add_argument(
        "--print",
        action="store_true",
        help="print the settings, for `claude --settings` or a hooks.json of Codex's; change nothing",
    )
    install.add_argument(
        "--lazy-start", action="store_true", help="a session that starts and finds no desk starts one"
    )
    install.add_argument(
        "--from-cache",
        action="store_true",
        help="although sayso runs from a cache (uvx, pipx run) and may be gone with it",
    )
    install.add_argument(
        "--mcp",
        action="store_true",
        help="also make the tools of `sayso mcp` known to the agent, and let it call these (they ask you "
        "and run nothing) without asking first",
    )
    _add_codex(install)
    _add_places(uninstall.add_mutually_exclusive_group())


def _add_codex(install: argparse.ArgumentParser) -> None:
    install.add_argument(
        "--trust", action="store_true", help="of codex: have it trust the hooks, and show what they run"
    )
    install.add_argument(
        "--no-hooks",
        action="store_true",
        help="of codex: leave its hooks alone, and only watch the server its terminals share",
    )
    install.add_argument(
        "--no-server",
        action="store_true",
        help="of codex: do not switch on that the desk watches the server its terminals share",
    )


def _add_places(group: argparse._MutuallyExclusiveGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    group.add_argument(
        "--scope",
        choices=_SCOPES,
        help="whose settings: yours everywhere (this unless told), the project's or yours in this folder",
    )
    group.add_argument("--plugin", type=Path, metavar="DIR", help="a plugin folder instead of settings")


def _install(args: argparse.Namespace) -> int:
    from sayso.install import InstallRefused, caches, claude_code, claude_places, stable

    here = places()
    cache = None if here.private else caches.of_this(os.environ)
    try:
        _check_options(args)
        if cache is not None and not (args.from_cache or args.print):
            raise InstallRefused(_TO_STAY.format(caches.words(cache), args.agent))
        if args.agent == _CODEX:
            from sayso.install import codex_command

            return codex_command.install(args)
        starter = _starter(args, here, fleeting=cache is not None)
        server = _server(args, here, fleeting=cache is not None)
        python = stable.interpreter()
        placed = stable.place(Path(__file__).parent.parent, here.data, __version__, python.path)
        hooks = claude_code.hook_settings(
            python.path, str(placed.hook), str(here.socket), str(here.flags), *starter
        )
        notes = [f"Note: {caches.words(cache)}."] if cache else [f"Note: {each}" for each in python.warnings]
        if args.print:
            return _print(hooks, server, notes if cache else [])
        if args.plugin is not None:
            outcome = claude_places.install_plugin(
                hooks, _surroundings(), here.state, args.plugin, __version__
            )
        else:
            outcome = claude_places.install(
                hooks, _surroundings(), here.state, args.scope or _SCOPES[0], rules=server is not None
            )
            notes += _made_known(server, outcome.path)
    except (InstallRefused, OSError) as error:
        return _refused(error)
    _say(outcome, *notes)
    if args.plugin is not None:
        print(f"Use it with: claude --plugin-dir {outcome.path.parent.parent}")
    return 0


def _check_options(args: argparse.Namespace) -> None:
    """Raise InstallRefused where nothing can be installed, or for an option of another agent's."""
    from sayso.install import InstallRefused

    if args.agent not in INSTALLED:
        raise InstallRefused(refusal(args.agent))
    alien = _CLAUDES if args.agent == _CODEX else _CODEXS
    given = [f"--{name.replace('_', '-')}" for name in alien if getattr(args, name, None)]
    if given:
        raise InstallRefused(f"{', '.join(given)} does not go with {args.agent}.")


def _print(hooks: dict[str, Any], server: dict[str, Any] | None, notes: list[str]) -> int:
    from sayso.install import claude_code

    if server is None:
        print(claude_code.printed(hooks))
    else:
        from sayso.install import claude_mcp, claude_rules

        print(claude_rules.allowed(claude_code.printed(hooks)))
        config = shlex.quote(claude_mcp.printed(server))
        notes = [*notes, f"The tools are there with: claude --mcp-config {config}"]
    print(*notes, sep="\n", end="\n" if notes else "", file=sys.stderr)
    return 0


def _starter(args: argparse.Namespace, here: Places, *, fleeting: bool) -> tuple[str, str]:
    """Return what starts a desk from a hook: an interpreter that has sayso, and a private desk's home."""
    if not args.lazy_start:
        return "", ""
    return _staying(here, "could start no desk", fleeting=fleeting), _private_home(here)


def _server(args: argparse.Namespace, here: Places, *, fleeting: bool) -> dict[str, Any] | None:
    """Return what Claude Code is to know about `sayso mcp`, None where that was not asked for."""
    from importlib.util import find_spec

    from sayso.install import InstallRefused, claude_mcp

    if not args.mcp:
        return None
    if args.plugin is not None or args.scope not in (None, _SCOPES[0]):
        raise InstallRefused("--mcp goes with your own settings everywhere: without --plugin and --scope.")
    if find_spec("mcp") is None:
        raise InstallRefused("The tools need the MCP SDK: install sayso with it, as 'sayso[mcp]', first.")
    if not args.print:
        claude_mcp.check_free(_surroundings())
    return claude_mcp.server(_staying(here, "could serve no tools", fleeting=fleeting), _private_home(here))


def _made_known(server: dict[str, Any] | None, settings: Path) -> list[str]:
    """Make the tools known, and say what was allowed."""
    from sayso.install import claude_mcp, claude_rules

    if server is None:
        return []
    may = (
        f"Claude Code may call these without asking first (permissions.allow in {settings}): "
        f"{', '.join(claude_rules.RULES)}. They ask you or tell you something; none runs anything."
    )
    return [may, claude_mcp.register(server, _surroundings())]


def _staying(here: Places, without: str, *, fleeting: bool) -> str:
    """Return the interpreter that has sayso. Raises InstallRefused where it may be gone tomorrow."""
    from sayso.install import InstallRefused, stable

    python = Path(sys.executable)
    if not here.private and (fleeting or stable.is_volatile(python, os.environ)):
        raise InstallRefused(
            f"sayso runs from {python.parent}, which may be gone tomorrow, and {without} then. "
            "Install sayso to stay first: uv tool install sayso, or pipx install sayso."
        )
    return str(python)


def _private_home(here: Places) -> str:
    return str(here.run.parent) if here.private else ""


def _uninstall(args: argparse.Namespace) -> int:
    from sayso.install import InstallRefused, claude_mcp, claude_places

    state = places().state
    forgotten = ""
    try:
        _check_options(args)
        if args.agent == _CODEX:
            from sayso.install import codex_command

            return codex_command.uninstall()
        if args.plugin is not None:
            outcome = claude_places.uninstall_plugin(_surroundings(), state, args.plugin)
        else:
            outcome = claude_places.uninstall(_surroundings(), state, args.scope or _SCOPES[0])
            if args.scope in (None, _SCOPES[0]):
                forgotten = claude_mcp.unregister(_surroundings())
    except (InstallRefused, OSError) as error:
        return _refused(error)
    _say(outcome, *([forgotten] if forgotten else []))
    return 0


def _refused(error: Exception) -> int:
    print(f"sayso: {error}", file=sys.stderr)
    return 1


def _say(outcome: Outcome, *more: str) -> None:
    print("\n".join((*outcome.lines(), *more)))


def _surroundings() -> Surroundings:
    from sayso.install.claude_places import Surroundings

    return Surroundings(environ=os.environ, home=Path.home(), cwd=Path.cwd())
