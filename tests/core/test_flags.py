"""The flag of a session: up before anything that needs its observers, down when nothing does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sayso.core.bounds import KEEP_SESSION_S, KEEP_UNPROVEN_S
from sayso.core.effects import Hint
from sayso.core.states import MessageTrigger, State
from sayso.core.types import EventType, HookEvent
from tests.core.stage import (
    AGENT,
    ALLOW,
    DENY_AND_STOP,
    SESSION,
    Stage,
    event,
    form,
    permission,
    prompt,
    ran,
    stop,
)


def test_it_is_up_before_anybody_hears_of_the_request() -> None:
    stage = Stage()
    stage.ask(permission())
    assert stage.take_effects()[0] == Hint(SESSION, True)


def test_it_is_up_before_a_request_that_never_pends() -> None:
    stage = Stage()
    stage.ask(form())
    assert stage.take_effects()[0] == Hint(SESSION, True)


def test_it_goes_down_after_all_else() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.take_effects()
    stage.observe(ran(101.0))
    assert Hint(SESSION, False) in stage.take_effects()
    assert stage.hints() == [True, False]


@pytest.mark.parametrize(
    ("play", "hints"),
    [
        (lambda s: s.answer(ALLOW, 101.0), [True]),
        (lambda s: s.delivered(permission("r2"), ALLOW), [True]),
        (lambda s: s.gone(101.0, "orphan"), [True, False]),
        (lambda s: s.desk.release("r1", 101.0), [True]),  # its notice is up
        (lambda s: s.desk.shutdown(101.0), [True, False]),
        (lambda s: s.observe(stop(101.0)), [True, False]),
    ],
)
def test_a_request_keeps_it_up(play: Callable[[Stage], object], hints: list[bool]) -> None:
    stage = Stage()
    stage.ask(permission())
    play(stage)
    assert stage.hints() == hints


def test_a_notice_keeps_it_up_until_the_terminal_settled_it() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.desk.release("r1", 101.0)
    assert stage.hints() == [True]
    stage.observe(ran(102.0))
    assert stage.hints() == [True, False]
    assert stage.state() is State.RELEASED


def test_what_is_unproven_keeps_it_up_for_ten_minutes() -> None:
    stage = Stage()
    stage.delivered(permission(), ALLOW)
    stage.observe(stop(102.0))
    stage.desk.tick(102.0 + KEEP_UNPROVEN_S - 0.1)
    assert stage.hints() == [True]
    stage.desk.tick(102.0 + KEEP_UNPROVEN_S)
    assert stage.hints() == [True, False]


def test_two_reasons_are_one_flag() -> None:
    stage = Stage()
    stage.ask(permission("a"))
    stage.ask(permission("b", digest="d2"))
    stage.observe(ran(101.0))
    assert stage.hints() == [True]
    stage.observe(ran(102.0, digest="d2"))
    assert stage.hints() == [True, False]


# --- idle, as far as we know ------------------------------------------------------------

TELLING = [stop(102.0), prompt(102.0), ran(102.0, digest="d2"), event(EventType.SESSION_END, 102.0)]


@pytest.mark.parametrize(
    "told", [stop(102.0), prompt(102.0), ran(102.0, digest="d2"), event(EventType.SESSION_END, 102.0)]
)
def test_an_inferred_end_keeps_it_up_until_the_agent_says_something(told: HookEvent) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.gone(101.0, "term")
    assert stage.hints() == [True]  # never down in between
    stage.observe(told)
    assert stage.hints() == [True, False]


def test_so_does_a_turn_that_we_stopped() -> None:
    stage = Stage()
    stage.delivered(permission(), DENY_AND_STOP)
    stage.observe(event(EventType.SUBAGENT_STOP, 102.0, agent_id="sub"))
    for at_s in (101.1 + 3600, 101.1 + 3600 + KEEP_UNPROVEN_S):
        stage.desk.tick(at_s)
    assert stage.desk.snapshot().requests == {}
    assert stage.hints() == [True]
    stage.observe(prompt(9000.0))
    assert stage.hints() == [True, False]


def test_a_process_that_is_confirmed_later_does_not_leave_it_up() -> None:
    stage = Stage()
    stage.ask(permission(), process="")
    stage.gone(101.0, "term")
    stage.observe(event(EventType.SUBAGENT_STOP, 102.0, agent_id="sub"), process="7:70")
    assert stage.hints() == [True]
    stage.observe(prompt(103.0), process="7:70")
    assert stage.hints() == [True, False]


def test_a_session_that_is_forgotten_takes_it_along() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.gone(101.0, "term")
    stage.desk.tick(100.0 + 86_400.0)
    assert stage.desk.snapshot().sessions == {}
    assert stage.hints() == [True, False]


# --- messages ---------------------------------------------------------------------------


def queued() -> Stage:
    stage = Stage()
    stage.observe(prompt(99.0))
    stage.desk.queue(AGENT, SESSION, "hello", "soon", 100.0)
    assert stage.hints() == [True]
    return stage


def test_a_message_keeps_it_up_until_it_is_handed_over() -> None:
    stage = queued()
    stage.desk.take(AGENT, SESSION, "hook", 101.0, at_stop=False)
    assert stage.hints() == [True]
    stage.desk.message_receipt("hook", MessageTrigger.WRITTEN, 101.1)
    assert stage.hints() == [True, False]


@pytest.mark.parametrize("seen", [ran(102.0), stop(102.0), event(EventType.SESSION_END, 102.0)])
def test_one_that_made_a_turn_go_on_keeps_it_up_until_the_row_is_over(seen: HookEvent) -> None:
    stage = queued()
    stage.observe(stop(101.0), taker="hook")
    stage.desk.message_receipt("hook", MessageTrigger.WRITTEN, 101.1)
    assert stage.hints() == [True]
    stage.observe(prompt(101.5))
    assert stage.hints() == [True]
    stage.observe(seen)
    assert stage.hints() == [True, False]


def test_a_message_that_is_put_back_keeps_it_up() -> None:
    stage = queued()
    stage.desk.take(AGENT, SESSION, "hook", 101.0)
    stage.desk.message_receipt("hook", MessageTrigger.NOT_WRITTEN, 101.1)
    stage.observe(stop(102.0))
    assert stage.hints() == [True]
    stage.desk.delete_message(AGENT, SESSION, 103.0)
    assert stage.hints() == [True, False]


def test_the_flag_of_a_message_is_up_before_it_is_told() -> None:
    stage = Stage()
    stage.observe(prompt(99.0))
    stage.take_effects()
    stage.desk.queue(AGENT, SESSION, "hello", "soon", 100.0)
    assert stage.take_effects()[0] == Hint(SESSION, True)


def test_a_message_of_an_ended_session_does_not_keep_it_up_for_ever() -> None:
    stage = Stage()
    stage.observe(prompt(99.0))
    stage.desk.queue(AGENT, SESSION, "hello", "soon", 100.0)
    stage.observe(event(EventType.SESSION_END, 99.5), 101.0)  # told late: the message is newer
    stage.desk.tick(99.5 + KEEP_SESSION_S)
    assert stage.desk.snapshot().messages == {}
    assert stage.hints() == [True, False]


# --- in one batch -----------------------------------------------------------------------


def test_up_and_down_in_one_go_is_nothing() -> None:
    stage = Stage()
    stage.observe(ran(101.0))
    stage.ask(permission(), 101.1)
    assert stage.state() is State.WITHDRAWN
    assert stage.hints() == []


def test_two_sessions_have_two_flags() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.ask(permission("r2", session_id="s2"))
    stage.observe(ran(101.0, session_id="s2"))
    assert stage.hints() == [True]
    hints = [(e.session_id, e.raised) for e in stage.effects if isinstance(e, Hint)]
    assert hints == [("s1", True), ("s2", True), ("s2", False)]
