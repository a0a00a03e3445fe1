"""What the interactive screen knows: the cards, what was shown of the one in front, what is
being typed into it, and what the desk and the terminal tell.

Not here: what keys do (`model`). Pure: time is an argument. Imports its neighbours, `base`,
`core.types` and `wire.views`.
"""

from __future__ import annotations

from sayso.channels.base import Line, alert_line, message_line, short
from sayso.channels.screen.actions import Action, Bell, Send
from sayso.channels.screen.attention import Attention
from sayso.channels.screen.deck import Deck, waits
from sayso.channels.screen.direct_steps import Run
from sayso.channels.screen.news import News
from sayso.channels.screen.questions import Draft
from sayso.channels.screen.steps import Step
from sayso.core.types import Row
from sayso.wire.views import Change, GrantView


class Screen:
    """`step`: what is being asked of the person before an answer is complete. `top`: the first
    line shown of the card. `seen_at_s`: when the end of the card in front was first shown."""

    def __init__(self, now_s: float) -> None:
        self.deck = Deck()
        self.step: Step | None = None
        self.help = False
        self.note = Line("")
        self.linked = True
        self.away = False
        self.top = 0
        self.page_lines = 2
        self.seen_at_s: float | None = None
        self.drafts: dict[str, Draft] = {}
        self.attention = Attention(now_s)
        self.news = News()
        self.grants: tuple[GrantView, ...] = ()
        self._unsent: list[Send] = []
        self._front = ("", 0.0)

    # --- from the desk

    def take(self, change: Change, now_s: float) -> list[Action]:
        """Take a change."""
        boot = self.deck.boot
        settings = change.snapshot.settings if change.snapshot else change.settings
        if settings is not None:
            self.away = settings.away
        actions = self.deck.take(change, now_s)
        if change.snapshot is not None:
            self.linked = True
            self.attention.forget()
            actions += self._resend(restarted=boot not in ("", change.snapshot.boot))
        if change.message is not None:
            words, style = message_line(change.message)
            self.note = Line(f"Session {short(change.message.session_id)}, {words}", style)
        notes = change.snapshot.notes if change.snapshot else (change.note,)
        self.news.hear([note for note in notes if note is not None], now_s)
        grants = change.snapshot.grants if change.snapshot else change.grants
        self.grants = self.grants if grants is None else grants
        alerts = change.snapshot.alerts[-1:] if change.snapshot else (change.alert,)
        for alert in alerts:
            if alert is not None:
                self.note = alert_line(alert)
                actions.append(Bell())
        for request_id in self.deck.returned:
            self.alarm(f"{short(request_id)} waits again: its answer was never handed over. Answer it again.")
            actions.append(Bell())
        self.deck.returned.clear()
        return self.after(actions, now_s)

    def _resend(self, restarted: bool) -> list[Action]:
        """Send what the broken connection kept from going, unless another desk is there now."""
        unsent, self._unsent = self._unsent, []
        if restarted and unsent:
            self.alarm("The desk started anew without your answer. Answer again.")
            return [Bell()]
        return list(unsent)

    def lost_link(self) -> None:
        """The connection broke: the screen says so itself, for as long as it lasts."""
        self.linked = False

    def sent(self, request_id: str, now_s: float) -> list[Action]:
        """The desk took an answer."""
        self.drafts.pop(request_id, None)
        if request_id == self.deck.front:
            self.step, self.deck.pinned = None, False
        return self.after(self.deck.sent(request_id, now_s), now_s)

    def refused(self, request_id: str, why: str) -> list[Action]:
        """The desk did not do what was asked of it; a step stays open, with what was typed.

        But not the second one of a command: it may take the first one again.
        """
        if isinstance(self.step, Run) and request_id == self.deck.front:
            self.step, self.deck.pinned = None, False
        self.alarm(f"{short(request_id)}: {why}" if request_id else why)
        return [Bell()]

    def unsent(self, send: Send, now_s: float) -> list[Action]:
        """The connection broke over an answer: it goes again when the desk is back."""
        self._unsent.append(send)
        self.say("The desk is away; your answer goes again when it is back.")
        return self.close(now_s)

    def loaded(self, request_id: str, index: int, row: Row) -> None:
        self.deck.load(request_id, index, row)

    def tick(self, now_s: float) -> list[Action]:
        """Let time pass."""
        return self.after(self.deck.tick(now_s), now_s)

    def after(self, actions: list[Action], now_s: float) -> list[Action]:
        """See whether another card lies in front now, and what the desk is to be told of the person."""
        front = (self.deck.front, self.deck.front_at_s)
        if front != self._front:
            self._front = front
            self.top, self.seen_at_s = 0, None
        view = self.deck.current()
        looks_at = view.id if view is not None and waits(view) else ""
        return [*actions, *self.attention.due(looks_at, now_s)]

    # --- what is before the person's eyes

    def shown(self, total_lines: int, height: int, now_s: float) -> None:
        """Take that a card of so many lines is shown from `top` on, `height` lines of it."""
        self.page_lines = max(height, 2)
        self.top = max(0, min(self.top, total_lines - height))
        if self.seen_at_s is None and self.top + height >= total_lines and not self.deck.unread():
            self.seen_at_s = now_s

    def draft(self) -> Draft:
        return self.drafts.get(self.deck.front, Draft())

    def say(self, text: str) -> list[Action]:
        self.note = Line(text)
        return []

    def alarm(self, text: str) -> list[Action]:
        self.note = Line(text, "loud")
        return []

    def close(self, now_s: float) -> list[Action]:
        self.step = None
        return self.deck.unpin(now_s)
