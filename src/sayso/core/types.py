"""The nouns of sayso, all frozen; and the bounds, each with its unit.

Not here: what may happen to them (`states`), and anything that reads a clock.
Instants called `…_s` are seconds of CLOCK_MONOTONIC, one clock for all processes of
the machine; `started_at` is the wall clock, for display alone.
Imports msgspec and `states`.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from sayso.core.states import MessageState, SessionState, State

# --- bounds: characters unless the name says otherwise ---------------------------------

MAX_VALUE_CHARS = 4000
"""A row's value in a list; the whole value is served on its own."""
MAX_MESSAGE_CHARS = 4000
"""A queued message, a deny's reason, a plan's feedback."""
MAX_PLAN_CHARS = 256 * 1024
"""A plan as a person edited it."""
MAX_QUESTIONS = 8
MAX_OPTIONS = 16
MAX_SUGGESTIONS = 16
MAX_FIELDS = 32
"""Fields of an elicitation form."""
KEEP_ENDED_S = 300.0
"""How long an ended request answers "how did it end?"."""
KEEP_UNPROVEN_S = 600.0
"""How long LOST and UNCONFIRMED may still be corrected by evidence."""
KEEP_ENDED_COUNT = 1000
KEEP_EVENTS_S = 60.0
"""How long an event waits for an ask that was started before it and arrives after."""
KEEP_EVENTS_COUNT = 256
"""Of one session."""
KEEP_SESSION_S = 3600.0
"""How long an ended session is listed."""
KEEP_SILENT_S = 86_400.0
"""How long a session is listed that says nothing: its end may never be told."""
REATTACH_S = 10.0
"""After a restart, how long an exclusive request waits for its watchers to be back."""
WATCH_S = 120.0
"""How long one sign of a person counts as "somebody watches"."""
OPEN_CARD_S = 300.0
"""How long, after the ask, an open card may keep an exclusive request waiting."""
HOLD_MARGIN_S = 5.0
"""An exclusive hold ends this long before the hook's own timeout."""
WRITE_S = 5.0
"""How long a hook may take from a decision to its receipt."""
ABSENCE_S = 1.0
"""How long after a finished batch the proof of one of its calls may still come."""
UNPROVEN_S = 3600.0
"""A delivered answer without evidence lapses after this."""
MOST_CONTINUATIONS = 7
"""In a row, without a tool call between: how often a turn that ends may have been made to go on
for a message to be handed over at its next end. Claude Code ends it by itself the ninth time."""
INTERRUPT_S = 60.0
"""A hook that ends more than this before its hold does was turned down in the terminal."""


class Behavior(StrEnum):
    ALLOW = "allow"
    DENY = "deny"
    CANCEL = "cancel"


class Hold(StrEnum):
    """How a request waits: beside the agent's own prompt, or instead of it."""

    PARALLEL = "parallel"
    EXCLUSIVE = "exclusive"


class Kind(StrEnum):
    PERMISSION = "permission"
    QUESTION = "question"
    PLAN = "plan"
    ELICITATION = "elicitation"


class EventType(StrEnum):
    """What an agent's event means; the words of document 000 and the agents."""

    PROMPT = "user-prompt-submit"
    TASK = "task-notification"
    """A pseudo-prompt: a background task reports. No turn boundary."""
    TOOL_DONE = "post-tool-use"
    TOOL_FAILED = "post-tool-use-failure"
    BATCH = "post-tool-batch"
    STOP = "stop"
    STOP_FAILED = "stop-failure"
    SUBAGENT_STOP = "subagent-stop"
    SESSION_START = "session-start"
    SESSION_END = "session-end"
    ELICITATION_RESULT = "elicitation-result"
    IDLE = "idle"


# --- what an agent asks ----------------------------------------------------------------


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of what a request would do.

    `length` is the true length in characters where `value` is not whole, else 0.
    `hidden` are the lengths of masked parts. `lost`: the rest never left the hook.
    """

    label: str
    value: str
    code: bool = False
    length: int = 0
    hidden: tuple[int, ...] = ()
    lost: bool = False


class Option(Struct, frozen=True, kw_only=True, omit_defaults=True):
    label: str
    description: str = ""
    preview: str = ""


class Question(Struct, frozen=True, kw_only=True):
    """Sent whole: document 000 knows no default for any of these."""

    question: str
    header: str = ""
    multi_select: bool = False
    options: tuple[Option, ...] = ()


class Choice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One value a form's field may take: `value` goes to the agent, `label` is shown."""

    value: str
    label: str = ""


class Field(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One field of an elicitation form, made from its schema.

    `type`: string, integer, number, boolean, choice (one of `choices`) or choices (several).
    `minimum`/`maximum` bound a number, a string's length, or the count of choices.
    """

    name: str
    type: str = "string"
    title: str = ""
    description: str = ""
    required: bool = False
    choices: tuple[Choice, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    format: str = ""
    default: str | int | float | bool | tuple[str, ...] | None = None


class Ask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an agent wants to know, as its hook describes it.

    Names are those of the wire: `agent_id` is the subagent, "" for the main agent.
    `prompt_id`: the prompt in whose turn it asks, where the agent has one.
    `hold_s`: the hook can wait this long after `started_s`. `unshowable`: why the hook
    could not show it; such an ask never pends. `resumed`: the hook held it before a
    restart of the desk.
    """

    agent: str
    session_id: str
    kind: str
    tool: str = ""
    id: str = ""
    agent_id: str = ""
    agent_type: str = ""
    prompt_id: str = ""
    digest: str = ""
    started_s: float = 0.0
    started_at: float = 0.0
    hold: Hold = Hold.PARALLEL
    hold_s: float = 3590.0
    attended: bool = True
    interrupt: bool = False
    mode: str = ""
    input: tuple[Row, ...] = ()
    suggestions: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    fields: tuple[Field, ...] = ()
    modes: tuple[str, ...] = ()
    url: str = ""
    cwd: str = ""
    surface_id: str = ""
    unshowable: str = ""
    resumed: bool = False


# --- what a person says ----------------------------------------------------------------


class ListedAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer in question order: labels as shown, or the person's own text."""

    picked: tuple[str, ...] = ()
    text: str | None = None
    notes: str = ""


class Reply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's answer in the words they were shown. None: the field was not given."""

    behavior: str | None = None
    suggestion: str | None = None
    answers: dict[str, str] | list[ListedAnswer] | None = None
    message: str | None = None
    interrupt: bool | None = None
    mode: str | None = None
    plan: str | None = None
    content: dict[str, str | int | float | bool | list[str] | None] | None = None
    unseen: bool | None = None
    key: str | None = None


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question's answer in positions: option indexes, or text instead."""

    picked: tuple[int, ...] = ()
    text: str | None = None
    notes: str = ""


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer in positions. `suggestion` None is "none chosen"; 0 is the first one."""

    behavior: str
    suggestion: int | None = None
    answers: tuple[Answer, ...] = ()
    message: str = ""
    interrupt: bool = False
    mode: str = ""
    plan: str | None = None
    content: dict[str, str | int | float | bool | list[str] | None] | None = None


class Answerer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who answered: the channel's name, the device's name, and the credential's id."""

    channel: str
    name: str = ""
    credential: str = ""


# --- what happens ----------------------------------------------------------------------


class HookEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An agent's event. `at_s`: when its hook started.

    `digest` is the tool call's; `answers` the digest of a question's answers;
    `responses` the digests of a finished batch's responses. `prompt` is a typed
    prompt's beginning, for the card. `reason` says why a session started or ended.
    `continued`: of a stop, whether a hook made the turn go on at the one before.
    """

    agent: str
    session_id: str
    type: EventType
    at_s: float
    agent_id: str = ""
    tool: str = ""
    prompt_id: str = ""
    digest: str = ""
    answers: str = ""
    responses: tuple[str, ...] = ()
    prompt: str = ""
    reason: str = ""
    mode: str = ""
    cwd: str = ""
    continued: bool = False


class Presence(Struct, frozen=True, kw_only=True):
    """A channel's word on its person: `present_s` is when they were last seen there,
    None for never. `open` are the ids of cards they look at. `reaches`: a paired
    channel that reaches them elsewhere, which counts while `away` is on."""

    present_s: float | None = None
    open: tuple[str, ...] = ()
    reaches: bool = False


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the person chose; the defaults are the ones they start with."""

    away: bool = False
    codex_approvals: bool = False
    codex_server: bool = False
    exclusive_wait_s: float = 25.0
    unattended_wait_s: float = 300.0
    notice_content: str = "who"
    """What a notice that leaves the machine may carry: nothing, who, what."""
    answers_from: str = "local"
    """local, or paired: only devices with a credential of their own may answer."""
    pending_per_agent: int = 64
    pending_in_all: int = 10_000


# --- what the desk keeps ---------------------------------------------------------------


class Request(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An ask that has an id and is, or was, pending.

    `process` names the agent's process ("pid:start"), "" when the kernel did not
    confirm it. `waiter` is the connection that waits, None once it is gone.
    `expects`: the digest an agreeing event will show, None until the hook said.
    `absent_s`: when to judge that its call will not be seen any more.
    `notice`: shown without buttons, until its session moves on.
    """

    id: str
    ask: Ask
    state: State
    created_s: float
    process: str = ""
    waiter: str | None = None
    reason: str = ""
    by: Answerer | None = None
    decision: Decision | None = None
    expects: str | None = None
    answered_s: float | None = None
    delivered_s: float | None = None
    ended_s: float | None = None
    absent_s: float | None = None
    notice: bool = False


class Session(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One conversation of an agent, in one process of it.

    `since_s`: when it came into this state. `seen_s`: its last event; `active_s`: the
    last one of its main agent at work. `prompt` is the last one typed, cut. `origin`: how
    it began, as its agent says: startup, resume, fork or clear.
    """

    agent: str
    session_id: str
    process: str = ""
    origin: str = ""
    state: SessionState = SessionState.IDLE
    since_s: float = 0.0
    seen_s: float = 0.0
    active_s: float = 0.0
    cwd: str = ""
    mode: str = ""
    prompt: str = ""


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message queued for a session's main agent. `number`: later ones of a desk have higher ones.

    `when`: soon (the next finished tool call, or the end of the turn) or stop.
    `process`: of the session it was written to, "" when that is not known; no other takes it.
    `reason`: why it waits on, was dropped, or is uncertain; the words are in `messages`.
    `taker`: the connection that was given the text; `stop_s`: when, if at a turn's end.
    `stale`: why it is not put back when it could not be written: its turn is over.
    """

    agent: str
    session_id: str
    text: str
    queued_s: float
    number: int = 0
    state: MessageState = MessageState.QUEUED
    when: str = "soon"
    process: str = ""
    reason: str = ""
    taker: str = ""
    stop_s: float | None = None
    stale: str = ""
