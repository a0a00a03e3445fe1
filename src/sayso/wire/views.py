"""What channels are shown: the public shapes of requests, sessions and messages.

The core counts in monotonic seconds; people read wall time. `Clock` holds the
difference between the two, taken by the daemon. A value is listed cut at
MAX_VALUE_CHARS, the whole of it is served by row. Imports msgspec and `core`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from math import isfinite
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from sayso.core import messages
from sayso.core.bounds import MAX_VALUE_CHARS
from sayso.core.grants import Grant
from sayso.core.types import (
    DIRECT,
    Answerer,
    Choice,
    Field,
    Message,
    Question,
    Request,
    Row,
    Session,
    Settings,
)
from sayso.wire.outcome import asked, said


class Clock(Struct, frozen=True):
    """`offset_s`: what to add to a monotonic instant to have seconds since 1970."""

    offset_s: float = 0.0

    def at(self, monotonic_s: float) -> str:
        """Return a monotonic instant as RFC 3339 in UTC, to the millisecond."""
        wall = datetime.fromtimestamp(monotonic_s + self.offset_s, UTC)
        return wall.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def time_of_day(self, monotonic_s: float) -> str:
        """Return a monotonic instant as hours and minutes of this computer's own time."""
        return datetime.fromtimestamp(monotonic_s + self.offset_s).astimezone().strftime("%H:%M")


class Whereabouts(NamedTuple):
    """What people call a folder: its repository, the branch it has checked out, its worktree.

    `project` is "" outside of repositories. Without a branch, `branch` is the beginning of
    the commit's hash. `worktree` is "" in a repository's own folder.
    """

    project: str = ""
    branch: str = ""
    worktree: str = ""


NOWHERE = Whereabouts()


class SuggestionView(Struct, frozen=True):
    """A permission suggestion: its id is its index, as text."""

    id: str
    label: str


class RequestView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request as a channel shows it.

    The first nine fields are document 000's and always there. `state` is one of
    `core.states.State`; `reason` the machine's word for an end, `ending` the same for
    people. `asked`: what a person chose, in words. `confirmed`: the system confirmed
    which process asks; else the names are its own claim. `host`: the machine it asks on.
    `bridge`: held or registered, of what came over the interaction bridge. `asker_away`: nobody waits
    for its answer now; who registered it comes for it.

    What a program asks itself has a `title`, and its body as the first row; of a choice the
    `choices`. After an answer `value` is what was answered, of a text only where it was given (others
    have `…[hidden]`, also as what was `asked`, and so for words that answer an agent's
    questions); `said` is what whoever cancelled it said, a person or the program itself.
    `timeout_ms` is its own, 0 for none. `label` is what the program calls itself;
    `unsafe`: the command destroys something, by the program's own word.
    """

    id: str
    agent: str
    session_id: str
    kind: str
    tool: str
    created_at: str
    input: tuple[Row, ...]
    suggestions: tuple[SuggestionView, ...]
    questions: tuple[Question, ...]
    state: str
    reason: str = ""
    ending: str = ""
    asked: str = ""
    agent_id: str = ""
    agent_type: str = ""
    confirmed: bool = True
    hold: str = "parallel"
    attended: bool = True
    interrupt: bool = False
    mode: str = ""
    fields: tuple[Field, ...] = ()
    modes: tuple[str, ...] = ()
    url: str = ""
    title: str = ""
    choices: tuple[Choice, ...] = ()
    default: str = ""
    unsafe: bool = False
    label: str = ""
    timeout_ms: int | float = 0
    value: str | None = None
    said: str = ""
    cwd: str = ""
    project: str = ""
    branch: str = ""
    worktree: str = ""
    host: str = ""
    prompt: str = ""
    surface_id: str = ""
    notice: bool = False
    bridge: str = ""
    asker_away: bool = False
    expires_at: str = ""
    answered_at: str = ""
    ended_at: str = ""
    by: Answerer | None = None

    @property
    def is_own(self) -> bool:
        """Whether a program asks this itself: it has no prompt of its own, and shows nothing afterwards."""
        return self.kind in DIRECT or bool(self.bridge)


class SessionView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session as a channel shows it. `state`: idle, working, waiting or ended.

    `origin`: how it began: startup, resume, fork or clear; "" if that was not seen. `wakes`: a message
    begins a turn in it while it is idle; in any other, an idle session takes none. `muted`: nobody is
    called for it, until `muted_until` where that is said.
    """

    agent: str
    session_id: str
    state: str
    since: str
    pending: int = 0
    process: str = ""
    origin: str = ""
    cwd: str = ""
    project: str = ""
    branch: str = ""
    worktree: str = ""
    mode: str = ""
    prompt: str = ""
    wakes: bool = False
    muted: bool = False
    muted_until: str = ""


Shown = TypeVar("Shown", RequestView, SessionView)


class MessageView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A queued message, as document 000 has it, with what became of it.

    `number` tells a session's messages apart: a newer one has a higher one, in one run of the desk.
    `state` is one of `core.states.MessageState`; `when`: soon, or at the turn's end (stop).
    `reason`: the machine's word why it waits on, was dropped, or is uncertain; `why` the
    same for people.
    """

    agent: str
    session_id: str
    text: str
    queued_at: str
    number: int = 0
    state: str = "queued"
    when: str = "soon"
    reason: str = ""
    why: str = ""


class AlertView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A program that an agent started called what only a person may, and was refused.

    `method` is what it called. `agent`, `session_id` and `project` are empty where it cannot
    be told which agent it was.
    """

    method: str
    at: str
    agent: str = ""
    session_id: str = ""
    project: str = ""


class NoteView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a program wanted a person to know; it waits for nothing.

    `agent` is the one it runs in, as far as that is known, else "program"; `label` what it
    calls itself, `surface_id` where it runs, by its own word. `of_desk`: the desk itself says it of the
    agent.
    """

    agent: str
    title: str
    at: str
    body: str = ""
    label: str = ""
    surface_id: str = ""
    project: str = ""
    of_desk: bool = False


class GrantView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that a person allows until `until`, in one session: nothing else than this very call.

    `id` is that of the request they allowed; `what` its first row, cut.
    """

    id: str
    agent: str
    session_id: str
    tool: str
    what: str
    by: Answerer
    until: str
    project: str = ""


class Snapshot(Struct, frozen=True, kw_only=True):
    """Everything a channel needs to begin; `seq` is the last change it includes.

    `requests` are the pending ones, oldest first; `ended` those settled lately, `alerts` and
    `notes` those of the last five minutes; `grants` what is allowed for a while.
    """

    boot: str
    seq: int
    requests: tuple[RequestView, ...]
    ended: tuple[RequestView, ...]
    sessions: tuple[SessionView, ...]
    messages: tuple[MessageView, ...]
    settings: Settings
    alerts: tuple[AlertView, ...] = ()
    notes: tuple[NoteView, ...] = ()
    grants: tuple[GrantView, ...] = ()


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change, in order. Types are those of `core.effects.Publish`, alert, note and snapshot."""

    type: str
    boot: str
    seq: int
    request: RequestView | None = None
    session: SessionView | None = None
    message: MessageView | None = None
    settings: Settings | None = None
    alert: AlertView | None = None
    note: NoteView | None = None
    grants: tuple[GrantView, ...] | None = None
    snapshot: Snapshot | None = None


def project_of(cwd: str) -> str:
    """Return the name by which people know a folder: its last part."""
    return cwd.rstrip("/").rpartition("/")[2]


def cut(row: Row) -> Row:
    """Return the row as listed: at most MAX_VALUE_CHARS, with the true length if cut."""
    if len(row.value) <= MAX_VALUE_CHARS:
        return row
    return Row(
        label=row.label,
        value=row.value[:MAX_VALUE_CHARS],
        code=row.code,
        length=max(row.length, len(row.value)),
        hidden=row.hidden,
        lost=row.lost,
    )


def session_state(session: Session, main_pending: int) -> str:
    """Return the state people see: waiting is working with the main agent's request pending."""
    if session.state == "presumed_idle":
        return "idle"
    return "waiting" if session.state == "working" and main_pending else str(session.state)


def session_view(session: Session, pending: tuple[int, int], clock: Clock) -> SessionView:
    """Return a session as shown. `pending`: of all its agents, and of its main agent."""
    return SessionView(
        agent=session.agent,
        session_id=session.session_id,
        state=session_state(session, pending[1]),
        since=clock.at(session.since_s),
        pending=pending[0],
        process=session.process,
        origin=session.origin,
        cwd=session.cwd,
        project=project_of(session.cwd),
        mode=session.mode,
        prompt=session.prompt,
        wakes=session.wakes,
    )


def located(view: Shown, where: Whereabouts) -> Shown:
    """Return a view with the names of its folder; the folder's own where it is in no repository."""
    if where == NOWHERE:
        return view
    return replace(view, project=where.project, branch=where.branch, worktree=where.worktree)


def message_view(message: Message, clock: Clock) -> MessageView:
    return MessageView(
        agent=message.agent,
        session_id=message.session_id,
        text=message.text,
        queued_at=clock.at(message.queued_s),
        number=message.number,
        state=str(message.state),
        when=message.when,
        reason=message.reason,
        why=messages.REASONS.get(message.reason, ""),
    )


_AS_ASKED = (
    *("agent", "session_id", "kind", "tool", "questions", "agent_id", "agent_type", "attended"),
    *("interrupt", "mode", "fields", "modes", "url", "title", "choices", "default", "unsafe", "label"),
    *("cwd", "surface_id", "bridge"),
)
"""What a view has from its ask, as it is."""


def grant_view(grant: Grant, where: Whereabouts, clock: Clock) -> GrantView:
    return GrantView(
        id=grant.id,
        agent=grant.agent,
        session_id=grant.session_id,
        tool=grant.tool,
        what=grant.what,
        by=grant.by,
        until=clock.at(grant.until_s),
        project=where.project or project_of(grant.cwd),
    )


def request_view(
    request: Request, ending: str, expires_s: float | None, prompt: str, clock: Clock
) -> RequestView:
    """Return a request as shown. `ending` comes from the core, which knows the words."""
    ask, decision = request.ask, request.decision
    return RequestView(
        id=request.id,
        created_at=clock.at(request.created_s),
        input=tuple(cut(row) for row in ask.input),
        suggestions=tuple(SuggestionView(str(index), label) for index, label in enumerate(ask.suggestions)),
        state=str(request.state),
        reason=request.reason,
        ending=ending,
        asked=asked(request, clock.time_of_day),
        confirmed=bool(request.process),
        hold=str(ask.hold),
        timeout_ms=_timeout_ms(request),
        value=decision.value if decision is not None else None,
        said=said(request),
        project=project_of(ask.cwd),
        prompt=prompt,
        notice=request.notice,
        asker_away=request.is_alone and not request.is_over,
        expires_at=clock.at(expires_s) if expires_s is not None else "",
        answered_at=clock.at(request.answered_s) if request.answered_s is not None else "",
        ended_at=clock.at(request.ended_s) if request.ended_s is not None else "",
        by=request.by,
        **{name: getattr(ask, name) for name in _AS_ASKED},
    )


def _timeout_ms(request: Request) -> int | float:
    """Return the time that a program gave its own ask, 0 for none."""
    ask = request.ask
    if not ask.is_direct or not isfinite(ask.hold_s):
        return 0
    timeout_ms = round(ask.hold_s * 1000, 3)
    return int(timeout_ms) if timeout_ms.is_integer() else timeout_ms
