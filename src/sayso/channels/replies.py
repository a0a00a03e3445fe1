"""From what a person types to a reply of the wire: numbers as shown, names, words.

Not here: the last word. The desk checks every reply again; this only catches early what
can be said better where the typing happens. What programs ask themselves: `values`. Pure.
Imports `base`, `direct`, `core` and `errors`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sayso.channels.base import MODES, agent_name, is_cut, suggestions
from sayso.channels.direct import WAYS
from sayso.channels.text import visible
from sayso.core.bounds import LEAST_GRANT_S, MOST_GRANT_S
from sayso.core.forms import check_value, label
from sayso.core.types import Field, Question
from sayso.errors import BadReply, BadRequest, Gone
from sayso.wire.views import RequestView

Value = str | int | float | bool | list[str] | None
Reply = dict[str, object]

_YES = frozenset({"yes", "y", "true", "on", "1"})
_NO = frozenset({"no", "n", "false", "off", "0"})
_WHOLE = re.compile(r"[+-]?\d+")


# --- which request ---------------------------------------------------------------------


def find(prefix: str, views: Iterable[RequestView]) -> RequestView:
    """Return the one request whose id begins so.

    Raises:
        BadRequest: several do; they are listed.
        Gone: none does.
    """
    wanted = prefix.strip().lower()
    matches = [view for view in views if wanted and view.id.lower().startswith(wanted)]
    exact = [view for view in matches if view.id.lower() == wanted]
    if len(exact) == 1 or len(matches) == 1:
        return (exact or matches)[0]
    if not matches:
        raise Gone(
            f"no request is known whose id begins with {visible(prefix)!r}; `sayso list` shows what waits"
        )
    listed = "\n".join(f"  {visible(view.id)}  {agent_name(view.agent)}, {view.state}" for view in matches)
    raise BadRequest(
        f"{visible(prefix)!r} is the beginning of {len(matches)} ids; say more of it:\n{listed}", "id"
    )


# --- allow and deny --------------------------------------------------------------------


def allow(
    view: RequestView,
    suggestion: int | None = None,
    mode: str | None = None,
    plan: str | None = None,
    unseen: bool = False,
    for_s: float | None = None,
) -> Reply:
    """Return the reply that allows. `suggestion` is the number shown, from 1."""
    if view.kind in WAYS:
        raise BadReply(f"a {view.kind} is not allowed, but answered: {WAYS[view.kind]}")
    if view.kind == "question":
        raise BadReply("a question cannot be allowed, only answered: sayso answer ID 1")
    if view.kind == "elicitation" and not view.url:
        raise BadReply("a form has to be filled in: sayso answer ID --set name=value")
    if view.kind == "plan" and not any(row.value.strip() for row in view.input):
        raise BadReply("no plan could be shown, so none can be approved")
    if any(row.lost for row in view.input) and not unseen:
        raise BadReply(
            "a part of it never left the agent's hook and cannot be shown; --unseen allows it anyway"
        )
    reply: Reply = {"behavior": "allow"}
    if suggestion is not None:
        reply["suggestion"] = _suggestion(view, suggestion)
    if view.kind == "plan":
        reply["mode"] = _mode(view, mode)
    elif mode is not None:
        raise BadReply("only a plan is approved with a mode", "mode")
    if plan is not None:
        if view.kind != "plan":
            raise BadReply("only a plan can be edited", "plan")
        reply["plan"] = plan
    if unseen:
        reply["unseen"] = True
    if for_s is not None:
        reply["for_s"] = _while(view, reply, for_s)
    return reply


def _while(view: RequestView, reply: Reply, for_s: float) -> float:
    if view.kind != "permission":
        raise BadReply("only a permission is allowed for a while", "for_s")
    if not LEAST_GRANT_S <= for_s <= MOST_GRANT_S:
        raise BadReply("a while is from 1 to 60 minutes: --for 5m", "for_s")
    if "suggestion" in reply:
        raise BadReply("allow it for a while, or choose a suggestion: not both", "for_s")
    if "unseen" in reply or any(row.lost for row in view.input):
        raise BadReply("what was not shown whole is allowed once, not for a while", "for_s")
    return for_s


def _suggestion(view: RequestView, number: int) -> str:
    offered = [shown for shown, _label in suggestions(view)]
    if number not in offered:
        listed = ", ".join(map(str, offered)) or "it offers none"
        raise BadReply(f"there is no suggestion {number}; choose from: {listed}", "suggestion")
    return view.suggestions[number - 1].id


def _mode(view: RequestView, mode: str | None) -> str:
    chosen = mode or "default"
    if chosen not in view.modes:
        offered = ", ".join(each for each in view.modes if each in MODES)
        raise BadReply(f"this plan cannot be approved with mode {chosen!r}; choose from: {offered}", "mode")
    return chosen


def deny(view: RequestView, message: str = "", stop: bool = False) -> Reply:
    """Return the reply that denies, or declines a form."""
    if view.kind == "elicitation" and (message.strip() or stop):
        raise BadReply("declining a form carries no message and stops nothing", "message")
    if stop and not view.interrupt:
        raise BadReply(f"{agent_name(view.agent)} cannot be stopped by an answer", "interrupt")
    reply: Reply = {"behavior": "deny"}
    if message.strip():
        reply["message"] = message
    if stop:
        reply["interrupt"] = True
    return reply


def feedback(message: str) -> Reply:
    """Return the reply that sends a plan back with what to change."""
    if not message.strip():
        raise BadReply("say what should change: sayso answer ID --text '…'", "message")
    return {"behavior": "deny", "message": message}


def unread(view: RequestView) -> list[int]:
    """Return the rows of which only a part is in the view, but the desk has more."""
    return [index for index, row in enumerate(view.input) if is_cut(row) and row.length > len(row.value)]


# --- questions -------------------------------------------------------------------------


def numbers(text: str, question: Question) -> list[str]:
    """Return the labels that the numbers, as shown, stand for."""
    labels: list[str] = []
    for part in text.split(","):
        number = int(part) if part.strip().isascii() and part.strip().isdigit() else 0
        if not 1 <= number <= len(question.options):
            raise BadReply(
                f"{visible(part.strip())!r} is not the number of an option (1 to {len(question.options)}); "
                "your own words go after --text"
                if question.options
                else "this question has no options to pick: use --text",
                "answers",
            )
        labels.append(question.options[number - 1].label)
    return labels


def answer(
    view: RequestView,
    in_order: Sequence[str] = (),
    picks: Sequence[str] = (),
    texts: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Reply:
    """Return the reply to a question.

    Args:
        in_order: option numbers ("2" or "1,3"), one for each question not named otherwise.
        picks: "Q:N[,N]". texts, notes: "Q:TEXT", or just TEXT when there is one question.
    """
    questions = view.questions
    answers: list[Reply] = [{} for _ in questions]
    for index, numbered in _named(picks, len(questions), "--pick"):
        _put(answers, index, "picked", numbers(numbered, questions[index]))
    for index, text in _named(texts, len(questions), "--text"):
        if not text.strip():
            raise BadReply("a blank text is no answer", "answers")
        _put(answers, index, "text", text)
    free = [index for index, given in enumerate(answers) if not given]
    if len(in_order) > len(free):
        raise BadReply(f"{len(in_order)} answers for {len(free)} questions", "answers")
    for index, numbered in zip(free, in_order, strict=False):
        _put(answers, index, "picked", numbers(numbered, questions[index]))
    for index, text in _named(notes, len(questions), "--notes"):
        answers[index]["notes"] = text
    return complete(view, answers)


def complete(view: RequestView, answers: list[Reply]) -> Reply:
    """Return the reply of these answers, one for each question.

    Raises:
        BadReply: a question is left open, or has more options picked than it takes.
    """
    for index, (given, question) in enumerate(zip(answers, view.questions, strict=True), 1):
        picked = given.get("picked")
        if not picked and not given.get("text"):
            raise BadReply(
                f"question {index} is not answered: {visible(question.question)}", f"answers[{index - 1}]"
            )
        if isinstance(picked, list) and not question.multi_select and len(picked) > 1:  # pyright: ignore[reportUnknownArgumentType]
            raise BadReply(f"question {index} takes one option", f"answers[{index - 1}]")
    return {"behavior": "allow", "answers": answers}


def _put(answers: list[Reply], index: int, name: str, value: object) -> None:
    if answers[index]:
        raise BadReply(f"question {index + 1} is answered twice", f"answers[{index}]")
    answers[index][name] = value


def _named(given: Sequence[str], of: int, option: str) -> list[tuple[int, str]]:
    """Return (index, text) of each "Q:TEXT". One question needs no name for a text."""
    named: list[tuple[int, str]] = []
    for item in given:
        name, colon, text = item.partition(":")
        if of == 1 and (option != "--pick" or not colon):
            named.append((0, item))
        elif colon and name.isascii() and name.isdigit() and 1 <= int(name) <= of:
            named.append((int(name) - 1, text))
        else:
            raise BadReply(f"say which of the {of} questions: {option} 1:{visible(item)}", "answers")
    return named


# --- forms -----------------------------------------------------------------------------


def form(view: RequestView, given: Sequence[tuple[str, str]]) -> Reply:
    """Return the reply that accepts a form with these fields; what is left has its default."""
    if view.url:
        if given:
            raise BadReply("a link has no form to fill in", "content")
        return {"behavior": "allow"}
    fields = {field.name: field for field in view.fields}
    texts: dict[str, list[str]] = {}
    for name, text in given:
        if name not in fields:
            raise BadReply(
                f"the form has no field {visible(name)!r}; it has {', '.join(map(visible, fields))}",
                "content",
            )
        texts.setdefault(name, []).append(text)
    return {
        "behavior": "allow",
        "content": filled(view, {n: field_value(fields[n], t) for n, t in texts.items()}),
    }


def filled(view: RequestView, given: Mapping[str, Value]) -> dict[str, Value]:
    """Return the content of a form: the given values, and the defaults of the others.

    Raises:
        BadReply: a required field has neither.
    """
    content: dict[str, Value] = {}
    for field in view.fields:
        value = given.get(field.name, default(field))
        if value is None and field.required:
            raise BadReply(
                f"{visible(label(field))} is required: --set {visible(field.name)}=…", f"content.{field.name}"
            )
        if value is not None:
            content[field.name] = value
    return content


def default(field: Field) -> Value:
    return list(field.default) if isinstance(field.default, tuple) else field.default


def field_value(field: Field, texts: Sequence[str]) -> Value:
    """Return what was typed as the field's own type.

    Raises:
        BadReply: it does not fit; says what would.
    """
    if field.type == "choices":
        value: Value = _choices(field, texts)
    elif len(texts) > 1:
        raise BadReply(f"{visible(label(field))} is given twice", f"content.{field.name}")
    else:
        value = _single(field, texts[0])
    check_value(field, value)
    return value


def _single(field: Field, text: str) -> Value:
    name, word = visible(label(field)), text.strip()
    match field.type:
        case "boolean":
            if word.lower() not in _YES | _NO:
                raise BadReply(f"{name} must be yes or no", f"content.{field.name}")
            return word.lower() in _YES
        case "integer":
            if not _WHOLE.fullmatch(word):
                raise BadReply(f"{name} must be a whole number", f"content.{field.name}")
            return int(word)
        case "number":
            return _number(field, word)
        case "choice":
            return _choice(field, text)
        case _:
            return text


def _number(field: Field, word: str) -> Value:
    try:
        return int(word) if _WHOLE.fullmatch(word) else float(word)
    except ValueError as error:
        raise BadReply(f"{visible(label(field))} must be a number", f"content.{field.name}") from error


def _choice(field: Field, text: str) -> str:
    """Return the value that is written so; a label stands for its value where only one has it."""
    values = [choice.value for choice in field.choices]
    if text in values:
        return text
    labelled = [choice.value for choice in field.choices if choice.label == text]
    if len(labelled) != 1:
        raise BadReply(
            f"{visible(label(field))} must be one of {', '.join(map(visible, values))}",
            f"content.{field.name}",
        )
    return labelled[0]


def _choices(field: Field, texts: Sequence[str]) -> list[str]:
    whole = {choice.value for choice in field.choices} | {choice.label for choice in field.choices}
    parts: list[str] = []
    for text in texts:
        parts += [text] if text in whole else [part.strip() for part in text.split(",") if part.strip()]
    return [_choice(field, part) for part in parts]
