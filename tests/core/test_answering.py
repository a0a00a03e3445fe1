"""Answers: first come, first served; against the clock, the terminal and each other."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.bounds import MAX_VALUE_CHARS
from sayso.core.states import REQUEST, SessionState, State, Trigger
from sayso.core.types import Decision, Reply, Row
from sayso.errors import BadReply, BadRequest, Gone, NotSeen
from tests.core.stage import ADA, ALLOW, BOB, DENY, Stage, form, permission, question, ran

LONG = Row(label="Command", value="x" * (MAX_VALUE_CHARS + 1))


def test_an_answer_reaches_its_waiter_before_the_channels_hear_of_it() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.take_effects()
    stage.answer(ALLOW, 101.0)
    kinds = [getattr(effect, "type", type(effect).__name__) for effect in stage.take_effects()]
    assert kinds == ["Resolve", "session", "resolved"]
    assert stage.resolutions() == [Decision(behavior="allow")]
    assert stage.request().by == ADA
    assert stage.request().answered_s == 101.0


# --- races ------------------------------------------------------------------------------


@pytest.mark.parametrize(("at_s", "wins"), [(594.9, True), (595.0, False), (595.1, False)])
def test_an_answer_and_the_deadline_have_one_order(at_s: float, wins: bool) -> None:
    stage = Stage()
    stage.ask(permission(started_s=0.0, hold_s=595.0))
    if wins:
        stage.answer(ALLOW, at_s)
        stage.desk.tick(595.0)
        assert stage.state() is State.ANSWERED
        assert stage.resolutions() == [Decision(behavior="allow")]
        return
    with pytest.raises(Gone, match="timed out"):
        stage.answer(ALLOW, at_s)
    assert stage.state() is State.EXPIRED
    assert stage.resolutions() == [None]


def test_case_25_silence_decides_nothing() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.desk.tick(100.0 + 3590.0)
    request = stage.request()
    assert (request.state, request.decision, request.by) == (State.EXPIRED, None, None)
    assert request.notice  # its own prompt is still there
    assert stage.resolutions() == [None]


def test_case_03_the_terminal_said_yes_first() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.observe(ran(101.0))
    with pytest.raises(Gone, match="answered in the terminal: it ran") as caught:
        stage.answer(ALLOW, 101.1)
    assert caught.value.state == "withdrawn"
    assert stage.resolutions() == [None]


def test_case_03_the_answer_came_first_and_the_terminal_ran_it() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    stage.observe(ran(101.1))
    assert stage.state() is State.CONFIRMED
    assert stage.resolutions() == [Decision(behavior="allow")]


def test_case_03_a_no_in_the_terminal_kills_the_hook() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.gone(101.0, "term")
    with pytest.raises(Gone, match="turned down in the terminal"):
        stage.answer(ALLOW, 101.1)
    assert stage.end() == (State.WITHDRAWN, "closed_in_terminal")


def test_the_answer_came_first_and_the_terminal_killed_the_hook() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    stage.gone(101.1, "term")
    assert stage.end() == (State.LOST, "hook_gone")


def test_of_two_people_the_first_wins_and_the_other_learns_who() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    with pytest.raises(Gone, match=r"answered by Ada's phone 3 s ago") as caught:
        stage.answer(DENY, 104.0, by=BOB)
    assert caught.value.state == "answered"
    assert stage.resolutions() == [Decision(behavior="allow")]


def test_one_without_a_name_is_called_by_its_channel() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0, by=BOB)
    with pytest.raises(Gone, match="answered by cli"):
        stage.answer(ALLOW, 102.0)


def test_case_08_an_answer_after_the_end_says_how_it_ended() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.desk.process_gone("7:70", 101.0)
    with pytest.raises(Gone, match="the session has ended"):
        stage.answer(ALLOW, 102.0)
    stage.desk.tick(101.0 + 299.9)
    with pytest.raises(Gone, match="the session has ended"):
        stage.answer(ALLOW, 401.0 - 0.1)
    with pytest.raises(Gone, match="no such request"):
        stage.answer(ALLOW, 401.0)


# --- released by hand -------------------------------------------------------------------


def test_a_person_may_give_it_back() -> None:
    stage = Stage()
    stage.ask(permission())
    released = stage.desk.release("r1", 101.0)
    assert (released.state, released.reason, released.notice) == (State.RELEASED, "by_hand", True)
    assert stage.resolutions() == [None]
    for again in (lambda: stage.desk.release("r1", 102.0), lambda: stage.answer(ALLOW, 102.0)):
        with pytest.raises(Gone, match="given back"):
            again()


def test_what_is_answered_is_not_given_back() -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(ALLOW, 101.0)
    with pytest.raises(Gone, match="on its way"):
        stage.desk.release("r1", 101.1)


# --- what does not fit ------------------------------------------------------------------


def test_case_18_a_reply_that_does_not_fit_consumes_nothing() -> None:
    stage = Stage()
    stage.ask(question())
    stage.take_effects()
    before = stage.desk.snapshot()
    with pytest.raises(BadReply) as caught:
        stage.answer(ALLOW, 101.0)
    assert caught.value.field == "answers"
    assert stage.desk.snapshot() == before
    assert stage.take_effects() == []


# --- twice ------------------------------------------------------------------------------


def test_case_02_the_same_key_has_the_same_result_also_after_the_end() -> None:
    stage = Stage()
    stage.ask(permission())
    keyed = Reply(behavior="allow", key="k1")
    first = stage.answer(keyed, 101.0)
    assert stage.answer(keyed, 101.1) == first
    stage.written(101.2)
    stage.observe(ran(102.0))
    assert stage.answer(keyed, 200.0) == first
    assert stage.resolutions() == [Decision(behavior="allow")]


@pytest.mark.parametrize(
    ("reply", "by"),
    [(Reply(behavior="allow", key="k2"), ADA), (Reply(behavior="allow", key="k1"), BOB), (ALLOW, ADA)],
)
def test_case_02_another_key_or_credential_is_another_answer(reply: Reply, by: Any) -> None:
    stage = Stage()
    stage.ask(permission())
    stage.answer(Reply(behavior="allow", key="k1"), 101.0)
    with pytest.raises(Gone):
        stage.answer(reply, 101.1, by=by)


def test_a_key_of_another_request_counts_for_that_one() -> None:
    stage = Stage()
    stage.ask(permission("a"))
    stage.ask(permission("b"))
    keyed = Reply(behavior="allow", key="k1")
    assert stage.answer(keyed, 101.0, name="a").id == "a"
    assert stage.answer(keyed, 101.0, name="b").id == "b"


# --- seen to the end --------------------------------------------------------------------


def test_what_was_not_shown_whole_is_not_allowed() -> None:
    stage = Stage()
    stage.ask(permission(input=(Row(label="File", value="a"), LONG)))
    with pytest.raises(NotSeen, match="read it first") as caught:
        stage.answer(ALLOW, 101.0)
    assert (caught.value.code, caught.value.field) == ("not_seen", "input[1]")
    assert stage.state() is State.PENDING
    assert stage.desk.row("r1", 1, ADA.credential) == LONG
    with pytest.raises(NotSeen):
        stage.answer(ALLOW, 102.0, by=BOB)
    assert stage.answer(ALLOW, 103.0).state is State.ANSWERED


@pytest.mark.parametrize("reply", [DENY, Reply(behavior="allow", unseen=True)])
def test_it_may_be_denied_or_allowed_unseen(reply: Reply) -> None:
    stage = Stage()
    stage.ask(permission(input=(LONG,)))
    assert stage.answer(reply, 101.0).state is State.ANSWERED


def test_what_never_left_the_hook_can_only_be_allowed_unseen() -> None:
    stage = Stage()
    stage.ask(permission(input=(Row(label="Content", value="x", length=9, lost=True),)))
    stage.desk.row("r1", 0, ADA.credential)
    with pytest.raises(NotSeen, match="too long"):
        stage.answer(ALLOW, 101.0)
    assert stage.answer(Reply(behavior="allow", unseen=True), 102.0).state is State.ANSWERED


def test_a_value_of_just_the_bound_is_whole() -> None:
    stage = Stage()
    stage.ask(permission(input=(Row(label="Command", value="x" * MAX_VALUE_CHARS),)))
    assert stage.answer(ALLOW, 101.0).state is State.ANSWERED


@pytest.mark.parametrize("index", [-1, 1])
def test_there_are_no_other_rows(index: int) -> None:
    stage = Stage()
    stage.ask(permission())
    with pytest.raises(BadRequest):
        stage.desk.row("r1", index, "c1")


# --- its session ------------------------------------------------------------------------


def test_case_47_a_session_works_again_when_its_person_answered() -> None:
    stage = Stage()
    stage.ask(permission("a"))
    stage.ask(permission("b"))
    stage.gone(101.0, "term", name="a")
    assert stage.session_state() is SessionState.PRESUMED_IDLE
    stage.answer(ALLOW, 102.0, name="b")
    assert stage.session_state() is SessionState.WORKING


def test_a_subagents_answer_says_nothing_of_the_main_agent() -> None:
    stage = Stage(watched_at=100.0)
    stage.ask(form(agent_id="sub"))
    stage.answer(Reply(behavior="deny"), 101.0)
    assert stage.session_state() is SessionState.IDLE


def test_case_13_only_a_reply_decides_and_it_names_who_gave_it() -> None:
    deciding = {
        (state, trigger)
        for state, row in REQUEST.items()
        for trigger in row
        if row[trigger] is State.ANSWERED
    }
    assert deciding == {(State.PENDING, Trigger.REPLY)}
    stage = Stage()
    stage.ask(permission())
    for misread in (
        Reply(),
        Reply(behavior="Allow"),
        Reply(behavior="deny", content={}),
        Reply(suggestion="0"),
    ):
        with pytest.raises(BadReply):
            stage.answer(misread, 101.0)
    assert stage.state() is State.PENDING
    stage.answer(DENY, 102.0)
    assert stage.request().by == ADA
