"""After the answer: handed over or lost; and proof that comes before the receipt."""

from __future__ import annotations

import pytest

from sayso.core.states import SessionState, State
from sayso.core.types import EventType
from sayso.errors import OutOfTurn
from tests.core.stage import (
    ALLOW,
    DENY,
    DENY_AND_STOP,
    RED,
    Stage,
    batch,
    event,
    permission,
    prompt,
    question,
    ran,
)

DELIVERED, CONFIRMED, OVERRULED = State.DELIVERED, State.CONFIRMED, State.OVERRULED
LOST = State.LOST
ANSWERED_RED = ran(102.0, tool="AskUserQuestion", answers="red")


# --- receipts ---------------------------------------------------------------------------


def test_case_01_answered_is_not_delivered_and_delivered_is_not_obeyed() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    assert stage.state() is State.ANSWERED
    stage.written(101.1)
    assert stage.state() is DELIVERED
    stage.gone(101.2)
    assert (stage.state(), stage.request().waiter) == (DELIVERED, None)
    stage.observe(ran(102.0))
    assert stage.state() is CONFIRMED


def test_case_01_a_hook_that_dies_with_the_answer_loses_it() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    stage.gone(101.1)
    assert stage.end() == (LOST, "hook_gone")


def test_case_01_a_hook_that_says_it_could_not_write_loses_it() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    stage.desk.not_written("r1", "w-r1", 101.1)
    assert stage.end() == (LOST, "hook_failed")
    stage.desk.not_written("r1", "w-r1", 101.2)
    stage.gone(101.3)
    assert stage.end() == (LOST, "hook_failed")


def test_case_01_no_receipt_within_five_seconds_is_a_loss() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    assert stage.desk.next_deadline() == 106.0
    stage.desk.tick(105.9)
    assert stage.state() is State.ANSWERED
    stage.desk.tick(106.0)
    assert stage.end() == (LOST, "no_receipt")


def test_a_late_receipt_corrects_a_loss() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    stage.desk.tick(106.0)
    stage.written(107.0)
    request = stage.request()
    assert (request.state, request.reason, request.ended_s) == (DELIVERED, "", None)
    stage.observe(ran(108.0))
    assert stage.state() is CONFIRMED


def test_a_receipt_may_come_twice_or_after_the_proof() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    stage.observe(ran(101.05))  # overtook the receipt
    assert stage.state() is CONFIRMED
    stage.written(101.1)
    stage.written(101.2)
    assert stage.state() is CONFIRMED
    stage.gone(101.3)
    assert stage.request().waiter is None


def test_receipts_that_make_no_sense_are_refused() -> None:
    stage = Stage()
    stage.ask(permission())
    with pytest.raises(OutOfTurn, match="pending"):
        stage.written(100.5)
    with pytest.raises(OutOfTurn, match="pending"):
        stage.desk.not_written("r1", "w-r1", 100.5)
    stage.answer(ALLOW, 101.0)
    stage.written(101.1)
    with pytest.raises(OutOfTurn, match="delivered"):
        stage.desk.not_written("r1", "w-r1", 101.2)
    assert stage.state() is DELIVERED


@pytest.mark.parametrize(("name", "waiter"), [("r1", "w-r2"), ("r2", "w-r1")])
def test_only_the_waiter_of_a_request_may_give_its_receipt(name: str, waiter: str) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    with pytest.raises(OutOfTurn, match="no request of yours"):
        stage.desk.written(name, waiter, "", 101.1)
    with pytest.raises(OutOfTurn, match="no request of yours"):
        stage.desk.not_written(name, waiter, 101.1)
    assert stage.state() is State.ANSWERED


def test_one_connection_may_wait_for_two() -> None:
    stage = Stage()
    for name in ("a", "b"):
        stage.desk.ask(permission(name), "w-r1", 100.0)
    stage.answer(ALLOW, 101.0, name="a")
    stage.desk.written("a", "w-r1", "", 101.1)
    stage.gone(101.2)
    assert (stage.state("a"), stage.state("b")) == (DELIVERED, State.WITHDRAWN)
    assert (stage.request("a").waiter, stage.request("b").waiter) == (None, None)


# --- evidence before the receipt --------------------------------------------------------


@pytest.mark.parametrize(("expects", "state"), [("red", CONFIRMED), ("blue", OVERRULED)])
def test_a_questions_proof_waits_for_what_the_hook_wrote(expects: str, state: State) -> None:
    stage = Stage()
    stage.ask(question())
    stage.answer(RED, 101.0)
    stage.observe(ANSWERED_RED)
    stage.observe(batch(102.1))
    stage.desk.tick(104.0)
    assert stage.state() is State.ANSWERED
    stage.written(104.1, expects)
    assert stage.state() is state


def test_a_batch_told_before_its_question_does_not_make_it_absent() -> None:
    stage = Stage()
    stage.ask(question())
    stage.answer(RED, 101.0)
    stage.observe(batch(102.1))
    stage.observe(ANSWERED_RED, 102.2)
    stage.desk.tick(104.0)
    stage.written(104.1, "red")
    assert stage.state() is CONFIRMED


@pytest.mark.parametrize(("responses", "state"), [(("m",), CONFIRMED), (("x",), DELIVERED)])
def test_a_denials_proof_waits_for_what_the_hook_wrote(responses: tuple[str, ...], state: State) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(DENY, 101.0)
    stage.observe(batch(101.05, responses=responses))
    assert stage.state() is State.ANSWERED
    stage.written(101.1, "m")
    assert stage.state() is state


@pytest.mark.parametrize(("expects", "state"), [("red", CONFIRMED), ("blue", OVERRULED)])
def test_it_waits_longer_than_the_receipt_is_waited_for(expects: str, state: State) -> None:
    stage = Stage()
    stage.ask(question())
    stage.answer(RED, 101.0)
    stage.observe(ANSWERED_RED)
    stage.desk.tick(106.0)
    assert stage.end() == (LOST, "no_receipt")
    stage.written(107.0, expects)
    assert stage.state() is state


def test_it_does_not_wait_for_a_receipt_that_nobody_can_give() -> None:
    stage = Stage()
    stage.desk.ask(question(), None, 100.0)
    stage.answer(RED, 101.0)
    stage.observe(ANSWERED_RED)
    stage.desk.tick(106.0)
    assert stage.state() is LOST  # whose answer it was, nobody knows


def test_a_question_that_ran_though_our_answer_was_not_written_was_answered_there() -> None:
    stage = Stage()
    stage.ask(question())
    stage.answer(RED, 101.0)
    stage.observe(ANSWERED_RED)
    stage.desk.not_written("r1", "w-r1", 102.5)
    assert stage.state() is OVERRULED


def test_a_hook_that_died_with_a_question_s_answer_proves_nothing() -> None:
    stage = Stage()
    stage.ask(question())
    stage.answer(RED, 101.0)
    stage.observe(ANSWERED_RED)
    stage.gone(102.5)
    assert stage.state() is LOST


@pytest.mark.parametrize(
    ("prompt_id", "state"), [("p1", OVERRULED), ("p2", State.UNCONFIRMED), ("", OVERRULED)]
)
def test_the_same_call_in_a_later_turn_corrects_nothing(prompt_id: str, state: State) -> None:
    stage = Stage()
    stage.ask(permission(prompt_id="p1"))
    stage.answer(DENY_AND_STOP, 101.0)
    stage.written(101.1)
    stage.observe(prompt(103.0))
    assert stage.state() is State.UNCONFIRMED
    stage.observe(ran(104.0, prompt_id=prompt_id))
    assert stage.state() is state


# --- deny and stop ----------------------------------------------------------------------


def test_deny_and_stop_stops_the_main_agent_once_it_is_handed_over() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(DENY_AND_STOP, 101.0)
    assert stage.session_state() is SessionState.WORKING
    stage.written(101.1)
    assert stage.session_state() is SessionState.PRESUMED_IDLE


def test_deny_and_stop_of_a_subagent_stops_only_that() -> None:
    stage = Stage()
    stage.observe(prompt(99.0))
    stage.delivered(permission(agent_id="sub"), DENY_AND_STOP)
    assert stage.session_state() is SessionState.WORKING


def test_deny_and_stop_in_a_session_that_is_forgotten() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(DENY_AND_STOP, 101.0)
    stage.observe(event(EventType.SESSION_END, 101.01))
    stage.observe(event(EventType.SESSION_START, 101.02, reason="resume"), process="8:80")
    stage.written(101.1)
    assert stage.state() is DELIVERED
    assert stage.session_state("8:80") is SessionState.IDLE


def test_an_answer_in_a_session_that_is_forgotten() -> None:
    stage = Stage()
    stage.ask(permission(), process="")
    stage.ask(permission("r2", started_s=100.5))  # the same, confirmed now
    assert stage.answer(ALLOW, 101.0).state is State.ANSWERED
    assert stage.session_state() is SessionState.WORKING
