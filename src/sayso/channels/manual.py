"""What the commands are called, what they take, and their help; the settings in words.

Not here: what a command does (`cli`). Imports the standard library and `errors`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sayso.errors import BadRequest

if TYPE_CHECKING:  # argparse has no public name for what add_subparsers returns
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

EXIT_CODES = """\
exit codes: 0 handed to the agent or program, or acknowledged; 5 taken, but not handed
over yet; 6 settled before, or unknown; 7 lost or overruled; 2 not a valid answer (the
request still waits); 3 refused; 1 no desk, or the connection broke"""

_ANSWER_HELP = """\
a question:
  sayso answer 3f2a 2                    the second option
  sayso answer 3f2a 1,3                  the first and the third
  sayso answer 3f2a --text "Postgres 17" your own words
several questions, in their order, or by number:
  sayso answer 3f2a 2 1,3
  sayso answer 3f2a --pick 2:1 --text "1:neither" --notes "2:for now"
a form of a server:
  sayso answer 3f2a --set name=Ada --set age=36
  sayso answer 3f2a --accept             with its defaults; or --decline, --cancel
a plan, to say what should change:
  sayso answer 3f2a --text "keep the old command"
what a program asks itself; deny 3f2a cancels each of these:
  sayso answer 3f2a yes                  or no
  sayso answer 3f2a 2                    a choice by its number, or by its id
  sayso answer 3f2a --text ""            a text, also an empty one; - reads standard input
  sayso answer 3f2a ack                  a command: first that you understand it,
  sayso answer 3f2a run                  and then, within a minute, that it runs

"""
_ALLOW_HELP = """\
  sayso allow 3f2a
  sayso allow 3f2a --suggestion 1        and ask for what suggestion 1 says
  sayso allow 3f2a --for 5m              and this very call again, for five minutes
  sayso allow 3f2a --mode acceptEdits    a plan; then edits are accepted

"""
_WATCH_HELP = """\
single keys answer; ? shows them. Without a terminal, or with --json, it writes each change as
a line and takes no keys; docs/reference/events.md says what is in a line of JSON"""
_SEND_HELP = """\
  sayso send shop "the tests are in tests/unit"      by the project's name, if it is clear
  sayso send 0c7d "commit when they pass" --when stop
  git diff | sayso send 0c7d - --wait 60             what standard input says; and wait for it

exit codes: 0 queued, or with --wait handed to the agent; 5 waited, and it is still queued;
6 no such session, or it is idle; 7 dropped or replaced, or nobody knows whether the agent
got it; 2 no message; 3 refused; 1 no desk, or the connection broke"""
_UNSEND_HELP = """\
exit codes: 0 taken back; 5 on its way to the agent; 6 none waits; 7 too late, the agent has it"""
_COMMANDS: dict[str, tuple[str, str]] = {
    "list": ("what waits for you, the oldest first", ""),
    "show": ("one request whole, or all that waits", ""),
    "allow": ("allow a request, approve a plan, open a link", _ALLOW_HELP + EXIT_CODES),
    "deny": ("deny a request or cancel it, with a reason if you like", EXIT_CODES),
    "answer": (
        "answer a question or a program, fill in a form, send a plan back",
        _ANSWER_HELP + EXIT_CODES,
    ),
    "grants": ("what is allowed for a while: list it, or end it", "  sayso grants --end 3f2a\n"),
    "release": ("give a request back: nothing is decided", ""),
    "sessions": ("the sessions of agents, and what they do", ""),
    "send": ("send a message to a session that works", _SEND_HELP),
    "unsend": ("take back a message that the agent does not have yet", _UNSEND_HELP),
    "mute": (
        "call nobody for a session",
        "  sayso mute shop --for 1h\n  sayso mute shop --off\n",
    ),
    "watch": (
        "see and answer what waits, as it comes",
        _WATCH_HELP,
    ),
    "settings": ("show the settings, or change one", "  sayso settings away on\n"),
}
_UNITS_S = {"s": 1, "m": 60, "h": 3600}
_MOST_DIGITS = 7
ANSWER_FORMS = {
    "answers": "numbers",
    "pick": "--pick",
    "text": "--text",
    "notes": "--notes",
    "set": "--set",
    "accept": "--accept",
    "decline": "--decline",
    "cancel": "--cancel",
}
"""The arguments of `sayso answer`, as people call them."""
FORMS_OF_KIND = {
    "question": frozenset({"answers", "pick", "text", "notes"}),
    "plan": frozenset({"answers", "text"}),
    "elicitation": frozenset({"set", "accept", "decline", "cancel"}),
    "yesno": frozenset({"answers", "cancel"}),
    "choice": frozenset({"answers", "cancel"}),
    "text": frozenset({"text", "cancel"}),
    "confirm-command": frozenset({"answers", "cancel"}),
}


def add_parser(subparsers: Subparsers, name: str) -> argparse.ArgumentParser:
    """Add one command's parser and return it."""
    about, epilog = _COMMANDS[name]
    parser = subparsers.add_parser(
        name,
        help=about,
        description=about[0].upper() + about[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON, as the desk gives it")
    if fill := _ARGUMENTS.get(name):
        fill(parser)
    return parser


def _id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the id, or enough of its beginning")


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="also of one that ended lately; all that waits without it"
    )


def _allow(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument(
        "--suggestion", metavar="N", type=int, help="also ask for the suggestion with this number"
    )
    parser.add_argument("--mode", metavar="MODE", help="a plan's: default (the usual), acceptEdits or auto")
    parser.add_argument(
        "--plan-file", metavar="FILE", help="the plan as you edited it; - reads standard input"
    )
    parser.add_argument("--unseen", action="store_true", help="although a part of it could not be shown")
    parser.add_argument(
        "--for",
        metavar="TIME",
        dest="for_s",
        type=_time,
        help="also allow this very call again in this session, for 1 to 60 minutes: 90s, 5m, 1h",
    )


def _time(text: str) -> float:
    unit_s = _UNITS_S.get(text[-1:])
    number = text[:-1] if unit_s else text
    if not (number.isascii() and number.isdigit() and len(number) < _MOST_DIGITS):
        raise argparse.ArgumentTypeError("say for how long: 90s, 5m or 1h")
    return float(int(number) * (unit_s or 1))


def _grants(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--end", metavar="ID|all", help="end the one whose id begins so, or all")


def _deny(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument(
        "-m", "--message", metavar="TEXT", default="", help="why; whoever asked is told word for word"
    )
    parser.add_argument("--stop", action="store_true", help="also stop the agent's turn")


def _answer(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument(
        "answers",
        metavar="N",
        nargs="*",
        help="numbers of options, in the order of the questions; to a program yes, no, a choice, ack, run",
    )
    for name, metavar, about in (
        ("pick", "Q:N[,N]", "options of question Q, by number"),
        ("text", "[Q:]TEXT", "your own words"),
        ("notes", "[Q:]TEXT", "a note beside an answer"),
    ):
        parser.add_argument(f"--{name}", metavar=metavar, action="append", default=[], help=about)
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], type=_assignment, help="a field of a form"
    )
    parser.add_argument("--accept", action="store_true", help="send the form, defaults for the rest")
    parser.add_argument("--decline", action="store_true", help="decline the form")
    parser.add_argument("--cancel", action="store_true", help="close the form without an answer, or cancel")
    parser.add_argument("--unseen", action="store_true", help="although a part of it could not be shown")


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError("write it as name=value")
    return name, value


def _settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?")
    parser.add_argument("value", metavar="VALUE", nargs="?")


def _watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--once", action="store_true", help="write what is there now, and end")


def _session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session",
        metavar="SESSION",
        help="the beginning of the session's id, or the name of its project or worktree",
    )


def _mute(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument(
        "--for",
        metavar="TIME",
        dest="for_s",
        type=_time,
        help="for how long: 90s, 5m, 1h; until you take it back without it",
    )
    parser.add_argument("--off", action="store_true", help="call me for it again")


def _send(parser: argparse.ArgumentParser) -> None:
    _session(parser)
    parser.add_argument("text", metavar="TEXT", help="the message; - reads standard input")
    parser.add_argument(
        "--when",
        choices=("soon", "stop"),
        default="soon",
        help="soon: after the next tool call, or at the end of the turn; stop: at its end",
    )
    parser.add_argument(
        "--wait", metavar="SECONDS", type=_seconds, help="wait until the agent has it, at most so long"
    )


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError("say for how many seconds")
    return value


_ARGUMENTS = {
    "send": _send,
    "unsend": _session,
    "show": _show,
    "allow": _allow,
    "deny": _deny,
    "answer": _answer,
    "grants": _grants,
    "release": _id,
    "settings": _settings,
    "watch": _watch,
    "mute": _mute,
}

# --- settings in words -----------------------------------------------------------------

SETTINGS = {
    "away": "on: you answer from afar, and agents that show nothing meanwhile wait longer for you",
    "codex_approvals": "on: Codex's hook asks here; Codex shows nothing in its terminal meanwhile",
    "codex_server": "on: Codex's app server asks here, beside its terminal",
    "codex_homes": "more homes of Codex than CODEX_HOME and ~/.codex, with a colon between them",
    "exclusive_wait_s": "seconds for which an agent that shows nothing meanwhile waits here",
    "unattended_wait_s": "seconds for which an agent without a terminal waits here",
    "notice_content": "how much a notice says, of what waits: nothing, who or what",
    "answers_from": "local: this user's programs may answer; paired: only paired devices may",
    "pending_per_agent": "how many requests one agent's process may have waiting",
    "pending_in_all": "how many requests may wait in all",
    "desktop_notices": "on: this computer's desktop shows a notice of what waits",
    "notice_grace_s": "seconds for which nobody is called: you may be answering already",
    "notice_turn_ends": "on: a notice says, too, that an agent's turn has ended and waits for your word",
    "silent_after_s": "seconds after which a session that works in silence is noticed; 0 for never",
    "on_request": "a command that is told of what waits; empty for none",
    "pane_program": "the command that a new pane runs",
}
_CHOICES = {"notice_content": ("nothing", "who", "what"), "answers_from": ("local", "paired")}
_SWITCH = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def setting_words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def setting_value(name: str, current: object, text: str) -> Any:
    """Return the text as a value of the type that the setting has now.

    Raises:
        BadRequest: it is none; says what would be.
    """
    if isinstance(current, bool):
        if text.lower() not in _SWITCH:
            raise BadRequest(f"{name} is on or off", name)
        return _SWITCH[text.lower()]
    if isinstance(current, int | float):
        return _setting_number(name, current, text)
    choices = _CHOICES.get(name)
    if choices and text not in choices:
        raise BadRequest(f"{name} is one of {', '.join(choices)}", name)
    return text


def _setting_number(name: str, current: float, text: str) -> float:
    whole = isinstance(current, int)
    try:
        value = int(text) if whole else float(text)
    except ValueError as error:
        raise BadRequest(f"{name} is a {'whole ' if whole else ''}number", name) from error
    if not 0 <= value < float("inf"):
        raise BadRequest(f"{name} is not negative, and finite", name)
    return value
