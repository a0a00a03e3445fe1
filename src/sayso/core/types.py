"""The nouns of sayso, all frozen.

Not here: what may happen to them (`states`), how much and how long (`bounds`), and anything
that reads a clock.
Instants called `…_s` are seconds of CLOCK_MONOTONIC, one clock for all processes of
the machine; `started_at` is the wall clock, for display alone.
The words of which there are few (`words`) can be had from here. Imports msgspec, `states`, `words`.
"""

from __future__ import annotations

from msgspec import Struct

from sayso.core.states import LIVE, MessageState, SessionState, State
from sayso.core.words import DIRECT as DIRECT
from sayso.core.words import Attention as Attention
from sayso.core.words import Behavior as Behavior
from sayso.core.words import Bridge as Bridge
from sayso.core.words import EventType as EventType
from sayso.core.words import Hold as Hold
from sayso.core.words import Kind as Kind

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
    """One value to choose, of a choice or of a form's field: `value` goes to who asked, `label` is shown."""

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
    restart of the desk. `content`: the digest of what is asked, where `digest` names this
    one call and no equal one.

    `bridge`: one of Bridge, where a program asks over the interaction bridge; `session_id` is then
    what that program calls the session.

    Of the kinds in DIRECT: `title` is the question in one line, its body is the first row;
    `session_id` is the surface; `label` is what the program calls itself; `unsafe`: the command
    destroys something, by the program's own word.
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
    content: str = ""
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
    title: str = ""
    choices: tuple[Choice, ...] = ()
    default: str = ""
    unsafe: bool = False
    label: str = ""
    bridge: str = ""

    @property
    def is_direct(self) -> bool:
        """Whether it is of a kind that is answered by a value: see DIRECT."""
        return self.kind in DIRECT

    @property
    def is_own(self) -> bool:
        """Whether a program asks this itself: no hook's session, no events, no evidence."""
        return self.kind in DIRECT or bool(self.bridge)

    @property
    def is_registered(self) -> bool:
        """Whether it pends even while nobody waits for its answer."""
        return self.bridge == Bridge.REGISTERED


# --- what a person says ----------------------------------------------------------------


class ListedAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer in question order: labels as shown, or the person's own text."""

    picked: tuple[str, ...] = ()
    text: str | None = None
    notes: str = ""


class Reply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's answer in the words they were shown. None: the field was not given.

    `value` answers a yesno, choice or text; `step` a confirm-command: first ack, then run.
    `for_s`: allow this very call for so long.
    """

    behavior: str | None = None
    suggestion: str | None = None
    answers: dict[str, str] | list[ListedAnswer] | None = None
    message: str | None = None
    interrupt: bool | None = None
    mode: str | None = None
    plan: str | None = None
    content: dict[str, str | int | float | bool | list[str] | None] | None = None
    value: str | None = None
    step: str | None = None
    unseen: bool | None = None
    for_s: float | None = None
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
    value: str | None = None


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
    codex_homes: str = ""
    """More homes of Codex than CODEX_HOME and ~/.codex, with a colon between them."""
    exclusive_wait_s: float = 25.0
    unattended_wait_s: float = 300.0
    notice_content: str = "who"
    """What a notice that leaves the machine may carry: nothing, who, what."""
    answers_from: str = "local"
    """local, or paired: only devices with a credential of their own may answer."""
    pending_per_agent: int = 64
    pending_in_all: int = 10_000
    desktop_notices: bool = True
    notice_grace_s: float = 6.0
    """Whoever answers within this is not called as well."""
    notice_turn_ends: bool = False
    """Whoever is not there is also told that an agent's turn has ended."""
    silent_after_s: float = 1200.0
    """A session at work of which nothing is heard for this long is noticed; 0 for never."""
    on_request: str = ""
    """A command that is told of what waits; "" for none."""
    pane_program: str = "pi"
    """The command that a new pane runs."""


# --- what the desk keeps ---------------------------------------------------------------


class Request(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An ask that has an id and is, or was, pending.

    `process` names the agent's process ("pid:start"), "" when the kernel did not
    confirm it. `waiter` is the connection that waits, None once it is gone.
    `expects`: the digest an agreeing event will show, None until the hook said.
    `absent_s`: when to judge that its call will not be seen any more.
    `notice`: shown without buttons, until its session moves on. `words`: what whoever
    took it back said. `caller`: the process that asks, of what a program asks itself.
    `granted_until_s`: the end of the grant that answered it. `left_s`: of a registered one, when
    the last one that waited for it left.
    """

    id: str
    ask: Ask
    state: State
    created_s: float
    process: str = ""
    caller: str = ""
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
    words: str = ""
    granted_until_s: float | None = None
    left_s: float | None = None

    @property
    def is_alone(self) -> bool:
        """Whether nobody waits for its answer now, and somebody may come for it."""
        return self.ask.is_registered and self.waiter is None

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be waited for. Who asked itself shows nothing after its answer."""
        return self.state not in LIVE or (self.ask.is_direct and self.state is State.DELIVERED)


class Session(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One conversation of an agent, in one process of it.

    `since_s`: when it came into this state. `seen_s`: its last event; `active_s`: the
    last one of its main agent at work. `prompt` is the last one typed, cut. `origin`: how
    it began, as its agent says: startup, resume, fork or clear. `wakes`: a message begins a turn in it
    while it is idle. `wants`: error, needs_input or "", as its agent's last word was.
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
    wakes: bool = False
    wants: str = ""


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
