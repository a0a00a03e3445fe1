"""The agents' processes the desk knows: confirmed by the kernel, watched until they end.

A hook reports its agent's pid. It counts when that process is an ancestor of the hook, and
neither above another agent nor above this desk: those are a person's own, and a program that
had them taken for an agent would lock the person out.
From then on its end is noticed: by a pidfd where there is one, else by looking now and
then. Imports `processes`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import islice

from sayso.daemon import processes

MOST_STEPS = 2
"""An agent starts a hook by itself or through one shell. Further up stand the person's own
shell and terminal: an agent that named those would have them taken for an agent."""
PERSONS = frozenset(
    {"bash", "dash", "sh", "zsh", "fish", "ksh", "tcsh", "nu", "busybox", "tmux", "screen", "zellij"}
    | {"login", "sshd", "sshd-session", "systemd", "init", "launchd", "gnome-terminal-server", "konsole"}
)
"""Programs that are a person's shell, terminal or session, and never an agent."""
_LOOK_S = 5.0
"""How often to look where the kernel gives no sign of a process's end."""


class AgentProcesses:
    """Names of confirmed processes ("pid:start"); `on_end` is told of each one that ended.

    `only`: for a private desk, the only pids that can be confirmed; empty for any.
    """

    def __init__(self, on_end: Callable[[str], None], only: frozenset[int] = frozenset()) -> None:
        self._on_end = on_end
        self._only = only
        self._watched: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    def names(self) -> list[str]:
        return list(self._watched)

    def confirm(self, reported_pid: int, caller_pid: int) -> str:
        """Return the name of a caller's agent, "" when the kernel does not confirm it."""
        if reported_pid <= 1 or (self._only and reported_pid not in self._only):
            return ""
        try:
            name = processes.name_of(reported_pid)
            if not self._started(reported_pid, caller_pid):
                return ""
        except (OSError, ValueError, processes.TooManyAncestors):
            return ""
        if name not in self._watched:
            if not self._only and self._is_the_persons(reported_pid):
                return ""
            self._watch(name, reported_pid)
        return name

    def known(self, pid: int) -> str:
        """Return the name of the agent that is at the other end of our own connection to it.

        "" where it cannot be told, or is no agent for this desk.
        """
        if self._only and pid not in self._only:
            return ""
        try:
            name = processes.name_of(pid)
            if name not in self._watched:
                if self._is_the_persons(pid):
                    return ""
                self._watch(name, pid)
        except (OSError, ValueError, processes.TooManyAncestors):
            return ""
        return name

    def above(self, caller_pid: int) -> str:
        """Return the name of the known agent's process that a caller runs in, the nearest; "" if in none."""
        with suppress(OSError, ValueError, processes.TooManyAncestors):
            for pid in processes.ancestors(caller_pid):
                name = processes.name_of(pid)
                if name in self._watched:
                    return name
        return ""

    def _is_the_persons(self, pid: int) -> bool:
        """Whether a process cannot be an agent: a person's shell or session, or above the desk.

        Whoever names one would have everything a person starts taken for an agent's.
        """
        return bool(processes.programs(pid) & PERSONS) or pid in processes.ancestors(os.getpid())

    def _started(self, agent_pid: int, caller_pid: int) -> bool:
        """Whether a process started the caller, with no agent in between. Raises OSError."""
        for pid in islice(processes.ancestors(caller_pid), 1, 1 + MOST_STEPS):
            if pid == agent_pid:
                return True
            if processes.name_of(pid) in self._watched:
                return False
        return False

    def close(self) -> None:
        loop = asyncio.get_running_loop()
        for descriptor in self._watched.values():
            if descriptor >= 0:
                loop.remove_reader(descriptor)
                os.close(descriptor)
        self._watched.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _watch(self, name: str, pid: int) -> None:
        descriptor = -1
        if hasattr(os, "pidfd_open"):
            try:
                descriptor = os.pidfd_open(pid)
            except OSError:
                descriptor = -1  # an old kernel, or too many open files: look now and then
        self._watched[name] = descriptor
        if descriptor >= 0:
            asyncio.get_running_loop().add_reader(descriptor, self._ended, name)
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_LOOK_S, self._look)

    def _ended(self, name: str) -> None:
        descriptor = self._watched.pop(name)
        if descriptor >= 0:
            asyncio.get_running_loop().remove_reader(descriptor)
            os.close(descriptor)
        self._on_end(name)

    def _look(self) -> None:
        self._timer = None
        unseen = [name for name, descriptor in self._watched.items() if descriptor < 0]
        for name in unseen:
            try:
                alive = processes.name_of(int(name.partition(":")[0])) == name
            except (OSError, ValueError):
                alive = False
            if not alive:
                self._ended(name)
        if any(descriptor < 0 for descriptor in self._watched.values()):
            self._timer = asyncio.get_running_loop().call_later(_LOOK_S, self._look)
