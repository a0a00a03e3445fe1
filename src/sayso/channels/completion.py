"""Completion by the shell's TAB: of every command and option, and of what waits.

`sayso completion SHELL` prints what a shell needs; the shell then starts `sayso` at each TAB and
reads what `complete` writes. Imports argcomplete, which nothing else does; `client.blocking`,
`manual`, `text`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import argcomplete
from argcomplete.completers import FilesCompleter, SuppressCompleter
from argcomplete.shell_integration import shellcode

from sayso.channels import manual
from sayso.channels.base import SHORT_ID_CHARS
from sayso.channels.text import clip
from sayso.client.address import socket_path
from sayso.client.blocking import Desk
from sayso.core.types import DIRECT
from sayso.errors import SaysoError

LOOK_S = 0.5
"""How long a TAB may wait for a desk."""
_WORDS_COLUMNS = 60
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Found = Callable[..., "Mapping[str, str] | list[str]"]


def script(shell: str) -> str:
    """Return what a shell must read to complete `sayso`."""
    return shellcode(["sayso"], shell=shell).strip("\n") + "\n"


def complete(parser: argparse.ArgumentParser) -> None:
    """Write how the line that a shell has may go on, and end the program."""
    for action, command in _arguments(parser):
        if found := _completer(action, command):
            action.completer = found  # pyright: ignore[reportAttributeAccessIssue] - where argcomplete looks
    argcomplete.autocomplete(parser, always_complete_options="long", default_completer=SuppressCompleter())


def _completer(action: argparse.Action, command: str) -> Found | None:
    if action.metavar in ("FILE", "DIR", "FOLDER"):
        return FilesCompleter()
    if action.option_strings:
        return None
    return _FOUND.get((command, action.dest)) or _FOUND.get(("", action.dest))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[argparse.Action, str]]:
    """Yield every argument of every command, with the words of the command."""
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        if isinstance(action, argparse._SubParsersAction):  # pyright: ignore[reportPrivateUsage]
            below = cast("Mapping[str, argparse.ArgumentParser]", action.choices)  # pyright: ignore[reportUnknownMemberType]
            for deeper in below.values():
                yield from _arguments(deeper)
        else:
            yield action, parser.prog.partition(" ")[2]


# --- what there is -----------------------------------------------------------------------


def _requests(prefix: str, **_: Any) -> dict[str, str]:
    """Return the ids of what waits, each with what it is."""
    return {_named(view["id"], prefix): _words(view) for view in _of_desk("desk.list", "requests")}


def _questions(prefix: str, **_: Any) -> dict[str, str]:
    # Not agent.ask_pending: that hands long texts out whole, and they would count as seen.
    found = [one for one in _of_desk("desk.list", "requests") if one["kind"] in DIRECT]
    return {_named(one["id"], prefix): clip(str(one["title"]), _WORDS_COLUMNS) for one in found}


def _sessions(**_: Any) -> dict[str, str]:
    found = _of_desk("desk.sessions", "sessions")
    # A session's id is its agent's word, and a shell writes what completes a line as it stands.
    plain = [one for one in found if _PLAIN.fullmatch(str(one["session_id"]))]
    return {_named(one["session_id"], ""): clip(str(one.get("project", "")), _WORDS_COLUMNS) for one in plain}


def _settings(**_: Any) -> list[str]:
    return list(manual.SETTINGS)


def _named(request_id: str, prefix: str) -> str:
    """Return an id as short as people write it, or whole where somebody has begun to."""
    return request_id if len(prefix) > SHORT_ID_CHARS else request_id[:SHORT_ID_CHARS]


def _words(view: dict[str, Any]) -> str:
    rows: list[dict[str, Any]] = view.get("input") or [{}]
    said = view.get("title") or rows[0].get("value") or ""
    return clip(f"{view.get('tool') or view['kind']}: {said}", _WORDS_COLUMNS)


def _of_desk(method: str, member: str) -> list[dict[str, Any]]:
    """Return a list that the desk has; none when it says nothing, whatever the reason."""
    try:
        with Desk(socket_path(), LOOK_S) as desk:
            found: list[dict[str, Any]] = desk.call(method, {}, LOOK_S)[member]
    except SaysoError:
        return []
    return found


_FOUND: dict[tuple[str, str], Found] = {
    ("", "id"): _requests,
    ("ask answer", "id"): _questions,
    ("ask cancel", "id"): _questions,
    ("", "session"): _sessions,
    ("settings", "name"): _settings,
}
"""A command's words and an argument -> what completes it; "" is any command."""
