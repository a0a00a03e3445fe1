"""What is designed and not built: other ways in. One row each, until it is begun."""

from __future__ import annotations

from tests.required import Requirement, planned

ROWS: tuple[Requirement, ...] = (
    planned(
        "later-01", "Programs ask over the socket: yes or no, a choice, a text, a command to confirm.", "001"
    ),
    planned("later-02", "A command asks from a script; its output is the answer alone.", "001"),
    planned("later-03", "A command is confirmed in two steps by the same person on the same channel.", "001"),
    planned("later-04", "Agents are started in panes of tmux, listed and closed.", "001"),
    planned("later-05", "A Python program receives hooks over HTTP and answers them, each once.", "002"),
    planned("later-06", "The interaction bridge: register, request, wait, respond, stream, notify.", "004"),
    planned("later-07", "Attention of sessions, with priorities, and alerts.", "004"),
    planned("later-08", "Codex, through its app server and through its hook.", "000"),
    planned("later-09", "Agents that speak the Agent Client Protocol."),
)
