"""What a caller is shown of what the desk knows: not every device that may see, sees everything.

A command that this computer runs is for who may administer; the text that a person wrote as an answer, to
a program or to an agent's questions, for the device that it was given on. Programs of
this computer are shown all: the desk runs as they do.
Not here: who may call what (`wire.protocol`), texts that are masked for everybody (`mask`). Imports
`service`, `core.types`, `wire`.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from sayso.core.types import Answer, Decision, Kind, Settings
from sayso.daemon.service import Caller
from sayso.wire.protocol import Power
from sayso.wire.views import Change, RequestView, Snapshot

COMMANDS = ("on_request", "pane_program")
"""Settings that this computer runs. They can hold a token, or say where one is."""
HIDDEN = "…[hidden]"
"""Stands for an answer that is not shown; no person writes just that."""
_BETWEEN = re.compile("; |, ")
"""Between answers, and between the labels of one; also within a label."""
_NO_ANSWERS = ("deny and stop", "deny", "cancel")


class Shown(Struct, frozen=True):
    """What is shown: `commands` or "" for them; the texts that were given with `credential`, or None: all."""

    commands: bool
    credential: str | None

    def settings(self, settings: Settings) -> Settings:
        return settings if self.commands else replace(settings, **dict.fromkeys(COMMANDS, ""))

    def hides(self, view: RequestView) -> bool:
        """Whether the answer to a request holds a text that was given elsewhere."""
        if not self._is_from_elsewhere(view):
            return False
        return view.value is not None if view.kind == Kind.TEXT else _has_own_words(view)

    def _is_from_elsewhere(self, view: RequestView) -> bool:
        return self.credential is not None and (view.by is None or view.by.credential != self.credential)

    def request(self, view: RequestView) -> RequestView:
        if not self.hides(view):
            return view
        value = HIDDEN if view.value is not None else None
        lead = next((said for said in _NO_ANSWERS if not value and view.asked.startswith(f"{said}: ")), "")
        return replace(view, value=value, asked=f"{lead}: {HIDDEN}" if lead else HIDDEN)

    def decision(self, decision: Decision, view: RequestView) -> Decision:
        """Return the answer to a request as it is shown of it: a form may hold a password, too."""
        if not self._is_from_elsewhere(view):
            return decision
        content = decision.content and dict.fromkeys(decision.content, HIDDEN)
        answers = tuple(map(_without_words, decision.answers))
        plan = HIDDEN if decision.plan is not None else None
        value = HIDDEN if self.hides(view) and decision.value is not None else decision.value
        return replace(decision, value=value, answers=answers, content=content, plan=plan)

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        return replace(
            snapshot,
            requests=tuple(map(self.request, snapshot.requests)),
            ended=tuple(map(self.request, snapshot.ended)),
            settings=self.settings(snapshot.settings),
        )

    def change(self, change: Change) -> Change:
        if change.snapshot is not None:
            return replace(change, snapshot=self.snapshot(change.snapshot))
        if change.settings is not None:
            return replace(change, settings=self.settings(change.settings))
        if change.request is not None:
            view = self.request(change.request)
            return change if view is change.request else replace(change, request=view)
        return change


def _has_own_words(view: RequestView) -> bool:
    """Whether questions were answered by more than what was offered: pieces of its labels tell nothing."""
    if view.kind != Kind.QUESTION or view.asked in ("", "allow", *_NO_ANSWERS):
        return False
    labels = (one.label for each in view.questions for one in each.options)
    offered = {piece for label in labels for piece in _BETWEEN.split(label)}
    return not offered.issuperset(piece for piece in _BETWEEN.split(view.asked) if piece)


def _without_words(answer: Answer) -> Answer:
    text = HIDDEN if answer.text is not None else None
    return replace(answer, text=text, notes=HIDDEN if answer.notes else "")


ALL = Shown(commands=True, credential=None)
LEAVES = Shown(commands=True, credential="")
"""To channels inside the desk, which may tell it elsewhere: nobody's answer is given with no credential."""


def shown_to(caller: Caller) -> Shown:
    """Return what somebody is shown. Who has a process calls from this computer."""
    if caller.pid:
        return ALL
    return Shown(commands=caller.power >= Power.ADMIN, credential=caller.credential)
