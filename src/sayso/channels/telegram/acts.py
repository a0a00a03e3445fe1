"""What a tap or a reply does to a card: the next step, or an answer to the desk.

The desk has the last word: it checks who answers, the two steps of a command, and that all was read.
Returned is what the person is told at once. Not here: who may act at all (`channel`). Imports `cards`,
`shower`, `steps`, `errors`.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from sayso.channels.base import short
from sayso.channels.telegram.cards import LOCKED, WAIT, Card
from sayso.channels.telegram.direct_steps import Command, Run
from sayso.channels.telegram.kinds import first_step
from sayso.channels.telegram.ports import Inside
from sayso.channels.telegram.shower import CHANNEL, Shower
from sayso.channels.telegram.steps import STALE, Answered, Released, Result, Step
from sayso.channels.telegram.text import MOST_UNITS, units
from sayso.channels.text import visible
from sayso.core.types import Kind
from sayso.errors import BadReply, NotSeen, SaysoError

HALF = "It is as long as a message can be, so a part of it may be missing: use another channel for it."


class Told(NamedTuple):
    """`words` for who acted, "" for none. `went_wrong`: nothing was answered by it. `grant`: the request
    whose call is allowed for a while now."""

    words: str = ""
    went_wrong: bool = False
    grant: str = ""


class Acts:
    """What people do to cards."""

    def __init__(self, desk: Inside, shower: Shower) -> None:
        self._desk = desk
        self._shower = shower

    async def tap(self, card: Card, name: str, device: str) -> Told:
        """Do what a button of a card does."""
        if card.end:
            return Told(card.end, True)
        if not card.is_complete and (name == WAIT.name or name not in card.names):
            return Told(LOCKED, True)
        if card.step is None or name not in card.names:
            return Told(STALE, True)
        try:
            result = card.step.tap(name, card.view)
        except BadReply as error:
            return Told(visible(error.text), True)
        return await self._apply(card, result, device)

    async def words(self, card: Card, step: Step | None, text: str, device: str) -> Told:
        """Take words for a card. `step`: the one that asked for them, None for a reply to the card."""
        if card.end:
            return Told(card.end, True)
        if not card.is_complete or not card.message_id:  # a reply to a part of it may be sooner than the rest
            return Told(LOCKED, True)
        if card.step is None or (step is not None and step != card.step):
            return Told(f"{short(card.view.id)} does not ask for these words any more.", True)
        if units(text) >= MOST_UNITS:
            return Told(HALF, True)
        try:
            result = card.step.words(text, card.view)
        except BadReply as error:
            return Told(visible(error.text), True)
        return await self._apply(card, result, device)

    def start_again(self, card: Card) -> None:
        """Go back to the first step."""
        if card.step is not None and not card.end:
            card.step = first_step(card.view)
            self._shower.refresh(card)

    async def _apply(self, card: Card, result: Result, device: str) -> Told:
        if isinstance(result, Answered):
            return await self._answer(card, result.reply, device)
        if isinstance(result, Released):
            return await self._release(card, device)
        card.step = result
        self._shower.refresh(card)
        await self.is_there(device, card.view.id)
        face = result.face(card.view)
        if face.asks:
            self._shower.ask(card, result, face.asks)
        return Told()

    async def is_there(self, device: str, *open_: str) -> None:
        """Tell the desk that the person of a device is there, and at which cards."""
        with suppress(SaysoError):
            params = {"present": True, "open": list(open_)}
            await self._desk.call(device, CHANNEL, "desk.presence", params)

    async def _answer(self, card: Card, reply: dict[str, Any], device: str) -> Told:
        """Give an answer. It has a key of its own, so that two taps on one button are one answer."""
        content = msgspec.json.encode([card.key, device, sorted(reply.items())])
        params = {
            "id": card.view.id,
            "reply": {**reply, "key": hashlib.sha256(content).hexdigest()[:32]},
        }
        try:
            done = await self._sent(card, params, device)
        except SaysoError as error:
            return self._refused(card, error)
        if done.get("acknowledged"):
            card.step = Run()
            self._shower.refresh(card)
            await self.is_there(device, card.view.id)
            return Told("Nothing runs yet.")
        if "for_s" in reply:
            return Told("Answered.", grant=card.view.id)
        return Told("Answered.")

    async def end_grant(self, request_id: str, device: str) -> Told:
        """End what was allowed for a while."""
        try:
            await self._desk.call(device, CHANNEL, "desk.ungrant", {"id": request_id})
        except SaysoError as error:
            return Told(visible(error.text), True)
        return Told("The next such call asks again.")

    async def _sent(self, card: Card, params: dict[str, Any], device: str) -> dict[str, Any]:
        """Return what the desk says. Who answers in a group saw there what was fetched for another."""
        try:
            return await self._desk.call(device, CHANNEL, "desk.answer", params)
        except NotSeen:
            await self._shower.rows(card, device)
        return await self._desk.call(device, CHANNEL, "desk.answer", params)

    def _refused(self, card: Card, error: SaysoError) -> Told:
        if card.view.kind == Kind.CONFIRM and isinstance(error, BadReply):
            card.step = Command()  # it was acknowledged too long ago
            self._shower.refresh(card)
        return Told(visible(error.text), True)

    async def _release(self, card: Card, device: str) -> Told:
        try:
            await self._desk.call(device, CHANNEL, "desk.release", {"id": card.view.id})
        except SaysoError as error:
            return Told(visible(error.text), True)
        return Told("Given back to its terminal.")
