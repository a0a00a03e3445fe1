"""Responses of document 004: what one means for a request, and how a decision is told as one.

One mapping for every kind of the desk, so that whoever speaks the document answers all of them. What
says nothing, or does not fit, raises; nothing of it is dropped in silence. Imports `core` and `views`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec import Struct

from sayso.core.types import Answer, Behavior, Decision, Kind, ListedAnswer, Question, Reply
from sayso.errors import BadReply
from sayso.wire.views import RequestView

Fields = dict[str, str | int | float | bool | list[str] | None]
Selection = int | str | list[str] | Fields
"""A label, an index, several labels, or one of these for each question or field by its name."""


class Response(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person's answer, in the words of document 004. At least one of them says something.

    `decision`: allow or deny, or a longer word that begins so; ack and run for a command. `selection`:
    what was chosen. `text`: the person's own words. `reason`: why.
    """

    decision: str | None = None
    selection: Selection | None = None
    text: str | None = None
    reason: str | None = None


# --- a response, as a reply --------------------------------------------------------------

ALWAYS = "allow_always"
"""It names no rule: it can mean the one that an agent suggests, where there is one alone."""


def reply_of(view: RequestView, response: Response) -> Reply:
    """Return what a response means for a request. Raises BadReply, naming the field."""
    if response == Response():
        raise BadReply("a response says something: decision, selection or text", "response")
    return _REPLIES[Kind(view.kind)](view, response)


def _behavior(response: Response) -> str:
    """Return allow, deny, cancel, or "" where no decision is given."""
    word = (response.decision or "").strip().lower()
    if not word:
        return ""
    if word == Behavior.CANCEL:
        return Behavior.CANCEL
    for behavior in (Behavior.ALLOW, Behavior.DENY):
        if word.startswith(behavior):
            return behavior
    raise BadReply("decision is allow or deny", "response.decision")


def _check(response: Response, *fields: str) -> None:
    """See that nothing is given but these. Raises BadReply."""
    for name in ("decision", "selection", "text", "reason"):
        if name not in fields and getattr(response, name) is not None:
            raise BadReply(f"this answer has no {name}", f"response.{name}")


def _no(response: Response, behavior: str = Behavior.DENY) -> Reply:
    """Return a denial with the words that were given for it."""
    _check(response, "decision", "text", "reason")
    words = [part for part in (response.reason, response.text) if part]
    return Reply(behavior=behavior, message="\n".join(words) or None)


def _permission(view: RequestView, response: Response) -> Reply:
    behavior = _behavior(response)
    if behavior == Behavior.DENY:
        return _no(response)
    _check(response, "decision", "selection")
    if behavior != Behavior.ALLOW:
        raise BadReply("decision is allow or deny", "response.decision")
    if response.selection is None:
        always = (response.decision or "").strip().lower() == ALWAYS
        return Reply(behavior=Behavior.ALLOW, suggestion=_only_suggestion(view) if always else None)
    for one in view.suggestions:
        if one.label and response.selection in (one.id, int(one.id), one.label):
            return Reply(behavior=Behavior.ALLOW, suggestion=one.id)
    raise BadReply("no such suggestion is offered: give its index or label", "response.selection")


def _only_suggestion(view: RequestView) -> str:
    """Return the suggestion that the word always can mean. Raises BadReply."""
    if len(view.suggestions) == 1 and view.suggestions[0].label:
        return view.suggestions[0].id
    raise BadReply("which always? give a selection, or allow it once", "response.decision")


def _plan(_view: RequestView, response: Response) -> Reply:
    behavior = _behavior(response)
    if behavior == Behavior.DENY:
        return _no(response)
    if behavior != Behavior.ALLOW:
        raise BadReply("decision is allow or deny", "response.decision")
    _check(response, "decision", "selection", "text")
    return Reply(behavior=Behavior.ALLOW, mode=_word(response.selection), plan=response.text)


def _question(view: RequestView, response: Response) -> Reply:
    behavior = _behavior(response)
    if behavior == Behavior.DENY:
        return _no(response)
    if behavior == Behavior.CANCEL:  # whatever else is said with it is no answer
        raise BadReply("a question is answered, or denied", "response.decision")
    _check(response, "decision", "selection", "text")
    chosen, count = response.selection, len(view.questions)
    if isinstance(chosen, dict):
        answers = _of_each(view.questions, chosen, response.text)
    elif count > 1:
        raise BadReply(f"selection names an answer for each of the {count} questions", "response.selection")
    else:
        answers = [_answer(view.questions[0], chosen, response.text)]
    return Reply(behavior=Behavior.ALLOW, answers=answers)


def _of_each(questions: tuple[Question, ...], chosen: dict[str, Any], text: str | None) -> list[ListedAnswer]:
    left = [one.question for one in questions if one.question not in chosen]
    if len(chosen) + len(left) > len(questions):
        raise BadReply("selection names a question that was not asked", "response.selection")
    if text is not None and len(left) != 1:
        raise BadReply("text answers the one question that selection leaves open", "response.text")
    return [
        _answer(one, chosen[one.question], None) if one.question in chosen else _answer(one, None, text)
        for one in questions
    ]


def _answer(question: Question, chosen: Any, text: str | None) -> ListedAnswer:
    if chosen is None:
        return ListedAnswer(text=text) if text is not None else ListedAnswer()
    if text is not None:
        raise BadReply("give either a selection or a text of your own", "response.text")
    if isinstance(chosen, list):
        return ListedAnswer(picked=tuple(cast("list[str]", chosen)))
    if not isinstance(chosen, str):
        raise BadReply(f"{question.question!r} is answered by a label", "response.selection")
    return ListedAnswer(picked=(chosen,)) if question.options else ListedAnswer(text=chosen)


def _form(_view: RequestView, response: Response) -> Reply:
    behavior = _behavior(response)
    if behavior in (Behavior.DENY, Behavior.CANCEL):
        return _no(response, behavior)
    _check(response, "decision", "selection")
    if response.selection is not None and not isinstance(response.selection, dict):
        raise BadReply("selection holds a form's fields by their names", "response.selection")
    return Reply(behavior=Behavior.ALLOW, content=response.selection)


def _value(view: RequestView, response: Response) -> Reply:
    """One text answers a yesno, a choice or a text; which ones fit is the desk's to say."""
    if _behavior(response) in (Behavior.DENY, Behavior.CANCEL):
        return _no(response, Behavior.CANCEL)
    _check(response, "decision", "selection", "text")
    if response.selection is not None and response.text is not None:
        raise BadReply("give either a selection or a text", "response.text")
    word = response.text if response.text is not None else _word(response.selection)
    if word is None:
        raise BadReply("this is answered by a selection or a text", "response.selection")
    ids = [one.value for one in view.choices]
    if word not in ids:  # readers who show labels send back a label
        word = next((one.value for one in view.choices if one.label == word), word)
    return Reply(behavior=Behavior.ALLOW, value=word)


def _command(_view: RequestView, response: Response) -> Reply:
    word = (response.decision or "").strip().lower()
    if word in ("ack", "run"):
        _check(response, "decision")
        return Reply(behavior=Behavior.ALLOW, step=word)
    if word and word != Behavior.ALLOW and _behavior(response) in (Behavior.DENY, Behavior.CANCEL):
        return _no(response, Behavior.CANCEL)
    raise BadReply("a command takes two decisions: ack, and then run", "response.decision")


def _word(selection: Selection | None) -> str | None:
    if selection is None or isinstance(selection, str):
        return selection
    raise BadReply("selection must be a text here", "response.selection")


_REPLIES: dict[Kind, Callable[[RequestView, Response], Reply]] = {
    Kind.PERMISSION: _permission,
    Kind.PLAN: _plan,
    Kind.QUESTION: _question,
    Kind.ELICITATION: _form,
    Kind.YESNO: _value,
    Kind.CHOICE: _value,
    Kind.TEXT: _value,
    Kind.CONFIRM: _command,
}


# --- a decision, as a response -----------------------------------------------------------


def response_of(
    kind: str, decision: Decision, questions: tuple[Question, ...], suggestions: tuple[str, ...]
) -> Response:
    """Return how a decision is told.

    Args:
        questions: those that were asked; in the asker's own words for the asker, else as they were shown.
    """
    if decision.behavior != Behavior.ALLOW:
        return Response(decision=str(decision.behavior), reason=decision.message or None)
    if decision.value is not None:
        field = "selection" if kind in (Kind.YESNO, Kind.CHOICE) else "text"
        return Response(decision=Behavior.ALLOW, **{field: decision.value})
    if decision.answers:
        return _told_answers(decision.answers, questions)
    if decision.content is not None:
        return Response(decision=Behavior.ALLOW, selection=decision.content)
    if decision.suggestion is not None:
        return Response(decision=Behavior.ALLOW, selection=suggestions[decision.suggestion])
    if kind == Kind.PERMISSION:
        return Response(decision="allow_once")
    return Response(decision=Behavior.ALLOW, selection=decision.mode or None, text=decision.plan)


def _told_answers(answers: tuple[Answer, ...], questions: tuple[Question, ...]) -> Response:
    """Return answers: of one question its own, of several each by its question."""
    notes = "\n".join(answer.notes for answer in answers if answer.notes) or None
    pairs = list(zip(answers, questions, strict=True))
    if len(pairs) > 1:
        chosen: Fields = {question.question: _told(answer, question) for answer, question in pairs}
        return Response(decision=Behavior.ALLOW, selection=chosen, reason=notes)
    ((answer, question),) = pairs
    if answer.text is not None:
        return Response(decision=Behavior.ALLOW, text=answer.text, reason=notes)
    return Response(decision=Behavior.ALLOW, selection=_told(answer, question), reason=notes)


def _told(answer: Answer, question: Question) -> str | list[str]:
    if answer.text is not None:
        return answer.text
    labels = [question.options[index].label for index in answer.picked]
    return labels if question.multi_select else labels[0]
