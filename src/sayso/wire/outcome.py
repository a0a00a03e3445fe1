"""What became of a request, in words: what a person chose, what whoever cancelled it said. Imports `core`."""

from __future__ import annotations

from collections.abc import Callable

from sayso.core.types import Request


def said(request: Request) -> str:
    """Return what whoever cancelled a program's own ask said, or ""."""
    if not request.ask.is_direct:
        return ""
    return request.decision.message if request.decision is not None else request.words


def asked(request: Request, time_of_day: Callable[[float], str]) -> str:
    """Return what the person chose, in words; "" before an answer.

    Args:
        time_of_day: returns an instant of the desk's clock as people read it.
    """
    decision, ask = request.decision, request.ask
    if decision is None:
        return ""
    if request.granted_until_s is not None:
        return f"allow, by the grant until {time_of_day(request.granted_until_s)}"
    if decision.value is not None:
        return next((one.label for one in ask.choices if one.value == decision.value), decision.value)
    if decision.behavior != "allow":
        what = "deny and stop" if decision.interrupt else decision.behavior
        return f"{what}: {decision.message}" if decision.message else what
    if decision.suggestion is not None:
        return f"allow, and asked for: {ask.suggestions[decision.suggestion]}"
    if decision.answers:
        return "; ".join(
            answer.text
            if answer.text is not None
            else ", ".join(question.options[index].label for index in answer.picked)
            for answer, question in zip(decision.answers, ask.questions, strict=True)
        )
    return f"allow, then {decision.mode}" if decision.mode else "allow"
