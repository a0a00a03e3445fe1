"""The page of keys of the terminal screen, from its own help."""

from __future__ import annotations

from sayso.channels.base import MODES
from sayso.channels.screen.frame import HELP
from sayso.channels.screen.steps import MODE_KEYS
from tests.docs.markdown import code, joined, table


def page() -> str:
    """Return the page."""
    return joined(
        "# Keys",
        "The keys of `sayso watch`; `?` shows them there.",
        table(("keys", "what they do"), [(names(keys), about) for keys, about in HELP]),
        "A plan is approved with one more key:",
        table(("key", "what comes after it"), [(code(key), MODES[mode]) for key, mode in MODE_KEYS.items()]),
        "`ctrl-c` quits as well, `ctrl-z` puts the screen aside, `ctrl-l` draws it anew.",
    )


def names(keys: str) -> str:
    """Return keys as code, each."""
    return ", ".join(code(key) for key in keys.split(", "))
