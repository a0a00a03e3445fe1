"""The steps of questions: one after the other, options by buttons, own words and notes by replies.

What was chosen so far is a `Draft`, as on the screen. Frozen values, as in `steps`. Imports `base`,
`screen.questions`, `steps`, `core.types` and `errors`.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from sayso.channels.base import Line
from sayso.channels.screen.questions import Draft
from sayso.channels.telegram.steps import (
    BACK,
    Answered,
    Face,
    Key,
    Result,
    refusing,
    released,
    said,
    shared,
    stale,
)
from sayso.channels.telegram.text import MOST_BUTTON_UNITS, clipped
from sayso.channels.text import clip
from sayso.core.types import Option, Question
from sayso.errors import BadReply
from sayso.wire.views import RequestView

_WORDS_COLUMNS = 300


class Questions(NamedTuple):
    """The question at the draft's place; an option answers it, and the last one all of them."""

    draft: Draft = Draft()

    def face(self, view: RequestView) -> Face:
        of = len(view.questions)
        question = view.questions[self.draft.place]
        lines = self._lines(view, question) if of > 1 or self.chosen(question) else []
        options = [self._option(question, number) for number in range(1, len(question.options) + 1)]
        more = [Key("Answer in my own words…", "text"), Key("Add a note…", "note")]
        no = refusing(view, Key("Do not answer…", "reason"))
        keys = [*options, *self._send(view), *more, *no, *released(view)]
        return Face(tuple(lines), tuple((key,) for key in keys) + self._moves(of))

    def _lines(self, view: RequestView, question: Question) -> list[Line]:
        of, place = len(view.questions), self.draft.place
        lines = said(f"Question {place + 1} of {of}:", "strong") if of > 1 else []
        if of > 1:
            lines += said(clip(question.question, _WORDS_COLUMNS))
        return lines + self.chosen(question)

    def chosen(self, question: Question) -> list[Line]:
        """Return what was chosen for the question at the draft's place."""
        place = self.draft.place
        lines: list[Line] = []
        if picked := self.draft.picked.get(place):
            labels = "; ".join(clip(question.options[each].label, _WORDS_COLUMNS // 3) for each in picked)
            lines += said(f"Picked: {labels}")
        if place in self.draft.texts:
            lines += said(f"Your words: {clip(self.draft.texts[place], _WORDS_COLUMNS)}")
        if place in self.draft.notes:
            lines += said(f"Your note: {clip(self.draft.notes[place], _WORDS_COLUMNS)}")
        return lines

    def _option(self, question: Question, number: int) -> Key:
        option = question.options[number - 1]
        mark = ""
        if question.multi_select:
            mark = "☑ " if number - 1 in self.draft.picked.get(self.draft.place, ()) else "☐ "
        label = clipped(f"{mark}{number}. {_label(option)}", MOST_BUTTON_UNITS)
        return Key(label, f"pick:{self.draft.place}:{number}")

    def _send(self, view: RequestView) -> list[Key]:
        """Return what goes on: a multiple choice ends by it; several questions are looked over first."""
        if not self.draft.done(self.draft.place):
            return []
        if len(view.questions) == 1:
            return [Key("Send the answer", f"send:{_mark(self.draft)}")]
        return [Key("Go on", "next")]

    def _moves(self, of: int) -> tuple[tuple[Key, ...], ...]:
        place = self.draft.place
        moves = [Key("« Question before", f"at:{place - 1}")] if place else []
        if place + 1 < of:
            moves.append(Key("Next question »", f"at:{place + 1}"))
        return (tuple(moves),) if moves else ()

    def tap(self, name: str, view: RequestView) -> Result:
        name, _, rest = name.partition(":")
        match name:
            case "pick":
                place, _, number = rest.partition(":")
                return self._pick(int(place), int(number), view)
            case "text" | "note":
                return OwnWords(self.draft, notes=name == "note")
            case "next":
                return self._next(view)
            case "at":
                return Questions(self.draft.at(int(rest), len(view.questions)))
            case "send":
                return Answered(self.draft.reply(view))
            case _:
                return shared(self, name)

    def _pick(self, place: int, number: int, view: RequestView) -> Result:
        question = view.questions[place]
        draft = self.draft.at(place, len(view.questions))
        if question.multi_select:
            return Questions(draft.toggled(question, number))
        bare = draft._replace(picked={k: v for k, v in draft.picked.items() if k != place})
        return Questions(bare.toggled(question, number)).answered(view)

    def answered(self, view: RequestView) -> Result:
        """Return what follows once this question has its answer."""
        if len(view.questions) == 1:
            return Answered(self.draft.reply(view))
        return self._next(view)

    def _next(self, view: RequestView) -> Result:
        following = self.draft.next_open(len(view.questions))
        if following is None:
            return Review(self.draft)
        return Questions(self.draft.at(following, len(view.questions)))

    def words(self, text: str, view: RequestView) -> Result:
        return OwnWords(self.draft).words(text, view)


def _label(option: Option) -> str:
    return clip(option.label, MOST_BUTTON_UNITS)


def _mark(draft: Draft) -> str:
    """Return a word for what is in a draft: a button that sends it counts for this alone."""
    content = repr((sorted(draft.picked.items()), sorted(draft.texts.items()), sorted(draft.notes.items())))
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]


class OwnWords(NamedTuple):
    """Words for the question at the draft's place: the answer, or a note beside it."""

    draft: Draft
    notes: bool = False

    def face(self, view: RequestView) -> Face:
        asks = "A note beside your answer?" if self.notes else "Your own words?"
        question = clip(view.questions[self.draft.place].question, _WORDS_COLUMNS)
        lines = [*said(f"{asks} Reply with it.", "strong"), *said(question)]
        return Face(tuple(lines), ((BACK,),), asks)

    def tap(self, name: str, _view: RequestView) -> Result:
        if name == "back":
            return Questions(self.draft)
        raise stale()

    def words(self, text: str, view: RequestView) -> Result:
        if not text.strip():
            raise BadReply("a blank text is no answer")
        place = self.draft.place
        if self.notes:
            return Questions(self.draft.noted(place, text))
        return Questions(self.draft.worded(place, text)).answered(view)


class Review(NamedTuple):
    """All answers, as they would be sent."""

    draft: Draft

    def face(self, view: RequestView) -> Face:
        lines = said("Your answers:", "strong")
        for place, question in enumerate(view.questions):
            at = Questions(self.draft.at(place, len(view.questions)))
            lines += said(f"{place + 1}. {clip(question.question, 120)}", "faint")
            lines += at.chosen(question)
        back = [Key(f"Change {place + 1}", f"at:{place}") for place in range(len(view.questions))]
        send = Key("Send the answers", f"send:{_mark(self.draft)}")
        no = refusing(view, Key("Do not answer…", "reason"))
        return Face(tuple(lines), ((send,), *_in_threes(back), *((key,) for key in no)))

    def tap(self, name: str, view: RequestView) -> Result:
        return Questions(self.draft).tap(name, view) if name[:3] in ("at:", "sen") else shared(self, name)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply("the answers are complete: send them, or change one first")


def _in_threes(keys: list[Key]) -> tuple[tuple[Key, ...], ...]:
    return tuple(tuple(keys[at : at + 3]) for at in range(0, len(keys), 3))
