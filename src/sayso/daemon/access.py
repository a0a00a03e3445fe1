"""Who may do more than ask, on this machine.

An agent runs as the same user and can reach the same socket, so its kind is told apart
by descent: a process that an agent started, or that carries an agent's marks in its
environment, may ask and may not answer. What this cannot stop is written down in
SECURITY.md. Checked at each call that needs it, never remembered.

Not here: devices and their credentials (`devices`). Imports `processes`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from itertools import chain

from sayso.daemon import processes
from sayso.errors import Refused

PANE_MARK = "SAYSO_PANE"
"""What every pane of ours is given: what leaves its program's descent there is an agent's all the same."""
MARKS = (
    *("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID", "AI_AGENT", "GEMINI_CLI", "CURSOR_AGENT"),
    PANE_MARK,
)
MARK_PREFIXES = ("CODEX_SANDBOX", "CODEX_THREAD")
"""Names that agents put into the environment of what they start, and nobody else does.

CURSOR_TRACE_ID and OPENCODE are none: they are in terminals of those editors in which a person types, too.
"""

PROGRAMS = frozenset({"claude", "codex", "gemini", "opencode", "copilot", "cursor-agent", "pi"})
"""Executables that are agents, scripts among them."""

PACKAGES = {
    "@anthropic-ai/claude-code": "claude",
    "@openai/codex": "codex",
    "@google/gemini-cli": "gemini",
    "@github/copilot": "copilot",
    "opencode-ai": "opencode",
    "@earendil-works/pi-coding-agent": "pi",
}
"""Of agents that are scripts, the packages they come in: a script may be called index.js."""

NAMES = {"claude": "claude-code"}
"""What an agent is called, where that is not the name of its program."""

_WAY_OUT = "open a fresh terminal, outside of any agent, and answer there"


def agent_of(names: Collection[str]) -> str:
    """Return the agent's program among the names of a process, "" when there is none."""
    found = {PACKAGES.get(name, name) for name in names} & PROGRAMS
    return min(found, default="")


class StartedByAgent(Refused):
    """An agent started the caller. `process` names the agent's, "" when it cannot be told which."""

    def __init__(self, text: str, process: str) -> None:
        super().__init__(text)
        self.process = process


class Access:
    """The rule, for one desk.

    Args:
        agents: returns the processes ("pid:start") that hooks reported and the kernel
            confirmed.
        only: for a private desk: the only pids that are agents; marks and names then
            mean nothing, because the desk's own people may themselves run under an agent.
    """

    def __init__(self, agents: Callable[[], Collection[str]], only: frozenset[int] = frozenset()) -> None:
        self._agents = agents
        self.only = only

    def check(self, pid: int, process: str) -> None:
        """Return if the process may do more than ask.

        Args:
            pid: the peer's, from the kernel.
            process: its name "pid:start" when it connected, so that a later process
                of that pid does not inherit its place.

        Raises:
            StartedByAgent, Refused: with words for the person.
        """
        try:
            alive = processes.name_of(pid) == process
        except (OSError, ValueError):
            alive = False
        if not alive:
            raise Refused("the calling process cannot be read any more, so it may not answer")
        if not self.only:
            self._check_readable(pid)
        try:
            self._check_ancestors(pid)
        except processes.TooManyAncestors:
            raise Refused(f"too many processes stand above this one to look at all: {_WAY_OUT}") from None

    def _check_ancestors(self, pid: int) -> None:
        agents = set(self._agents())
        above = processes.ancestors(pid)
        for ancestor in above:
            why = self._why_agent(ancestor, agents)
            if why:
                text = f"this was started from inside an agent ({why}): {_WAY_OUT}"
                raise StartedByAgent(text, _known(chain((ancestor,), above), agents))

    def agent_above(self, pid: int) -> str:
        """Return the agent whose program stands above a process, the nearest, by name; "" if none does."""
        if not self.only:
            with suppress(OSError, ValueError, processes.TooManyAncestors):
                for ancestor in processes.ancestors(pid):
                    if program := agent_of(processes.programs(ancestor)):
                        return NAMES.get(program, program)
        return ""

    def _check_readable(self, pid: int) -> None:
        # Of others' processes above it little can be read; of the caller itself, everything.
        try:
            processes.environment(pid)
        except OSError:
            raise Refused("the calling process hides its environment, so it may not answer") from None

    def _why_agent(self, pid: int, agents: set[str]) -> str:
        """Return why a process counts as an agent or as started by one; "" if it does not."""
        if self.only:
            return f"process {pid}" if pid in self.only else ""
        try:
            if processes.name_of(pid) in agents:
                return f"process {pid} has asked through sayso"
        except (OSError, ValueError):
            return ""  # it has just ended
        try:
            names = processes.environment(pid)
        except OSError:
            names = frozenset[str]()  # another user's: init, a login manager
        marks = [n for n in sorted(names) if n in MARKS or n.startswith(MARK_PREFIXES)]
        if marks:
            return f"process {pid} carries {marks[0]}"
        program = agent_of(processes.programs(pid))
        return f"process {pid} is {program}" if program else ""


def _known(pids: Iterable[int], agents: set[str]) -> str:
    """Return the name of the first of these processes that has asked through sayso, or ""."""
    with suppress(OSError, ValueError, processes.TooManyAncestors):
        for pid in pids:
            name = processes.name_of(pid)
            if name in agents:
                return name
    return ""
