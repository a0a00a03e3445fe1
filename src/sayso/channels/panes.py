"""`sayso panes`: agents in panes of tmux: their commands, arguments and help.

Not here: panes themselves, which the desk makes. Imports `cli` and `output`.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping
from typing import Any

from sayso.channels import manual
from sayso.channels.cli import runner
from sayso.channels.output import DONE, Output
from sayso.channels.text import visible
from sayso.client.places import Places, places
from sayso.errors import BadRequest

OPEN_S = 20.0
"""tmux may have to be started first."""
TMUX_SOCKET = "tmux.sock"

_EPILOG = """\
  sayso panes create                     an agent in a new window of the tmux session sayso
  sayso panes split down                 one below the pane you are in
  sayso settings pane_program claude     what panes run
  tmux attach -t sayso                   see them

A new pane leaves the keyboard where it is.
"""


def attach_command(here: Places) -> str:
    """Return what a person types to see the panes."""
    server = ["-S", str(here.socket.with_name(TMUX_SOCKET))] if here.private else []
    return shlex.join(["tmux", *server, "attach", "-t", "sayso"])


def tmux_place(environment: Mapping[str, str]) -> str:
    """Return where in tmux a process is, in the desk's words: "socket,pane"; "" outside of tmux."""
    socket = environment.get("TMUX", "").rsplit(",", 2)[0]
    pane = environment.get("TMUX_PANE", "")
    return f"{socket},{pane}" if socket and pane else ""


def _call(args: argparse.Namespace, method: str, params: dict[str, Any]) -> Any:
    with args.connect() as desk:
        return desk.call(method, params, timeout_s=OPEN_S)


def _create(args: argparse.Namespace, out: Output) -> int:
    result = _call(args, "agent.create", {"cwd": _folder(args)})
    return _opened(result, out)


def _split(args: argparse.Namespace, out: Output) -> int:
    params = {"direction": args.direction, "cwd": _folder(args)}
    if args.beside:
        params["surface_id"] = _find(args, args.beside)
    else:
        params["tmux"] = tmux_place(os.environ)
    return _opened(_call(args, "agent.create_split", params), out)


def _folder(args: argparse.Namespace) -> str:
    return os.path.abspath(args.cwd or ".")  # noqa: PTH100  (links stay as they were typed)


def _opened(result: str, out: Output) -> int:
    out.json(result)
    out.say(result)
    out.say(f"See it with: {attach_command(places())}", "faint")
    return DONE


def _list(args: argparse.Namespace, out: Output) -> int:
    ids: list[str] = _call(args, "agent.list", {})
    out.json(ids)
    for each in ids:
        out.say(visible(each))
    if not ids:
        out.say("No pane is open.")
    return DONE


def _count(args: argparse.Namespace, out: Output) -> int:
    count: int = _call(args, "agent.count", {})
    out.json(count)
    out.say(str(count))
    return DONE


def _close(args: argparse.Namespace, out: Output) -> int:
    result: str = _call(args, "agent.close", {"agent_id": _find(args, args.id)})
    out.json(result)
    out.say(result)
    return DONE


def _find(args: argparse.Namespace, beginning: str) -> str:
    """Return the id that a person means: the whole of it, or enough of its beginning."""
    ids: list[str] = _call(args, "agent.list", {})
    found = [each for each in ids if each.startswith((beginning, f"pane-{beginning}"))]
    if beginning in ids:
        return beginning
    if len(found) > 1:
        raise BadRequest(f"{visible(beginning)} is the beginning of {len(found)} panes: say more of it", "id")
    if not found:
        raise BadRequest(f"no pane's id begins with {visible(beginning)}; sayso panes list tells them", "id")
    return found[0]


# --- the parsers -----------------------------------------------------------------------


def add_commands(subparsers: manual.Subparsers) -> None:
    """Add `panes` and what is below it; each leaves `args.run`."""
    parser = subparsers.add_parser(
        "panes",
        help="agents in panes of tmux",
        description="Start agents in panes of tmux, list and close them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    create = actions.add_parser("create", help="start an agent in a new window of the tmux session sayso")
    split = actions.add_parser("split", help="start an agent beside the pane you are in")
    split.add_argument(
        "direction",
        nargs="?",
        default="right",
        choices=("right", "down", "horizontal", "vertical"),
        help="on which side; horizontal is right, vertical is down",
    )
    split.add_argument(
        "--beside", metavar="ID", help="a pane that sayso made; outside of tmux its newest one is"
    )
    for command in (create, split):
        command.add_argument(
            "--cwd", metavar="FOLDER", help="where it starts; here, unless you say otherwise"
        )
    listing = actions.add_parser("list", help="the ids of the panes that are open, the oldest first")
    count = actions.add_parser("count", help="how many are open")
    close = actions.add_parser("close", help="close a pane; what was asked in it is withdrawn")
    close.add_argument("id", metavar="ID", help="the id, or enough of its beginning")
    runs = ((create, _create), (split, _split), (listing, _list), (count, _count), (close, _close))
    for command, run in runs:
        command.add_argument("--json", action="store_true", help="one line of JSON, as the desk gives it")
        command.set_defaults(run=runner(run))
