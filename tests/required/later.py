"""What is designed and not built: other ways in. One row each, until it is begun."""

from __future__ import annotations

from tests.required import Requirement, planned

ROWS: tuple[Requirement, ...] = (
    planned(
        "later-13", "Secrets that are split, or encoded in other ways than base64, are looked for as well."
    ),
    planned("later-09", "Agents that speak the Agent Client Protocol."),
)
