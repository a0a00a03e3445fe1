"""The page of commands, from the real parser.

Rendered here and not by argparse, whose layout differs from one Python to the next.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator

from sayso.main import parser
from tests.docs.markdown import code, fence, joined, table

COLUMNS = 80


def sections() -> Iterator[str]:
    """Yield the sections, one a command."""
    for name, about, command in commands(parser()):
        yield f"## {name}\n\n{command.description or (about[:1].upper() + about[1:] + '.')}"
        yield fence(synopsis(name, command))
        rows = [(code(_name(action)), _words(action)) for action in arguments(command)]
        yield table(("argument", "meaning"), rows) if rows else ""
        yield fence(command.epilog.strip("\n")) if command.epilog else ""


def page() -> str:
    """Return the page."""
    top = parser()
    rows = [(f"[{name}](#{name.replace(' ', '-')})", about) for name, about, _ in commands(top)]
    return joined(
        "# Commands",
        f"""{top.description} `sayso COMMAND --help` says the same as this page; `sayso --version` tells
        the version.""",
        table(("command", "what it does"), rows),
        *sections(),
    )


def commands(
    within: argparse.ArgumentParser, prefix: str = "sayso"
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Yield every command that does something: its words, its line of help, its parser."""
    for action in within._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for name, below in action.choices.items():
            deeper = list(commands(below, f"{prefix} {name}"))
            yield from deeper or [(f"{prefix} {name}", helps.get(name, ""), below)]


def arguments(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return a command's arguments, positional ones first; not --help."""
    own = [action for action in command._actions if not isinstance(action, argparse._HelpAction)]
    return sorted(own, key=lambda action: bool(action.option_strings))


def synopsis(name: str, command: argparse.ArgumentParser) -> str:
    """Return how a command is written, wrapped."""
    actions = arguments(command)
    words = [_optional(action) for action in actions if action.option_strings]
    words += [_positional(action) for action in actions if not action.option_strings]
    # A word may hold a space (--port PORT) and must not be broken there.
    kept = " ".join(word.replace(" ", "\0") for word in words)
    lines = textwrap.wrap(
        f"{name.replace(' ', chr(0))} {kept}",
        COLUMNS,
        subsequent_indent=" " * (len(name) + 1),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\0", " ")


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper()


def _optional(action: argparse.Action) -> str:
    said = action.option_strings[-1] + ("" if action.nargs == 0 else f" {_value(action)}")
    again = " …" if isinstance(action, argparse._AppendAction) else ""
    return f"[{said}]{again}"


def _positional(action: argparse.Action) -> str:
    match action.nargs:
        case "?":
            return f"[{_value(action)}]"
        case "*":
            return f"[{_value(action)} …]"
        case _:
            return _value(action)


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return _value(action)
    return ", ".join(action.option_strings) + ("" if action.nargs == 0 else f" {_value(action)}")


def _words(action: argparse.Action) -> str:
    words = action.help or ""
    if action.default not in (None, "", False) and action.default != [] and action.nargs != 0:
        words += f" (default: `{action.default}`)"
    return words.strip() or "–"
