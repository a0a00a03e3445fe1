"""Asks: what pends, what is left to the agent's own prompt at once, and why."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sayso.core.bounds import MAX_VALUE_CHARS
from sayso.core.requests import ending
from sayso.core.states import SessionState, State
from sayso.core.types import Ask, EventType, Hold, Row
from sayso.errors import Gone, OutOfTurn
from tests.core.stage import ALLOW, RED, SESSION, Stage, event, form, permission, plan, prompt, question, ran

D, P = State.DEFERRED, State.PENDING


@pytest.mark.parametrize("asked", [permission(), question(), plan()])
def test_what_the_terminal_asks_beside_us_pends_though_nobody_watches(asked: Ask) -> None:
    stage = Stage()
    assert stage.ask(asked).state is P
    assert stage.resolutions() == []
    assert stage.published() == ["session", "session", "session", "shown"]


def test_case_29_what_holds_the_terminal_back_is_let_go_at_once_when_nobody_watches() -> None:
    stage = Stage()
    request = stage.ask(form(fields=()))
    assert (request.state, request.reason) == (D, "nobody_watching")
    assert request.notice
    assert stage.resolutions() == [None]


def test_case_29_somebody_who_watched_long_ago_does_not_count() -> None:
    stage = Stage(watched_at=0.0)
    assert stage.ask(form(started_s=119.9)).state is P
    assert stage.ask(form("r2", started_s=120.0)).reason == "nobody_watching"


def test_case_30_a_session_that_asked_never_to_be_asked_is_not() -> None:
    stage = Stage()
    assert stage.ask(permission(mode="bypassPermissions")).reason == "bypass_mode"
    assert stage.ask(plan("r2", mode="bypassPermissions")).reason == "bypass_mode"


def test_case_17_bypass_mode_never_swallows_a_question() -> None:
    stage = Stage()
    assert stage.ask(question(mode="bypassPermissions")).state is P
    assert stage.answer(RED, 101.0).state is State.ANSWERED


@pytest.mark.parametrize("mode", ["default", "plan", "acceptEdits", "auto", ""])
def test_other_modes_ask(mode: str) -> None:
    assert Stage().ask(permission(mode=mode)).state is P


def test_what_cannot_be_shown_is_left_to_the_terminal() -> None:
    assert Stage().ask(permission(unshowable="its input is not an object")).reason == "not_showable"


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (permission(unshowable="its input is not an object"), "its input is not an object"),
        (plan(input=()), "there is no plan to read"),
        (
            plan(modes=("default", "bypassPermissions")),
            "it offers the mode 'bypassPermissions', which is never offered",
        ),
        (question(questions=()), "it has 0 questions"),
    ],
)
def test_why_it_cannot_be_shown_is_told(ask: Ask, why: str) -> None:
    said = ending(Stage().ask(ask))
    assert said == f"it cannot be shown here ({why}); the agent asks in its terminal"


@pytest.mark.parametrize(
    ("settings", "hold", "state"),
    [
        ({}, Hold.EXCLUSIVE, D),
        ({}, Hold.PARALLEL, D),
        ({"codex_approvals": True}, Hold.EXCLUSIVE, P),
        ({"codex_approvals": True}, Hold.PARALLEL, P),
        ({"codex_server": True}, Hold.EXCLUSIVE, D),
        ({"codex_server": True}, Hold.PARALLEL, P),
    ],
)
def test_codex_is_answered_only_where_the_person_chose_it(
    settings: dict[str, Any], hold: Hold, state: State
) -> None:
    stage = Stage(watched_at=100.0, **settings)
    request = stage.ask(permission(agent="codex", hold=hold))
    assert request.state is state
    assert request.reason == ("" if state is P else "not_opted_in")


def test_switching_codex_off_gives_back_what_its_hook_holds_and_nothing_else() -> None:
    stage = Stage(watched_at=100.0, codex_approvals=True, codex_server=True)
    stage.ask(permission("hook", agent="codex", hold=Hold.EXCLUSIVE))
    stage.ask(permission("server", agent="codex"))
    stage.ask(permission("claude"))
    stage.desk.change({"codex_approvals": False}, 101.0)
    assert stage.end("hook") == (State.WITHDRAWN, "setting_off")
    assert (stage.state("server"), stage.state("claude")) == (P, P)
    assert stage.resolutions("hook") == [None]


# --- how many ---------------------------------------------------------------------------


def test_case_10_four_at_once_are_four() -> None:
    stage = Stage()
    for name in "abcd":
        stage.ask(permission(name, digest=name))
    stage.answer(ALLOW, 101.0, name="c")
    assert [stage.state(name) for name in "abcd"] == [P, P, State.ANSWERED, P]
    assert [len(stage.resolutions(name)) for name in "abcd"] == [0, 0, 1, 0]


def test_one_process_may_not_fill_the_desk() -> None:
    stage = Stage(pending_per_agent=2)
    assert [stage.ask(permission(name), process="7:70").state for name in "abc"] == [P, P, D]
    assert stage.request("c").reason == "too_many"
    assert stage.ask(permission("d"), process="8:80").state is P
    stage.answer(ALLOW, 101.0, name="a")
    assert stage.ask(permission("e", started_s=102.0), process="7:70").state is P


def test_all_together_may_not_either() -> None:
    stage = Stage(pending_in_all=1)
    assert stage.ask(permission("a"), process="7:70").state is P
    request = stage.ask(permission("b"), process="8:80")
    assert (request.state, request.reason) == (D, "too_many")
    assert stage.desk.pending_in_all() == 1


# --- ids --------------------------------------------------------------------------------


def test_a_taken_id_is_refused_and_nothing_changes() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.take_effects()
    before = stage.desk.snapshot()
    with pytest.raises(OutOfTurn):
        stage.ask(permission(session_id="s2", started_s=101.0))
    assert stage.desk.snapshot() == before
    assert stage.take_effects() == []


def test_an_ask_needs_an_id() -> None:
    with pytest.raises(OutOfTurn):
        Stage().ask(permission(""))


def test_case_12_an_id_nobody_knows_is_gone() -> None:
    stage = Stage()
    with pytest.raises(Gone, match="no such request"):
        stage.answer(ALLOW, 101.0)
    with pytest.raises(Gone):
        stage.desk.release("r1", 101.0)
    with pytest.raises(Gone):
        stage.desk.row("r1", 0, "c1")


# --- after a restart --------------------------------------------------------------------


def test_case_09_a_hook_that_comes_back_has_its_request_again() -> None:
    stage = Stage()
    request = stage.ask(permission(resumed=True), 500.0)
    assert (request.state, request.created_s) == (P, 500.0)


def test_case_09_an_exclusive_one_waits_a_moment_for_its_watchers() -> None:
    stage = Stage()
    stage.ask(form(resumed=True, started_s=100.0), 101.0)
    assert stage.state() is P
    assert stage.desk.next_deadline() == 111.0
    stage.desk.tick(110.9)
    assert stage.state() is P
    stage.desk.tick(111.0)
    assert stage.end() == (State.RELEASED, "nobody_watching")


def test_case_09_watchers_who_are_back_keep_it() -> None:
    stage = Stage()
    stage.ask(form(resumed=True), 101.0)
    stage.watch(105.0)
    stage.desk.tick(111.0)
    assert stage.state() is P


def test_case_09_what_the_terminal_settled_meanwhile_is_not_revived() -> None:
    stage = Stage()
    for line in (ran(150.0), ran(151.0, digest="d2"), ran(400.0, digest="d3")):  # from the journal
        stage.observe(line, 500.0)
    request = stage.ask(permission(resumed=True), 500.1)
    assert (request.state, request.reason) == (State.WITHDRAWN, "tool_ran")
    assert stage.resolutions() == [None]
    assert [type_ for type_ in stage.published() if type_ != "session"] == ["resolved"]


def test_a_journal_of_an_earlier_turn_touches_nothing() -> None:
    stage = Stage()
    for line in (prompt(50.0), ran(60.0), event(EventType.STOP, 99.0)):
        stage.observe(line, 120.0)
    assert stage.ask(permission(resumed=True), 120.1).state is P
    assert stage.session_state() is SessionState.WORKING


# --- what is kept -----------------------------------------------------------------------


def test_a_long_value_of_a_request_that_never_pended_is_not_kept() -> None:
    stage = Stage()
    row = Row(label="Content", value="x" * (MAX_VALUE_CHARS + 1))
    kept = stage.ask(permission(mode="bypassPermissions", input=(row, Row(label="File", value="a")))).ask
    assert [len(one.value) for one in kept.input] == [MAX_VALUE_CHARS, 1]
    assert (kept.input[0].length, kept.input[0].lost) == (MAX_VALUE_CHARS + 1, True)


def test_shutdown_gives_everything_back() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(permission("a"))
    stage.ask(form("b"))
    stage.desk.shutdown(101.0)
    assert {stage.end("a"), stage.end("b")} == {(State.WITHDRAWN, "shutdown")}
    assert stage.resolutions("a") == stage.resolutions("b") == [None]


def test_a_bridge_may_ask_without_a_waiter() -> None:
    stage = Stage()
    stage.desk.ask(permission(), None, 100.0)
    stage.gone(101.0)
    assert stage.state() is P
    stage.answer(ALLOW, 102.0)
    assert stage.state() is State.ANSWERED
    assert stage.resolutions() == []


def test_asks_of_a_subagent_say_nothing_of_their_session() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(replace(permission(), agent_id="sub", hold=Hold.EXCLUSIVE, mode="acceptEdits", cwd="/sub"))
    session = stage.session()
    assert (session.state, session.mode, session.cwd) == (SessionState.IDLE, "", "")
    assert session.session_id == SESSION
