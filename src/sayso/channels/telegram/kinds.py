"""The first step of each kind of request. Imports the steps alone."""

from __future__ import annotations

from collections.abc import Callable

from sayso.channels.telegram.agent_steps import Link, Permission, Plan
from sayso.channels.telegram.direct_steps import Choice, Command, Text, YesNo
from sayso.channels.telegram.form_steps import Form
from sayso.channels.telegram.question_steps import Questions
from sayso.channels.telegram.steps import Step
from sayso.core.types import Kind
from sayso.wire.views import RequestView

_FIRST: dict[str, Callable[[], Step]] = {
    Kind.PERMISSION: Permission,
    Kind.QUESTION: Questions,
    Kind.PLAN: Plan,
    Kind.ELICITATION: Form,
    Kind.YESNO: YesNo,
    Kind.CHOICE: Choice,
    Kind.TEXT: Text,
    Kind.CONFIRM: Command,
}


def first_step(view: RequestView) -> Step:
    return Link() if view.url else _FIRST[view.kind]()
