"""An unfinished answer to questions, kept while a person moves between them and the cards.

Frozen. Imports `replies`, `core.types`, `errors` and `wire.views`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sayso.channels import replies
from sayso.core.types import Question
from sayso.errors import BadReply
from sayso.wire.views import RequestView

_NO_TEXTS: Mapping[int, str] = MappingProxyType({})
_NO_PICKS: Mapping[int, tuple[int, ...]] = MappingProxyType({})


class Draft(NamedTuple):
    """`place`: the question before the person. The others by question: options picked, in the
    order they were picked; or words instead; and notes beside either."""

    place: int = 0
    picked: Mapping[int, tuple[int, ...]] = _NO_PICKS
    texts: Mapping[int, str] = _NO_TEXTS
    notes: Mapping[int, str] = _NO_TEXTS

    def done(self, index: int) -> bool:
        return bool(self.picked.get(index)) or index in self.texts

    def at(self, index: int, of: int) -> Draft:
        """Go to a question, or to the nearest that there is."""
        return self._replace(place=max(0, min(index, of - 1)))

    def toggled(self, question: Question, number: int) -> Draft:
        """Pick the option with this number, from 1; or take it back.

        Raises:
            BadReply: there is none.
        """
        if not 1 <= number <= len(question.options):
            raise BadReply(f"there is no option {number}")
        picked = self.picked.get(self.place, ())
        if number - 1 in picked:
            picked = tuple(each for each in picked if each != number - 1)
        else:
            picked = (*picked, number - 1) if question.multi_select else (number - 1,)
        return self._replace(
            picked={**self.picked, self.place: picked}, texts=_without(self.texts, self.place)
        )

    def worded(self, index: int, text: str) -> Draft:
        """Answer a question with words, which take the place of options."""
        picked = {each: options for each, options in self.picked.items() if each != index}
        return self._replace(texts={**self.texts, index: text}, picked=picked)

    def noted(self, index: int, text: str) -> Draft:
        return self._replace(
            notes={**self.notes, index: text} if text.strip() else _without(self.notes, index)
        )

    def next_open(self, of: int) -> int | None:
        """Return the next question without an answer, the later ones first; None when all have one."""
        unanswered = [index for index in range(of) if not self.done(index)]
        return next(
            (index for index in unanswered if index > self.place), unanswered[0] if unanswered else None
        )

    def reply(self, view: RequestView) -> replies.Reply:
        """Return the whole answer; every question must have one."""
        return replies.complete(view, [self._given(index, each) for index, each in enumerate(view.questions)])

    def _given(self, index: int, question: Question) -> replies.Reply:
        given: replies.Reply = {}
        if index in self.texts:
            given["text"] = self.texts[index]
        else:
            given["picked"] = [question.options[each].label for each in self.picked.get(index, ())]
        if index in self.notes:
            given["notes"] = self.notes[index]
        return given


def _without(texts: Mapping[int, str], index: int) -> Mapping[int, str]:
    return {each: text for each, text in texts.items() if each != index}
