"""What a person does at Claude Code's own dialogs, and what these show.

Not how a terminal is driven: that is the lab's. May import the lab only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.lab.terminal import Terminal

DIALOG = "Do you want to"
"""The dialog of a permission request."""
PLAN = "Would you like to proceed?"


def choose(tui: Terminal, option: str) -> None:
    """Press the number that a dialog shows before an option, once it shows it."""
    shown = re.compile(rf"(\d)\. {re.escape(option)}", re.MULTILINE)
    found = shown.search(tui.wait_for(shown))
    assert found is not None
    tui.keys(found[1])
