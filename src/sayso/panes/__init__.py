"""Panes of tmux that agents run in: made, listed, closed, and noticed when they end.

Not here: who may ask for that and in which words (`daemon.pane_methods`). May import
`errors` and the standard library.
"""

from sayso.panes.panes import Panes
from sayso.panes.tmux import PaneError, Tmux

TMUX_SOCKET = "tmux.sock"
"""Beside the desk's own, the socket of a private desk's tmux server."""

__all__ = ["TMUX_SOCKET", "PaneError", "Panes", "Tmux"]
