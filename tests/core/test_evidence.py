"""What the agent did tells whether an answer took effect; and when nothing tells."""

from __future__ import annotations

import pytest

from sayso.core.bounds import UNPROVEN_S
from sayso.core.states import State
from sayso.core.types import Ask, EventType, HookEvent, Reply
from tests.core.stage import (
    ALLOW,
    DENY,
    DENY_AND_STOP,
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

DELIVERED, CONFIRMED, OVERRULED = State.DELIVERED, State.CONFIRMED, State.OVERRULED
UNCONFIRMED, LOST = State.UNCONFIRMED, State.LOST
PLAN_RAN = ran(102.0, tool="ExitPlanMode", digest="of nothing")
ANSWERED_RED = ran(102.0, tool="AskUserQuestion", answers="red")


def failed(at_s: float) -> HookEvent:
    return event(EventType.TOOL_FAILED, at_s, tool="Bash", digest="d1")


def declined(at_s: float, digest: str = "d1") -> HookEvent:
    return event(EventType.TOOL_DECLINED, at_s, tool="Bash", digest=digest)


# --- evidence ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "reply", "expects", "told", "state"),
    [
        (permission(), ALLOW, "", ran(102.0), CONFIRMED),
        (permission(), ALLOW, "", failed(102.0), CONFIRMED),
        (permission(), DENY, "m", batch(102.0, responses=("x", "m")), CONFIRMED),
        (permission(), DENY, "m", batch(102.0, responses=("x",)), DELIVERED),
        (permission(), DENY, "m", ran(102.0), OVERRULED),
        (permission(), DENY, "m", failed(102.0), OVERRULED),
        (permission(), ALLOW, "", declined(102.0), OVERRULED),
        (permission(), DENY, "", declined(102.0), CONFIRMED),
        (permission(), DENY_AND_STOP, "", declined(102.0), CONFIRMED),
        (permission(), DENY, "", declined(102.0, digest="d2"), DELIVERED),
        (permission(), DENY_AND_STOP, "", batch(102.0, responses=("",)), DELIVERED),
        (permission(), DENY_AND_STOP, "", ran(102.0), OVERRULED),
        (question(), RED, "red", ANSWERED_RED, CONFIRMED),
        (question(), RED, "blue", ANSWERED_RED, OVERRULED),
        (question(), RED, "", ran(102.0, tool="AskUserQuestion"), OVERRULED),
        (question(), DENY, "m", ANSWERED_RED, OVERRULED),
        (plan(), ALLOW, "", PLAN_RAN, CONFIRMED),
        (plan(), DENY, "m", PLAN_RAN, OVERRULED),
        (plan(), DENY, "m", batch(102.0, responses=("m",)), CONFIRMED),
        (plan(), ALLOW, "", ran(102.0), DELIVERED),
        (permission(digest=""), ALLOW, "", ran(102.0, digest=""), DELIVERED),
    ],
)
def test_case_16_what_the_agent_did_tells(
    asked: Ask, reply: Reply, expects: str, told: HookEvent, state: State
) -> None:
    stage = Stage()
    stage.delivered(asked, reply, expects)
    stage.observe(told)
    assert stage.state() is state


@pytest.mark.parametrize("asked", [permission(), question(), plan()])
def test_case_16_a_batch_without_the_call_overrules_an_allow(asked: Ask) -> None:
    stage = Stage()
    stage.delivered(asked, RED if asked.questions else ALLOW, "x")
    stage.observe(batch(102.0))
    assert stage.desk.next_deadline() == 103.0
    stage.desk.tick(102.9)
    assert stage.state() is DELIVERED
    stage.desk.tick(103.0)
    assert stage.end() == (OVERRULED, "")


def test_a_call_may_be_told_after_its_batch() -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    stage.observe(batch(102.0))
    stage.observe(ran(101.9), 102.9)
    stage.desk.tick(103.0)
    assert stage.state() is CONFIRMED


def test_a_batch_told_twice_counts_from_the_first() -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    stage.observe(batch(102.0))
    stage.observe(batch(102.5))
    stage.desk.tick(103.0)
    assert stage.state() is OVERRULED


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_stop_and_its_batch_come_in_any_order(order: tuple[int, int]) -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    told = [batch(102.0), stop(102.1)]
    for index in order:
        stage.observe(told[index], 102.2)
    stage.desk.tick(103.2)
    assert stage.state() is OVERRULED


def test_a_batch_of_a_later_turn_says_nothing_of_an_earlier_answer() -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    stage.observe(stop(102.0))
    stage.observe(prompt(103.0))
    stage.observe(batch(104.0))
    stage.desk.tick(110.0)
    assert stage.state() is UNCONFIRMED


def test_a_form_answered_in_the_terminal_overrules() -> None:
    stage = Stage(watched_at=100.0)
    stage.delivered(form(), Reply(behavior="allow", content={}))
    stage.observe(batch(101.5))
    assert stage.state() is DELIVERED
    stage.observe(event(EventType.ELICITATION_RESULT, 102.0, tool="server"))
    assert stage.state() is OVERRULED


# --- without evidence -------------------------------------------------------------------


@pytest.mark.parametrize(
    "end",
    [
        stop(102.0),
        event(EventType.STOP_FAILED, 102.0),
        event(EventType.IDLE, 102.0),
        event(EventType.SESSION_END, 102.0),
        prompt(102.0),
    ],
)
def test_a_turn_that_ends_without_evidence_leaves_it_unconfirmed(end: HookEvent) -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    stage.observe(end)
    assert stage.end() == (UNCONFIRMED, "")


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (stop(102.0), DELIVERED),
        (prompt(102.0), DELIVERED),
        (event(EventType.SUBAGENT_STOP, 102.0, agent_id="other"), DELIVERED),
        (event(EventType.SUBAGENT_STOP, 102.0, agent_id="sub"), UNCONFIRMED),
        (event(EventType.SESSION_END, 102.0), UNCONFIRMED),
    ],
)
def test_case_28_a_subagents_answer_outlives_the_main_agents_turn(told: HookEvent, state: State) -> None:
    stage = Stage()
    stage.delivered(permission(agent_id="sub"), ALLOW)
    stage.observe(told)
    assert stage.state() is state


def test_an_hour_without_evidence_is_enough() -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    assert stage.desk.next_deadline() == pytest.approx(101.1 + UNPROVEN_S)
    stage.desk.tick(101.1 + UNPROVEN_S)
    assert stage.state() is UNCONFIRMED


@pytest.mark.parametrize(
    ("reply", "told", "state"),
    [(ALLOW, ran(105.0), CONFIRMED), (DENY, ran(105.0), OVERRULED), (DENY_AND_STOP, ran(105.0), OVERRULED)],
)
def test_a_prompt_typed_while_a_tool_runs_is_corrected(reply: Reply, told: HookEvent, state: State) -> None:
    stage = Stage()
    stage.delivered(permission(), reply, "m")
    stage.observe(prompt(104.0))
    assert stage.state() is UNCONFIRMED
    stage.observe(told)
    assert stage.end() == (state, "")
    assert stage.request().ended_s == 105.0


def test_a_loss_is_corrected_by_evidence() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    stage.gone(101.1)
    stage.observe(batch(101.2, responses=("m",)))
    assert stage.end() == (LOST, "hook_gone")
    stage.observe(ran(102.0))
    assert stage.end() == (CONFIRMED, "")


def test_a_corrected_end_is_kept_as_long_as_any() -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    stage.observe(stop(102.0))
    stage.observe(ran(101.9), 602.0)
    assert stage.state() is CONFIRMED
    stage.desk.tick(901.9)
    assert stage.state() is CONFIRMED
    stage.desk.tick(902.0)
    assert stage.desk.snapshot().requests == {}
