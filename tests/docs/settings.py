"""The page of settings, from their type and the words that the command line has for them."""

from __future__ import annotations

import msgspec

from sayso.channels import manual
from sayso.core.types import Settings
from tests.docs.markdown import code, fence, joined, table


def page() -> str:
    """Return the page."""
    rows = [
        (code(field.name), code(manual.setting_words(field.default)), manual.SETTINGS[field.name])
        for field in msgspec.structs.fields(Settings)
    ]
    return joined(
        "# Settings",
        """What a person chooses; changed while the desk runs, and kept in its database. Numbers are from 1
        to a million, or 0 where that means never.""",
        fence("sayso settings\nsayso settings away on\nsayso settings exclusive_wait_s 40", "sh"),
        table(("name", "at first", "what it does"), rows),
        "Over HTTP: `PUT /api/agent-requests/settings` with those that change; the answer has all of them.",
        '`on_request` and `pane_program` are commands: who may not administer is shown "" for them.',
    )
