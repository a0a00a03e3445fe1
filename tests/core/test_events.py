"""Events and what pends: only what began before them, whatever the order in which they come."""

from __future__ import annotations

import pytest

from sayso.core.bounds import KEEP_EVENTS_COUNT, KEEP_EVENTS_S, KEEP_SESSION_S
from sayso.core.states import State
from sayso.core.types import Ask, EventType, Hold, HookEvent
from tests.core.stage import (
    ALLOW,
    DENY,
    RED,
    Stage,
    batch,
    event,
    form,
    permission,
    plan,
    prompt,
    question,
    ran,
    stop,
)

P, W, R = State.PENDING, State.WITHDRAWN, State.RELEASED
FORM_DONE = event(EventType.ELICITATION_RESULT, 101.0, tool="server")


# --- what withdraws ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "told", "reason"),
    [
        (permission(), ran(101.0), "tool_ran"),
        (permission(), event(EventType.TOOL_FAILED, 101.0, digest="d1"), "tool_ran"),
        (permission(), batch(101.0), "batch_done"),
        (permission(), prompt(101.0), "new_prompt"),
        (permission(), stop(101.0), "stopped"),
        (permission(), event(EventType.STOP_FAILED, 101.0), "stopped"),
        (permission(), event(EventType.IDLE, 101.0), "stopped"),
        (permission(), event(EventType.SESSION_END, 101.0), "session_ended"),
        (question(), ran(101.0, tool="AskUserQuestion", answers="any"), "tool_ran"),
        (plan(), ran(101.0, tool="ExitPlanMode", digest="of nothing"), "tool_ran"),
        (plan(), prompt(101.0), "new_prompt"),  # its own feedback, or "bypass", in the terminal
        (form(), FORM_DONE, "answered_in_terminal"),
        (form(), event(EventType.ELICITATION_RESULT, 101.0), "answered_in_terminal"),
        (form(), stop(101.0), "stopped"),
    ],
)
def test_case_05_what_a_session_did_withdraws_what_it_asked(asked: Ask, told: HookEvent, reason: str) -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(asked)
    stage.observe(told)
    request = stage.request()
    assert (request.state, request.reason, request.ended_s) == (W, reason, 101.0)
    assert not request.notice
    assert stage.resolutions() == [None]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (permission(), ran(101.0, digest="d2")),
        (permission(), ran(101.0, agent_id="sub")),
        (permission(), batch(101.0, agent_id="sub")),
        (permission(), stop(101.0, agent_id="sub")),
        (permission(), ran(101.0, session_id="s2")),
        (permission(), stop(101.0, session_id="s2")),
        (permission(), stop(101.0, agent="codex")),
        (permission(), FORM_DONE),
        (permission(), event(EventType.SUBAGENT_STOP, 101.0, agent_id="sub")),
        (permission(), event(EventType.SUBAGENT_STOP, 101.0)),
        (permission(), event(EventType.SESSION_START, 101.0, reason="compact")),
        (permission(digest=""), ran(101.0, digest="")),
        (plan(), ran(101.0)),
        (form(), batch(101.0)),
        (form(), event(EventType.ELICITATION_RESULT, 101.0, tool="another")),
    ],
)
def test_case_10_what_is_not_about_it_leaves_it_alone(asked: Ask, told: HookEvent) -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(asked)
    stage.observe(told)
    assert stage.state() is P


def test_a_background_tasks_report_is_no_boundary() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.observe(event(EventType.TASK, 101.0))
    assert stage.state() is P


# --- subagents --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (stop(101.0), None),
        (event(EventType.STOP_FAILED, 101.0), None),
        (event(EventType.IDLE, 101.0), None),
        (batch(101.0), None),
        (ran(101.0), None),
        (event(EventType.SUBAGENT_STOP, 101.0, agent_id="other"), None),
        (batch(101.0, agent_id="sub"), "batch_done"),
        (ran(101.0, agent_id="sub"), "tool_ran"),
        (event(EventType.SUBAGENT_STOP, 101.0, agent_id="sub"), "subagent_stopped"),
        (event(EventType.SESSION_END, 101.0), "session_ended"),
    ],
)
def test_case_28_a_subagents_request_lives_with_the_subagent(told: HookEvent, reason: str | None) -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(permission(agent_id="sub", hold=Hold.EXCLUSIVE))
    stage.observe(told)
    assert stage.end() == ((W, reason) if reason else (P, ""))


def test_a_typed_prompt_lets_go_of_what_its_terminal_does_not_show() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form("main"))
    stage.ask(permission("sub", agent_id="sub", hold=Hold.EXCLUSIVE))
    stage.ask(permission("beside", digest="d2"))
    stage.observe(prompt(101.0))
    assert stage.end("main") == stage.end("sub") == (R, "prompt_typed")
    assert stage.request("main").notice
    assert stage.end("beside") == (W, "new_prompt")
    assert stage.resolutions("sub") == [None]


def test_where_nobody_can_type_a_prompt_lets_go_of_nothing() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(permission(hold=Hold.EXCLUSIVE, attended=False))
    stage.observe(prompt(101.0))
    assert stage.state() is P


# --- only what began before -------------------------------------------------------------


@pytest.mark.parametrize("told", [ran(99.9), batch(99.9), prompt(100.0), stop(99.9), stop(100.0)])
def test_case_06_an_old_event_never_touches_a_newer_request(told: HookEvent) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.observe(told, 101.0)
    assert stage.state() is P


@pytest.mark.parametrize("told", [ran(100.1), batch(100.1), prompt(100.1), stop(100.1)])
def test_case_06_an_ask_that_comes_after_an_event_that_settled_it(told: HookEvent) -> None:
    stage = Stage()
    stage.observe(told)
    request = stage.ask(permission(), 100.5)
    assert request.state is W
    assert stage.resolutions() == [None]


def test_case_06_the_order_of_start_counts_and_not_of_arrival() -> None:
    stage = Stage()
    stage.ask(permission("old", started_s=100.0), 100.0)
    stage.ask(permission("new", started_s=102.0, digest="d2"), 102.0)
    stage.observe(stop(101.0), 103.0)
    assert (stage.state("old"), stage.state("new")) == (W, P)


def test_a_late_ask_finds_the_events_of_a_minute() -> None:
    for now, state in ((100.1 + KEEP_EVENTS_S, W), (100.2 + KEEP_EVENTS_S, P)):
        stage = Stage()
        stage.observe(ran(100.1))
        stage.observe(event(EventType.TASK, now - 0.01))  # old ones are dropped as new ones come
        stage.observe(event(EventType.TASK, now))
        assert stage.ask(permission(), now).state is state


def test_only_so_many_events_are_kept() -> None:
    stage = Stage()
    for number in range(KEEP_EVENTS_COUNT + 1):
        stage.observe(event(EventType.TASK if number else EventType.STOP, 100.1 + number / 1000))
    assert stage.ask(permission(), 101.0).state is P


def test_events_are_forgotten_with_their_session() -> None:
    stage = Stage()
    stage.observe(event(EventType.SESSION_END, 100.1))
    stage.desk.tick(100.1 + KEEP_SESSION_S)
    assert stage.desk.snapshot().sessions == {}
    assert stage.ask(permission(), 100.2 + KEEP_SESSION_S).state is P


def test_an_event_that_settled_a_request_does_not_settle_a_late_one() -> None:
    stage = Stage()
    stage.ask(permission("a"))
    stage.observe(ran(101.0))
    assert stage.ask(permission("b", started_s=100.5), 101.1).state is P


def test_an_event_told_twice_counts_once() -> None:
    stage = Stage()
    stage.ask(permission("a"))
    stage.ask(permission("b"))
    stage.observe(ran(101.0), 101.0)
    stage.observe(ran(101.0), 101.5)  # the observer's journal, after all
    assert (stage.state("a"), stage.state("b")) == (W, P)
    stage.observe(ran(101.1), 101.6)
    assert stage.state("b") is W


# --- processes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asker", "teller", "state"),
    [("7:70", "7:70", W), ("7:70", "8:80", P), ("", "8:80", W), ("7:70", "", W), ("", "", W)],
)
def test_an_event_counts_for_the_process_it_came_from(asker: str, teller: str, state: State) -> None:
    stage = Stage()
    stage.ask(permission(), process=asker)
    stage.observe(stop(101.0), process=teller)
    assert stage.state() is state


def test_case_08_a_process_that_is_gone_takes_its_requests_along() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(permission("a"))
    stage.ask(permission("b", session_id="s2"))
    stage.ask(permission("c"), process="8:80")
    stage.desk.process_gone("7:70", 101.0)
    assert stage.end("a") == stage.end("b") == (W, "session_ended")
    assert stage.state("c") is P


def test_case_08_also_those_of_a_session_that_said_it_ended() -> None:
    stage = Stage()
    stage.observe(event(EventType.SESSION_END, 100.0))
    stage.ask(permission(agent_id="sub", started_s=100.5))
    stage.desk.process_gone("7:70", 101.0)
    assert stage.end() == (W, "session_ended")


# --- equal calls ------------------------------------------------------------------------


def test_of_equal_calls_the_oldest_hook_comes_first() -> None:
    stage = Stage()
    stage.ask(permission("late", started_s=100.2), 100.3)
    stage.ask(permission("early", started_s=100.1), 100.4)
    stage.observe(ran(101.0))
    assert (stage.state("early"), stage.state("late")) == (W, P)
    stage.observe(ran(102.0))
    assert stage.state("late") is W


def test_of_two_equal_calls_the_one_that_ran_is_the_allowed_one() -> None:
    stage = Stage()
    stage.delivered(permission("no", started_s=100.0), DENY, "m")
    stage.delivered(permission("yes", started_s=100.1), ALLOW)
    stage.observe(ran(102.0))
    stage.observe(batch(102.1, responses=("m",)))
    assert (stage.state("no"), stage.state("yes")) == (State.CONFIRMED, State.CONFIRMED)
    stage.observe(ran(102.2))  # too many of them ran
    assert stage.state("no") is State.CONFIRMED


def test_what_is_live_comes_before_what_was_given_up_on() -> None:
    stage = Stage()
    stage.delivered(permission("old"), ALLOW)
    stage.observe(stop(102.0))
    stage.ask(permission("new", started_s=103.0))
    stage.observe(ran(104.0))
    assert (stage.state("old"), stage.state("new")) == (State.UNCONFIRMED, W)


def test_a_call_that_its_terminal_was_asked_about_proves_nothing_of_an_older_one() -> None:
    stage = Stage(pending_in_all=1)
    stage.delivered(permission("old"), DENY, "m")
    stage.observe(stop(102.0))
    stage.ask(permission("other", digest="d9", started_s=103.0, session_id="s2"))
    assert stage.ask(permission("new", started_s=103.0)).reason == "too_many"
    stage.observe(ran(104.0))
    assert stage.state("old") is State.UNCONFIRMED
    assert not stage.request("new").notice


# --- notices ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "told", "cleared"),
    [
        (permission(), ran(101.0), True),
        (permission(), ran(101.0, digest="d2"), False),
        (permission(), batch(101.0), True),
        (permission(), batch(101.0, agent_id="sub"), False),
        (permission(), prompt(101.0), True),
        (permission(), stop(101.0), True),
        (permission(), event(EventType.SESSION_END, 101.0), True),
        (permission(), event(EventType.TASK, 101.0), False),
        (permission(), ran(99.0), False),
        (permission(), event(EventType.SUBAGENT_STOP, 101.0), False),
        (permission(agent_id="sub"), event(EventType.SUBAGENT_STOP, 101.0, agent_id="sub"), True),
        (permission(agent_id="sub"), stop(101.0), False),
        (permission(agent_id="sub", hold=Hold.EXCLUSIVE), prompt(101.0), False),
        (form(), FORM_DONE, True),
        (form(), prompt(101.0), True),
        (permission(attended=False, hold=Hold.EXCLUSIVE), prompt(101.0), True),
    ],
)
def test_a_notice_goes_when_its_session_moved_on(asked: Ask, told: HookEvent, cleared: bool) -> None:
    stage = Stage()
    stage.ask(asked)
    if stage.state() is P:
        stage.desk.release("r1", 100.5)
    stage.take_effects()
    ended_s = stage.request().ended_s
    stage.observe(told, 101.0)
    request = stage.request()
    assert (request.notice, request.ended_s) == (not cleared, ended_s)
    assert ("changed" in [getattr(e, "type", "") for e in stage.take_effects()]) is cleared


def test_a_question_that_was_answered_is_never_released_by_a_prompt() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(question(hold=Hold.EXCLUSIVE))
    stage.answer(RED, 101.0)
    stage.observe(prompt(101.05))
    assert stage.state() is State.ANSWERED
