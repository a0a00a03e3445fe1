"""The first steps of what agents ask without questions: a permission, a plan, a link.

Frozen values, as in `steps`. Imports `base`, `replies`, `steps`, `core` and `errors`.
"""

from __future__ import annotations

from typing import NamedTuple

from sayso.channels import replies
from sayso.channels.base import Line, suggestions
from sayso.channels.telegram.steps import (
    BACK,
    NO_WORDS,
    Answered,
    Asked,
    Face,
    Key,
    Reason,
    Result,
    agent,
    in_rows,
    marked,
    refusing,
    released,
    said,
    shared,
    stale,
)
from sayso.channels.telegram.text import MOST_BUTTON_UNITS, clipped
from sayso.channels.text import clip, visible
from sayso.core.bounds import MAX_PLAN_CHARS
from sayso.errors import BadReply
from sayso.wire.views import RequestView

WHILE_S = 300.0
ALLOW, DENY = Key("Allow", "allow"), Key("Deny", "deny")
MODE_LABELS = {
    "default": "Approve: it asks before each edit",
    "acceptEdits": "Approve: edits without asking",
    "auto": "Approve: auto mode",
}
_UNSEEN = "A part of it never left the agent's hook, so nobody can read it here."


class Permission(NamedTuple):
    """A call that is allowed or not."""

    def face(self, view: RequestView) -> Face:
        first = Key("Allow it unseen…", "allow") if _is_lost(view) else ALLOW
        keys = [first, DENY]
        more = refusing(view, Key("Deny, and say why…", "reason"))
        offered = suggestions(view)
        always = [Key(_offer(number, label), f"suggest:{number}") for number, label in offered]
        lasts = [Key("Allow this very call for 5 minutes", "while")] if _can_last(view) else []
        rows = (tuple(keys), *((key,) for key in (*more, *always, *lasts, *released(view))))
        return Face(_offers(offered), rows)

    def tap(self, name: str, view: RequestView) -> Result:
        name, _, number = name.partition(":")
        match name:
            case "allow" if _is_lost(view):
                return Asked(self, _UNSEEN, "", "Allow it unseen", replies.allow(view, unseen=True))
            case "allow":
                return Answered(replies.allow(view))
            case "deny":
                return Answered(replies.deny(view))
            case "while":
                return Answered(replies.allow(view, for_s=WHILE_S))
            case "suggest":
                return self._suggest(int(number), view)
            case _:
                return shared(self, name)

    def _suggest(self, number: int, view: RequestView) -> Result:
        reply = replies.allow(view, suggestion=number, unseen=_is_lost(view))
        lead = f"Allow it, and ask {agent(view)} for this:"
        if _is_lost(view):
            lead = f"{_UNSEEN} {lead}"
        return Asked(self, lead, dict(suggestions(view))[number], "Allow, and ask for this", reply)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)


def _is_lost(view: RequestView) -> bool:
    return any(row.lost for row in view.input)


def _can_last(view: RequestView) -> bool:
    return view.confirmed and bool(view.tool) and not _is_lost(view)


def _offer(number: int, label: str) -> str:
    return clipped(f"Allow + {number}: {clip(label, MOST_BUTTON_UNITS)}", MOST_BUTTON_UNITS)


def _offers(offered: list[tuple[int, str]]) -> tuple[Line, ...]:
    if not offered:
        return ()
    lines = said("With allow you may also choose one of these:", "strong")
    return tuple(lines + [line for number, label in offered for line in said(f"{number}  {label}")])


class Plan(NamedTuple):
    """A plan, and what comes after it is approved. `plan`: as the person would have it, None for as it is."""

    plan: str | None = None

    def face(self, view: RequestView) -> Face:
        mark = marked(self.plan)
        modes = [Key(_mode_label(mode), f"mode:{mark}:{mode}") for mode in view.modes]
        if self.plan is not None:
            return Face(tuple(self._edited()), (*((key,) for key in modes), (BACK,)))
        no = refusing(view, Key("Keep planning…", "reason"))
        keys = (*modes, *no, Key("Edit the plan…", "edit"), *released(view))
        lines = said("A reply in words sends it back with them.", "faint")
        return Face(tuple(lines), tuple((key,) for key in keys))

    def _edited(self) -> list[Line]:
        assert self.plan is not None
        return [*said("Your plan instead of the one above:", "strong"), *said(clip(self.plan, 600))]

    def tap(self, name: str, view: RequestView) -> Result:
        name, _, mode = name.partition(":")
        if name == "back":
            return Plan()
        if name == "edit":
            return Edit()
        if name != "mode":
            return shared(self, name)
        mark, _, mode = mode.partition(":")
        if mark != marked(self.plan):
            raise stale()
        reply = replies.allow(view, mode=mode, plan=self.plan, unseen=_is_lost(view))
        return Asked(self, _UNSEEN, "", "Approve it unseen", reply) if _is_lost(view) else Answered(reply)

    def words(self, text: str, view: RequestView) -> Result:
        return Reason(self).words(text, view)


def _mode_label(mode: str) -> str:
    return MODE_LABELS.get(mode) or clipped(f"Approve: {visible(mode)}", MOST_BUTTON_UNITS)


class Edit(NamedTuple):
    """The whole plan, typed anew."""

    def face(self, _view: RequestView) -> Face:
        asks = "The whole plan, as you would have it?"
        return Face(tuple(said(f"{asks} Reply with it.", "strong")), ((BACK,),), asks)

    def tap(self, name: str, _view: RequestView) -> Result:
        if name == "back":
            return Plan()
        raise stale()

    def words(self, text: str, _view: RequestView) -> Result:
        if not text.strip():
            raise BadReply("a blank plan is none")
        if len(text) > MAX_PLAN_CHARS:
            raise BadReply(f"a plan has at most {MAX_PLAN_CHARS} characters")
        return Plan(text.rstrip("\n") + "\n")  # a chat takes away the end of the last line


class Link(NamedTuple):
    """An address that a server wants to be opened."""

    def face(self, view: RequestView) -> Face:
        keys = [Key("Accept: I will open it", "accept"), Key("Decline", "deny"), Key("Cancel", "cancel")]
        return Face((), in_rows([*keys, *released(view)]))

    def tap(self, name: str, view: RequestView) -> Result:
        match name:
            case "accept" if _is_lost(view):
                return Asked(self, _UNSEEN, "", "Accept it unseen", replies.allow(view, unseen=True))
            case "accept":
                return Answered(replies.allow(view))
            case "deny":
                return Answered(replies.deny(view))
            case "cancel":
                return Answered({"behavior": "cancel"})
            case _:
                return shared(self, name)

    def words(self, _text: str, _view: RequestView) -> Result:
        raise BadReply(NO_WORDS)
