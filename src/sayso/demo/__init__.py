"""`sayso demo`: a private desk, an agent that is only played, and a person who answers it.

The parts are the real ones: hooks as they are installed, the desk, the channels. Played are
the agent (`agent`, in a process of its own) and, where there is no terminal, the person
(`person`). What each process leaves behind is `stage`'s to clear away. Imports nothing
until it runs, since the played agent lives in this package.
"""

from __future__ import annotations

import argparse


def run(_args: argparse.Namespace) -> int:
    """Play the demo and return the exit code."""
    from sayso.demo import play

    return play.run()
