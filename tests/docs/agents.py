"""The page on agents: what can be done for which."""

from __future__ import annotations

from sayso.install.others import REACHES
from tests.docs.markdown import table

_INTRO = """\
# Agents

What sayso can do for which agent. *answer*: what it asks is shown and answered here. *ask*: it asks nothing
by itself that could be answered here, and can ask you. *nothing*: its own prompts are all there is.
"""


def page() -> str:
    """Return the page."""
    rows = [(reach.name, f"`{word}`", reach.can, reach.how) for word, reach in REACHES.items()]
    return f"{_INTRO}\n{table(('agent', 'word', 'can', 'how'), rows)}\n"
