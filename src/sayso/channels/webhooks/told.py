"""What a webhook is told of a change: nothing, or an event's type and data.

Who asks and which kind; texts only where the person chose that (`what`). Every text is masked before it
gets here, is cut, and passes through `visible`. Pure. Imports `text`, `wire`.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import structs

from sayso.channels.text import visible
from sayso.wire.views import AlertView, Change, NoteView, RequestView
from sayso.wire.webhooks import (
    EventAlert,
    EventData,
    EventNote,
    EventQuestion,
    EventRequest,
    EventRow,
)

MOST_ROWS = 16
MOST_VALUE_CHARS = 1000
MOST_LABEL_CHARS = 200
_OF_CHANGE = {"shown": "request.shown", "resolved": "request.resolved", "changed": "request.changed"}
_CHOSEN_OF = frozenset({"permission", "plan"})
"""Of other kinds the answer is what the program wanted to know, which is for it alone."""


class Told(NamedTuple):
    """An event without its place in an order."""

    type: str
    data: EventData


def told(change: Change, content: str) -> Told | None:
    """Return what is told of a change; None for one that webhooks do not hear of.

    Args:
        content: who or what.
    """
    with_text = content == "what"
    if change.request is not None and change.type in _OF_CHANGE:
        return Told(_OF_CHANGE[change.type], EventData(request=_request(change.request, with_text)))
    if change.note is not None:
        return Told("note", EventData(note=_note(change.note, with_text)))
    if change.alert is not None:
        return Told("alert", EventData(alert=_alert(change.alert)))
    return None


def _request(view: RequestView, with_text: bool) -> EventRequest:
    said = EventRequest(
        id=view.id,
        agent=_short(view.agent),
        session_id=_short(view.session_id),
        kind=view.kind,
        state=view.state,
        created_at=view.created_at,
        reason=view.reason,
        label=_short(view.label),
        confirmed=view.confirmed,
        subagent=_short(view.agent_type),
        project=_short(view.project),
        branch=_short(view.branch),
        worktree=_short(view.worktree),
        host=view.host,
        surface_id=_short(view.surface_id),
        notice=view.notice,
        unsafe=view.unsafe,
        expires_at=view.expires_at,
        answered_at=view.answered_at,
        ended_at=view.ended_at,
        by=view.by,
    )
    return _with_text(said, view) if with_text else said


def _with_text(said: EventRequest, view: RequestView) -> EventRequest:
    return structs.replace(
        said,
        tool=_short(view.tool),
        title=_text(view.title),
        prompt=_text(view.prompt),
        rows=tuple(
            EventRow(
                label=_short(row.label),
                value=_text(row.value),
                length=max(row.length, len(row.value) if len(row.value) > MOST_VALUE_CHARS else 0),
            )
            for row in view.input[:MOST_ROWS]
        ),
        questions=tuple(
            EventQuestion(
                question=_text(each.question),
                options=tuple(_short(option.label) for option in each.options[:MOST_ROWS]),
            )
            for each in view.questions[:MOST_ROWS]
        ),
        choices=tuple(_short(choice.label or choice.value) for choice in view.choices[:MOST_ROWS]),
        asked=_text(view.asked) if view.kind in _CHOSEN_OF else "",
    )


def _note(view: NoteView, with_text: bool) -> EventNote:
    return EventNote(
        agent=_short(view.agent),
        at=view.at,
        label=_short(view.label),
        surface_id=_short(view.surface_id),
        project=_short(view.project),
        title=_short(view.title) if with_text or view.of_desk else "",
        body=_text(view.body) if with_text else "",
    )


def _alert(view: AlertView) -> EventAlert:
    return EventAlert(
        method=_short(view.method),
        at=view.at,
        agent=_short(view.agent),
        session_id=_short(view.session_id),
        project=_short(view.project),
    )


def _short(text: str) -> str:
    return visible(text[:MOST_LABEL_CHARS])


def _text(text: str) -> str:
    return visible(text[:MOST_VALUE_CHARS], lines=True)
