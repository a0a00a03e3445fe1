"""Who watches: the channels whose person was there lately, and the cards they look at.

Pure; imports `types`.
"""

from __future__ import annotations

from math import inf

from sayso.core.bounds import HOLD_MARGIN_S, MOST_WATCHERS, OPEN_CARD_S, REATTACH_S, WATCH_S
from sayso.core.types import Hold, Presence, Request, Settings


class Watchers:
    """The last word of every connected channel on its person."""

    def __init__(self) -> None:
        self._all: dict[str, Presence] = {}

    def set(self, watcher: str, presence: Presence | None) -> None:
        """Note a channel's word; None for "it is gone"."""
        if presence is None:
            self._all.pop(watcher, None)
            return
        self._all.pop(watcher, None)
        if len(self._all) >= MOST_WATCHERS:
            # The one that spoke longest ago, but none that reaches its person without a word.
            del self._all[min(self._all, key=lambda name: self._all[name].reaches)]
        self._all[watcher] = presence

    def forget_absent(self, now: float) -> None:
        """Forget channels that said nothing for long: a page that was closed does not say so."""
        for watcher, presence in list(self._all.items()):
            seen_s = presence.present_s if presence.present_s is not None else -inf
            if not presence.reaches and seen_s + WATCH_S < now:
                del self._all[watcher]

    def __len__(self) -> int:
        return len(self._all)

    def until(self, settings: Settings) -> float:
        """Return until when somebody watches; -inf for nobody, inf for no end in sight."""
        end = -inf
        for presence in self._all.values():
            if presence.reaches and settings.away:
                return inf
            if presence.present_s is not None:
                end = max(end, presence.present_s + WATCH_S)
        return end

    def has_open(self, request_id: str) -> bool:
        return any(request_id in presence.open for presence in self._all.values())


def deadline(request: Request, watchers: Watchers, settings: Settings) -> float:
    """Return when a pending request stops waiting by itself."""
    ask = request.ask
    hook_end = ask.started_s + ask.hold_s
    if ask.is_registered:
        return inf if request.waiter is not None else (request.left_s or request.created_s) + ask.hold_s
    if ask.hold is Hold.PARALLEL or ask.bridge:
        return hook_end
    last = hook_end - HOLD_MARGIN_S
    if not ask.attended:
        return min(last, ask.started_s + settings.unattended_wait_s)
    if settings.away:
        return last
    wait_s = settings.exclusive_wait_s
    if watchers.has_open(request.id):
        wait_s = max(wait_s, OPEN_CARD_S)
    return min(last, ask.started_s + wait_s)


def unwatched_at(request: Request, watchers: Watchers, settings: Settings) -> float | None:
    """Return when an exclusive request has nobody watching any more; None if it needs nobody."""
    if request.ask.hold is not Hold.EXCLUSIVE:
        return None
    until = watchers.until(settings)
    # After a restart the channels come back a moment later than the hooks.
    return max(until, request.created_s + REATTACH_S) if request.ask.resumed else until
