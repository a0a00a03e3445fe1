"""What an agent's event says about one of its requests: a table in code. Pure.

An event may touch a request only if it is of the same agent, session and process, and
was recorded after the request's hook had started. Within that, by kind of answer:

=====================  ==================================  ==================================
the person said        agrees                              contradicts
=====================  ==================================  ==================================
allow (permission)     the call ran, or ran and failed     its batch ended without it
allow (plan)           ExitPlanMode ran                    its batch ended without it
answers (question)     it ran with these answers           it ran with others, or not at all
deny, plan feedback    a response equals our message       the call ran
deny and stop          nothing ever does                   the call ran
a filled-in form       nothing ever does                   the form was answered elsewhere
=====================  ==================================  ==================================

An agent that tells of a call that somebody declined agrees with every deny by it, and contradicts an allow.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec.structs import replace

from sayso.core.states import LIVE, UNPROVEN, State, Trigger
from sayso.core.types import Behavior, EventType, Hold, HookEvent, Kind, Request

_CALLS = frozenset({EventType.TOOL_DONE, EventType.TOOL_FAILED, EventType.TOOL_DECLINED})
_MAIN_ENDS = frozenset({EventType.STOP, EventType.STOP_FAILED, EventType.IDLE})

MOOT_REASONS = {
    EventType.PROMPT: "new_prompt",
    EventType.STOP: "stopped",
    EventType.STOP_FAILED: "stopped",
    EventType.IDLE: "stopped",
    EventType.SUBAGENT_STOP: "subagent_stopped",
    EventType.SESSION_END: "session_ended",
    EventType.BATCH: "batch_done",
    EventType.TOOL_DONE: "tool_ran",
    EventType.TOOL_FAILED: "tool_ran",
    EventType.TOOL_DECLINED: "declined_in_terminal",
    EventType.ELICITATION_RESULT: "answered_in_terminal",
}
"""The reason with which an event withdraws what is pending."""


class Later(Enum):
    """What can only be judged later."""

    ABSENT = auto()
    """The batch is over and its call was not seen: judge in ABSENCE_S."""
    UNKNOWN = auto()
    """What the hook wrote is not known yet: judge at its receipt."""


def touches(event: HookEvent, process: str, request: Request) -> bool:
    """Whether an event may say anything about a request. Unknown processes match any."""
    ask = request.ask
    return (
        ask.session_id == event.session_id
        and ask.agent == event.agent
        and event.at_s > ask.started_s
        and (not process or not request.process or process == request.process)
    )


def same_call(event: HookEvent, request: Request) -> bool:
    """Whether a tool event is of the very call a request asked about."""
    ask = request.ask
    if event.agent_id != ask.agent_id or event.type not in _CALLS:
        return False
    if request.state in UNPROVEN and ask.prompt_id and event.prompt_id not in ("", ask.prompt_id):
        return False  # the same call again, in a later turn
    if ask.kind == Kind.PLAN:  # its finished input is not the one that was asked about
        return event.tool == ask.tool
    return bool(ask.digest) and event.digest == ask.digest


def of_call(event: HookEvent, request: Request) -> Trigger | Later | None:
    """Return what a tool event of the same call says."""
    decision = request.decision
    if decision is None:
        return Trigger.AGREES
    if event.type is EventType.TOOL_DECLINED:
        return Trigger.CONTRADICTS if decision.behavior == Behavior.ALLOW else Trigger.AGREES
    if decision.behavior != Behavior.ALLOW:
        return Trigger.CONTRADICTS
    if request.ask.kind != Kind.QUESTION:
        return Trigger.AGREES
    if _may_still_tell(request):
        return Later.UNKNOWN
    if request.expects is None:
        return None  # the hook died with the answer: nobody knows which one the agent had
    agrees = bool(request.expects) and event.answers == request.expects
    return Trigger.AGREES if agrees else Trigger.CONTRADICTS


def _may_still_tell(request: Request) -> bool:
    """Whether what the hook wrote is unknown, and its receipt may yet come."""
    if request.expects is not None:
        return False
    return request.state is State.ANSWERED or request.waiter is not None


def of_batch(event: HookEvent, request: Request) -> Trigger | Later | None:
    """Return what the end of a batch of tool calls says about a request of that agent."""
    if event.agent_id != request.ask.agent_id or request.ask.kind == Kind.ELICITATION:
        return None
    decision = request.decision
    if decision is None:
        return Trigger.MOOT
    if decision.behavior == Behavior.ALLOW:
        # What lapsed before it belongs to an earlier turn: this batch may not be its own.
        lapsed = request.ended_s is not None and request.ended_s <= event.at_s
        return None if lapsed else Later.ABSENT
    if _may_still_tell(request):
        return Later.UNKNOWN
    return Trigger.AGREES if request.expects and request.expects in event.responses else None


def of_turn(event: HookEvent, request: Request) -> Trigger | None:
    """Return what a boundary of a turn says: the end of it, or a prompt, or the session's end."""
    ask = request.ask
    if event.type is EventType.SESSION_END:
        return _over(request)
    if event.type is EventType.SUBAGENT_STOP:
        return _over(request) if event.agent_id and event.agent_id == ask.agent_id else None
    if event.agent_id:
        return None
    if event.type is EventType.PROMPT and ask.hold is Hold.EXCLUSIVE and request.decision is None:
        # Its person sits at the terminal, which shows nothing until we let go. Where there
        # is no terminal, letting go may mean a denial that nobody decided.
        return Trigger.RELEASE if ask.attended else None
    if ask.agent_id or event.type not in _MAIN_ENDS | {EventType.PROMPT}:
        return None
    return _over(request)


def _over(request: Request) -> Trigger | None:
    if request.state is State.PENDING:
        return Trigger.MOOT
    return Trigger.LAPSE if request.state is State.DELIVERED else None


def of_form(event: HookEvent, request: Request) -> Trigger | None:
    """Return what a form answered in the terminal says."""
    same = request.ask.kind == Kind.ELICITATION and event.tool in ("", request.ask.tool)
    return Trigger.CONTRADICTS if same else None


def judge(event: HookEvent, request: Request) -> Trigger | Later | None:
    """Return what an event that touches a request says about it, or None."""
    if request.state not in LIVE | UNPROVEN:
        return None
    if event.type in _CALLS:
        return of_call(event, request) if same_call(event, request) else None
    if event.type is EventType.BATCH:
        return of_batch(event, request)
    if event.type is EventType.ELICITATION_RESULT:
        return of_form(event, request)
    return of_turn(event, request)


def clears_notice(event: HookEvent, request: Request) -> bool:
    """Whether a session moved past what a notice says: as if it were pending."""
    if event.type is EventType.PROMPT:
        return not event.agent_id and not request.ask.agent_id
    return judge(event, replace(request, state=State.PENDING, decision=None)) is not None
