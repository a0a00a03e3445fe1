"""A desk that is attached to Codex's app server, and a terminal beside it.

Everything is real but the model. May import the lab and `desk`.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from tests.end_to_end.desk import Desk
from tests.lab.codex_server import CodexServer, allow_all_tools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.lab.codex import Codex
    from tests.lab.terminal import Terminal

Json = dict[str, Any]
PROMPT = "Would you like to run the following command?"


def escalated(command: str, why: str = "May I?") -> list[Json]:
    """A turn in which the model wants to run a command outside of the sandbox."""
    asks = {"cmd": command, "sandbox_permissions": "require_escalated", "justification": why}
    return [{"tool": "exec_command", "input": asks}]


class Scene:
    """A desk, a server and a terminal."""

    def __init__(self, desk: Desk, server: CodexServer, tui: Terminal) -> None:
        self.desk = desk
        self.server = server
        self.tui = tui
        self.project = server.codex.project


@contextlib.contextmanager
def attached_desk(root: Path, *codexes: Codex) -> Iterator[Desk]:
    """Run a private desk that is to be attached to these; the first is the one of its environment."""
    desk = Desk(root / "desk")
    desk.env["HOME"] = str(codexes[0].home)  # never the home of whoever runs the tests
    desk.env["CODEX_HOME"] = str(codexes[0].home / ".codex")
    try:
        desk.up()
        with desk.connect() as client:
            more = ":".join(str(codex.home / ".codex") for codex in codexes[1:])
            client.call("desk.settings", {"settings": {"codex_homes": more, "codex_server": True}})
        yield desk
    finally:
        desk.close()


@contextlib.contextmanager
def scene(root: Path, codex: Codex) -> Iterator[Scene]:
    allow_all_tools(codex)
    with CodexServer(codex) as server, attached_desk(root, codex) as desk, server.tui() as tui:
        yield Scene(desk, server, tui)
