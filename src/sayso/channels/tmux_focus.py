"""Whether a person looks at an agent's pane of tmux.

Asks the tmux server that the agent's own environment names, for a moment at most; whatever
cannot be told is "nobody looks". Runs in a thread. Not here: what follows from it (`notices`).
Imports the standard library.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

LOOK_S = 0.5
"""A server that takes longer is not waited for."""
KEY_S = 15.0
"""How long a key press counts as looking, where tmux does not ask the terminal for its focus."""
MOST_SERVERS = 4
_FORMAT = "#{client_flags}|#{pane_id}|#{client_activity}"
_QUESTION = ("show-options", "-sv", "focus-events", ";", "list-clients", "-F", _FORMAT)
# The server is of an agent's choosing, and may tell a client to become another program: that one
# then carries the mark of what an agent started, and may ask and not answer.
_MARK = {"AI_AGENT": "tmux"}


class Pane(NamedTuple):
    """A pane, and the socket of its server."""

    socket: str
    pane: str


def in_focus(processes: Iterable[str]) -> frozenset[str]:
    """Return those processes ("pid:start") whose panes a person looks at."""
    panes = {process: pane for process in set(processes) if (pane := pane_of(process)) is not None}
    looked_at: set[Pane] = set()
    for socket in sorted({pane.socket for pane in panes.values()})[:MOST_SERVERS]:
        looked_at.update(Pane(socket, pane) for pane in seen(ask(socket), time.time()))
    return frozenset(process for process, pane in panes.items() if pane in looked_at)


def pane_of(process: str) -> Pane | None:
    """Return the pane that a process was started in; None where that cannot be told."""
    pid, _, start = process.partition(":")
    if sys.platform != "linux" or not pid.isdecimal():
        return None
    folder = Path("/proc") / pid
    try:
        data = (folder / "environ").read_bytes()
        began = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None
    if began != start:
        return None  # a later process has the number
    words = (item.partition("=") for item in os.fsdecode(data).split("\0"))
    return named_by({name: value for name, _, value in words})


def named_by(env: Mapping[str, str]) -> Pane | None:
    """Return the pane that an environment names."""
    socket, pane = env.get("TMUX", "").split(",")[0], env.get("TMUX_PANE", "")
    fits = socket.startswith("/") and pane.startswith("%") and pane[1:].isdecimal()
    return Pane(socket, pane) if fits else None


def ask(socket: str) -> str:
    """Return what a server says of its clients; "" if it says nothing in time."""
    try:
        found = Path(socket).stat()
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.getuid():
            return ""
        done = subprocess.run(
            ["tmux", "-S", socket, *_QUESTION],
            env={"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", **_MARK},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LOOK_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout


def seen(said: str, now_s: float) -> frozenset[str]:
    """Return the panes that are in front of somebody, from what a server says.

    tmux takes a terminal for focused until that says otherwise, and asks it to say so only with
    `focus-events`. Without, a key that was pressed just now is what tells.

    Args:
        now_s: seconds since 1970.
    """
    option, *clients = said.splitlines() or [""]
    found: set[str] = set()
    for client in clients:
        flags, pane, activity = [*client.split("|"), "", ""][:3]
        on = set(flags.split(","))
        # What controls tmux by its protocol shows panes in windows of its own.
        if "focused" not in on or "control-mode" in on:
            continue
        pressed_s = float(activity) if activity.isdecimal() else float("-inf")
        if option == "on" or now_s - pressed_s < KEY_S:
            found.add(pane)
    return frozenset(found)
