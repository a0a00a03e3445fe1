"""From a person's reply, in words, to a decision, in positions; or why not.

One table says which fields a reply of each kind may have. Nothing is consumed here:
whatever does not fit raises, and the request stays pending. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from sayso.core import direct
from sayso.core.bounds import (
    LEAST_GRANT_S,
    MAX_FIELDS,
    MAX_MESSAGE_CHARS,
    MAX_OPTIONS,
    MAX_PLAN_CHARS,
    MAX_QUESTIONS,
    MOST_GRANT_S,
)
from sayso.core.forms import FIELD_TYPES, check_form
from sayso.core.types import Answer, Ask, Behavior, Decision, Kind, ListedAnswer, Question, Reply
from sayso.errors import BadReply

PLAN_MODES = ("default", "acceptEdits", "auto")
"""What a plan may be approved into. Never a mode that asks for nothing."""

EVERY_KIND = frozenset({"behavior", "message", "interrupt", "unseen", "key"})
OWN_FIELDS: dict[str, frozenset[str]] = {
    Kind.PERMISSION: frozenset({"suggestion", "for_s"}),
    Kind.QUESTION: frozenset({"answers"}),
    Kind.PLAN: frozenset({"mode", "plan"}),
    Kind.ELICITATION: frozenset({"content"}),
    **direct.OWN_FIELDS,
}
"""The fields that a reply of each kind may have beside EVERY_KIND."""
_MOST_STEPS = 10_000
ON_DENY = frozenset({"message", "interrupt"})


def fit(ask: Ask, reply: Reply) -> Decision:
    """Return the decision a reply means.

    Raises:
        BadReply: with the field, and words for a person.
    """
    _check_fields(ask, reply)
    if ask.is_direct:
        return direct.fit(ask, reply)
    if reply.behavior == Behavior.ALLOW:
        return _ALLOW[ask.kind](ask, reply)
    if reply.behavior == Behavior.DENY:
        return _deny(ask, reply)
    if reply.behavior == Behavior.CANCEL and ask.kind == Kind.ELICITATION:
        return Decision(behavior=Behavior.CANCEL)
    choices = "allow, deny or cancel" if ask.kind == Kind.ELICITATION else "allow or deny"
    raise BadReply(f"behavior must be {choices}", "behavior")


def _check_fields(ask: Ask, reply: Reply) -> None:
    allowed = EVERY_KIND | OWN_FIELDS[ask.kind]
    if ask.is_direct and reply.behavior in (Behavior.DENY, Behavior.CANCEL):
        allowed = EVERY_KIND - {"interrupt"}
    elif reply.behavior == Behavior.DENY:
        allowed = EVERY_KIND
    elif reply.behavior == Behavior.CANCEL:
        allowed = EVERY_KIND - ON_DENY
    elif reply.behavior is not None:
        allowed = allowed - ON_DENY
    for name in Reply.__struct_fields__:
        if getattr(reply, name) is not None and name not in allowed:
            what = "a denial" if reply.behavior == Behavior.DENY else f"this answer to a {ask.kind}"
            raise BadReply(f"{what} has no {name}", name)


def _deny(ask: Ask, reply: Reply) -> Decision:
    message = reply.message or ""
    if len(message) > MAX_MESSAGE_CHARS:
        raise BadReply(f"a message has at most {MAX_MESSAGE_CHARS} characters", "message")
    if ask.kind == Kind.ELICITATION and (message.strip() or reply.interrupt):
        raise BadReply("declining a form carries no message and stops nothing", "message")
    if reply.interrupt and not ask.interrupt:
        raise BadReply(f"{ask.agent} cannot be stopped by an answer", "interrupt")
    return Decision(
        behavior=Behavior.DENY,
        message=message if message.strip() else "",
        interrupt=bool(reply.interrupt),
    )


def _allow_permission(ask: Ask, reply: Reply) -> Decision:
    if reply.for_s is not None:
        _check_while(reply, reply.for_s)
    if reply.suggestion is None:
        return Decision(behavior=Behavior.ALLOW)
    ids = [str(index) for index in range(len(ask.suggestions))]
    if reply.suggestion not in ids:
        offered = ", ".join(ids) or "none"
        raise BadReply(f"no suggestion {reply.suggestion!r}; there is {offered}", "suggestion")
    index = int(reply.suggestion)
    if not ask.suggestions[index]:
        raise BadReply("that suggestion is never offered: it would switch all questions off", "suggestion")
    return Decision(behavior=Behavior.ALLOW, suggestion=index)


def _check_while(reply: Reply, for_s: float) -> None:
    """See that a call is allowed for a while by itself, and as it was shown."""
    if not LEAST_GRANT_S <= for_s <= MOST_GRANT_S:
        raise BadReply(f"for_s is from {LEAST_GRANT_S:.0f} to {MOST_GRANT_S:.0f} seconds", "for_s")
    if reply.suggestion is not None:
        raise BadReply("allow it for a while, or choose a suggestion: not both", "for_s")
    if reply.unseen:
        raise BadReply("what was not shown whole is allowed once, not for a while", "for_s")


def _allow_plan(ask: Ask, reply: Reply) -> Decision:
    mode = reply.mode or "default"
    if mode not in ask.modes:
        raise BadReply(f"mode must be one of {', '.join(ask.modes)}", "mode")
    if reply.plan is not None:
        _check_plan(ask, reply.plan)
    return Decision(behavior=Behavior.ALLOW, mode=mode, plan=reply.plan)


def _check_plan(ask: Ask, plan: str) -> None:
    if not plan.strip():
        raise BadReply("an empty plan cannot be approved", "plan")
    if len(plan) > MAX_PLAN_CHARS:
        raise BadReply(f"a plan has at most {MAX_PLAN_CHARS} characters", "plan")
    if any(row.hidden or row.lost for row in ask.input):
        # The edit started from what was shown, so it would write the mask into the plan.
        raise BadReply("parts of this plan were masked or cut: edit it in the terminal", "plan")


def _allow_elicitation(ask: Ask, reply: Reply) -> Decision:
    if ask.url:
        if reply.content:
            raise BadReply("a link has no form to fill in", "content")
        return Decision(behavior=Behavior.ALLOW)
    if reply.content is None:
        raise BadReply("fill in the form, or decline it", "content")
    return Decision(behavior=Behavior.ALLOW, content=check_form(ask.fields, reply.content))


# --- questions -------------------------------------------------------------------------


def _allow_question(ask: Ask, reply: Reply) -> Decision:
    if reply.answers is None:
        raise BadReply("a question needs an answer: a bare allow would answer it with nothing", "answers")
    answers = reply.answers
    if isinstance(answers, dict):
        listed = _from_map(ask.questions, answers)
    else:
        listed = _from_list(ask.questions, answers)
    return Decision(behavior=Behavior.ALLOW, answers=listed)


def _from_list(questions: tuple[Question, ...], answers: list[ListedAnswer]) -> tuple[Answer, ...]:
    if len(answers) != len(questions):
        raise BadReply(f"{len(questions)} answers are needed, {len(answers)} were given", "answers")
    return tuple(
        _listed(question, answer, f"answers[{index}]")
        for index, (question, answer) in enumerate(zip(questions, answers, strict=True))
    )


def _listed(question: Question, answer: ListedAnswer, field: str) -> Answer:
    if answer.text is not None:
        if answer.picked:
            raise BadReply("give either labels or a text of your own", field)
        return Answer(text=_text(answer.text, field), notes=_notes(answer.notes, field))
    labels = [option.label for option in question.options]
    for name in answer.picked:
        if name not in labels:
            raise BadReply(f"{question.question!r} has no option {name!r}", f"{field}.picked")
    picked = tuple(labels.index(name) for name in answer.picked)
    return Answer(picked=_picked(question, picked, field), notes=_notes(answer.notes, field))


def _from_map(questions: tuple[Question, ...], answers: dict[str, str]) -> tuple[Answer, ...]:
    texts = [question.question for question in questions]
    for text in answers:
        if text not in texts:
            raise BadReply(f"no such question: {text!r}", "answers")
    for text in texts:
        if text not in answers:
            raise BadReply(f"not answered: {text!r}", "answers")
    return tuple(_mapped(question, answers[question.question]) for question in questions)


def _mapped(question: Question, given: str) -> Answer:
    field = f"answers[{question.question!r}]"
    labels = [option.label for option in question.options]
    if not question.multi_select:
        if given in labels:
            return Answer(picked=(labels.index(given),))
        return Answer(text=_text(given, field))
    readings = _readings(given, labels)
    if len(readings) > 1:
        raise BadReply("these labels can be read in more than one way: answer with a list", field)
    if readings:
        return Answer(picked=_picked(question, readings[0], field))
    return Answer(text=_text(given, field))


def _readings(given: str, labels: list[str]) -> list[tuple[int, ...]]:
    """Return the ways (two at most) to read a text as distinct labels joined by ", "."""
    found: list[tuple[int, ...]] = []
    steps = 0

    def read(rest: str, before: tuple[int, ...]) -> None:
        nonlocal steps
        steps += 1
        if steps > _MOST_STEPS:  # labels made to be read in very many ways
            raise BadReply("these labels can be read in too many ways: answer with a list", "answers")
        for index, name in enumerate(labels):
            if index in before or len(found) > 1:
                continue
            if rest == name:
                found.append((*before, index))
            elif rest.startswith(f"{name}, "):
                read(rest[len(name) + 2 :], (*before, index))

    read(given, ())
    return found[:2]


def _picked(question: Question, picked: tuple[int, ...], field: str) -> tuple[int, ...]:
    if not picked:
        raise BadReply(f"not answered: {question.question!r}", field)
    if len(set(picked)) != len(picked):
        raise BadReply("an option is picked twice", field)
    if len(picked) > 1 and not question.multi_select:
        raise BadReply(f"{question.question!r} takes one option", field)
    return picked


def _text(text: str, field: str) -> str:
    if not text.strip():
        raise BadReply("a blank text is no answer", field)
    if len(text) > MAX_MESSAGE_CHARS:
        raise BadReply(f"a text has at most {MAX_MESSAGE_CHARS} characters", field)
    return text


def _notes(notes: str, field: str) -> str:
    if len(notes) > MAX_MESSAGE_CHARS:
        raise BadReply(f"notes have at most {MAX_MESSAGE_CHARS} characters", f"{field}.notes")
    return notes if notes.strip() else ""


_ALLOW: dict[str, Callable[[Ask, Reply], Decision]] = {
    Kind.PERMISSION: _allow_permission,
    Kind.QUESTION: _allow_question,
    Kind.PLAN: _allow_plan,
    Kind.ELICITATION: _allow_elicitation,
}


# --- what cannot be shown safely -------------------------------------------------------


def unshowable(ask: Ask) -> str:
    """Return why an ask cannot be shown safely, in words; "" when it can."""
    if ask.unshowable:
        return ask.unshowable
    if ask.kind not in OWN_FIELDS:
        return f"sayso does not know the kind {ask.kind!r}"
    return _UNSHOWABLE.get(ask.kind, _nothing)(ask)


def _nothing(_ask: Ask) -> str:
    return ""


def _unshowable_question(ask: Ask) -> str:
    if not 0 < len(ask.questions) <= MAX_QUESTIONS:
        return f"it has {len(ask.questions)} questions"
    for question in ask.questions:
        if len(question.options) > MAX_OPTIONS:
            return f"a question has {len(question.options)} options"
        if not question.question.strip():
            return "a question is empty"
        if _alike([option.label for option in question.options]):
            return "two options look alike"
    if _alike([question.question for question in ask.questions]):
        return "two questions look alike"
    return ""


def _unshowable_plan(ask: Ask) -> str:
    if not any(row.value.strip() for row in ask.input):
        return "there is no plan to read"
    if not ask.modes:
        return "it can be approved into no mode"
    strange = [mode for mode in ask.modes if mode not in PLAN_MODES]
    return f"it offers the mode {strange[0]!r}, which is never offered" if strange else ""


def _unshowable_elicitation(ask: Ask) -> str:
    if ask.url:
        return ""
    if len(ask.fields) > MAX_FIELDS:
        return f"the form has {len(ask.fields)} fields"
    if _alike([field.name for field in ask.fields]):
        return "two fields of the form look alike"
    strange = [field.type for field in ask.fields if field.type not in FIELD_TYPES]
    return f"the form has a field of the type {strange[0]!r}" if strange else ""


def _alike(texts: list[str]) -> bool:
    """Whether two texts cannot be told apart by a reader, or one is blank."""
    seen = {" ".join(text.split()) for text in texts}
    return len(seen) < len(texts) or "" in seen


_UNSHOWABLE: dict[str, Callable[[Ask], str]] = {
    Kind.QUESTION: _unshowable_question,
    Kind.PLAN: _unshowable_plan,
    Kind.ELICITATION: _unshowable_elicitation,
}
