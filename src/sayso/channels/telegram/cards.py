"""The cards in the chats: what each shows now, and which message belongs to which.

One card for a request in a chat. It has a step, and its buttons mean what that step says: those of an
older look of it mean nothing. Not here: sending (`shower`), what a tap does (`acts`). Imports `steps`,
`sheet`, `tokens`, `ports`.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from sayso.channels import card as words
from sayso.channels.base import Line, outcome
from sayso.channels.direct import AWAY, OWN_WORD
from sayso.channels.telegram.kinds import first_step
from sayso.channels.telegram.ports import Button, Keyboard
from sayso.channels.telegram.sheet import asked, ended, gist, whole
from sayso.channels.telegram.steps import Key, Rows, Step, said
from sayso.channels.telegram.text import COLUMNS, Message, Piece
from sayso.channels.telegram.tokens import Action, Tokens
from sayso.core.types import Kind
from sayso.wire.views import RequestView

MOST_ENDED = 300
"""Of the cards whose request is over, so many can still say how."""
MOST_PLACES = 20_000
LOCKED = "The rest of it is still on its way: nothing can be allowed before all of it is here."
WAIT, DENY = Key("⏳ The rest is on its way", "wait"), Key("Deny", "deny")


class Look(NamedTuple):
    """What a card shows."""

    message: Message
    keyboard: Keyboard | None = None


class Card:
    """A request in a chat. `device`: whose chat it is, "" for a group. `end`: how it ended, "" before."""

    def __init__(self, chat_id: int, device: str, view: RequestView) -> None:
        self.chat_id = chat_id
        self.device = device
        self.view = view
        self.asked = asked(view)
        self.key = secrets.token_hex(16)
        self.step: Step | None = None if view.notice else first_step(view)
        self.base: tuple[Piece, ...] = (Piece(gist(view) + "\n", "bold"),)
        self.message_id = 0
        """Where its buttons are; 0 as long as nothing was sent."""
        self.parts: list[int] = []
        self.is_complete = False
        self.is_editing = False
        self.end = ""
        self.names: frozenset[str] = frozenset()
        self.shown: Look | None = None

    @property
    def place(self) -> tuple[int, str]:
        return self.chat_id, self.view.id

    def follow(self, view: RequestView) -> None:
        """Take the request as it is now: one that is only shown any more has no step."""
        self.view = view
        if view.notice:
            self.step = None

    def look(self, tokens: Tokens) -> Look:
        """Return what it shows now; its buttons mean something from now on, and no others do."""
        if self.end:
            self.names = frozenset()
            return Look(ended(self.base, self.end))
        if self.step is None:
            self.names = frozenset()
            return Look(whole(self.base, outcome(self.view, COLUMNS)))
        face = self.step.face(self.view)
        between = [Line("")] if face.lines else []
        lines = [*face.lines, *between, *_standing(self.view)]
        return Look(whole(self.base, lines), self._keyboard(face.rows, tokens))

    def locked(self, tokens: Tokens) -> Keyboard | None:
        """Return the buttons that it has while not all of it is there."""
        if self.step is None:
            return None
        rows = ((WAIT, DENY),) if self.view.kind == Kind.PERMISSION else ((WAIT,),)
        return self._keyboard(rows, tokens)

    def _keyboard(self, rows: Rows, tokens: Tokens) -> Keyboard:
        self.names = frozenset(key.name for row in rows for key in row)
        return tuple(
            tuple(Button(key.label, tokens.give(Action(*self.place, key.name))) for key in row)
            for row in rows
        )


def _standing(view: RequestView) -> list[Line]:
    """Return until when it waits, as a time of day: a message stands for hours."""
    if not view.expires_at:
        return words.standing(view, COLUMNS, 0.0)
    until = datetime.fromisoformat(view.expires_at).astimezone().strftime("%H:%M:%S")
    then = "it goes on without an answer" if view.is_own else "the agent's own prompt decides"
    if view.is_own:
        notes = [*(said(AWAY) if view.asker_away else []), *said(OWN_WORD, "faint")]
    else:
        notes = words.standing(replace(view, expires_at=""), COLUMNS, 0.0)
    return [*said(f"Waits until {until}; then {then}."), *notes]


class Prompt(NamedTuple):
    """A message that asks for words: a reply to it is for this step of a card."""

    card: Card
    step: Step


class About(NamedTuple):
    """A message about a session: a reply to it is a message to that session."""

    agent: str
    session_id: str


Place = Card | Prompt | About


class Shelf:
    """The cards of all chats."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._cards: dict[str, dict[int, Card]] = {}
        self._ended: OrderedDict[Card, None] = OrderedDict()
        self._places: OrderedDict[tuple[int, int], Place] = OrderedDict()

    def put(self, card: Card) -> None:
        """Add a card, in the place of an older one."""
        older = self.find(*card.place)
        if older is not None:
            self.drop(older)
        self._cards.setdefault(card.view.id, {})[card.chat_id] = card

    def find(self, chat_id: int, request_id: str) -> Card | None:
        return self._cards.get(request_id, {}).get(chat_id)

    def of(self, request_id: str) -> list[Card]:
        """Return the cards of a request, whatever became of it."""
        return list(self._cards.get(request_id, {}).values())

    def all(self) -> list[Card]:
        return [card for cards in self._cards.values() for card in cards.values()]

    def end(self, card: Card, words: str) -> None:
        """Have a card say how its request ended; its buttons mean nothing any more."""
        card.end = words
        self.tokens.end(*card.place)
        self._ended[card] = None
        while len(self._ended) > MOST_ENDED:
            self.drop(next(iter(self._ended)))

    def drop(self, card: Card) -> None:
        """Forget a card."""
        self.tokens.end(*card.place)
        self._ended.pop(card, None)
        of = self._cards.get(card.view.id, {})
        if of.get(card.chat_id) is card:
            del of[card.chat_id]
        if not of:
            self._cards.pop(card.view.id, None)
        for message_id in (*card.parts, card.message_id):
            self._places.pop((card.chat_id, message_id), None)

    # --- messages ----------------------------------------------------------------------

    def place(self, chat_id: int, message_id: int, what: Place) -> None:
        """Note what a message is about. With very many, what is about the past is forgotten."""
        self._places[chat_id, message_id] = what
        if len(self._places) > MOST_PLACES:
            alive = {key: one for key, one in self._places.items() if isinstance(one, Card) and not one.end}
            newest = list(self._places.items())[-MOST_PLACES // 2 :]
            self._places = OrderedDict([*alive.items(), *newest])

    def at(self, chat_id: int, message_id: int) -> Place | None:
        return self._places.get((chat_id, message_id))
