"""The command line: arguments, and what is wired to what.

Everything heavy is imported by the command that needs it; `sayso ask` needs next to nothing,
and its start is waited for. Not here: what a command does, beyond starting and ending desks
(`running`).
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial

from sayso import __version__
from sayso.errors import SaysoError

TYPE_CHECKING = False  # typing itself is too heavy for `ask`
if TYPE_CHECKING:
    from collections.abc import Callable

    from sayso.client.blocking import Desk

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

_INTERRUPTED = 130
_ABOUT = "Answer what coding agents ask, from wherever you are: they wait for your say-so."


def main(argv: list[str] | None = None) -> int:
    """Run one command; return the exit code."""
    words = sys.argv[1:] if argv is None else argv
    if "_ARGCOMPLETE" in os.environ and "COMP_LINE" in os.environ:
        from sayso.channels import completion

        completion.complete(parser())
    if words[:1] == ["ask"]:
        from sayso.channels import ask

        return ask.main(words[1:])
    args = parser().parse_args(words)
    run = getattr(args, "run", None)
    if run is None:
        parser().print_help()
        return 2
    from sayso.client.address import socket_path

    args.socket = socket_path()
    args.connect = partial(_connect, args.socket)
    try:
        return int(run(args) or 0)
    except SaysoError as error:
        print(f"sayso: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def _connect(path: str) -> Desk:
    from sayso.client.blocking import Desk

    return Desk(path)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole program."""
    from sayso.channels import ask, ask_manual, cli, pairing, panes
    from sayso.channels.telegram import command as telegram
    from sayso.channels.webhooks import commands as webhook_commands
    from sayso.install import commands as install_commands
    from sayso.intake.mcp import command as mcp

    top = argparse.ArgumentParser(prog="sayso", description=_ABOUT)
    top.add_argument("--version", action="version", version=f"sayso {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    _add_running(commands)
    cli.add_commands(commands)
    pairing.add_commands(commands)
    panes.add_commands(commands)
    telegram.add_command(commands)
    webhook_commands.add_commands(commands)
    ask_manual.add_parser(commands, ask.run)
    install_commands.add_commands(commands)
    _add_doctor(commands)
    _add_service(commands)
    _add_demo(commands)
    _add_mask(commands)
    mcp.add_command(commands)
    _add_completion(commands)
    return top


def _add_running(commands: Commands) -> None:
    up = commands.add_parser("up", help="run a desk in the foreground")
    start = commands.add_parser("start", help="start a desk in the background")
    restart = commands.add_parser("restart", help="start the desk anew; what waits goes on waiting")
    for command in (up, start, restart):
        _add_http(command)
        command.add_argument(
            "--agents-only",
            type=int,
            action="append",
            default=[],
            metavar="PID",
            help="of a private desk (SAYSO_HOME): the process that is the agent, and no other is",
        )
        command.add_argument(
            "--push-loopback",
            action="store_true",
            help="of a private desk: push services may be on this computer, for tests",
        )
        command.add_argument(
            "--telegram-api",
            default="",
            metavar="URL",
            help="of a private desk: a Bot API of this computer, for tests",
        )
    up.set_defaults(run=_later("up"))
    start.set_defaults(run=_later("start"))
    restart.set_defaults(run=_later("restart"))
    stop = commands.add_parser("stop", help="end the desk; what waits goes back to the agents' own prompts")
    stop.set_defaults(run=_later("stop"))
    status = commands.add_parser("status", help="whether a desk runs, and what is wrong")
    status.add_argument("--json", action="store_true")
    status.set_defaults(run=_later("status"))
    _add_token(commands)


def _add_token(commands: Commands) -> None:
    token = commands.add_parser("token", help="devices that may speak to the desk over HTTP")
    actions = token.add_subparsers(required=True, metavar="ACTION")
    create = actions.add_parser("create", help="make a credential; its token is printed once")
    create.add_argument("name")
    create.add_argument("--power", choices=("ask", "see", "answer", "admin"), default="answer")
    create.set_defaults(run=_later("token_create"))
    actions.add_parser("list", help="the devices").set_defaults(run=_later("token_list"))
    revoke = actions.add_parser("revoke", help="take a credential back")
    revoke.add_argument("name", help="a device's name or id")
    revoke.set_defaults(run=_later("token_revoke"))
    for action in actions.choices.values():
        action.add_argument("--json", action="store_true")


def _later(name: str) -> Callable[[argparse.Namespace], int]:
    """Return a command of `running`, imported when it is run."""

    def run(args: argparse.Namespace) -> int:
        from sayso import running

        command = getattr(running, name)
        return int(command(args))

    return run


def _add_service(commands: Commands) -> None:
    service = commands.add_parser("service", help="the desk as a service of your session: always there")
    actions = service.add_subparsers(required=True, metavar="ACTION")
    install = actions.add_parser("install", help="write the unit, start it now and with each session")
    install.add_argument("--print", action="store_true", help="print the unit; change nothing")
    _add_http(install)
    actions.add_parser("uninstall", help="stop it and remove the unit")
    actions.add_parser("status", help="whether the service is there and runs")
    for name, action in actions.choices.items():
        action.set_defaults(run=_of_service(name))


def _of_service(name: str) -> Callable[[argparse.Namespace], int]:
    """Return a command of `service`, imported when it is run."""

    def run(args: argparse.Namespace) -> int:
        from sayso.service import command

        return int(getattr(command, name)(args))

    return run


def _add_http(command: argparse.ArgumentParser) -> None:
    command.add_argument("--port", type=int, help="port of HTTP on this computer; 0 for a free one")
    command.add_argument("--no-http", action="store_true", help="the socket alone")
    command.add_argument("--public-url", default="", metavar="URL", help="where else the page is reached")
    command.add_argument(
        "--listen",
        default="",
        metavar="ADDRESS",
        help="one more address, of your network or tailnet: with TLS",
    )
    for option, what in (("--tls-cert", "its certificate, with the chain"), ("--tls-key", "its key")):
        command.add_argument(option, type=_whole_path, default="", metavar="FILE", help=what)
    command.add_argument(
        "--insecure-lan",
        action="store_true",
        help="--listen without TLS: everybody in that network can read along and answer in your place",
    )


def _whole_path(text: str) -> str:
    """Return a path from the root: the desk runs in another folder."""
    return os.path.abspath(text) if text else ""  # noqa: PTH100 (links stay as they were typed)


def _add_doctor(commands: Commands) -> None:
    doctor = commands.add_parser("doctor", help="prove that hooks, desk and agent fit; name every trap")
    doctor.add_argument("--json", action="store_true")
    doctor.set_defaults(run=_doctor)


def _doctor(args: argparse.Namespace) -> int:
    from sayso.doctor import command

    return command.run(args)


def _add_demo(commands: Commands) -> None:
    demo = commands.add_parser("demo", help="see it work: a private desk, and a canned agent that asks")
    demo.set_defaults(run=_demo)


def _demo(args: argparse.Namespace) -> int:
    from sayso import demo

    return demo.run(args)


def _add_mask(commands: Commands) -> None:
    mask = commands.add_parser("mask", help="copy standard input with its secrets hidden, line by line")
    mask.add_argument("--count", action="store_true", help="tell on standard error how many were hidden")
    mask.set_defaults(run=_mask)


def _mask(args: argparse.Namespace) -> int:
    """Copy what comes, as it comes. An interrupt ends it as the end of the input would."""
    from sayso.mask.stream import LineMasker

    masker = LineMasker()
    code = 0
    try:
        while data := _read():
            _write(masker.feed(data))
    except KeyboardInterrupt:
        code = _INTERRUPTED
    _write(masker.end())
    if args.count:
        print(f"sayso mask: {masker.hidden:,} hidden", file=sys.stderr)
    return code


def _add_completion(commands: Commands) -> None:
    completion = commands.add_parser("completion", help="print what a shell needs to complete sayso at TAB")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_completion)


def _completion(args: argparse.Namespace) -> int:
    from sayso.channels import completion

    sys.stdout.write(completion.script(args.shell))
    return 0


def _read() -> bytes:
    from sayso.errors import BadRequest

    try:
        return os.read(0, 1 << 16)
    except OSError as error:
        raise BadRequest(f"standard input cannot be read: {error.strerror}", "text") from error


def _write(data: bytes) -> None:
    if data:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
