"""Sessions: what an agent does, as its events tell; which process it is in."""

from __future__ import annotations

import pytest

from sayso.core.bounds import KEEP_SESSION_S, KEEP_SILENT_S
from sayso.core.requests import LAST_WORDS
from sayso.core.states import SessionState
from sayso.core.types import EventType, HookEvent
from tests.core.stage import AGENT, ALLOW, SESSION, Stage, batch, event, permission, prompt, ran, stop

IDLE, WORKING, ENDED = SessionState.IDLE, SessionState.WORKING, SessionState.ENDED
PRESUMED = SessionState.PRESUMED_IDLE
START, END = EventType.SESSION_START, EventType.SESSION_END


def keys(stage: Stage) -> list[str]:
    """The processes of the session, in alphabetical order."""
    return sorted(process for _, _, process in stage.desk.snapshot().sessions)


# --- what it does -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (event(START, 1.0, reason="startup"), IDLE),
        (event(START, 1.0, reason="compact"), WORKING),
        (prompt(1.0), WORKING),
        (event(EventType.TASK, 1.0), WORKING),
        (ran(1.0), WORKING),
        (event(EventType.TOOL_FAILED, 1.0), WORKING),
        (batch(1.0), WORKING),
        (event(EventType.ELICITATION_RESULT, 1.0), WORKING),
        (stop(1.0), IDLE),
        (event(END, 1.0), ENDED),
        (ran(1.0, agent_id="sub"), IDLE),
        (event(EventType.SUBAGENT_STOP, 1.0), IDLE),
    ],
)
def test_a_session_that_is_new_to_us(told: HookEvent, state: SessionState) -> None:
    stage = Stage()
    stage.observe(told)
    session = stage.session()
    assert (session.state, session.since_s) == (state, 1.0)


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (stop(2.0), IDLE),
        (event(EventType.STOP_FAILED, 2.0), IDLE),
        (event(EventType.IDLE, 2.0), IDLE),
        (event(START, 2.0, reason="compact"), WORKING),
        (event(START, 2.0, reason="clear"), IDLE),
        (stop(2.0, agent_id="sub"), WORKING),
        (event(EventType.SUBAGENT_STOP, 2.0, agent_id="sub"), WORKING),
        (event(END, 2.0), ENDED),
    ],
)
def test_a_session_at_work(told: HookEvent, state: SessionState) -> None:
    stage = Stage()
    stage.observe(prompt(1.0))
    stage.observe(told)
    assert stage.session_state() is state


@pytest.mark.parametrize("origin", ["startup", "resume", "fork", "clear"])
def test_how_it_began_is_kept(origin: str) -> None:
    stage = Stage()
    stage.observe(event(START, 1.0, reason=origin))
    stage.observe(event(START, 2.0, reason="compact"))
    stage.observe(prompt(3.0))
    assert stage.session().origin == origin


def test_a_way_to_begin_that_is_not_known_is_not_kept() -> None:
    stage = Stage()
    stage.observe(event(START, 1.0, reason="teleport"))
    stage.observe(event(END, 2.0, reason="clear"))
    stage.observe(event(START, 3.0, reason="fork", agent_id="sub"))
    assert stage.session().origin == ""


def test_what_it_was_told_and_where() -> None:
    stage = Stage()
    stage.observe(prompt(1.0, cwd="/home/ada/app", mode="plan", prompt="first"))
    stage.observe(ran(2.0, mode="default"))
    stage.observe(ran(3.0, agent_id="sub", cwd="/sub", mode="acceptEdits"))
    stage.observe(prompt(0.5, prompt="older", mode="auto"), 4.0)
    session = stage.session()
    assert (session.cwd, session.mode, session.prompt) == ("/home/ada/app", "default", "first")
    assert session.seen_s == 3.0


def test_channels_hear_of_what_is_new_alone() -> None:
    stage = Stage()
    stage.observe(prompt(1.0, cwd="/a"))
    stage.take_effects()
    stage.observe(ran(2.0, cwd="/a"))
    assert stage.take_effects() == []
    stage.observe(ran(3.0, cwd="/b"))
    assert [effect.session.cwd for effect in stage.take_effects()] == ["/b"]


# --- in any order -----------------------------------------------------------------------


def test_an_old_event_does_not_wake_a_session() -> None:
    stage = Stage()
    stage.observe(prompt(1.0))
    stage.observe(stop(3.0))
    stage.observe(ran(2.0), 4.0)
    assert stage.session_state() is IDLE


def test_an_old_stop_does_not_end_a_newer_turn() -> None:
    stage = Stage()
    stage.observe(prompt(1.0))
    stage.observe(prompt(3.0), 3.0)
    stage.observe(stop(2.0), 4.0)
    assert stage.session_state() is WORKING


def test_an_old_end_does_not_end_a_session_that_asks() -> None:
    stage = Stage()
    stage.observe(prompt(1.0))
    stage.ask(permission(started_s=3.0))
    stage.observe(event(END, 2.0), 4.0)
    assert stage.session_state() is WORKING


def test_our_answer_is_no_sign_of_the_agent() -> None:
    stage = Stage()
    stage.ask(permission(started_s=1.0))
    stage.answer(ALLOW, 3.0)
    stage.observe(stop(2.9), 3.1)
    assert stage.session_state() is IDLE


# --- idle by inference ------------------------------------------------------------------


def test_a_hook_that_ends_early_was_turned_down() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.gone(101.0, "term")
    assert (stage.session_state(), stage.session().since_s) == (PRESUMED, 101.0)


@pytest.mark.parametrize(("now", "state"), [(3629.9, PRESUMED), (3630.0, WORKING)])
def test_a_hook_that_ends_near_its_time_was_cut_off(now: float, state: SessionState) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.gone(now)
    assert stage.session_state() is state


@pytest.mark.parametrize(("word", "reason"), LAST_WORDS.items())
def test_whoever_says_why_it_goes_was_not_turned_down(word: str, reason: str) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.gone(101.0, word)
    assert stage.request().reason == reason
    assert stage.session_state() is WORKING


def test_a_subagents_hook_says_nothing_of_the_main_agent() -> None:
    stage = Stage()
    stage.observe(prompt(99.0))
    stage.ask(permission(agent_id="sub"))
    stage.gone(101.0, "term")
    assert stage.request().reason == "closed_in_terminal"
    assert stage.session_state() is WORKING


def test_so_does_a_session_that_is_not_there_any_more() -> None:
    stage = Stage()
    stage.observe(event(END, 99.0))
    stage.ask(permission(agent_id="sub"))
    stage.observe(event(START, 100.1), process="8:80")
    stage.gone(101.0, "term")
    assert keys(stage) == ["8:80"]


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (ran(102.0), WORKING),
        (prompt(102.0), WORKING),
        (event(EventType.TASK, 102.0), WORKING),
        (stop(102.0), IDLE),
        (event(EventType.IDLE, 102.0), IDLE),
        (event(END, 102.0), ENDED),
        (ran(100.9), PRESUMED),
        (ran(102.0, agent_id="sub"), PRESUMED),
    ],
)
def test_the_next_event_tells_whether_that_was_right(told: HookEvent, state: SessionState) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.gone(101.0, "term")
    stage.observe(told, 103.0)
    assert stage.session_state() is state


# --- processes --------------------------------------------------------------------------


def test_a_resumed_session_goes_on_in_its_new_process() -> None:
    stage = Stage()
    stage.observe(prompt(1.0))
    stage.observe(event(END, 2.0))
    stage.take_effects()
    stage.observe(event(START, 3.0, reason="resume"), process="8:80")
    assert keys(stage) == ["8:80"]
    assert stage.session_state("8:80") is IDLE
    assert stage.published()[-2:] == ["session", "session_forgotten"]


def test_two_living_processes_are_two_sessions() -> None:
    stage = Stage()
    stage.observe(prompt(1.0))
    stage.observe(event(START, 2.0), process="8:80")
    assert keys(stage) == ["7:70", "8:80"]
    stage.observe(stop(3.0), process="8:80")
    assert stage.session_state("7:70") is WORKING


def test_a_process_that_nobody_confirmed_is_taken_for_the_one_used_last() -> None:
    stage = Stage()
    stage.observe(prompt(1.0), process="7:70")
    stage.observe(prompt(2.0), process="8:80")
    stage.observe(stop(3.0), process="")
    assert keys(stage) == ["7:70", "8:80"]
    assert (stage.session_state("7:70"), stage.session_state("8:80")) == (WORKING, IDLE)


def test_a_process_that_is_confirmed_takes_over_what_was_not() -> None:
    stage = Stage()
    stage.observe(prompt(1.0, cwd="/a"), process="")
    stage.observe(ran(2.0), process="7:70")
    assert keys(stage) == ["7:70"]
    assert (stage.session().cwd, stage.session_state()) == ("/a", WORKING)


def test_an_unconfirmed_event_after_the_end_does_not_make_the_session_new() -> None:
    stage = Stage()
    stage.observe(event(END, 1.0))
    stage.take_effects()
    stage.observe(ran(0.5), 2.0, process="")
    assert keys(stage) == ["7:70"]
    assert stage.take_effects() == []


# --- how long ---------------------------------------------------------------------------


def test_an_ended_session_is_listed_for_an_hour() -> None:
    stage = Stage()
    stage.observe(event(END, 1.0))
    assert stage.desk.next_deadline() == 1.0 + KEEP_SESSION_S
    stage.desk.tick(KEEP_SESSION_S + 0.9)
    assert keys(stage) == ["7:70"]
    stage.take_effects()
    stage.desk.tick(KEEP_SESSION_S + 1.0)
    assert keys(stage) == []
    assert [effect.type for effect in stage.take_effects()] == ["session_forgotten"]


def test_one_that_says_nothing_any_more_is_listed_for_a_day() -> None:
    stage = Stage()
    stage.observe(prompt(1.0))
    stage.observe(ran(5.0))
    assert stage.desk.next_deadline() == 5.0 + KEEP_SILENT_S
    stage.desk.tick(5.0 + KEEP_SILENT_S)
    assert keys(stage) == []


def test_a_process_that_ends_leaves_the_message_to_the_other() -> None:
    stage = Stage()
    stage.observe(prompt(1.0), process="8:80")
    stage.observe(event(END, 2.0), process="7:70")
    stage.desk.queue(AGENT, SESSION, "hello", "soon", 3.0)
    stage.desk.tick(2.0 + KEEP_SESSION_S)
    assert keys(stage) == ["8:80"]
    assert list(stage.desk.snapshot().messages) == [(AGENT, SESSION)]


def test_a_stranger_that_claims_a_confirmed_session_moves_nothing_of_it() -> None:
    stage = Stage()
    stage.ask(permission(cwd="/home/ada/app"))
    stage.observe(stop(101.0))
    stage.desk.ask(permission("r2", digest="d2", started_s=102.0, cwd="/elsewhere"), "stranger", 102.0, "")
    session = stage.session()
    assert (session.state, session.cwd) == (SessionState.IDLE, "/home/ada/app")
    assert stage.desk.session_of(stage.request("r2")) is None
    stage.desk.waiter_gone("stranger", 103.0)
    assert stage.session().state is SessionState.IDLE
