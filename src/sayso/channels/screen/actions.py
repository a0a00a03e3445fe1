"""What the screen asks its terminal shell to do. Imports the standard library alone."""

from __future__ import annotations

from typing import Any, NamedTuple


class Send(NamedTuple):
    """Give this answer. The reply holds its key, so that it counts once however often it is sent."""

    request_id: str
    reply: dict[str, Any]


class Release(NamedTuple):
    request_id: str


class Load(NamedTuple):
    """Fetch a row whole."""

    request_id: str
    row: int


class Away(NamedTuple):
    away: bool


class Presence(NamedTuple):
    """Tell the desk whether a person is here, and which request they look at."""

    present: bool
    open: tuple[str, ...]


class Bell(NamedTuple):
    pass


class Redraw(NamedTuple):
    """Draw everything anew: something else may have written to the terminal."""


class Suspend(NamedTuple):
    """Stop, as Ctrl-Z stops a program."""


class Quit(NamedTuple):
    code: int


Action = Send | Release | Load | Away | Presence | Bell | Redraw | Suspend | Quit
