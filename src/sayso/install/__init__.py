"""Edits of agents' settings files, their removal, and the copy of the hook that agents start.

One module per agent says what stands in its settings; `jsontext` changes JSON text and leaves the rest
of it alone, `files` writes with care, `stable` gives the hook a place that upgrades do not move.

Not here: the hook itself, and where sayso's own folders are; callers pass paths in.
Imports the standard library alone.
"""

from __future__ import annotations


class InstallRefused(Exception):
    """Nothing was changed. The text tells a person what is in the way and what to do about it."""
