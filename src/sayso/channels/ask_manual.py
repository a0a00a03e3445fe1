"""How `sayso ask` is typed: its arguments, and what they mean to the last dash and comma.

Not here: what the commands do (`ask`, `ask_others`). A start of `sayso ask` is waited for, so this
imports argparse, `errors` and nothing else.
"""

from __future__ import annotations

import argparse
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

KINDS = ("yesno", "choice", "text", "confirm-command")
FAILED = 1
_USUAL_COLUMNS = 80
ABOUT = "ask a person, from a script: standard output is the answer"
_DESCRIPTION = """\
Ask a person and wait for the answer, which is all that is written to standard output."""
_EXIT_CODES = """
exit codes: 0 answered; 1 wrong usage, no desk, or the connection broke; 2 timed out;
3 cancelled, standard error says why; 130 interrupted, which withdraws the question"""
_EXAMPLES = {
    "yesno": """\
  if [ "$(sayso ask yesno --title 'Deploy to production?')" = yes ]; then deploy; fi
  sayso ask yesno --title 'Deploy?' --exit-code && deploy

--exit-code: no ends with 4, yes with 0; both are written all the same
""",
    "choice": """\
  region=$(sayso ask choice --title 'Where to?' --choices eu:Europe,us:America)
  sayso ask choice --title 'Which?' --choice a --choice 'b=a label: with, anything'

--choices: id or id:label, with commas between; the first colon ends the id.
\\, \\: and \\\\ stand for a comma, a colon and a backslash.
--choice: one choice, as often as needed; the first = ends the id, and what follows it is the
label as it stands. In the id \\= and \\\\ stand for an equals sign and a backslash.
""",
    "text": """\
  name=$(sayso ask text --title 'Name of the release?' --default v1.2)
  git diff | sayso ask text --title 'A message for this?' --body -
""",
    "confirm-command": """\
  sayso ask confirm-command --title 'Clean up?' --body 'rm -rf build' --unsafe && rm -rf build

A person acknowledges the command first and then has it run; the answer is: run
""",
    "pending": """
  sayso ask pending --surface %3
""",
    "answer": """
  sayso ask answer 3f2a yes
  sayso ask answer 3f2a ack; sayso ask answer 3f2a run     a command, in two steps

VALUE: yes or no; the id of a choice; any text; ack, and within a minute run.
Words that begin with a dash are taken as they are, but --json and --help; after -- those, too.

exit codes: 0 answered; 1 wrong usage, no desk, or the connection broke; 2 no valid answer, the
question still waits; 3 refused; 5 acknowledged, the question waits for run; 6 settled before,
or unknown
""",
    "cancel": """
  sayso ask cancel 3f2a --reason 'not today'

exit codes: 0 cancelled; 1 wrong usage, no desk, or the connection broke; 3 refused;
6 settled before, or unknown
""",
}
_HELP = {
    "yesno": "ask for yes or no",
    "choice": "ask for one of several choices; the answer is its id",
    "text": "ask for a text",
    "confirm-command": "have a command confirmed, in two steps; the answer is run",
    "pending": "what programs ask and nobody answered yet",
    "answer": "answer a question of a program",
    "cancel": "end a question of a program without an answer",
}
VALUED = frozenset(
    (
        "--title",
        "--body",
        "--choices",
        "--choice",
        "--default",
        "--timeout",
        "--surface",
        "--agent",
        "--agent-id",
        "--reason",
    )
)
"""The options that take the next word, whatever it is."""
_PLAIN = ("--json", "-h", "--help")
"""The options of `sayso ask answer`; every other word is its id or its value."""
_MARK = "\0"


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes end with 1: here 2 means that the time was over."""

    def error(self, message: str) -> Any:
        self.print_usage(sys.stderr)
        self.exit(FAILED, f"{self.prog}: {message.replace(_MARK, '')}\n")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Knows the width of the terminal without `shutil`: argparse makes one for each argument."""

    def __init__(self, prog: str) -> None:
        try:
            columns = int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size().columns
        except (OSError, ValueError):
            columns = 0
        super().__init__(prog, width=(columns or _USUAL_COLUMNS) - 2)


def add_parser(commands: Subparsers, run: Callable[[argparse.Namespace], int]) -> None:
    """Add `ask` to the parser of the whole program."""
    fill(commands.add_parser("ask", help=ABOUT, description=_DESCRIPTION), run)


def parse(words: Sequence[str], run: Callable[[argparse.Namespace], int]) -> argparse.Namespace:
    """Return the arguments that follow `sayso ask`. Ends the program when they make no sense."""
    words = prepared(words)
    if words and words[0] in _HELP:  # the parsers of the others would cost a millisecond
        parser = Parser(prog=f"sayso ask {words[0]}", **_about(words[0]))
        _fill(parser, words[0], run)
        return parser.parse_args(words[1:])
    parser = Parser(prog="sayso ask", description=_DESCRIPTION, allow_abbrev=False)
    fill(parser, run)
    return parser.parse_args(words)


def prepared(words: Sequence[str]) -> list[str]:
    """Return the words so that argparse takes each for what it is.

    An option that wants a value has the next word, also one that begins with a dash. The
    name of the question may stand anywhere.
    """
    joined: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            joined += [word, *rest]
        elif word in VALUED and (value := next(rest, None)) is not None:
            joined.append(f"{word}={value}")
        else:
            joined.append(word)
    at = next((index for index, word in enumerate(joined) if not word.startswith("-")), None)
    if at is None:
        return joined
    verb = joined.pop(at)
    return [verb, *(_of_answer(joined) if verb == "answer" else joined)]


def _of_answer(words: list[str]) -> list[str]:
    """Mark what is an id or a value and looks like an option: no word of a program holds a NUL."""
    at = words.index("--") if "--" in words else len(words)
    marked = [word if word in _PLAIN else _marked(word) for word in words[:at]]
    return [*marked, *map(_marked, words[at + 1 :])]


def _marked(word: str) -> str:
    return f"{_MARK}{word}" if word.startswith("-") else word


def _unmarked(word: str) -> str:
    return word.removeprefix(_MARK)


# --- the parser --------------------------------------------------------------------------


def fill(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Give a parser what follows `sayso ask`."""
    actions = parser.add_subparsers(required=True, metavar="WHAT", parser_class=Parser)
    for name, about in _HELP.items():
        _fill(actions.add_parser(name, help=about, **_about(name)), name, run)


def _about(name: str) -> dict[str, Any]:
    return {
        "description": _HELP[name][0].upper() + _HELP[name][1:] + ".",
        "epilog": _EXAMPLES[name] + (_EXIT_CODES if name in KINDS else ""),
        "formatter_class": _Formatter,
        "allow_abbrev": False,
    }


def _fill(parser: argparse.ArgumentParser, name: str, run: Callable[[argparse.Namespace], int]) -> None:
    (_question if name in KINDS else _OTHERS[name])(parser)
    if name in _MORE:
        _MORE[name](parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON, as the desk gives it")
    parser.set_defaults(run=run, what=name)


def _question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--title", required=True, metavar="TEXT", help="the question, on one line")
    parser.add_argument(
        "--body", default="", metavar="TEXT", help="more about it, of any length; - reads standard input"
    )
    parser.add_argument("--default", default="", metavar="VALUE", help="what is filled in or chosen at first")
    parser.add_argument(
        "--timeout", type=_milliseconds, default=0, metavar="MS", help="wait at most so long; 0: for ever"
    )
    parser.add_argument(
        "--unsafe", action="store_true", help="show it as something that may do harm for good"
    )
    parser.add_argument(
        "--surface",
        default="",
        metavar="ID",
        help="where it is asked from; else $SAYSO_SURFACE, the pane of tmux, or this process",
    )
    parser.add_argument(
        "--agent", "--agent-id", dest="agent", default="", metavar="LABEL", help="a name for who asks"
    )


def _yesno(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--exit-code", action="store_true", help="end with 4 when the answer is no")


def _choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--choices", action="extend", type=choices, default=[], metavar="LIST", help="a,b or id:label,…"
    )
    parser.add_argument(
        "--choice",
        action="append",
        dest="choices",
        type=choice,
        metavar="ID[=LABEL]",
        help="one choice; may be given again",
    )


def _pending(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--surface", default="", metavar="ID", help="only what is asked from there")


def _answer(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument("value", metavar="VALUE", type=_unmarked, help="the answer")


def _cancel(parser: argparse.ArgumentParser) -> None:
    _id(parser)
    parser.add_argument("--reason", default="", metavar="TEXT", help="why; the program is told")


def _id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", type=_unmarked, help="the id, or enough of its beginning")


_OTHERS = {"pending": _pending, "answer": _answer, "cancel": _cancel}
_MORE = {"yesno": _yesno, "choice": _choice}


# --- values ------------------------------------------------------------------------------


def _milliseconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time in milliseconds; 0 means none")
    return int(value) if value == int(value) else value


def choices(text: str) -> list[dict[str, str]]:
    """Return what a list of choices means. Raises ArgumentTypeError."""
    found: list[dict[str, str]] = []
    for item in split(text, ","):
        name, *label = split(item, ":", 1)
        found.append(_choice_of(plain(name, ",:").strip(), plain("".join(label), ",:").strip(), text))
    return found


def choice(text: str) -> dict[str, str]:
    """Return what one choice means; its label stands as it is. Raises ArgumentTypeError."""
    name, *label = split(text, "=", 1)
    return _choice_of(plain(name, "="), "".join(label), text)


def _choice_of(name: str, label: str, text: str) -> dict[str, str]:
    if not name:
        raise argparse.ArgumentTypeError(f"there is a choice without an id in {text!r}")
    return {"id": name, "label": label} if label else {"id": name}


def split(text: str, mark: str, most: int = -1) -> list[str]:
    """Return the parts between marks; a mark behind a backslash is none."""
    parts: list[str] = []
    start = at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == mark and len(parts) != most:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [*parts, text[start:]]


def plain(text: str, marks: str) -> str:
    """Return the text without the backslashes that stand before a mark or another backslash."""
    kept: list[str] = []
    at = 0
    while at < len(text):
        at += text[at] == "\\" and text[at + 1 : at + 2] in (*marks, "\\")
        kept.append(text[at])
        at += 1
    return "".join(kept)
