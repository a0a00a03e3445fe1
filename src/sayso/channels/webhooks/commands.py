"""`sayso webhook`: which programs elsewhere are told what happens: commands, arguments and help.

Not here: webhooks themselves, which the desk keeps. Imports `cli`, `output`, `text`.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from sayso.channels import manual
from sayso.channels.cli import runner
from sayso.channels.output import DONE, NOT_OBEYED, Output
from sayso.channels.text import visible
from sayso.wire.webhooks import EVENTS

CALL_S = 30.0
"""A receiver may take its time."""
_CONTENT = {"who": "who asks and which kind, no text", "what": "all that a card shows, masked and cut"}
_EPILOG = """\
  sayso webhook add http://127.0.0.1:8080/light
  sayso webhook add https://bot.example/sayso --events request.shown,alert --content what
  sayso webhook test 3f2a

events: {events}

exit codes of test: 0 its receiver took it, 7 it did not
""".format(events=", ".join(EVENTS))


def _call(args: argparse.Namespace, **params: Any) -> Any:
    with args.connect() as desk:
        return desk.call("desk.webhooks", params, CALL_S)


def _add(args: argparse.Namespace, out: Output) -> int:
    added = _call(args, add=args.url, events=args.events, content=args.content)
    out.json(added)
    if not out.as_json:
        hook = added["webhook"]
        sys.stdout.write(f"{added['secret']}\n")
        sys.stderr.write(
            f"That is the secret of the webhook {hook['id']}; it is not shown again. "
            f"It is told of {', '.join(hook['events'])}: {_CONTENT[hook['content']]}.\n"
        )
    return DONE


def _list(args: argparse.Namespace, out: Output) -> int:
    hooks: list[dict[str, Any]] = _call(args)["webhooks"]
    out.json(hooks)
    for hook in hooks:
        out.say(f"{hook['id']}  {visible(hook['url'])}", "strong")
        said = [", ".join(hook["events"]), _CONTENT[hook["content"]]]
        if hook["ended"]:
            said = ["ended: its receiver wanted no more"]
        said += [f"{hook['waiting']:,} wait"] if hook["waiting"] else []
        said += [f"{hook['dropped']:,} were dropped"] if hook["dropped"] else []
        said += [visible(hook["trouble"])] if hook["trouble"] else []
        out.say(f"          {'; '.join(said)}", "faint")
    if not hooks:
        out.say("There is no webhook. `sayso webhook add URL` adds one.")
    return DONE


def _remove(args: argparse.Namespace, out: Output) -> int:
    hook = _call(args, remove=args.id)["webhook"]
    out.json(hook)
    out.say(f"{visible(hook['url'])} is told nothing any more.")
    return DONE


def _test(args: argparse.Namespace, out: Output) -> int:
    tested = _call(args, test=args.id)
    out.json(tested)
    out.say(
        f"Its receiver took it (it answered {tested['status']})."
        if tested["ok"]
        else f"Its receiver did not take it: {visible(tested['trouble'])}."
    )
    return DONE if tested["ok"] else NOT_OBEYED


def _events(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def add_commands(subparsers: manual.Subparsers) -> None:
    """Add `webhook` and what is below it; each leaves `args.run`."""
    parser = subparsers.add_parser(
        "webhook",
        help="programs elsewhere that are told what happens, over HTTP",
        description="Tell programs of yours what happens, over HTTP: a light, a chat bot.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    add = actions.add_parser("add", help="add one; its secret is printed once")
    add.add_argument("url", metavar="URL", help="https, or http on this computer or in its own network")
    add.add_argument(
        "--events", metavar="A,B", type=_events, default=[], help="of what it is told; of all without it"
    )
    add.add_argument(
        "--content",
        choices=tuple(_CONTENT),
        default="who",
        help="who: no text; what: all that a card shows, masked",
    )
    listing = actions.add_parser("list", help="those that there are, and what is wrong with each")
    remove = actions.add_parser("remove", help="tell one nothing any more")
    test = actions.add_parser("test", help="send a test, and say what its receiver answered")
    for action in (remove, test):
        action.add_argument("id", metavar="ID", help="the id, or enough of its beginning")
    for action, run in ((add, _add), (listing, _list), (remove, _remove), (test, _test)):
        action.add_argument("--json", action="store_true", help="one line of JSON, as the desk gives it")
        action.set_defaults(run=runner(run))
