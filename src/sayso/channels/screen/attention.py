"""Whether a person is here, and when the desk is to be told. Pure. Imports `actions`."""

from __future__ import annotations

from sayso.channels.screen.actions import Presence

PRESENT_S = 120.0
"""How long a key press counts as presence where the terminal reports no focus."""
REPEAT_S = 30.0
"""What did not change is told again after this."""
SOON_S = 1.0
"""What did not change is not told again sooner, however fast the keys come."""


class Attention:
    """`began_at_s`: the command was typed then, which counts as a key press."""

    def __init__(self, began_at_s: float) -> None:
        self._pressed_at_s = began_at_s
        self._focused: bool | None = None
        self._told: Presence | None = None
        self._told_at_s = float("-inf")
        self._pressed = False

    def pressed(self, now_s: float) -> None:
        self._pressed_at_s, self._pressed = now_s, True

    def focused(self, here: bool) -> None:
        """The terminal reports focus: from now on that counts, instead of keys."""
        self._focused = here

    def forget(self) -> None:
        """Another connection: nothing was told on it yet."""
        self._told = None

    def due(self, looks_at: str, now_s: float) -> list[Presence]:
        """Return what the desk is to be told now. `looks_at`: the id of an open request, or ""."""
        present = self._focused if self._focused is not None else now_s - self._pressed_at_s < PRESENT_S
        presence = Presence(present, (looks_at,) if looks_at else ())
        since_s = now_s - self._told_at_s
        due = presence != self._told or since_s >= (SOON_S if self._pressed else REPEAT_S)
        self._pressed = False
        if not due:
            return []
        self._told, self._told_at_s = presence, now_s
        return [presence]
