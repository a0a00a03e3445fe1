"""The steps of what programs ask themselves: yes or no, a choice, a text, a command in two steps.

Frozen values, as in `steps`. That a command was acknowledged first is the desk's to see. Imports
`direct`, `steps`, `values`, `core` and `errors`.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.channels.base import DESTRUCTIVE
from sayso.channels.direct import choice_words
from sayso.channels.telegram.steps import (
    BACK,
    NO_WORDS,
    Answered,
    Face,
    Key,
    Result,
    in_rows,
    said,
    shared,
    stale,
)
from sayso.channels.telegram.text import MOST_BUTTON_UNITS, clipped
from sayso.channels.text import clip
from sayso.channels.values import stepped, valued
from sayso.core.direct import ACK, RUN, YESNO
from sayso.errors import BadReply
from sayso.wire.views import RequestView

CANCEL = Key("Cancel…", "reason")


class YesNo(NamedTuple):
    """Yes or no."""

    def face(self, view: RequestView) -> Face:
        keys = tuple(Key(_named(word.capitalize(), word == view.default), f"say:{word}") for word in YESNO)
        return Face((), (keys, (CANCEL,)))

    def tap(self, name: str, _view: RequestView) -> Result:
        name, _, word = name.partition(":")
        return Answered(valued(word)) if name == "say" else shared(self, name)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)


def _named(label: str, is_default: bool) -> str:
    return f"{label} (default)" if is_default else label


class Choice(NamedTuple):
    """One of several; whatever their ids are, a button names its place."""

    def face(self, view: RequestView) -> Face:
        keys = [self._key(view, number) for number in range(1, len(view.choices) + 1)]
        return Face((), (*in_rows(keys), (CANCEL,)))

    def _key(self, view: RequestView, number: int) -> Key:
        words = clip(choice_words(view, number), MOST_BUTTON_UNITS)
        return Key(clipped(f"{number}. {words}", MOST_BUTTON_UNITS), f"choose:{number}")

    def tap(self, name: str, view: RequestView) -> Result:
        name, _, number = name.partition(":")
        if name == "choose":
            return Answered(valued(view.choices[int(number) - 1].value))
        return shared(self, name)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)


class Text(NamedTuple):
    """A text: a reply is the answer."""

    def face(self, view: RequestView) -> Face:
        default = [Key("Answer with its default", "default")] if view.default else []
        keys = [Key("Write it…", "write"), *default, Key("Answer with an empty text…", "empty"), CANCEL]
        return Face(tuple(said("Reply to this message with the text.", "strong")), tuple((k,) for k in keys))

    def tap(self, name: str, view: RequestView) -> Result:
        match name:
            case "write":
                return Write()
            case "default":
                return Answered(valued(view.default))
            case "empty":
                return Empty()
            case _:
                return shared(self, name)

    def words(self, text: str, _view: RequestView) -> Result:
        if not text.strip():
            raise BadReply("a blank text is not taken for an answer: the card has a button for an empty one")
        return Answered(valued(text))


class Write(NamedTuple):
    """The same, asked for."""

    def face(self, _view: RequestView) -> Face:
        return Face(tuple(said("Your text? Reply with it.", "strong")), ((BACK,),), "Your text?")

    def tap(self, name: str, _view: RequestView) -> Result:
        if name == "back":
            return Text()
        raise stale()

    def words(self, text: str, view: RequestView) -> Result:
        return Text().words(text, view)


class Empty(NamedTuple):
    """An empty text is an answer, but not by accident."""

    def face(self, _view: RequestView) -> Face:
        return Face(
            tuple(said("The answer is an empty text.", "loud")), ((Key("Send it empty", "yes"),), (BACK,))
        )

    def tap(self, name: str, _view: RequestView) -> Result:
        if name == "back":
            return Text()
        if name == "yes":
            return Answered(valued(""))
        raise stale()

    def words(self, text: str, view: RequestView) -> Result:
        return Text().words(text, view)


class Command(NamedTuple):
    """A command, which somebody has to understand first."""

    def face(self, _view: RequestView) -> Face:
        return Face((), ((Key("I understand the command", "ack"),), (CANCEL,)))

    def tap(self, name: str, _view: RequestView) -> Result:
        return Answered(stepped(ACK)) if name == "ack" else shared(self, name)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)


class Run(NamedTuple):
    """The second step, with the command still above it."""

    def face(self, view: RequestView) -> Face:
        lines = said(DESTRUCTIVE, "loud") if view.unsafe else []
        lines += said("You understood the command above. Nothing runs yet.", "strong")
        return Face(tuple(lines), ((Key("Run it", "run"),), (BACK, CANCEL)))

    def tap(self, name: str, _view: RequestView) -> Result:
        if name == "back":
            return Command()
        return Answered(stepped(RUN)) if name == "run" else shared(self, name)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)
