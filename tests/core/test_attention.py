"""What a session wants of its person: derived, so that nothing settled leaves it behind."""

from __future__ import annotations

import pytest

from sayso.core.attention import attention
from sayso.core.types import EventType
from tests.core.stage import ALLOW, SESSION, Stage, event, permission, prompt, ran, stop


def now_wants(stage: Stage) -> str:
    kept = stage.desk.snapshot()
    mine = [one for one in kept.requests.values() if one.ask.session_id == SESSION]
    return attention(stage.session().wants, mine)


def test_nothing_is_normal() -> None:
    stage = Stage()
    stage.observe(prompt(100.0))
    assert now_wants(stage) == "normal"


@pytest.mark.parametrize(
    ("kind", "wants"),
    [(EventType.STOP_FAILED, "error"), (EventType.IDLE, "needs_input"), (EventType.STOP, "normal")],
)
def test_the_agents_last_word_counts_until_its_next(kind: EventType, wants: str) -> None:
    stage = Stage()
    stage.observe(prompt(100.0))
    stage.observe(event(kind, 101.0))
    assert now_wants(stage) == wants
    stage.observe(event(EventType.SUBAGENT_STOP, 102.0, agent_id="a1"))
    assert now_wants(stage) == wants
    stage.observe(prompt(103.0))
    assert now_wants(stage) == "normal"


def test_an_old_word_that_comes_late_does_not_count() -> None:
    stage = Stage()
    stage.observe(prompt(100.0))
    stage.observe(event(EventType.STOP_FAILED, 99.0), 101.0)
    assert now_wants(stage) == "normal"


def test_an_agent_that_waits_after_an_error_still_tells_of_the_error() -> None:
    stage = Stage()
    stage.observe(event(EventType.STOP_FAILED, 100.0))
    stage.observe(event(EventType.IDLE, 160.0))
    assert now_wants(stage) == "error"


def test_what_pends_needs_a_response_whatever_others_do_and_nothing_after_it() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.observe(ran(100.5, digest="another call"))
    stage.observe(ran(100.6, agent_id="a1"))
    assert now_wants(stage) == "needs_response"
    stage.answer(ALLOW, 101.0)
    assert now_wants(stage) == "normal"


def test_what_only_the_terminal_answers_blocks_until_the_session_moves_on() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.ask(permission("r2", digest="d2"))
    stage.desk.release("r1", 101.0)
    assert now_wants(stage) == "blocked"
    stage.observe(ran(102.0))
    assert now_wants(stage) == "needs_response"
    stage.observe(stop(103.0))
    assert now_wants(stage) == "normal"


def test_the_order_of_the_words() -> None:
    stage = Stage()
    stage.ask(permission())
    assert attention("needs_input", [stage.request()]) == "needs_input"
    stage.desk.release("r1", 101.0)
    assert attention("needs_input", [stage.request()]) == "blocked"
    assert attention("error", [stage.request()]) == "error"
