"""What the screen asks a person before an answer is complete: a reason, a mode, words, a form.

Each step is a frozen value: a key makes the next step, an answer, or closes it. What does
not fit raises BadReply and the step stays. What programs ask themselves has steps of its own
(`direct_steps`). Imports its neighbours, `base`, `card`, `replies`, `errors` and `wire.views`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sayso.channels import replies
from sayso.channels.base import MODES, Line, agent_name, lined, suggestions
from sayso.channels.card import field_lines, shown_value
from sayso.channels.screen.direct_steps import DirectStep, Text
from sayso.channels.screen.editor import Editor
from sayso.channels.screen.results import Accepted, Answered, Closed, Worded, edited
from sayso.channels.text import visible
from sayso.core.types import DIRECT, Field
from sayso.errors import BadReply
from sayso.wire.views import RequestView

_TYPED_AS = {"boolean": ": yes or no", "choice": ": its number", "choices": ": their numbers, as 1,3"}
MODE_KEYS = {"m": "default", "e": "acceptEdits", "u": "auto"}


_ENDS = {"plan": "sends it back", **dict.fromkeys(DIRECT, "cancels it")}
"""What an answer with a reason does, where it does not deny."""


class Reason(NamedTuple):
    """Why it is denied; for a plan, what should change."""

    editor: Editor = Editor()
    stop: bool = False

    def key(self, name: str, view: RequestView) -> Result:
        if name == "escape":
            return Closed()
        if name == "enter":
            return Answered(replies.deny(view, self.editor.text, self.stop))
        return self._replace(editor=self.editor.key(name))

    def lines(self, view: RequestView, columns: int) -> list[Line]:
        words = "What should change" if view.kind == "plan" else "Why"
        end = "denies it and stops the turn" if self.stop else _ENDS.get(view.kind, "denies it")
        return edited(f"{words} (you may leave it empty)? Enter {end}, Esc goes back.", self.editor, columns)


class Suggest(NamedTuple):
    """The number of a suggestion, which Enter confirms."""

    digits: str
    unseen: bool = False

    def key(self, name: str, view: RequestView) -> Result:
        if name == "enter":
            return Answered(replies.allow(view, suggestion=int(self.digits), unseen=self.unseen))
        if len(name) == 1 and name.isascii() and name.isdigit():
            return self._replace(digits=(self.digits + name)[-2:])
        return Closed()

    def lines(self, view: RequestView, columns: int) -> list[Line]:
        label = dict(suggestions(view)).get(int(self.digits))
        if label is None:
            return lined(f"There is no suggestion {self.digits}. Any other key goes back.", columns)
        lines = lined(f"Enter allows it and asks {agent_name(view.agent)} for:", columns, style="strong")
        return [
            *lines,
            *lined(f"{self.digits}  {label}", columns, "  "),
            *lined("Any other key goes back.", columns),
        ]


class Mode(NamedTuple):
    """What comes after a plan is approved."""

    unseen: bool = False

    def key(self, name: str, view: RequestView) -> Result:
        mode = MODE_KEYS.get(name)
        if mode is None:
            return Closed()
        return Answered(replies.allow(view, mode=mode, unseen=self.unseen))

    def lines(self, view: RequestView, columns: int) -> list[Line]:
        lines = lined("Approve the plan. After it:", columns, style="strong")
        for key, mode in MODE_KEYS.items():
            if mode in view.modes:
                lines += lined(f"{key}  {MODES[mode]}", columns, "  ")
        return [*lines, *lined("Any other key goes back.", columns)]


class Unseen(NamedTuple):
    """A part of the request cannot be shown to anybody here."""

    def key(self, name: str, _view: RequestView) -> Result:
        return Accepted() if name == "u" else Closed()

    def lines(self, _view: RequestView, columns: int) -> list[Line]:
        words = "A part of it never left the agent's hook, so nobody can read it here."
        return [
            *lined(words, columns, style="loud"),
            *lined("u takes it unseen; any other key goes back.", columns),
        ]


class Words(NamedTuple):
    """The person's own words for one question."""

    place: int
    editor: Editor
    notes: bool = False

    def key(self, name: str, _view: RequestView) -> Result:
        if name == "escape":
            return Closed()
        if name == "enter":
            if not self.editor.text.strip() and not self.notes:
                raise BadReply("a blank text is no answer; Esc goes back")
            return Worded(self.place, self.editor.text, self.notes)
        return self._replace(editor=self.editor.key(name))

    def lines(self, _view: RequestView, columns: int) -> list[Line]:
        what = "A note beside your answer" if self.notes else "Your own words"
        return edited(f"{what}. Enter keeps it, Esc goes back.", self.editor, columns)


class Form(NamedTuple):
    """A form, field by field. `texts`: what was typed so far, by name of the field."""

    place: int
    editor: Editor
    texts: Mapping[str, str]

    @classmethod
    def at(cls, view: RequestView, place: int, texts: Mapping[str, str]) -> Form | Review:
        if place >= len(view.fields):
            return Review(texts)
        return cls(place, Editor.of(texts.get(view.fields[place].name, "")), texts)

    def key(self, name: str, view: RequestView) -> Result:
        if name == "escape":
            return Form.at(view, self.place - 1, self.texts) if self.place else Closed()
        if name != "enter":
            return self._replace(editor=self.editor.key(name))
        field = view.fields[self.place]
        texts = {**self.texts, field.name: self.editor.text}
        _content(view.fields[: self.place + 1], texts)
        return Form.at(view, self.place + 1, texts)

    def lines(self, view: RequestView, columns: int) -> list[Line]:
        field = view.fields[self.place]
        how = _TYPED_AS.get(field.type, "")
        words = f"Field {self.place + 1} of {len(view.fields)}{how}. Enter goes on, Esc goes back."
        return [*field_lines(field, self.place + 1, columns), *edited(words, self.editor, columns)]


class Review(NamedTuple):
    """The form as it would be sent."""

    texts: Mapping[str, str]

    def key(self, name: str, view: RequestView) -> Result:
        if name == "escape" and view.fields:
            return Form.at(view, len(view.fields) - 1, self.texts)
        if name == "a":
            return Answered({"behavior": "allow", "content": _content(view.fields, self.texts)})
        return Closed() if name == "escape" else self

    def lines(self, view: RequestView, columns: int) -> list[Line]:
        lines = lined("This goes to the server:", columns, style="strong")
        for name, value in _content(view.fields, self.texts).items():
            lines += lined(f"{visible(name)}: {shown_value(value)}", columns, "  ")
        return [*lines, *lined("a sends it, Esc goes back.", columns)]


Step = Reason | Suggest | Mode | Unseen | Words | Form | Review | DirectStep
Result = Step | Answered | Worded | Accepted | Closed


def pasted(step: Step, text: str) -> Step:
    """Return the step with a pasted text in it, where it takes text at all."""
    if not isinstance(step, Reason | Words | Form | Text):
        return step
    return step._replace(editor=step.editor.paste(text))


def _content(fields: tuple[Field, ...], texts: Mapping[str, str]) -> dict[str, replies.Value]:
    """Return the values of these fields; an empty text leaves a field to its default."""
    content: dict[str, replies.Value] = {}
    for field in fields:
        text = texts.get(field.name, "")
        value = _value(field, text) if text.strip() else replies.default(field)
        if value is None and field.required:
            raise BadReply(f"{visible(field.title or field.name)} is required")
        if value is not None:
            content[field.name] = value
    return content


def _value(field: Field, text: str) -> replies.Value:
    if field.type not in ("choice", "choices"):
        return replies.field_value(field, [text])
    numbers = [part.strip() for part in text.split(",")]
    if not all(
        each.isascii() and each.isdigit() and 1 <= int(each) <= len(field.choices) for each in numbers
    ):
        raise BadReply(f"type a number from 1 to {len(field.choices)}")
    return replies.field_value(field, [field.choices[int(each) - 1].value for each in numbers])
