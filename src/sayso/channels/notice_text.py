"""What a notice says: two lines for a desktop, an object of JSON for a command.

How much is the person's choice (`notice_content`): nothing, who, what. Every text of others
is masked before it gets here, and passes through `visible`. Pure. Imports `base`, `text`,
`notices`, `wire`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from sayso.channels.base import (
    DESTRUCTIVE,
    LABEL_COLUMNS,
    age,
    agent_name,
    asker,
    summary,
    what,
    where,
)
from sayso.channels.notices import Batch, Note
from sayso.channels.text import clip, visible
from sayso.wire.views import NoteView, RequestView, SessionView

SUMMARY_COLUMNS = 120
PROMPT_COLUMNS = 60
NOTE_COLUMNS = 300
MOST_LINES = 3
"""Of several requests so many are named, the others counted."""
MOST_LISTED = 16
"""So many are in the JSON; `count` counts all."""
TURN_ENDED = "Its turn has ended"
KINDS = {
    "permission": "asks for permission",
    "question": "asks a question",
    "plan": "wants its plan approved",
    "elicitation": "passes on a form to fill in",
    "yesno": "asks yes or no",
    "choice": "asks to choose",
    "text": "asks for a text",
    "confirm-command": "wants a command confirmed",
}
"""What is said of a kind where no content may be."""


class Words(NamedTuple):
    title: str
    body: str = ""


def words(batch: Batch, content: str, now_s: float) -> Words:
    """Return a notice in words.

    Args:
        content: nothing, who or what.
        now_s: seconds since 1970.
    """
    if batch.requests:
        one, *more = batch.requests
        return _several(batch.requests, content, now_s) if more else _one(one, content, now_s)
    return _note(batch.notes[0], content) if batch.note_count == 1 else _notes(batch, content)


def _one(view: RequestView, content: str, now_s: float) -> Words:
    if content == "nothing":
        return Words("An agent waits in its terminal" if view.notice else "An agent waits for you")
    since = age(view.created_at, now_s)
    parts = [_asks(view, content) + (f", for {since}" if since else "")]
    if content == "what":
        parts += [
            summary(view, SUMMARY_COLUMNS),
            f"You had asked: {clip(view.prompt, PROMPT_COLUMNS)}" if view.prompt else "",
        ]
    return Words(who(view), "\n".join(part for part in parts if part))


def who(view: RequestView) -> str:
    """Return who asks: agent or program, subagent, project, branch."""
    subagent = f" ({clip(view.agent_type, LABEL_COLUMNS)})" if view.agent_type else ""
    return _capital(f"{asker(view)}{subagent} in {where(view)}")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _asks(view: RequestView, content: str) -> str:
    if content == "what":
        said = what(view)
    else:
        said = KINDS.get(view.kind, "asks") + (f" ({DESTRUCTIVE})" if view.unsafe else "")
    return f"waits in its terminal: {said}" if view.notice else said


def _several(views: tuple[RequestView, ...], content: str, now_s: float) -> Words:
    elsewhere = all(view.notice for view in views)
    title = f"{len(views):,} requests wait" + (" in terminals" if elsewhere else " for you")
    if content == "nothing":
        return Words(title)
    since = age(views[0].created_at, now_s)
    title += f", the oldest for {since}" if since else ""
    counted = Counter(f"{who(view)}: {_line(view, content)}" for view in views)
    lines = [line if times == 1 else f"{line} ({times:,} times)" for line, times in counted.items()]
    left = sum(list(counted.values())[MOST_LINES:])
    more = [f"and {left:,} more"] if left else []
    return Words(title, "\n".join([*lines[:MOST_LINES], *more]))


def _line(view: RequestView, content: str) -> str:
    return (
        f"{_asks(view, content)}: {summary(view, SUMMARY_COLUMNS)}"
        if content == "what"
        else _asks(view, content)
    )


def _turn(view: SessionView, content: str) -> Words:
    if content == "nothing":
        return Words("The turn of an agent has ended")
    said = [TURN_ENDED]
    if content == "what" and view.prompt:
        said.append(f"You had asked: {clip(view.prompt, PROMPT_COLUMNS)}")
    return Words(_from(view), "\n".join(said))


def _note(note: Note, content: str) -> Words:
    if isinstance(note, SessionView):
        return _turn(note, content)
    if content == "nothing":
        return Words("A program left a note")
    said = [clip(note.title, SUMMARY_COLUMNS)]
    if content == "what" and note.body.strip():
        said.append(clip(note.body.strip(), NOTE_COLUMNS))
    # Said first, or a note could look like a request in every letter.
    return Words(f"Note of {_asker(note)}", "\n".join(said))


def _from(note: Note) -> str:
    """Return who left a note or ended a turn, and where."""
    if isinstance(note, SessionView):
        return f"{agent_name(note.agent)} in {where(note)}"
    return _capital(_asker(note))


def _asker(note: NoteView) -> str:
    return asker(note) + (f" in {visible(note.project)}" if note.project else "")


def _title(note: Note) -> str:
    return TURN_ENDED if isinstance(note, SessionView) else note.title


def _notes(batch: Batch, content: str) -> Words:
    title = f"{batch.note_count:,} notes"
    if content == "nothing":
        return Words(title)
    lines = [f"{_from(note)}: {clip(_title(note), SUMMARY_COLUMNS)}" for note in batch.notes[:MOST_LINES]]
    left = batch.note_count - len(lines)
    return Words(title, "\n".join([*lines, f"and {left:,} more"] if left else lines))


# --- for a command -----------------------------------------------------------------------


def shape(batch: Batch, content: str, now_s: float) -> dict[str, Any]:
    """Return a notice as JSON has it; arguments as of `words`."""
    said = words(batch, content, now_s)
    kind, count = ("request", len(batch.requests)) if batch.requests else ("note", batch.note_count)
    listed = (
        [_request(view, content) for view in batch.requests[:MOST_LISTED]]
        if batch.requests
        else [_note_shape(note, content) for note in batch.notes[:MOST_LISTED]]
    )
    one = count == 1
    return {
        "type": kind if one else f"{kind}s",
        "count": count,
        "waiting": batch.waiting,
        "title": said.title,
        "text": said.body,
        **({kind: listed[0]} if one else {f"{kind}s": listed}),
    }


def _request(view: RequestView, content: str) -> dict[str, Any]:
    """Return a request: its id, by which it can be answered, and what may be told beside it."""
    if content == "nothing":
        return {"id": view.id}
    told: dict[str, Any] = {
        "id": view.id,
        "agent": view.agent,
        "label": view.label,
        "kind": view.kind,
        "project": view.project,
        "branch": view.branch,
        "worktree": view.worktree,
        "subagent": view.agent_type,
        "session_id": view.session_id,
        "surface_id": view.surface_id,
        "created_at": view.created_at,
        "expires_at": view.expires_at,
        "notice": view.notice,
        "unsafe": view.unsafe,
    }
    if content == "what":
        told |= {
            "tool": view.tool,
            "summary": summary(view, SUMMARY_COLUMNS),
            "prompt": clip(view.prompt, SUMMARY_COLUMNS),
        }
    return _plain(told)


def _turn_shape(view: SessionView, content: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "agent": view.agent,
        "project": view.project,
        "branch": view.branch,
        "worktree": view.worktree,
        "session_id": view.session_id,
        "at": view.since,
        "title": TURN_ENDED,
    }
    return _plain(told | ({"prompt": clip(view.prompt, SUMMARY_COLUMNS)} if content == "what" else {}))


def _note_shape(note: Note, content: str) -> dict[str, Any]:
    if content == "nothing":
        return {}
    if isinstance(note, SessionView):
        return _turn_shape(note, content)
    told: dict[str, Any] = {
        "agent": note.agent,
        "label": note.label,
        "project": note.project,
        "surface_id": note.surface_id,
        "at": note.at,
        "title": clip(note.title, SUMMARY_COLUMNS),
    }
    return _plain(told | ({"body": visible(note.body, lines=True)} if content == "what" else {}))


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    """Return what says something, with nothing in it that hides or commands."""
    return {
        name: visible(value, lines=True) if isinstance(value, str) else value
        for name, value in told.items()
        if value
    }
