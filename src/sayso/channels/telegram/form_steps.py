"""The steps of a form: one field after the other, looked over, and sent.

Frozen values, as in `steps`. Imports `card`, `replies`, `steps`, `core` and `errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sayso.channels import replies
from sayso.channels.card import shown_value
from sayso.channels.telegram.steps import (
    BACK,
    NO_WORDS,
    Answered,
    Face,
    Key,
    Result,
    in_rows,
    marked,
    released,
    said,
    shared,
    stale,
)
from sayso.channels.telegram.text import MOST_BUTTON_UNITS, clipped
from sayso.channels.text import clip, visible
from sayso.core.forms import check_value, label
from sayso.core.types import Field
from sayso.errors import BadReply
from sayso.wire.views import RequestView

Content = Mapping[str, replies.Value]
_NOTHING: Content = MappingProxyType({})
MOST_CHOICE_KEYS = 80
"""Telegram takes 100 buttons; of a longer list the choice is typed."""


class Form(NamedTuple):
    """A form that is filled in, or not."""

    def face(self, view: RequestView) -> Face:
        keys = [Key("Fill it in", "fill"), Key("Decline", "deny"), Key("Cancel", "cancel")]
        return Face((), in_rows([*keys, *released(view)]))

    def tap(self, name: str, view: RequestView) -> Result:
        match name:
            case "fill":
                return at(0, view, _NOTHING)
            case "deny":
                return Answered(replies.deny(view))
            case "cancel":
                return Answered({"behavior": "cancel"})
            case _:
                return shared(self, name)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)


def at(place: int, view: RequestView, content: Content) -> Result:
    """Return the step of a field; behind the last one, all of them looked over."""
    return Fill(place, content) if place < len(view.fields) else Review(content)


class Fill(NamedTuple):
    """One field. `toggled`: of several choices, those picked so far."""

    place: int
    content: Content
    toggled: tuple[str, ...] = ()

    def face(self, view: RequestView) -> Face:
        field = view.fields[self.place]
        typed = not _by_buttons(field)
        lines = said(f"Field {self.place + 1} of {len(view.fields)}: {visible(label(field))}", "strong")
        if typed:
            lines += said("Reply with its value.")
        keys = self._choices(field) if not typed else []
        keys += self._without(field)
        return Face(
            tuple(lines), (*((key,) for key in keys), (BACK,)), visible(label(field)) if typed else ""
        )

    def _choices(self, field: Field) -> list[Key]:
        if field.type == "boolean":
            return [Key("Yes", f"value:{self.place}:yes"), Key("No", f"value:{self.place}:no")]
        keys: list[Key] = []
        for number, choice in enumerate(field.choices):
            mark = ""
            if field.type == "choices":
                mark = "☑ " if choice.value in self.toggled else "☐ "
            words = clip(choice.label or choice.value, MOST_BUTTON_UNITS)
            keys.append(Key(clipped(mark + words, MOST_BUTTON_UNITS), f"choice:{self.place}:{number}"))
        if field.type == "choices":
            keys.append(Key("Go on with these", f"these:{self.place}:{marked(self.toggled)}"))
        return keys

    def _without(self, field: Field) -> list[Key]:
        if field.default is not None:
            words = f"As it is: {clip(shown_value(replies.default(field)), 30)}"
            return [Key(clipped(words, MOST_BUTTON_UNITS), f"default:{self.place}")]
        return [] if field.required else [Key("Leave it out", f"default:{self.place}")]

    def tap(self, name: str, view: RequestView) -> Result:
        field = view.fields[self.place]
        name, _, rest = name.partition(":")
        place, _, rest = rest.partition(":")
        if place and int(place) != self.place:
            raise stale()
        match name:
            case "back":
                return Fill(self.place - 1, self.content) if self.place else Form()
            case "value":
                return self._with(rest == "yes", view)
            case "choice":
                return self._choose(field, int(rest), view)
            case "these":
                check_value(field, list(self.toggled))
                return self._with(list(self.toggled), view)
            case "default":
                return self._with(replies.default(field), view)
            case _:
                raise stale()

    def _choose(self, field: Field, number: int, view: RequestView) -> Result:
        value = field.choices[number].value
        if field.type == "choice":
            return self._with(value, view)
        if value in self.toggled:
            return self._replace(toggled=tuple(one for one in self.toggled if one != value))
        return self._replace(toggled=(*self.toggled, value))

    def _with(self, value: replies.Value, view: RequestView) -> Result:
        name = view.fields[self.place].name
        content = {key: old for key, old in self.content.items() if key != name}
        if value is not None:
            content[name] = value
        return at(self.place + 1, view, content)

    def words(self, text: str, view: RequestView) -> Result:
        field = view.fields[self.place]
        if not text.strip():
            raise BadReply("a blank text is no value")
        return self._with(replies.field_value(field, [text]), view)


def _by_buttons(field: Field) -> bool:
    if field.type == "boolean":
        return True
    return field.type in ("choice", "choices") and len(field.choices) <= MOST_CHOICE_KEYS


class Review(NamedTuple):
    """The form as it would be sent."""

    content: Content

    def face(self, _view: RequestView) -> Face:
        lines = said("This goes to the server:", "strong")
        for name, value in self.content.items():
            lines += said(f"{visible(name)}: {clip(shown_value(value), 200)}")
        send = Key("Send the form", f"send:{marked(sorted(self.content.items()))}")
        return Face(tuple(lines), ((send,), (BACK,)))

    def tap(self, name: str, view: RequestView) -> Result:
        if name == "back":
            return Fill(len(view.fields) - 1, self.content) if view.fields else Form()
        if name.startswith("send:"):
            return Answered({"behavior": "allow", "content": replies.filled(view, self.content)})
        raise stale()

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply("the form is complete: send it, or go back")
