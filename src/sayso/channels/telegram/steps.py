"""The steps of a card: what it says below the request, its buttons, what a tap or a reply makes of it.

Each step is a frozen value: a tap makes the next step, an answer, or gives it back; what does not fit
raises BadReply, and the step stays. Here: steps that several kinds share. The kinds have their own
(`agent_steps`, `question_steps`, `form_steps`, `direct_steps`). Pure. Imports `base`, `replies`, `errors`.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Protocol

from sayso.channels import replies
from sayso.channels.base import Line, agent_name, lined
from sayso.channels.telegram.text import COLUMNS
from sayso.core.types import DIRECT, Kind
from sayso.errors import BadReply
from sayso.wire.views import RequestView


class Key(NamedTuple):
    """A button: its label, and the name of what it does, which the step understands."""

    label: str
    name: str


Rows = tuple[tuple[Key, ...], ...]


class Face(NamedTuple):
    """`asks`: what a reply in words is for, as a question to the person; "" where none is taken."""

    lines: tuple[Line, ...]
    rows: Rows
    asks: str = ""


class Answered(NamedTuple):
    reply: replies.Reply


class Released(NamedTuple):
    """Given back to the agent's own prompt."""


class Step(Protocol):
    def face(self, view: RequestView, /) -> Face: ...

    def tap(self, name: str, view: RequestView, /) -> Result:
        """Return what a button does. Raises BadReply."""
        ...

    def words(self, text: str, view: RequestView, /) -> Result:
        """Return what a reply in words does. Raises BadReply."""
        ...


Result = Step | Answered | Released

BACK = Key("« Back", "back")
RELEASE = Key("Give it back to its terminal", "release")
NO_WORDS = "Words are no answer here: tap a button, or one that asks you for words."
STALE = "The card has changed: look at it again."


def said(words: str, style: str = "") -> list[Line]:
    return lined(words, COLUMNS, style=style)


def marked(content: object) -> str:
    """Return a word for what a button would send: tapped on an older look, it sends nothing else."""
    return hashlib.sha256(repr(content).encode("utf-8", "replace")).hexdigest()[:16]


def stale() -> BadReply:
    return BadReply(STALE)


def in_rows(keys: list[Key], of: int = 2) -> Rows:
    """Return buttons side by side, where they are short; else one below the other."""
    if any(len(key.label) > 16 for key in keys):
        of = 1
    return tuple(tuple(keys[at : at + of]) for at in range(0, len(keys), of))


class Reason(NamedTuple):
    """Why it is denied or cancelled; for a plan, what should change. `before`: where it came from."""

    before: Step
    stop: bool = False

    @property
    def _go(self) -> str:
        return "stop-now" if self.stop else "go"

    def face(self, view: RequestView) -> Face:
        asks = _why(view)
        end = " This stops the turn." if self.stop else ""
        without = Key(f"{_no(view)}{' and stop' if self.stop else ''}, without words", self._go)
        return Face(tuple(said(f"{asks} Reply with your words.{end}", "strong")), ((without,), (BACK,)), asks)

    def tap(self, name: str, view: RequestView) -> Result:
        if name == "back":
            return self.before
        if name == self._go:
            return Answered(replies.deny(view, "", self.stop))
        raise stale()

    def words(self, text: str, view: RequestView) -> Result:
        if not text.strip():
            raise BadReply("a blank reason is none: use the button to go without words")
        return Answered(replies.deny(view, text, self.stop))


def _why(view: RequestView) -> str:
    if view.kind == Kind.PLAN:
        return "What should change?"
    return "Why is it cancelled?" if view.kind in DIRECT else "Why not?"


def _no(view: RequestView) -> str:
    if view.kind == Kind.PLAN:
        return "Send it back"
    return "Cancel it" if view.kind in DIRECT else "Deny"


def refusing(view: RequestView, first: Key) -> list[Key]:
    """Return the buttons that lead to a no with words: of those that can stop the turn, that too."""
    keys = [first]
    if view.interrupt:
        keys.append(Key(f"{_no(view)} and stop…", "stop"))
    return keys


def released(view: RequestView) -> list[Key]:
    """Return the button that gives a request back, where its agent shows nothing meanwhile."""
    return [RELEASE] if view.hold == "exclusive" and view.kind not in DIRECT else []


def shared(step: Step, name: str) -> Result:
    """Return what the buttons do that many first steps have. Raises BadReply for any other."""
    match name:
        case "reason":
            return Reason(step)
        case "stop":
            return Reason(step, stop=True)
        case "release":
            return Released()
        case _:
            raise stale()


class Asked(NamedTuple):
    """Whether something is meant: a suggestion, or what could not be shown. `reply` answers then."""

    before: Step
    lead: str
    shown: str
    yes: str
    reply: replies.Reply

    @property
    def _yes(self) -> str:
        return f"yes:{marked(self.reply)}"

    def face(self, _view: RequestView) -> Face:
        lines = [*said(self.lead, "strong"), *said(self.shown)] if self.shown else said(self.lead, "loud")
        return Face(tuple(lines), ((Key(self.yes, self._yes),), (BACK,)))

    def tap(self, name: str, _view: RequestView) -> Result:
        if name == "back":
            return self.before
        if name == self._yes:
            return Answered(self.reply)
        raise stale()

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)


def agent(view: RequestView) -> str:
    return agent_name(view.agent)
